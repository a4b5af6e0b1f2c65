//! Gates to clauses, as few as needed.
//!
//! A gate gets a variable when something asks for its literal, and only the clauses of the
//! polarities in which it is used (Plaisted and Greenbaum, 1986): "literal true implies gate true"
//! for a literal that stands positively in a clause. What was emitted is remembered, so a later
//! clause that uses the other polarity adds the other half.
//!
//! `require` states an Or of edges as clauses. Chains of And and Or without another use dissolve:
//! negated Ands become wide clauses, a positive And, Xor or Mux next to few literals is multiplied
//! out. So `rf -> x == y` becomes two clauses of three literals per bit, without a variable for `==`.
//!
//! Invariant: a model of the clauses, restricted to the inputs, satisfies every required Or; the
//! variable of an edge asked for in both polarities has the edge's value.
//! Cost: linear in the gates reached; no recursion.

use super::aig::{Aig, Edge, Gate};
use std::fmt;
use std::ops::Not;

/// A literal of the SAT solver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(i32);

impl Literal {
    /// The variable as true. Variables count from 1.
    pub fn positive(var: i32) -> Literal {
        Literal(var)
    }

    /// From a number other than zero.
    pub fn from_dimacs(number: i32) -> Literal {
        Literal(number)
    }

    pub fn to_dimacs(self) -> i32 {
        self.0
    }

    /// From 1.
    pub fn var(self) -> usize {
        self.0.unsigned_abs() as usize
    }

    pub fn is_negative(self) -> bool {
        self.0 < 0
    }
}

impl Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal(-self.0)
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Who takes the clauses.
pub trait Sink {
    fn clause(&mut self, clause: &[Literal]);
}

/// How an edge is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeUse {
    /// The literal implies the edge.
    Positive,
    /// The literal is the edge.
    Both,
}

/// Next to more literals than this, gates are not multiplied out.
const NARROW: usize = 2;

const TRUE_IMPLIES: u8 = 1;
const FALSE_IMPLIES: u8 = 2;

#[derive(Debug, Default)]
pub struct Cnf {
    vars: Vec<i32>,          // of a gate, 0 if none
    emitted: Vec<u8>,        // of a gate: which polarities
    queue: Vec<(usize, u8)>, // gates whose clauses are to be emitted
    last: i32,               // the last variable given out
    truth: Option<Literal>,  // a literal that is true
    clauses: u64,
}

impl Cnf {
    /// How many variables there are.
    pub fn variables(&self) -> i32 {
        self.last
    }

    /// How many clauses were emitted.
    pub fn clauses(&self) -> u64 {
        self.clauses
    }

    /// A variable that is no gate's.
    pub fn fresh(&mut self) -> Literal {
        self.last += 1;
        Literal(self.last)
    }

    /// The literal of an edge if it has one.
    pub fn known(&self, e: Edge) -> Option<Literal> {
        let var = *self.vars.get(e.node())?;
        (var != 0).then(|| signed(var, e))
    }

    /// The literal of an edge; its clauses are emitted as far as `how` needs them.
    pub fn literal(&mut self, aig: &Aig, e: Edge, how: EdgeUse, sink: &mut impl Sink) -> Literal {
        let lit = self.ask(aig, e, how, sink);
        self.drain(aig, sink);
        lit
    }

    /// One of the edges holds, in every model.
    pub(crate) fn require(&mut self, aig: &Aig, edges: Vec<Edge>, sink: &mut impl Sink) {
        self.state(aig, Vec::new(), edges, sink);
        self.drain(aig, sink);
    }

    fn emit(&mut self, clause: &[Literal], sink: &mut impl Sink) {
        self.clauses += 1;
        sink.clause(clause);
    }

    fn truth(&mut self, sink: &mut impl Sink) -> Literal {
        if let Some(truth) = self.truth {
            return truth;
        }
        let truth = self.fresh();
        self.truth = Some(truth);
        self.emit(&[truth], sink);
        truth
    }

    /// The literal of an edge; its clauses come later.
    fn ask(&mut self, aig: &Aig, e: Edge, how: EdgeUse, sink: &mut impl Sink) -> Literal {
        if e.is_constant() {
            let truth = self.truth(sink);
            return if e == Edge::TRUE { truth } else { !truth };
        }
        if self.vars.len() < aig.len() {
            self.vars.resize(aig.len(), 0);
            self.emitted.resize(aig.len(), 0);
        }
        let node = e.node();
        if self.vars[node] == 0 {
            self.vars[node] = self.fresh().0;
        }
        let need = match how {
            EdgeUse::Both => TRUE_IMPLIES | FALSE_IMPLIES,
            EdgeUse::Positive if e.is_negated() => FALSE_IMPLIES,
            EdgeUse::Positive => TRUE_IMPLIES,
        };
        let missing = need & !self.emitted[node];
        if missing != 0 {
            self.emitted[node] |= missing;
            self.queue.push((node, missing));
        }
        signed(self.vars[node], e)
    }

    fn drain(&mut self, aig: &Aig, sink: &mut impl Sink) {
        while let Some((node, polarities)) = self.queue.pop() {
            let gate = aig.gate_at(node);
            let lit = Literal(self.vars[node]);
            if polarities & TRUE_IMPLIES != 0 {
                self.define(aig, gate, lit, false, sink);
            }
            if polarities & FALSE_IMPLIES != 0 {
                self.define(aig, gate, !lit, true, sink);
            }
        }
    }

    /// `lit` implies the gate, or its negation if `negated`.
    fn define(&mut self, aig: &Aig, gate: Gate, lit: Literal, negated: bool, sink: &mut impl Sink) {
        let flip = |e: Edge| e.xor_sign(negated);
        match gate {
            Gate::False | Gate::Input(_) => {}
            Gate::And(a, b) => {
                let parts = self.conjuncts(aig, [a, b]);
                if negated {
                    let some = parts.into_iter().map(|e| !e).collect();
                    self.state(aig, vec![!lit], some, sink);
                } else {
                    for part in parts {
                        self.state(aig, vec![!lit], vec![part], sink);
                    }
                }
            }
            Gate::Xor(a, b) => self.state_xor(aig, &[!lit], flip(a), b, sink),
            Gate::Mux(c, a, b) => {
                self.state_mux(aig, &[!lit], c, flip(a), flip(b), sink);
                // Implied, but lets the solver conclude without knowing `c`.
                self.plain(aig, &[!lit], &[flip(a), flip(b)], sink);
            }
            Gate::Maj(a, b, c) => {
                for [a, b] in [[a, b], [a, c], [b, c]] {
                    self.plain(aig, &[!lit], &[flip(a), flip(b)], sink);
                }
            }
        }
    }

    /// No other gate needs a literal for this one.
    fn dissolves(&self, aig: &Aig, e: Edge) -> bool {
        aig.users(e) <= 1 && self.known(e).is_none()
    }

    /// The leaves of a tree of Ands.
    fn conjuncts(&self, aig: &Aig, of: [Edge; 2]) -> Vec<Edge> {
        let (mut leaves, mut stack) = (Vec::new(), of.to_vec());
        while let Some(e) = stack.pop() {
            match aig.gate(e) {
                Gate::And(a, b) if !e.is_negated() && self.dissolves(aig, e) => {
                    stack.extend([a, b]);
                }
                _ => leaves.push(e),
            }
        }
        leaves
    }

    /// One of the literals or edges holds.
    fn state(&mut self, aig: &Aig, lits: Vec<Literal>, edges: Vec<Edge>, sink: &mut impl Sink) {
        let mut jobs = vec![(lits, edges)];
        while let Some((mut lits, mut edges)) = jobs.pop() {
            let mut open = Vec::new(); // could be multiplied out
            let mut holds = false;
            while let Some(e) = edges.pop() {
                match aig.gate(e) {
                    Gate::False => holds |= e == Edge::TRUE,
                    Gate::And(a, b) if e.is_negated() && self.dissolves(aig, e) => {
                        edges.extend([!a, !b]);
                    }
                    Gate::And(..) | Gate::Xor(..) | Gate::Mux(..) if self.dissolves(aig, e) => {
                        open.push(e);
                    }
                    _ => lits.push(self.ask(aig, e, EdgeUse::Positive, sink)),
                }
            }
            if holds {
                continue;
            }
            if open.len() == 1 && lits.len() <= NARROW {
                self.multiply_out(aig, lits, open[0], &mut jobs, sink);
                continue;
            }
            for e in open {
                lits.push(self.ask(aig, e, EdgeUse::Positive, sink));
            }
            self.emit(&lits, sink);
        }
    }

    /// One of the literals holds or `e` does, without a variable for `e`.
    fn multiply_out(
        &mut self,
        aig: &Aig,
        lits: Vec<Literal>,
        e: Edge,
        jobs: &mut Vec<(Vec<Literal>, Vec<Edge>)>,
        sink: &mut impl Sink,
    ) {
        let flip = |x: Edge| x.xor_sign(e.is_negated());
        match aig.gate(e) {
            Gate::And(a, b) => {
                for part in self.conjuncts(aig, [a, b]) {
                    jobs.push((lits.clone(), vec![part]));
                }
            }
            Gate::Xor(a, b) => self.state_xor(aig, &lits, flip(a), b, sink),
            Gate::Mux(c, a, b) => self.state_mux(aig, &lits, c, flip(a), flip(b), sink),
            _ => self.plain(aig, &lits, &[e], sink),
        }
    }

    fn state_xor(&mut self, aig: &Aig, lits: &[Literal], a: Edge, b: Edge, sink: &mut impl Sink) {
        self.plain(aig, lits, &[a, b], sink);
        self.plain(aig, lits, &[!a, !b], sink);
    }

    fn state_mux(
        &mut self,
        aig: &Aig,
        lits: &[Literal],
        c: Edge,
        a: Edge,
        b: Edge,
        sink: &mut impl Sink,
    ) {
        self.plain(aig, lits, &[!c, a], sink);
        self.plain(aig, lits, &[c, b], sink);
    }

    /// One clause, edges as literals.
    fn plain(&mut self, aig: &Aig, lits: &[Literal], edges: &[Edge], sink: &mut impl Sink) {
        let mut clause = lits.to_vec();
        for &e in edges {
            clause.push(self.ask(aig, e, EdgeUse::Positive, sink));
        }
        self.emit(&clause, sink);
    }
}

fn signed(var: i32, e: Edge) -> Literal {
    Literal(if e.is_negated() { -var } else { var })
}
