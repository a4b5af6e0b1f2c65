//! What a proof says of global variables, for correctness witnesses: a proof without reduction, and the
//! bounds that all stores keep (`reach::bounds`). Nothing is told where there is none in a few seconds.

use crate::contract::{MemoryModel, Property, Query, Undefined};
use crate::engine::systems;
use ir::types::Scalar;
use ir::{ObjectId, ObjectKind, Program};
use reach::answer::{Answer, Prover};
use reach::ask::Budget;
use reach::bounds::{Global, bounds};
use reach::cegar::Cegar;
use reach::coi::Coi;
use reach::options::Options;
use reach::por::Por;
use reach::system::{CellId, System};
use std::time::{Duration, Instant};

const TIME: Duration = Duration::from_secs(3);

/// Variables with their smallest and largest value.
pub fn find(query: Query<'_>) -> Vec<(ObjectId, i128, i128)> {
    if query.property != Property::UnreachCall || query.settings.model != MemoryModel::Sc {
        return Vec::new();
    }
    let config = systems::config(query, Undefined::Unknown);
    let config = reach::build::Config { stores: true, ..config };
    match systems::built(query, config) {
        Ok((system, budget)) => found(query.program, system, budget).unwrap_or_default(),
        Err(_) => Vec::new(),
    }
}

fn found(
    program: &Program,
    mut system: System,
    budget: Budget,
) -> Option<Vec<(ObjectId, i128, i128)>> {
    let soon = Instant::now() + TIME;
    let deadline = Some(budget.deadline.map_or(soon, |deadline| deadline.min(soon)));
    let budget = Budget { deadline, ..budget };
    let options = Options { por: Por::Off, coi: Coi::Off, ..Options::eager() };
    let answer = Cegar::new(&mut system, options, budget.clone()).run().ok()?;
    let Answer::Safe(proof) = answer else { return None };
    let globals = system.globals.clone();
    let numbers: Vec<Global> = globals.iter().filter_map(|g| number(program, *g)).collect();
    let bounds = bounds(&mut system, &proof, &numbers, &budget).ok()?;
    let object = |cell: CellId| globals.iter().find(|(c, _)| *c == cell).map(|(_, object)| *object);
    Some(
        bounds
            .into_iter()
            .filter_map(|(cell, low, high)| Some((object(cell)?, low, high)))
            .collect(),
    )
}

/// If it is a number as a whole.
fn number(program: &Program, (cell, object): (CellId, ObjectId)) -> Option<Global> {
    let object = &program.objects[object.index()];
    let ty = program.types.scalar(object.ty)?;
    let Scalar::Int { signed, .. } = ty else { return None };
    let whole = object.kind == ObjectKind::Global && object.size == ty.bytes(program.machine);
    whole.then_some(Global { cell, signed })
}
