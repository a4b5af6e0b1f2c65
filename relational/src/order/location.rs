//! A graph for each location: who may read what, as coherence sees it.
//!
//! Without more, the accesses of each thread to the location stand in program order, and `theory` adds rf,
//! co and fr: no cycle (SC per location). If an axiom says `irreflexive h; eco?` for a transitive `h`, then
//! `h` may be added. Proof: give each access a rank, `2k` to the `k`-th write and `2k + 1` to the reads
//! of it. Communication leads to larger ranks, and `h` never to a smaller one: communication would lead
//! back. So a cycle has no communication, only `h`, which is irreflexive. So the graph of a location also
//! has the events that synchronise, whatever they access, in program order, with an edge for each rf that
//! makes `h` of itself or with the fences around it.
//!
//! A read and the write right behind it of one atomic read-modify-write are one node, in models
//! in which nothing comes between them.

use super::small::{Oracle, SmallExecution};
use super::{Coherent, Graphs};
use crate::coherence::When;
use crate::universe::EventOwner;
use rustc_hash::{FxHashMap, FxHashSet};
use theory::{Cell, Lit, Node, Read, Write};

/// Edges between threads in all graphs together, and entries of the theory's clocks, beyond which a graph
/// has program order of its location only.
const MAX_EDGES: usize = 300_000;
const MAX_CLOCKS: usize = 4_000_000;
/// Fences of one side that are looked at.
const FENCES: usize = 3;

/// Edges of happens-before between threads, and the events at their ends.
#[derive(Default)]
struct Sync {
    edges: Vec<(usize, usize, Option<Lit>)>,
    ends: FxHashSet<usize>,
}

type WriteSource = (usize, usize, Option<Lit>);

/// `spared`: what is ordered raises no flag.
pub fn add(graphs: &mut Graphs<'_>, order: Option<&mut Oracle<'_>>, spared: bool) {
    let threads = graphs.threads();
    let sync = order.and_then(|oracle| synchronisation(graphs, oracle, &threads));
    if let (Some(sync), true) = (&sync, spared && !graphs.universe.flagged.is_empty()) {
        races(graphs, sync, &threads);
    }
    let sync = sync.unwrap_or_default();
    if graphs.coherent == Coherent::Nowhere {
        return;
    }
    let mut accesses: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (e, event) in graphs.universe.events.iter().enumerate() {
        if let Some(location) = event.location {
            accesses.entry(location).or_default().push(e);
        }
    }
    let mut rf: FxHashMap<u32, Vec<WriteSource>> = FxHashMap::default();
    for &source in &graphs.universe.rf {
        if let Some(location) = graphs.universe.events[source.1].location {
            rf.entry(location).or_default().push(source);
        }
    }
    let mut locations: Vec<u32> = accesses.keys().copied().collect();
    locations.sort_unstable();
    let (mut edges, mut nodes, mut chains) = (0, 0, 0);
    for location in locations {
        let (events, rf) = (&accesses[&location], rf.get(&location).map_or(&[][..], Vec::as_slice));
        let several = threads_of(graphs, events) > 1;
        if graphs.universe.coherence.writes(location).len() < 2 || rf.is_empty() {
            continue;
        }
        (edges, chains) = (edges + sync.edges.len(), chains + threads.len());
        nodes += events.len() + sync.ends.len();
        let fits = edges <= MAX_EDGES && nodes * chains <= MAX_CLOCKS;
        let sync = if several && fits { &sync } else { &Sync::default() };
        LocationOrder { graphs, sync, node: FxHashMap::default() }.build(&threads, events, rf);
    }
}

/// Accesses that race are not ordered.
fn races(graphs: &mut Graphs<'_>, sync: &Sync, threads: &[Vec<usize>]) {
    let flagged = &graphs.universe.flagged;
    let ends: FxHashSet<usize> = flagged.iter().flat_map(|&(a, b, _)| [a, b]).collect();
    let mut all = LocationOrder { graphs, sync, node: FxHashMap::default() };
    all.lines(threads, &ends);
    all.synchronise();
    for &(a, b, selected) in &all.graphs.universe.flagged {
        all.graphs.theory.add_apart(selected, all.node[&a], all.node[&b]);
    }
}

fn threads_of(graphs: &Graphs<'_>, events: &[usize]) -> usize {
    let places = events.iter().filter_map(|&e| match graphs.universe.events[e].place {
        EventOwner::Thread(t) => Some(t),
        EventOwner::Initial => None,
    });
    places.collect::<FxHashSet<u32>>().len()
}

/// `None` if the order does not contain program order.
fn synchronisation(
    graphs: &mut Graphs<'_>,
    oracle: &mut Oracle<'_>,
    threads: &[Vec<usize>],
) -> Option<Sync> {
    if !oracle.classes.within("CON").is_empty() && graphs.coherent == Coherent::WhereAtomic {
        return None;
    }
    let mut sync = Sync::default();
    for &(w, r, lit) in &graphs.universe.rf {
        if graphs.universe.same_thread(w, r) || graphs.is(w, "IW") {
            continue;
        }
        if let Some((from, to)) = ends(graphs, oracle, threads, w, r) {
            let when = if graphs.host.implies(r, to) { None } else { Some(to) };
            let when = when.and_then(|e| graphs.universe.events[e].guard);
            sync.edges.push((from, to, graphs.and(lit, when)));
            sync.ends.extend([from, to]);
        }
    }
    let class = |e: &usize| oracle.classes.of(*e);
    let classes: FxHashSet<u32> = threads.iter().flatten().map(class).collect();
    for &a in &classes {
        for &b in &classes {
            for second in [0, 1] {
                let at =
                    |class: u32, place: u32| (!oracle.classes.has(class, "F")).then_some(place);
                let events = vec![(a, 0, at(a, 0)), (b, 0, at(b, second))];
                if !oracle.relates(SmallExecution { events, given: Vec::new() }, 0, 1) {
                    return None;
                }
            }
        }
    }
    Some(sync)
}

/// The edge that reading from the write makes: from the write or a fence before it, to the read or a
/// fence behind it.
fn ends(
    graphs: &Graphs<'_>,
    oracle: &mut Oracle<'_>,
    threads: &[Vec<usize>],
    w: usize,
    r: usize,
) -> Option<(usize, usize)> {
    let fence = |e: &usize| graphs.universe.events[*e].location.is_none();
    let of = |e: usize| match graphs.universe.events[e].place {
        EventOwner::Thread(t) => threads[t as usize].as_slice(),
        EventOwner::Initial => &[],
    };
    let before = of(w).iter().rev().copied().filter(|&e| e < w).filter(fence);
    let before: Vec<usize> = before.filter(|&e| graphs.host.implies(w, e)).take(FENCES).collect();
    let after: Vec<usize> =
        of(r).iter().copied().filter(|&e| e > r).filter(fence).take(FENCES).collect();
    for from in std::iter::once(w).chain(before) {
        for to in std::iter::once(r).chain(after.iter().copied()) {
            let mut events = vec![from];
            events.extend((from != w).then_some(w));
            let write = events.len() - 1;
            events.push(r);
            events.extend((to != r).then_some(to));
            let (read, last) = (write + 1, events.len() - 1);
            let execution = oracle.among(graphs.universe, &events, &[("rf", write, read)]);
            if oracle.relates(execution, 0, last) {
                return Some((from, to));
            }
        }
    }
    None
}

struct LocationOrder<'a, 'g> {
    graphs: &'a mut Graphs<'g>,
    sync: &'a Sync,
    node: FxHashMap<usize, Node>,
}

impl LocationOrder<'_, '_> {
    fn build(mut self, threads: &[Vec<usize>], events: &[usize], rf: &[WriteSource]) {
        let here: FxHashSet<usize> = events.iter().copied().collect();
        let initial: Vec<usize> = events.iter().copied().filter(|&e| self.initial(e)).collect();
        let plain = initial.iter().any(|&e| self.graphs.is(e, "NAL"));
        let first = self.lines(threads, &here);
        let chain = self.graphs.theory.add_chain();
        for &e in &initial {
            let node = self.graphs.theory.add_node(chain);
            self.node.insert(e, node);
            first.iter().for_each(|&to| self.graphs.theory.add_edge(node, to));
        }
        self.synchronise();
        if plain && self.graphs.coherent == Coherent::WhereAtomic {
            for &(w, r, lit) in rf {
                self.graphs.edge(lit, self.node[&w], self.node[&r]);
            }
            return;
        }
        let cell = self.graphs.cell();
        self.accesses(cell, events, rf);
        self.writes(events);
    }

    /// A chain for each thread: these events, and those that synchronise. Gives: first nodes.
    fn lines(&mut self, threads: &[Vec<usize>], here: &FxHashSet<usize>) -> Vec<Node> {
        let ends = &self.sync.ends;
        let wanted = |e: &usize| here.contains(e) || ends.contains(e);
        let lines: Vec<Vec<usize>> =
            threads.iter().map(|t| t.iter().copied().filter(wanted).collect()).collect();
        lines.iter().filter_map(|line| self.line(line, here)).collect()
    }

    fn synchronise(&mut self) {
        for &(from, to, when) in &self.sync.edges {
            self.graphs.edge(when, self.node[&from], self.node[&to]);
        }
    }

    fn initial(&self, e: usize) -> bool {
        self.graphs.universe.events[e].place == EventOwner::Initial
    }

    /// A chain of these events of a thread. Gives: its first node.
    fn line(&mut self, line: &[usize], here: &FxHashSet<usize>) -> Option<Node> {
        if line.is_empty() {
            return None;
        }
        let chain = self.graphs.theory.add_chain();
        for (i, &e) in line.iter().enumerate() {
            let update = i > 0 && here.contains(&e) && here.contains(&line[i - 1]);
            let node = match update && self.is_update(line[i - 1], e) {
                true => self.node[&line[i - 1]],
                false => self.graphs.theory.add_node(chain),
            };
            self.node.insert(e, node);
        }
        line.first().map(|e| self.node[e])
    }

    /// Are the two one atomic read-modify-write, with no access between them?
    fn is_update(&self, read: usize, write: usize) -> bool {
        let rmw = |list: &[crate::universe::Named]| {
            list.iter().any(|(name, when)| matches!(*name, "amo" | "lxsx") && when.is_none())
        };
        let (graphs, between) = (&self.graphs, read + 1..write);
        graphs.atomic
            && graphs.is(read, "R")
            && graphs.is(write, "W")
            && rmw(graphs.index.between(read, write))
            && graphs.universe.events[between].iter().all(|e| e.location.is_none())
    }

    fn accesses(&mut self, cell: Cell, events: &[usize], rf: &[WriteSource]) {
        let mut writes: FxHashMap<usize, Write> = FxHashMap::default();
        let mut reads: FxHashMap<usize, Read> = FxHashMap::default();
        let theory = &mut self.graphs.theory;
        for &e in events {
            let (event, node) = (&self.graphs.universe.events[e], self.node[&e]);
            match event.sets.contains(&"W") {
                true => writes.insert(e, theory.add_write(node, cell, event.guard)).map(|_| ()),
                false => reads.insert(e, theory.add_read(node, cell)).map(|_| ()),
            };
        }
        for &(w, r, lit) in rf {
            if let (Some(lit), Some(&w), Some(&r)) = (lit, writes.get(&w), reads.get(&r)) {
                theory.add_rf(lit, w, r);
            }
        }
    }

    fn writes(&mut self, events: &[usize]) {
        let writes: Vec<usize> =
            events.iter().copied().filter(|&e| self.graphs.is(e, "W")).collect();
        for (i, &a) in writes.iter().enumerate() {
            for &b in &writes[i + 1..] {
                if let When::If(lit) = self.graphs.universe.coherence.before(a, b) {
                    self.graphs.theory.add_before(lit, self.node[&a], self.node[&b]);
                    self.graphs.theory.add_before(!lit, self.node[&b], self.node[&a]);
                }
            }
        }
    }
}
