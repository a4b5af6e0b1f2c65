//! Which steps of a guide an execution passes.
//!
//! A step is passed by what a thread does (a event of its trace) or, if it only names a place, by
//! being there: its conditions then hold just before or just after something happens in that line.
//! Within an atomic block a place is seen as `inside.rs` finds it, a event by what was told (`StepRecord`).
//! A condition that cannot be evaluated counts as true. An open value that a condition wants to
//! equal a number becomes that number; this is a decision, which the search can do without.

use super::expression::{Expression, Number};
use super::inside::Glimpse;
use super::{Guide, GuideStep, GuideTarget, StepGoal};
use crate::witness::places::{Line, Places};
use interp::{Interp, Settled, State, Tid, Trace, TraceEvent, TraceStep, Value, VariableView};
use ir::Span;
use ir::arith::number;
use ir::types::Scalar;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// How far an execution has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuideProgress {
    pub passed: usize,
    /// Touches that count for the next step.
    pub seen: u32,
    /// The program's thread for each of the guide's.
    pub threads: Vec<Option<Tid>>,
}

/// Values that were decided: by a symbol's serial number.
pub type Decided = Vec<(u64, i128)>;

/// What is known while a step is told event by event.
#[derive(Default)]
pub struct StepRecord {
    /// Variables that it has written so far, with their values.
    written: Vec<(String, String)>,
    /// More follows: the state is that of a later time.
    unfinished: bool,
}

impl StepRecord {
    fn note(&mut self, event: &TraceEvent, unfinished: bool) {
        self.unfinished = unfinished;
        if let TraceEvent::Write { place: name, value, .. } | TraceEvent::Assign { name, value } =
            event
        {
            self.written.retain(|(n, _)| n != name);
            self.written.push((name.clone(), value.clone()));
        }
    }

    fn value(&self, name: &str, path: &str) -> Option<Number> {
        let is = |n: &str| n.strip_prefix(name) == Some(path);
        let (_, value) = self.written.iter().find(|(n, _)| is(n))?;
        value.parse().ok().map(|n| (n, None))
    }
}

pub struct Matcher<'a> {
    pub interp: &'a Interp<'a>,
    pub guide: &'a Guide,
    /// Lines that the guide's steps name.
    pub lines: FxHashSet<Line>,
    places: &'a Places,
    known: RefCell<FxHashMap<Span, Option<Line>>>,
}

impl<'a> Matcher<'a> {
    pub fn new(interp: &'a Interp<'a>, guide: &'a Guide, places: &'a Places) -> Matcher<'a> {
        let lines = guide.steps.iter().filter_map(|step| step.line).collect();
        Matcher { interp, guide, lines, places, known: RefCell::default() }
    }

    pub fn start(&self) -> GuideProgress {
        GuideProgress { passed: 0, seen: 0, threads: vec![Some(Tid::FIRST)] }
    }

    pub fn line(&self, span: Span) -> Option<Line> {
        let find = || self.places.of(span, &self.interp.program.files);
        *self.known.borrow_mut().entry(span).or_insert_with(find)
    }

    pub fn next<'s>(&'s self, progress: &GuideProgress) -> Option<&'s GuideStep> {
        self.guide.steps.get(progress.passed)
    }

    /// Who is to do the next step, if the guide says so and the thread exists.
    pub fn wanted(&self, progress: &GuideProgress) -> Option<Tid> {
        let thread = match self.next(progress) {
            Some(step) => step.thread,
            None => self.guide.targets.last().and_then(|target| target.thread),
        };
        *progress.threads.get(thread?)?
    }

    fn is_by(&self, step: &GuideStep, thread: Tid, progress: &GuideProgress) -> bool {
        step.thread.is_none_or(|k| progress.threads.get(k) == Some(&Some(thread)))
    }

    fn is_at(&self, step: &GuideStep, line: Option<Line>) -> bool {
        step.line.is_none_or(|wanted| line == Some(wanted))
    }

    /// A thread is at a line, before or after what it does there.
    pub fn arrive(
        &self,
        state: &mut State,
        thread: Tid,
        line: Option<Line>,
        progress: &mut GuideProgress,
        decided: &mut Option<Decided>,
    ) {
        while let Some(step) = self.next(progress) {
            let place = step.what == StepGoal::Any && step.count.is_none();
            let here = self.is_by(step, thread, progress) && self.is_at(step, line);
            let told = StepRecord::default();
            if !place || !here || !self.holds(state, thread, step, (None, &told), decided) {
                return;
            }
            pass(progress);
        }
    }

    /// The same within an atomic block, where nothing is decided.
    fn glimpse(&self, glimpse: &Glimpse, thread: Tid, progress: &mut GuideProgress) {
        while let Some(step) = self.next(progress) {
            let place = step.what == StepGoal::Any && step.count.is_none();
            let here = self.is_by(step, thread, progress) && step.line == Some(glimpse.line);
            let holds = |condition: &Expression| {
                let known = condition.value(&mut |e| match e {
                    Expression::Variable(name, path) => {
                        self.seen(&glimpse.state, thread, step, (name, path), condition)
                    }
                    _ => None,
                });
                known.is_none_or(|(truth, _)| truth != 0)
            };
            if !place || !here || !step.conditions.iter().all(holds) {
                return;
            }
            pass(progress);
        }
    }

    /// All that a step of a thread has done, and where it was meanwhile.
    pub fn events(
        &self,
        state: &mut State,
        thread: Tid,
        (trace, glimpses): (&Trace<'_, '_>, &[Glimpse]),
        progress: &mut GuideProgress,
        decided: &mut Option<Decided>,
    ) {
        let mut known = StepRecord::default();
        let mut done = 0;
        let mut glimpses = glimpses.iter();
        loop {
            let glimpse = glimpses.next();
            let until = glimpse.map_or(trace.steps.len(), |g| trace.told_before(g.nth).len());
            for told in &trace.steps[done..until] {
                done += 1;
                known.note(&told.event, done < trace.steps.len());
                self.event(state, told, &known, progress, decided);
            }
            let Some(glimpse) = glimpse else { return };
            self.glimpse(glimpse, thread, progress);
        }
    }

    fn event(
        &self,
        state: &mut State,
        told: &TraceStep,
        known: &StepRecord,
        progress: &mut GuideProgress,
        decided: &mut Option<Decided>,
    ) {
        let Some(step) = self.next(progress) else { return };
        if !self.is_by(step, told.thread, progress) || !self.is_at(step, self.line(told.span)) {
            return;
        }
        match (&step.what, &told.event) {
            (StepGoal::Create(k), TraceEvent::Start { child, name }) => {
                self.created(*k, *child, name, progress);
            }
            (StepGoal::Call, TraceEvent::Start { child, name }) => {
                self.created(progress.threads.len(), *child, name, progress);
            }
            (StepGoal::Call, TraceEvent::Call { name, .. }) if !name.ends_with("_create") => {
                pass(progress)
            }
            (StepGoal::Enter(f), TraceEvent::Call { name, .. }) if f == name => pass(progress),
            (StepGoal::Leave(f), TraceEvent::Return { name, .. }) if f == name => pass(progress),
            (StepGoal::Leave(f), TraceEvent::End { .. }) if *f == told.function => pass(progress),
            (StepGoal::Result(f), TraceEvent::Input { name, value })
            | (StepGoal::Result(f), TraceEvent::Return { name, value: Some(value), .. })
                if f.as_ref().is_none_or(|f| f == name) =>
            {
                let result = value.parse().ok().map(|n| (n, None));
                if self.holds(state, told.thread, step, (result, known), decided) {
                    pass(progress);
                }
            }
            (StepGoal::Any, TraceEvent::Wrong(_)) => {}
            (StepGoal::Any, _) => {
                progress.seen += 1;
                if progress.seen >= step.count.unwrap_or(1) {
                    progress.seen = 0;
                    if self.holds(state, told.thread, step, (None, known), decided) {
                        pass(progress);
                    }
                }
            }
            _ => {}
        }
    }

    /// A new thread enters its function at once.
    fn created(&self, number: usize, child: Tid, name: &str, progress: &mut GuideProgress) {
        if progress.threads.len() <= number {
            progress.threads.resize(number + 1, None);
        }
        progress.threads[number] = Some(child);
        pass(progress);
        // A library's function around the user's, which traces do not name, enters that unseen.
        let is_library = name.is_empty();
        let is_entered =
            |what: &StepGoal| matches!(what, StepGoal::Enter(f) if is_library || f == name);
        let enters = |s: &GuideStep| is_entered(&s.what) && s.thread == Some(number);
        if self.next(progress).is_some_and(enters) {
            pass(progress);
        }
    }

    /// The value that an input is to have, if the next step is about it. In an atomic block, which
    /// is one step of the program, that may be any of the thread's next steps: the `nth` of them
    /// about inputs at this place.
    pub fn foreseen(
        &self,
        (thread, span, name): (Tid, Span, &str),
        progress: &GuideProgress,
        atomic: Option<usize>,
    ) -> Option<i128> {
        let line = self.line(span);
        let is_meant = |step: &&GuideStep| match &step.what {
            StepGoal::Result(f) => {
                self.is_at(step, line) && f.as_ref().is_none_or(|f| f == name || name.is_empty())
            }
            _ => false,
        };
        let next = self.guide.steps[progress.passed..].iter();
        let mut next = next.take_while(|step| self.is_by(step, thread, progress));
        let step = match atomic {
            None => next.next().filter(is_meant),
            Some(nth) => next.filter(is_meant).nth(nth),
        }?;
        let [condition] = &step.conditions[..] else { return None };
        match condition.equation() {
            Some((Expression::Result, value)) => Some(value),
            _ => None,
        }
    }

    fn holds(
        &self,
        state: &mut State,
        thread: Tid,
        step: &GuideStep,
        (result, told): (Option<Number>, &StepRecord),
        decided: &mut Option<Decided>,
    ) -> bool {
        step.conditions.iter().all(|condition| {
            let known = condition.value(&mut |e| match e {
                Expression::Variable(name, path) => {
                    if let Some(value) = told.value(name, path) {
                        return Some(value);
                    }
                    if told.unfinished {
                        return None;
                    }
                    self.seen(state, thread, step, (name, path), condition)
                }
                _ => result,
            });
            match known {
                Some((truth, _)) => truth != 0,
                None if told.unfinished => true,
                None => self.settled(state, thread, step, condition, decided),
            }
        })
    }

    fn seen(
        &self,
        state: &State,
        thread: Tid,
        step: &GuideStep,
        (name, path): (&str, &str),
        condition: &Expression,
    ) -> Option<Number> {
        let seen = self.interp.variable(state, thread, &step.scope, name, path);
        self.meant(&seen, condition)
    }

    /// The number that a variable holds. Of several with the same name, the one that a condition
    /// such as `i == 3` is true of.
    fn meant(&self, seen: &[VariableView], condition: &Expression) -> Option<Number> {
        let wanted = condition.equation().map(|(_, n)| n);
        let numbers = seen.iter().map(|s| Some((self.number(s)?, s.stale)));
        let numbers: Vec<(Number, bool)> = numbers.collect::<Option<_>>()?;
        let fits = |(n, ty): Number| {
            let wrapped = |w: i128| ty.map_or(w, |(b, s)| ir::arith::wrap(w, b, s));
            wanted.is_some_and(|w| n == wrapped(w))
        };
        match numbers.iter().find(|(n, _)| fits(*n)) {
            Some((n, _)) => Some(*n),
            None if numbers.iter().any(|(_, stale)| *stale) || numbers.len() > 1 => None,
            None => numbers.first().map(|(n, _)| *n),
        }
    }

    fn number(&self, seen: &VariableView) -> Option<Number> {
        match (seen.value, seen.ty) {
            (Value::Int(bits), ty @ Scalar::Int { bits: width, signed }) => {
                Some((number(bits, ty, self.interp.program.machine), Some((width, signed))))
            }
            _ => None,
        }
    }

    /// For a condition that is not decided yet.
    fn settled(
        &self,
        state: &mut State,
        thread: Tid,
        step: &GuideStep,
        condition: &Expression,
        decided: &mut Option<Decided>,
    ) -> bool {
        let Some((Expression::Variable(name, path), wanted)) = condition.equation() else {
            return true;
        };
        let seen = self.interp.variable(state, thread, &step.scope, name, path);
        let [VariableView { value: value @ Value::Sym { .. }, ty, .. }] = seen[..] else {
            return true;
        };
        let Some(decided) = decided else { return false };
        match self.interp.settle(state, value, ty, wanted) {
            Settled::Known { serial, value } => {
                decided.push((serial, value));
                true
            }
            Settled::Impossible => false,
            Settled::Open => true,
        }
    }

    pub fn all_passed(&self, progress: &GuideProgress) -> bool {
        progress.passed == self.guide.steps.len()
    }

    /// Can something that goes wrong here in this thread be what the guide means?
    pub fn is_violation(
        &self,
        state: &State,
        thread: Tid,
        span: Span,
        progress: &GuideProgress,
    ) -> bool {
        let targets = &self.guide.targets;
        let is_one = |t| self.is_target(t, state, thread, span, progress);
        targets.is_empty() || targets.iter().any(is_one)
    }

    /// Are these the places of the two targets? What is inside of a library function has none.
    pub fn is_race(&self, spans: [Span; 2]) -> bool {
        let lines = spans.map(|span| self.line(span));
        let is_at = |wanted: Option<Line>| {
            wanted.is_none() || lines.iter().any(|line| line.is_none() || *line == wanted)
        };
        self.guide.targets.iter().all(|target| is_at(target.line))
    }

    fn is_target(
        &self,
        target: &GuideTarget,
        state: &State,
        thread: Tid,
        span: Span,
        progress: &GuideProgress,
    ) -> bool {
        let by = target.thread.is_none_or(|k| match progress.threads.get(k) {
            Some(Some(bound)) => *bound == thread,
            _ => true,
        });
        let at = target.line.is_none_or(|line| {
            self.line(span) == Some(line)
                || self.stack(state, thread).any(|s| self.line(s) == Some(line))
        });
        by && at
    }

    /// Where each of a thread's functions is.
    fn stack(&self, state: &State, thread: Tid) -> impl Iterator<Item = Span> {
        let functions = &self.interp.program.functions;
        let frames: Vec<_> = state.frames(thread).collect();
        frames.into_iter().flat_map(move |(func, block, index)| {
            let block = &functions[func.index()].blocks[block.index()];
            let around = [index.checked_sub(1), Some(index)].into_iter().flatten();
            around.map(|i| block.insts.get(i).map_or(block.end_span, |inst| inst.span))
        })
    }
}

fn pass(progress: &mut GuideProgress) {
    progress.passed += 1;
    progress.seen = 0;
}
