//! The search itself: best first, by two measures in turns.
//!
//! A move lets one thread run up to the next step that others can notice or that happens in a line
//! of the guide. One queue prefers who has passed most of the guide, and of those who has come
//! furthest: it may follow a thread that never ends. The other prefers who has strayed least from the
//! threads that the guide names; a long path counts as straying, what was passed of the guide against
//! it (as in A*, with the steps of the guide as the estimate): it comes to every state at last. They take
//! turns. Both hold all open states, so nothing is left out.

use super::inside::Inside;
use super::pass::{Decided, GuideProgress, Matcher};
use super::{Guide, StepGoal};
use crate::contract::Goal;
use crate::contract::Monitored;
use crate::contract::hang;
use crate::contract::inputs::{Choices, Sampling};
use crate::contract::{Limits, Property};
use crate::witness::places::{Line, Places};
use interp::{
    About, Choice, ChoiceKind, ChoiceSource, Cut, Domain, Inputs, Interp, Next, RaceMonitor,
    ScheduleStep, StepResult, Tid, Trace,
};
use ir::Span;
use ir::arith::wrap;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Invisible steps in one move.
const LONGEST_MOVE: usize = 500;
/// How often the queue of the most successful is asked before the other one is.
const TURNS: usize = 4;
/// How many moves are as bad as one of a thread that is not wanted.
const LONG_PATH: u32 = 16;
/// How many moves a step of the guide is worth: about as many as it takes to get there.
const MOVES_PER_STEP: u32 = 4;
/// What it costs not to take a value that the guide wants.
const AGAINST_THE_GUIDE: u32 = 4;
/// States, where no limit of memory is given: some gigabytes.
const MOST_STATES: usize = 1_000_000;

pub struct GuidedSearch<'a> {
    matcher: Matcher<'a>,
    sampling: &'a Sampling,
    property: Property,
    limits: &'a Limits,
    nodes: Vec<SearchNode>,
    /// By digest: the most that was passed.
    visited: FxHashMap<u128, (usize, u32)>,
    far: BinaryHeap<(usize, u32, Reverse<u32>, usize)>,
    near: BinaryHeap<(Reverse<i64>, usize, Reverse<usize>)>,
    /// Why the search cannot say that there is nothing.
    pub left_out: Option<String>,
}

/// A state, until it is looked at, and how it was reached.
struct SearchNode {
    world: Option<Monitored>,
    progress: GuideProgress,
    parent: Option<usize>,
    steps: Vec<ScheduleStep>,
    decided: Decided,
    last: Option<Tid>,
    /// Moves of threads that were not wanted.
    strayed: u32,
    /// All moves.
    moves: u32,
}

impl SearchNode {
    /// Bounded from below by the guide's length, so that every state has its turn.
    fn cost(&self) -> i64 {
        let moves = i64::from(self.strayed) * i64::from(LONG_PATH) + i64::from(self.moves);
        moves - self.progress.passed as i64 * i64::from(MOVES_PER_STEP)
    }
}

/// What came out of a move.
enum MoveEnd {
    Blocked,
    Goes,
    /// Nothing follows.
    Over,
    Found(Goal),
}

type GuidedSchedule = Vec<ScheduleStep>;

impl<'a> GuidedSearch<'a> {
    pub fn new(
        interp: &'a Interp<'a>,
        sampling: &'a Sampling,
        property: Property,
        limits: &'a Limits,
        guide: &'a Guide,
        places: &'a Places,
    ) -> GuidedSearch<'a> {
        GuidedSearch {
            matcher: Matcher::new(interp, guide, places),
            sampling,
            property,
            limits,
            nodes: Vec::new(),
            visited: FxHashMap::default(),
            far: BinaryHeap::new(),
            near: BinaryHeap::new(),
            left_out: None,
        }
    }

    /// A schedule that fits the guide, with what it shows. `Err`: a limit.
    pub fn run(&mut self) -> Result<Option<(GuidedSchedule, Goal)>, String> {
        let monitor = (self.property == Property::NoDataRace).then(RaceMonitor::new);
        let world = Monitored { state: self.matcher.interp.initial(), monitor };
        self.add(SearchNode {
            world: Some(world),
            progress: self.matcher.start(),
            parent: None,
            steps: Vec::new(),
            decided: Vec::new(),
            last: None,
            strayed: 0,
            moves: 0,
        });
        for turn in 0.. {
            self.keep_limits(turn)?;
            let Some(node) = self.take(turn) else { break };
            if let Some(found) = self.expand(node)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn keep_limits(&self, turn: usize) -> Result<(), String> {
        if turn % 16 == 0 && self.limits.exceeded() {
            return Err("time limit".into());
        }
        if self.nodes.len() > MOST_STATES {
            return Err("too many states".into());
        }
        Ok(())
    }

    /// The next open state.
    fn take(&mut self, turn: usize) -> Option<usize> {
        let next = |s: &mut Self| {
            if turn % (TURNS + 1) < TURNS {
                s.far.pop().map(|entry| entry.3)
            } else {
                s.near.pop().map(|entry| entry.2.0)
            }
        };
        while let Some(node) = next(self) {
            if self.nodes[node].world.is_some() {
                return Some(node);
            }
        }
        // The queue that was asked has nothing left: then the other has nothing either.
        None
    }

    fn add(&mut self, mut node: SearchNode) {
        let Some(world) = &mut node.world else { return };
        let digest = world.digest(self.matcher.interp);
        let come = (node.progress.passed, node.progress.seen);
        if self.visited.get(&digest).is_some_and(|best| *best >= come) {
            return;
        }
        self.visited.insert(digest, come);
        let (id, strayed) = (self.nodes.len(), Reverse(node.strayed));
        self.far.push((come.0, come.1, strayed, id));
        self.near.push((Reverse(node.cost()), come.0, Reverse(id)));
        self.nodes.push(node);
    }

    /// All moves from a state.
    fn expand(&mut self, id: usize) -> Result<Option<(GuidedSchedule, Goal)>, String> {
        let Some(world) = self.nodes[id].world.take() else { return Ok(None) };
        let wanted = self.matcher.wanted(&self.nodes[id].progress);
        let mut must_wait = wanted.is_none_or(|w| self.must_wait(&world, w, id));
        let running: Vec<Tid> = world.state.running().collect();
        let mut children = Vec::new();
        for thread in running {
            for foresight in [true, false] {
                let mut way =
                    MoveChoice { foresight, used: false, choices: Choices::new(self.sampling) };
                loop {
                    way.choices.rewind();
                    let mut child = self.child(id, &world, thread);
                    match self.go(&mut child, thread, &mut way) {
                        MoveEnd::Found(goal) => return self.schedule(child, goal).map(Some),
                        MoveEnd::Goes => children.push((child, foresight)),
                        MoveEnd::Blocked => must_wait |= wanted == Some(thread),
                        MoveEnd::Over => {}
                    }
                    if let Some((what, _)) = &way.choices.sampled {
                        self.left_out.get_or_insert(format!("too many values: {what}"));
                    }
                    if !way.choices.advance() {
                        break;
                    }
                }
                if !way.used {
                    break;
                }
            }
        }
        if self.is_deadlock(id, &world) {
            let child = self.child(id, &world, Tid::FIRST);
            return self.schedule(child, Goal::Deadlock).map(Some);
        }
        if self.is_livelock(id, &world) {
            let child = self.child(id, &world, Tid::FIRST);
            return self.schedule(child, Goal::Livelock).map(Some);
        }
        // The thread that the guide wants, else the one that has the turn.
        let last = self.nodes[id].last.filter(|last| world.state.running().any(|t| t == *last));
        for (mut child, foresight) in children {
            let invalid = match (child.last, wanted) {
                (thread, Some(_)) if wanted == thread => false,
                (_, Some(_)) if !must_wait => true,
                (thread, _) => last.is_some() && last != wanted && last != thread,
            };
            child.strayed += u32::from(invalid) + if foresight { 0 } else { AGAINST_THE_GUIDE };
            self.add(child);
        }
        Ok(None)
    }

    /// Can the wanted thread do nothing for the guide before others act? It has ended, or it stands
    /// where it shall be and finds other values.
    fn must_wait(&self, world: &Monitored, wanted: Tid, id: usize) -> bool {
        if !world.state.running().any(|thread| thread == wanted) {
            return true;
        }
        let Some(step) = self.matcher.next(&self.nodes[id].progress) else { return false };
        let line = self.matcher.line(self.matcher.interp.user_place(&world.state, wanted).1);
        step.what == StepGoal::Any && step.count.is_none() && line.is_some() && step.line == line
    }

    fn child(&self, parent: usize, world: &Monitored, thread: Tid) -> SearchNode {
        let SearchNode { progress, strayed, moves, .. } = &self.nodes[parent];
        SearchNode {
            world: Some(world.clone()),
            progress: progress.clone(),
            parent: Some(parent),
            steps: Vec::new(),
            decided: Vec::new(),
            last: Some(thread),
            strayed: *strayed,
            moves: moves + 1,
        }
    }

    fn is_deadlock(&self, id: usize, world: &Monitored) -> bool {
        self.property == Property::NoDeadlock
            && self.matcher.all_passed(&self.nodes[id].progress)
            && self.matcher.interp.deadlocked(&world.state)
    }

    fn is_livelock(&self, id: usize, world: &Monitored) -> bool {
        self.property == Property::NoLivelock
            && self.matcher.all_passed(&self.nodes[id].progress)
            && hang::at(self.matcher.interp, &world.state).is_some()
    }

    /// One move of a thread.
    fn go(&mut self, node: &mut SearchNode, thread: Tid, way: &mut MoveChoice<'_>) -> MoveEnd {
        let start = node.progress.clone();
        for round in 0..LONGEST_MOVE {
            let Some(world) = &mut node.world else { return MoveEnd::Over };
            let interp = self.matcher.interp;
            let line = self.matcher.line(interp.user_place(&world.state, thread).1);
            if round > 0 && self.is_noticed(world, thread, line) {
                break;
            }
            let mut decided = way.foresight.then(Vec::new);
            self.matcher.arrive(&mut world.state, thread, line, &mut node.progress, &mut decided);
            if node.progress != start {
                // It stands there; others may act before it does.
                way.keep(node, decided);
                break;
            }
            let asked = way.choices.asked();
            let mut trace = Trace::new(interp);
            trace.begin_step();
            let (matcher, progress) = (&self.matcher, &node.progress);
            let atomic = matches!(interp.next(&world.state, thread), Next::Atomic { .. });
            let mut inside = Inside::new(matcher);
            let (places, foreseen) = (atomic.then(Vec::new), Vec::new());
            let mut answers = GuidedAnswers { way: &mut *way, matcher, progress, places, foreseen };
            let watch = (&mut trace, atomic.then_some(&mut inside));
            let mut watch = (watch, world.monitor.as_mut());
            let result = interp.step(&mut world.state, thread, &mut answers, &mut watch);
            node.decided.append(&mut answers.foreseen);
            if result == StepResult::Blocked {
                let moved = round > 0 || node.progress != start;
                return if moved { MoveEnd::Goes } else { MoveEnd::Blocked };
            }
            let given = way.choices.answers().skip(asked).collect();
            node.steps.push(ScheduleStep { thread, answers: given });
            let told = (&trace, &inside.glimpses[..]);
            let progress = &mut node.progress;
            self.matcher.events(&mut world.state, thread, told, progress, &mut decided);
            self.matcher.arrive(&mut world.state, thread, line, &mut node.progress, &mut decided);
            way.keep(node, decided);
            if let Some(end) = self.judge(node, thread, result) {
                return end;
            }
            if node.progress != start || way.choices.asked() > asked {
                break;
            }
        }
        MoveEnd::Goes
    }

    /// Must others get a turn before the next step of a thread?
    fn is_noticed(&self, world: &Monitored, thread: Tid, line: Option<Line>) -> bool {
        let local = self.matcher.interp.next(&world.state, thread) == Next::Local;
        !local || line.is_some_and(|line| self.matcher.lines.contains(&line))
    }

    /// `None`: the thread can go on.
    fn judge(&mut self, node: &SearchNode, thread: Tid, result: StepResult) -> Option<MoveEnd> {
        let world = node.world.as_ref()?;
        if world.state.invented().is_some() {
            self.left_out.get_or_insert("not modelled: inline assembly".into());
            return Some(MoveEnd::Over);
        }
        let race = world.monitor.as_ref().and_then(|monitor| monitor.race());
        if let Some(race) = race {
            let [first, second] = [&race.first, &race.second].map(|(_, access)| access.at());
            let spans = [first.span, second.span];
            let meant = self.matcher.all_passed(&node.progress) && self.matcher.is_race(spans);
            if !meant {
                self.left_out.get_or_insert("another data race comes first".into());
            }
            return Some(if meant {
                MoveEnd::Found(Goal::Race(first, second))
            } else {
                MoveEnd::Over
            });
        }
        let mut leave_out = |why: String| {
            self.left_out.get_or_insert(why);
            Some(MoveEnd::Over)
        };
        match result {
            StepResult::Ran => None,
            StepResult::Blocked | StepResult::Ended => Some(MoveEnd::Goes),
            StepResult::ProcessEnded => Some(MoveEnd::Over),
            StepResult::Unsupported { what, .. } => leave_out(format!("not modelled: {what}")),
            StepResult::Refused { what, .. } => leave_out(what),
            StepResult::Stopped { why: Cut::Bound(_) | Cut::Recursion, .. } => {
                leave_out("a bound is reached".into())
            }
            StepResult::Stopped { why: Cut::InvalidAccess(what), .. } => {
                leave_out(format!("undefined behaviour: {what}"))
            }
            StepResult::Stopped { .. } => Some(MoveEnd::Goes),
            StepResult::Violation(v) => {
                let (state, progress) = (&world.state, &node.progress);
                let found = self.matcher.all_passed(progress)
                    && self.matcher.is_violation(state, thread, v.span, progress);
                let goal = Goal::Violation { kind: v.kind, at: v.at() };
                Some(if found { MoveEnd::Found(goal) } else { MoveEnd::Over })
            }
        }
    }

    /// The way to a state as the interpreter replays it: with an answer to every question.
    fn schedule(&self, last: SearchNode, goal: Goal) -> Result<(GuidedSchedule, Goal), String> {
        let mut parts = vec![(last.steps, last.decided)];
        let mut at = last.parent;
        while let Some(id) = at {
            let node = &self.nodes[id];
            parts.push((node.steps.clone(), node.decided.clone()));
            at = node.parent;
        }
        parts.reverse();
        let values = parts.iter().flat_map(|(_, decided)| decided.iter().copied()).collect();
        let mut known = DecidedValues { values, tape: Vec::new(), given: Vec::new() };
        let interp = self.matcher.interp;
        let mut state = interp.initial();
        let mut schedule = Vec::new();
        for step in parts.into_iter().flat_map(|(steps, _)| steps) {
            known.tape = step.answers;
            known.tape.reverse();
            interp.step(&mut state, step.thread, &mut known, &mut ());
            let answers = std::mem::take(&mut known.given);
            schedule.push(ScheduleStep { thread: step.thread, answers });
        }
        Ok((schedule, goal))
    }
}

/// How the choices of a move are made.
struct MoveChoice<'s> {
    /// Values that the guide wants are taken.
    foresight: bool,
    /// It has made a difference.
    used: bool,
    choices: Choices<'s>,
}

impl MoveChoice<'_> {
    fn keep(&mut self, node: &mut SearchNode, decided: Option<Decided>) {
        let decided = decided.unwrap_or_default();
        self.used |= !decided.is_empty();
        node.decided.extend(decided);
    }
}

struct GuidedAnswers<'m, 'w, 's> {
    way: &'w mut MoveChoice<'s>,
    matcher: &'m Matcher<'m>,
    progress: &'m GuideProgress,
    /// Where inputs were asked for, in an atomic block.
    places: Option<Vec<Span>>,
    foreseen: Decided,
}

impl Inputs for GuidedAnswers<'_, '_, '_> {
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64> {
        self.way.choices.choose(choice)
    }

    fn foresee(&mut self, thread: Tid, about: &About, domain: &Domain) -> Option<i128> {
        let name = match &about.source {
            ChoiceSource::Input(name) => name.as_str(),
            ChoiceSource::Unknown => "",
            ChoiceSource::Uninitialised | ChoiceSource::UninitialisedHeap => return None,
        };
        let place = (thread, about.at.span, name);
        let nth = self.places.as_mut().map(|places| {
            let before = places.iter().filter(|span| **span == about.at.span).count();
            places.push(about.at.span);
            before
        });
        let wanted = self.matcher.foreseen(place, self.progress, nth);
        let wanted = wanted.filter(|_| self.way.foresight)?;
        let forms = [true, false].map(|signed| wrap(wanted, domain.bits(), signed));
        let value = forms.into_iter().find(|&value| domain.contains(value))?;
        self.way.used = true;
        self.foreseen.push((about.serial, value));
        Some(value)
    }
}

/// Values that were decided, and answers to all other questions, last one first.
struct DecidedValues {
    values: FxHashMap<u64, i128>,
    tape: Vec<u64>,
    given: Vec<u64>,
}

impl Inputs for DecidedValues {
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64> {
        let value = |about: &About| self.values.get(&about.serial).copied();
        let known = match &choice.kind {
            ChoiceKind::Value { symbol, .. } => value(symbol).map(|v| v as u64),
            ChoiceKind::Split { symbol, parts } => value(symbol)
                .and_then(|v| parts.iter().position(|part| part.contains(v)))
                .map(|i| i as u64),
            ChoiceKind::AllocFails => None,
        };
        let answer = known.or_else(|| self.tape.pop())?;
        self.given.push(answer);
        Some(answer)
    }
}
