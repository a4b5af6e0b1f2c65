//! The certificate of a proof, checked from scratch.
//!
//! A proof is an invariant: for each vector of locations, what may be true there. This module
//! knows nothing of how it was found: it asks a solver of its own whether the first state is covered,
//! whether each action of each thread leads from what is covered to what is covered, and whether no
//! error and no doubt can be reached from it.

use crate::answer::Proof;
use crate::ask::{Asker, Budget, Stop};
use crate::replace::Replace;
use crate::system::{LocId, System, Target};
use encoder::Term;
use rustc_hash::FxHashMap;

/// Why an invariant is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BrokenInvariant {
    /// The first state is not covered.
    Initial,
    /// An action leads out of it.
    Step(String),
    /// An error or a doubt can be reached.
    Error(String),
    Stop(Stop),
}

impl From<Stop> for BrokenInvariant {
    fn from(stop: Stop) -> BrokenInvariant {
        BrokenInvariant::Stop(stop)
    }
}

pub fn check(system: &mut System, proof: &Proof, budget: &Budget) -> Result<(), BrokenInvariant> {
    let mut checker =
        Checker { asker: Asker::new(budget.clone()), by_vector: FxHashMap::default() };
    for (vector, states) in &proof.invariant {
        let mut any = Vec::new();
        for state in states {
            any.push(system.pool.and_all(state.iter().copied()));
        }
        let any = system.pool.or_all(any);
        checker.by_vector.insert(vector.to_vec(), any);
    }
    checker.initial(system)?;
    let vectors: Vec<(Vec<LocId>, Term)> =
        checker.by_vector.iter().map(|(v, t)| (v.clone(), *t)).collect();
    for (vector, here) in vectors {
        checker.steps(system, &vector, here)?;
    }
    Ok(())
}

struct Checker {
    asker: Asker,
    by_vector: FxHashMap<Vec<LocId>, Term>,
}

impl Checker {
    fn covered(&self, system: &mut System, vector: &[LocId]) -> Term {
        let known = self.by_vector.get(vector).copied();
        known.unwrap_or_else(|| system.pool.bool(false))
    }

    fn initial(&mut self, system: &mut System) -> Result<(), BrokenInvariant> {
        let start = vec![LocId(0); system.threads.len()];
        let covered = self.covered(system, &start);
        let mut facts = vec![system.pool.not(covered)];
        for at in 0..system.cells.len() {
            if let Some(value) = system.cells[at].initial {
                let var = system.cells[at].var;
                let value = system.pool.bits(value, system.pool.width(var));
                facts.push(system.pool.eq(var, value));
            }
        }
        let lost = self.asker.holds(&system.pool, &facts)?;
        if lost { Err(BrokenInvariant::Initial) } else { Ok(()) }
    }

    fn steps(
        &mut self,
        system: &mut System,
        vector: &[LocId],
        here: Term,
    ) -> Result<(), BrokenInvariant> {
        for thread in system.thread_ids() {
            let actions = system.location(thread, vector[thread.index()]).actions.clone();
            for id in actions {
                let action = system.action(id).clone();
                let facts = [here, action.guard];
                let name = || format!("{:?} at {:?}, line {}", id, vector, action.span.line);
                let Target::To(to) = action.to else {
                    if self.asker.holds(&system.pool, &facts)? {
                        return Err(BrokenInvariant::Error(name()));
                    }
                    continue;
                };
                let mut next = vector.to_vec();
                next[thread.index()] = to;
                let covered = self.covered(system, &next);
                let map = action.updates.iter().map(|(c, t)| (system.cell(*c).var, *t));
                let after = Replace::new(map.collect::<Vec<_>>()).apply(&mut system.pool, covered);
                let lost = system.pool.not(after);
                if self.asker.holds(&system.pool, &[here, action.guard, lost])? {
                    return Err(BrokenInvariant::Step(name()));
                }
            }
        }
        Ok(())
    }
}
