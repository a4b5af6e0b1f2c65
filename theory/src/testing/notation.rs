//! Orders as text: `check("w1 -rf-> r1 -fr-> w2 -po-> w1", Expect::Cycle)`.
//!
//! A text is a list of lines separated by `;`, each a walk over events. An event starts with `w`
//! (write), `r` (read) or `u` (atomic update: a read and a write in one node); a suffix `.y` names
//! its cell (`x` if absent) and a `?` behind a write leaves its guard open. Steps:
//!
//! - `-po->`: static order;
//! - `-rf->`, `-ws->`, `-fr->`: the literal is there and true (ws and fr as plain order literals);
//! - `-rf?->`, `-ws?->`: the literal is there and open.

use crate::types::*;
use crate::{Conflict, Theory};
use std::collections::BTreeMap;

/// What a text should give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect<'a> {
    /// A conflict.
    Cycle,
    /// No conflict, and this pair, written `a < b`, is ordered.
    Order(&'a str),
    /// No conflict, and this pair is not ordered this way.
    NoOrder(&'a str),
    /// The open literal, written as in the text (`w1 -rf?-> r1`, or `w2?` for a guard), is denied.
    Denied(&'a str),
    /// It is not.
    Open(&'a str),
}

/// Builds the text, propagates, compares. Panics with the text if the answer is another one.
pub fn check(text: &str, expect: Expect) {
    let mut scene = Scene::new(text);
    let result = scene.theory.propagate();
    assert!(scene.meets(expect, result), "{text}: not {expect:?}");
}

#[derive(Default)]
struct Scene {
    theory: Theory,
    events: BTreeMap<String, Event>,
    open: BTreeMap<String, Lit>, // open literals by their text
    vars: u32,
}

#[derive(Clone, Copy)]
struct Event {
    node: Node,
    write: Option<Write>,
    read: Option<Read>,
}

impl Scene {
    fn new(text: &str) -> Self {
        let mut scene = Self::default();
        for line in text.split(';') {
            let words: Vec<&str> = line.split_whitespace().collect();
            if let [only] = words[..] {
                scene.event(only);
            }
            for step in words.windows(3).step_by(2) {
                scene.step(step[0], step[1], step[2]);
            }
        }
        scene
    }

    fn step(&mut self, from: &str, arrow: &str, to: &str) {
        let (a, b) = (self.event(from), self.event(to));
        if arrow == "-po->" {
            self.theory.add_edge(a.node, b.node);
            return;
        }
        let lit = self.fresh();
        match (arrow.trim_end_matches("?->").trim_end_matches("->"), a.write, b.read) {
            ("-rf", Some(write), Some(read)) => self.theory.add_rf(lit, write, read),
            ("-ws" | "-fr", ..) => self.theory.add_before(lit, a.node, b.node),
            _ => panic!("no such step: {from} {arrow} {to}"),
        }
        if arrow.ends_with("?->") {
            self.open.insert(format!("{from} {arrow} {to}"), lit);
        } else {
            self.theory.assign(lit);
        }
    }

    fn event(&mut self, word: &str) -> Event {
        let name = word.trim_end_matches('?');
        if let Some(event) = self.events.get(name) {
            return *event;
        }
        let cell = name.split_once('.').map_or("x", |(_, cell)| cell);
        let cell = Cell(cell.bytes().map(u32::from).sum::<u32>());
        let chain = self.theory.add_chain();
        let node = self.theory.add_node(chain);
        let guard = word.ends_with('?').then(|| self.fresh());
        if let Some(guard) = guard {
            self.open.insert(word.to_string(), guard);
        }
        let read = name.starts_with(['r', 'u']).then(|| self.theory.add_read(node, cell));
        let writes = name.starts_with(['w', 'u']);
        let write = writes.then(|| self.theory.add_write(node, cell, guard));
        let event = Event { node, write, read };
        self.events.insert(name.to_string(), event);
        event
    }

    fn fresh(&mut self) -> Lit {
        self.vars += 1;
        Lit::positive(self.vars)
    }

    fn meets(&mut self, expect: Expect, result: Result<(), Conflict>) -> bool {
        match expect {
            Expect::Cycle => result.is_err(),
            Expect::Order(pair) => result.is_ok() && self.ordered(pair),
            Expect::NoOrder(pair) => result.is_ok() && !self.ordered(pair),
            Expect::Denied(lit) => result.is_ok() && self.denied(lit),
            Expect::Open(lit) => result.is_ok() && !self.denied(lit),
        }
    }

    fn ordered(&self, pair: &str) -> bool {
        let ends = pair.split_once(" < ").unwrap_or((pair, pair));
        self.theory.before(self.events[ends.0].node, self.events[ends.1].node)
    }

    fn denied(&self, lit: &str) -> bool {
        self.theory.implied.iter().any(|implied| implied.lit == !self.open[lit])
    }
}
