//! Questions about executions of two or three events, each asked of the model once.
//!
//! What a part of a model relates in such an execution, it relates in every one that contains it
//! (`cat::AxiomPart`). Events matter by the sets that they are in, by who shares a thread and a location, and by
//! the relations that are given; so a program of hundreds of events asks few different questions.

use crate::universe::{EventOwner, Universe};
use cat::{AxiomPart, Graph, Model, Relation};
use rustc_hash::FxHashMap;

/// An event of a small execution: its class, its thread, its location.
pub type Small = (u32, u32, Option<u32>);

/// A relation that is given, between two events of a small execution.
pub type GivenEdge = (&'static str, usize, usize);

/// A small execution; the events of a thread stand in program order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SmallExecution {
    pub events: Vec<Small>,
    pub given: Vec<GivenEdge>,
}

/// Events with the same sets are of one class.
#[derive(Debug, Default)]
pub struct Classes {
    of: Vec<u32>, // by event
    sets: Vec<Vec<&'static str>>,
}

impl Classes {
    pub fn new(universe: &Universe) -> Classes {
        let mut known: FxHashMap<Vec<&'static str>, u32> = FxHashMap::default();
        let mut classes = Classes::default();
        for event in &universe.events {
            let mut sets = event.sets.clone();
            sets.sort_unstable();
            let next = known.len() as u32;
            let class = *known.entry(sets.clone()).or_insert(next);
            if class == next {
                classes.sets.push(sets);
            }
            classes.of.push(class);
        }
        classes
    }

    pub fn of(&self, event: usize) -> u32 {
        self.of[event]
    }

    /// The classes of events that are in the set.
    pub fn within(&self, set: &str) -> Vec<u32> {
        (0..self.sets.len() as u32).filter(|&c| self.sets[c as usize].contains(&set)).collect()
    }

    pub fn has(&self, class: u32, set: &str) -> bool {
        self.sets[class as usize].contains(&set)
    }

    fn graph(&self, execution: &SmallExecution) -> Graph {
        let events = &execution.events;
        let n = events.len();
        let mut graph = Graph::new(n);
        let [mut po, mut int, mut ext, mut loc, mut si] =
            std::array::from_fn(|_| Relation::empty(n));
        for (i, a) in events.iter().enumerate() {
            self.sets[a.0 as usize].iter().for_each(|set| graph.mark(i, set));
            si.insert(i, i);
            for (j, b) in events.iter().enumerate() {
                let same = i == j || (a.1 == b.1 && !self.has(a.0, "IW") && !self.has(b.0, "IW"));
                if same { &mut int } else { &mut ext }.insert(i, j);
                if same && i < j {
                    po.insert(i, j);
                }
                if a.2.is_some() && a.2 == b.2 {
                    loc.insert(i, j);
                }
            }
        }
        for (name, relation) in [("po", po), ("int", int), ("ext", ext), ("loc", loc), ("si", si)] {
            graph.relations.insert(name.into(), relation);
        }
        execution.given.iter().for_each(|&(name, a, b)| graph.relate(name, a, b));
        graph
    }
}

/// A part of a model, and what it has answered.
pub struct Oracle<'a> {
    pub classes: &'a Classes,
    model: &'a Model,
    part: AxiomPart,
    known: FxHashMap<(SmallExecution, usize, usize), bool>,
}

impl<'a> Oracle<'a> {
    pub fn new(classes: &'a Classes, model: &'a Model, part: AxiomPart) -> Oracle<'a> {
        Oracle { classes, model, part, known: FxHashMap::default() }
    }

    /// Is the pair in the part in every execution that contains this one?
    pub fn relates(&mut self, execution: SmallExecution, a: usize, b: usize) -> bool {
        let key = (execution, a, b);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let graph = self.classes.graph(&key.0);
        let related = self.model.relates(self.part, graph, a, b);
        self.known.insert(key, related);
        related
    }

    /// These events of the universe, with these relations between them (by place in the list).
    pub fn among(
        &mut self,
        universe: &Universe,
        events: &[usize],
        given: &[GivenEdge],
    ) -> SmallExecution {
        let mut threads: Vec<EventOwner> = Vec::new();
        let mut locations: Vec<u32> = Vec::new();
        let small = events.iter().map(|&e| {
            let event = &universe.events[e];
            let thread = number(&mut threads, event.place);
            (self.classes.of(e), thread, event.location.map(|l| number(&mut locations, l)))
        });
        SmallExecution { events: small.collect(), given: given.to_vec() }
    }
}

fn number<T: PartialEq>(known: &mut Vec<T>, value: T) -> u32 {
    let at = known.iter().position(|x| *x == value).unwrap_or_else(|| {
        known.push(value);
        known.len() - 1
    });
    at as u32
}
