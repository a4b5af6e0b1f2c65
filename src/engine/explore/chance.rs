//! Executions by chance: deep violations of programs that have more states than can be explored.
//!
//! Every other execution is scheduled by random priorities (PCT: Burckhardt, Kothari, Musuvathi and
//! Nagarakatte, ASPLOS 2010): the thread of the highest priority runs, and at a few random moments the one
//! that runs falls behind all others. A violation that needs `d` orders of steps to be as they are, in a
//! program of `n` threads and `k` transitions, comes up in such an execution with a probability of
//! at least `1 / (n * k^(d-1))`, however many states there are. Between them are random walks, which
//! are better where many threads must alternate. A thread that makes many transitions in a row falls behind as
//! well: it may be waiting for another one.
//!
//! Transitions are those of the search, so that invisible steps are no moments to switch at. What is
//! found is confirmed as any violation; nothing is proven. It ends when executions repeat themselves,
//! or after so many as were asked for: what they do not show, a systematic search should look for.

use super::answer::{assumptions, notes, unsupported};
use super::counterexample;
use super::invisible::Invisible;
use super::may_access::MayAccess;
use super::search::{FoundKind, FoundViolation};
use super::sleep::Sleep;
use super::transition::{Events, Runner, Transition, TransitionEnd, World};
use crate::contract::inputs::{Choices, Sampling};
use crate::contract::{
    Answer, Coverage, Engine, Limits, MemoryModel, Property, Query, Reason, Verdict,
};
use analysis::points_to::{Context, PointsTo};
use fastrand::Rng;
use interp::{Interp, RaceMonitor, Tid};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// A livelock is no single execution.
pub const COVERAGE: Coverage = &[(
    MemoryModel::Sc,
    &[
        Property::UnreachCall,
        Property::NoDataRace,
        Property::ValidMemsafety,
        Property::NoOverflow,
        Property::NoDeadlock,
    ],
)];

/// So many executions in a row that were seen before: there are hardly more.
const REPEATED: u32 = 200;
const TRANSITIONS: usize = 4_000;
/// A thread that has made so many in a row may be waiting.
const IN_A_ROW: u32 = 300;
/// At most so many moments at which the running thread falls behind.
const CHANGES: usize = 3;

/// Says UNSAFE or nothing.
#[derive(Clone, Debug)]
pub struct Chance {
    /// An input with more values than this gets one of a few samples.
    pub max_domain: u128,
    /// At most so many.
    pub executions: u64,
}

impl Engine for Chance {
    fn check(&self, query: Query<'_>) -> Verdict {
        let Query { program, property, limits, .. } = query;
        if let Some(verdict) = query.uncovered(COVERAGE) {
            return verdict;
        }
        limits.progress.begin("sample");
        let interp = match Interp::new(program, query.interp_config()) {
            Ok(interp) => interp,
            Err(why) => return unsupported(property, why),
        };
        let points_to = PointsTo::new(program, Context::ModelCalls);
        let clocks = property == Property::NoDataRace;
        let invisible = Invisible::new(Some(MayAccess::of(program, points_to, clocks)));
        let exit_matters = property == Property::ValidMemsafety;
        let runner = Runner {
            interp: &interp,
            invisible: &invisible,
            eager: None,
            exit_matters,
            touched: false,
        };
        let sampling = Sampling::of(program, self.max_domain);
        let mut executions = Executions {
            runner,
            sampling: &sampling,
            property,
            events: Events::default(),
            typical: 64,
        };
        let (answer, tried) = executions.search(limits, self.executions);
        let ends = query.settings.undefined.ends();
        Verdict {
            assumptions: assumptions(program, &executions.events, ends),
            notes: notes(&executions.events),
            stats: vec![("executions by chance".into(), tried)],
            ..Verdict::new(property, answer)
        }
    }
}

struct Executions<'a> {
    runner: Runner<'a>,
    sampling: &'a Sampling,
    property: Property,
    events: Events,
    /// Transitions of the longest execution so far.
    typical: usize,
}

impl Executions<'_> {
    /// The answer, and after how many executions.
    fn search(&mut self, limits: &Limits, most: u64) -> (Answer, u64) {
        let (mut seen, mut repeated) = (FxHashSet::default(), 0);
        for seed in 0..most {
            let (found, signature) = match self.execute(seed, limits) {
                Some(execution) => execution,
                None => return (Answer::Unknown(Reason::Time), seed),
            };
            if let Some(found) = found {
                return (self.confirmed(&found), seed + 1);
            }
            if let Some((what, span)) = self.events.unsupported.first() {
                limits.progress.meets(self.runner.interp.program, what, *span);
            }
            repeated = if seen.insert(signature) { 0 } else { repeated + 1 };
            if repeated >= REPEATED {
                return (nothing(), seed + 1);
            }
        }
        (nothing(), most)
    }

    fn confirmed(&self, found: &FoundViolation) -> Answer {
        match counterexample::confirm(self.runner.interp, self.sampling, found) {
            Ok(violation) => Answer::Unsafe(Box::new(violation)),
            Err(why) => Answer::Unknown(Reason::Internal(why)),
        }
    }

    /// What an execution shows, and what tells it from others; `None` if time is up.
    fn execute(&mut self, seed: u64, limits: &Limits) -> Option<(Option<FoundViolation>, u64)> {
        let mut scheduler = Scheduler::new(seed, self.typical);
        let monitor = (self.property == Property::NoDataRace)
            .then(|| RaceMonitor::of(self.runner.interp.program));
        let initial = World { state: self.runner.interp.initial(), monitor, windows: None };
        let mut choices = scheduler.choices(self.sampling);
        let (mut world, mut made) = self.runner.start(&initial, &mut choices, &mut self.events);
        let mut moves = Vec::new();
        let mut signature = FxHasher::default();
        for length in 0..TRANSITIONS {
            if limits.exceeded() {
                return None;
            }
            self.typical = self.typical.max(length);
            for step in &made.moves {
                (step.thread.index(), step.steps, &step.answers).hash(&mut signature);
            }
            moves.append(&mut made.moves);
            if let Some(what) = shown(made.end, &world) {
                return Some((what.map(|what| FoundViolation { what, moves }), signature.finish()));
            }
            match self.proceed(&mut scheduler, &world) {
                Some(next) => (world, made) = next,
                None => break,
            }
        }
        let deadlock = self.property == Property::NoDeadlock
            && self.runner.interp.deadlocked(&world.state)
            && world.state.invented().is_none();
        let found = deadlock.then_some(FoundViolation { what: FoundKind::Deadlock, moves });
        Some((found, signature.finish()))
    }

    /// The transition of the first thread that is not blocked, in the order of the schedule. The end of the
    /// process is put off as long as others can go on: nothing comes behind it.
    fn proceed(&mut self, scheduler: &mut Scheduler, world: &World) -> Option<(World, Transition)> {
        if world.state.ended() {
            return None;
        }
        let mut the_end = None;
        for thread in scheduler.order(world.state.running().collect()) {
            let mut choices = scheduler.choices(self.sampling);
            let mut sleep = Sleep::default();
            let (next, made) =
                self.runner.run(world, thread, &mut choices, &mut sleep, &mut self.events);
            match made.end {
                TransitionEnd::Blocked | TransitionEnd::Unsupported => {}
                TransitionEnd::Goes if next.state.ended() && scheduler.ends_late => {
                    the_end.get_or_insert((next, made));
                }
                _ => {
                    scheduler.ran(thread);
                    return Some((next, made));
                }
            }
        }
        the_end
    }
}

fn nothing() -> Answer {
    Answer::Unknown(Reason::Other(
        "random executions show no violation, which proves nothing".into(),
    ))
}

/// What ends an execution: with a violation, or one behind values that were invented, which is none.
fn shown(end: TransitionEnd, world: &World) -> Option<Option<FoundKind>> {
    match end {
        TransitionEnd::Violation(violation) => Some(Some(FoundKind::Violation(violation))),
        TransitionEnd::Race => Some(world.state.invented().is_none().then_some(FoundKind::Race)),
        TransitionEnd::Unsupported | TransitionEnd::Refuted(_) => Some(None),
        TransitionEnd::Blocked | TransitionEnd::Goes | TransitionEnd::Cut => None,
    }
}

/// Who runs next.
struct Scheduler {
    dice: Rng,
    /// By priority, else a random walk.
    by_priority: bool,
    priorities: FxHashMap<Tid, i64>,
    /// Below all others so far.
    lowest: i64,
    /// After how many transitions the running thread falls behind.
    changes: Vec<usize>,
    length: usize,
    last: Option<Tid>,
    in_a_row: u32,
    /// Inputs get their first value.
    plain_inputs: bool,
    /// The process ends when no thread can do anything else.
    ends_late: bool,
}

impl Scheduler {
    fn new(seed: u64, typical: usize) -> Scheduler {
        let mut dice = Rng::with_seed(seed);
        let changes = (0..dice.usize(..=CHANGES)).map(|_| dice.usize(..typical.max(1))).collect();
        Scheduler {
            by_priority: seed % 2 == 0,
            plain_inputs: seed % 8 < 2,
            ends_late: seed % 16 < 14,
            priorities: FxHashMap::default(),
            lowest: 0,
            changes,
            length: 0,
            last: None,
            in_a_row: 0,
            dice,
        }
    }

    fn choices<'s>(&mut self, sampling: &'s Sampling) -> Choices<'s> {
        match self.plain_inputs {
            true => Choices::new(sampling),
            false => Choices::by_chance(sampling, self.dice.fork()),
        }
    }

    /// The threads, the one to run first.
    fn order(&mut self, mut threads: Vec<Tid>) -> Vec<Tid> {
        if self.by_priority {
            threads.sort_by_key(|&thread| std::cmp::Reverse(self.priority(thread)));
            return threads;
        }
        self.dice.shuffle(&mut threads);
        let stays = self.dice.u8(..4) > 0 && self.in_a_row < IN_A_ROW;
        if let Some(last) = self.last.filter(|_| stays) {
            threads.sort_by_key(|&thread| thread != last);
        }
        threads
    }

    fn priority(&mut self, thread: Tid) -> i64 {
        let dice = &mut self.dice;
        *self.priorities.entry(thread).or_insert_with(|| dice.i64(1..i64::MAX))
    }

    fn ran(&mut self, thread: Tid) {
        self.in_a_row = if self.last == Some(thread) { self.in_a_row + 1 } else { 1 };
        self.last = Some(thread);
        self.length += 1;
        if self.changes.contains(&self.length) || self.in_a_row >= IN_A_ROW {
            self.lowest -= 1;
            self.priorities.insert(thread, self.lowest);
            self.in_a_row = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads() -> Vec<Tid> {
        (0..4).map(Tid::from_index).collect()
    }

    /// The first that may run, so often.
    fn run(scheduler: &mut Scheduler, times: u32) -> Vec<Tid> {
        let mut ran = Vec::new();
        for _ in 0..times {
            let first = scheduler.order(threads())[0];
            scheduler.ran(first);
            ran.push(first);
        }
        ran
    }

    #[test]
    fn a_thread_keeps_its_priority_until_a_change() {
        let mut scheduler = Scheduler { changes: vec![5], ..Scheduler::new(0, 10) };
        let ran = run(&mut scheduler, 10);
        assert!(ran[..5].iter().all(|&thread| thread == ran[0]), "{ran:?}");
        assert!(ran[5..].iter().all(|&thread| thread == ran[5] && thread != ran[0]), "{ran:?}");
        let order = scheduler.order(threads());
        assert_eq!(order.last(), ran.first());
    }

    #[test]
    fn who_runs_for_long_lets_others_go_on() {
        for seed in 0..8 {
            let mut scheduler = Scheduler { changes: Vec::new(), ..Scheduler::new(seed, 10) };
            let ran = run(&mut scheduler, 4 * IN_A_ROW);
            let different: FxHashSet<Tid> = ran.into_iter().collect();
            assert!(different.len() >= 4, "{different:?}");
        }
    }

    #[test]
    fn all_orders_come_up() {
        let first: FxHashSet<Vec<Tid>> =
            (0..400).map(|seed| Scheduler::new(2 * seed, 10).order(threads())).collect();
        assert_eq!(first.len(), 24);
    }
}
