//! The judge: what an encoding means, by trying everything.
//!
//! An execution is a value for each variable and a linearization of all nodes in which the facts
//! hold, the line respects program order, edges and the waits whose condition holds, and each
//! enabled read sees the last enabled write of its cell before it, which must be one of its
//! candidates and have the value that the read says. We go through all values of all variables that
//! occur, and search for a line for each.

use crate::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The sets of goals that hold together in some execution.
pub fn goals_reached(encoding: &Encoding) -> BTreeSet<Vec<bool>> {
    let mut reached = BTreeSet::new();
    let rules = Rules::new(encoding, Scope::All);
    rules.for_all_values(|values| {
        let world = World { rules: &rules, values, any_value: false };
        let goals: Vec<bool> = encoding.goals.iter().map(|g| world.holds(g.guard)).collect();
        let facts = encoding.facts.iter().all(|&t| world.holds(t));
        if facts && !reached.contains(&goals) && world.has_line() {
            reached.insert(goals);
        }
    });
    reached
}

/// Calls `f` with the true candidates (as indices of `rf`) of each line under all values, whatever
/// is read, and with the values of Boolean terms: only order and guards count.
pub fn lines(encoding: &Encoding, mut f: impl FnMut(&BTreeSet<u32>, &dyn Fn(Term) -> bool)) {
    let rules = Rules::new(encoding, Scope::Order);
    rules.for_all_values(|values| {
        let world = World { rules: &rules, values, any_value: true };
        world.all_lines().iter().for_each(|rf| f(rf, &|t| world.holds(t)));
    });
}

/// Calls `f` with the true candidates of each execution, and with the values of terms that occur.
pub fn executions(encoding: &Encoding, mut f: impl FnMut(&BTreeSet<u32>, &dyn Fn(Term) -> u64)) {
    let rules = Rules::new(encoding, Scope::All);
    rules.for_all_values(|values| {
        let world = World { rules: &rules, values, any_value: false };
        if encoding.facts.iter().all(|&t| world.holds(t)) {
            world.all_lines().iter().for_each(|rf| f(rf, &|t| values[t.index()]));
        }
    });
}

/// Which terms count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    All,
    /// Guards and conditions of waits.
    Order,
}

/// What does not depend on values.
struct Rules<'a> {
    encoding: &'a Encoding,
    terms: Vec<Term>,                       // all that occur, operands first
    events: Vec<Vec<EventId>>,              // of each node, reads first
    rf: FxHashMap<(EventId, EventId), u32>, // indices of `rf`
}

impl<'a> Rules<'a> {
    fn new(encoding: &'a Encoding, scope: Scope) -> Rules<'a> {
        let mut events = vec![Vec::new(); encoding.nodes.len()];
        for kind in [EventKind::Read, EventKind::Write] {
            for (i, event) in encoding.events.iter().enumerate().filter(|(_, e)| e.kind == kind) {
                events[event.node.index()].push(EventId::new(i));
            }
        }
        let rf = encoding.rf.iter().copied().zip(0..).collect();
        Rules { encoding, terms: terms(encoding, scope), events, rf }
    }

    /// Calls `f` with the values of all terms, for all values of the variables.
    fn for_all_values(&self, mut f: impl FnMut(&[u64])) {
        let pool = &self.encoding.pool;
        let is_var = |&&t: &&Term| matches!(pool.op(t), Op::Var(_));
        let vars: Vec<Term> = self.terms.iter().filter(is_var).copied().collect();
        let mut values = vec![0; pool.len()];
        loop {
            for &t in &self.terms {
                let operand = |o: Term| values[o.index()];
                if let Some(value) = eval::apply(pool, pool.op(t), pool.sort(t), operand) {
                    values[t.index()] = value;
                }
            }
            f(&values);
            if !self.count_up(&vars, &mut values) {
                return;
            }
        }
    }

    fn count_up(&self, vars: &[Term], values: &mut [u64]) -> bool {
        for &var in vars {
            let value = &mut values[var.index()];
            *value += 1;
            if *value < 1 << self.encoding.pool.width(var) {
                return true;
            }
            *value = 0;
        }
        false
    }
}

fn terms(encoding: &Encoding, scope: Scope) -> Vec<Term> {
    let guards = encoding.events.iter().map(|e| e.guard);
    let mut roots: Vec<Term> = guards.chain(encoding.waits.iter().map(|w| w.0)).collect();
    if scope == Scope::All {
        roots.extend(encoding.events.iter().map(|e| e.value));
        roots.extend(encoding.goals.iter().map(|g| g.guard));
        roots.extend(&encoding.facts);
    }
    let (mut seen, mut stack) = (BTreeSet::new(), roots);
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            encoding.pool.operands(t, |o| stack.push(o));
        }
    }
    seen.into_iter().collect()
}

/// An encoding under values for all terms.
struct World<'a> {
    rules: &'a Rules<'a>,
    values: &'a [u64],
    any_value: bool,
}

impl World<'_> {
    fn holds(&self, t: Term) -> bool {
        self.values[t.index()] == 1
    }

    fn has_line(&self) -> bool {
        let encoding = self.rules.encoding;
        let mut seen = FxHashSet::default();
        let mut stack = vec![Line::new(encoding)];
        while let Some(line) = stack.pop() {
            if line.left(encoding) == 0 {
                return true;
            }
            for thread in 0..line.at.len() {
                if let Some((next, _)) = self.step(&line, thread) {
                    if seen.insert(next.clone()) {
                        stack.push(next);
                    }
                }
            }
        }
        false
    }

    /// The candidates of each line, without repetition: lines that agree so far go on together.
    fn all_lines(&self) -> FxHashSet<BTreeSet<u32>> {
        let encoding = self.rules.encoding;
        let start = (Line::new(encoding), BTreeSet::new());
        let (mut seen, mut stack) = (FxHashSet::default(), vec![start]);
        let mut all = FxHashSet::default();
        while let Some((line, chosen)) = stack.pop() {
            if line.left(encoding) == 0 {
                all.insert(chosen);
                continue;
            }
            for thread in 0..line.at.len() {
                if let Some((next, pairs)) = self.step(&line, thread) {
                    let mut chosen = chosen.clone();
                    chosen.extend(pairs.iter().map(|pair| self.rules.rf[pair]));
                    let state = (next, chosen);
                    if seen.insert(state.clone()) {
                        stack.push(state);
                    }
                }
            }
        }
        all
    }

    /// Runs the next node of a thread, if it may; tells what its reads read from.
    fn step(&self, line: &Line, thread: usize) -> Option<(Line, Vec<(EventId, EventId)>)> {
        let encoding = self.rules.encoding;
        let node = *encoding.threads[thread].nodes.get(line.at[thread])?;
        if !self.may_go(line, node) {
            return None;
        }
        let (mut line, mut pairs) = (line.clone(), Vec::new());
        line.at[thread] += 1;
        for &id in &self.rules.events[node.index()] {
            let event = &encoding.events[id.index()];
            if !self.holds(event.guard) {
                continue;
            }
            let last = &mut line.last[event.cell.index()];
            if event.kind == EventKind::Write {
                *last = Some(id);
                continue;
            }
            let write = (*last)?;
            let value = |e: EventId| self.values[encoding.events[e.index()].value.index()];
            let same = self.any_value || value(write) == value(id);
            if !same || !self.rules.rf.contains_key(&(write, id)) {
                return None;
            }
            pairs.push((write, id));
        }
        Some((line, pairs))
    }

    fn may_go(&self, line: &Line, node: NodeId) -> bool {
        let encoding = self.rules.encoding;
        let waits = encoding.waits.iter().filter(|w| self.holds(w.0)).map(|&(_, a, b)| (a, b));
        let mut edges = encoding.edges.iter().copied().chain(waits);
        edges.all(|(a, b)| b != node || line.gone(encoding, a))
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
