//! Values of tracked cells, and a conjunction of literals over predicates (Cartesian abstraction).
//!
//! A tracked cell has a value or may have any; a value that is not constant is never enumerated. A
//! predicate holds, does not hold, or is not known. So each state has one successor per action. What
//! the values decide is decided by the constructors of terms; the rest is asked of a solver, once for
//! each action and each set of literals that it can depend on.

use super::Domain;
use super::parts::{Part, Parts};
use crate::ask::{Asker, Stop};
use crate::linear::normal;
use crate::prec::Precision;
use crate::replace::Replace;
use crate::system::{ActionId, CellId, System};
use encoder::Term;
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Truth {
    Any,
    Yes,
    No,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Element {
    /// By place in the precision's cells.
    pub values: Rc<[Option<u64>]>,
    /// By predicate.
    pub truths: Rc<[Truth]>,
}

/// An action where the values of tracked cells are put in.
#[derive(Clone, Debug)]
struct Reduced {
    guard: Term,
    /// Cells that may change, and cells with values.
    map: Replace,
    values: Rc<[Option<u64>]>,
}

type PostKey = (ActionId, Rc<[Option<u64>]>, Vec<Truth>);
type ReducedKey = (ActionId, Vec<Option<u64>>);

pub struct Cartesian {
    pub precision: Precision,
    pub asker: Asker,
    /// By action: places of tracked cells that it reads or that predicates put into its way.
    near: Vec<Option<Near>>,
    reduced: FxHashMap<ReducedKey, Option<Rc<Reduced>>>,
    posts: FxHashMap<PostKey, Option<Rc<[Truth]>>>,
    parts: Parts,
    /// Values that tracked cells have had.
    pub seen: Vec<FxHashSet<u64>>,
    /// Successors asked for, and those that needed a solver.
    pub evaluated: u64,
}

/// What the successor of an action depends on.
#[derive(Clone, Debug)]
struct Near {
    /// Predicates whose truth may change or matter.
    predicates: Vec<usize>,
}

impl Cartesian {
    pub fn new(system: &System, precision: Precision, asker: Asker) -> Cartesian {
        Cartesian {
            near: vec![None; system.actions.len()],
            seen: vec![FxHashSet::default(); precision.cells.len()],
            precision,
            asker,
            reduced: FxHashMap::default(),
            posts: FxHashMap::default(),
            parts: Parts::default(),
            evaluated: 0,
        }
    }

    fn values_at(&self, elem: &Element, cells: &FixedBitSet) -> Vec<Option<u64>> {
        let places = self.precision.cells.iter().zip(elem.values.iter());
        places.map(|(c, v)| v.filter(|_| cells.contains(c.index()))).collect()
    }

    /// Predicates connected with the action by cells, directly or through others.
    fn near(&mut self, system: &System, action: ActionId) -> Near {
        if let Some(known) = &self.near[action.index()] {
            return known.clone();
        }
        let a = system.action(action);
        let mut cells = a.reads.clone();
        cells.union_with(&a.writes);
        let mut in_it = vec![false; self.precision.predicates.len()];
        loop {
            let mut grown = false;
            for (p, is_in) in self.precision.predicates.iter().zip(&mut in_it) {
                if !*is_in && !p.cells.is_disjoint(&cells) {
                    cells.union_with(&p.cells);
                    (*is_in, grown) = (true, true);
                }
            }
            if !grown {
                break;
            }
        }
        let predicates = (0..in_it.len()).filter(|i| in_it[*i]).collect();
        let near = Near { predicates };
        self.near[action.index()] = Some(near.clone());
        near
    }

    fn reduce(
        &mut self,
        system: &mut System,
        elem: &Element,
        action: ActionId,
    ) -> Option<Rc<Reduced>> {
        // Predicates bring in cells that the action does not read, so all values count.
        let key: ReducedKey = if self.precision.predicates.is_empty() {
            (action, self.values_at(elem, &system.action(action).reads))
        } else {
            (action, elem.values.to_vec())
        };
        if let Some(known) = self.reduced.get(&key) {
            return known.clone();
        }
        let known = self.known(system, elem);
        let mut put_in = Replace::new(known.iter().copied());
        let a = system.action(action).clone();
        let guard = put_in.apply(&mut system.pool, a.guard);
        let made = (!system.pool.is_false(guard)).then(|| {
            let mut map: FxHashMap<Term, Term> = known.into_iter().collect();
            let mut values = vec![None; self.precision.cells.len()];
            for (cell, value) in &a.updates {
                let value = put_in.apply(&mut system.pool, *value);
                map.insert(system.cell(*cell).var, value);
                if let Ok(at) = self.precision.cells.binary_search(cell) {
                    values[at] = system.pool.constant(value);
                }
            }
            Rc::new(Reduced { guard, map: Replace::new(map), values: values.into() })
        });
        self.reduced.insert(key, made.clone());
        made
    }

    /// Variables of tracked cells with the values that an element gives them.
    pub fn known(&self, system: &mut System, elem: &Element) -> Vec<(Term, Term)> {
        let mut known = Vec::new();
        for (cell, value) in self.precision.cells.iter().zip(elem.values.iter()) {
            if let Some(value) = value {
                let var = system.cell(*cell).var;
                let width = system.pool.width(var);
                known.push((var, system.pool.bits(*value, width)));
            }
        }
        known
    }

    fn next_values(
        &mut self,
        system: &System,
        elem: &Element,
        action: ActionId,
        reduced: &Reduced,
    ) -> Rc<[Option<u64>]> {
        let writes = &system.action(action).writes;
        let mut values = elem.values.to_vec();
        for (at, cell) in self.precision.cells.iter().enumerate() {
            if writes.contains(cell.index()) {
                values[at] = reduced.values[at];
                if let Some(value) = values[at] {
                    self.seen[at].insert(value);
                }
            }
        }
        values.into()
    }

    /// The literals of an element as terms.
    fn literals(&self, system: &mut System, truths: &[Truth], which: &[usize]) -> Vec<Term> {
        let mut terms = Vec::new();
        for &i in which {
            let term = self.precision.predicates[i].term;
            match truths[i] {
                Truth::Any => {}
                Truth::Yes => terms.push(term),
                Truth::No => terms.push(system.pool.not(term)),
            }
        }
        terms
    }

    /// The truths of these predicates after a step, as they were before it; `None` if there is none.
    fn next_truths(
        &mut self,
        system: &mut System,
        elem: &Element,
        action: ActionId,
        reduced: &Reduced,
    ) -> Result<Option<Rc<[Truth]>>, Stop> {
        let near = self.near(system, action);
        let known = self.known(system, elem);
        let mut put_in = Replace::new(known);
        let mut facts = vec![reduced.guard];
        for fact in self.literals(system, &elem.truths, &near.predicates) {
            let fact = put_in.apply(&mut system.pool, fact);
            facts.push(normal(&mut system.pool, fact));
        }
        facts.retain(|f| !system.pool.is_true(*f));
        if facts.iter().any(|f| system.pool.is_false(*f)) {
            return Ok(None);
        }
        let mut truths = elem.truths.to_vec();
        let mut map = reduced.map.clone();
        let mut open = Vec::new();
        for &i in &near.predicates {
            let after = map.apply(&mut system.pool, self.precision.predicates[i].term);
            let after = normal(&mut system.pool, after);
            match system.pool.constant(after) {
                Some(1) => truths[i] = Truth::Yes,
                Some(_) => truths[i] = Truth::No,
                None if facts.contains(&after) => truths[i] = Truth::Yes,
                None if facts.iter().any(|f| system.pool.opposite(*f, after)) => {
                    truths[i] = Truth::No;
                }
                None => {
                    let unchanged = self.precision.predicates[i]
                        .cells
                        .is_disjoint(&system.action(action).writes);
                    if !(unchanged && truths[i] != Truth::Any) {
                        open.push((i, after));
                    }
                }
            }
        }
        if open.is_empty() && facts.is_empty() {
            return Ok(Some(truths.into()));
        }
        for Part { facts, open } in self.parts.of(&system.pool, &facts, open) {
            let Some(found) = self.asked(system, facts, &open)? else { return Ok(None) };
            open.iter().zip(found).for_each(|((i, _), truth)| truths[*i] = truth);
        }
        Ok(Some(truths.into()))
    }

    /// What these predicates are after a step, by facts before it; `None` if these contradict each other.
    fn asked(
        &mut self,
        system: &mut System,
        facts: Vec<Term>,
        open: &[(usize, Term)],
    ) -> Result<Option<Vec<Truth>>, Stop> {
        let mut candidates = Vec::new();
        for (_, after) in open {
            candidates.push(*after);
            candidates.push(system.pool.not(*after));
        }
        let implied = self.asker.implied_before(&mut system.pool, facts, candidates)?;
        let truth = |pair: &[bool]| match pair {
            [true, _] => Truth::Yes,
            [_, true] => Truth::No,
            _ => Truth::Any,
        };
        Ok(implied.map(|implied| implied.chunks(2).map(truth).collect()))
    }
}

impl Domain for Cartesian {
    type Elem = Element;

    fn initial(&mut self, system: &mut System) -> Result<Element, Stop> {
        let first = |c: &CellId| system.cell(*c).initial;
        let values: Rc<[Option<u64>]> = self.precision.cells.iter().map(first).collect();
        let mut all = Vec::new();
        for cell in &system.cells {
            if let Some(value) = cell.initial {
                let width = system.pool.width(cell.var);
                all.push((cell.var, value, width));
            }
        }
        let mut map = Vec::new();
        for (var, value, width) in all {
            map.push((var, system.pool.bits(value, width)));
        }
        let mut map = Replace::new(map);
        let mut truths = Vec::new();
        for p in &self.precision.predicates {
            let now = map.apply(&mut system.pool, p.term);
            truths.push(match system.pool.constant(now) {
                Some(1) => Truth::Yes,
                Some(_) => Truth::No,
                None => Truth::Any,
            });
        }
        Ok(Element { values, truths: truths.into() })
    }

    fn post(
        &mut self,
        system: &mut System,
        elem: &Element,
        action: ActionId,
    ) -> Result<Option<Element>, Stop> {
        let Some(reduced) = self.reduce(system, elem, action) else { return Ok(None) };
        self.evaluated += 1;
        let values = self.next_values(system, elem, action, &reduced);
        let near = self.near(system, action);
        let about: Vec<Truth> = near.predicates.iter().map(|i| elem.truths[*i]).collect();
        let key = (action, elem.values.clone(), about);
        let truths = match self.posts.get(&key) {
            Some(known) => known.clone(),
            None => {
                let found = self.next_truths(system, elem, action, &reduced)?;
                let near_only =
                    found.map(|t| near.predicates.iter().map(|i| t[*i]).collect::<Rc<[Truth]>>());
                self.posts.insert(key, near_only.clone());
                near_only
            }
        };
        let Some(changed) = truths else { return Ok(None) };
        let mut truths = elem.truths.to_vec();
        for (i, truth) in near.predicates.iter().zip(changed.iter()) {
            truths[*i] = *truth;
        }
        Ok(Some(Element { values, truths: truths.into() }))
    }

    fn enables(&mut self, system: &mut System, elem: &Element, action: ActionId) -> bool {
        let reduced = self.reduce(system, elem, action);
        reduced.is_some_and(|reduced| system.pool.is_true(reduced.guard))
    }

    fn forget(&self, elem: Element, keep: &FixedBitSet) -> Element {
        let gone = |c: &CellId| !keep.contains(c.index());
        let values = self.precision.cells.iter().zip(elem.values.iter());
        if !values.clone().any(|(c, v)| v.is_some() && gone(c)) && elem.truths.is_empty() {
            return elem;
        }
        let values = values.map(|(c, v)| v.filter(|_| !gone(c))).collect();
        let truths = self.precision.predicates.iter().zip(elem.truths.iter());
        let truths = truths.map(|(p, t)| if p.cells.is_subset(keep) { *t } else { Truth::Any });
        Element { values, truths: truths.collect() }
    }

    fn leq(&self, a: &Element, b: &Element) -> bool {
        let values = a.values.iter().zip(b.values.iter());
        let truths = a.truths.iter().zip(b.truths.iter());
        values.into_iter().all(|(a, b)| b.is_none() || a == b)
            && truths.into_iter().all(|(a, b)| *b == Truth::Any || a == b)
    }

    fn formula(&self, system: &mut System, elem: &Element) -> Vec<Term> {
        let mut terms: Vec<Term> = Vec::new();
        for (var, value) in self.known(system, elem) {
            terms.push(system.pool.eq(var, value));
        }
        let all: Vec<usize> = (0..self.precision.predicates.len()).collect();
        terms.extend(self.literals(system, &elem.truths, &all));
        terms
    }
}
