//! The theory's slow reference implementation, held against every clause and every model at run
//! time (`--self-check`).
//!
//! The reference is built from the encoding, not from the theory, and closes the order from scratch for
//! each question. A clause must be refuted by it: not all of these literals, together with those of
//! level 0, can be true. A model must be consistent for it, and its schedule an execution.
//!
//! Cost: `O(n^3)` per clause. For those who doubt, not for those in a hurry.

use encoder::{Encoding, EventKind, NodeId, Op, Pool, Term};
use rustc_hash::FxHashMap;
use theory::check::OrderProblem;
use theory::{Cell, Lit, Node, Read, Write};

/// What is wrong with what the theory or the solver did.
pub type BrokenPromise = String;

/// What the theory's numbers stand for.
pub struct TheoryNames<'a> {
    /// By theory node.
    pub nodes: &'a [NodeId],
    /// By theory variable.
    pub terms: &'a [Option<Term>],
    /// Of `Encoding::rf`.
    pub rf: &'a [Lit],
}

#[derive(Clone, Debug)]
pub struct Reference {
    problem: OrderProblem,
    checked: u64,
}

impl Reference {
    /// Needs: `encoding` has the events and candidates that the names were made for.
    pub fn new(encoding: &Encoding, names: &TheoryNames) -> Reference {
        let of = names.nodes.iter().enumerate().map(|(i, &node)| (node, Node(i as u32)));
        let node: FxHashMap<NodeId, Node> = of.collect();
        let lits = literals(names.terms);
        let chain = |nodes: &[NodeId]| nodes.iter().map(|n| node[n]).collect();
        let mut problem = OrderProblem {
            nodes: names.nodes.len(),
            chains: encoding.threads.iter().map(|thread| chain(&thread.nodes)).collect(),
            edges: encoding.edges.iter().map(|(from, to)| (node[from], node[to])).collect(),
            ..OrderProblem::default()
        };
        let mut place = Vec::with_capacity(encoding.events.len());
        for event in &encoding.events {
            let (at, cell) = (node[&event.node], Cell(event.cell.0));
            if event.kind == EventKind::Read {
                place.push(problem.reads.len() as u32);
                problem.reads.push((at, cell));
            } else {
                place.push(problem.writes.len() as u32);
                problem.writes.push((at, cell, lit(&encoding.pool, &lits, event.guard)));
            }
        }
        for (&(write, read), &lit) in encoding.rf.iter().zip(names.rf) {
            let (w, r) = (Write(place[write.index()]), Read(place[read.index()]));
            let ends = (problem.writes[w.index()].0, problem.reads[r.index()].0);
            problem.rfs.push((lit, w, r));
            problem.pairs.push((lit, false, ends.0, ends.1));
        }
        let mut reference = Reference { problem, checked: 0 };
        for &(condition, from, to) in &encoding.waits {
            match lit(&encoding.pool, &lits, condition) {
                Some(lit) => reference.add_before(lit, node[&from], node[&to]),
                None => reference.problem.edges.push((node[&from], node[&to])),
            }
        }
        reference
    }

    pub fn add_before(&mut self, lit: Lit, from: Node, to: Node) {
        self.problem.pairs.push((lit, false, from, to));
    }

    /// How many clauses and models have been held against it.
    pub fn checked(&self) -> u64 {
        self.checked
    }

    /// Can `lits` not all be true, if `fixed` are?
    pub fn refutes(&mut self, fixed: &[Lit], lits: &[Lit]) -> Result<(), BrokenPromise> {
        self.checked += 1;
        let all: Vec<Lit> = fixed.iter().chain(lits).copied().collect();
        if self.problem.refutes(&all) {
            return Ok(());
        }
        Err(format!("self-check: nothing is wrong with {lits:?}, whatever the theory says"))
    }

    /// Is this consistent, and the line an execution?
    pub fn accepts(&mut self, lits: &[Lit], line: Option<&[Node]>) -> Result<(), BrokenPromise> {
        self.checked += 1;
        if self.problem.refutes(lits) {
            return Err("self-check: the theory accepts a model with a cycle".to_owned());
        }
        if line.is_some_and(|line| !self.problem.is_execution(line, lits)) {
            return Err("self-check: the schedule is no execution".to_owned());
        }
        Ok(())
    }
}

fn literals(terms: &[Option<Term>]) -> FxHashMap<Term, Lit> {
    let named = terms.iter().enumerate();
    named.filter_map(|(var, term)| Some(((*term)?, Lit::positive(var as u32)))).collect()
}

/// `None` for what is always true.
fn lit(pool: &Pool, lits: &FxHashMap<Term, Lit>, term: Term) -> Option<Lit> {
    if pool.is_true(term) {
        return None;
    }
    match pool.op(term) {
        Op::Not(inner) => lits.get(&inner).map(|&lit| !lit),
        _ => lits.get(&term).copied(),
    }
}
