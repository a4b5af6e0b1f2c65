//! A graph for an axiom `acyclic r`: the edges of `r` that two or three events decide.
//!
//! - Two events of a thread, for their sets, locations and dependencies. Events that are all related stand
//!   in one chain; the other edges hold while both events are executed, and those that follow from
//!   others are left out.
//! - Two events with a fence between them: the fence is a node, one for each set of what it orders behind
//!   it.
//! - A read and its source in another thread.
//! - Two writes, and a read before a write that overwrites its source. If `r` has both, between accesses
//!   of these classes, `theory` may derive them: if `r` leads from a write to a read, the write is not
//!   behind the read's source, else the read would come before it, in a cycle.
//!
//! An event that is not executed is in no edge but those of its chain, which its neighbours have without it.

use super::small::{GivenEdge, Oracle, Small, SmallExecution};
use super::{Coherent, Graphs};
use crate::coherence::When;
use rustc_hash::{FxHashMap, FxHashSet};
use theory::{Chain, Lit, Node, Read, Write};

/// Pairs of one thread that are worth a look.
const MAX_PAIRS: usize = 1_000_000;

pub fn add(graphs: &mut Graphs<'_>, oracle: &mut Oracle<'_>) {
    let threads = graphs.threads();
    if threads.iter().map(|t| t.len() * t.len()).sum::<usize>() > MAX_PAIRS {
        return;
    }
    let native = Native::new(graphs, oracle);
    let mut lane = Lane { graphs, oracle, native, node: FxHashMap::default() };
    if !lane.is_worth_it(&threads) {
        return;
    }
    lane.initial_writes();
    for thread in &threads {
        lane.thread(thread);
    }
    lane.reads_from();
    lane.accesses();
}

/// The classes of accesses whose co and fr are edges.
struct Native {
    writes: FxHashSet<u32>,
    reads: FxHashSet<u32>,
}

impl Native {
    fn new(graphs: &Graphs<'_>, oracle: &mut Oracle<'_>) -> Native {
        let mut native = Native { writes: FxHashSet::default(), reads: FxHashSet::default() };
        if graphs.coherent != Coherent::Everywhere {
            return native;
        }
        let initial: FxHashSet<u32> = oracle.classes.within("IW").into_iter().collect();
        for class in oracle.classes.within("W") {
            let others = native.writes.iter().copied().chain([class]);
            if !initial.contains(&class)
                && others.collect::<Vec<_>>().iter().all(|&c| co(oracle, c, class))
            {
                native.writes.insert(class);
            }
        }
        let sources: Vec<u32> = native.writes.iter().chain(&initial).copied().collect();
        for class in oracle.classes.within("R") {
            let overwritten =
                native.writes.iter().all(|&x| sources.iter().all(|&w| fr(oracle, w, class, x)));
            if !native.writes.is_empty() && overwritten {
                native.reads.insert(class);
            }
        }
        native.writes.extend(initial);
        native
    }
}

fn small(events: &[Small], given: &[GivenEdge]) -> SmallExecution {
    SmallExecution { events: events.to_vec(), given: given.to_vec() }
}

/// Is co an edge, of two threads and of one?
fn co(oracle: &mut Oracle<'_>, a: u32, b: u32) -> bool {
    [(a, b), (b, a)].into_iter().all(|(a, b)| {
        [0, 1].into_iter().all(|thread| {
            let events = [(a, 0, Some(0)), (b, thread, Some(0))];
            oracle.relates(small(&events, &[("co", 0, 1)]), 0, 1)
        })
    })
}

/// Is fr an edge, in whichever threads? (A read behind the overwriting write in its thread has another
/// source, by coherence.)
fn fr(oracle: &mut Oracle<'_>, source: u32, read: u32, write: u32) -> bool {
    [(0, 1, 2), (0, 1, 1), (0, 1, 0), (0, 0, 1), (0, 0, 0)].into_iter().all(|(w, r, x)| {
        let events = [(source, w, Some(0)), (read, r, Some(0)), (write, x, Some(0))];
        oracle.relates(small(&events, &[("rf", 0, 1), ("co", 0, 2)]), 1, 2)
    })
}

struct Lane<'a, 'g, 'o> {
    graphs: &'a mut Graphs<'g>,
    oracle: &'a mut Oracle<'o>,
    native: Native,
    node: FxHashMap<usize, Node>,
}

impl Lane<'_, '_, '_> {
    /// Does the axiom order different locations, and whatever threads communicate?
    fn is_worth_it(&mut self, threads: &[Vec<usize>]) -> bool {
        let event = |e: usize| (self.oracle.classes.of(e), self.graphs.is(e, "M"));
        let classes: FxHashSet<(u32, bool)> = threads.iter().flatten().map(|&e| event(e)).collect();
        let memory: Vec<u32> = classes.iter().filter(|c| c.1).map(|c| c.0).collect();
        let fences: Vec<u32> = classes.iter().filter(|c| !c.1).map(|c| c.0).collect();
        memory.iter().any(|&a| {
            memory.iter().any(|&b| {
                let [first, second] = [(a, 0, Some(0)), (b, 0, Some(1))];
                self.oracle.relates(small(&[first, second], &[]), 0, 1)
                    || fences.iter().any(|&f| {
                        self.oracle.relates(small(&[first, (f, 0, None), second], &[]), 0, 2)
                    })
            })
        })
    }

    /// Nothing comes before them.
    fn initial_writes(&mut self) {
        let chain = self.graphs.theory.add_chain();
        for e in 0..self.graphs.universe.events.len() {
            if self.graphs.is(e, "IW") {
                let node = self.graphs.theory.add_node(chain);
                self.node.insert(e, node);
            }
        }
    }

    fn thread(&mut self, thread: &[usize]) {
        let memory: Vec<usize> =
            thread.iter().copied().filter(|&e| self.graphs.is(e, "M")).collect();
        let mut chains: Vec<(Chain, Vec<usize>)> = Vec::new();
        let mut sure: FxHashSet<(usize, usize)> = FxHashSet::default();
        for (i, &b) in memory.iter().enumerate() {
            let before: Vec<usize> =
                memory[..i].iter().copied().filter(|&a| self.sure(a, b)).collect();
            sure.extend(before.iter().map(|&a| (a, b)));
            let fits = |line: &[usize]| line.iter().all(|&a| sure.contains(&(a, b)));
            let at = chains.iter().position(|(_, line)| fits(line)).unwrap_or_else(|| {
                chains.push((self.graphs.theory.add_chain(), Vec::new()));
                chains.len() - 1
            });
            let node = self.graphs.theory.add_node(chains[at].0);
            self.node.insert(b, node);
            let mut kept: Vec<usize> = chains[at].1.iter().rev().copied().collect();
            chains[at].1.push(b);
            for a in before.into_iter().rev() {
                if !kept.contains(&a) && !self.follows(&kept, a, b, &sure) {
                    kept.push(a);
                    let when = self.graphs.executed(a, b);
                    self.graphs.edge(when, self.node[&a], node);
                }
            }
            self.dependencies(&memory[..i], b, &sure);
        }
        self.fences(thread, &memory, &sure);
    }

    /// Is there an edge to one of those that are executed with the two, and lead on?
    fn follows(
        &self,
        kept: &[usize],
        a: usize,
        b: usize,
        sure: &FxHashSet<(usize, usize)>,
    ) -> bool {
        kept.iter().any(|&m| sure.contains(&(a, m)) && self.between(a, m, b))
    }

    /// Is the one in the middle executed with the others?
    fn between(&self, a: usize, m: usize, b: usize) -> bool {
        self.graphs.host.implies(a, m) || self.graphs.host.implies(b, m)
    }

    /// Whenever both are executed.
    fn sure(&mut self, a: usize, b: usize) -> bool {
        let list = self.graphs.index.between(a, b).iter().filter(|(_, when)| when.is_none());
        let given: Vec<GivenEdge> = list.map(|&(name, _)| (name, 0, 1)).collect();
        let execution = self.oracle.among(self.graphs.universe, &[a, b], &given);
        let order = self.oracle.relates(execution.clone(), 0, 1);
        let [x, y] = [a, b].map(|e| self.oracle.classes.of(e));
        let writes = self.native.writes.contains(&x) && self.native.writes.contains(&y);
        let events = &self.graphs.universe.events;
        // Writes of a thread to a location are in co.
        order || (writes && events[a].location == events[b].location)
    }

    /// Dependencies that are there on some ways only.
    fn dependencies(&mut self, before: &[usize], b: usize, sure: &FxHashSet<(usize, usize)>) {
        for &a in before {
            if sure.contains(&(a, b)) {
                continue;
            }
            for &(name, when) in self.graphs.index.between(a, b) {
                let execution = self.oracle.among(self.graphs.universe, &[a, b], &[(name, 0, 1)]);
                if when.is_some() && self.oracle.relates(execution, 0, 1) {
                    let executed = self.graphs.executed(a, b);
                    let when = self.graphs.and(when, executed);
                    self.graphs.edge(when, self.node[&a], self.node[&b]);
                }
            }
        }
    }

    /// What fences order.
    fn fences(&mut self, thread: &[usize], memory: &[usize], sure: &FxHashSet<(usize, usize)>) {
        let fences: Vec<usize> =
            thread.iter().copied().filter(|&e| self.graphs.is(e, "F")).collect();
        let class = |e: &usize| self.oracle.classes.of(*e);
        let mut classes: Vec<u32> = memory.iter().map(class).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut kinds: Vec<u32> = fences.iter().map(class).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            let mut groups: FxHashMap<Vec<u32>, Vec<u32>> = FxHashMap::default();
            for &a in &classes {
                let behind: Vec<u32> =
                    classes.iter().copied().filter(|&b| self.separates(a, kind, b)).collect();
                groups.entry(behind).or_default().push(a);
            }
            let line: Vec<usize> =
                fences.iter().copied().filter(|&f| self.oracle.classes.of(f) == kind).collect();
            for (behind, ahead) in groups {
                if !behind.is_empty() {
                    self.fence_line(&line, memory, (&ahead, &behind), sure);
                }
            }
        }
    }

    /// Does the fence order accesses of these classes, to whatever location?
    fn separates(&mut self, a: u32, fence: u32, b: u32) -> bool {
        [0, 1].into_iter().all(|location| {
            let events = [(a, 0, Some(0)), (fence, 0, None), (b, 0, Some(location))];
            self.oracle.relates(small(&events, &[]), 0, 2)
        })
    }

    fn fence_line(
        &mut self,
        line: &[usize],
        memory: &[usize],
        (ahead, behind): (&[u32], &[u32]),
        sure: &FxHashSet<(usize, usize)>,
    ) {
        let chain = self.graphs.theory.add_chain();
        for (i, &f) in line.iter().enumerate() {
            let node = self.graphs.theory.add_node(chain);
            let mut kept: Vec<usize> = Vec::new();
            for &a in memory.iter().rev().filter(|&&a| a < f) {
                let earlier = line[..i].iter().any(|&g| a < g && self.between(a, g, f));
                let ours = ahead.contains(&self.oracle.classes.of(a));
                if ours && !earlier && !self.follows(&kept, a, f, sure) {
                    kept.push(a);
                    let when = self.graphs.executed(a, f);
                    self.graphs.edge(when, self.node[&a], node);
                }
            }
            kept.clear();
            for &b in memory.iter().filter(|&&b| b > f) {
                let later = line[i + 1..].iter().any(|&g| g < b && self.between(f, g, b));
                let led = kept.iter().any(|&m| sure.contains(&(m, b)) && self.between(f, m, b));
                let ours = behind.contains(&self.oracle.classes.of(b));
                if ours && !later && !led {
                    kept.push(b);
                    let when = self.graphs.executed(f, b);
                    self.graphs.edge(when, node, self.node[&b]);
                }
            }
        }
    }

    /// Sources in other threads, of reads whose fr is no edge.
    fn reads_from(&mut self) {
        for &(w, r, lit) in &self.graphs.universe.rf {
            if self.graphs.is(w, "IW") || self.is_native(w, r) || !self.reads_edge(w, r) {
                continue;
            }
            self.graphs.edge(lit, self.node[&w], self.node[&r]);
        }
    }

    fn reads_edge(&mut self, w: usize, r: usize) -> bool {
        // In a thread, the small execution has the order of the numbers.
        if self.graphs.universe.same_thread(w, r) && r < w {
            return false;
        }
        let execution = self.oracle.among(self.graphs.universe, &[w, r], &[("rf", 0, 1)]);
        self.oracle.relates(execution, 0, 1)
    }

    /// Is the candidate one for `theory`? An edge from an initial write does no harm.
    fn is_native(&mut self, w: usize, r: usize) -> bool {
        let [write, read] = [w, r].map(|e| self.oracle.classes.of(e));
        self.native.writes.contains(&write)
            && self.native.reads.contains(&read)
            && (self.graphs.is(w, "IW") || self.reads_edge(w, r))
    }

    fn accesses(&mut self) {
        if self.native.writes.is_empty() {
            return;
        }
        let mut cells: FxHashMap<u32, theory::Cell> = FxHashMap::default();
        let mut writes: FxHashMap<usize, Write> = FxHashMap::default();
        let mut reads: FxHashMap<usize, Read> = FxHashMap::default();
        for e in 0..self.graphs.universe.events.len() {
            let event = &self.graphs.universe.events[e];
            let (Some(location), Some(&node)) = (event.location, self.node.get(&e)) else {
                continue;
            };
            let class = self.oracle.classes.of(e);
            let cell = *cells.entry(location).or_insert_with(|| self.graphs.cell());
            if self.native.writes.contains(&class) {
                writes.insert(e, self.graphs.theory.add_write(node, cell, event.guard));
            } else if self.native.reads.contains(&class) {
                reads.insert(e, self.graphs.theory.add_read(node, cell));
            }
        }
        for &(w, r, lit) in &self.graphs.universe.rf {
            if let (Some(&write), Some(&read)) = (writes.get(&w), reads.get(&r)) {
                if !self.is_native(w, r) {
                    continue;
                }
                match lit {
                    Some(lit) => self.graphs.theory.add_rf(lit, write, read),
                    None => self.graphs.theory.add_edge(self.node[&w], self.node[&r]),
                }
            }
        }
        for location in cells.into_keys() {
            self.writes(location, &writes);
        }
    }

    /// The order of the writes to a location.
    fn writes(&mut self, location: u32, registered: &FxHashMap<usize, Write>) {
        let all = self.graphs.universe.coherence.writes(location).to_vec();
        let all: Vec<usize> = all.into_iter().filter(|w| registered.contains_key(w)).collect();
        for (i, &a) in all.iter().enumerate() {
            for &b in &all[i + 1..] {
                let (first, second) = (self.node[&a], self.node[&b]);
                match self.graphs.universe.coherence.before(a, b) {
                    When::If(lit) => self.guessed(lit, (a, b), (first, second)),
                    When::Always if self.graphs.is(a, "IW") => {
                        self.graphs.theory.add_edge(first, second);
                    }
                    When::Never if self.graphs.is(b, "IW") => {
                        self.graphs.theory.add_edge(second, first);
                    }
                    When::Always | When::Never => {}
                }
            }
        }
    }

    fn guessed(&mut self, lit: Lit, (a, b): (usize, usize), (first, second): (Node, Node)) {
        let executed = self.graphs.executed(a, b);
        let forward = self.graphs.and(Some(lit), executed);
        let backward = self.graphs.and(Some(!lit), executed);
        self.graphs.edge(forward, first, second);
        self.graphs.edge(backward, second, first);
    }
}
