//! Engines that share the cores: each has a thread of its own and works by a permit; the schedule says
//! whose permit is valid now.
//!
//! At first each member has a turn, in the order of the policy, and some a short one before all others. After that the next turn goes to the
//! member that has worked least for its share, as a fair scheduler of processes does it. The first
//! conclusive answer ends the work of all.
//!
//! Where an execution has got to what is not modelled, hardly anything will be proven: who only proves has no more than its
//! first turn, and the others have a while to find a violation.
//!
//! Invariant: at most `jobs` members work at the same time, and no engine is begun anew: one that is
//! paused keeps what it has. Cost: an engine that needs a time `t` alone and has a share `s` of all
//! shares `S` answers after `t * S / s` and the first turns of the others; each member that comes to its
//! end gives its share to the rest. Memory: that of all engines that were begun.

use super::Portfolio;
use super::moment::Moment;
use super::policy::{Circumstance, Member, MetBy};
use super::ranking::{
    better, conclusive, is_better, is_cut_by_bounds, is_undefined, lacks_a_place,
};
use super::table::Says;
use crate::contract::{Answer, Limits, NotModelled, Progress, Query, Reason, Verdict};
use frontend::stack::{spawn_scoped, with_big_stack};
use solver::Permit;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Scope, scope};
use std::time::Duration;

/// Turns after the first ones: a part of all the time so far, within limits.
const PART: u32 = 16;
const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(1);
/// How often to look whether a member has noticed its pause, or comes to the end of its turn, at most.
const POLL: Duration = Duration::from_millis(1);
/// How often to look at the limits of the whole.
const LOOK: Duration = Duration::from_millis(200);

/// How long a violation is looked for when nothing can be proven: a part of what is left, within limits.
const PART_IN_VAIN: u32 = 10;
const IN_VAIN: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(10)];
/// So many times less where that was known before the first turn.
const KNOWN: u32 = 3;

/// What a member says: its number, and the verdict or its panic.
type Message = (usize, Result<Verdict, Box<dyn Any + Send>>);

/// Asks all members until one has the answer, or none has more to say.
pub fn run(portfolio: &Portfolio, members: &[&Member], query: Query<'_>, jobs: usize) -> Verdict {
    let limits: Vec<Limits> = members.iter().map(|_| of_a_member(query.limits)).collect();
    let (sender, messages) = channel();
    let ended = scope(|scope| {
        let workers =
            members.iter().zip(&limits).map(|(member, limits)| Worker::new(member, limits));
        let workers = workers.collect();
        let (best, undefined_by_any, hopeless) = (None, false, None);
        Schedule {
            portfolio,
            query,
            jobs,
            scope,
            sender,
            messages,
            workers,
            best,
            undefined_by_any,
            hopeless,
        }
        .run()
    });
    ended.unwrap_or_else(|panic| resume_unwind(panic))
}

/// The same, with a permit and a board of its own.
fn of_a_member(limits: &Limits) -> Limits {
    let permit = Arc::new(Permit::shared());
    Limits { permit, progress: Progress::default(), ..limits.clone() }
}

struct Worker<'a> {
    member: &'a Member,
    limits: &'a Limits,
    state: EngineState,
    /// How long it has worked, up to the last time that it was let to.
    spent: Duration,
    /// The same on the clock, to be told.
    by_clock: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum EngineState {
    New,
    Working {
        since: Moment,
        turn: Duration,
    },
    /// It was told to pause, and goes on until it notices.
    Pausing {
        since: Moment,
    },
    Paused,
    Done,
}

/// What a member's next turn is, in the order of turns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    Probe,
    First,
    Later,
}

impl<'a> Worker<'a> {
    fn new(member: &'a Member, limits: &'a Limits) -> Worker<'a> {
        let (spent, by_clock) = (Duration::ZERO, Duration::ZERO);
        Worker { member, limits, state: EngineState::New, spent, by_clock }
    }

    fn permit(&self) -> &Permit {
        &self.limits.permit
    }

    fn works(&self) -> bool {
        matches!(self.state, EngineState::Working { .. } | EngineState::Pausing { .. })
    }

    fn waits(&self) -> bool {
        matches!(self.state, EngineState::New | EngineState::Paused)
    }

    /// How long it has worked so far.
    fn worked(&self) -> Duration {
        match self.state {
            EngineState::Working { since, .. } | EngineState::Pausing { since } => {
                self.spent + since.elapsed()
            }
            _ => self.spent,
        }
    }

    fn only_proves(&self) -> bool {
        self.member.engine.says == Says::Proofs
    }

    fn had_first_turn(&self) -> bool {
        self.stage() == Stage::Later
    }

    fn stage(&self) -> Stage {
        match self.worked() {
            _ if self.state == EngineState::Done => Stage::Later,
            worked if worked < self.member.probe => Stage::Probe,
            worked if worked < self.member.first => Stage::First,
            _ => Stage::Later,
        }
    }

    /// The smallest is next: first turns in the order of the policy, then what was had per share.
    fn rank(&self) -> Duration {
        let quarters = self.member.quarters(self.limits.progress.outlook());
        self.spent.saturating_sub(self.member.first) * 4 / quarters
    }

    fn stand_still(&mut self, state: EngineState) {
        if let EngineState::Working { since, .. } | EngineState::Pausing { since } = self.state {
            let (clock, worked) = since.by_clock_and_processor();
            self.by_clock += clock;
            self.spent += worked;
        }
        self.state = state;
    }
}

struct Schedule<'scope, 'env> {
    portfolio: &'env Portfolio,
    query: Query<'env>,
    jobs: usize,
    scope: &'scope Scope<'scope, 'env>,
    sender: Sender<Message>,
    messages: Receiver<Message>,
    workers: Vec<Worker<'env>>,
    best: Option<(usize, Verdict)>,
    /// Some member has met an invalid access, whichever answer is the best.
    undefined_by_any: bool,
    hopeless: Option<Hopeless>,
}

/// Why nothing will be proven, and when to give up.
struct Hopeless {
    reason: Reason,
    /// By what all have worked.
    until: Duration,
}

impl<'scope, 'env: 'scope> Schedule<'scope, 'env> {
    fn run(mut self) -> Result<Verdict, Box<dyn Any + Send>> {
        let ended = self.work();
        self.workers.iter().for_each(|worker| worker.permit().revoke());
        ended?;
        self.hear_the_last()?;
        Ok(self.verdict())
    }

    fn work(&mut self) -> Result<(), Box<dyn Any + Send>> {
        while !self.has_answer() && !self.query.limits.exceeded() {
            self.look_for_hope();
            if self.gives_up() {
                break;
            }
            self.fill();
            if !self.workers.iter().any(Worker::works) {
                break;
            }
            match self.messages.recv_timeout(self.time_to_wait()) {
                Ok(message) => self.take(message)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.pause();
        }
        Ok(())
    }

    /// Those who only prove have their first turns first: they may know a library function better than its model does.
    fn gives_up(&self) -> bool {
        let had = |worker: &Worker<'_>| worker.had_first_turn() || !worker.only_proves();
        let over = |it: &Hopeless| self.worked() >= it.until;
        self.hopeless.as_ref().is_some_and(over) && self.workers.iter().all(had)
    }

    fn worked(&self) -> Duration {
        self.workers.iter().map(Worker::worked).sum()
    }

    /// Has an execution got to what is not modelled? (One of the program: who only proves may look at another one.)
    fn look_for_hope(&mut self) {
        if self.hopeless.is_some() {
            return;
        }
        let limits = self.query.limits;
        let before = limits.progress.not_modelled();
        let divided = if before.is_some() { KNOWN } else { 1 };
        let others = self.workers.iter().filter(|worker| !worker.only_proves());
        let by_any = || others.map(|w| w.limits.progress.not_modelled()).find_map(|met| met);
        let Some(met) = before.or_else(by_any) else { return };
        limits.progress.repeat(&met);
        let [least, most] = IN_VAIN;
        let part = limits.left().map_or(least, |left| (left / PART_IN_VAIN).clamp(least, most));
        let NotModelled { what, span, .. } = met;
        let (reason, until) = (Reason::Unsupported { what, span }, self.worked() + part / divided);
        self.hopeless = Some(Hopeless { reason, until });
    }

    fn has_answer(&self) -> bool {
        let had_turns = || self.workers.iter().all(Worker::had_first_turn);
        self.best.as_ref().is_some_and(|(by, best)| {
            let answer = &best.answer;
            let settled = self.settles(*by, answer) || self.has_seen_undefined(*by, answer);
            conclusive(answer) || settled && had_turns()
        })
    }

    /// All executions were seen, and what one does is undefined: nobody can prove anything. Whether another thread
    /// would have violated the property before, others see in their first turns.
    fn has_seen_undefined(&self, by: usize, answer: &Answer) -> bool {
        self.workers[by].member.engine.says == Says::AllWithinBounds && is_undefined(answer)
    }

    /// All within the bounds was seen, and the bounds are given: more is known at once or never.
    /// (Where a loop only waits, an engine that unrolls may need no bound.)
    fn settles(&self, by: usize, answer: &Answer) -> bool {
        let bounds = &self.query.settings.bounds;
        self.workers[by].member.engine.says == Says::AllWithinBounds
            && bounds.are_given()
            && bounds.waits.is_empty()
            && is_cut_by_bounds(answer)
    }

    /// Lets members work while there is room.
    fn fill(&mut self) {
        while self.workers.iter().filter(|worker| worker.works()).count() < self.jobs {
            let Some(next) = self.next() else { break };
            if self.workers[next].member.unless.iter().any(|it| self.is_so(*it)) {
                self.workers[next].state = EngineState::Done;
                continue;
            }
            self.begin(next);
        }
    }

    /// Who has the next turn.
    fn next(&self) -> Option<usize> {
        let hopeless = self.hopeless.is_some();
        let in_vain = |w: &Worker<'_>| hopeless && w.only_proves() && w.had_first_turn();
        let first_turns = self.workers.iter().position(|worker| !worker.had_first_turn());
        let may = |i: &usize| {
            let worker = &self.workers[*i];
            if in_vain(worker) {
                return false;
            }
            let in_time = worker.member.unless.is_empty() || first_turns.is_none_or(|at| at >= *i);
            worker.waits() && (worker.state == EngineState::Paused || in_time)
        };
        let rank = |i: &usize| (self.workers[*i].stage(), self.workers[*i].rank(), *i);
        (0..self.workers.len()).filter(may).min_by_key(rank)
    }

    fn begin(&mut self, i: usize) {
        let (since, turn) = (Moment::now(self.jobs), self.turn(i));
        let worker = &mut self.workers[i];
        let is_new = worker.state == EngineState::New;
        worker.state = EngineState::Working { since, turn };
        let works = |w: &&Worker<'_>| matches!(w.state, EngineState::Working { .. });
        let boards = self.workers.iter().filter(works).map(|w| w.limits.progress.clone());
        self.query.limits.progress.show(boards);
        let worker = &mut self.workers[i];
        match is_new {
            false => worker.permit().resume(),
            true => {
                let (member, limits, sender) = (worker.member, worker.limits, self.sender.clone());
                let (portfolio, query) = (self.portfolio, Query { limits, ..self.query });
                let check = move || (member.engine.make)(portfolio).check(query);
                let work = move || {
                    let verdict = with_big_stack(|| catch_unwind(AssertUnwindSafe(check)));
                    limits.permit.finish();
                    let _ = sender.send((i, verdict));
                };
                spawn_scoped(self.scope, work);
            }
        }
    }

    fn turn(&self, i: usize) -> Duration {
        let worker = &self.workers[i];
        match worker.stage() {
            Stage::Probe => worker.member.probe - worker.spent,
            Stage::First => worker.member.first - worker.spent,
            Stage::Later => {
                let all: Duration = self.workers.iter().map(|worker| worker.spent).sum();
                (all / PART).clamp(SHORTEST, LONGEST)
            }
        }
    }

    /// Until when nothing but a message is of interest.
    fn time_to_wait(&self) -> Duration {
        let of_one = |worker: &Worker<'_>| match worker.state {
            EngineState::Working { since, turn } => {
                Some(turn.saturating_sub(since.elapsed()).max(POLL))
            }
            EngineState::Pausing { .. } => Some(POLL),
            _ => None,
        };
        let turn = self.workers.iter().filter_map(of_one).min().unwrap_or(LOOK);
        let left = self.query.limits.left().unwrap_or(LOOK);
        turn.min(left).min(LOOK)
    }

    /// Pauses those whose turn is over, if others wait for theirs.
    fn pause(&mut self) {
        let others_wait = self.next().is_some();
        for worker in &mut self.workers {
            if let EngineState::Working { since, turn } = worker.state {
                let worked = since.elapsed();
                if worked >= turn && others_wait {
                    worker.permit().pause();
                    worker.state = EngineState::Pausing { since };
                } else if worked >= turn {
                    worker.state = EngineState::Working { since, turn: worked + LOOK };
                }
            }
            if matches!(worker.state, EngineState::Pausing { .. }) && worker.permit().is_idle() {
                worker.stand_still(EngineState::Paused);
            }
        }
    }

    fn take(&mut self, (i, verdict): Message) -> Result<(), Box<dyn Any + Send>> {
        self.workers[i].stand_still(EngineState::Done);
        let verdict = verdict?;
        let member = self.workers[i].member;
        self.undefined_by_any |= is_undefined(&verdict.answer);
        let worthless = member.unless.iter().any(|it| self.is_so(*it));
        if !worthless && counts(self.portfolio, member, &verdict) {
            self.best = Some(match self.best.take() {
                None => (i, verdict),
                Some(best) => self.best_of_two(best, (i, verdict)),
            });
        }
        Ok(())
    }

    /// Where nothing can be proven, no bounds are of interest.
    fn best_of_two(&self, one: (usize, Verdict), other: (usize, Verdict)) -> (usize, Verdict) {
        let decided = [&one, &other].iter().any(|(_, verdict)| conclusive(&verdict.answer));
        let seen = |(by, verdict): &(usize, Verdict)| self.has_seen_undefined(*by, &verdict.answer);
        match (decided, seen(&one), seen(&other)) {
            (false, true, _) => one,
            (false, _, true) => other,
            _ => best_of(one, other),
        }
    }

    /// Those that were stopped say how far they came.
    fn hear_the_last(&mut self) -> Result<(), Box<dyn Any + Send>> {
        while self
            .workers
            .iter()
            .any(|worker| worker.works() || worker.state == EngineState::Paused)
        {
            let Ok(message) = self.messages.recv() else { break };
            match self.has_answer() {
                true => self.workers[message.0].stand_still(EngineState::Done),
                false => self.take(message)?,
            }
        }
        Ok(())
    }

    fn is_so(&self, it: Circumstance) -> bool {
        let best = self.best.as_ref().map(|(_, best)| &best.answer);
        it == Circumstance::InvalidAccess
            && match MetBy::of(self.query.property) {
                MetBy::AnyMember => self.undefined_by_any,
                MetBy::BestAnswer => best.is_some_and(is_undefined),
            }
    }

    /// The best answer, with the time that each member has worked.
    fn verdict(self) -> Verdict {
        let late = || Verdict::new(self.query.property, Answer::Unknown(Reason::Time));
        let (by, mut verdict) = match self.best {
            Some((by, verdict)) => (Some(by), verdict),
            None => (None, late()),
        };
        if let Some(Hopeless { reason, .. }) = self.hopeless {
            explain(&mut verdict, reason);
        }
        let tells_phases = by.filter(|_| !verdict.times.rows().is_empty());
        for (i, worker) in self.workers.iter().enumerate() {
            let tells_itself = tells_phases == Some(i);
            if worker.state != EngineState::New && !worker.by_clock.is_zero() && !tells_itself {
                verdict.times.add(worker.member.engine.name, worker.by_clock);
            }
        }
        verdict
    }
}

/// That is the reason, where there is no better one.
pub fn explain(verdict: &mut Verdict, reason: Reason) {
    if lacks_a_place(&verdict.answer) {
        verdict.answer = Answer::Unknown(reason);
    }
}

/// The better of two answers and who gave it. Of two that are worth the same it is the one of the member that
/// comes first in the policy, whoever was quicker.
fn best_of(one: (usize, Verdict), other: (usize, Verdict)) -> (usize, Verdict) {
    let (first, second) = if one.0 < other.0 { (one, other) } else { (other, one) };
    let by = if is_better(&second.1.answer, &first.1.answer) { second.0 } else { first.0 };
    (by, better(Some(first.1), second.1))
}

/// Who only proves says nothing by anything else; and a proof that assumes something does not count
/// where nothing may be assumed.
fn counts(portfolio: &Portfolio, member: &Member, verdict: &Verdict) -> bool {
    let good = verdict.assumptions.is_empty() || !portfolio.strict;
    match member.engine.says {
        Says::Anything | Says::AllWithinBounds => true,
        Says::Proofs => good && matches!(verdict.answer, Answer::Safe),
        Says::Decisions => match verdict.answer {
            Answer::Safe => good,
            Answer::Unsafe(_) => true,
            _ => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Bounds, Coverage, Engine, MemoryModel, Property, Settings};
    use crate::portfolio::policy::Outlook;
    use crate::portfolio::table::Row;
    use crate::portfolio::{Choice, bmc};
    use ir::{FileId, Inst, InstKind, Span};
    use std::sync::atomic::{AtomicUsize, Ordering};

    const ALL: Coverage = &[(MemoryModel::Sc, &Property::ALL)];
    const UNKNOWN: &str = "an instruction of the program";

    /// Says SAFE after this much time of its own clock, if it is not stopped before.
    struct After(Duration);

    impl Engine for After {
        fn check(&self, query: Query<'_>) -> Verdict {
            let limits = query.limits.shortened(self.0);
            while !limits.exceeded() {
                std::hint::spin_loop();
            }
            let answer = match query.limits.exceeded() {
                true => Answer::Unknown(Reason::Time),
                false => Answer::Safe,
            };
            Verdict::new(query.property, answer)
        }
    }

    struct Panics;

    impl Engine for Panics {
        fn check(&self, _: Query<'_>) -> Verdict {
            panic!("on purpose")
        }
    }

    const fn row(name: &'static str, make: fn(&Portfolio) -> Box<dyn Engine>) -> Row {
        Row { name, help: "", coverage: ALL, says: Says::Anything, make }
    }

    const fn member(engine: &'static Row) -> Member {
        let (first, outlook) = (Duration::from_millis(2), Outlook::Ignored);
        Member { engine, probe: Duration::ZERO, first, share: 1, unless: &[], outlook }
    }

    fn asked(members: &[&Member], jobs: usize, time: Duration) -> Verdict {
        asked_within(Bounds::default(), members, jobs, time)
    }

    fn asked_within(bounds: Bounds, members: &[&Member], jobs: usize, time: Duration) -> Verdict {
        let source =
            frontend::Source { name: "test.c", text: b"int main(void) { return 0; }", moved: &[] };
        let options = frontend::LoadOptions::default();
        let mut program =
            frontend::load(&[source], ir::types::Machine::Lp64, &options).expect("valid");
        let entry = &mut program.functions[program.entry.index()];
        let unknown = InstKind::Unsupported { what: UNKNOWN.into() };
        entry.blocks[0].insts.push(Inst::new(unknown, Span::NONE));
        let settings = Settings { bounds, ..Settings::default() };
        let limits = Limits::default().shortened(time);
        let property = Property::UnreachCall;
        let query = Query { program: &program, property, settings: &settings, limits: &limits };
        let portfolio = Portfolio {
            choice: Choice::Auto,
            explore: Default::default(),
            symbolic: bmc::Config::default(),
            prove: Default::default(),
            symex: Default::default(),
            strict: false,
            jobs: std::num::NonZeroUsize::MIN,
        };
        run(&portfolio, members, query, jobs)
    }

    const LONG: Duration = Duration::from_secs(3600);
    const ENDLESS: Row = row("endless", |_| Box::new(After(LONG)));
    const QUICK: Row = row("quick", |_| Box::new(After(Duration::from_millis(150))));

    #[test]
    fn a_paused_engine_is_not_begun_anew() {
        static BEGUN: AtomicUsize = AtomicUsize::new(0);
        const COUNTED: Row = row("counted", |_| {
            BEGUN.fetch_add(1, Ordering::Relaxed);
            Box::new(After(Duration::from_millis(300)))
        });
        let (endless, counted) = (member(&ENDLESS), member(&COUNTED));
        for jobs in [1, 2] {
            let verdict = asked(&[&endless, &counted], jobs, LONG);
            assert!(matches!(verdict.answer, Answer::Safe));
        }
        assert_eq!(BEGUN.load(Ordering::Relaxed), 2);
    }

    /// A member that comes after the first turns comes, also if those before it are never paused.
    #[test]
    fn members_that_wait_for_first_turns_get_theirs() {
        let (endless, other) = (member(&ENDLESS), member(&ENDLESS));
        let last = Member { unless: &[Circumstance::InvalidAccess], ..member(&QUICK) };
        for jobs in [1, 2, 3] {
            let verdict = asked(&[&endless, &other, &last], jobs, LONG);
            assert!(matches!(verdict.answer, Answer::Safe));
        }
    }

    /// Whoever needs no more than its probe answers before a first turn that never ends.
    #[test]
    fn probes_come_before_first_turns() {
        let forever = Member { first: LONG, probe: Duration::from_millis(5), ..member(&ENDLESS) };
        let quick = Member { first: LONG, probe: Duration::from_millis(500), ..member(&QUICK) };
        let verdict = asked(&[&forever, &quick], 1, LONG);
        assert!(matches!(verdict.answer, Answer::Safe));
    }

    #[test]
    fn the_order_of_the_policy_decides_between_answers_of_the_same_worth() {
        let open = |why: &str| Answer::Unknown(Reason::Other(why.into()));
        let given = |answer| Verdict::new(Property::UnreachCall, answer);
        let best = |one, other| best_of((0, given(one)), (1, given(other)));
        let turned = |one, other| best_of((1, given(other)), (0, given(one)));
        for (by, verdict) in [best(open("a"), open("b")), turned(open("a"), open("b"))] {
            assert!(
                by == 0
                    && matches!(verdict.answer, Answer::Unknown(Reason::Other(why)) if why == "a")
            );
        }
        for (by, verdict) in [best(open("a"), Answer::Safe), turned(open("a"), Answer::Safe)] {
            assert!(by == 1 && matches!(verdict.answer, Answer::Safe));
        }
    }

    #[test]
    fn every_member_says_how_long_it_worked() {
        let (endless, quick) = (member(&ENDLESS), member(&QUICK));
        let verdict = asked(&[&endless, &quick], 1, LONG);
        let names: Vec<_> = verdict.times.rows().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["endless", "quick"]);
        let late = asked(&[&endless], 1, Duration::from_millis(20));
        assert!(matches!(late.answer, Answer::Unknown(Reason::Time)));
        assert_eq!(late.times.rows()[0].0, "endless");
    }

    /// Says that an execution gets somewhere, and comes to no end.
    struct Meets(&'static str);

    impl Engine for Meets {
        fn check(&self, query: Query<'_>) -> Verdict {
            let span = Span { file: FileId(0), line: 7, column: 1 };
            query.limits.progress.meets(query.program, self.0, span);
            After(LONG).check(query)
        }
    }

    /// Not so quick that a busy machine lets it end in its first turn.
    const SLOW: Row = row("slow", |_| Box::new(After(Duration::from_millis(800))));
    const PROOF: Row = Row { says: Says::Proofs, ..SLOW };

    /// A proof that comes in spite of it would be wrong: so nobody waits for one, and the reason has its place.
    #[test]
    fn what_is_not_modelled_ends_the_hope_for_a_proof() {
        const MEETS: Row = row("meets", |_| Box::new(Meets(UNKNOWN)));
        let (meets, proof) = (member(&MEETS), member(&PROOF));
        for milliseconds in [20_000, 50] {
            let verdict = asked(&[&meets, &proof], 1, Duration::from_millis(milliseconds));
            let Answer::Unknown(Reason::Unsupported { what, span }) = verdict.answer else {
                panic!("{:?}", verdict.answer)
            };
            assert_eq!((what.as_str(), span.line), (UNKNOWN, 7));
        }
    }

    /// What only one engine does not know is no reason to give up.
    #[test]
    fn what_another_engine_may_know_does_not() {
        const MEETS: Row = row("meets", |_| Box::new(Meets("the order of two addresses")));
        let (meets, proof) = (member(&MEETS), member(&PROOF));
        assert!(matches!(asked(&[&meets, &proof], 1, LONG).answer, Answer::Safe));
    }

    #[test]
    fn a_panic_ends_all() {
        const BROKEN: Row = row("broken", |_| Box::new(Panics));
        let (endless, broken) = (member(&ENDLESS), member(&BROKEN));
        let work = || asked(&[&endless, &broken], 1, LONG);
        assert!(catch_unwind(AssertUnwindSafe(work)).is_err());
    }

    /// The others have their first turns, and no more.
    #[test]
    fn all_within_given_bounds_is_enough() {
        struct Cut;
        impl Engine for Cut {
            fn check(&self, query: Query<'_>) -> Verdict {
                Verdict::new(query.property, Answer::Bounded { cut: Vec::new() })
            }
        }
        const CUT: Row =
            Row { says: Says::AllWithinBounds, ..row("cut", |_| Box::new(Cut) as Box<dyn Engine>) };
        let (cut, endless, quick) = (member(&CUT), member(&ENDLESS), member(&QUICK));
        let given = || Bounds { everywhere: Some(2), ..Bounds::default() };
        for jobs in [1, 2] {
            let verdict = asked_within(given(), &[&cut, &endless], jobs, LONG);
            assert!(matches!(verdict.answer, Answer::Bounded { .. }));
            let verdict = asked(&[&cut, &endless, &quick], jobs, LONG);
            assert!(matches!(verdict.answer, Answer::Safe));
        }
    }

    #[test]
    fn what_makes_an_answer_worthless_is_heard_before_it_counts() {
        struct Invalid;
        impl Engine for Invalid {
            fn check(&self, query: Query<'_>) -> Verdict {
                let reason = Reason::Undefined { what: "x".into(), span: ir::Span::NONE };
                Verdict::new(query.property, Answer::Unknown(reason))
            }
        }
        const INVALID: Row = row("invalid", |_| Box::new(Invalid));
        let unless = &[Circumstance::InvalidAccess];
        let (invalid, proof) = (member(&INVALID), Member { unless, ..member(&QUICK) });
        for jobs in [1, 2] {
            let verdict = asked(&[&invalid, &proof], jobs, LONG);
            assert!(is_undefined(&verdict.answer));
        }
        // Who has seen all executions leaves no more than first turns to the others.
        const SEEN_ALL: Row = Row { says: Says::AllWithinBounds, ..INVALID };
        let (seen_all, endless) = (member(&SEEN_ALL), member(&ENDLESS));
        for members in [[&seen_all, &endless], [&endless, &seen_all]] {
            assert!(is_undefined(&asked(&members, 1, LONG).answer));
        }
    }
}
