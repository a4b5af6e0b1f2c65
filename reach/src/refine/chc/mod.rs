//! Candidates from constrained Horn clauses: the program over integers, solved by Spacer.
//!
//! A relation per node (a vector of locations with the values of cells that have few) over the cells that
//! may be said something of, a clause per action: whatever is in the first relation and passes the guard
//! is, with the updates done, in the second; nothing leads to an error. A solution is an invariant of the
//! program *if numbers were integers*. Its conjuncts and comparisons, read as terms on machine words, are
//! candidates for `houdini.rs`, which keeps what is inductive on words: no proof rests on integers, and
//! what cannot be translated may be translated wrongly.
//! (Grebenshchikov et al.: Synthesizing software verifiers from proof rules, PLDI 2012.)
//!
//! - `clauses.rs`: terms as text over integers
//! - `read.rs`: a solution as terms on words

mod clauses;
mod read;

use super::houdini::{Given, said_of};
use crate::ask::{Asker, Budget, Stop};
use crate::domain::Domain;
use crate::domain::cartesian::{Cartesian, Element};
use crate::flow::Live;
use crate::graph::{Vector, moved};
use crate::prec::Precision;
use crate::replace::Replace;
use crate::system::{ActionId, CellId, LocId, System};
use clauses::Clause;
use encoder::Term;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// Larger ones are not solved in that time.
const MAX_NODES: usize = 1_500;
const MAX_TEXT: usize = 4 << 20;
const TIME: Duration = Duration::from_secs(20);

/// What solves the program's clauses, as candidates at each node; and the solver again.
pub fn candidates(
    system: &mut System,
    shaped: &Precision,
    asker: Asker,
    budget: &Budget,
) -> Result<(Given, Asker), Stop> {
    let values = Precision { predicates: Vec::new(), ..shaped.clone() };
    let domain = Cartesian::new(system, values, asker);
    let live = Live::new(system);
    let mut horn = Horn { system, domain, live, nodes: Vec::new(), known: FxHashMap::default() };
    let given = horn.candidates(budget)?;
    Ok((given, horn.domain.asker))
}

struct ClauseNode {
    at: Vector,
    elem: Element,
    /// What its relation is over.
    cells: Vec<CellId>,
}

struct Horn<'a> {
    system: &'a mut System,
    domain: Cartesian,
    live: Live,
    nodes: Vec<ClauseNode>,
    known: FxHashMap<(Vector, Element), usize>,
}

impl Horn<'_> {
    fn candidates(&mut self, budget: &Budget) -> Result<Given, Stop> {
        let Some(clauses) = self.clauses()? else { return Ok(Given::default()) };
        let left = budget.deadline.map(|d| d.saturating_duration_since(budget.permit.now()) / 2);
        let time = left.map_or(TIME, |left| left.min(TIME));
        let said = solver::z3::horn::solution(&clauses, time)?;
        log::debug!(
            "horn clauses: {} relations, {} bytes, {}",
            self.nodes.len(),
            clauses.len(),
            if said.is_some() { "solved" } else { "not solved" }
        );
        budget.check()?;
        let solution = said.map(|text| read::definitions(&text)).unwrap_or_default();
        let mut given = Given::default();
        for (name, definition) in &solution {
            let number = name.strip_prefix('p').and_then(|n| n.parse::<usize>().ok());
            let Some(node) = number.and_then(|n| self.nodes.get(n)) else { continue };
            let terms = read::terms(self.system, &node.cells, definition);
            given.insert((node.at.clone(), node.elem.clone()), terms);
        }
        Ok(given)
    }

    /// Declarations and clauses; `None` if they are too many.
    fn clauses(&mut self) -> Result<Option<String>, Stop> {
        let start: Vector = vec![LocId(0); self.system.threads.len()].into();
        let elem = self.domain.initial(self.system)?;
        self.node(start, elem);
        let mut text = self.first();
        let mut at = 0;
        while at < self.nodes.len() {
            self.steps(at, &mut text)?;
            at += 1;
            if self.nodes.len() > MAX_NODES || text.len() > MAX_TEXT {
                log::debug!("horn clauses: too many");
                return Ok(None);
            }
        }
        let mut all = String::new();
        for (number, node) in self.nodes.iter().enumerate() {
            let sorts = vec!["Int"; node.cells.len()].join(" ");
            all += &format!("(declare-fun p{number} ({sorts}) Bool)\n");
        }
        Ok(Some(all + &text))
    }

    fn node(&mut self, at: Vector, elem: Element) -> usize {
        let key = (at, elem);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let cells = said_of(self.system, &self.live, &self.domain, &key.0, &key.1);
        let id = self.nodes.len();
        self.nodes.push(ClauseNode { at: key.0.clone(), elem: key.1.clone(), cells });
        self.known.insert(key, id);
        id
    }

    /// The first state is in the first relation.
    fn first(&self) -> String {
        let mut clause = Clause::new(self.system);
        for cell in &self.nodes[0].cells {
            clause.starts_with(*cell);
        }
        let args: Vec<String> = self.nodes[0].cells.iter().map(|c| clause.cell(*c)).collect();
        clause.text(&relation(0, &args))
    }

    fn steps(&mut self, from: usize, text: &mut String) -> Result<(), Stop> {
        let (at, elem) = (self.nodes[from].at.clone(), self.nodes[from].elem.clone());
        for thread in self.system.thread_ids() {
            for action in self.system.location(thread, at[thread.index()]).actions.clone() {
                let Some(next) = self.domain.post(self.system, &elem, action)? else { continue };
                let to = moved(self.system, &at, action).map(|to| self.node(to, next));
                *text += &self.step(from, action, to);
            }
        }
        Ok(())
    }

    fn step(&mut self, from: usize, action: ActionId, to: Option<usize>) -> String {
        let known = self.domain.known(self.system, &self.nodes[from].elem);
        let mut put_in = Replace::new(known.iter().copied());
        let action = self.system.action(action).clone();
        let guard = put_in.apply(&mut self.system.pool, action.guard);
        let cells = to.map(|to| self.nodes[to].cells.clone()).unwrap_or_default();
        let mut after: Vec<Term> = Vec::new();
        for cell in &cells {
            let updated = action.updates.iter().find(|(c, _)| c == cell).map(|(_, value)| *value);
            let value = updated.unwrap_or(self.system.cell(*cell).var);
            after.push(put_in.apply(&mut self.system.pool, value));
        }
        let mut clause = Clause::new(self.system);
        let before: Vec<String> = self.nodes[from].cells.iter().map(|c| clause.cell(*c)).collect();
        clause.given(relation(from, &before));
        clause.when(guard);
        let after: Vec<String> = after.into_iter().map(|t| clause.number(t)).collect();
        let head = to.map_or("false".into(), |to| relation(to, &after));
        clause.text(&head)
    }
}

fn relation(number: usize, args: &[String]) -> String {
    match args {
        [] => format!("p{number}"),
        _ => format!("(p{number} {})", args.join(" ")),
    }
}

#[cfg(test)]
mod tests;
