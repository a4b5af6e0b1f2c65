//! Weakest preconditions along a path, as clauses over cells.
//!
//! What is wanted behind an action holds there on this path. Before the action it is enough that the
//! action leads to it: the clause with the action's updates put in, if that holds before the action on
//! this path; else under those parts of the action's guard that are needed (an unsat core). So guards
//! that a refutation does not need are left out, and what is left is as weak as it can be: older states
//! cover it easily. By construction the clauses before an action, and its guard, imply the clauses
//! behind it. Where an input is in the way, shapes that hold there are taken instead (`newton.rs`).

use super::newton::Newton;
use super::path::Path;
use crate::ask::Stop;
use crate::linear::normal;
use crate::replace::Replace;
use crate::system::{Action, vars};
use encoder::Term;

pub struct Wp<'n, 'a>(pub &'n mut Newton<'a>);

impl Wp<'_, '_> {
    /// Clauses before each of the path's first actions, from what is wanted (and holds) behind them.
    pub fn back(
        &mut self,
        path: &Path,
        count: usize,
        goal: Vec<Term>,
    ) -> Result<Vec<Vec<Term>>, Stop> {
        let mut all = vec![Vec::new(); count];
        let mut wanted = goal;
        for at in (0..count).rev() {
            wanted = self.before(path, at, &wanted)?;
            all[at].clone_from(&wanted);
            if wanted.is_empty() {
                break;
            }
        }
        Ok(all)
    }

    fn before(&mut self, path: &Path, at: usize, wanted: &[Term]) -> Result<Vec<Term>, Stop> {
        let action = self.0.system.action(path.actions[at]).clone();
        let updates = action.updates.iter().map(|(c, t)| (self.0.system.cell(*c).var, *t));
        let mut step = Replace::new(updates.collect::<Vec<_>>());
        let mut clauses = Vec::new();
        for goal in wanted {
            let after = step.apply(&mut self.0.system.pool, *goal);
            let after = normal(&mut self.0.system.pool, after);
            if self.0.system.pool.is_true(after) {
                continue;
            }
            if self.is_about_cells(after) && self.holds(path, at, after)? {
                clauses.extend(self.0.system.pool.conjuncts(after));
                continue;
            }
            let clause = self.under_guard(path, at, &action, after)?;
            if self.is_about_cells(clause) {
                clauses.push(clause);
            } else if !self.is_valid(clause)? {
                let shapes = self.0.before(path, at, Some(&[*goal]))?;
                clauses.extend(shapes.into_iter().map(|s| s.term));
            }
        }
        clauses.retain(|c| !self.0.system.pool.is_true(*c));
        clauses.sort_unstable();
        clauses.dedup();
        Ok(clauses)
    }

    fn is_about_cells(&self, term: Term) -> bool {
        let system = &*self.0.system;
        vars(&system.pool, term).iter().all(|v| system.by_var.contains_key(v))
    }

    fn is_valid(&mut self, term: Term) -> Result<bool, Stop> {
        let fails = self.0.system.pool.not(term);
        Ok(!self.0.asker.holds(&self.0.system.pool, &[fails])?)
    }

    /// Does it hold after so many actions of the path?
    fn holds(&mut self, path: &Path, at: usize, term: Term) -> Result<bool, Stop> {
        let now = path.entering(self.0.system, at).apply(&mut self.0.system.pool, term);
        if self.0.system.pool.is_true(now) {
            return Ok(true);
        }
        let mut facts = path.known(at);
        facts.push(self.0.system.pool.not(now));
        Ok(!self.0.asker.holds(&self.0.system.pool, &facts)?)
    }

    /// The term under those parts of the guard without which it would not hold.
    fn under_guard(
        &mut self,
        path: &Path,
        at: usize,
        action: &Action,
        term: Term,
    ) -> Result<Term, Stop> {
        let mut now = path.entering(self.0.system, at);
        let pool = &mut self.0.system.pool;
        let parts = pool.conjuncts(action.guard).to_vec();
        let guards: Vec<Term> = parts.iter().map(|p| now.apply(pool, *p)).collect();
        let holds = now.apply(pool, term);
        let mut facts = path.known(at);
        facts.push(pool.not(holds));
        let core = self.0.asker.core(pool, &facts, &guards)?;
        let Some(mut core) = core else {
            return Err(Stop::Solver("a refutation has a gap".into()));
        };
        for i in (0..core.len()).rev() {
            let mut less = core.clone();
            less.remove(i);
            let rest = less.iter().map(|g| guards[*g]);
            let question: Vec<Term> = facts.iter().copied().chain(rest).collect();
            if !self.0.asker.holds(&self.0.system.pool, &question)? {
                core = less;
            }
        }
        let pool = &mut self.0.system.pool;
        let guard = pool.and_all(core.into_iter().map(|i| parts[i]));
        Ok(pool.implies_term(guard, term))
    }
}
