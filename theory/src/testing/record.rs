//! A theory that writes down what it is told.
//!
//! A host that misbehaves with the theory, or finds the theory misbehaving, runs with a `Recorder`
//! in its place: same calls, and afterwards a script that replays against the reference and
//! shrinks. The names in the script are the theory's own numbers.

use super::script::{Script, Step};
use crate::types::*;
use crate::{Config, Conflict, Theory};
use std::ops::Deref;

/// Forwards every call and remembers it. Questions go through `Deref`.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    theory: Theory,
    script: Script,
}

impl Deref for Recorder {
    type Target = Theory;
    fn deref(&self) -> &Theory {
        &self.theory
    }
}

#[allow(missing_docs, reason = "each is the theory's own call")]
impl Recorder {
    pub fn new(config: Config) -> Self {
        Self { theory: Theory::new(config), script: Script::default() }
    }

    /// What was called so far.
    pub fn script(&self) -> &Script {
        &self.script
    }

    fn note(&mut self, step: Step) {
        self.script.0.push(step);
    }

    pub fn add_chain(&mut self) -> Chain {
        self.theory.add_chain() // a script makes a chain with its first node
    }

    pub fn add_node(&mut self, chain: Chain) -> Node {
        let node = self.theory.add_node(chain);
        self.note(Step::Node { name: node.0, chain: chain.0 });
        node
    }

    pub fn insert_node_after(&mut self, other: Node) -> Node {
        let node = self.theory.insert_node_after(other);
        self.note(Step::After { name: node.0, node: other.0 });
        node
    }

    pub fn add_write(&mut self, node: Node, cell: Cell, guard: Option<Lit>) -> Write {
        let write = self.theory.add_write(node, cell, guard);
        self.note(Step::Write { name: write.0, node: node.0, cell: cell.0, guard });
        write
    }

    pub fn add_read(&mut self, node: Node, cell: Cell) -> Read {
        let read = self.theory.add_read(node, cell);
        self.note(Step::Read { name: read.0, node: node.0, cell: cell.0 });
        read
    }

    pub fn add_alias(&mut self, write: Write, read: Read, lit: Lit) {
        self.note(Step::Alias { write: write.0, read: read.0, lit });
        self.theory.add_alias(write, read, lit);
    }

    pub fn add_edge(&mut self, from: Node, to: Node) {
        self.note(Step::Edge { from: from.0, to: to.0 });
        self.theory.add_edge(from, to);
    }

    pub fn add_rf(&mut self, lit: Lit, write: Write, read: Read) {
        self.note(Step::Rf { lit, write: write.0, read: read.0 });
        self.theory.add_rf(lit, write, read);
    }

    pub fn add_before(&mut self, lit: Lit, from: Node, to: Node) {
        self.note(Step::Before { lit, from: from.0, to: to.0 });
        self.theory.add_before(lit, from, to);
    }

    pub fn add_apart(&mut self, lit: Lit, from: Node, to: Node) {
        self.note(Step::Apart { lit, from: from.0, to: to.0 });
        self.theory.add_apart(lit, from, to);
    }

    pub fn push(&mut self) {
        self.note(Step::Push);
        self.theory.push();
    }

    pub fn assign(&mut self, lit: Lit) {
        self.note(Step::Assign(lit));
        self.theory.assign(lit);
    }

    pub fn assign_for_ever(&mut self, lit: Lit) {
        self.note(Step::ForEver(lit));
        self.theory.assign_for_ever(lit);
    }

    pub fn propagate(&mut self) -> Result<(), Conflict> {
        self.note(Step::Propagate);
        self.theory.propagate()
    }

    pub fn backtrack(&mut self, level: usize) {
        self.note(Step::Back(level as u32));
        self.theory.backtrack(level);
    }

    pub fn next_implied(&mut self) -> Option<Lit> {
        self.theory.next_implied()
    }

    pub fn explain(&mut self, lit: Lit) -> Option<Vec<Lit>> {
        self.theory.explain(lit)
    }
}
