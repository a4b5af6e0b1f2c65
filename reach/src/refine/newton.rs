//! Predicates along an infeasible path, backwards over unsat cores.
//!
//! For each point of the path a set of shapes is wanted that holds there in every execution of the
//! path's beginning (strongest postcondition), and from which the next action leads to the next
//! point's set, or nowhere. From the last point back, a core of the shapes that hold is taken, the
//! better tiers first. Weakest preconditions of what is wanted are tried last and always do. With the
//! result as predicates the Cartesian abstraction refutes the path: each literal follows from the
//! literals before it.

use super::path::Path;
use super::shapes::{Shape, Shapes, TIERS, Tier};
use crate::ask::{Asker, Said, Stop};
use crate::linear::normal;
use crate::prec::Precision;
use crate::replace::Replace;
use crate::system::{CellId, System, vars};
use encoder::{Op, Term};
use fixedbitset::FixedBitSet;

pub struct Newton<'a> {
    pub system: &'a mut System,
    pub asker: &'a mut Asker,
    pub precision: &'a Precision,
    pub conditions: &'a [Term],
}

impl Newton<'_> {
    /// Shapes that refute a path whose action `last` is the first that cannot be done: by number of
    /// actions before it.
    pub fn refute(&mut self, path: &Path, last: usize) -> Result<Vec<Vec<Shape>>, Stop> {
        let mut all = vec![Vec::new(); last + 1];
        let mut wanted: Vec<Term> = Vec::new();
        for at in (0..=last).rev() {
            // After the action: nothing, for the last one.
            let goal = if at == last { None } else { Some(wanted.as_slice()) };
            let chosen = self.before(path, at, goal)?;
            wanted = chosen.iter().map(|shape| shape.term).collect();
            all[at] = chosen;
            if wanted.is_empty() {
                break;
            }
        }
        Ok(all)
    }

    /// Shapes that hold before an action of the path and lead to the goal.
    pub fn before(
        &mut self,
        path: &Path,
        at: usize,
        goal: Option<&[Term]>,
    ) -> Result<Vec<Shape>, Stop> {
        let action = self.system.action(path.actions[at]).clone();
        let updates = action.updates.iter().map(|(c, t)| (self.system.cell(*c).var, *t));
        let mut step = Replace::new(updates.collect::<Vec<_>>());
        let after: Vec<Term> = goal
            .unwrap_or_default()
            .iter()
            .map(|g| {
                let after = step.apply(&mut self.system.pool, *g);
                normal(&mut self.system.pool, after)
            })
            .collect();
        let fails = match goal {
            None => self.system.pool.bool(true),
            Some(_) => {
                let all = self.system.pool.and_all(after.iter().copied());
                self.system.pool.not(all)
            }
        };
        let facts = [action.guard, fails];
        let cells = self.cells_of(&facts);
        let mut have: Vec<Shape> = Vec::new();
        for tier in TIERS {
            let more = self.holding(path, at, tier, &cells, &have)?;
            if more.is_empty() && tier != Tier::Known {
                continue;
            }
            have.extend(more);
            if let Some(core) = self.core(&facts, &have)? {
                return Ok(core);
            }
        }
        // Weakest preconditions, if no input is in the way.
        for term in after.iter().copied().chain(goal.is_none().then_some(fails)) {
            let wanted = match goal {
                None => self.system.pool.not(term),
                Some(_) => term,
            };
            let wp = self.system.pool.implies_term(action.guard, wanted);
            let inputs = vars(&self.system.pool, wp);
            if inputs.iter().all(|v| self.system.by_var.contains_key(v)) {
                have.push(Shape { term: wp, value_of: None });
            }
        }
        self.core(&facts, &have)?.ok_or(Stop::GaveUp("no predicates refute a path"))
    }

    fn cells_of(&self, terms: &[Term]) -> Vec<CellId> {
        let mut cells = FixedBitSet::with_capacity(self.system.cells.len());
        for term in terms {
            cells.union_with(&self.system.cells_in(*term));
        }
        cells.ones().map(|c| CellId(c as u32)).collect()
    }

    /// Shapes of a tier that hold after the path's beginning.
    fn holding(
        &mut self,
        path: &Path,
        at: usize,
        tier: Tier,
        cells: &[CellId],
        have: &[Shape],
    ) -> Result<Vec<Shape>, Stop> {
        let facts = &path.known(at);
        let mut sources: Vec<Term> = Vec::new();
        for state in &path.states[at] {
            sources.extend(vars(&self.system.pool, *state));
        }
        sources.sort_unstable();
        sources.dedup();
        let Said::Sat(model) = self.asker.model(&self.system.pool, facts, &sources)? else {
            return Ok(Vec::new());
        };
        let values: Vec<u64> = {
            let mut eval = model.evaluator(&self.system.pool);
            path.states[at].iter().map(|t| eval.value(*t)).collect()
        };
        let value = |cell: CellId| values[cell.index()];
        let mut shapes = Shapes {
            system: self.system,
            precision: self.precision,
            conditions: self.conditions,
            cells,
        }
        .of(tier, &value);
        shapes.retain(|s| !have.iter().any(|h| h.term == s.term));
        shapes.sort_by_key(|s| s.term);
        shapes.dedup_by_key(|s| s.term);
        let mut now = path.replace(self.system, at);
        let mut terms = Vec::new();
        for shape in &shapes {
            let term = now.apply(&mut self.system.pool, shape.term);
            terms.push(normal(&mut self.system.pool, term));
        }
        let implied = self.asker.implied(&mut self.system.pool, facts, &terms)?;
        let implied = implied.unwrap_or_else(|| vec![false; terms.len()]);
        let mut keep = implied.into_iter();
        shapes.retain(|s| {
            keep.next().unwrap_or(false) && self.system.pool.op(s.term) != Op::Bool(true)
        });
        Ok(shapes)
    }

    /// Few of the shapes that are enough; those that came first are kept.
    fn core(&mut self, facts: &[Term], have: &[Shape]) -> Result<Option<Vec<Shape>>, Stop> {
        let terms: Vec<Term> = have.iter().map(|s| s.term).collect();
        let Some(mut core) = self.asker.core(&self.system.pool, facts, &terms)? else {
            return Ok(None);
        };
        let mut at = core.len();
        while at > 0 {
            at -= 1;
            let mut less = core.clone();
            less.remove(at);
            let question: Vec<Term> =
                facts.iter().copied().chain(less.iter().map(|i| terms[*i])).collect();
            if !self.asker.holds(&self.system.pool, &question)? {
                core = less;
            }
        }
        Ok(Some(core.into_iter().map(|i| have[i]).collect()))
    }
}
