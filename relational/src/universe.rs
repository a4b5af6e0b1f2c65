//! The events that could be executed, and what could relate them.

use crate::coherence::Coherence;
use cat::{Graph, Relation};
use rustc_hash::FxHashMap;
use theory::Lit;

/// An event. Its number is its place in `Universe::events`; those of one thread stand in program order.
#[derive(Clone, Debug)]
pub struct RelationalEvent {
    /// It is executed if this holds; always without.
    pub guard: Option<Lit>,
    pub place: EventOwner,
    /// The memory location; a fence has none.
    pub location: Option<u32>,
    /// The sets of the model that it is in.
    pub sets: Vec<&'static str>,
    /// Events of one access have the same number.
    pub access: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventOwner {
    /// An initial write: in no thread.
    Initial,
    Thread(u32),
}

/// A pair of a relation that is not guessed; with a condition, only if that holds.
#[derive(Clone, Copy, Debug)]
pub struct KnownEdge {
    pub relation: &'static str,
    pub from: usize,
    pub to: usize,
    pub when: Option<Lit>,
}

#[derive(Clone, Debug, Default)]
pub struct Universe {
    pub events: Vec<RelationalEvent>,
    /// Besides program order, locations and threads: dependencies, read-modify-writes.
    pub edges: Vec<KnownEdge>,
    /// Who may read from whom: write, read, guess (none: whenever the read is executed). A guess implies that both are executed; every executed
    /// read has exactly one.
    pub rf: Vec<(usize, usize, Option<Lit>)>,
    pub coherence: Coherence,
    /// Pairs that must raise a flag if the literal holds (which implies that both are executed).
    pub flagged: Vec<(usize, usize, Lit)>,
}

/// A relation and when it holds.
pub(crate) type Named = (&'static str, Option<Lit>);

/// Guesses and edges by their events.
#[derive(Clone, Debug, Default)]
pub(crate) struct GuessIndex {
    pub rf: FxHashMap<(usize, usize), Option<Lit>>,
    edges: FxHashMap<(usize, usize), Vec<Named>>,
}

impl GuessIndex {
    pub fn new(universe: &Universe) -> GuessIndex {
        let rf = universe.rf.iter().map(|&(w, r, lit)| ((w, r), lit)).collect();
        let mut index = GuessIndex { rf, ..GuessIndex::default() };
        for edge in &universe.edges {
            let list = index.edges.entry((edge.from, edge.to)).or_default();
            list.push((edge.relation, edge.when));
        }
        index
    }

    pub fn between(&self, a: usize, b: usize) -> &[Named] {
        self.edges.get(&(a, b)).map_or(&[], Vec::as_slice)
    }

    pub fn edges(&self, name: &str, a: usize, b: usize) -> impl Iterator<Item = Option<Lit>> {
        let list = self.edges.get(&(a, b)).into_iter().flatten();
        list.filter(move |(relation, _)| *relation == name).map(|&(_, when)| when)
    }
}

impl Universe {
    pub fn executed(&self, holds: &dyn Fn(Lit) -> bool) -> Vec<usize> {
        let executed = |e: &usize| self.events[*e].guard.is_none_or(holds);
        (0..self.events.len()).filter(executed).collect()
    }

    pub fn same_thread(&self, a: usize, b: usize) -> bool {
        match (self.events[a].place, self.events[b].place) {
            (EventOwner::Thread(x), EventOwner::Thread(y)) => x == y,
            _ => false,
        }
    }

    /// The execution of these events. (If all literals hold: all that could be.)
    pub fn graph(&self, events: &[usize], holds: &dyn Fn(Lit) -> bool) -> Graph {
        let mut graph = self.skeleton(events);
        let mut place = vec![usize::MAX; self.events.len()];
        events.iter().enumerate().for_each(|(i, &e)| place[e] = i);
        let known = |a: usize, b: usize| place[a] != usize::MAX && place[b] != usize::MAX;
        for edge in self.edges.iter().filter(|e| known(e.from, e.to)) {
            if edge.when.is_none_or(holds) {
                graph.relate(edge.relation, place[edge.from], place[edge.to]);
            }
        }
        for &(w, r, lit) in self.rf.iter().filter(|&&(w, r, _)| known(w, r)) {
            if lit.is_none_or(holds) {
                graph.relate("rf", place[w], place[r]);
            }
        }
        let mut co = Relation::empty(events.len());
        for (a, b) in self.coherence.pairs(&self.events, events, holds) {
            co.insert(place[a], place[b]);
        }
        graph.relations.insert("co".into(), co);
        graph
    }

    /// Sets, program order, threads and locations.
    fn skeleton(&self, events: &[usize]) -> Graph {
        let n = events.len();
        let mut graph = Graph::new(n);
        let [mut po, mut int, mut ext, mut loc, mut si] =
            std::array::from_fn(|_| Relation::empty(n));
        for (i, &a) in events.iter().enumerate() {
            let first = &self.events[a];
            first.sets.iter().for_each(|set| graph.mark(i, set));
            for (j, &b) in events.iter().enumerate() {
                let second = &self.events[b];
                let same = self.same_thread(a, b);
                if same || i == j { &mut int } else { &mut ext }.insert(i, j);
                if same && i < j {
                    po.insert(i, j);
                }
                if first.location.is_some() && first.location == second.location {
                    loc.insert(i, j);
                }
                if i == j || (same && first.access == second.access) {
                    si.insert(i, j);
                }
            }
        }
        for (name, relation) in [("po", po), ("int", int), ("ext", ext), ("loc", loc), ("si", si)] {
            graph.relations.insert(name.into(), relation);
        }
        graph
    }
}
