//! Static pruning to a fixpoint: fewer candidates, fewer events, simpler terms.
//!
//! Each rule makes of an encoding another one in which exactly the same sets of goals are reachable:
//!
//! - **order**, **overwrite**, **exclusive** (`between.rs`): `w` is never what `r` sees, since it comes
//!   after `r`, or another write always comes between, or their guards exclude each other;
//! - **value** (`value.rs`): `r` is not enabled with what `w` writes;
//! - **forward** (`forward.rs`): all candidates are totally ordered before `r`, so its value is a term;
//! - **sum** (`sum.rs`, part of forward): the cell is only added to, so its value is a sum;
//! - **cone** (`cone.rs`): the rest of what no goal depends on goes.
//!
//! What they live from, and keep:
//!
//! 1. In every linearization that respects the static order and under all values, the last enabled
//!    write before an enabled read, if there is one, is among the read's `sources` or its `filtered`
//!    writes (which only `value` makes).
//! 2. A read's variable matters only where the read is enabled, and only to what comes after it.
//!
//! 1 is what `reads_from::candidates` gives; so prune once, right after it. 2 is how programs are
//! encoded. A lock read whose guard contains its own success is fine.
//!
//! Left out: that only the last write of a locked region leaves it (`sum` knows locks from other
//! cells, and no other rule does so far); and static edges from reads with a single candidate.
//! Where 1 holds such an edge is there already; where a value was filtered the read is not certain,
//! and an edge would order nodes also in executions without the read.
//!
//! Cost: an iteration is `O(T)` per candidate plus what is rebuilt; few iterations. (The "relation
//! analysis" of Haas, Maseli, Meyer, Ponce de León: OOPSLA 2023.)
//!
//! - `options.rs`: which rules are in force: `on`, `off`, or a list of names

mod between;
mod cone;
mod forward;
mod locks;
mod options;
mod sum;
#[cfg(test)]
mod tests;
mod value;

use crate::guards::Guards;
use crate::order::{Lanes, StaticOrder};
use crate::reads_from::lanes;
use crate::{Encoding, EventId, EventKind, NodeId, NodeKind, Op, Pool, Term};
pub use options::{Options, Rule};
use rustc_hash::FxHashSet;

/// Passes after which we are content.
const ITERATIONS: u32 = 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PruneStats {
    pub rf_before: usize,
    pub rf_after: usize,
    pub reads_removed: usize,
    pub writes_removed: usize,
    /// Reads whose value became a term.
    pub forwarded: usize,
    pub nodes_removed: usize,
    pub iterations: u32,
}

/// Needs: `rf` is as `candidates` gave it. Gives: the same sets of goals, with less.
pub fn prune(encoding: &mut Encoding, options: &Options) -> PruneStats {
    prune_while(encoding, options, &|| true)
}

/// The same, with less effect if `go_on` says no on the way. It is asked every now and then, and may take
/// its time.
pub fn prune_while(
    encoding: &mut Encoding,
    options: &Options,
    go_on: &dyn Fn() -> bool,
) -> PruneStats {
    let mut stats = PruneStats { rf_before: encoding.rf.len(), ..PruneStats::default() };
    if !options.is_none() {
        let mut state = PruneState::new(encoding, *options, go_on);
        while go_on() && stats.iterations < ITERATIONS && state.iteration(options, &mut stats) {
            stats.iterations += 1;
        }
        state.finish(&mut stats);
    }
    stats.rf_after = encoding.rf.len();
    stats
}

/// An encoding in the works.
struct PruneState<'a> {
    encoding: &'a mut Encoding,
    options: Options,
    order: StaticOrder,
    guards: Guards,
    alive: Vec<bool>,            // of each event
    sources: Vec<Vec<EventId>>,  // of each read, its candidates; empty for writes
    filtered: Vec<Vec<EventId>>, // of each read, writes that only its value excludes
    stuck: Vec<bool>,            // of each read: some of those without the help of its guard
    writes: Vec<Lanes>,          // of each cell, those alive
    forgotten: Vec<Term>,        // variables that mean nothing any more
    shared: FxHashSet<Term>,     // variables of several reads
    go_on: &'a dyn Fn() -> bool,
}

impl<'a> PruneState<'a> {
    fn new(
        encoding: &'a mut Encoding,
        options: Options,
        go_on: &'a dyn Fn() -> bool,
    ) -> PruneState<'a> {
        let order = StaticOrder::new(encoding);
        let count = encoding.events.len();
        let mut sources = vec![Vec::new(); count];
        for &(write, read) in &encoding.rf {
            sources[read.index()].push(write);
        }
        PruneState {
            writes: lanes(encoding, &order, EventKind::Write),
            order,
            guards: Guards::default(),
            alive: vec![true; count],
            sources,
            filtered: vec![Vec::new(); count],
            stuck: vec![false; count],
            forgotten: Vec::new(),
            shared: shared_variables(encoding),
            options,
            encoding,
            go_on,
        }
    }

    /// All rules once. Did anything change that may help them further?
    fn iteration(&mut self, options: &Options, stats: &mut PruneStats) -> bool {
        self.drop_disabled();
        let mut changed = self.between(options);
        if options.has(Rule::Value) {
            changed |= self.filter_values();
        }
        if options.has(Rule::Forward) {
            let forwarded = self.settle();
            stats.forwarded += forwarded;
            changed |= forwarded > 0;
        }
        if options.has(Rule::Cone) {
            changed |= self.cone();
        }
        changed
    }

    fn reads(&self) -> Vec<EventId> {
        let is_read = |&e: &EventId| self.alive(e) && self.kind(e) == EventKind::Read;
        (0..self.alive.len()).map(EventId::new).filter(is_read).collect()
    }

    fn alive(&self, e: EventId) -> bool {
        self.alive[e.index()]
    }

    fn kind(&self, e: EventId) -> EventKind {
        self.encoding.events[e.index()].kind
    }

    fn guard(&self, e: EventId) -> Term {
        self.encoding.events[e.index()].guard
    }

    fn value(&self, e: EventId) -> Term {
        self.encoding.events[e.index()].value
    }

    fn node(&self, e: EventId) -> NodeId {
        self.encoding.events[e.index()].node
    }

    /// Does the node of `a` come before that of `b`?
    fn before(&self, a: EventId, b: EventId) -> bool {
        self.order.before(self.node(a), self.node(b))
    }

    fn entails(&mut self, a: Term, b: Term) -> bool {
        self.guards.entails(&self.encoding.pool, a, b)
    }

    fn exclusive(&mut self, a: EventId, b: EventId) -> bool {
        let (a, b) = (self.guard(a), self.guard(b));
        self.guards.excludes(&self.encoding.pool, a, b)
    }

    /// `filtered` is kept apart from all sources of its read: it never hides one of them.
    fn harmless(&mut self, filtered: EventId, read: EventId) -> bool {
        if self.exclusive(filtered, read) {
            return true;
        }
        let sources = std::mem::take(&mut self.sources[read.index()]);
        let apart =
            sources.iter().all(|&w| self.before(filtered, w) || self.exclusive(filtered, w));
        self.sources[read.index()] = sources;
        apart
    }

    /// Events whose guard is false, and whatever pointed to events that are gone.
    fn drop_disabled(&mut self) {
        for (alive, event) in self.alive.iter_mut().zip(&self.encoding.events) {
            *alive &= !self.encoding.pool.is_false(event.guard);
        }
        self.forget_dead();
    }

    fn forget_dead(&mut self) {
        let alive = &self.alive;
        for (i, (sources, filtered)) in self.sources.iter_mut().zip(&mut self.filtered).enumerate()
        {
            if !alive[i] {
                sources.clear();
                filtered.clear();
            }
            sources.retain(|w| alive[w.index()]);
            filtered.retain(|w| alive[w.index()]);
        }
        self.writes.iter_mut().for_each(|lanes| lanes.retain(|w| alive[w.index()]));
    }

    /// Writes the result back: numbers of events change, those of nodes stay.
    fn finish(mut self, stats: &mut PruneStats) {
        self.drop_disabled();
        self.disable_unknown_nodes();
        let mut new = vec![EventId(u32::MAX); self.alive.len()];
        let mut events = Vec::new();
        for (i, event) in std::mem::take(&mut self.encoding.events).into_iter().enumerate() {
            if self.alive[i] {
                new[i] = EventId::new(events.len());
                events.push(event);
            } else if event.kind == EventKind::Read {
                stats.reads_removed += 1;
            } else {
                stats.writes_removed += 1;
            }
        }
        let pairs = self.sources.iter().enumerate().flat_map(|(read, sources)| {
            sources.iter().map(move |&write| (write, EventId::new(read)))
        });
        self.encoding.rf = pairs.map(|(w, r)| (new[w.index()], new[r.index()])).collect();
        self.encoding.events = events;
        stats.nodes_removed = drop_empty_nodes(self.encoding);
    }
}

/// Nodes without events and references leave their thread. Those that a replay wants stay.
fn drop_empty_nodes(encoding: &mut Encoding) -> usize {
    let mut used: FxHashSet<NodeId> = encoding.events.iter().map(|e| e.node).collect();
    used.extend(encoding.edges.iter().flat_map(|&(a, b)| [a, b]));
    used.extend(encoding.waits.iter().flat_map(|&(_, a, b)| [a, b]));
    used.extend(encoding.goals.iter().filter_map(|goal| goal.node));
    let nodes = &encoding.nodes;
    let dispensable = |n: NodeId| {
        matches!(nodes[n.index()].kind, NodeKind::Access | NodeKind::Atomic | NodeKind::Lifetime)
    };
    let mut removed = 0;
    for thread in &mut encoding.threads {
        let before = thread.nodes.len();
        thread.nodes.retain(|&n| used.contains(&n) || !dispensable(n));
        removed += before - thread.nodes.len();
    }
    removed
}

fn shared_variables(encoding: &Encoding) -> FxHashSet<Term> {
    let (mut seen, mut shared) = (FxHashSet::default(), FxHashSet::default());
    for event in encoding.events.iter().filter(|e| e.kind == EventKind::Read) {
        let var = variable(&encoding.pool, event.value);
        shared.extend(var.filter(|&var| !seen.insert(var)));
    }
    shared
}

/// The variable inside of a read's value.
fn variable(pool: &Pool, value: Term) -> Option<Term> {
    match pool.op(value) {
        Op::Var(_) => Some(value),
        Op::ZeroExt(a) | Op::SignExt(a) if matches!(pool.op(a), Op::Var(_)) => Some(a),
        _ => None,
    }
}
