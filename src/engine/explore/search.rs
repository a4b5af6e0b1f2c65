//! Depth-first search through all states, with an explicit stack.
//!
//! A frame is a state whose transitions are being tried: first the thread that moved last (so that
//! counterexamples switch rarely), then the others, and for each thread all answers to its choices.
//! A thread that is done goes to sleep for the rest of the frame. A state that was seen before is
//! entered again only for the threads that slept on all earlier visits.
//!
//! Invariant: the concatenated `moves` of the stack lead from the initial state to the top frame.
//! A frame gives its state away with its last transition, so a long path costs little memory.

use super::counterexample;
use super::eager::Refuted;
use super::first_path::FirstPath;
use super::footprint::Footprint;
use super::race;
use super::relevant::{Arrival, Explored, OpenState};
use super::sleep::{Sleep, ThreadSet};
use super::transition::{Events, Move, Runner, Transition, TransitionEnd, World};
use super::visited::{Visit, Visited};
use super::watchdog::{Watchdog, WatchdogStop};
use crate::contract::components::Components;
use crate::contract::hang::{self, Follows};
use crate::contract::inputs::{Choices, Sampling};
use interp::{Access, Next, ScheduleStep, State, Tid, Violation};
use ir::Span;
use std::rc::Rc;

/// A violation, and how to get there.
pub struct FoundViolation {
    pub what: FoundKind,
    pub moves: Vec<Move>,
}

pub enum FoundKind {
    Violation(Violation),
    Deadlock,
    /// With the path from where the search has found that no thread gets out.
    Livelock(Vec<ScheduleStep>),
    /// The monitor saw it at the last step.
    Race,
    /// Both are the next operations of these threads.
    Adjacent([(Tid, Access); 2]),
}

/// As many states as a search has to look at before it proves something, if it only samples.
const NEVER: Option<u64> = Some(u64::MAX);

pub enum SearchOutcome {
    /// Everything was explored.
    Done,
    Found(FoundViolation),
    Stopped(WatchdogStop),
    /// The guess of what is eager is wrong.
    Refuted(Refuted),
    /// There are more states than this search was meant for.
    Large,
    /// Hardly any state differs from others only in what is never read.
    AllRelevant,
}

/// Which states are violations by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    pub deadlock: bool,
    pub adjacent: bool,
    /// States that are never left matter.
    pub livelock: bool,
}

#[derive(Clone, Default, Debug)]
pub struct Stats {
    pub transitions: u64,
    /// Instructions and atomic blocks.
    pub steps: u64,
    pub max_depth: u64,
    /// Arrivals at a state that was seen before.
    pub revisits: u64,
    /// Transitions that were not tried because their thread slept.
    pub slept: u64,
    /// Runs beyond the first of a transition, for other answers.
    pub alternatives: u64,
}

pub struct Search<'a> {
    pub runner: Runner<'a>,
    pub sampling: &'a Sampling,
    pub look: Look,
    pub sleeping: bool,
    pub watchdog: Watchdog,
    /// Give up at more states.
    pub quota: usize,
    pub visited: Visited,
    /// Where states that differ in nothing relevant count as one. Needs: no sleeping threads.
    pub explored: Option<Explored>,
    pub events: Events,
    pub sampled: Option<(String, Span)>,
    pub stats: Stats,
    /// Where livelocks are looked for.
    pub components: Option<Components>,
    /// A set of states was too large to say whether it is a livelock.
    pub unclear: bool,
    stack: Vec<Frame<'a>>,
    first_path: FirstPath,
    /// How much of what is not modelled was told.
    told: usize,
}

struct Frame<'a> {
    /// Taken by the last transition.
    world: Option<World>,
    sleep: Sleep,
    /// Threads whose next operation is blocked, with what they are waiting for: trying them again
    /// is of no use before that changes.
    blocked: Sleep,
    /// Threads that are still to be tried, the next one last.
    todo: Vec<Tid>,
    doing: Option<Doing<'a>>,
    /// From the frame below to here.
    moves: Vec<Move>,
    /// Of the threads that are done or asleep, for `race::adjacent`.
    seen: Vec<(Tid, Rc<Footprint>)>,
    /// Has any thread moved from here?
    alive: bool,
    open: Option<OpenState>,
}

/// The thread that is being tried.
struct Doing<'a> {
    thread: Tid,
    choices: Choices<'a>,
    /// Over all answers so far.
    footprint: Footprint,
    /// Of the eager accesses, too.
    eager: Footprint,
    moved: bool,
}

impl<'a> Search<'a> {
    pub fn new(
        runner: Runner<'a>,
        sampling: &'a Sampling,
        look: Look,
        sleeping: bool,
        watchdog: Watchdog,
    ) -> Search<'a> {
        Search {
            runner,
            sampling,
            look,
            sleeping,
            watchdog,
            quota: usize::MAX,
            visited: Visited::new(),
            explored: None,
            events: Events::default(),
            sampled: None,
            stats: Stats::default(),
            components: look.livelock.then(Components::default),
            unclear: false,
            stack: Vec::new(),
            first_path: FirstPath::default(),
            told: 0,
        }
    }

    pub fn run(&mut self, initial: World) -> SearchOutcome {
        let mut choices = Choices::new(self.sampling);
        loop {
            choices.rewind();
            let (world, start) = self.runner.start(&initial, &mut choices, &mut self.events);
            let (sleep, blocked) = (Sleep::default(), Sleep::default());
            if let Some(outcome) = self.arrive(world, start, sleep, blocked, Tid::FIRST) {
                return outcome;
            }
            if let Some(outcome) = self.exhaust() {
                return outcome;
            }
            self.note_sample(&choices);
            if !choices.advance() {
                return SearchOutcome::Done;
            }
        }
    }

    /// Works until the stack is empty.
    fn exhaust(&mut self) -> Option<SearchOutcome> {
        while !self.stack.is_empty() {
            let explored = self.explored.as_ref();
            if explored.is_some_and(Explored::is_useless) {
                return Some(SearchOutcome::AllRelevant);
            }
            let tables = explored.map_or(0, Explored::bytes);
            let (memory, states) = (tables + self.visited.bytes(), self.visited.len());
            if let Err(stopped) = self.watchdog.look(memory, states) {
                return Some(SearchOutcome::Stopped(stopped));
            }
            if states > self.quota {
                return Some(SearchOutcome::Large);
            }
            let outcome = match self.pick() {
                Some(_) => self.advance(),
                None => self.leave(),
            };
            self.tell();
            if outcome.is_some() {
                return outcome;
            }
        }
        None
    }

    /// Says at once what is not modelled: it may be long until the end.
    fn tell(&mut self) {
        if let Some((what, span)) = self.events.unsupported.get(self.told) {
            self.watchdog.meets(self.runner.interp.program, what, *span);
            self.told += 1;
        }
    }

    /// Makes the top frame's `doing` the next thing to do; `None` if there is nothing left.
    fn pick(&mut self) -> Option<Tid> {
        let frame = self.stack.last_mut()?;
        if frame.doing.is_none() {
            let thread = frame.todo.pop()?;
            let choices = Choices::new(self.sampling);
            let (footprint, eager) = (Footprint::default(), Footprint::default());
            frame.doing = Some(Doing { thread, choices, footprint, eager, moved: false });
        }
        frame.doing.as_ref().map(|doing| doing.thread)
    }

    /// Runs one transition of the top frame and enters the state that it leads to.
    fn advance(&mut self) -> Option<SearchOutcome> {
        let frame = self.stack.last_mut()?;
        let (world, doing) = (frame.world.as_ref()?, frame.doing.as_mut()?);
        let mut sleep = frame.sleep.clone();
        doing.choices.rewind();
        let thread = doing.thread;
        let (reached, transition) =
            self.runner.run(world, thread, &mut doing.choices, &mut sleep, &mut self.events);
        self.stats.transitions += 1;
        if let Some(open) = &mut frame.open {
            open.read(&transition.touched);
        }
        // What a block did before something that is not modelled has not happened.
        if !matches!(transition.end, TransitionEnd::Unsupported) {
            doing.footprint.absorb(&transition.footprint);
            doing.eager.absorb(&transition.eager);
        }
        if !matches!(transition.end, TransitionEnd::Blocked) {
            doing.moved = true;
            frame.alive = true;
        }
        let mut blocked = frame.blocked.clone();
        for happened in [&transition.footprint, &transition.eager] {
            sleep.wake(happened);
            blocked.wake(happened);
        }
        sleep.wake_thread(thread.index());
        let adjacent = self.next_answer();
        self.forget_exhausted();
        if let Some(outcome) = self.arrive(reached, transition, sleep, blocked, thread) {
            return Some(outcome);
        }
        adjacent
    }

    /// Turns to the next answers of the thread at work, or closes it.
    fn next_answer(&mut self) -> Option<SearchOutcome> {
        let frame = self.stack.last_mut()?;
        let doing = frame.doing.as_mut()?;
        if let Some(sample) = doing.choices.sampled.as_ref().filter(|_| self.sampled.is_none()) {
            self.sampled = Some(sample.clone());
            self.watchdog.expect(NEVER);
        }
        if doing.choices.advance() {
            self.stats.alternatives += 1;
            return None;
        }
        let Doing { thread, footprint, eager, moved, .. } = frame.doing.take()?;
        let footprint = Rc::new(footprint);
        if !moved {
            // A blocked join says nothing about what it waits for, and is cheap to try.
            if self.sleeping && !footprint.attempts.is_empty() {
                frame.blocked.add(thread.index(), footprint);
            }
            return None;
        }
        if self.sleeping {
            let all = match eager.accesses.is_empty() {
                true => footprint.clone(),
                false => Rc::new(Footprint::clone(&footprint).and(&eager)),
            };
            frame.sleep.add(thread.index(), all);
        }
        if self.look.adjacent {
            frame.seen.push((thread, footprint));
            return self.adjacent_race();
        }
        None
    }

    /// A frame with nothing left to try needs no state (but one that is stuck may be a deadlock).
    fn forget_exhausted(&mut self) {
        if let Some(frame) = self.stack.last_mut() {
            if frame.alive && frame.doing.is_none() && frame.todo.is_empty() {
                frame.world = None;
            }
        }
    }

    /// Is the operation that was looked at last in a race with an earlier one?
    fn adjacent_race(&mut self) -> Option<SearchOutcome> {
        let seen = &self.stack.last()?.seen;
        let (last, others) = seen.split_last()?;
        let race = others.iter().find_map(|other| race::adjacent(other, last))?;
        let invented = self.stack.last()?.world.as_ref()?.state.invented();
        self.found(FoundKind::Adjacent(race), Vec::new(), invented)
    }

    /// Takes note of where a transition led, and pushes a frame if there is something new.
    fn arrive(
        &mut self,
        mut world: World,
        transition: Transition,
        mut sleep: Sleep,
        blocked: Sleep,
        last: Tid,
    ) -> Option<SearchOutcome> {
        self.stats.steps += transition.steps;
        match transition.end {
            TransitionEnd::Blocked | TransitionEnd::Unsupported => return None,
            TransitionEnd::Violation(v) => {
                return self.found(FoundKind::Violation(v), transition.moves, None);
            }
            TransitionEnd::Race => {
                return self.found(FoundKind::Race, transition.moves, world.state.invented());
            }
            TransitionEnd::Refuted(refuted) => return Some(SearchOutcome::Refuted(refuted)),
            TransitionEnd::Goes | TransitionEnd::Cut => {}
        }
        if world.state.ended() {
            self.components.iter_mut().for_each(Components::escape);
            return None;
        }
        // An execution that is cut off shows no livelock.
        if self.look.livelock && world.state.is_cut() {
            return None;
        }
        let hash = world.digest(self.runner.interp);
        let asleep = sleep.threads();
        let mut open = None;
        if let Some(explored) = &mut self.explored {
            let (interp, depth) = (self.runner.interp, self.stack.len());
            let from = self.stack.last_mut().and_then(|frame| frame.open.as_mut());
            match explored.arrive(interp, &mut world, hash, &transition.touched, from, depth) {
                Arrival::New(state) => open = Some(state),
                Arrival::Known => {
                    self.stats.revisits += 1;
                    return None;
                }
            }
        }
        let mut todo: Vec<Tid> = match self.visited.visit(hash, asleep) {
            Visit::New => {
                self.components.iter_mut().for_each(|c| c.enter(hash));
                world.state.running().collect()
            }
            Visit::Again { missing, .. } if missing.is_empty() => {
                self.stats.revisits += 1;
                self.components.iter_mut().for_each(|c| _ = c.meet(hash));
                return None;
            }
            Visit::Again { missing, asleep } => {
                self.stats.revisits += 1;
                sleep.keep_only(asleep);
                world.state.running().filter(|t| missing.contains(t.index())).collect()
            }
        };
        todo.reverse();
        todo.sort_by_key(|&t| t == last);
        let before = todo.len();
        todo.retain(|t| !asleep.contains(t.index()));
        self.stats.slept += (before - todo.len()) as u64;
        let waiting = blocked.threads();
        todo.retain(|&t| !waiting.contains(t.index()) && !self.joins_in_vain(&world.state, t));
        let race = match self.look.adjacent {
            true => race::beside_access(self.runner.interp, self.sampling, &world.state),
            false => None,
        };
        let invented = world.state.invented();
        self.push(world, sleep, blocked, todo, transition.moves, open);
        race.and_then(|race| self.found(FoundKind::Adjacent(race), Vec::new(), invented))
    }

    /// Would it only wait for a thread that has not ended?
    fn joins_in_vain(&self, state: &State, thread: Tid) -> bool {
        match self.runner.interp.next(state, thread) {
            Next::Join { thread: child, waits, .. } => waits && !state.has_ended(child),
            _ => false,
        }
    }

    fn push(
        &mut self,
        world: World,
        sleep: Sleep,
        blocked: Sleep,
        todo: Vec<Tid>,
        moves: Vec<Move>,
        open: Option<OpenState>,
    ) {
        let seen = if self.look.adjacent { sleep.footprints() } else { Vec::new() };
        let alive = sleep.threads() != ThreadSet::EMPTY;
        let world = Some(world);
        let doing = None;
        self.stack.push(Frame { world, sleep, blocked, todo, doing, moves, seen, alive, open });
        self.stats.max_depth = self.stats.max_depth.max(self.stack.len() as u64);
    }

    /// All transitions of the top frame were tried.
    fn leave(&mut self) -> Option<SearchOutcome> {
        let frame = self.stack.last()?;
        let stuck = !frame.alive && self.look.deadlock;
        let deadlock = |world: &World| self.runner.interp.deadlocked(&world.state);
        let deadlock = frame.world.as_ref().filter(|world| stuck && deadlock(world));
        let found = deadlock.map(|world| world.state.invented());
        if let Some(outcome) = found.and_then(|i| self.found(FoundKind::Deadlock, Vec::new(), i)) {
            return Some(outcome);
        }
        let livelock = self.complete();
        let open = self.stack.pop().and_then(|frame| frame.open);
        if self.first_path.leave(self.stack.len(), self.visited.len()) {
            let states = if self.sampled.is_some() { NEVER } else { self.first_path.expected() };
            self.watchdog.expect(states);
        }
        if let (Some(explored), Some(open)) = (&mut self.explored, open) {
            let (interp, depth) = (self.runner.interp, self.stack.len());
            let below = self.stack.last_mut().and_then(|frame| frame.open.as_mut());
            explored.leave(interp, open, depth, below);
        }
        livelock
    }

    /// Looks for a livelock if the top frame completes a component that is never left.
    fn complete(&mut self) -> Option<SearchOutcome> {
        let component = self.components.as_mut()?.leave()?;
        let follows = if component.is_left { Some(Follows::No) } else { self.what_follows() };
        self.unclear |= follows.is_none();
        let components = self.components.as_mut()?;
        match &follows {
            Some(Follows::NoExecution) => components.dismiss(component),
            _ => components.escape(),
        }
        match follows {
            Some(Follows::Livelock(hang)) => {
                self.found(FoundKind::Livelock(hang.way), Vec::new(), hang.invented)
            }
            _ => None,
        }
    }

    /// What the state of the top frame leads to. What the search has not tried (other orders of
    /// steps that commute) is walked then, too.
    fn what_follows(&mut self) -> Option<Follows> {
        let state = match &self.stack.last()?.world {
            Some(world) => world.state.clone(),
            None => {
                let path = self.stack.iter().flat_map(|frame| &frame.moves);
                counterexample::state_after(self.runner.interp, path)?
            }
        };
        hang::find(self.runner.interp, &state).ok()
    }

    /// Nothing if values were invented on the way: that is UNKNOWN.
    fn found(
        &mut self,
        what: FoundKind,
        last: Vec<Move>,
        invented: Option<Span>,
    ) -> Option<SearchOutcome> {
        if let Some(span) = invented {
            self.events.behind_assembly(span);
            return None;
        }
        let path = self.stack.iter().flat_map(|frame| frame.moves.iter().cloned());
        Some(SearchOutcome::Found(FoundViolation { what, moves: path.chain(last).collect() }))
    }

    fn note_sample(&mut self, choices: &Choices<'_>) {
        if let Some(sample) = &choices.sampled {
            self.sampled.get_or_insert_with(|| sample.clone());
        }
    }
}
