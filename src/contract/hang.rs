//! Livelocks: a state from which a thread never leaves its loop, whatever the others do.
//!
//! All that can follow a state is walked, without any reduction (steps that are private to their
//! thread are done at once). A component of these states that is never left is what every fair
//! execution ends in. It is a livelock if a thread there goes around a loop that is meant to be left
//! (`analysis::exits`), or waits where such a loop was collapsed into a wait (`analysis::spin`): the
//! way out is taken in none of the states, and there are no others.
//!
//! What the definition says of fairness: no thread is kept out that could go on again and again, and
//! inputs, and operations that may fail for no reason, are not always the worst ones. So two threads
//! that step aside for each other in the same rhythm are no livelock as long as one of them can get
//! through. An UNSAFE needs no such assumption: no scheduler helps. Not meant: loops without a way
//! out, threads that are blocked while such a loop runs, and states in which all are blocked (that is
//! a deadlock). The end of the process ends all waiting.
//!
//! Executions in which an assumption fails do not count. So a component in which some thread can only
//! fail one, or get to where that is so, is none that executions end in, and leading there is no way
//! out of another one. Anything unmodelled or undefined counts as a way out.
//!
//! Cost: the states that can follow, at most `MAX_STATES`.

use super::components::{Component, ComponentEdge, Components};
use super::inputs::{Choices, Sampling};
use analysis::{exits, loops, spin};
use interp::{
    Access, Cut, First, Interp, Next, Observer, ScheduleStep, State, StepResult, Tid, TraceEvent,
    TraceStep, Value,
};
use ir::types::Scalar;
use ir::{BlockId, FuncId, Origin, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// More states than these are not looked through.
const MAX_STATES: usize = 100_000;
/// Private steps at once: a thread that takes more is stored in between.
const MAX_PRIVATE: usize = 512;
/// Steps of a spinning thread to see what it looks at.
const MAX_LOOK: usize = 4096;
/// Values that are told.
const MAX_READS: usize = 3;

/// What a proof assumes where threads may go around in a circle that they can leave.
pub const STRONG_FAIRNESS: &str = "the scheduler is strongly fair: what can happen again and again \
     happens at some time (threads that wait for each other in a circle leave it if they can; an \
     operation that may fail for no reason does not fail for ever)";
/// Why there is no answer.
pub const UNCLEAR: &str = "too many states in which threads go around in circles";

/// How the threads that are left are stuck.
#[derive(Clone, Debug)]
pub struct Hang {
    pub threads: Vec<(Tid, HangKind)>,
    /// From the state that was asked about to one of those that are never left; empty if it is one.
    pub way: Vec<ScheduleStep>,
    /// Values were invented on the way.
    pub invented: Option<Span>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HangKind {
    /// In a loop that starts here.
    Spins(Option<Span>),
    Blocked,
    /// In a loop that has no way out.
    Runs,
}

/// There are more states than we look through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// The livelock that a state is part of.
pub fn at(interp: &Interp<'_>, state: &State) -> Option<Hang> {
    match walk(interp, state, LookExtent::Here) {
        Ok(Follows::Livelock(hang)) => Some(hang).filter(|hang| hang.way.is_empty()),
        _ => None,
    }
}

/// How far to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LookExtent {
    /// Only whether the state is part of a livelock itself.
    Here,
    All,
}

/// What follows a state in the end.
#[derive(Clone, Debug)]
pub enum Follows {
    /// By some schedule.
    Livelock(Hang),
    /// By every fair one, something else.
    No,
    /// Nothing: by every fair one, an assumption fails.
    NoExecution,
}

/// The first livelock that follows a state, if there is one.
pub fn find(interp: &Interp<'_>, from: &State) -> Result<Follows, TooLarge> {
    walk(interp, from, LookExtent::All)
}

fn walk(interp: &Interp<'_>, from: &State, extent: LookExtent) -> Result<Follows, TooLarge> {
    let sampling = Sampling::of(interp.program, Sampling::MAX_DOMAIN);
    let closure = Closure {
        interp,
        extent,
        sampling: &sampling,
        components: Components::default(),
        seen: FxHashSet::default(),
        seen_of: FxHashMap::default(),
        path: Vec::new(),
    };
    closure.walk(from.clone())
}

/// Where a thread stands: its frames.
type Frames = Vec<(FuncId, BlockId)>;

struct Closure<'a> {
    interp: &'a Interp<'a>,
    extent: LookExtent,
    sampling: &'a Sampling,
    components: Components,
    seen: FxHashSet<u128>,
    /// By state.
    seen_of: FxHashMap<u128, Successors>,
    path: Vec<HangVisit>,
}

struct HangVisit {
    key: u128,
    state: State,
    /// From the state before.
    way: Vec<ScheduleStep>,
    next: Vec<(State, Vec<ScheduleStep>)>,
}

/// What threads do from a state.
#[derive(Default)]
struct Successors {
    /// Where the steps from there lead their threads.
    marks: Vec<(Tid, Frames)>,
    /// Who can go on.
    goes_on: Vec<Tid>,
    /// Who may fail an assumption.
    fails: Vec<Tid>,
}

/// What threads can do from a state.
#[derive(Default)]
struct Moves {
    next: Vec<(State, Vec<ScheduleStep>)>,
    done: Successors,
    /// Some execution gets out of all this.
    escapes: bool,
}

impl Closure<'_> {
    fn walk(mut self, from: State) -> Result<Follows, TooLarge> {
        let mut root = Follows::No;
        self.enter(from, Vec::new())?;
        while let Some(top) = self.path.last_mut() {
            if let Some((next, way)) = top.next.pop() {
                self.enter(next, way)?;
                continue;
            }
            let mut counts = ComponentEdge::Counts;
            if let Some(component) = self.components.leave() {
                match self.judge(&component) {
                    found @ Follows::Livelock(_) => return Ok(found),
                    // It is left, or never come back from.
                    Follows::No if self.extent == LookExtent::Here => return Ok(Follows::No),
                    Follows::No => self.components.escape(),
                    Follows::NoExecution => {
                        self.components.dismiss(component);
                        counts = ComponentEdge::Dismissed;
                    }
                }
            }
            let last = self.path.pop().and_then(|visit| visit.way.first().map(|s| s.thread));
            match last {
                Some(thread) => self.went(thread, counts),
                None if counts == ComponentEdge::Dismissed => root = Follows::NoExecution,
                None => {}
            }
        }
        Ok(root)
    }

    /// Is the component that is complete with the last state of the path a livelock?
    fn judge(&mut self, component: &Component) -> Follows {
        let done: Vec<Successors> =
            component.states.iter().filter_map(|s| self.seen_of.remove(s)).collect();
        let goes_on = |thread: &Tid| done.iter().any(|d| d.goes_on.contains(thread));
        if done.iter().flat_map(|d| &d.fails).any(|thread| !goes_on(thread)) {
            return Follows::NoExecution;
        }
        let Some(here) = self.path.last().filter(|_| !component.is_left) else {
            return Follows::No;
        };
        let marks: Vec<&(Tid, Frames)> = done.iter().flat_map(|d| &d.marks).collect();
        let Some(threads) = judge(self.interp, &here.state, &marks) else { return Follows::No };
        let way = self.path.iter().flat_map(|visit| visit.way.iter().cloned()).collect();
        Follows::Livelock(Hang { threads, way, invented: here.state.invented() })
    }

    /// A move of a thread from the last state of the path.
    fn went(&mut self, thread: Tid, edge: ComponentEdge) {
        let Some(here) = self.path.last() else { return };
        let done = self.seen_of.entry(here.key).or_default();
        let list = if edge == ComponentEdge::Counts { &mut done.goes_on } else { &mut done.fails };
        if !list.contains(&thread) {
            list.push(thread);
        }
    }

    fn enter(&mut self, mut state: State, way: Vec<ScheduleStep>) -> Result<(), TooLarge> {
        let key = self.interp.digest(&mut state);
        if !self.seen.insert(key) {
            let edge = self.components.meet(key);
            way.first().into_iter().for_each(|step| self.went(step.thread, edge));
            return Ok(());
        }
        if self.seen.len() > MAX_STATES {
            return Err(TooLarge);
        }
        self.components.enter(key);
        let mut moves = Moves::default();
        let threads: Vec<Tid> = state.running().collect();
        threads.into_iter().for_each(|thread| self.moves(&state, thread, &mut moves));
        if moves.escapes {
            self.components.escape();
        }
        self.seen_of.insert(key, moves.done);
        self.path.push(HangVisit { key, state, way, next: moves.next });
        Ok(())
    }

    /// All moves of one thread, for all its inputs.
    fn moves(&self, state: &State, thread: Tid, moves: &mut Moves) {
        let mut choices = Choices::new(self.sampling);
        loop {
            choices.rewind();
            let (mut after, mut way) = (state.clone(), Vec::new());
            let marks = &mut moves.done.marks;
            match self.one_move((&mut after, &mut way), thread, &mut choices, marks) {
                StepResult::Ran | StepResult::Ended => moves.next.push((after, way)),
                StepResult::Blocked => moves.done.goes_on.push(thread),
                StepResult::Stopped { why: Cut::Assume, .. } => moves.done.fails.push(thread),
                _ => {
                    moves.done.goes_on.push(thread);
                    moves.escapes = true;
                }
            }
            if !choices.advance() {
                break;
            }
        }
        moves.escapes |= choices.sampled.is_some();
    }

    /// One step, and what is private after it.
    fn one_move(
        &self,
        (state, way): (&mut State, &mut Vec<ScheduleStep>),
        thread: Tid,
        choices: &mut Choices<'_>,
        marks: &mut Vec<(Tid, Frames)>,
    ) -> StepResult {
        loop {
            let result = self.interp.step(state, thread, choices, &mut ());
            way.push(ScheduleStep { thread, answers: choices.answers().collect() });
            if result != StepResult::Ran {
                return result;
            }
            mark(state, thread, marks);
            let private = self.interp.next(state, thread) == Next::Local;
            if choices.asked() > 0 || way.len() > MAX_PRIVATE || !private {
                return result;
            }
        }
    }
}

fn mark(state: &State, thread: Tid, marks: &mut Vec<(Tid, Frames)>) {
    let frames: Frames = state.frames(thread).map(|(f, b, _)| (f, b)).collect();
    let known = |(t, other): &(Tid, Frames)| *t == thread && *other == frames;
    if !marks.iter().any(known) {
        marks.push((thread, frames));
    }
}

/// How the threads of a component that is never left are stuck, if one of them spins.
fn judge(
    interp: &Interp<'_>,
    state: &State,
    marks: &[&(Tid, Frames)],
) -> Option<Vec<(Tid, HangKind)>> {
    let how = |thread: Tid| {
        let own = marks.iter().filter(|(t, _)| *t == thread).map(|(_, frames)| frames);
        (thread, how(interp, state, thread, own.collect()))
    };
    let threads: Vec<(Tid, HangKind)> = state.running().map(how).collect();
    let spins = threads.iter().any(|(_, how)| matches!(how, HangKind::Spins(_)));
    (spins && !state.is_cut() && !state.ended()).then_some(threads)
}

/// `marks`: where the thread ever is.
fn how(interp: &Interp<'_>, state: &State, thread: Tid, marks: Vec<&Frames>) -> HangKind {
    let program = interp.program;
    let Some(depth) = marks.iter().map(|frames| frames.len()).min() else {
        let top = state.frames(thread).last();
        let spins = |(f, b, i): (FuncId, BlockId, usize)| {
            spin::begins_spin(&program.functions[f.index()], b, i)
        };
        return if top.is_some_and(spins) { HangKind::Spins(None) } else { HangKind::Blocked };
    };
    let at: Vec<(FuncId, BlockId)> =
        marks.iter().filter_map(|frames| frames.get(depth.checked_sub(1)?)).copied().collect();
    let Some(&(id, _)) = at.first() else { return HangKind::Runs };
    let function = &program.functions[id.index()];
    let around = |info: &&loops::LoopInfo| {
        at.iter().all(|(_, block)| info.body.binary_search(block).is_ok())
    };
    let found = loops::loops_of(function, id);
    let smallest = found.iter().filter(around).min_by_key(|info| info.body.len());
    match smallest.filter(|info| exits::has_way_out(function, info)) {
        Some(info) if function.origin == Origin::User => HangKind::Spins(Some(info.span)),
        Some(_) => HangKind::Spins(None),
        None => HangKind::Runs,
    }
}

impl Hang {
    /// One sentence.
    pub fn told(&self) -> String {
        let spinning = self.threads.iter().filter(|(_, how)| matches!(how, HangKind::Spins(_)));
        let names: Vec<String> = spinning.map(|(thread, _)| thread.0.to_string()).collect();
        match names.as_slice() {
            [one] => format!("thread {one} spins for ever: nothing can end its loop any more"),
            all => {
                let list = all.join(" and ");
                format!("threads {list} spin for ever: nothing can end their loops any more")
            }
        }
    }

    /// What the trace ends with: how each thread is stuck, who spins first.
    pub fn ends(&self, interp: &Interp<'_>, state: &State, at: usize) -> Vec<TraceStep> {
        let mut threads: Vec<&(Tid, HangKind)> = self.threads.iter().collect();
        threads.sort_by_key(|(_, how)| !matches!(how, HangKind::Spins(_)));
        let end = |(thread, how): &(Tid, HangKind)| {
            let (function, here) = interp.user_place(state, *thread);
            let (span, words) = match how {
                HangKind::Spins(head) => {
                    let looks = looks_at(interp, state, *thread);
                    (head.unwrap_or(here), format!("spins here for ever{looks}"))
                }
                HangKind::Blocked => (here, "waits here for ever".into()),
                HangKind::Runs => (here, "runs here for ever".into()),
            };
            let event = TraceEvent::Wrong(words);
            TraceStep { thread: *thread, span, function, event, at }
        };
        threads.into_iter().map(end).collect()
    }
}

/// What a spinning thread reads in its loop: `, reading x == 0 and y == 1`.
fn looks_at(interp: &Interp<'_>, state: &State, thread: Tid) -> String {
    let mut state = state.clone();
    let mut reads = Reads { interp, hidden: false, found: Vec::new() };
    let mut seen = FxHashSet::default();
    for _ in 0..MAX_LOOK {
        reads.hidden = interp.caller_of_model(&state, thread).is_some();
        let again = !seen.insert(interp.digest(&mut state));
        if again || interp.step(&mut state, thread, &mut First, &mut reads) != StepResult::Ran {
            break;
        }
    }
    let told: Vec<String> = reads
        .found
        .iter()
        .take(MAX_READS)
        .map(|(place, value)| format!("{place} == {value}"))
        .collect();
    if told.is_empty() { String::new() } else { format!(", reading {}", told.join(" and ")) }
}

/// The latest value of each place in the user's code.
struct Reads<'a> {
    interp: &'a Interp<'a>,
    hidden: bool,
    found: Vec<(String, String)>,
}

impl Observer for Reads<'_> {
    fn access(&mut self, state: &State, _: Tid, access: &Access, ty: Scalar, value: Value) {
        if access.write || self.hidden {
            return;
        }
        let place = self.interp.location(state, access.object, access.offset);
        let of = self.interp.type_at(state, access.object, access.offset);
        let value = self.interp.value_text(state, value, ty, of);
        match self.found.iter_mut().find(|(known, _)| *known == place) {
            Some((_, latest)) => *latest = value,
            None => self.found.push((place, value)),
        }
    }
}
