//! Executes a script and holds every step against the slow reference implementation.
//!
//! After every `propagate` that succeeds:
//! - the order equals the reference's, pair by pair;
//! - every literal that the reference's reading of the preventive rules denies is denied;
//! - every implied literal has premises that were true before it and refute its negation.
//!
//! After every conflict: its literals are true, and the reference refutes them.
//!
//! A step that makes no sense (unknown name, wrong level, a literal with a value, anything but
//! going back after a conflict) is skipped, so every subsequence of a script is a script.

use super::script::{Script, Step};
use crate::check::OrderProblem;
use crate::types::*;
use crate::{Config, Conflict, Theory};
use std::collections::HashMap;

/// What a replay has seen: tests make sure that it was not nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// Successful calls of `propagate`.
    pub closed: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Explanations checked, conflicts included.
    pub explained: u64,
    /// Literals in explanations that the rest makes superfluous.
    pub superfluous: u64,
    /// Literals in explanations.
    pub literals: u64,
    /// Literals in the longest explanation.
    pub longest: u64,
    /// Edges that the rules derived.
    pub derived: u64,
}

/// Runs the script; says what went wrong, if anything did.
pub fn replay(script: &Script, config: Config) -> Result<Summary, String> {
    let mut run = Run { theory: Theory::new(config), ..Run::default() };
    for (i, step) in script.0.iter().enumerate() {
        run.step(step).map_err(|error| format!("step {i}, {step}: {error}"))?;
    }
    let stats = run.theory.stats();
    Ok(Summary { derived: stats.ws_edges + stats.fr_edges, ..run.summary })
}

#[derive(Default)]
struct Run {
    theory: Theory,
    chains: HashMap<u32, Chain>,
    nodes: HashMap<u32, Node>,
    writes: HashMap<u32, Write>,
    reads: HashMap<u32, Read>,
    for_ever: Vec<Lit>,
    known: HashMap<Lit, Known>, // implied literals
    stuck: bool,
    summary: Summary,
}

/// An implied literal: how many literals were assigned when it was seen, and its last premises.
struct Known {
    time: usize,
    premises: Option<Vec<Lit>>,
}

impl Run {
    fn step(&mut self, step: &Step) -> Result<(), String> {
        match *step {
            Step::Back(level) => self.back(level as usize),
            _ if self.stuck => {}
            Step::Push => self.theory.push(),
            Step::Assign(lit) => self.assign(lit),
            Step::ForEver(lit) => self.assign_for_ever(lit),
            Step::Propagate => return self.propagate(),
            Step::Echo => self.echo(),
            _ => {
                self.build(step);
            }
        }
        Ok(())
    }

    /// `None` if the step was skipped.
    fn build(&mut self, step: &Step) -> Option<()> {
        let at_root = self.theory.level() == 0;
        let node = |name: &u32| self.nodes.get(name).copied();
        match step {
            Step::Before { lit, from, to } => {
                self.theory.add_before(*lit, node(from)?, node(to)?);
            }
            Step::Apart { lit, from, to } => self.theory.add_apart(*lit, node(from)?, node(to)?),
            _ if !at_root => return None,
            Step::Edge { from, to } => self.theory.add_edge(node(from)?, node(to)?),
            Step::Node { name, chain } => {
                let chain = *self.chains.entry(*chain).or_insert_with(|| self.theory.add_chain());
                self.nodes.insert(*name, self.theory.add_node(chain));
            }
            Step::After { name, node: other } => {
                let other = node(other)?;
                self.nodes.insert(*name, self.theory.insert_node_after(other));
            }
            Step::Write { name, node: at, cell, guard } => {
                let write = self.theory.add_write(node(at)?, Cell(*cell), *guard);
                self.writes.insert(*name, write);
            }
            Step::Read { name, node: at, cell } => {
                let read = self.theory.add_read(node(at)?, Cell(*cell));
                self.reads.insert(*name, read);
            }
            Step::Alias { write, read, lit } => {
                let (write, read) = (*self.writes.get(write)?, *self.reads.get(read)?);
                self.theory.add_alias(write, read, *lit);
            }
            Step::Rf { lit, write, read } => {
                let (write, read) = (*self.writes.get(write)?, *self.reads.get(read)?);
                self.theory.add_rf(*lit, write, read);
            }
            _ => return None,
        }
        Some(())
    }

    fn assign(&mut self, lit: Lit) {
        if self.theory.value(lit).is_none() {
            self.theory.assign(lit);
        }
    }

    fn assign_for_ever(&mut self, lit: Lit) {
        if self.theory.value(lit).is_none() {
            self.theory.assign_for_ever(lit);
            self.for_ever.push(lit);
        }
    }

    fn echo(&mut self) {
        while let Some(lit) = self.theory.next_implied() {
            self.assign(lit);
        }
    }

    fn back(&mut self, level: usize) {
        if level < self.theory.level() {
            self.theory.backtrack(level);
            self.stuck = self.theory.conflict.is_some();
            let theory = &self.theory;
            self.known.retain(|&lit, _| theory.record_of(lit).is_some());
        }
    }

    fn propagate(&mut self) -> Result<(), String> {
        let result = self.theory.propagate();
        let problem = self.theory.describe();
        match result {
            Ok(()) => self.closed(&problem),
            Err(conflict) => self.conflict(&problem, conflict),
        }
    }

    fn closed(&mut self, problem: &OrderProblem) -> Result<(), String> {
        self.summary.closed += 1;
        let assigned = self.theory.assigned().to_vec();
        for &lit in &self.for_ever {
            if self.theory.value(lit) != Some(true) {
                return Err(format!("{lit:?} was for ever"));
            }
        }
        let order = problem.close(&assigned);
        if order.inconsistent() {
            return Err("a conflict was missed".into());
        }
        for (a, b) in pairs(problem.nodes) {
            if order.before(a, b) != self.theory.before(a, b) {
                return Err(format!("{a:?} before {b:?} is {}", order.before(a, b)));
            }
        }
        for lit in problem.denied(&assigned) {
            if self.theory.record_of(!lit).is_none() {
                return Err(format!("{lit:?} was not denied"));
            }
        }
        self.implied(problem, &assigned)
    }

    fn implied(&mut self, problem: &OrderProblem, assigned: &[Lit]) -> Result<(), String> {
        let implied: Vec<Lit> = self.theory.implied.iter().map(|implied| implied.lit).collect();
        for lit in implied {
            let premises = self.theory.explain(lit).ok_or("an implied literal without reason")?;
            let new = Known { time: assigned.len(), premises: None };
            let known = self.known.entry(lit).or_insert(new);
            if known.premises.as_ref() == Some(&premises) {
                continue;
            }
            known.premises = Some(premises.clone());
            let early = &assigned[..known.time.min(assigned.len())];
            if let Some(late) = premises.iter().find(|premise| !early.contains(premise)) {
                return Err(format!("{lit:?} is explained by {late:?}, which came later"));
            }
            let mut all = premises;
            all.push(!lit);
            if !problem.refutes(&self.with_root(&all)) {
                return Err(format!("{all:?} do not imply {lit:?}"));
            }
            self.count_superfluous(problem, &all, Some(!lit));
        }
        Ok(())
    }

    fn conflict(&mut self, problem: &OrderProblem, conflict: Conflict) -> Result<(), String> {
        self.stuck = true;
        self.summary.conflicts += 1;
        if let Some(open) = conflict.lits.iter().find(|&&l| self.theory.value(l) != Some(true)) {
            return Err(format!("{open:?} of {conflict:?} is not true"));
        }
        let all = self.with_root(&conflict.lits);
        if problem.refutes(&all) {
            self.count_superfluous(problem, &conflict.lits, None);
            return Ok(());
        }
        // A literal may be denied both paths.
        let lits = problem.pairs.iter().map(|pair| pair.0);
        let lits = lits.chain(problem.writes.iter().filter_map(|write| write.2));
        let mut lits = lits.chain(problem.aliases.iter().map(|alias| alias.2));
        let with = |lit: Lit| all.iter().copied().chain([lit]).collect::<Vec<_>>();
        if lits.any(|lit| problem.refutes(&with(lit)) && problem.refutes(&with(!lit))) {
            return Ok(());
        }
        Err(format!("{conflict:?} is consistent"))
    }

    /// The literals and all of level 0: explanations leave those out.
    fn with_root(&self, lits: &[Lit]) -> Vec<Lit> {
        let assigned = self.theory.assigned().iter().copied();
        let root = assigned.filter(|&lit| self.theory.trail.is_root(lit));
        root.chain(lits.iter().copied()).collect()
    }

    fn count_superfluous(&mut self, problem: &OrderProblem, lits: &[Lit], target: Option<Lit>) {
        self.summary.explained += 1;
        self.summary.literals += lits.len() as u64;
        self.summary.longest = self.summary.longest.max(lits.len() as u64);
        for &lit in lits.iter().filter(|&&lit| Some(lit) != target) {
            let rest: Vec<Lit> = lits.iter().copied().filter(|&other| other != lit).collect();
            self.summary.superfluous += u64::from(problem.refutes(&self.with_root(&rest)));
        }
    }
}

fn pairs(nodes: usize) -> impl Iterator<Item = (Node, Node)> {
    (0..nodes).flat_map(move |a| (0..nodes).map(move |b| (Node::new(a), Node::new(b))))
}
