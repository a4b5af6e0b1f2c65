//! Ordering consistency over plain numbers.
//!
//! A concurrent execution is consistent when its events can be put in one linearization: when *happens
//! before* has no cycle. This crate keeps that order while a solver guesses. It knows nothing of C
//! and nothing of a solver; it sees
//!
//! - **nodes** (events or atomic blocks) in **chains** (program order of a thread), with static
//!   edges between chains (creation, joining);
//! - **accesses** at nodes: writes with a guard literal, reads, each of a **cell**;
//! - literals: `rf(w, r)` "r reads what w wrote", pair literals "a before b" (write serialization in
//!   the second stage, conditional joins, lock regions) and "a apart from b" (races), aliases "w and
//!   r touch the same memory".
//!
//! From the literals that are true it derives the least order closed under transitivity, write
//! serialization and from-read (`derive.rs`). This is *weak* sequential consistency; with a pair
//! literal for each two enabled writes of a cell, one of which the host makes true, it is
//! sequential consistency. Both stages live in one instance: pairs may be added at any time.
//!
//! # The four calls
//!
//! [`Theory::assign`] says that a literal is true, [`Theory::propagate`] closes the order and finds
//! a conflict or implied literals ([`Theory::next_implied`]), [`Theory::explain`] gives the premises
//! of an implied literal, [`Theory::backtrack`] (after [`Theory::push`]) takes everything back.
//!
//! ```
//! use theory::*;
//! // Two threads: x = 1; x = 2  and  a = x; b = x.
//! let mut theory = Theory::default();
//! let (t, u) = (theory.add_chain(), theory.add_chain());
//! let [one, two] = [(); 2].map(|()| theory.add_node(t));
//! let [a, b] = [(); 2].map(|()| theory.add_node(u));
//! let x = Cell(0);
//! let (w1, w2) = (theory.add_write(one, x, None), theory.add_write(two, x, None));
//! let (ra, rb) = (theory.add_read(a, x), theory.add_read(b, x));
//! let [a2, b1] = [Lit::positive(0), Lit::positive(1)];
//! theory.add_rf(a2, w2, ra);
//! theory.add_rf(b1, w1, rb);
//! theory.push();
//! theory.assign(a2); // `a` reads 2 ...
//! theory.propagate().unwrap();
//! assert_eq!(theory.next_implied(), Some(!b1)); // ... so `b` after it does not read 1,
//! assert_eq!(theory.explain(!b1), Some(vec![a2])); // because of that.
//! ```
//!
//! # What a host has to do
//!
//! - It encodes the rest as clauses: `rf(w, r)` implies both guards, equal values and addresses; an
//!   enabled read has some `rf`, best exactly one; "before" literals of the second stage imply both
//!   guards. The order *inside* a node is its business too: in one node a read stands before the
//!   write of its cell, and two writes of one node that may alias need a clause about the last.
//! - It assigns every literal that it makes true, implied ones included (the echo is what lets a
//!   guard that follows from another guard act).
//! - After a conflict it backtracks at least one level before anything else; a conflict at level 0
//!   stays: the instance is inconsistent.
//!
//! **Z3's user propagator.** `push` and `pop` map to [`Theory::push`] and [`Theory::backtrack`],
//! `fixed` to `assign` and `propagate`. Z3 wants the premises together with the consequence, so call
//! `explain` at once for every implied literal; a conflict is a consequence `false`. Premises are
//! always currently assigned, which Z3 demands. `final`: call `propagate`; it answers the same if
//! nothing changed, so being called again does no harm.
//!
//! **CaDiCaL's IPASIR-UP.** `notify_assignment`, `notify_new_decision_level`, `notify_backtrack` map
//! directly; late and batched notifications are fine, also when a level is opened before its
//! predecessor was propagated. `cb_propagate` hands out `next_implied`, `cb_add_reason_clause_lit`
//! asks `explain` later (lazily; the answer names only literals assigned before the implied one),
//! `cb_has_external_clause` gives the conflict. `cb_check_found_model`: `propagate`, then try
//! [`Theory::linearize`]; if there is no schedule, add literals for the pairs that
//! [`Theory::unordered_writes`] names, there and then, with [`Theory::add_before`], and go on. A unit
//! that the solver learns during search is popped by `notify_backtrack` but stays true: use
//! [`Theory::assign_for_ever`]. Levels must be notified in order (`chrono=0`). For `cb_decide`,
//! [`Theory::candidates`] lists who a read may read from.
//!
//! # Growing
//!
//! Between solves, at level 0, anything may be added, also nodes in the middle of a chain (a loop
//! unrolled once more). The next `propagate` rebuilds the order from the literals of level 0: cost
//! as for building it, once per bound. Pair literals may be added at any level.
//!
//! - `check.rs`: the slow reference implementation: closes the order from scratch, and shares no
//!   code with the fast one
//! - `close.rs`: the loop that closes the order: next edge, its consequences, next literal,
//!   repeat
//! - `graph.rs`: the edges in force, with their reasons
//! - `index.rs`: things by place: which of them stand in an interval of a chain?
//! - `layout.rs`: the fixed part: what exists, before anything is true
//! - `minimize.rs`: explanations without superfluous literals
//! - `reason.rs`: reasons, and their way back to literals
//! - `stats.rs`: counters: plain fields, read by the driver once at the end
//! - `trail.rs`: what was added, in order: the only way back
//! - `types.rs`: numbers that wear types
//!
//! - `testing`: tools to test the theory with: small languages, a generator, a replayer that asks
//!   the reference

pub mod check;
mod close;
mod cycle;
mod derive;
mod graph;
mod index;
mod layout;
mod linearize;
mod minimize;
mod reason;
mod stats;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod trail;
mod types;

use cycle::{Clocks, Delta};
use derive::{Active, Agenda};
use graph::OrderGraph;
pub use layout::Claim;
use layout::TheoryLayout;
pub use linearize::ScheduleSearch;
pub use reason::Conflict;
use reason::{PathScratch, ReasonChain, Why};
pub use stats::Stats;
use trail::Trail;
pub use types::{Cell, Chain, EdgeId, Lit, Node, PairId, Read, RfId, Write};

/// How to work.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Drop superfluous literals from explanations (`minimize.rs`).
    pub minimize: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self { minimize: true }
    }
}

/// A literal that must be true, why its negation cannot be, and the age of the graph at that time.
#[derive(Clone, Copy, Debug)]
struct Implied {
    lit: Lit,
    why: Why,
    age: EdgeId,
}

/// The theory. See the crate documentation for the protocol.
#[derive(Clone, Debug, Default)]
pub struct Theory {
    config: Config,
    layout: TheoryLayout,                // what exists
    stale: bool,                         // the layout has grown since the order was built
    trail: Trail,                        // what was added, in order: the only way back
    clocks: Clocks,                      // the closed order
    root: Clocks,                        // the closed order when level 1 was last opened
    root_age: Option<EdgeId>,            // how many edges `root` knows
    graph: OrderGraph,                   // the edges behind it, with reasons
    active: Active,                      // true candidates
    agenda: Agenda,                      // found, not yet done; empty between calls
    deltas: Vec<Delta>,                  // scratch of an insertion
    search: PathScratch,                 // scratch of explanations
    implied: Vec<Implied>,               // in order
    implied_at: Vec<Option<u32>>,        // of each literal, its place there
    told: usize,                         // how many of them the host has taken
    conflict: Option<(usize, Conflict)>, // with the level at which it was found
    late: Vec<PairId>,                   // pairs that were added above level 0
    recheck: bool,                       // look at `late` again
    for_ever: Vec<Lit>,                  // true at level 0, learnt above it
    stats: Stats,
}

/// Building. All of it needs level 0, except pair literals.
impl Theory {
    /// An empty theory that works as `config` says.
    pub fn new(config: Config) -> Self {
        Self { config, ..Self::default() }
    }

    fn grow(&mut self) -> &mut TheoryLayout {
        assert_eq!(self.level(), 0, "the layout grows at level 0 only");
        self.stale = true;
        self.root_age = None;
        &mut self.layout
    }

    /// A new chain without nodes.
    pub fn add_chain(&mut self) -> Chain {
        let layout = self.grow();
        layout.chains.push(Vec::new());
        Chain::new(layout.chains.len() - 1)
    }

    /// A new node at the end of a chain.
    pub fn add_node(&mut self, chain: Chain) -> Node {
        self.grow().add_node(chain, usize::MAX)
    }

    /// A new node right after another one of its chain.
    pub fn insert_node_after(&mut self, node: Node) -> Node {
        let layout = self.grow();
        let chain = layout.chain_of[node.index()];
        let at = layout.chains[chain.index()].iter().position(|&other| other == node);
        layout.add_node(chain, at.map_or(usize::MAX, |at| at + 1))
    }

    /// A write of `cell` at `node` that happens when `guard` is true (`None`: always).
    pub fn add_write(&mut self, node: Node, cell: Cell, guard: Option<Lit>) -> Write {
        self.grow().add_write(node, cell, guard)
    }

    /// A read of `cell` at `node`.
    pub fn add_read(&mut self, node: Node, cell: Cell) -> Read {
        self.grow().add_read(node, cell)
    }

    /// While `lit` is true, `write` and `read`, of different cells, touch the same memory.
    pub fn add_alias(&mut self, write: Write, read: Read, lit: Lit) {
        self.grow().add_alias(write, read, lit);
    }

    /// `from` comes before `to`, whatever happens.
    pub fn add_edge(&mut self, from: Node, to: Node) {
        self.grow().edges.push((from, to));
    }

    /// `lit` says that `read` reads what `write` wrote.
    pub fn add_rf(&mut self, lit: Lit, write: Write, read: Read) {
        self.grow().add_rf(lit, write, read);
    }

    /// `lit` says that `from` comes before `to`. At any level.
    pub fn add_before(&mut self, lit: Lit, from: Node, to: Node) {
        self.add_pair(lit, Claim::Before, from, to);
    }

    /// `lit` says that neither of the two comes before the other. At any level.
    pub fn add_apart(&mut self, lit: Lit, one: Node, two: Node) {
        self.add_pair(lit, Claim::Apart, one, two);
    }

    fn add_pair(&mut self, lit: Lit, claim: Claim, from: Node, to: Node) {
        if self.level() == 0 {
            self.grow().add_pair(lit, claim, from, to);
            return;
        }
        let id = self.layout.add_pair(lit, claim, from, to);
        self.layout.index_pair(id);
        self.late.push(id);
        self.recheck = true;
    }
}

/// Searching.
impl Theory {
    /// The number of open levels.
    pub fn level(&self) -> usize {
        self.trail.level()
    }

    /// Opens a level.
    pub fn push(&mut self) {
        if self.stale {
            // A rebuild is possible at level 0 only. A conflict is kept for the next `propagate`.
            let _ = self.propagate();
        }
        if self.level() == 0 && self.config.minimize && self.root_age != Some(self.graph.age()) {
            self.root.clone_from(&self.clocks);
            self.root_age = Some(self.graph.age());
        }
        self.trail.push(self.told);
    }

    /// `lit` is true from now on, until its level is undone.
    ///
    /// Needs: the host has not assigned its negation. A repetition is ignored.
    pub fn assign(&mut self, lit: Lit) {
        debug_assert_ne!(self.trail.value(lit), Some(false), "{lit:?} was assigned both ways");
        if self.trail.value(lit).is_none() {
            self.trail.assign(lit);
        }
    }

    /// `lit` is true at level 0, although we are above it: survives every backtracking.
    pub fn assign_for_ever(&mut self, lit: Lit) {
        if self.level() > 0 {
            self.for_ever.push(lit);
        }
        self.assign(lit);
    }

    /// Closes the order.
    ///
    /// Gives: `Ok` with the order closed under the rules and everything they deny on the list of
    /// implied literals; or a conflict, the same at every call until a backtracking removes it.
    pub fn propagate(&mut self) -> Result<(), Conflict> {
        if let Some((_, conflict)) = &self.conflict {
            return Err(conflict.clone());
        }
        self.stats.propagations += 1;
        self.close().inspect_err(|conflict| {
            self.stats.conflicts += 1;
            self.conflict = Some((self.trail.level(), conflict.clone()));
        })
    }

    /// The next implied literal that the host has not taken.
    ///
    /// What was taken at a level that is undone, but is implied below it, is given again: the host
    /// may have forgotten it with that level. So some may be assigned already.
    pub fn next_implied(&mut self) -> Option<Lit> {
        let implied = self.implied.get(self.told)?;
        self.told += 1;
        Some(implied.lit)
    }

    /// The premises of an implied literal: true now, true before it, latest first, without those of
    /// level 0. `None` if `lit` is not implied (any more).
    ///
    /// Valid from the implication until its level is undone, also after conflicts.
    pub fn explain(&mut self, lit: Lit) -> Option<Vec<Lit>> {
        let implied = self.record_of(lit)?;
        let mut proof = ReasonChain::default();
        proof.add_why(self.view(), implied.why, implied.age);
        Some(self.finish(proof, Some(!lit)))
    }

    /// Closes all levels above `level`.
    ///
    /// Needs: `level <= self.level()`. Gives: the state as it was when `level + 1` was opened, except
    /// that literals assigned for ever are assigned again.
    pub fn backtrack(&mut self, level: usize) {
        if level >= self.level() {
            return;
        }
        while let Some(change) = self.trail.pop_change(level) {
            self.undo(change);
        }
        self.told = self.trail.close(level).min(self.implied.len());
        self.agenda.edges.clear();
        self.agenda.denied.clear();
        self.deltas.clear();
        self.conflict.take_if(|(found, _)| *found > level);
        self.recheck = !self.late.is_empty();
        self.reassign_for_ever();
    }

    fn reassign_for_ever(&mut self) {
        for i in 0..self.for_ever.len() {
            self.assign(self.for_ever[i]);
        }
        if self.level() == 0 {
            self.for_ever.clear();
        }
    }
}

/// Asking.
impl Theory {
    /// Does `a` come before `b`? Needs: `propagate` was called since the last growth.
    pub fn before(&self, a: Node, b: Node) -> bool {
        !self.stale && self.clocks.before(&self.layout, a, b)
    }

    /// The value of a literal as the host assigned it.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.trail.value(lit)
    }

    /// The literals that are true now, in the order of their assignment.
    pub fn assigned(&self) -> &[Lit] {
        self.trail.assigned()
    }

    /// Those that are true for ever, which explanations and conflicts leave out: of level 0, and
    /// what was assigned for ever above it.
    pub fn fixed(&self) -> Vec<Lit> {
        self.trail.fixed().iter().chain(&self.for_ever).copied().collect()
    }

    /// The writes that `read` may read from, with their literals.
    pub fn candidates(&self, read: Read) -> impl Iterator<Item = (Lit, Write)> + '_ {
        let candidates = self.layout.read(read).candidates.iter();
        candidates.map(|&rf| (self.layout.rf(rf).lit, self.layout.rf(rf).write))
    }

    /// The node of a write.
    pub fn node_of(&self, write: Write) -> Node {
        self.layout.write_node(write)
    }

    /// Pairs of enabled writes to one cell that the order leaves open: none means that the order is
    /// sequentially consistent as it is (where cells do not alias).
    pub fn unordered_writes(&self) -> Vec<(Write, Write)> {
        let enabled =
            |&w: &Write| self.layout.write(w).guard.is_none_or(|guard| self.trail.is_true(guard));
        let mut open = Vec::new();
        for cell in &self.layout.cells {
            let writes: Vec<Write> = cell.writes.all().filter(enabled).collect();
            for (i, &a) in writes.iter().enumerate() {
                let unordered = writes[i + 1..].iter().filter(|&&b| self.unordered(a, b));
                open.extend(unordered.map(|&b| (a, b)));
            }
        }
        open
    }

    fn unordered(&self, a: Write, b: Write) -> bool {
        let (a, b) = (self.node_of(a), self.node_of(b));
        a != b && !self.before(a, b) && !self.before(b, a)
    }

    /// What exists, as plain data for the slow reference implementation.
    pub fn describe(&self) -> check::OrderProblem {
        self.layout.describe()
    }

    /// Counters since the beginning.
    pub fn stats(&self) -> Stats {
        self.stats
    }
}
