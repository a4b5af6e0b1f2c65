//! From preprocessed text to the program that an engine gets, in one place.
//!
//! `written` is the program as its author wrote it, `prepared` what passes have simplified, and
//! `load_for` what engines are asked about: loops that only wait are waits, where the property allows
//! that. What a library model must show of itself depends on the kind of property.

use crate::contract::{Property, Recorder};
use crate::preprocess::Unit;
use crate::request::Input;
use analysis::spin;
use frontend::{Error, LoadOptions, Source};
use ir::Program;
use ir::PropertyKind;

/// The sources of one program.
#[derive(Clone, Copy)]
pub struct Loader<'a> {
    pub units: &'a [Unit],
    pub input: &'a Input,
    /// Who is told how long it takes.
    pub recorder: &'a Recorder,
}

impl Loader<'_> {
    /// With one more source of ours, if there is one.
    pub fn written(&self, kind: PropertyKind, ours: Option<Source<'_>>) -> Result<Program, Error> {
        let units = self.units.iter().map(|u| Source { name: &u.name, text: &u.text });
        let sources: Vec<Source<'_>> = units.chain(ours).collect();
        let options = LoadOptions { entry: self.input.entry.clone(), property: kind };
        let load = || frontend::load(&sources, self.input.machine, &options);
        self.recorder.phase("load", load)
    }

    pub fn prepared(&self, kind: PropertyKind) -> Result<Program, Error> {
        let program = self.written(kind, None)?;
        Ok(self.recorder.phase("passes", || analysis::prepare(program)))
    }

    pub fn load_for(&self, property: Property) -> Result<Program, Error> {
        let mut program = self.prepared(property.kind())?;
        self.collapse(&mut program, property);
        Ok(program)
    }

    /// Loops that only wait become waits.
    pub fn collapse(&self, program: &mut Program, property: Property) {
        if let Some(goal) = spin::Goal::of(property) {
            self.recorder.phase("spin loops", || spin::collapse(program, goal));
        }
    }
}
