//! One complete execution as plain data: events are numbers, sets and relations have names.

use crate::relation::{EventSet, Relation};
use std::collections::HashMap;

/// Events `0..events` and what is known about them. What has no name here is empty.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub events: usize,
    pub sets: HashMap<String, EventSet>,
    pub relations: HashMap<String, Relation>,
}

impl Graph {
    pub fn new(events: usize) -> Self {
        Self { events, ..Self::default() }
    }

    /// `event` is in the set `name`.
    pub fn mark(&mut self, event: usize, name: &str) {
        match self.sets.get_mut(name) {
            Some(set) => set.insert(event),
            None => {
                let mut set = EventSet::empty(self.events);
                set.insert(event);
                self.sets.insert(name.to_string(), set);
            }
        }
    }

    /// `(a, b)` is in the relation `name`.
    pub fn relate(&mut self, name: &str, a: usize, b: usize) {
        match self.relations.get_mut(name) {
            Some(relation) => relation.insert(a, b),
            None => {
                let relation = Relation::from_pairs(self.events, [(a, b)]);
                self.relations.insert(name.to_string(), relation);
            }
        }
    }

    pub(crate) fn set(&self, name: &str) -> EventSet {
        match name {
            "_" => EventSet::full(self.events),
            _ => self.sets.get(name).cloned().unwrap_or_else(|| EventSet::empty(self.events)),
        }
    }

    pub(crate) fn relation(&self, name: &str) -> Relation {
        match name {
            "id" => EventSet::full(self.events).identity(),
            _ => self.relations.get(name).cloned().unwrap_or_else(|| Relation::empty(self.events)),
        }
    }
}
