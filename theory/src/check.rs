//! The slow reference implementation: closes the order from scratch, and shares no code with the
//! fast one.
//!
//! It takes the problem as plain data and a set of true literals, fills an `n x n` matrix and
//! applies the rules as they stand in the papers, over all triples, until nothing changes. Tests
//! hold every step of the theory against it; a host can hold every conflict and every model against
//! it (`--self-check`).
//!
//! Invariant: none to keep. Cost: `O(n^3)` per round of closure, and proud of it.

use crate::types::{Cell, Lit, Node, Read, Write};
use std::collections::{HashMap, HashSet};

/// Everything that exists, as plain data.
#[derive(Clone, Debug, Default)]
pub struct OrderProblem {
    /// How many nodes there are.
    pub nodes: usize,
    /// Program order: nodes of each chain in order.
    pub chains: Vec<Vec<Node>>,
    /// Static order beyond the chains.
    pub edges: Vec<(Node, Node)>,
    /// Writes: node, cell, guard.
    pub writes: Vec<(Node, Cell, Option<Lit>)>,
    /// Reads: node, cell.
    pub reads: Vec<(Node, Cell)>,
    /// Write and read of different cells that meet under a literal.
    pub aliases: Vec<(Write, Read, Lit)>,
    /// Candidates: literal, write, read.
    pub rfs: Vec<(Lit, Write, Read)>,
    /// Pair literals: literal, "apart" instead of "before", the two nodes. Candidates are among them.
    pub pairs: Vec<(Lit, bool, Node, Node)>,
}

/// The closed order of some literals.
#[derive(Clone, Debug)]
pub struct ClosedOrder {
    matrix: Vec<Vec<bool>>,
    apart_violated: bool,
}

impl ClosedOrder {
    /// Is there a cycle, or something ordered that was claimed to be apart?
    pub fn inconsistent(&self) -> bool {
        self.apart_violated || (0..self.matrix.len()).any(|i| self.matrix[i][i])
    }

    /// Is `a` before `b`?
    pub fn before(&self, a: Node, b: Node) -> bool {
        self.matrix[a.index()][b.index()]
    }
}

/// A candidate, a write that may come between, and the literals that must be true for that.
struct Triple {
    write: Node,
    read: Node,
    other: Node,
    needs: Vec<Lit>,
}

impl OrderProblem {
    /// The least order that contains the chains, the static edges and the claims of the true
    /// literals, and is closed under transitivity, write serialization and from-read.
    pub fn close(&self, lits: &[Lit]) -> ClosedOrder {
        let lits: HashSet<Lit> = lits.iter().copied().collect();
        let mut matrix = vec![vec![false; self.nodes]; self.nodes];
        for chain in &self.chains {
            for ends in chain.windows(2) {
                matrix[ends[0].index()][ends[1].index()] = true;
            }
        }
        for (from, to) in &self.edges {
            matrix[from.index()][to.index()] = true;
        }
        let mut apart = Vec::new();
        for (lit, is_apart, from, to) in &self.pairs {
            if lits.contains(lit) && !is_apart {
                matrix[from.index()][to.index()] = true;
            } else if lits.contains(lit) {
                apart.push((from.index(), to.index()));
            }
        }
        let triples = self.triples();
        let active: Vec<_> =
            triples.iter().filter(|t| t.needs.iter().all(|lit| lits.contains(lit))).collect();
        transitive(&mut matrix);
        while apply(&active, &mut matrix) {
            transitive(&mut matrix);
        }
        let ordered = |&(a, b): &(usize, usize)| a == b || matrix[a][b] || matrix[b][a];
        let apart_violated = apart.iter().any(ordered);
        ClosedOrder { matrix, apart_violated }
    }

    /// Can these literals not all be true?
    pub fn refutes(&self, lits: &[Lit]) -> bool {
        self.close(lits).inconsistent()
    }

    /// Is this an execution: all nodes once, in every order that is claimed, and each read that has
    /// a source sees it? (What is claimed to be apart cannot be seen in a line.) Cells do not alias.
    pub fn is_execution(&self, line: &[Node], lits: &[Lit]) -> bool {
        let lits: HashSet<Lit> = lits.iter().copied().collect();
        let place: HashMap<Node, usize> = line.iter().enumerate().map(|(i, &n)| (n, i)).collect();
        if line.len() != self.nodes || place.len() != self.nodes {
            return false;
        }
        let before = |a: Node, b: Node| place.get(&a) < place.get(&b);
        let chains = self.chains.iter().flat_map(|chain| chain.windows(2));
        let ordered = chains.map(|ends| (ends[0], ends[1])).chain(self.edges.iter().copied());
        let claimed = self.pairs.iter().filter(|(lit, apart, ..)| !apart && lits.contains(lit));
        let mut ordered = ordered.chain(claimed.map(|&(_, _, from, to)| (from, to)));
        let mut chosen = self.rfs.iter().filter(|(lit, ..)| lits.contains(lit));
        ordered.all(|(from, to)| before(from, to))
            && chosen.all(|&(_, write, read)| self.last_before(read, &place, &lits) == Some(write))
    }

    /// The enabled write that a read sees in a line.
    fn last_before(
        &self,
        read: Read,
        place: &HashMap<Node, usize>,
        lits: &HashSet<Lit>,
    ) -> Option<Write> {
        let (reader, read_cell) = self.reads[read.index()];
        let seen = self.writes.iter().enumerate().filter(|(_, (node, cell, guard))| {
            let enabled = guard.is_none_or(|guard| lits.contains(&guard));
            *cell == read_cell && enabled && place.get(node) < place.get(&reader)
        });
        let last = seen.max_by_key(|(_, (node, ..))| place.get(node));
        last.map(|(i, _)| Write::new(i))
    }

    /// The literals that a closed, consistent order denies and that have no value yet: the promise
    /// of the preventive rules, read literally.
    pub fn denied(&self, lits: &[Lit]) -> Vec<Lit> {
        let order = self.close(lits);
        let mut denied = Vec::new();
        for &(lit, apart, from, to) in &self.pairs {
            if from == to || order.before(to, from) || apart && order.before(from, to) {
                denied.push(lit);
            }
        }
        for t in self.triples() {
            if order.before(t.write, t.other) && order.before(t.other, t.read) {
                denied.extend(only_open(&t.needs, lits));
            }
        }
        for needs in self.shared_updates() {
            denied.extend(only_open(&needs, lits));
        }
        denied.retain(|&lit| !lits.contains(&lit) && !lits.contains(&!lit));
        denied.sort();
        denied.dedup();
        denied
    }

    fn triples(&self) -> Vec<Triple> {
        let mut triples = Vec::new();
        for &(rf, w, r) in &self.rfs {
            let (write, (read, cell)) = (self.writes[w.index()].0, self.reads[r.index()]);
            for (i, &(other, other_cell, guard)) in self.writes.iter().enumerate() {
                if other == write || other == read {
                    continue;
                }
                let needs: Vec<Lit> = [rf].into_iter().chain(guard).collect();
                if other_cell == cell {
                    triples.push(Triple { write, read, other, needs });
                    continue;
                }
                for &(aw, ar, lit) in &self.aliases {
                    if aw.index() == i && ar == r {
                        let needs = needs.iter().copied().chain([lit]).collect();
                        triples.push(Triple { write, read, other, needs });
                    }
                }
            }
        }
        triples
    }

    /// For every two read-modify-writes of a cell that may read from one write: the literals.
    fn shared_updates(&self) -> Vec<Vec<Lit>> {
        let update = |(node, cell): (Node, Cell)| {
            self.writes.iter().find(|(n, c, _)| *n == node && *c == cell).map(|w| w.2)
        };
        let mut all = Vec::new();
        for &(one, w1, r1) in &self.rfs {
            for &(two, w2, r2) in &self.rfs {
                let (a, b) = (self.reads[r1.index()], self.reads[r2.index()]);
                let source = self.writes[w1.index()].0;
                let apart = a.0 != b.0 && a.0 != source && b.0 != source;
                if w1 != w2 || one == two || a.1 != b.1 || !apart {
                    continue;
                }
                if let (Some(ua), Some(ub)) = (update(a), update(b)) {
                    all.push([Some(one), Some(two), ua, ub].into_iter().flatten().collect());
                }
            }
        }
        all
    }
}

/// The one literal that is not true, if there is exactly one.
fn only_open(needs: &[Lit], lits: &[Lit]) -> Option<Lit> {
    let mut open: Vec<Lit> = needs.iter().copied().filter(|lit| !lits.contains(lit)).collect();
    open.sort();
    open.dedup();
    if let [only] = open[..] { Some(only) } else { None }
}

/// Warshall.
fn transitive(matrix: &mut [Vec<bool>]) {
    for k in 0..matrix.len() {
        let through = matrix[k].clone();
        for row in matrix.iter_mut().filter(|row| row[k]) {
            for (cell, &reached) in row.iter_mut().zip(&through) {
                *cell |= reached;
            }
        }
    }
}

/// Write serialization and from-read, once over all triples. Did anything change?
fn apply(triples: &[&Triple], matrix: &mut [Vec<bool>]) -> bool {
    let mut changed = false;
    for t in triples {
        let (w, r, o) = (t.write.index(), t.read.index(), t.other.index());
        if matrix[o][r] && !matrix[o][w] {
            matrix[o][w] = true;
            changed = true;
        }
        if matrix[w][o] && !matrix[r][o] {
            matrix[r][o] = true;
            changed = true;
        }
    }
    changed
}
