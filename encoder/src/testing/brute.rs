//! The judge: what an encoding means, by trying everything.
//!
//! An execution is a value for each variable and a line of all nodes in which the facts hold, the
//! line respects program order, edges and the waits whose condition holds, and each enabled read
//! sees the last enabled write of its cell before it, which must be one of its candidates and have
//! the value that the read says. We go through all values of all variables that occur, and search
//! for a line for each.

use crate::eval::Evaluator;
use crate::*;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The sets of goals that hold together in some execution.
pub fn goals_reached(encoding: &Encoding) -> BTreeSet<Vec<bool>> {
    let vars = variables(encoding);
    let mut reached = BTreeSet::new();
    let mut values = vec![0; encoding.pool.vars() as usize];
    loop {
        let world = World::new(encoding, &values);
        if world.facts && !reached.contains(&world.goals) && world.has_line() {
            reached.insert(world.goals);
        }
        if !next_values(&vars, &mut values) {
            return reached;
        }
    }
}

/// Calls `f` with the true candidates (as indices of `rf`) of each line under each value, whatever
/// is read: only order and guards count. A read without a write before it kills the line.
pub fn lines(
    encoding: &Encoding,
    mut f: impl FnMut(&FxHashSet<u32>, &mut dyn FnMut(Term) -> bool),
) {
    let vars = variables(encoding);
    let mut values = vec![0; encoding.pool.vars() as usize];
    loop {
        let mut world = World::new(encoding, &values);
        world.any_value = true;
        let mut all = Vec::new();
        world.all_lines(&mut Line::new(encoding), &mut Vec::new(), &mut all);
        let mut evaluator = Evaluator::new(&encoding.pool, |v| values[v.0 as usize]);
        for rf in all {
            f(&rf, &mut |t| evaluator.holds(t));
        }
        if !next_values(&vars, &mut values) {
            return;
        }
    }
}

/// The variables that anything in the encoding mentions, with the number of their values.
fn variables(encoding: &Encoding) -> Vec<(Var, u64)> {
    let events = encoding.events.iter().flat_map(|e| [e.guard, e.value]);
    let roots = events
        .chain(encoding.facts.iter().copied())
        .chain(encoding.goals.iter().map(|g| g.guard))
        .chain(encoding.waits.iter().map(|w| w.0));
    let (mut seen, mut stack) = (FxHashSet::default(), roots.collect::<Vec<Term>>());
    let mut vars = Vec::new();
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            encoding.pool.operands(t, |o| stack.push(o));
            if let Op::Var(v) = encoding.pool.op(t) {
                vars.push((v, 1 << encoding.pool.width(t)));
            }
        }
    }
    vars
}

/// Counts up.
fn next_values(vars: &[(Var, u64)], values: &mut [u64]) -> bool {
    for &(var, count) in vars {
        let value = &mut values[var.0 as usize];
        *value += 1;
        if *value < count {
            return true;
        }
        *value = 0;
    }
    false
}

/// An encoding under values for all variables.
struct World<'a> {
    encoding: &'a Encoding,
    enabled: Vec<bool>, // of each event
    values: Vec<u64>,   // of each event
    waits: Vec<(NodeId, NodeId)>,
    events: Vec<Vec<EventId>>, // of each node, reads first
    rf: FxHashSet<(EventId, EventId)>,
    facts: bool,
    goals: Vec<bool>,
    any_value: bool,
}

impl<'a> World<'a> {
    fn new(encoding: &'a Encoding, values: &[u64]) -> World<'a> {
        let mut e = Evaluator::new(&encoding.pool, |v: Var| values[v.0 as usize]);
        let mut events = vec![Vec::new(); encoding.nodes.len()];
        for kind in [Kind::Read, Kind::Write] {
            for (i, event) in encoding.events.iter().enumerate().filter(|(_, e)| e.kind == kind) {
                events[event.node.index()].push(EventId::new(i));
            }
        }
        let on = encoding.waits.iter().filter(|w| e.holds(w.0)).map(|&(_, a, b)| (a, b));
        World {
            waits: encoding.edges.iter().copied().chain(on.collect::<Vec<_>>()).collect(),
            enabled: encoding.events.iter().map(|event| e.holds(event.guard)).collect(),
            values: encoding.events.iter().map(|event| e.value(event.value)).collect(),
            facts: encoding.facts.iter().all(|&t| e.holds(t)),
            goals: encoding.goals.iter().map(|g| e.holds(g.guard)).collect(),
            rf: encoding.rf.iter().copied().collect(),
            events,
            encoding,
            any_value: false,
        }
    }

    fn has_line(&self) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![Line::new(self.encoding)];
        while let Some(line) = stack.pop() {
            if line.left(self.encoding) == 0 {
                return true;
            }
            for thread in 0..line.at.len() {
                let mut next = line.clone();
                if self.step(&mut next, thread).is_some() && seen.insert(next.clone()) {
                    stack.push(next);
                }
            }
        }
        false
    }

    fn all_lines(
        &self,
        line: &mut Line,
        chosen: &mut Vec<(EventId, EventId)>,
        all: &mut Vec<FxHashSet<u32>>,
    ) {
        if line.left(self.encoding) == 0 {
            let index = |pair| self.encoding.rf.iter().position(|p| p == pair).map(|i| i as u32);
            all.push(chosen.iter().filter_map(index).collect());
        }
        for thread in 0..line.at.len() {
            let mut next = line.clone();
            if let Some(pairs) = self.step(&mut next, thread) {
                let before = chosen.len();
                chosen.extend(pairs);
                self.all_lines(&mut next, chosen, all);
                chosen.truncate(before);
            }
        }
    }

    /// Runs the next node of a thread, if it may; gives what its reads read from.
    fn step(&self, line: &mut Line, thread: usize) -> Option<Vec<(EventId, EventId)>> {
        let node = *self.encoding.threads[thread].nodes.get(line.at[thread])?;
        if self.waits.iter().any(|&(a, b)| b == node && !line.gone(self.encoding, a)) {
            return None;
        }
        line.at[thread] += 1;
        let mut pairs = Vec::new();
        for &id in self.events[node.index()].iter().filter(|e| self.enabled[e.index()]) {
            let event = &self.encoding.events[id.index()];
            let last = &mut line.last[event.cell.index()];
            if event.kind == Kind::Write {
                *last = Some(id);
                continue;
            }
            let write = (*last)?;
            let same = self.any_value || self.values[write.index()] == self.values[id.index()];
            if !same || !self.rf.contains(&(write, id)) {
                return None;
            }
            pairs.push((write, id));
        }
        Some(pairs)
    }
}

/// How far the threads are, and the last enabled write of each cell.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Line {
    at: Vec<usize>,
    last: Vec<Option<EventId>>,
}

impl Line {
    fn new(encoding: &Encoding) -> Line {
        Line { at: vec![0; encoding.threads.len()], last: vec![None; encoding.cells.len()] }
    }

    fn left(&self, encoding: &Encoding) -> usize {
        encoding.threads.iter().zip(&self.at).map(|(t, &at)| t.nodes.len() - at).sum()
    }

    fn gone(&self, encoding: &Encoding, node: NodeId) -> bool {
        let thread = encoding.nodes[node.index()].thread.index();
        let nodes = &encoding.threads[thread].nodes;
        // A node that was dropped has no place to wait for.
        nodes.iter().position(|&n| n == node).is_none_or(|pos| pos < self.at[thread])
    }
}
