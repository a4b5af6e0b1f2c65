//! Does one label follow from another? Subsets first, then what was asked before, then a solver.

use super::tree::Label;
use crate::ask::Stop;
use crate::domain::cartesian::{Cartesian, Element};
use crate::linear::normal;
use crate::replace::Replace;
use crate::system::System;
use encoder::Term;
use rustc_hash::FxHashMap;
use std::rc::Rc;

type Valuation = Rc<[Option<u64>]>;

#[derive(Default)]
pub struct Implies {
    known: FxHashMap<(Vec<Term>, Term), bool>,
    /// Terms where values of tracked cells are put in.
    put_in: FxHashMap<Valuation, Replace>,
    /// Questions to the solver.
    pub asked: u64,
}

impl Implies {
    /// The term where tracked cells have the values of an element.
    pub(crate) fn put_in(
        &mut self,
        system: &mut System,
        domain: &Cartesian,
        elem: &Element,
        term: Term,
    ) -> Term {
        let replace = self.put_in.entry(elem.values.clone()).or_insert_with(|| {
            let cells = domain.precision.cells.iter().zip(elem.values.iter());
            let mut map = Vec::new();
            for (cell, value) in cells.filter_map(|(c, v)| v.map(|v| (*c, v))) {
                let var = system.cell(cell).var;
                let width = system.pool.width(var);
                map.push((var, system.pool.bits(value, width)));
            }
            Replace::new(map)
        });
        let term = replace.apply(&mut system.pool, term);
        normal(&mut system.pool, term)
    }

    /// Does the second label hold wherever the first one does, with the element's values?
    pub fn ask(
        &mut self,
        system: &mut System,
        domain: &mut Cartesian,
        (elem, label): (&Element, &Label),
        goal: &Label,
    ) -> Result<bool, Stop> {
        let mut open = Vec::new();
        for clause in goal.difference(label) {
            let clause = self.put_in(system, domain, elem, *clause);
            if system.pool.is_false(clause) {
                return Ok(false);
            }
            if !system.pool.is_true(clause) {
                open.push(clause);
            }
        }
        if open.is_empty() {
            return Ok(true);
        }
        let mut facts: Vec<Term> = Vec::new();
        for clause in label {
            let clause = self.put_in(system, domain, elem, *clause);
            if !system.pool.is_true(clause) {
                facts.push(clause);
            }
        }
        facts.sort_unstable();
        facts.dedup();
        open.retain(|c| facts.binary_search(c).is_err());
        let goal = system.pool.and_all(open);
        if system.pool.is_true(goal) {
            return Ok(true);
        }
        let key = (facts, goal);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let mut question = key.0.clone();
        question.push(system.pool.not(goal));
        self.asked += 1;
        let implied = !domain.asker.holds(&system.pool, &question)?;
        self.known.insert(key, implied);
        Ok(implied)
    }
}
