//! An execution as it would be with stronger orders and more fences: does the model still allow it?
//!
//! Only an estimate of what a change of the text does (a fence stands where the events of a line
//! begin or end); it says which changes are worth a try. What is told was checked from the text.

use crate::contract::WeakExecution;
use cat::{Evaluation, EventSet, Graph, Relation};
use ir::MemoryOrder;
use rustc_hash::FxHashMap;
use solver::weak::target::{self, SourceAccess};

/// What is stronger.
#[derive(Clone, Default, Debug)]
pub struct Stronger {
    orders: FxHashMap<usize, MemoryOrder>,
    before: FxHashMap<usize, Vec<MemoryOrder>>,
    after: FxHashMap<usize, Vec<MemoryOrder>>,
}

/// A fence next to an event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Beside {
    Before(usize),
    After(usize),
}

/// The weakest order that is as strong as both.
pub fn join(a: MemoryOrder, b: MemoryOrder) -> MemoryOrder {
    match (a, b) {
        (a, b) if a == b => a,
        (MemoryOrder::SeqCst, _) | (_, MemoryOrder::SeqCst) => MemoryOrder::SeqCst,
        (MemoryOrder::Plain | MemoryOrder::Relaxed, other)
        | (other, MemoryOrder::Plain | MemoryOrder::Relaxed) => other,
        _ => MemoryOrder::AcqRel,
    }
}

impl Stronger {
    pub fn order(&mut self, event: usize, order: MemoryOrder) {
        let old = self.orders.entry(event).or_insert(MemoryOrder::Relaxed);
        *old = join(*old, order);
    }

    pub fn fence(&mut self, place: Beside, order: MemoryOrder) {
        let (list, event) = match place {
            Beside::Before(event) => (&mut self.before, event),
            Beside::After(event) => (&mut self.after, event),
        };
        list.entry(event).or_default().push(order);
    }
}

/// Is it still an execution that shows what it showed?
pub fn allows(execution: &WeakExecution, stronger: &Stronger) -> bool {
    let graph = FenceGraph::new(execution, stronger).graph();
    let mut evaluation = Evaluation::new(&execution.model.cat, graph);
    evaluation.is_consistent() && (!execution.race || !evaluation.flags().is_empty())
}

/// An event of the new graph.
struct New {
    /// Of the old one; fences are new.
    old: Option<usize>,
    /// Of the same thread.
    anchor: usize,
    sets: Vec<String>,
}

struct FenceGraph<'a> {
    execution: &'a WeakExecution,
    events: Vec<New>,
    /// By old event.
    place: Vec<usize>,
    /// Events with a branch behind them.
    branches: Vec<usize>,
}

impl<'a> FenceGraph<'a> {
    fn new(execution: &'a WeakExecution, stronger: &Stronger) -> FenceGraph<'a> {
        let target = execution.model.target;
        let count = execution.graph.events;
        let mut builder =
            FenceGraph { execution, events: Vec::new(), place: Vec::new(), branches: Vec::new() };
        let fences = |list: Option<&Vec<MemoryOrder>>| -> Vec<&'static [&'static str]> {
            let orders = list.into_iter().flatten();
            orders.filter_map(|order| target::fence(target, *order)).collect()
        };
        for event in 0..count {
            let compiled =
                stronger.orders.get(&event).and_then(|new| builder.compiled(event, *new));
            let compiled = compiled.unwrap_or_default();
            let before = fences(stronger.before.get(&event)).into_iter().chain(compiled.before);
            before.for_each(|sets| builder.fence(event, sets));
            builder.place.push(builder.events.len());
            let sets = builder.sets(event, &compiled.sets);
            builder.events.push(New { old: Some(event), anchor: event, sets });
            if compiled.branch {
                builder.branches.push(event);
            }
            let after = compiled.after.into_iter().chain(fences(stronger.after.get(&event)));
            after.for_each(|sets| builder.fence(event, sets));
        }
        builder
    }

    fn fence(&mut self, anchor: usize, sets: &[&str]) {
        let sets = sets.iter().map(|set| set.to_string()).collect();
        self.events.push(New { old: None, anchor, sets });
    }

    fn compiled(&self, event: usize, order: MemoryOrder) -> Option<target::Compiled> {
        let access = self.execution.events[event].access.as_ref()?;
        let order = join(access.order, order);
        let (write, rmw) = (access.write, access.rmw.then_some(order));
        Some(target::access(self.execution.model.target, SourceAccess { write, order, rmw }))
    }

    /// Of an old event: what the table says now, if anything, besides what it was.
    fn sets(&self, event: usize, compiled: &[&str]) -> Vec<String> {
        const ORDERS: [&str; 6] = ["RLX", "CON", "ACQ", "REL", "ACQ_REL", "SC"];
        let old = self.execution.graph.sets.iter().filter(|(_, set)| set.contains(event));
        let kept = |name: &&String| compiled.is_empty() || !ORDERS.contains(&name.as_str());
        let old = old.map(|(name, _)| name).filter(kept).cloned();
        old.chain(compiled.iter().map(|set| set.to_string())).collect()
    }

    fn graph(self) -> Graph {
        let (old, n) = (&self.execution.graph, self.events.len());
        let empty = Relation::empty(old.events);
        let of_old = |name: &str| old.relations.get(name).unwrap_or(&empty);
        let (int, po) = (of_old("int"), of_old("po"));
        let mut graph = Graph::new(n);
        graph.sets = old.sets.keys().map(|name| (name.clone(), EventSet::empty(n))).collect();
        for (i, event) in self.events.iter().enumerate() {
            event.sets.iter().for_each(|set| graph.mark(i, set));
        }
        for (name, relation) in &old.relations {
            let pairs = relation.pairs().map(|(a, b)| (self.place[a], self.place[b]));
            graph.relations.insert(name.clone(), Relation::from_pairs(n, pairs));
        }
        for (i, a) in self.events.iter().enumerate() {
            for (j, b) in self.events.iter().enumerate() {
                if a.old.is_some() && b.old.is_some() {
                    continue;
                }
                let same = int.contains(a.anchor, b.anchor);
                graph.relate(if same { "int" } else { "ext" }, i, j);
                let ordered = a.anchor == b.anchor || po.contains(a.anchor, b.anchor);
                if i < j && same && ordered {
                    graph.relate("po", i, j);
                }
                if i == j {
                    graph.relate("si", i, i);
                }
            }
        }
        for &from in &self.branches {
            let later = po.successors(from).map(|to| self.place[to]).collect::<Vec<_>>();
            later.into_iter().for_each(|to| graph.relate("ctrl", self.place[from], to));
        }
        graph
    }
}
