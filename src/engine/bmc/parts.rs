//! Doors to the encoder's passes and to the solvers, with the options that the user chose.

use super::{Config, Conflicts, Solver};
use crate::engine::Settings;
use encoder::{Encoding, EventId, Kind, Pool, Term, Unencodable};
use frontend::ir::Program;
use solver::{Backend, Bridge, SolverError};

/// Nodes that are still worth a try.
const MAX_NODES: usize = 200_000;

pub fn encode(program: &Program, settings: &Settings) -> Result<Encoding, Unencodable> {
    let config = encoder::Config {
        malloc_may_fail: settings.malloc_may_fail,
        max_events: MAX_NODES,
        ..encoder::Config::default()
    };
    encoder::encode(program, &config)
}

pub fn candidates(encoding: &mut Encoding) {
    let (mut rf, events) = (Vec::new(), &encoding.events);
    for (r, read) in events.iter().enumerate().filter(|(_, e)| e.kind == Kind::Read) {
        for (w, write) in events.iter().enumerate().filter(|(_, e)| e.kind == Kind::Write) {
            if write.cell == read.cell && write.node != read.node {
                rf.push((EventId::new(w), EventId::new(r)));
            }
        }
    }
    encoding.rf = rf;
}

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
