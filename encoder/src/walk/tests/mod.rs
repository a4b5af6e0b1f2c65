//! Facts about the encodings of small C programs.
//!
//! `reached` asks the brute-force judge of `testing`, which tries all values and all linearizations
//! of nodes: it takes programs of a few events whose values need few bits.

mod deadlocks;
mod memory;
mod races;
mod sequential;
mod threads;

use crate::event::*;
use crate::term::{Op, Term};
use crate::testing::goals_reached;
use crate::testing::source::encoded;
use crate::{Encoding, reads_from};
use std::collections::BTreeSet;

impl GoalKind {
    fn word(&self) -> &'static str {
        match self {
            GoalKind::Error(..) => "error",
            GoalKind::Bound(_) => "bound",
            GoalKind::Unsupported(_) => "unsupported",
            GoalKind::InvalidAccess(_) => "invalid",
            GoalKind::Assembly => "assembly",
            GoalKind::Chance => "chance",
            GoalKind::LargeBlock => "large",
        }
    }
}

/// The kinds of goals that some execution reaches.
fn reached(text: &str) -> Vec<&'static str> {
    reached_in(encoded(text))
}

fn reached_in(mut encoding: Encoding) -> Vec<&'static str> {
    reads_from::candidates(&mut encoding);
    let bits = variable_bits(&encoding);
    assert!(bits <= 17, "{bits} bits: {}", crate::print::encoding(&encoding));
    let sets = goals_reached(&encoding);
    assert!(!sets.is_empty(), "no execution: {}", crate::print::encoding(&encoding));
    let mut out = BTreeSet::new();
    for set in sets {
        let held = encoding.goals.iter().zip(set).filter(|(_, held)| *held);
        out.extend(held.map(|(goal, _)| goal.kind.word()));
    }
    out.into_iter().collect()
}

/// What the judge has to try.
fn variable_bits(e: &Encoding) -> u32 {
    let mut stack: Vec<Term> = e.events.iter().flat_map(|v| [v.guard, v.value]).collect();
    stack.extend(e.goals.iter().map(|g| g.guard).chain(e.facts.iter().copied()));
    stack.extend(e.waits.iter().map(|w| w.0));
    let mut seen = BTreeSet::new();
    let mut bits = 0;
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            bits += if matches!(e.pool.op(t), Op::Var(_)) { u32::from(e.pool.width(t)) } else { 0 };
            e.pool.operands(t, |o| stack.push(o));
        }
    }
    bits
}

/// The error is reached in some execution, and nothing else but errors is.
#[track_caller]
fn fails(text: &str) {
    assert_eq!(reached(text), ["error"]);
}

#[track_caller]
fn safe(text: &str) {
    assert_eq!(reached(text), [""; 0]);
}

fn events(e: &Encoding, kind: EventKind, name: &str) -> Vec<Event> {
    let named = |event: &&Event| event.kind == kind && e.cells[event.cell.index()].name == name;
    e.events.iter().filter(named).cloned().collect()
}

fn reads(e: &Encoding, name: &str) -> Vec<Event> {
    events(e, EventKind::Read, name)
}

/// Without the first value.
fn writes(e: &Encoding, name: &str) -> Vec<Event> {
    events(e, EventKind::Write, name).into_iter().filter(|w| w.node != NodeId(0)).collect()
}

fn goals<'a>(e: &'a Encoding, word: &str) -> Vec<&'a Goal> {
    e.goals.iter().filter(|g| g.kind.word() == word).collect()
}

/// What a term is, if it is constant.
#[track_caller]
fn constant(e: &Encoding, t: Term) -> u64 {
    match e.pool.constant(t) {
        Some(k) => k,
        None => panic!("{} is not constant", crate::print::term(&e.pool, t)),
    }
}

/// A program of one thread `t`, started by main, which goes on with `main` and joins.
fn two(globals: &str, thread: &str, main: &str) -> String {
    format!(
        "{globals}
        void *t(void *arg) {{ {thread} return 0; }}
        int main(void) {{
            pthread_t id;
            pthread_create(&id, 0, t, 0);
            {main}
        }}"
    )
}
