//! Doors to the encoder's passes and to the solvers, with the options that the user chose.

use super::{Config, Intervals, Solver, SolverSearch, Symmetry};
use crate::contract::{MemoryModel, Property, Query};
use encoder::conflict::{self, Structure, Which};
use encoder::order::StaticOrder;
use encoder::{Encoding, Pool, Term, Unencodable, intervals, prune, symmetry};
use ir::Program;
use solver::cadical::{self, Cadical, Decide};
use solver::{Backend, Bridge, Method, SolverError, weak};

/// Nodes that are still worth a try.
const MAX_NODES: usize = 200_000;

pub fn encode(
    config: &Config,
    program: &Program,
    query: Query<'_>,
) -> Result<Encoding, Unencodable> {
    let config = encoder::Config {
        property: query.property,
        malloc_may_fail: query.settings.malloc_may_fail,
        undefined_ends: query.settings.undefined.ends(),
        narrow: !config.wide,
        max_events: MAX_NODES,
        weak: query.settings.weak.is_some(),
        settles: query.settings.weak.as_ref().is_some_and(|model| model.settles()),
        dependencies: query.settings.weak.as_ref().is_some_and(|model| model.has_dependencies()),
    };
    let mut encoding = encoder::encode_while(program, &config, &|| !query.limits.exceeded())?;
    encoding.weak.system = futexes(query.program);
    Ok(encoding)
}

/// The text of the futexes, whose operations the kernel orders totally (futex(2)).
fn futexes(program: &Program) -> Option<ir::FileId> {
    let is = |f: &&ir::Function| f.origin == ir::Origin::Model && f.name == "__obmc_futex";
    program.functions.iter().find(is).map(|f| f.span.file)
}

pub type Row = (&'static str, u64);

/// Orders threads that are alike, if all executions are lines.
pub fn order_symmetric_threads(
    config: &Config,
    model: MemoryModel,
    encoding: &mut Encoding,
) -> Vec<Row> {
    if config.symmetry == Symmetry::Off || !model.allows(symmetry::ASSUMES) {
        return Vec::new();
    }
    let stats = symmetry::order_symmetric_threads(encoding);
    vec![("symmetric groups", stats.groups as u64), ("symmetric threads", stats.threads as u64)]
}

pub fn prune(config: &Config, query: Query<'_>, encoding: &mut Encoding) -> Vec<Row> {
    let rules = config.prune.under(query.settings.model);
    let stats = prune::prune_while(encoding, &rules, &|| !query.limits.exceeded());
    vec![
        ("pruned reads", stats.reads_removed as u64),
        ("pruned writes", stats.writes_removed as u64),
        ("forwarded reads", stats.forwarded as u64),
        ("pruning iterations", u64::from(stats.iterations)),
    ]
}

/// Which conflict clauses save more than they cost, as measured (docs/performance.md). With the
/// theory inside of its search, CaDiCaL hears of most cycles before it decides anyway.
pub fn that_pay(solver: Solver, method: Method) -> Which {
    match (solver, method) {
        (Solver::Sat, Method::Prop) => Which::only(&[Structure::Overwrite, Structure::Rmw]),
        (Solver::Sat, Method::Basic) | (Solver::Z3, _) => Which::default(),
    }
}

/// The bridge, and the facts that come with it.
pub fn bridge(config: &Config, model: MemoryModel, encoding: &mut Encoding) -> (Bridge, Vec<Term>) {
    let (mut bridge, facts) = Bridge::new(encoding, model);
    if config.self_check {
        bridge.check_itself(encoding);
    }
    if config.proof_core {
        bridge.keep_refuted();
    }
    (bridge, facts)
}

/// The same under another memory model, with goals for races where they are errors.
pub fn weak_bridge(
    model: &weak::Model,
    property: Property,
    encoding: &mut Encoding,
) -> Result<(Bridge, Vec<Term>), String> {
    let question = match property {
        Property::NoDataRace => weak::WeakQuestion::Races,
        Property::UnreachCall | Property::ValidMemsafety if model.target.has_undefined_races() => {
            weak::WeakQuestion::Races
        }
        Property::Robust => weak::WeakQuestion::Robust,
        _ => weak::WeakQuestion::Nothing,
    };
    Bridge::weak(encoding, model, question)
}

/// Clauses that hold in every execution, as terms.
pub fn conflicts(
    which: Which,
    order: &StaticOrder,
    encoding: &mut Encoding,
    bridge: &Bridge,
) -> (Vec<Term>, Vec<Row>) {
    if which.is_none() {
        return (Vec::new(), Vec::new());
    }
    let budget = conflict::usual_budget(encoding.rf.len());
    let found = conflict::find(encoding, order, &which, budget);
    let clauses = found.clauses.iter().filter_map(|clause| {
        let pool = &mut encoding.pool;
        let mut together = pool.bool(true);
        for &i in &clause.rf {
            let chosen = chosen(bridge, pool, i)?;
            together = pool.and(together, chosen);
        }
        for &guard in &clause.guards {
            together = pool.and(together, guard);
        }
        Some(pool.not(together))
    });
    let clauses: Vec<Term> = clauses.collect();
    let rows = found.by_structure.iter().map(|&(structure, n)| (row(structure), n as u64));
    (clauses, rows.collect())
}

/// How large values are if a candidate is chosen, as terms.
pub fn intervals(
    config: &Config,
    model: MemoryModel,
    order: &StaticOrder,
    encoding: &mut Encoding,
    bridge: &Bridge,
) -> Vec<Term> {
    if config.intervals == Intervals::Off || !model.allows(intervals::ASSUMES) {
        return Vec::new();
    }
    let found = intervals::find(encoding, order);
    let fact = |bound: intervals::TermBound| {
        let pool = &mut encoding.pool;
        let chosen = chosen(bridge, pool, bound.pair)?;
        let holds = bound.holds(pool);
        let when = pool.and(chosen, bound.guard);
        Some(pool.implies_term(when, holds))
    };
    found.into_iter().filter_map(fact).collect()
}

/// That a candidate is chosen, by its index in `Encoding::rf`.
fn chosen(bridge: &Bridge, pool: &mut Pool, pair: u32) -> Option<Term> {
    let lit = bridge.rf()[pair as usize];
    let term = bridge.term(lit.var())?;
    Some(if lit.is_negative() { pool.not(term) } else { term })
}

fn row(structure: Structure) -> &'static str {
    match structure {
        Structure::Overwrite => "conflict clauses overwrite",
        Structure::Rmw => "conflict clauses rmw",
        Structure::RfRf => "conflict clauses rf-rf",
        Structure::Ws => "conflict clauses ws",
        Structure::Fr => "conflict clauses fr",
    }
}

pub fn backend(
    config: &Config,
    solver: Solver,
    pool: &Pool,
    bridge: Bridge,
) -> Result<Box<dyn Backend>, SolverError> {
    match solver {
        Solver::Z3 => Ok(Box::new(solver::z3::Z3::new(pool, bridge, config.method)?)),
        Solver::Sat => {
            let settings = cadical::Settings {
                method: config.method,
                decide: match config.search {
                    SolverSearch::RfFirst => Decide::ReadsFirst,
                    SolverSearch::Plain | SolverSearch::Inprocess => Decide::Solver,
                },
                phase: config.search == SolverSearch::RfFirst,
                inprocess: config.search == SolverSearch::Inprocess,
            };
            Ok(Box::new(Cadical::with_settings(pool, bridge, settings)?))
        }
    }
}
