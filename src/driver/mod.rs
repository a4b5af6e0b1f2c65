//! From options to an outcome: preprocess, load, bound, ask an engine, once per property and memory model.
//!
//! The work runs under `supervise` and sends what it finds as it goes, so that a limit that
//! strikes late costs only the properties that are not answered yet.
//!
//! - `behind.rs`: what a proof that ends at undefined behaviour leaves out
//! - `models.rs`: one memory model after the other, and what they say together
//! - `kept.rs`: what a question leaves for the same one about another model
//! - `job.rs`: the side that works
//! - `transfer.rs`: what interleavings say about a weaker model
//! - `ready.rs`: a program as an engine gets it
//! - `stop.rs`: why the work ends early

mod behind;
mod job;
mod kept;
mod models;
mod ready;
mod stop;
mod transfer;

use crate::bench;
use crate::compile;
use crate::contract::{Progress, Recorder};
use crate::fences;
use crate::litmus;
use crate::output;
use crate::progress_line::ProgressLine;
use crate::report::diagnostic::Diagnostic;
use crate::report::judged::Judged;
use crate::report::{Failure, Report, json, verdict};
use crate::request::{Options, Task, Validate};
use crate::show;
use crate::supervise::{Budget, supervise};
use ir::Program;
use job::{JobEvent, work};
use stop::Stop;

pub enum Outcome {
    Checked(Report),
    /// A witness was judged.
    Judged(Judged),
    Shown(String),
    NotShown(Failure),
    Benched(bench::BenchReport),
    Litmus(litmus::LitmusReport),
    Fences(fences::FencesReport),
}

/// Adds the files that a compilation database has for the program. An outcome only if that fails.
pub fn complete(options: &mut Options) -> Option<Outcome> {
    let budget = Budget::start(options.timeout, None);
    let failure = compile::complete(&mut options.input, budget.deadline()).err()?;
    Some(match &options.task {
        Task::Check(check) => {
            let mut report = Report::new(models::terms(options, check, None));
            report.failure = Some(failure);
            Outcome::Checked(report)
        }
        _ => Outcome::NotShown(failure),
    })
}

pub fn run(options: &Options) -> Outcome {
    let budget = Budget::start(options.timeout, options.memlimit)
        .within(crate::supervise::inherited_address_space());
    let progress = Progress::default();
    let line = || ProgressLine::start(&progress, shows_progress(options));
    match &options.task {
        Task::Check(check) => {
            let _line = line();
            let mut report = models::check(options, check, &budget, &progress);
            progress.begin(if check.output.replay.is_some() { "replay" } else { "write" });
            report.unwritten = output::write(&mut report, &options.input, &check.output);
            Outcome::Checked(report)
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
            Outcome::Fences(models::fences(options, check, &budget, &progress))
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
            (Outcome::Checked(report), Task::Check(check)) if check.json => {
                json::render(report, &options.input)
            }
            (Outcome::Checked(report), Task::Check(check)) => {
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
            Outcome::Checked(report) => {
                let failure = report.failure.iter().map(|f| verdict::render_failure(f, colour));
                failure.chain(report.unwritten.iter().map(|p| p.render(colour))).collect()
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
            Outcome::Checked(report) => report.exit_code(),
            Outcome::Judged(judged) => judged.exit_code(),
            Outcome::Shown(_) => 0,
            Outcome::Benched(report) => report.exit_code,
            Outcome::Litmus(report) => report.exit_code,
            Outcome::Fences(report) => report.exit_code(),
            Outcome::NotShown(failure) => failure.exit_code(),
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
        JobEvent::Judged(found) => judged = Some(*found),
        JobEvent::Stop(reason) => stop = Some(reason),
        JobEvent::Finding(_) | JobEvent::Text(_) => {}
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
        JobEvent::Text(part) => text.push_str(&part),
        JobEvent::Stop(reason) => stop = Some(reason),
        JobEvent::Finding(_) | JobEvent::Judged(_) => {}
    });
    match stop.or(ended.err().map(Stop::from)) {
        None => Outcome::Shown(text),
        Some(Stop::Failure(failure)) => Outcome::NotShown(failure),
        Some(Stop::Limit(limit)) => Outcome::NotShown(Failure::Limit(limit)),
    }
}
