//! The side that works: it is told what to do, and sends what it finds.

use super::behind;
use super::kept::Kept;
use super::ready::Ready;
use super::stop::Stop;
use super::transfer::{Attempt, OF_THE_MODEL, TransferQuestion, Transferred};
use crate::consistency::{self, Cause};
use crate::contract::{
    Answer, Limits, MemoryModel, Property, Query, Reason, Recorder, Remark, Settings, Verdict,
};
use crate::engine::bmc::proof_core;
use crate::engine::prove::bounds;
use crate::fences;
use crate::held;
use crate::load::Loader;
use crate::models;
use crate::one_mutex;
use crate::output::graph::example;
use crate::portfolio::Portfolio;
use crate::preprocess::{self, Unit};
use crate::race_list;
use crate::report::diagnostic::Diagnostic;
use crate::report::judged::{Judged, Judgement};
use crate::report::{Failure, Finding, Names, places};
use crate::request::{Check, Input, Validate, Volatile};
use crate::reread;
use crate::supervise::Budget;
use crate::turns::{self, Turn};
use crate::validate;
use crate::witness::invariants::invariants;
use analysis::allocation;
use analysis::undefined_arith::UndefinedArith;
use ir::At;
use ir::Program;
use ir::PropertyKind;
use ir::Span;
use ir::names::decode;
use solver::weak;
use solver::weak::target::Target;
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// What the work has to say, in order.
pub enum JobEvent {
    Finding(Box<Finding>),
    Judged(Box<Judged>),
    Text(String),
    Stop(Stop),
}

/// The side that works, in its own thread.
pub struct Job {
    out: Sender<JobEvent>,
    recorder: Recorder,
}

pub fn work(
    out: Sender<JobEvent>,
    recorder: Recorder,
    task: impl FnOnce(&Job) -> Result<(), Stop>,
) {
    let job = Job { out, recorder };
    if let Err(stop) = task(&job) {
        job.send(JobEvent::Stop(stop));
    }
}

impl Job {
    /// The receiver is gone once a limit was exceeded: then nothing needs to be said.
    fn send(&self, event: JobEvent) {
        let _ = self.out.send(event);
    }

    fn phase<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        self.recorder.phase(name, work)
    }

    fn loader<'a>(&'a self, units: &'a [Unit], input: &'a Input) -> Loader<'a> {
        Loader::new(units, input, &self.recorder)
    }

    fn limits(&self, budget: &Budget) -> Limits {
        let memory = budget.memory.map(|bytes| bytes.0);
        let progress = self.recorder.progress.clone();
        Limits { deadline: budget.deadline(), memory, progress, ..Limits::default() }
    }

    /// Asks for each property in turn, and again for those that ran out of time.
    pub fn check(
        &self,
        input: &Input,
        check: &Check,
        budget: &Budget,
        kept: &mut Kept,
    ) -> Result<(), Stop> {
        let units = match kept.units.clone() {
            Some(units) => units,
            None => {
                let read = || preprocess::units(input, budget.deadline());
                Arc::new(self.phase("preprocess", read)?)
            }
        };
        kept.units = Some(units.clone());
        let arithmetic =
            if check.strict { UndefinedArith::Refused } else { UndefinedArith::Assumed };
        let loader = Loader { arithmetic, ..self.loader(&units, input) };
        let weak = check.weak().map(models::load).transpose();
        let weak = weak.map_err(Failure::Input)?;
        race_list::readable(check.suppressions.as_deref())?;
        let unasked = check.by_default && budget.deadline().is_none();
        let mut open: Vec<OpenProperty> =
            check.properties.iter().map(|&p| OpenProperty::new(p)).collect();
        open.iter_mut().skip(1).for_each(|asked| asked.once = unasked);
        while !open.is_empty() {
            let round = std::mem::take(&mut open);
            let mut waiting = round.len() as u32;
            for mut asked in round {
                let left = budget.deadline().map(|d| d.saturating_duration_since(Instant::now()));
                let alone = waiting == 1 && open.is_empty();
                let turn = match asked.once {
                    true => turns::ONLY,
                    false => turns::turn(asked.had, left, waiting, alone),
                };
                waiting -= 1;
                if turn == Turn::Over {
                    if asked.worth.is_none() {
                        let progress = &self.recorder.progress;
                        let finding = Finding::late(asked.property, Reason::Time, progress);
                        self.send(JobEvent::Finding(Box::new(finding)));
                    }
                    continue;
                }
                let limits = shortened(self.limits(budget), turn);
                let question = TransferQuestion { loader, check, property: asked.property };
                let finding = self.one(question, weak.as_ref(), kept, &limits)?;
                let ran_out = limits.deadline.is_some_and(|d| Instant::now() >= d);
                if asked.take(&finding.verdict.answer) {
                    self.send(JobEvent::Finding(Box::new(finding)));
                }
                let done = asked.settled() || asked.once;
                if let (Turn::For(time), true, false) = (turn, ran_out, done) {
                    asked.had = time;
                    open.push(asked);
                }
            }
        }
        Ok(())
    }

    /// One turn of a question: what another model's answer says, what interleavings show, and the
    /// engines that know the model.
    fn one(
        &self,
        question: TransferQuestion<'_>,
        weak: Option<&Arc<weak::Model>>,
        kept: &mut Kept,
        limits: &Limits,
    ) -> Result<Finding, Stop> {
        let TransferQuestion { loader, check, property } = question;
        let model = weak.map(|model| &**model);
        if let Some(finding) = kept.follows(loader, check, property, model) {
            return Ok(finding);
        }
        let Kept { shelf, transfer, .. } = kept;
        for attempt in [Attempt::Short, Attempt::Long] {
            match transfer.ask((self, &mut *shelf), question, model, limits, attempt)? {
                Transferred::Proven(finding) => return Ok(*finding),
                Transferred::No => break,
                Transferred::Open if attempt == Attempt::Long => break,
                Transferred::Open => {
                    let moment = limits.shortened(OF_THE_MODEL);
                    let ready = shelf.prepared(loader, check, property)?;
                    let finding = self.ask(loader, &ready, property, check, weak, &moment);
                    if matches!(finding.verdict.answer, Answer::Safe | Answer::Unsafe(_)) {
                        return Ok(finding);
                    }
                }
            }
        }
        let ready = shelf.prepared(loader, check, property)?;
        Ok(self.ask(loader, &ready, property, check, weak, limits))
    }

    pub fn validate(
        &self,
        mut input: Input,
        validate: &Validate,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let fail = |why: String| Failure::Input(Diagnostic::new(why));
        let witness = validate::read(&validate.witness).map_err(fail)?;
        witness.complete(&mut input, validate.any_machine, validate.any_entry);
        let units = self.phase("preprocess", || preprocess::units(&input, budget.deadline()))?;
        let program = self.loader(&units, &input).load_for(witness.property)?;
        let settings =
            Settings { malloc_may_fail: validate.malloc_may_fail, ..Settings::default() };
        let limits = self.limits(budget);
        let judgement = match witness.belongs_to(&input, validate.property) {
            Ok(places) => witness.judge(&program, &settings, &limits, &places),
            Err(why) => Judgement::Unclear(why),
        };
        let files = program.files.clone().into();
        self.send(JobEvent::Judged(Box::new(Judged {
            property: witness.property,
            judgement,
            ignored: witness.ignored(),
            files,
        })));
        Ok(())
    }

    pub fn tell(
        &self,
        input: &Input,
        budget: &Budget,
        tell: impl FnOnce(&Program) -> Result<String, Failure>,
    ) -> Result<(), Stop> {
        let units = self.phase("preprocess", || preprocess::units(input, budget.deadline()))?;
        let program = self.loader(&units, input).prepared(PropertyKind::Values)?;
        self.send(JobEvent::Text(tell(&program)?));
        Ok(())
    }

    pub fn ask(
        &self,
        loader: Loader<'_>,
        ready: &Ready,
        property: Property,
        check: &Check,
        weak: Option<&Arc<weak::Model>>,
        limits: &Limits,
    ) -> Finding {
        let settings = Settings {
            model: check.model(),
            weak: weak.cloned(),
            bounds: ready.bounds.clone(),
            malloc_may_fail: check.malloc_may_fail,
            undefined: check.undefined,
            minimize: check.minimize,
        };
        let query = Query { program: &ready.program, property, settings: &settings, limits };
        let portfolio = Portfolio {
            choice: check.engine,
            explore: check.explore.clone(),
            symbolic: check.symbolic.clone(),
            prove: check.prove.clone(),
            symex: check.symex,
            strict: check.strict,
            jobs: check.jobs,
        };
        let mut verdict = portfolio.check(query);
        if let Some(reason) =
            self.phase("undefined", || behind::objection(&verdict, query, &portfolio))
        {
            verdict.answer = Answer::Unknown(reason);
        }
        if property == Property::NoDataRace {
            let rules = check.suppressions.as_deref();
            race_list::complete(&mut verdict, query, &portfolio, rules, check.races);
            hint_volatile(loader.input, &ready.program, &mut verdict);
        }
        hint_words(loader.input, &ready.program, &mut verdict);
        for (name, time) in verdict.times.rows() {
            self.recorder.phases.add(name, *time);
        }
        let weak = check.model() == MemoryModel::Cat;
        if matches!(verdict.answer, Answer::Safe) && !weak && !check.output.graphs.is_empty() {
            verdict.proof_core = self.phase("proof core", || proof_core::find(query));
        }
        if let Answer::Unsafe(violation) = &verdict.answer {
            verdict.notes.extend(fences::notes(violation));
        }
        places::of_users(&mut verdict, &ready.program);
        as_written(&mut verdict);
        let example = match verdict.answer {
            Answer::Safe | Answer::Bounded { .. } if !check.output.graphs.is_empty() => {
                self.phase("example", || example::run(&ready.program))
            }
            _ => None,
        };
        let ignored = ready.program.ignored.iter();
        let ignored = ignored.map(|(text, span)| Remark::new(text.clone(), *span));
        verdict.assumptions.extend(ignored);
        rest_on_memory(&mut verdict, query);
        rest_on_owners(&mut verdict, query);
        rest_on_readers(&mut verdict, query);
        rest_on_compilers(&mut verdict, query);
        self.rest_on_interleavings(ready, &mut verdict, check);
        if !check.output.witnesses.is_empty() {
            note_missing_witness(&mut verdict);
        }
        let mut names = Names::of(&ready.program);
        if matches!(verdict.answer, Answer::Safe) && !check.output.witnesses.is_empty() {
            let proven = self.phase("invariants", || bounds::find(query));
            names.invariants = invariants(&ready.program, &names.globals, &proven);
        }
        let names = names.into();
        let files = ready.program.files.clone().into();
        let weaker = ready.weaker;
        let (model, follows, replayed) = (None, None, None);
        Finding { verdict, model, follows, files, names, example, replayed, weaker }
    }

    /// A proof says if the program has more executions than an engine looks at.
    fn rest_on_interleavings(&self, ready: &Ready, verdict: &mut Verdict, check: &Check) {
        let proven = matches!(verdict.answer, Answer::Safe | Answer::Bounded { .. });
        if !proven || check.model() == MemoryModel::Cat {
            return;
        }
        let race = || match verdict.property {
            Property::NoDataRace => None,
            _ => self.phase("consistency", || consistency::race(&ready.program)).map(Cause::Race),
        };
        if let Some(cause) = ready.weaker.map(Cause::Weaker).or_else(race) {
            consistency::assume(verdict, cause, check.model());
        }
    }
}

/// A race of volatile accesses says that there is an option.
fn hint_volatile(input: &Input, program: &Program, verdict: &mut Verdict) {
    let Some((a, b)) = race_list::told(verdict) else { return };
    let is_volatile = |at: At| program.volatile.contains(&at.span);
    if input.volatile == Volatile::Race && is_volatile(a) && is_volatile(b) {
        let text = "the accesses are volatile, which makes no atomic access in C: --volatile \
                    atomic takes them for atomic ones";
        verdict.notes.push(Remark::new(text, b.span));
    }
}

/// Without an answer about a `main` that looks at its words: there is an option.
fn hint_words(input: &Input, program: &Program, verdict: &mut Verdict) {
    let entry = &program.functions[program.entry.index()];
    // Besides count and list, a parameter for each word that there may be.
    let looks = entry.name == "main" && entry.params.len() > 3;
    if input.arguments.is_empty() && looks && matches!(verdict.answer, Answer::Unknown(_)) {
        let text = "what main is called with is not known: --arg WORD, once for each word, says it";
        verdict.notes.push(Remark::new(text, entry.span));
    }
}

/// A proof says if it rests on allocations that do not fail.
fn rest_on_memory(verdict: &mut Verdict, query: Query<'_>) {
    let proven = matches!(verdict.answer, Answer::Safe | Answer::Bounded { .. });
    if proven && !query.settings.malloc_may_fail {
        let remark = |span| Remark::new(allocation::ASSUMPTION, span);
        verdict.assumptions.extend(allocation::first(query.program).map(remark));
    }
}

/// A proof says if it rests on threads that unlock only what they hold, and wait for a condition with one mutex.
fn rest_on_owners(verdict: &mut Verdict, query: Query<'_>) {
    if matches!(verdict.answer, Answer::Safe | Answer::Bounded { .. }) {
        let doubts = held::doubts(query.program);
        let found = [
            (held::ASSUMPTION, doubts.released),
            (held::INITIALISED, doubts.initialised),
            (one_mutex::ASSUMPTION, one_mutex::first_doubt(query.program)),
        ];
        let remarks = found.into_iter().filter_map(|(what, at)| Some(Remark::new(what, at?)));
        verdict.assumptions.extend(remarks);
    }
}

/// A proof says if it rests on readers that go before a writer who waits.
fn rest_on_readers(verdict: &mut Verdict, query: Query<'_>) {
    let proven = matches!(verdict.answer, Answer::Safe | Answer::Bounded { .. });
    if proven && verdict.property == Property::NoDeadlock {
        let remark = |span| Remark::new(reread::ASSUMPTION, span);
        verdict.assumptions.extend(reread::first_doubt(query.program).map(remark));
    }
}

/// A proof under a machine's model says if it rests on what compilers need not do: keep dependencies, emit `LDAR`.
fn rest_on_compilers(verdict: &mut Verdict, query: Query<'_>) {
    let proven = matches!(verdict.answer, Answer::Safe | Answer::Bounded { .. });
    let Some(model) = query.settings.weak.as_ref().filter(|_| proven) else { return };
    if model.has_dependencies() {
        let remark = |span| Remark::new(consistency::DEPENDENCIES, span);
        verdict.assumptions.extend(consistency::first_relaxed_load(query.program).map(remark));
    }
    if model.target == Target::Armv8 {
        let remark = |span| Remark::new(consistency::LDAR, span);
        verdict.assumptions.extend(consistency::first_acquire_load(query.program).map(remark));
    }
}

/// Witnesses are about schedules.
fn note_missing_witness(verdict: &mut Verdict) {
    if matches!(&verdict.answer, Answer::Unsafe(violation) if violation.weak.is_some()) {
        let text = "no witness is written: witnesses are about schedules, this execution has none";
        verdict.notes.push(Remark::new(text, Span::NONE));
    }
}

/// A property that is not answered yet.
struct OpenProperty {
    property: Property,
    /// Its last turn.
    had: Duration,
    /// What the best answer so far is worth.
    worth: Option<u8>,
    /// It has one turn only.
    once: bool,
}

impl OpenProperty {
    fn new(property: Property) -> OpenProperty {
        OpenProperty { property, had: Duration::ZERO, worth: None, once: false }
    }

    /// Is this answer no worse than those before?
    fn take(&mut self, answer: &Answer) -> bool {
        let worth = match answer {
            Answer::Unknown(Reason::Time) => 0,
            Answer::Unknown(_) => 1,
            Answer::Bounded { .. } => 2,
            Answer::Safe | Answer::Unsafe(_) => 3,
        };
        let best = self.worth.is_none_or(|before| worth >= before);
        self.worth = self.worth.max(Some(worth));
        best
    }

    fn settled(&self) -> bool {
        self.worth == Some(3)
    }
}

fn shortened(limits: Limits, turn: Turn) -> Limits {
    match turn {
        Turn::For(time) => limits.shortened(time),
        Turn::Unlimited | Turn::Over => limits,
    }
}
/// Names in texts as the user has written them.
fn as_written(verdict: &mut Verdict) {
    let Verdict { answer, assumptions, notes, .. } = verdict;
    let mut texts: Vec<&mut String> =
        assumptions.iter_mut().chain(notes).map(|remark| &mut remark.text).collect();
    match answer {
        Answer::Unsafe(violation) => texts.push(&mut violation.message),
        Answer::Bounded { cut } => texts.extend(cut.iter_mut().map(|remark| &mut remark.text)),
        Answer::Unknown(
            Reason::Unsupported { what, .. }
            | Reason::Undefined { what, .. }
            | Reason::Domain { what, .. },
        ) => texts.push(what),
        Answer::Unknown(_) | Answer::Safe => {}
    }
    for text in texts {
        if let Cow::Owned(decoded) = decode(text) {
            *text = decoded;
        }
    }
}
