//! The circuit: gates over edges that may negate, each distinct gate once.
//!
//! Besides the And of a plain and-inverter graph there are Xor, Mux and Maj (the carry of a full
//! adder): a SAT solver takes them as a few clauses each, and re-discovering them later is harder
//! than keeping them. Constructors bring operands into one form (order, signs) before they look a
//! gate up, and simplify by what stands one level below ("two-level" rules; Brummayer and Biere,
//! Local two-level And-inverter graph minimization without blowup, 2006). No rule makes a circuit
//! larger.
//!
//! Invariant: operands are older than the gate; no gate has a constant operand.

use rustc_hash::FxHashMap;
use std::fmt;
use std::ops::Not;

/// A gate's output, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge(u32);

impl Edge {
    pub(crate) const FALSE: Edge = Edge(0);
    pub(crate) const TRUE: Edge = Edge(1);

    pub fn constant(value: bool) -> Edge {
        Edge(u32::from(value))
    }

    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// The same, negated if `flip`.
    pub(crate) fn xor_sign(self, flip: bool) -> Edge {
        Edge(self.0 ^ u32::from(flip))
    }

    fn of(node: usize) -> Edge {
        Edge((node as u32) << 1)
    }
}

impl Not for Edge {
    type Output = Edge;
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

impl fmt::Debug for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negated() { "!" } else { "" }, self.node())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gate {
    /// False; the first gate only.
    False,
    /// The solver's to choose.
    Input(u32),
    And(Edge, Edge),
    /// Of two positive edges.
    Xor(Edge, Edge),
    /// If the first then the second else the third; the first two are positive.
    Mux(Edge, Edge, Edge),
    /// At least two of three; at most one is negated.
    Maj(Edge, Edge, Edge),
}

#[derive(Debug)]
pub struct Aig {
    gates: Vec<Gate>,
    users: Vec<u32>, // how many gates use a gate
    ids: FxHashMap<Gate, u32>,
    inputs: u32,
}

impl Default for Aig {
    fn default() -> Self {
        Aig { gates: vec![Gate::False], users: vec![0], ids: FxHashMap::default(), inputs: 0 }
    }
}

/// Looking.
impl Aig {
    pub fn gate(&self, e: Edge) -> Gate {
        self.gates[e.node()]
    }

    pub(crate) fn gate_at(&self, node: usize) -> Gate {
        self.gates[node]
    }

    /// How many gates use this one.
    pub fn users(&self, e: Edge) -> u32 {
        self.users[e.node()]
    }

    pub fn len(&self) -> usize {
        self.gates.len()
    }

    pub fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }

    /// The operands of a positive And.
    fn and_of(&self, e: Edge) -> Option<(Edge, Edge)> {
        match self.gate(e) {
            Gate::And(a, b) if !e.is_negated() => Some((a, b)),
            _ => None,
        }
    }

    /// The operands of a negated And.
    fn nand_of(&self, e: Edge) -> Option<(Edge, Edge)> {
        self.and_of(!e)
    }
}

/// Building.
impl Aig {
    pub fn input(&mut self) -> Edge {
        self.inputs += 1;
        self.intern(Gate::Input(self.inputs - 1))
    }

    fn intern(&mut self, gate: Gate) -> Edge {
        let next = self.gates.len();
        let id = *self.ids.entry(gate).or_insert(next as u32) as usize;
        if id == next {
            self.gates.push(gate);
            self.users.push(0);
            match gate {
                Gate::False | Gate::Input(_) => {}
                Gate::And(a, b) | Gate::Xor(a, b) => self.use_all(&[a, b]),
                Gate::Mux(a, b, c) | Gate::Maj(a, b, c) => self.use_all(&[a, b, c]),
            }
        }
        Edge::of(id)
    }

    fn use_all(&mut self, edges: &[Edge]) {
        for e in edges {
            self.users[e.node()] += 1;
        }
    }

    pub fn and(&mut self, a: Edge, b: Edge) -> Edge {
        if a == Edge::FALSE || b == Edge::FALSE || a == !b {
            return Edge::FALSE;
        }
        if a == Edge::TRUE || a == b {
            return b;
        }
        if b == Edge::TRUE {
            return a;
        }
        if let Some(e) = self.and_one_side(a, b).or_else(|| self.and_one_side(b, a)) {
            return e;
        }
        if let Some(e) = self.and_both_sides(a, b).or_else(|| self.and_both_sides(b, a)) {
            return e;
        }
        if let Some(e) = self.and_as_mux(a, b) {
            return e;
        }
        self.intern(Gate::And(a.min(b), a.max(b)))
    }

    /// `a & b` by what `a` is made of.
    fn and_one_side(&mut self, a: Edge, b: Edge) -> Option<Edge> {
        if let Some((x, y)) = self.and_of(a) {
            if b == x || b == y {
                return Some(a);
            }
            if b == !x || b == !y {
                return Some(Edge::FALSE);
            }
        }
        let (x, y) = self.nand_of(a)?;
        if b == !x || b == !y {
            return Some(b);
        }
        if b == x {
            return Some(self.and(b, !y));
        }
        if b == y {
            return Some(self.and(b, !x));
        }
        None
    }

    /// `a & b` where `a` is an And, by what both are made of.
    fn and_both_sides(&mut self, a: Edge, b: Edge) -> Option<Edge> {
        let (x, y) = self.and_of(a)?;
        if let Some((u, v)) = self.and_of(b) {
            let clash = x == !u || x == !v || y == !u || y == !v;
            return clash.then_some(Edge::FALSE);
        }
        let (u, v) = self.nand_of(b)?;
        if x == !u || x == !v || y == !u || y == !v {
            return Some(a);
        }
        if u == x || u == y {
            return Some(self.and(a, !v));
        }
        if v == x || v == y {
            return Some(self.and(a, !u));
        }
        None
    }

    /// `!(c & x) & !(!c & y)` is a choice by `c`.
    fn and_as_mux(&mut self, a: Edge, b: Edge) -> Option<Edge> {
        let ((p, q), (r, s)) = (self.nand_of(a)?, self.nand_of(b)?);
        let (c, x, y) = if p == !r {
            (p, q, s)
        } else if p == !s {
            (p, q, r)
        } else if q == !r {
            (q, p, s)
        } else if q == !s {
            (q, p, r)
        } else {
            return None;
        };
        Some(self.mux(c, !x, !y))
    }

    pub fn or(&mut self, a: Edge, b: Edge) -> Edge {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Edge, b: Edge) -> Edge {
        let flip = a.is_negated() != b.is_negated();
        let (a, b) = (a.xor_sign(a.is_negated()), b.xor_sign(b.is_negated()));
        self.positive_xor(a.min(b), a.max(b)).xor_sign(flip)
    }

    fn positive_xor(&mut self, a: Edge, b: Edge) -> Edge {
        if a == b {
            return Edge::FALSE;
        }
        if a == Edge::FALSE {
            return b;
        }
        for (a, b) in [(a, b), (b, a)] {
            match self.gate(a) {
                Gate::Xor(x, y) if x == b => return y,
                Gate::Xor(x, y) if y == b => return x,
                // (b & y) ^ b is b & !y; (!b & y) ^ b is b | y.
                Gate::And(x, y) if x == b => return self.and(b, !y),
                Gate::And(x, y) if y == b => return self.and(b, !x),
                Gate::And(x, y) if x == !b => return self.or(b, y),
                Gate::And(x, y) if y == !b => return self.or(b, x),
                _ => {}
            }
        }
        self.intern(Gate::Xor(a, b))
    }

    /// If `c` then `a` else `b`.
    pub(crate) fn mux(&mut self, c: Edge, a: Edge, b: Edge) -> Edge {
        if c.is_negated() {
            return self.mux(!c, b, a);
        }
        if c == Edge::FALSE {
            return b;
        }
        let (a, b) = (self.chosen(c, true, a), self.chosen(c, false, b));
        if a == b {
            return a;
        }
        if a == !b {
            return self.xor(c, b);
        }
        if a == Edge::TRUE || a == c {
            return self.or(c, b);
        }
        if a == Edge::FALSE || a == !c {
            return self.and(!c, b);
        }
        if b == Edge::FALSE || b == c {
            return self.and(c, a);
        }
        if b == Edge::TRUE || b == !c {
            return self.or(!c, a);
        }
        let flip = a.is_negated();
        self.intern(Gate::Mux(c, a.xor_sign(flip), b.xor_sign(flip))).xor_sign(flip)
    }

    /// What `e` is when `c` has a value: looks at a Mux by the same condition only.
    fn chosen(&self, c: Edge, value: bool, e: Edge) -> Edge {
        match self.gate(e) {
            Gate::Mux(d, x, y) if d == c => (if value { x } else { y }).xor_sign(e.is_negated()),
            _ => e,
        }
    }

    /// At least two of three: the carry of a full adder.
    pub(crate) fn maj(&mut self, a: Edge, b: Edge, c: Edge) -> Edge {
        let mut e = [a, b, c];
        e.sort_unstable();
        let [a, b, c] = e;
        // Sorted, so equal and opposite ones are neighbours, and constants are in front.
        if a == b || b == !c {
            return a;
        }
        if b == c || a == !b {
            return if b == c { b } else { c };
        }
        if a == Edge::FALSE {
            return self.and(b, c);
        }
        if a == Edge::TRUE {
            return self.or(b, c);
        }
        let flip = e.iter().filter(|e| e.is_negated()).count() >= 2;
        let [a, b, c] = e.map(|e| e.xor_sign(flip));
        self.intern(Gate::Maj(a, b, c)).xor_sign(flip)
    }

    pub fn and_all(&mut self, edges: impl IntoIterator<Item = Edge>) -> Edge {
        edges.into_iter().fold(Edge::TRUE, |all, e| self.and(all, e))
    }

    pub fn or_all(&mut self, edges: impl IntoIterator<Item = Edge>) -> Edge {
        edges.into_iter().fold(Edge::FALSE, |all, e| self.or(all, e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obmc_testing::Dice;

    /// All values of an edge over `inputs` inputs, as a bit per assignment.
    fn table(aig: &Aig, e: Edge) -> u64 {
        let mut rows = Vec::with_capacity(aig.len());
        for gate in &aig.gates {
            let at = |rows: &[u64], e: Edge| {
                let row: u64 = rows[e.node()];
                if e.is_negated() { !row } else { row }
            };
            let row = match *gate {
                Gate::False => 0,
                Gate::Input(i) => (0..64).map(|k: u64| (k >> i & 1) << k).sum(),
                Gate::And(a, b) => at(&rows, a) & at(&rows, b),
                Gate::Xor(a, b) => at(&rows, a) ^ at(&rows, b),
                Gate::Mux(c, a, b) => at(&rows, c) & at(&rows, a) | !at(&rows, c) & at(&rows, b),
                Gate::Maj(a, b, c) => {
                    let (a, b, c) = (at(&rows, a), at(&rows, b), at(&rows, c));
                    a & b | a & c | b & c
                }
            };
            rows.push(row);
        }
        if e.is_negated() { !rows[e.node()] } else { rows[e.node()] }
    }

    #[test]
    fn every_rule_keeps_the_function() {
        for seed in 0..400 {
            let mut random = Dice::new(seed);
            let mut aig = Aig::default();
            let mut edges: Vec<Edge> = (0..4).map(|_| aig.input()).collect();
            edges.push(Edge::TRUE);
            for _ in 0..60 {
                let mut pick = || edges[random.index(edges.len())].xor_sign(random.index(2) == 1);
                let (a, b, c) = (pick(), pick(), pick());
                let [ta, tb, tc] = [a, b, c].map(|e| table(&aig, e));
                let (e, expected) = match random.index(4) {
                    0 => (aig.and(a, b), ta & tb),
                    1 => (aig.xor(a, b), ta ^ tb),
                    2 => (aig.mux(a, b, c), ta & tb | !ta & tc),
                    _ => (aig.maj(a, b, c), ta & tb | ta & tc | tb & tc),
                };
                assert_eq!(table(&aig, e), expected, "seed {seed}: {a:?} {b:?} {c:?}");
                edges.push(e);
            }
        }
    }

    #[test]
    fn no_rule_makes_a_circuit_larger() {
        for seed in 0..200 {
            let mut random = Dice::new(seed);
            let mut aig = Aig::default();
            let mut edges: Vec<Edge> = (0..4).map(|_| aig.input()).collect();
            for _ in 0..60 {
                let mut pick = || edges[random.index(edges.len())].xor_sign(random.index(2) == 1);
                let (a, b) = (pick(), pick());
                let before = aig.len();
                edges.push(aig.and(a, b));
                assert!(aig.len() <= before + 1);
            }
        }
    }

    #[test]
    fn an_exclusive_or_and_a_choice_are_found_in_ands() {
        let mut aig = Aig::default();
        let [a, b, c] = [(); 3].map(|()| aig.input());
        let (p, q) = (aig.and(a, !b), aig.and(!a, b));
        let either = aig.or(p, q);
        assert_eq!(either, aig.xor(a, b));
        let (p, q) = (aig.and(c, a), aig.and(!c, b));
        let either = aig.or(p, q);
        assert_eq!(either, aig.mux(c, a, b));
    }
}
