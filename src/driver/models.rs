//! One memory model after the other, and what they say together.

use super::job::{JobEvent, work};
use super::stop::Stop;
use crate::beside;
use crate::consistency;
use crate::contract::{Answer, MemoryModel, Progress, Property, Reason, Recorder, Remark};
use crate::fences;
use crate::portfolio::table;
use crate::report::{Finding, Report, Terms};
use crate::request::{Bytes, Check, Input, ModelAsked, Options, Output};
use crate::supervise::{Budget, Limit, supervise};
use ir::Span;

/// One memory model after the other.
pub fn check(options: &Options, check: &Check, budget: &Budget, progress: &Progress) -> Report {
    let [first, others @ ..] = &check.models[..] else {
        return Report::new(terms(options, check, budget.memory));
    };
    let run = |model: &ModelAsked| {
        let mut report = with_races_of_c(check, model, &|check, model| {
            one(options, check, model, budget, progress)
        });
        let name = (!others.is_empty()).then(|| model.name());
        report.findings.iter_mut().for_each(|finding| finding.model.clone_from(&name));
        report
    };
    let mut report = run(first);
    for model in others {
        report.extend(run(model));
    }
    if let Some(model) = &check.beside {
        ask_beside(&mut report, options, check, model, budget, progress);
    }
    if check.strict {
        report.findings.iter_mut().for_each(|f| consistency::be_strict(&mut f.verdict));
    }
    report
}

/// What a data race is, is a matter of C: a model of a machine has none, so C's own model is asked about them.
fn with_races_of_c(
    check: &Check,
    model: &ModelAsked,
    ask: &dyn Fn(&Check, &ModelAsked) -> Report,
) -> Report {
    let race = |p: &Property| *p == Property::NoDataRace;
    if !model.is_machine() || !check.properties.iter().any(race) {
        return ask(check, model);
    }
    let only = |races: bool| {
        let properties = check.properties.iter().copied().filter(|p| race(p) == races);
        Check { properties: properties.collect(), ..check.clone() }
    };
    let others = only(false);
    let first = (!others.properties.is_empty()).then(|| ask(&others, model));
    let mut races = ask(&only(true), &beside::model());
    let text = format!("data races are C's, not a machine's: asked of {}", beside::NAME);
    for finding in &mut races.findings {
        finding.verdict.notes.push(Remark::new(text.clone(), Span::NONE));
    }
    let Some(mut report) = first else { return races };
    report.extend(races);
    let place = |f: &Finding| check.properties.iter().position(|&p| p == f.verdict.property);
    report.findings.sort_by_key(place);
    report
}

/// The same question about the executions that interleavings leave out.
fn ask_beside(
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
    let other = one(options, &check, model, &share, progress);
    beside::join(report, other, &share);
}

/// Looks for changes that make the program safe under the first model.
pub fn fences(
    options: &Options,
    check: &Check,
    budget: &Budget,
    progress: &Progress,
) -> fences::FencesReport {
    let Some(model) = check.models.first() else { return fences::FencesReport::nothing() };
    let mut ask = |texts| {
        let input = Input { texts, ..options.input.clone() };
        let options = Options { input, ..options.clone() };
        with_races_of_c(check, model, &|check, model| one(&options, check, model, budget, progress))
    };
    fences::run(&options.input.files, &model.name(), &mut ask)
}

fn one(
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
        JobEvent::Finding(finding) => report.add(*finding),
        JobEvent::Stop(reason) => stop = Some(reason),
        JobEvent::Text(_) | JobEvent::Judged(_) => {}
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

pub fn terms(options: &Options, check: &Check, memlimit: Option<Bytes>) -> Terms {
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
