//! What encodings mean, slowly: runs of nodes in some order over a plain memory.

use encoder::eval::Evaluator;
use encoder::{Encoding, EventKind, NodeId, Op, Pool, Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// Values of variables; those that are not there are 0.
pub type Values = FxHashMap<Var, u64>;

/// The variable of a term that is one.
pub fn variable(pool: &Pool, term: Term) -> Option<Var> {
    match pool.op(term) {
        Op::Var(var) => Some(var),
        _ => None,
    }
}

pub fn evaluate(pool: &Pool, values: &Values, term: Term) -> u64 {
    Evaluator::new(pool, |var| values.get(&var).copied().unwrap_or(0)).value(term)
}

/// A run so far.
#[derive(Clone)]
pub struct Run<'a> {
    encoding: &'a Encoding,
    at: Vec<usize>,   // how many nodes of each thread are gone
    memory: Vec<u64>, // by cell
    pub values: Values,
}

impl<'a> Run<'a> {
    pub fn new(encoding: &'a Encoding, values: Values) -> Run<'a> {
        let (threads, cells) = (encoding.threads.len(), encoding.cells.len());
        Run { encoding, at: vec![0; threads], memory: vec![0; cells], values }
    }

    /// Everything that the rest of the run depends on.
    fn state(&self) -> (Vec<usize>, Vec<u64>, Vec<(Var, u64)>) {
        let mut values: Vec<_> = self.values.iter().map(|(&var, &value)| (var, value)).collect();
        values.sort_unstable();
        (self.at.clone(), self.memory.clone(), values)
    }

    fn gone(&self, node: NodeId) -> bool {
        let thread = self.encoding.nodes[node.index()].thread.index();
        self.encoding.threads[thread].nodes[..self.at[thread]].contains(&node)
    }

    pub fn holds(&self, term: Term) -> bool {
        evaluate(&self.encoding.pool, &self.values, term) == 1
    }

    /// The nodes that may run next: first of their threads, and nothing that they wait for is left.
    pub fn ready(&self) -> Vec<NodeId> {
        let next =
            |thread: usize| self.encoding.threads[thread].nodes.get(self.at[thread]).copied();
        (0..self.at.len()).filter_map(next).filter(|&node| self.may_run(node)).collect()
    }

    fn may_run(&self, node: NodeId) -> bool {
        let edges = self.encoding.edges.iter().all(|&(from, to)| to != node || self.gone(from));
        let mut waits = self.encoding.waits.iter();
        edges && waits.all(|&(when, from, to)| to != node || self.gone(from) || !self.holds(when))
    }

    /// Runs a node: `see` is called for each enabled read with its variable and what memory holds.
    pub fn run(&mut self, node: NodeId, mut see: impl FnMut(&mut Values, Var, u64)) {
        let encoding = self.encoding;
        self.at[encoding.nodes[node.index()].thread.index()] += 1;
        for kind in [EventKind::Read, EventKind::Write] {
            for event in encoding.events.iter().filter(|e| e.node == node && e.kind == kind) {
                if !self.holds(event.guard) {
                    continue;
                }
                let cell = &mut self.memory[event.cell.index()];
                match (kind, variable(&encoding.pool, event.value)) {
                    (EventKind::Read, Some(var)) => see(&mut self.values, var, *cell),
                    _ => *cell = evaluate(&encoding.pool, &self.values, event.value),
                }
            }
        }
    }
}

/// Is there a schedule, with these inputs, after which the goal holds?
pub fn reachable(encoding: &Encoding, inputs: &[Term], goal: Term) -> bool {
    (0..1u64 << inputs.len()).any(|choice| {
        let input = |(i, &t): (usize, &Term)| Some((variable(&encoding.pool, t)?, choice >> i & 1));
        let values = inputs.iter().enumerate().filter_map(input).collect();
        some_schedule(Run::new(encoding, values), goal)
    })
}

fn some_schedule(start: Run, goal: Term) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![start];
    while let Some(run) = open.pop() {
        if !seen.insert(run.state()) {
            continue;
        }
        let ready = run.ready();
        if ready.is_empty() && run.holds(goal) {
            return true;
        }
        open.extend(ready.into_iter().map(|node| {
            let mut next = run.clone();
            next.run(node, |values, var, seen| {
                values.insert(var, seen);
            });
            next
        }));
    }
    false
}

/// Panics unless `schedule` is an execution in which the variables have these values.
pub fn check_schedule(encoding: &Encoding, values: Values, schedule: &[NodeId]) {
    let mut run = Run::new(encoding, values);
    for &node in schedule {
        assert!(run.ready().contains(&node), "{node:?} is not ready in {schedule:?}");
        run.run(node, |values, var, seen| {
            assert_eq!(values.get(&var), Some(&seen), "{var:?} in {schedule:?}");
        });
    }
    assert_eq!(schedule.len(), encoding.nodes.len(), "not all nodes have run");
}
