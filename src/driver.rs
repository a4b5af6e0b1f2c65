//! From options to an outcome: preprocess, load, bound, ask an engine, once per property.
//!
//! The work runs under `supervise` and sends what it finds as it goes, so that a limit that
//! strikes late costs only the properties that are not answered yet.

use crate::bench;
use crate::beside;
use crate::compile;
use crate::consistency::{self, Cause, Weaker};
use crate::contract::{
    Answer, Bounds, Limits, MemoryModel, Progress, Property, Query, Reason, Recorder, Remark,
    Settings, Verdict,
};
use crate::engine::bmc::proof_core;
use crate::fences;
use crate::kernel;
use crate::litmus;
use crate::load::Loader;
use crate::models;
use crate::output::{self, graph::example};
use crate::portfolio::{Portfolio, table};
use crate::preprocess::{self, Unit};
use crate::progress_line::Line;
use crate::race_list;
use crate::report::diagnostic::Diagnostic;
use crate::report::judged::{Judged, Judgement};
use crate::report::{Failure, Finding, Names, Report, Terms, json, places, verdict};
use crate::request::{
    Bytes, Check, Input, ModelAsked, ModelChoice, Options, Output, Spin, Task, Unwind, Validate,
    Volatile,
};
use crate::show;
use crate::supervise::{Budget, Limit, Stopped, supervise};
use crate::turns::{self, Turn};
use crate::validate;
use crate::witness::invariants::invariants;
use analysis::loops::{LoopInfo, user_loops};
use analysis::spin::{self, Goal};
use ir::Program;
use ir::PropertyKind;
use ir::names::decode;
use solver::weak;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

pub enum Outcome {
    /// With what went wrong while files were written.
    Checked(Report, Vec<Diagnostic>),
    /// A witness was judged.
    Judged(Judged),
    Shown(String),
    NotShown(Failure),
    Benched(bench::Report),
    Litmus(litmus::Report),
    Fences(fences::Report),
}

/// What the work has to say, in order.
enum Event {
    Finding(Box<Finding>),
    Judged(Box<Judged>),
    Text(String),
    Stop(Stop),
}

/// Why the work ends early.
enum Stop {
    Failure(Failure),
    Limit(Limit),
}

/// Adds the files that a compilation database has for the program. An outcome only if that fails.
pub fn complete(options: &mut Options) -> Option<Outcome> {
    let budget = Budget::start(options.timeout, None);
    let failure = compile::complete(&mut options.input, budget.deadline()).err()?;
    Some(match &options.task {
        Task::Check(check) => {
            let mut report = Report::new(terms(options, check, None));
            report.failure = Some(failure);
            Outcome::Checked(report, Vec::new())
        }
        _ => Outcome::NotShown(failure),
    })
}

pub fn run(options: &Options) -> Outcome {
    let memory = options.memlimit.or_else(crate::supervise::inherited_memory);
    let budget = Budget::start(options.timeout, memory);
    let progress = Progress::default();
    let line = || Line::start(&progress, shows_progress(options));
    match &options.task {
        Task::Check(check) => {
            let _line = line();
            let mut report = run_check(options, check, &budget, &progress);
            progress.begin(if check.output.replay.is_some() { "replay" } else { "write" });
            let problems = output::write(&mut report, &options.input, &check.output);
            Outcome::Checked(report, problems)
        }
        Task::Validate(validate) => {
            let _line = line();
            run_validate(options, validate, &budget, &progress)
        }
        Task::Show(show) => {
            let show = show.clone();
            run_text(options, &budget, move |program| show::render(program, &show))
        }
        Task::Bench(plan) => match bench::run(plan) {
            Ok(report) => Outcome::Benched(report),
            Err(failure) => Outcome::NotShown(failure),
        },
        Task::Litmus(plan) => {
            let _line = line();
            match litmus::run(plan, &progress) {
                Ok(report) => Outcome::Litmus(report),
                Err(failure) => Outcome::NotShown(failure),
            }
        }
        Task::Fences(check) => {
            let _line = line();
            Outcome::Fences(run_fences(options, check, &budget, &progress))
        }
        Task::Print(text) => Outcome::Shown(text.clone()),
        Task::Run => run_text(options, &budget, |program| {
            crate::execute::execute(program).map_err(|why| Failure::Input(Diagnostic::new(why)))
        }),
    }
}

/// JSON is for programs, and the log has the same to say.
fn shows_progress(options: &Options) -> bool {
    let json = matches!(&options.task, Task::Check(c) | Task::Fences(c) if c.json);
    !json && !options.quiet && options.verbose == 0
}

impl Outcome {
    /// For stdout.
    pub fn text(&self, options: &Options, colour: bool) -> String {
        match (self, &options.task) {
            (Outcome::Checked(report, _), Task::Check(check)) if check.json => {
                json::render(report, &options.input)
            }
            (Outcome::Checked(report, _), Task::Check(check)) => {
                verdict::render(report, check.stats, colour)
            }
            (Outcome::Judged(judged), _) => judged.render(colour),
            (Outcome::NotShown(failure), Task::Validate(_)) => failure.verdict_line(),
            (Outcome::Shown(text), _) => text.clone(),
            (Outcome::Benched(report), _) => report.text.clone(),
            (Outcome::Litmus(report), _) => report.text.clone(),
            (Outcome::Fences(report), Task::Fences(check)) if check.json => report.json(),
            (Outcome::Fences(report), _) => report.text(),
            _ => String::new(),
        }
    }

    /// For stderr.
    pub fn messages(&self, colour: bool) -> String {
        match self {
            Outcome::Checked(report, problems) => {
                let failure = report.failure.iter().map(|f| verdict::render_failure(f, colour));
                failure.chain(problems.iter().map(|p| p.render(colour))).collect()
            }
            Outcome::NotShown(failure) => verdict::render_failure(failure, colour),
            Outcome::Litmus(report) => report.messages.clone(),
            Outcome::Shown(_) | Outcome::Judged(_) | Outcome::Benched(_) | Outcome::Fences(_) => {
                String::new()
            }
        }
    }

    pub fn exit_code(&self) -> u8 {
        match self {
            Outcome::Checked(report, _) => report.exit_code(),
            Outcome::Judged(judged) => judged.exit_code(),
            Outcome::Shown(_) => 0,
            Outcome::Benched(report) => report.exit_code,
            Outcome::Litmus(report) => report.exit_code,
            Outcome::Fences(report) => report.exit_code(),
            Outcome::NotShown(failure) => failure.exit_code(),
        }
    }
}

/// One memory model after the other.
fn run_check(options: &Options, check: &Check, budget: &Budget, progress: &Progress) -> Report {
    let [first, others @ ..] = &check.models[..] else {
        return Report::new(terms(options, check, budget.memory));
    };
    let run = |model: &ModelAsked| {
        let mut report = run_model(options, check, model, budget, progress);
        let name = (!others.is_empty()).then(|| model.name());
        report.findings.iter_mut().for_each(|finding| finding.model.clone_from(&name));
        report
    };
    let mut report = run(first);
    for model in others {
        report.extend(run(model));
    }
    if let Some(model) = &check.beside {
        run_beside(&mut report, options, check, model, budget, progress);
    }
    if check.strict {
        report.findings.iter_mut().for_each(|f| consistency::be_strict(&mut f.verdict));
    }
    report
}

/// The same question about the executions that interleavings leave out.
fn run_beside(
    report: &mut Report,
    options: &Options,
    check: &Check,
    model: &ModelAsked,
    budget: &Budget,
    progress: &Progress,
) {
    let properties = beside::open(report, |p| table::knows(p, model.kind()));
    let share = beside::share(budget);
    if properties.is_empty()
        || report.failure.is_some()
        || share.time.is_some_and(|t| t.0.is_zero())
    {
        return;
    }
    let output = Output { graphs: Vec::new(), ..check.output.clone() };
    let check = Check { properties, by_default: false, output, beside: None, ..check.clone() };
    let other = run_model(options, &check, model, &share, progress);
    beside::join(report, other, &share);
}

/// Looks for changes that make the program safe under the first model.
fn run_fences(
    options: &Options,
    check: &Check,
    budget: &Budget,
    progress: &Progress,
) -> fences::Report {
    let Some(model) = check.models.first() else { return fences::Report::nothing() };
    let mut ask = |texts| {
        let input = Input { texts, ..options.input.clone() };
        let options = Options { input, ..options.clone() };
        run_model(&options, check, model, budget, progress)
    };
    fences::run(&options.input.files, &model.name(), &mut ask)
}

fn run_model(
    options: &Options,
    check: &Check,
    model: &ModelAsked,
    budget: &Budget,
    progress: &Progress,
) -> Report {
    let check = &Check { models: vec![model.clone()], ..check.clone() };
    let mut report = Report::new(terms(options, check, budget.memory));
    let mut stop = None;
    let recorder = Recorder { progress: progress.clone(), ..Recorder::default() };
    let work = {
        let (input, check, budget) = (options.input.clone(), check.clone(), *budget);
        let recorder = recorder.clone();
        move |out| work(out, recorder, |job| job.check(&input, &check, &budget))
    };
    let ended = supervise(budget, work, |event| match event {
        Event::Finding(finding) => report.add(*finding),
        Event::Stop(reason) => stop = Some(reason),
        Event::Text(_) | Event::Judged(_) => {}
    });
    match stop.or(ended.err().map(Stop::from)) {
        Some(Stop::Failure(failure)) => report.failure = Some(failure),
        Some(Stop::Limit(limit)) => leave_rest_unknown(&mut report, check, limit),
        None => {}
    }
    if check.model() != MemoryModel::Cat {
        let mut verdicts: Vec<_> = report.findings.iter_mut().map(|f| &mut f.verdict).collect();
        consistency::learn(&mut verdicts, check.model());
    }
    let place = |f: &Finding| check.properties.iter().position(|&p| p == f.verdict.property);
    report.findings.sort_by_key(place);
    report.phases = recorder.phases.so_far();
    report.peak_memory = crate::supervise::peak_memory();
    report
}

fn terms(options: &Options, check: &Check, memlimit: Option<Bytes>) -> Terms {
    Terms {
        unwind: check.unwind,
        unwindset: check.unwindset.clone(),
        timeout: options.timeout,
        memlimit,
        accept_bounded: check.accept_bounded,
        trace: check.trace,
        width: check.width,
    }
}

fn leave_rest_unknown(report: &mut Report, check: &Check, limit: Limit) {
    for &property in &check.properties {
        let reason = match limit {
            Limit::Time => Reason::Time,
            Limit::Memory => Reason::Memory,
            Limit::Interrupt => Reason::Interrupted,
        };
        // Who ran out of time once would have been asked again.
        let open = |f: &Finding| matches!(f.verdict.answer, Answer::Unknown(Reason::Time));
        let answered = |f: &Finding| f.verdict.property == property && !open(f);
        if !report.findings.iter().any(answered) {
            report.add(Finding::unknown(property, reason));
        }
    }
}

/// Reads a witness and has it judged.
fn run_validate(
    options: &Options,
    validate: &Validate,
    budget: &Budget,
    progress: &Progress,
) -> Outcome {
    let mut judged = None;
    let mut stop = None;
    let work = {
        let (input, validate, budget) = (options.input.clone(), validate.clone(), *budget);
        let recorder = Recorder { progress: progress.clone(), ..Recorder::default() };
        move |out| work(out, recorder, |job| job.validate(input, &validate, &budget))
    };
    let ended = supervise(budget, work, |event| match event {
        Event::Judged(found) => judged = Some(*found),
        Event::Stop(reason) => stop = Some(reason),
        Event::Finding(_) | Event::Text(_) => {}
    });
    match (judged, stop.or(ended.err().map(Stop::from))) {
        (Some(judged), _) => Outcome::Judged(judged),
        (None, Some(Stop::Failure(failure))) => Outcome::NotShown(failure),
        (None, Some(Stop::Limit(limit))) => Outcome::NotShown(Failure::Limit(limit)),
        (None, None) => Outcome::NotShown(Failure::Internal("no judgement".into())),
    }
}

/// Loads the program and prints what `tell` has to say about it.
fn run_text(
    options: &Options,
    budget: &Budget,
    tell: impl FnOnce(&Program) -> Result<String, Failure> + Send + 'static,
) -> Outcome {
    let mut text = String::new();
    let mut stop = None;
    let work = {
        let (input, budget) = (options.input.clone(), *budget);
        move |out| work(out, Recorder::default(), |job| job.tell(&input, &budget, tell))
    };
    let ended = supervise(budget, work, |event| match event {
        Event::Text(part) => text.push_str(&part),
        Event::Stop(reason) => stop = Some(reason),
        Event::Finding(_) | Event::Judged(_) => {}
    });
    match stop.or(ended.err().map(Stop::from)) {
        None => Outcome::Shown(text),
        Some(Stop::Failure(failure)) => Outcome::NotShown(failure),
        Some(Stop::Limit(limit)) => Outcome::NotShown(Failure::Limit(limit)),
    }
}

/// The side that works, in its own thread.
struct Job {
    out: Sender<Event>,
    recorder: Recorder,
}

fn work(out: Sender<Event>, recorder: Recorder, task: impl FnOnce(&Job) -> Result<(), Stop>) {
    let job = Job { out, recorder };
    if let Err(stop) = task(&job) {
        job.send(Event::Stop(stop));
    }
}

impl Job {
    /// Nobody listens any more once a limit was exceeded: then nothing needs to be said.
    fn send(&self, event: Event) {
        let _ = self.out.send(event);
    }

    fn phase<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        self.recorder.phase(name, work)
    }

    fn loader<'a>(&'a self, units: &'a [Unit], input: &'a Input) -> Loader<'a> {
        Loader { units, input, recorder: &self.recorder }
    }

    fn limits(&self, budget: &Budget) -> Limits {
        let memory = budget.memory.map(|bytes| bytes.0);
        let progress = self.recorder.progress.clone();
        Limits { deadline: budget.deadline(), memory, progress, ..Limits::default() }
    }

    /// Asks for each property in turn, and again for those that ran out of time.
    fn check(&self, input: &Input, check: &Check, budget: &Budget) -> Result<(), Stop> {
        let units = self.phase("preprocess", || preprocess::units(input, budget.deadline()))?;
        let loader = self.loader(&units, input);
        let weak = check.weak().map(models::load).transpose();
        let weak = weak.map_err(|why| Failure::Input(Diagnostic::new(why)))?;
        race_list::readable(check.suppressions.as_deref())?;
        let mut shelf = Shelf::default();
        let unasked = check.by_default && budget.deadline().is_none();
        let mut open: Vec<Asked> = check.properties.iter().map(|&p| Asked::new(p)).collect();
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
                        let finding = Finding::unknown(asked.property, Reason::Time);
                        self.send(Event::Finding(Box::new(finding)));
                    }
                    continue;
                }
                let ready = self.prepared(&mut shelf, loader, check, asked.property)?;
                let limits = shortened(self.limits(budget), turn);
                let finding =
                    self.ask(loader, &ready, asked.property, check, weak.as_ref(), &limits);
                let ran_out = limits.deadline.is_some_and(|d| Instant::now() >= d);
                if asked.take(&finding.verdict.answer) {
                    self.send(Event::Finding(Box::new(finding)));
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

    fn validate(&self, mut input: Input, validate: &Validate, budget: &Budget) -> Result<(), Stop> {
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
        self.send(Event::Judged(Box::new(Judged {
            property: witness.property,
            judgement,
            ignored: witness.ignored(),
            files,
        })));
        Ok(())
    }

    fn tell(
        &self,
        input: &Input,
        budget: &Budget,
        tell: impl FnOnce(&Program) -> Result<String, Failure>,
    ) -> Result<(), Stop> {
        let units = self.phase("preprocess", || preprocess::units(input, budget.deadline()))?;
        let program = self.loader(&units, input).prepared(PropertyKind::Values)?;
        self.send(Event::Text(tell(&program)?));
        Ok(())
    }

    /// Loads the program, finds bounds for its loops, and collapses those that only wait. What was
    /// done for a property before is not done again.
    fn prepared(
        &self,
        shelf: &mut Shelf,
        loader: Loader<'_>,
        check: &Check,
        property: Property,
    ) -> Result<Rc<Ready>, Stop> {
        let (goal, kind) = (spin::Goal::of(property), property.kind());
        let asked = |ready: &&Rc<Ready>| (ready.goal, ready.kind) == (goal, kind);
        if let Some(ready) = shelf.ready.iter().find(asked) {
            return Ok(ready.clone());
        }
        let loaded = match shelf.loaded.iter().find(|(asked, _)| *asked == kind) {
            Some((_, program)) => program.clone(),
            None => {
                let program = loader.prepared(kind)?;
                shelf.loaded.push((kind, program.clone()));
                program
            }
        };
        let ready = Rc::new(prepare(loader, loaded, check, property)?);
        shelf.ready.push(ready.clone());
        Ok(ready)
    }

    fn ask(
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
        if property == Property::NoDataRace {
            let rules = check.suppressions.as_deref();
            race_list::complete(&mut verdict, query, &portfolio, rules, check.races);
            self.hint_volatile(loader, &mut verdict);
        }
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
        name_loops(&mut verdict.answer, &ready.loops);
        places::of_users(&mut verdict, &ready.program);
        as_written(&mut verdict);
        let example = match verdict.answer {
            Answer::Safe | Answer::Bounded { .. } if !check.output.graphs.is_empty() => {
                self.phase("example", || example::run(&ready.program))
            }
            _ => None,
        };
        let ignored = ready.program.ignored.iter();
        let ignored = ignored.map(|(text, span)| Remark { text: text.clone(), span: *span });
        verdict.assumptions.extend(ignored);
        self.rest_on_interleavings(ready, &mut verdict, check);
        let mut names = Names::of(&ready.program);
        if matches!(verdict.answer, Answer::Safe) && !check.output.witnesses.is_empty() {
            names.invariants = invariants(&ready.program, &names.globals);
        }
        let names = names.into();
        let files = ready.program.files.clone().into();
        let weaker = ready.weaker;
        let proven = matches!(verdict.answer, Answer::Safe | Answer::Bounded { .. });
        let race = (proven && weaker.is_some() && check.beside.is_some())
            .then(|| self.phase("consistency", || consistency::race(&ready.program)));
        let race = race.flatten();
        Finding { verdict, model: None, files, names, example, replayed: None, weaker, race }
    }

    /// A race of volatile accesses says that there is an option.
    fn hint_volatile(&self, loader: Loader<'_>, verdict: &mut Verdict) {
        let Some((a, b)) = race_list::told(verdict) else { return };
        if loader.input.volatile != Volatile::Race {
            return;
        }
        let input = Input { volatile: Volatile::Atomic, ..loader.input.clone() };
        let Ok(program) = Loader { input: &input, ..loader }.written(PropertyKind::Races, None)
        else {
            return;
        };
        if race_list::are_atomic(&program, a, b) {
            let text = "the accesses are volatile, which makes no atomic access in C: --volatile \
                        atomic takes them for atomic ones";
            verdict.notes.push(Remark { text: text.into(), span: b });
        }
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

/// Bounds loops where the options say so, and collapses those that only wait.
fn prepare(
    loader: Loader<'_>,
    mut program: Program,
    check: &Check,
    property: Property,
) -> Result<Ready, Stop> {
    let loops = user_loops(&program);
    show::know_loops(&loops, &check.unwindset)?;
    let everywhere = everywhere(check);
    // Collapsing a loop renumbers the others: users know the names from before.
    let bound = |info: &LoopInfo| {
        let known = loops.iter().find(|l| (l.function, l.span) == (info.function, info.span));
        let single = check.unwindset.iter().find(|b| known.is_some_and(|l| l.name == b.name));
        single.map(|b| b.bound).or(everywhere)
    };
    let weaker = consistency::weaker(&program);
    kernel::take_out(&mut program, check, property);
    if check.spin == Spin::On && (check.model().allows(spin::ASSUMES) || forgets_reads(check)) {
        loader.collapse(&mut program, property);
    }
    let named = user_loops(&program).into_iter();
    let per_loop = named.filter_map(|l| Some((l.name.clone(), bound(&l)?))).collect();
    let bounds = Bounds { per_loop, everywhere };
    let (goal, kind) = (spin::Goal::of(property), property.kind());
    Ok(Ready { goal, kind, program, bounds, loops, weaker })
}

/// Is an execution without some reads of an iteration that changes nothing an execution, too? So it is where
/// the absence of a read forbids nothing: in our models, no difference takes reads away.
fn forgets_reads(check: &Check) -> bool {
    check.weak().is_some_and(|weak| matches!(weak.model, ModelChoice::Builtin(_)))
}

/// A property that is not answered yet.
struct Asked {
    property: Property,
    /// Its last turn.
    had: Duration,
    /// What the best answer so far is worth.
    worth: Option<u8>,
    /// It has one turn only.
    once: bool,
}

impl Asked {
    fn new(property: Property) -> Asked {
        Asked { property, had: Duration::ZERO, worth: None, once: false }
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

/// Forms of the program that may be asked for again.
#[derive(Default)]
struct Shelf {
    loaded: Vec<(PropertyKind, Program)>,
    ready: Vec<Rc<Ready>>,
}

/// A program as an engine gets it.
struct Ready {
    /// What it was prepared for.
    goal: Option<Goal>,
    kind: PropertyKind,
    program: Program,
    /// Bounds by the names of loops in `program`.
    bounds: Bounds,
    /// The loops as users know them, before some were collapsed.
    loops: Vec<LoopInfo>,
    /// Where it asks for less than the interleavings that engines look at.
    weaker: Option<Weaker>,
}

/// Engines know where an execution was cut off; the loop there has a name that users can give to
/// `--unwindset`.
fn name_loops(answer: &mut Answer, loops: &[LoopInfo]) {
    let Answer::Bounded { cut } = answer else { return };
    for remark in cut {
        if let Some(info) = loops.iter().find(|l| l.span == remark.span) {
            remark.text = format!("loop {}", info.name);
        }
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

/// The bound for all loops, if there is one.
fn everywhere(check: &Check) -> Option<u32> {
    match check.unwind {
        Unwind::Auto => None,
        Unwind::Bound(n) => Some(n),
    }
}

impl From<Stopped> for Stop {
    fn from(stopped: Stopped) -> Stop {
        match stopped {
            Stopped::Limit(limit) => Stop::Limit(limit),
            Stopped::Panic(message) => Stop::Failure(Failure::Internal(message)),
        }
    }
}

impl From<frontend::Error> for Stop {
    fn from(error: frontend::Error) -> Stop {
        Failure::Input(error.into()).into()
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

impl From<preprocess::Failure> for Stop {
    fn from(failure: preprocess::Failure) -> Stop {
        match failure {
            preprocess::Failure::Input(diagnostic) => Failure::Input(diagnostic).into(),
            preprocess::Failure::Limit(limit) => Stop::Limit(limit),
        }
    }
}
