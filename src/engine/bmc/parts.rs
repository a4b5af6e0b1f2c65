//! Doors to the encoder's passes and to the solvers, with the options that the user chose.

use super::{Config, Conflicts, Solver};
use crate::engine::Settings;
use encoder::{Encoding, Pool, Term};
use frontend::ir::{Program, Span};
use solver::{Backend, Bridge, SolverError};

pub struct Unencodable {
    pub what: String,
    pub span: Span,
}

pub fn encode(_: &Program, _: &Settings) -> Result<Encoding, Unencodable> {
    Err(Unencodable { what: "the encoder is not there yet".into(), span: Span::NONE })
}

pub fn candidates(_: &mut Encoding) {}

pub type Row = (&'static str, u64);

pub fn prune(_: &mut Encoding) -> Vec<Row> {
    vec![]
}

pub fn conflicts(_: &Conflicts, _: &mut Encoding, _: &mut Bridge) -> (Vec<Term>, Vec<Row>) {
    (vec![], vec![])
}

pub fn backend(
    _config: &Config,
    solver: Solver,
    _: &Pool,
    _: Bridge,
) -> Result<Box<dyn Backend>, SolverError> {
    let what = match solver {
        Solver::Z3 => "Z3 is not there yet",
        Solver::Sat => "the SAT solver is not there yet",
    };
    Err(SolverError::GaveUp(what.into()))
}
