//! One transition: a visible operation of one thread, then all invisible steps.
//!
//! After the visible operation every thread runs on for as long as its next step is *invisible*: it
//! commutes with all that any other thread can ever do, so only one order needs to be looked at.
//! Which steps are invisible is decided by `invisible.rs`. What is explored are thus the states in
//! which every thread is about to do something visible.
//!
//! Invisible steps are cut off after `MAX_INVISIBLE`; the state in between is then stored like any
//! other and all threads are tried from there. So a thread that runs invisibly for ever closes a
//! cycle of stored states, and the others are not forgotten over it. They are also cut off after a
//! choice, so that paths that meet again are followed once and not once per combination of answers.

use super::eager::{Eager, Refuted, Role, WindowStep, Windows};
use super::footprint::Footprint;
use super::invisible::{Invisible, Visibility};
use super::sleep::Sleep;
use super::touched::TouchedBytes;
use super::watch::{UndefinedAccess, Watch};
use crate::contract::inputs::Choices;
use analysis::address_bits::Peek;
use interp::{Cut, Interp, RaceMonitor, State, StepResult, Tid, Violation};
use ir::{FuncId, Span};

/// A state, with what was observed on the way to it where that matters.
#[derive(Clone)]
pub struct World {
    pub state: State,
    /// For races.
    pub monitor: Option<RaceMonitor>,
    /// Where accesses are eager.
    pub windows: Option<Windows>,
}

impl World {
    pub fn digest(&mut self, interp: &Interp<'_>) -> u128 {
        let state = interp.digest(&mut self.state);
        let monitor = self.monitor.as_mut().map_or(0, |monitor| monitor.digest().rotate_left(59));
        let windows = self.windows.as_ref().map_or(0, |windows| windows.digest().rotate_left(31));
        state ^ monitor ^ windows
    }

    /// The same without static memory; needs: no monitor, `digest` was asked for before.
    pub fn digest_without_statics(&mut self, interp: &Interp<'_>) -> u128 {
        let state = interp.digest_without_statics(&mut self.state);
        state ^ self.windows.as_ref().map_or(0, |windows| windows.digest().rotate_left(31))
    }
}

/// Some steps of one thread in a row, with the answers that they got.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    pub thread: Tid,
    pub steps: u32,
    pub answers: Vec<u64>,
}

/// How a transition came out.
pub enum TransitionEnd {
    /// The thread cannot move.
    Blocked,
    Goes,
    Violation(Violation),
    /// The race monitor has seen one.
    Race,
    /// Not modelled, at the visible operation itself.
    Unsupported,
    /// The invisible steps were not all done at once.
    Cut,
    /// The guess of what is eager is wrong.
    Refuted(Refuted),
}

/// What became of a world.
pub struct Transition {
    pub end: TransitionEnd,
    /// Of the visible operation.
    pub footprint: Footprint,
    /// Of the eager accesses after it.
    pub eager: Footprint,
    /// Of all steps, if that is asked for.
    pub touched: TouchedBytes,
    pub moves: Vec<Move>,
    pub steps: u64,
}

/// What is met on the way and matters to the verdict.
#[derive(Default)]
pub struct Events {
    pub cuts: Vec<(Cut, Span)>,
    pub assumed: Vec<(FuncId, Span)>,
    pub invalid: Vec<UndefinedAccess>,
    pub peeks: Vec<(FuncId, Peek, Span)>,
    pub unsupported: Vec<(String, Span)>,
}

impl Events {
    /// An execution was cut off.
    pub fn cut(&mut self, why: Cut, span: Span) {
        note(&mut self.cuts, (why, span));
    }

    pub fn unsupported(&mut self, what: String, span: Span) {
        note(&mut self.unsupported, (what, span));
    }

    /// A violation that is none, since inline assembly was run before.
    pub fn behind_assembly(&mut self, span: Span) {
        note(&mut self.unsupported, (interp::BEHIND_ASSEMBLY.into(), span));
    }
}

/// Invisible steps in one transition. A thread that spins invisibly costs this much each time another
/// one moves; a long invisible run costs a stored state each time.
const MAX_INVISIBLE: u64 = 512;

#[derive(Clone, Copy)]
pub struct Runner<'a> {
    pub interp: &'a Interp<'a>,
    pub invisible: &'a Invisible<'a>,
    pub eager: Option<&'a Eager>,
    /// The end of the process depends on everything (leaks are looked for).
    pub exit_matters: bool,
    /// Say what each transition reads and writes.
    pub touched: bool,
}

impl Runner<'_> {
    /// Runs one transition. Needs: `choices` rewound. Gives: the world after it; `sleep` without
    /// the threads that invisibly moved (the caller wakes those that the visible operation concerns).
    pub fn run(
        &self,
        from: &World,
        thread: Tid,
        choices: &mut Choices<'_>,
        sleep: &mut Sleep,
        events: &mut Events,
    ) -> (World, Transition) {
        let mut world = from.clone();
        let mut run = TransitionRun::new(self, &mut world, choices, events, u64::MAX);
        let mut end = run.visible(thread, sleep);
        if let Some(steps) = run.unsupported_after.filter(|&steps| steps > 0) {
            // A invisible step is not modelled: stop before it, so that the others can go on.
            world = from.clone();
            choices.rewind();
            run = TransitionRun::new(self, &mut world, choices, events, steps);
            end = run.visible(thread, sleep);
        }
        let transition = run.done(end);
        (world, transition)
    }

    /// The invisible steps that there are at the very beginning.
    pub fn start(
        &self,
        from: &World,
        choices: &mut Choices<'_>,
        events: &mut Events,
    ) -> (World, Transition) {
        let mut world = from.clone();
        let mut run = TransitionRun::new(self, &mut world, choices, events, u64::MAX);
        let mut end = run.settle(&mut Sleep::default());
        if let Some(steps) = run.unsupported_after.filter(|&steps| steps > 0) {
            world = from.clone();
            choices.rewind();
            run = TransitionRun::new(self, &mut world, choices, events, steps);
            end = run.settle(&mut Sleep::default());
        }
        let transition = run.done(end);
        (world, transition)
    }
}

/// A transition in the making.
struct TransitionRun<'r, 's> {
    runner: &'r Runner<'r>,
    world: &'r mut World,
    choices: &'r mut Choices<'s>,
    events: &'r mut Events,
    footprint: Footprint,
    eager: Footprint,
    touched: TouchedBytes,
    moves: Vec<Move>,
    steps: u64,
    /// Go no further than this.
    limit: u64,
    unsupported_after: Option<u64>,
}

/// What to do after a step.
enum Then {
    GoOn,
    /// The thread will not move any more now.
    NextThread,
    Stop(TransitionEnd),
}

impl<'r, 's> TransitionRun<'r, 's> {
    fn new(
        runner: &'r Runner<'r>,
        world: &'r mut World,
        choices: &'r mut Choices<'s>,
        events: &'r mut Events,
        limit: u64,
    ) -> TransitionRun<'r, 's> {
        let (footprint, eager) = (Footprint::default(), Footprint::default());
        let (moves, steps) = (Vec::new(), 0);
        let unsupported_after = None;
        TransitionRun {
            runner,
            world,
            choices,
            events,
            footprint,
            eager,
            touched: TouchedBytes::default(),
            moves,
            steps,
            limit,
            unsupported_after,
        }
    }

    fn done(self, end: TransitionEnd) -> Transition {
        let TransitionRun { footprint, eager, touched, moves, steps, .. } = self;
        Transition { end, footprint, eager, touched, moves, steps }
    }

    fn visible(&mut self, thread: Tid, sleep: &mut Sleep) -> TransitionEnd {
        let kind = match self.runner.eager {
            None => Visibility::Visible,
            Some(_) => self.kind(thread),
        };
        let then = self.step(thread, kind, true);
        match then {
            Then::Stop(end) => end,
            Then::NextThread if self.steps == 0 => TransitionEnd::Blocked,
            Then::GoOn | Then::NextThread => self.settle(sleep),
        }
    }

    /// Runs invisible steps until there are none.
    fn settle(&mut self, sleep: &mut Sleep) -> TransitionEnd {
        loop {
            let before = self.steps;
            let threads: Vec<Tid> = self.world.state.running().collect();
            for thread in threads {
                let moved = self.steps;
                if let Then::Stop(end) = self.invisible_steps(thread, sleep) {
                    return end;
                }
                if self.steps > moved {
                    sleep.wake_thread(thread.index());
                }
            }
            if self.steps == before || self.world.state.ended() {
                return TransitionEnd::Goes;
            }
        }
    }

    fn invisible_steps(&mut self, thread: Tid, sleep: &mut Sleep) -> Then {
        loop {
            let kind = self.kind(thread);
            if kind == Visibility::Visible && !self.is_eager(thread) {
                return Then::NextThread;
            }
            if self.steps >= MAX_INVISIBLE.min(self.limit) {
                sleep.clear();
                return Then::Stop(if self.steps >= self.limit {
                    TransitionEnd::Goes
                } else {
                    TransitionEnd::Cut
                });
            }
            let asked = self.choices.asked();
            let then = self.step(thread, kind, false);
            if !matches!(then, Then::GoOn) {
                return then;
            }
            if self.choices.asked() > asked {
                return Then::Stop(TransitionEnd::Cut);
            }
        }
    }

    fn kind(&self, thread: Tid) -> Visibility {
        self.runner.invisible.kind(self.runner.interp, &self.world.state, thread)
    }

    /// Is it so by the guess?
    fn is_eager(&self, thread: Tid) -> bool {
        let step = |eager: &Eager| eager.step(&self.world.state, thread, Visibility::Visible);
        self.runner.eager.and_then(step).is_some_and(|step| step.role == Role::Eager)
    }

    /// Enters what a step has done into the windows, and keeps it for those who sleep or wait.
    fn enter(
        &mut self,
        step: Option<WindowStep>,
        did: Footprint,
        visible: bool,
    ) -> Result<(), Refuted> {
        let entered = match (&mut self.world.windows, step) {
            (Some(windows), Some(step)) => windows.enter(&self.world.state, step, &did),
            _ => Ok(()),
        };
        match (visible, step.map(|step| step.role)) {
            (true, _) => self.footprint = did,
            (false, Some(Role::Eager)) => self.eager.absorb(&did),
            _ => {}
        }
        entered
    }

    /// Only the visible operation leaves a footprint: other invisible steps than eager ones conflict
    /// with none.
    fn step(&mut self, thread: Tid, kind: Visibility, visible: bool) -> Then {
        let asked = self.choices.asked();
        let step = self.runner.eager.and_then(|eager| eager.step(&self.world.state, thread, kind));
        let World { state, monitor, .. } = &mut *self.world;
        let (mut invalid, mut peeks) = (Vec::new(), Vec::new());
        let mut did = (visible || step.is_some()).then(Footprint::default);
        let mut watch = Watch {
            footprint: did.as_mut(),
            monitor: monitor.as_mut(),
            touched: self.runner.touched.then_some((self.runner.interp, &mut self.touched)),
            assumed: &mut self.events.assumed,
            invalid: &mut invalid,
            peeks: &mut peeks,
        };
        let result = self.runner.interp.step(state, thread, self.choices, &mut watch);
        self.touched.step_done();
        let entered = did.map_or(Ok(()), |did| self.enter(step, did, visible));
        if let (Err(refuted), false) = (entered, matches!(result, StepResult::Violation(_))) {
            return Then::Stop(TransitionEnd::Refuted(refuted));
        }
        if result == StepResult::Blocked {
            return Then::NextThread;
        }
        for met in invalid {
            let span = self.place(thread, met.span);
            // One of a kind per place: offsets may differ without end.
            let known = |m: &UndefinedAccess| (m.span, m.access) == (span, met.access);
            if !self.events.invalid.iter().any(known) {
                self.events.invalid.push(UndefinedAccess { span, ..met });
            }
        }
        for (func, peek, span) in peeks {
            let span = self.place(thread, span);
            note(&mut self.events.peeks, (func, peek, span));
        }
        self.record(thread, asked);
        if self.world.monitor.as_ref().is_some_and(|monitor| monitor.race().is_some()) {
            return Then::Stop(TransitionEnd::Race);
        }
        match result {
            StepResult::Ran => Then::GoOn,
            StepResult::Blocked | StepResult::Ended => Then::NextThread,
            StepResult::Stopped { why, span } => {
                let place = self.place(thread, span);
                note(&mut self.events.cuts, (why, place));
                Then::NextThread
            }
            StepResult::ProcessEnded => {
                self.footprint.total |= self.runner.exit_matters;
                Then::NextThread
            }
            StepResult::Violation(violation) => Then::Stop(TransitionEnd::Violation(violation)),
            StepResult::Unsupported { what, span } | StepResult::Refused { what, span } => {
                let place = self.place(thread, span);
                note(&mut self.events.unsupported, (what, place));
                self.unsupported_after = Some(self.steps - 1);
                Then::Stop(TransitionEnd::Unsupported)
            }
        }
    }

    /// For readers, what happens inside of a library model happens at its call.
    fn place(&self, thread: Tid, span: Span) -> Span {
        let call = self.runner.interp.caller_of_model(&self.world.state, thread);
        call.map_or(span, |(_, call)| call)
    }

    fn record(&mut self, thread: Tid, asked: usize) {
        self.steps += 1;
        let answers = self.choices.answers().skip(asked);
        match self.moves.last_mut().filter(|last| last.thread == thread) {
            Some(last) => {
                last.steps += 1;
                last.answers.extend(answers);
            }
            None => self.moves.push(Move { thread, steps: 1, answers: answers.collect() }),
        }
    }
}

fn note<T: PartialEq>(all: &mut Vec<T>, item: T) {
    if !all.contains(&item) {
        all.push(item);
    }
}
