//! Depth first through all states of a machine: an interpreter's state, and what a memory model adds to it.
//!
//! What comes next from a state: each thread may step, and memory may do something by itself (a store leaves
//! a buffer). Behind a step every thread goes on as long as its next step is invisible to the others, up to
//! `MAX_LOCAL` steps: such steps commute with all that others do, and with what memory does.

use super::answer;
use super::transition::Events;
use super::watchdog::{Watchdog, WatchdogStop};
use crate::contract::inputs::{Choices, Sampling};
use crate::contract::{Answer, Limits, Property, Query, Reason, Remark, Verdict, unchecked_ends};
use interp::{Choice, Inputs, Interp, Next, Observer, State, StepResult, Tid, Violation};
use ir::{InstKind, Span};
use rustc_hash::FxHashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What can happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    Step(Tid),
    /// What a thread has left to memory, by its number.
    Flush(Tid, usize),
}

/// How a step came out.
#[derive(PartialEq, Eq, Debug)]
pub enum Stepped {
    /// The machine has moved.
    Result(StepResult),
    /// What the thread has left to memory must happen first; the machine is as it was.
    MustEmpty,
}

/// The rules of a machine.
pub trait MachineRules: Copy {
    type Machine: Clone;
    /// Is the search of no use behind the first thing that is not modelled?
    const ALL_OR_NOTHING: bool;

    fn interp(&self) -> &Interp<'_>;
    fn initial(&self) -> Self::Machine;
    fn state<'m>(&self, machine: &'m Self::Machine) -> &'m State;
    /// 128 bits of hash.
    fn digest(&self, machine: &mut Self::Machine) -> u128;
    /// What memory may do by itself next, for a thread: nothing, if it holds nothing back.
    fn flushable(&self, _machine: &Self::Machine, _thread: Tid) -> Vec<usize> {
        Vec::new()
    }
    fn flush(&self, _machine: &mut Self::Machine, _thread: Tid, _at: usize) {}
    /// One step of a thread. Unless it `MustEmpty`, `machine` is what it leads to.
    fn step(
        &self,
        machine: &mut Self::Machine,
        thread: Tid,
        inputs: &mut impl Inputs,
        events: &mut Events,
        also: &mut impl Observer,
    ) -> Stepped;
}

/// 128 bits of hash of what a machine has besides the interpreter's state.
pub fn hash(what: &impl Hash) -> u128 {
    let half = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        (seed, what).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(1) << 64 | half(2)
}

/// The instruction that a thread is about to execute.
fn about_to<'a>(
    interp: &'a Interp<'_>,
    state: &State,
    thread: Tid,
) -> Option<(&'a InstKind, Span)> {
    let (func, block, index) = state.frames(thread).next_back()?;
    let block = &interp.program.functions[func.index()].blocks[block.index()];
    block.insts.get(index).map(|inst| (&inst.kind, inst.span))
}

/// The kernel's own fences have a meaning in its own model only.
pub fn kernel_fence(interp: &Interp<'_>, state: &State, thread: Tid) -> Option<StepResult> {
    let what = "a fence of the Linux kernel under this memory model".to_string();
    match about_to(interp, state, thread)? {
        (InstKind::Fence { kernel: Some(_), .. }, span) => {
            Some(StepResult::Unsupported { what, span })
        }
        _ => None,
    }
}

/// Steps of a thread that are done at once, behind one that matters.
const MAX_LOCAL: usize = 512;

/// One thing that happened, with the answers to what it asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WalkMove {
    pub act: Act,
    pub answers: Vec<u64>,
}

pub struct MachineViolation {
    pub what: MachineKind,
    pub moves: Vec<WalkMove>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MachineKind {
    Violation(Violation),
    Deadlock,
}

pub enum WalkEnd {
    Done,
    Found(MachineViolation),
    Stopped(Reason),
}

pub struct Walk<'a, R: MachineRules> {
    rules: R,
    sampling: &'a Sampling,
    property: Property,
    watchdog: Watchdog,
    visited: FxHashSet<u128>,
    pub events: Events,
    pub sampled: Option<(String, Span)>,
    transitions: u64,
    stack: Vec<Pending<R::Machine>>,
    /// By depth: how the state at hand was reached.
    path: Vec<Vec<WalkMove>>,
}

/// A state that is to be looked at.
struct Pending<M> {
    depth: usize,
    machine: M,
    moves: Vec<WalkMove>,
}

/// Where an act leads.
enum ActResult<M> {
    Nowhere,
    State(M, Vec<WalkMove>),
    Violated(Violation, Vec<WalkMove>),
}

impl<'a, R: MachineRules> Walk<'a, R> {
    pub fn new(
        rules: R,
        sampling: &'a Sampling,
        property: Property,
        limits: &Limits,
    ) -> Walk<'a, R> {
        Walk {
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

    /// An answer, with what the walk has met.
    pub fn verdict(self, query: Query<'_>, answer: Answer) -> Verdict {
        let Query { program, property, settings, .. } = query;
        let assumptions = answer::assumptions(program, &self.events, settings.undefined.ends());
        let assumptions = assumptions.into_iter().chain(unchecked_ends(program));
        Verdict {
            assumptions: Remark::sorted(assumptions),
            notes: answer::notes(&self.events),
            stats: vec![
                ("states".into(), self.visited.len() as u64),
                ("transitions".into(), self.transitions),
            ],
            ..Verdict::new(property, answer)
        }
    }

    pub fn run(&mut self) -> WalkEnd {
        let machine = self.rules.initial();
        self.stack.push(Pending { depth: 0, machine, moves: Vec::new() });
        while let Some(Pending { depth, mut machine, moves }) = self.stack.pop() {
            let states = self.visited.len();
            if let Err(stopped) = self.watchdog.look(states * size_of::<u128>() * 2, states) {
                return WalkEnd::Stopped(match stopped {
                    WatchdogStop::Time => Reason::Time,
                    WatchdogStop::Memory => Reason::Memory,
                });
            }
            if R::ALL_OR_NOTHING && !self.events.unsupported.is_empty() {
                break;
            }
            let ended = self.rules.state(&machine).ended();
            if ended || !self.visited.insert(self.rules.digest(&mut machine)) {
                continue;
            }
            self.path.truncate(depth);
            self.path.push(moves);
            if let Some(found) = self.expand(&machine, depth + 1) {
                return WalkEnd::Found(found);
            }
        }
        WalkEnd::Done
    }

    /// Pushes all that follows.
    fn expand(&mut self, machine: &R::Machine, depth: usize) -> Option<MachineViolation> {
        let mut acts: Vec<Act> = Vec::new();
        let state = self.rules.state(machine);
        for thread in state.threads() {
            let ready = self.rules.flushable(machine, thread);
            acts.extend(ready.into_iter().map(|i| Act::Flush(thread, i)));
        }
        acts.extend(state.running().map(Act::Step));
        let mut moved = false;
        for act in acts {
            let mut choices = Choices::new(self.sampling);
            loop {
                choices.rewind();
                match self.reach(machine, act, &mut choices) {
                    ActResult::Nowhere => {}
                    ActResult::State(machine, moves) => {
                        moved = true;
                        self.stack.push(Pending { depth, machine, moves });
                    }
                    ActResult::Violated(violation, moves) => {
                        moved = true;
                        let found = self.found(machine, MachineKind::Violation(violation), moves);
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
        (deadlock && self.rules.interp().deadlocked(self.rules.state(machine)))
            .then(|| self.found(machine, MachineKind::Deadlock, Vec::new()))
            .flatten()
    }

    /// Nothing if values were invented on the way: that is UNKNOWN.
    fn found(
        &mut self,
        machine: &R::Machine,
        what: MachineKind,
        last: Vec<WalkMove>,
    ) -> Option<MachineViolation> {
        if let Some(span) = self.rules.state(machine).invented() {
            self.events.behind_assembly(span);
            return None;
        }
        let moves = self.path.iter().flatten().cloned().chain(last).collect();
        Some(MachineViolation { what, moves })
    }

    fn reach(
        &mut self,
        from: &R::Machine,
        act: Act,
        choices: &mut Choices<'_>,
    ) -> ActResult<R::Machine> {
        self.transitions += 1;
        let mut machine = from.clone();
        let mut moves = Vec::new();
        match act {
            Act::Flush(thread, at) => {
                self.rules.flush(&mut machine, thread, at);
                moves.push(WalkMove { act, answers: Vec::new() });
            }
            Act::Step(thread) => {
                let stepped =
                    self.rules.step(&mut machine, thread, choices, &mut self.events, &mut ());
                moves.push(WalkMove { act, answers: choices.answers().collect() });
                match self.judge(stepped) {
                    JudgedStep::Goes => {}
                    JudgedStep::Nowhere => return ActResult::Nowhere,
                    JudgedStep::Violated(violation) => {
                        return ActResult::Violated(violation, moves);
                    }
                }
            }
        }
        match self.settle(&mut machine, &mut moves) {
            Some(violation) => ActResult::Violated(violation, moves),
            None => ActResult::State(machine, moves),
        }
    }

    fn judge(&mut self, stepped: Stepped) -> JudgedStep {
        let result = match stepped {
            Stepped::MustEmpty => return JudgedStep::Nowhere,
            Stepped::Result(result) => result,
        };
        match result {
            StepResult::Ran | StepResult::Ended | StepResult::ProcessEnded => JudgedStep::Goes,
            StepResult::Blocked => JudgedStep::Nowhere,
            StepResult::Stopped { why, span } => {
                self.events.cut(why, span);
                JudgedStep::Goes
            }
            StepResult::Violation(violation) => JudgedStep::Violated(violation),
            StepResult::Unsupported { what, span } | StepResult::Refused { what, span } => {
                self.events.unsupported(what, span);
                JudgedStep::Nowhere
            }
        }
    }

    /// Does what is invisible to the others, as long as nothing is asked.
    fn settle(&mut self, machine: &mut R::Machine, moves: &mut Vec<WalkMove>) -> Option<Violation> {
        let rules = self.rules;
        for thread in rules.state(machine).running().collect::<Vec<Tid>>() {
            for _ in 0..MAX_LOCAL {
                let state = rules.state(machine);
                let local = rules.interp().next(state, thread) == Next::Local;
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
                if let JudgedStep::Nowhere = judged {
                    break;
                }
                moves.push(WalkMove { act: Act::Step(thread), answers: Vec::new() });
                if let JudgedStep::Violated(violation) = judged {
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

enum JudgedStep {
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
