//! Complete models, refined by conflict clauses until the theory has none left.
//!
//! The theory starts from level 0 for each model. One model gives several clauses: the literals of a
//! conflict are left out, and what remains is looked at again, so the clauses of one model share no
//! literal. Variables of the second stage need no help: a model that leaves one open still gives it
//! a value.
//!
//! Terminates: each clause forbids the model that it comes from, and pairs of writes are finite.

use super::ffi::{Context, Result, Solver, Z3Assignment};
use super::propagator::Follower;
use crate::{Final, SolverError};
use rustc_hash::FxHashSet;
use theory::Lit;

/// What one model leads to.
pub enum Judgement {
    Accepted,
    /// Sets of literals that cannot all be true.
    Conflicts(Vec<Vec<Lit>>),
    /// There are new variables.
    More,
}

impl Follower {
    /// Judges a complete assignment; leaves the theory at level 0.
    pub fn judge(&mut self, model: &[Lit]) -> Result<Judgement> {
        self.assume(model, &FxHashSet::default());
        let answer = self.bridge.final_check();
        self.bridge.theory.backtrack(0);
        Ok(match answer.map_err(SolverError::Panic)? {
            Final::Consistent => Judgement::Accepted,
            Final::Conflict(lits) => Judgement::Conflicts(self.more_conflicts(model, lits)?),
            Final::Conflicts(all) => Judgement::Conflicts(all),
            Final::More(0) => return Err(SolverError::GaveUp("no schedule found".into())),
            Final::More(_) => Judgement::More,
        })
    }

    fn more_conflicts(&mut self, model: &[Lit], first: Vec<Lit>) -> Result<Vec<Vec<Lit>>> {
        let mut dropped: FxHashSet<Lit> = FxHashSet::default();
        let mut found = vec![first];
        while let Some(last) = found.last().filter(|last| !last.is_empty()) {
            dropped.extend(last);
            self.assume(model, &dropped);
            let answer = self.bridge.propagate();
            self.bridge.theory.backtrack(0);
            let Some(conflict) = answer.map_err(SolverError::Panic)? else { break };
            found.push(conflict);
        }
        Ok(found)
    }

    fn assume(&mut self, model: &[Lit], except: &FxHashSet<Lit>) {
        self.bridge.theory.push();
        for &lit in model.iter().filter(|lit| !except.contains(lit)) {
            self.bridge.theory.assign(lit);
        }
    }

    fn read(&self, model: &Z3Assignment) -> Result<Vec<Lit>> {
        (0..)
            .zip(self.names())
            .map(|(var, name)| {
                Ok(if model.value(name)? == 1 { Lit::positive(var) } else { Lit::negative(var) })
            })
            .collect()
    }
}

/// Looks at the model that the solver has just found: is it an execution? If not, the solver knows
/// more now.
pub fn refine(solver: &mut Solver<Follower>, context: &Context) -> Result<bool> {
    let model = solver.propagator().read(&solver.model()?)?;
    match solver.propagator_mut().judge(&model)? {
        Judgement::Accepted => return Ok(true),
        Judgement::More => {
            solver.propagator_mut().name_new(context)?;
        }
        Judgement::Conflicts(conflicts) => {
            for lits in conflicts {
                let follower = solver.propagator_mut();
                follower.told.conflicts += 1;
                let clause: Vec<_> = lits.iter().map(|&lit| follower.term(!lit)).collect();
                solver.assert(context.or(&clause)?)?;
            }
        }
    }
    Ok(false)
}
