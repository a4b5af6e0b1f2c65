//! Which values memory may hold, and the runs of each thread with them.
//!
//! First the values: each thread is run with every value known so far for its reads, and with both
//! outcomes of every branch that a read decides, until no new value is written. Both outcomes, since a
//! weak model may let two threads justify each other's branches. A value that is computed from others
//! (`x + 1`) needs one more write each time, so as many iterations as there are writes suffice.
//!
//! Then the runs, with branches as they are, and without those that read what is never written: a greatest
//! fixpoint, so that nothing is lost that could be justified in a circle.

use crate::error::Error;
use crate::ir::{Arch, Inst, Test};
use crate::layout::{MemoryLayout, MemoryPiece, whole};
use crate::trace::{ActionKind, Branches, Detail, Domain, Runs, WorkBudget, runs};
use crate::value::{Location, Value};
use cat::Model;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Stands for any value that nothing but itself justifies.
const OUT_OF_THIN_AIR: Value = Value::Int(0x7a1e);

/// Each refinement divides a cell; none has more than 16 bytes.
const MAX_REFINEMENTS: usize = 20;
/// More values in one place than this are not followed.
const MAX_VALUES: usize = 200;

/// The runs of all threads, and the memory that they work on.
pub(crate) fn all_runs(
    test: &Test,
    model: &Model,
    budget: &mut WorkBudget,
) -> Result<(Vec<Runs>, Memory), Error> {
    let detail = detail(test, model)?;
    let mut layout = MemoryLayout::new(test);
    for _ in 0..MAX_REFINEMENTS {
        let divided = || Error::whole("a part of an address is initialised");
        let memory = Memory { initial: layout.initial(test).ok_or_else(divided)?, layout };
        let mut accesses = BTreeSet::new();
        let domain = domain(test, &memory, &mut accesses, budget)?;
        let mut all = Vec::new();
        for thread in &test.threads {
            let runs = runs(thread, &memory.layout, &domain, (Branches::Exact, detail), budget)?;
            accesses.extend(&runs.accesses);
            all.push(runs);
        }
        layout = memory.layout.clone();
        if !layout.refine(&accesses) {
            drop_unjustified(&memory, &mut all);
            return Ok((all, memory));
        }
    }
    Err(Error::whole("accesses of too many sizes"))
}

/// Finding out which values there are.
const VALUES: (Branches, Detail) = (Branches::Both, Detail::Memory);

/// Which events the model wants to see, if this test can show them.
fn detail(test: &Test, model: &Model) -> Result<Detail, Error> {
    let has_parts = || test.threads.iter().flat_map(|t| &t.code).any(Inst::has_parts);
    match (model.computes_dependencies(), test.arch) {
        (true, Arch::AArch64) => Ok(Detail::Registers),
        (true, _) => Err(Error::whole(
            "the model computes dependencies from registers (`catdep`): only for AArch64",
        )),
        (false, _) if has_parts() => Err(Error::whole(
            "conditional selections, CAS and pairs are supported with models that compute \
             dependencies (`catdep`)",
        )),
        (false, _) => Ok(Detail::Memory),
    }
}

/// Memory before the test starts.
#[derive(Clone, Debug)]
pub struct Memory {
    pub layout: MemoryLayout,
    /// Of each cell.
    pub initial: BTreeMap<Location, Value>,
}

impl Memory {
    /// The value of a variable or element, if cells have these values.
    pub fn value(&self, element: Location, cell: impl Fn(Location) -> Value) -> Value {
        let cells = self.layout.cells_of_element(element);
        let parts: Vec<_> = cells.into_iter().map(|(l, bytes)| (cell(l), bytes)).collect();
        whole(&parts).unwrap_or(Value::ZERO)
    }

    pub fn at_first(&self, cell: Location) -> Value {
        self.initial.get(&cell).copied().unwrap_or(Value::ZERO)
    }
}

fn domain(
    test: &Test,
    memory: &Memory,
    accesses: &mut BTreeSet<MemoryPiece>,
    budget: &mut WorkBudget,
) -> Result<Domain, Error> {
    let mut domain = Domain::new();
    for (&location, &value) in &memory.initial {
        domain.entry(location).or_default().insert(value);
    }
    let mut iterations = 0;
    loop {
        let mut next = domain.clone();
        let mut writes = 0;
        for thread in &test.threads {
            let found = runs(thread, &memory.layout, &domain, VALUES, budget)?;
            accesses.extend(&found.accesses);
            let events = found.traces.iter().map(|t| t.accesses(ActionKind::Write).count());
            writes += events.max().unwrap_or(0);
            for (location, value) in found.traces.iter().flat_map(|t| t.accesses(ActionKind::Write))
            {
                next.entry(location).or_default().insert(value);
            }
        }
        iterations += 1;
        if next == domain || iterations > writes {
            domain = next;
            break;
        }
        if next.values().any(|values| values.len() > MAX_VALUES) {
            return Err(Error::whole("a variable may hold too many values"));
        }
        domain = next;
    }
    for location in circular(test, memory, &domain, budget)? {
        domain.entry(location).or_default().insert(OUT_OF_THIN_AIR);
    }
    Ok(domain)
}

/// Places whose values are computed from each other in a circle, other than by one instruction: there a
/// model without a rule against it allows any value.
fn circular(
    test: &Test,
    memory: &Memory,
    domain: &Domain,
    budget: &mut WorkBudget,
) -> Result<Vec<Location>, Error> {
    let mut flows: BTreeSet<(Location, Location)> = BTreeSet::new();
    for thread in &test.threads {
        for trace in runs(thread, &memory.layout, domain, VALUES, budget)?.traces {
            for (i, shape) in trace.shapes.iter().enumerate() {
                let sources = (0..i).filter(|from| shape.data >> from & 1 == 1);
                for from in sources.filter(|&from| !trace.amo.contains(&(from, i))) {
                    flows.extend(trace.shapes[from].location.zip(shape.location));
                }
            }
        }
    }
    loop {
        let further: Vec<_> = flows
            .iter()
            .flat_map(|a| flows.iter().filter(|b| a.1 == b.0).map(|b| (a.0, b.1)))
            .filter(|pair| !flows.contains(pair))
            .collect();
        if further.is_empty() {
            return Ok(flows.into_iter().filter(|(a, b)| a == b).map(|(a, _)| a).collect());
        }
        flows.extend(further);
    }
}

/// Runs that read a value that no run writes are none.
fn drop_unjustified(memory: &Memory, all: &mut [Runs]) {
    loop {
        let mut written: HashSet<(Location, Value)> =
            memory.initial.iter().map(|(l, v)| (*l, *v)).collect();
        for runs in all.iter() {
            written.extend(runs.traces.iter().flat_map(|t| t.accesses(ActionKind::Write)));
        }
        let mut dropped = false;
        for runs in all.iter_mut() {
            let before = runs.traces.len();
            runs.traces
                .retain(|t| t.accesses(ActionKind::Read).all(|access| written.contains(&access)));
            dropped |= runs.traces.len() < before;
        }
        if !dropped {
            return;
        }
    }
}
