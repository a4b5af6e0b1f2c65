//! Doors to the encoder's passes and to the solvers, with the options that the user chose.

use super::{Config, Conflicts, Solver};
use crate::engine::Settings;
use encoder::{Encoding, Pool, Term, Unencodable};
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

pub type Row = (&'static str, u64);

pub fn prune(_: &mut Encoding) -> Vec<Row> {
    vec![]
}

pub fn conflicts(_: &Conflicts, _: &mut Encoding, _: &mut Bridge) -> (Vec<Term>, Vec<Row>) {
    (vec![], vec![])
}

pub fn backend(
    config: &Config,
    solver: Solver,
    pool: &Pool,
    bridge: Bridge,
) -> Result<Box<dyn Backend>, SolverError> {
    match solver {
        #[cfg(feature = "z3")]
        Solver::Z3 => Ok(Box::new(solver::z3::Z3::new(pool, bridge, config.method)?)),
        #[cfg(not(feature = "z3"))]
        Solver::Z3 => Err(SolverError::GaveUp("this obmc was built without Z3".into())),
        Solver::Sat => Ok(Box::new(solver::cadical::Cadical::new(pool, bridge, config.method)?)),
    }
}
