//! From preprocessed text to the program that an engine gets, in one place.
//!
//! `written` is the program as its author wrote it, `prepared` what passes have simplified, and
//! `load_for` what engines are asked about: loops that only wait are waits, where the property allows
//! that. What a library model must show of itself depends on the kind of property.

use crate::contract::race_mode::races_need_clocks;
use crate::contract::{MemoryModel, Property, Recorder};
use crate::never_made;
use crate::preprocess::Unit;
use crate::request::Input;
use analysis::undefined_arith::{self, UndefinedArith};
use analysis::{idle, loops, spin};
use frontend::{Error, LoadOptions, Source};
use ir::Program;
use ir::PropertyKind;
use ir::Span;
use std::collections::BTreeSet;

/// The sources of one program.
#[derive(Clone, Copy)]
pub struct Loader<'a> {
    pub units: &'a [Unit],
    pub input: &'a Input,
    /// What becomes of divisions by zero and shifts by too much.
    pub arithmetic: UndefinedArith,
    /// Who is told how long it takes.
    pub recorder: &'a Recorder,
}

impl<'a> Loader<'a> {
    /// Where C leaves divisions by zero and shifts by too much undefined, they are assumed not to be there.
    pub fn new(units: &'a [Unit], input: &'a Input, recorder: &'a Recorder) -> Loader<'a> {
        Loader { units, input, arithmetic: UndefinedArith::Assumed, recorder }
    }

    /// With one more source of ours, if there is one.
    pub fn written(&self, kind: PropertyKind, ours: Option<Source<'_>>) -> Result<Program, Error> {
        let units =
            self.units.iter().map(|u| Source { name: &u.name, text: &u.text, moved: &u.moved });
        let sources: Vec<Source<'_>> = units.chain(ours).collect();
        let (entry, volatile) = (self.input.entry.clone(), self.input.volatile.order());
        let extern_pointers = self.input.extern_pointers.into();
        let arguments = self.input.words();
        let options = LoadOptions { entry, property: kind, volatile, extern_pointers, arguments };
        let load = || frontend::load(&sources, self.input.machine, &options);
        let mut program = self.recorder.phase("load", load)?;
        program.ignored.extend(self.unmodelled().map(|word| (word, Span::NONE)));
        Ok(program)
    }

    /// Options that change what a program means.
    fn unmodelled(&self) -> impl Iterator<Item = String> {
        let flags = self.input.files.iter().map(|file| self.input.flags_of(file));
        let words: BTreeSet<&String> = flags.flat_map(|flags| &flags.unmodelled).collect();
        words.into_iter().map(|word| format!("the compiler option {word} changes nothing"))
    }

    pub fn prepared(&self, kind: PropertyKind) -> Result<Program, Error> {
        let program = self.written(kind, None)?;
        let mut program = self.recorder.phase("passes", || analysis::prepare(program));
        undefined_arith::settle(&mut program, self.arithmetic);
        self.recorder.phase("passes", || never_made::refuse(&mut program));
        Ok(program)
    }

    pub fn load_for(&self, property: Property) -> Result<Program, Error> {
        let mut program = self.prepared(property.kind())?;
        if let Some(goal) = Loader::goal(&program, property, MemoryModel::Sc) {
            self.collapse(&mut program, goal);
        }
        Ok(program)
    }

    /// What failing iterations of loops that only wait may be needed for; `None` keeps all.
    pub fn goal(program: &Program, property: Property, model: MemoryModel) -> Option<spin::Goal> {
        let goal = spin::Goal::of(property)?;
        // Under other models the end of an object may race with its use, too.
        let races = match property {
            Property::NoDataRace => true,
            Property::ValidMemsafety => model == MemoryModel::Cat,
            _ => false,
        };
        let unordered = || !loops::loops(program).is_empty() && races_need_clocks(program);
        Some(if races && unordered() { spin::Goal::Unordered } else { goal })
    }

    /// Loops that only wait become waits.
    pub fn collapse(&self, program: &mut Program, goal: spin::Goal) {
        self.recorder.phase("spin loops", || spin::collapse(program, goal));
    }

    /// Iterations that change nothing end their thread, where an execution without them is one, too.
    pub fn cut_idle(&self, program: &mut Program) {
        self.recorder.phase("spin loops", || idle::cut(program));
    }
}
