//! One memory model after the other, and what they say together.

use super::job::{JobEvent, work};
use super::kept::Kept;
use super::stop::Stop;
use crate::beside;
use crate::consistency;
use crate::contract::{Answer, MemoryModel, Progress, Property, Reason, Recorder, Remark};
use crate::fences;
use crate::portfolio::table;
use crate::report::{Finding, Report, Terms};
use crate::request::{Bytes, Check, Input, ModelAsked, Options, Output, Seconds};
use crate::supervise::{Budget, Limit, supervise};
use ir::Span;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// One memory model after the other. Findings are in the order of the models, the weakest first; interleavings are
/// asked before all others, since a violation there is one under every model.
pub fn check(options: &Options, check: &Check, budget: &Budget, progress: &Progress) -> Report {
    let mut report = Report::new(terms(options, check, budget.memory));
    let several = check.models.len() > 1;
    let kept = Memory::default();
    let mut order: Vec<&ModelAsked> = check.models.iter().collect();
    order.sort_by_key(|model| model.kind() != MemoryModel::Sc);
    for (i, model) in order.iter().enumerate() {
        let share = share(budget, order.len() - i);
        let mut found = with_races_of_c(check, model, &|check, model| {
            one(options, check, model, &share, progress, &kept)
        });
        let name = several.then(|| model.name());
        found.findings.iter_mut().for_each(|finding| finding.model.clone_from(&name));
        report.extend(found);
    }
    let place = |f: &Finding| check.models.iter().position(|m| Some(m.name()) == f.model);
    report.findings.sort_by_key(place);
    if let Some(model) = &check.beside {
        ask_beside(&mut report, options, check, model, budget, progress);
    }
    if check.strict {
        report.findings.iter_mut().for_each(|f| consistency::be_strict(&mut f.verdict));
    }
    report
}

/// What a model may take of the time that is left, if there is a limit: others wait.
fn share(budget: &Budget, waiting: usize) -> Budget {
    let left = budget.deadline().map(|d| d.saturating_duration_since(Instant::now()));
    match left {
        Some(left) if waiting > 1 => {
            let time = Some(Seconds(left / waiting as u32));
            Budget { started: Instant::now(), time, ..*budget }
        }
        _ => *budget,
    }
}

/// What the questions about one model leave for those about the next. Work that a limit has ended may still
/// hold it: then the next one begins anew.
type Memory = Arc<Mutex<Option<Kept>>>;

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
    let other = one(options, &check, model, &share, progress, &Memory::default());
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
        let kept = Memory::default();
        with_races_of_c(check, model, &|check, model| {
            one(&options, check, model, budget, progress, &kept)
        })
    };
    fences::run(&options.input.files, &model.name(), &mut ask)
}

fn one(
    options: &Options,
    check: &Check,
    model: &ModelAsked,
    budget: &Budget,
    progress: &Progress,
    memory: &Memory,
) -> Report {
    let check = &Check { models: vec![model.clone()], ..check.clone() };
    let mut report = Report::new(terms(options, check, budget.memory));
    let mut stop = None;
    let recorder = Recorder { progress: progress.clone(), ..Recorder::default() };
    let work = {
        let (input, check, budget) = (options.input.clone(), check.clone(), *budget);
        let recorder = recorder.clone();
        let memory = memory.clone();
        move |out| {
            work(out, recorder, |job| {
                let mut kept = take(&memory);
                let done = job.check(&input, &check, &budget, &mut kept);
                put(&memory, kept);
                done
            })
        }
    };
    let ended = supervise(budget, work, |event| match event {
        JobEvent::Finding(finding) => report.add(*finding),
        JobEvent::Stop(reason) => stop = Some(reason),
        JobEvent::Text(_) | JobEvent::Judged(_) => {}
    });
    match stop.or(ended.err().map(Stop::from)) {
        Some(Stop::Failure(failure)) => report.failure = Some(failure),
        Some(Stop::Limit(limit)) => leave_rest_unknown(&mut report, check, limit, progress),
        None => {}
    }
    if check.model() != MemoryModel::Cat {
        let mut verdicts: Vec<_> = report.findings.iter_mut().map(|f| &mut f.verdict).collect();
        consistency::learn(&mut verdicts, check.model());
    }
    let place = |f: &Finding| check.properties.iter().position(|&p| p == f.verdict.property);
    report.findings.sort_by_key(place);
    let mut kept = take(memory);
    report.findings.iter().for_each(|finding| kept.answered(model, finding));
    put(memory, kept);
    report.phases = recorder.phases.so_far();
    report.peak_memory = crate::supervise::peak_memory();
    report
}

fn take(memory: &Memory) -> Kept {
    let mut held = memory.lock().unwrap_or_else(PoisonError::into_inner);
    held.take().unwrap_or_default()
}

fn put(memory: &Memory, kept: Kept) {
    *memory.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
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

fn leave_rest_unknown(report: &mut Report, check: &Check, limit: Limit, progress: &Progress) {
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
            report.add(Finding::late(property, reason, progress));
        }
    }
}
