//! Depth first through all states of a machine with store buffers.
//!
//! What comes next from a state: each thread may step, and each buffer may give up an entry that is ready.
//! Behind a step every thread goes on as long as its next step is invisible to the others, up to
//! `MAX_LOCAL` steps: such steps commute with all that others do, and with what leaves its own buffer, since it
//! sees its own stores in either case.

use super::super::transition::Events;
use super::super::watchdog::{Stopped, Watchdog};
use super::machine::{Act, BufferRules, Machine, Stepped};
use crate::contract::inputs::{Choices, Sampling};
use crate::contract::{Limits, Property, Reason};
use interp::{Choice, Inputs, Next, StepResult, Tid, Violation};
use ir::Span;
use rustc_hash::FxHashSet;

/// Steps of a thread that are done at once, behind one that matters.
const MAX_LOCAL: usize = 512;

/// One thing that happened, with the answers to what it asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    pub act: Act,
    pub answers: Vec<u64>,
}

pub struct BufferedViolation {
    pub what: BufferedKind,
    pub moves: Vec<Move>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BufferedKind {
    Violation(Violation),
    Deadlock,
}

pub enum Ended {
    Done,
    Found(BufferedViolation),
    Stopped(Reason),
}

pub struct Search<'a> {
    rules: BufferRules<'a>,
    sampling: &'a Sampling,
    property: Property,
    watchdog: Watchdog,
    visited: FxHashSet<u128>,
    pub events: Events,
    pub sampled: Option<(String, Span)>,
    pub transitions: u64,
    stack: Vec<Pending>,
    /// By depth: how the state at hand was reached.
    path: Vec<Vec<Move>>,
}

/// A state that is to be looked at.
struct Pending {
    depth: usize,
    machine: Machine,
    moves: Vec<Move>,
}

/// Where an act leads.
enum Reached {
    Nowhere,
    State(Machine, Vec<Move>),
    Violated(Violation, Vec<Move>),
}

impl<'a> Search<'a> {
    pub fn new(
        rules: BufferRules<'a>,
        sampling: &'a Sampling,
        property: Property,
        limits: &Limits,
    ) -> Search<'a> {
        Search {
            rules,
            sampling,
            property,
            watchdog: Watchdog::new(limits),
            visited: FxHashSet::default(),
            events: Events::default(),
            sampled: None,
            transitions: 0,
            stack: Vec::new(),
            path: Vec::new(),
        }
    }

    pub fn states(&self) -> usize {
        self.visited.len()
    }

    pub fn run(&mut self) -> Ended {
        let machine = Machine::new(self.rules.interp.initial());
        self.stack.push(Pending { depth: 0, machine, moves: Vec::new() });
        while let Some(Pending { depth, mut machine, moves }) = self.stack.pop() {
            let states = self.visited.len();
            if let Err(stopped) = self.watchdog.look(states * size_of::<u128>() * 2, states) {
                return Ended::Stopped(match stopped {
                    Stopped::Time => Reason::Time,
                    Stopped::Memory => Reason::Memory,
                });
            }
            if machine.state.ended() || !self.visited.insert(machine.digest(self.rules.interp)) {
                continue;
            }
            self.path.truncate(depth);
            self.path.push(moves);
            if let Some(found) = self.expand(&machine, depth + 1) {
                return Ended::Found(found);
            }
        }
        Ended::Done
    }

    /// Pushes all that follows.
    fn expand(&mut self, machine: &Machine, depth: usize) -> Option<BufferedViolation> {
        let mut acts: Vec<Act> = Vec::new();
        for thread in machine.state.threads() {
            let ready = self.rules.ready(machine.buffer(thread));
            acts.extend(ready.into_iter().map(|i| Act::Flush(thread, i)));
        }
        acts.extend(machine.state.running().map(Act::Step));
        let mut moved = false;
        for act in acts {
            let mut choices = Choices::new(self.sampling);
            loop {
                choices.rewind();
                match self.reach(machine, act, &mut choices) {
                    Reached::Nowhere => {}
                    Reached::State(machine, moves) => {
                        moved = true;
                        self.stack.push(Pending { depth, machine, moves });
                    }
                    Reached::Violated(violation, moves) => {
                        moved = true;
                        let found = self.found(machine, BufferedKind::Violation(violation), moves);
                        if found.is_some() {
                            return found;
                        }
                    }
                }
                if let Some(sample) = &choices.sampled {
                    self.sampled.get_or_insert_with(|| sample.clone());
                }
                if !choices.advance() {
                    break;
                }
            }
        }
        let deadlock = self.property == Property::NoDeadlock && !moved;
        (deadlock && self.rules.interp.deadlocked(&machine.state))
            .then(|| self.found(machine, BufferedKind::Deadlock, Vec::new()))
            .flatten()
    }

    /// Nothing if values were invented on the way: that is UNKNOWN.
    fn found(
        &mut self,
        machine: &Machine,
        what: BufferedKind,
        last: Vec<Move>,
    ) -> Option<BufferedViolation> {
        if let Some(span) = machine.state.invented() {
            self.events.behind_assembly(span);
            return None;
        }
        let moves = self.path.iter().flatten().cloned().chain(last).collect();
        Some(BufferedViolation { what, moves })
    }

    fn reach(&mut self, from: &Machine, act: Act, choices: &mut Choices<'_>) -> Reached {
        self.transitions += 1;
        let mut machine = from.clone();
        let mut moves = Vec::new();
        match act {
            Act::Flush(thread, at) => {
                self.rules.flush(&mut machine, thread, at);
                moves.push(Move { act, answers: Vec::new() });
            }
            Act::Step(thread) => {
                let stepped =
                    self.rules.step(&mut machine, thread, choices, &mut self.events, &mut ());
                moves.push(Move { act, answers: choices.answers().collect() });
                match self.judge(stepped) {
                    Judged::Goes => {}
                    Judged::Nowhere => return Reached::Nowhere,
                    Judged::Violated(violation) => return Reached::Violated(violation, moves),
                }
            }
        }
        match self.settle(&mut machine, &mut moves) {
            Some(violation) => Reached::Violated(violation, moves),
            None => Reached::State(machine, moves),
        }
    }

    fn judge(&mut self, stepped: Stepped) -> Judged {
        let result = match stepped {
            Stepped::MustEmpty => return Judged::Nowhere,
            Stepped::Result(result) => result,
        };
        match result {
            StepResult::Ran | StepResult::Ended | StepResult::ProcessEnded => Judged::Goes,
            StepResult::Blocked => Judged::Nowhere,
            StepResult::Stopped { why, span } => {
                self.events.cut(why, span);
                Judged::Goes
            }
            StepResult::Violation(violation) => Judged::Violated(violation),
            StepResult::Unsupported { what, span } | StepResult::Refused { what, span } => {
                self.events.unsupported(what, span);
                Judged::Nowhere
            }
        }
    }

    /// Does what is invisible to the others, as long as nothing is asked.
    fn settle(&mut self, machine: &mut Machine, moves: &mut Vec<Move>) -> Option<Violation> {
        for thread in machine.state.running().collect::<Vec<Tid>>() {
            for _ in 0..MAX_LOCAL {
                let state = &machine.state;
                let local = self.rules.interp.next(state, thread) == Next::Local
                    && !self.rules.is_fence(state, thread);
                if !local || state.ended() {
                    break;
                }
                let mut next = machine.clone();
                let mut mute = Mute { asked: false };
                let stepped =
                    self.rules.step(&mut next, thread, &mut mute, &mut self.events, &mut ());
                if mute.asked || stepped == Stepped::MustEmpty {
                    break;
                }
                let end = matches!(stepped, Stepped::Result(StepResult::Stopped { .. }));
                let judged = self.judge(stepped);
                if let Judged::Nowhere = judged {
                    break;
                }
                moves.push(Move { act: Act::Step(thread), answers: Vec::new() });
                if let Judged::Violated(violation) = judged {
                    return Some(violation);
                }
                *machine = next;
                if end {
                    break;
                }
            }
        }
        None
    }
}

enum Judged {
    Goes,
    Nowhere,
    Violated(Violation),
}

/// Answers nothing, and remembers that it was asked.
struct Mute {
    asked: bool,
}

impl Inputs for Mute {
    fn choose(&mut self, _: &Choice<'_>) -> Option<u64> {
        self.asked = true;
        None
    }
}
