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
use crate::system::vars;
use encoder::Term;

pub struct Wp<'n, 'a>(pub &'n mut Newton<'a>);

impl Wp<'_, '_> {
    /// Clauses before each of the path's first actions, from what is wanted (and holds) behind them.
    /// `is_known`: a clause is part of what was found before so many actions, and need not be found again.
    pub fn back(
        &mut self,
        path: &Path,
        count: usize,
        goal: Vec<Term>,
        is_known: &dyn Fn(usize, Term) -> bool,
    ) -> Result<Vec<Vec<Term>>, Stop> {
        let mut all = vec![Vec::new(); count];
        let mut wanted = goal;
        for at in (0..count).rev() {
            wanted = self.before(path, at, &wanted)?;
            wanted.retain(|clause| !is_known(at, *clause));
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
        let mut now = path.entering(self.0.system, at);
        let mut clauses = Vec::new();
        for goal in wanted {
            let after = step.apply(&mut self.0.system.pool, *goal);
            let after = normal(&mut self.0.system.pool, after);
            if self.0.system.pool.is_true(after) {
                continue;
            }
            let clause = self.under_guard(path, at, &mut now, action.guard, after)?;
            if self.is_about_cells(clause) {
                clauses.extend(self.0.system.pool.conjuncts(clause));
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

    /// The term under those parts of the guard without which it would not hold.
    fn under_guard(
        &mut self,
        path: &Path,
        at: usize,
        now: &mut Replace,
        guard: Term,
        term: Term,
    ) -> Result<Term, Stop> {
        let pool = &mut self.0.system.pool;
        let holds = now.apply(pool, term);
        if pool.is_true(holds) && self.is_about_cells(term) {
            return Ok(term);
        }
        let pool = &mut self.0.system.pool;
        let parts = pool.conjuncts(guard).to_vec();
        let guards: Vec<Term> = parts.iter().map(|p| now.apply(pool, *p)).collect();
        let mut facts = path.known(at);
        facts.push(pool.not(holds));
        let Some(mut core) = self.0.asker.core(pool, &facts, &guards)? else {
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
        let clause = pool.implies_term(guard, term);
        Ok(normal(pool, clause))
    }
}
