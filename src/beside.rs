//! C's own memory model beside sequential consistency, where a program asks for less than `seq_cst`.
//!
//! A user who names no model wants to know about the program as C has it. Interleavings answer that for
//! programs whose atomic accesses are all `seq_cst`; for others rc11 is asked, too, about each property
//! of which sequential consistency has found no violation. (Where it has found one there is nothing
//! left to ask: an interleaving is an execution of every model.)
//!
//! - UNSAFE under rc11: the program is UNSAFE, in an execution that is no interleaving.
//! - SAFE under rc11: SAFE under both, and nothing rests on interleavings any longer.
//! - Nothing: the answer is the one about interleavings, with its assumption, and a note says why rc11
//!   is open. So it is if rc11 finds a race where that was not the question: the program is not defined
//!   then, which is a question of its own (`no-data-race`).
//!
//! Cost: none without weaker accesses; else at most `TIMES` what the first answer took, or `LEAST`. Who
//! wants more names the model (`--mm rc11`), which has all of `--timeout`.

use crate::consistency;
use crate::contract::{Answer, MemoryModel, Property, Reason, Remark};
use crate::report::{Finding, Report};
use crate::request::{MemoryModelChoice, ModelAsked, ModelChoice, Seconds};
use crate::specification::Properties;
use crate::supervise::Budget;
use std::time::{Duration, Instant};

/// The model.
pub const NAME: &str = "rc11";

pub fn model() -> ModelAsked {
    let model = ModelChoice::Builtin(NAME.into());
    ModelAsked::InCat(MemoryModelChoice { model, target: None })
}

/// What it may cost even if the first answer came at once. (About 90 programs with weaker atomics were tried: after
/// a quick first answer rc11 had its own within 5 s, or none within 20.)
const LEAST: Duration = Duration::from_secs(5);
/// What it may cost for each second of the first answer.
const TIMES: u32 = 2;

/// The properties that are left to ask about: those that rest on interleavings alone.
pub fn open(report: &Report, knows: impl Fn(Property) -> bool) -> Properties {
    let no_violation = |f: &&Finding| {
        let proven = matches!(f.verdict.answer, Answer::Safe | Answer::Bounded { .. });
        proven && f.weaker.is_some() && knows(f.verdict.property)
    };
    report.findings.iter().filter(no_violation).map(|f| f.verdict.property).collect()
}

/// The part of what is left that this question may use.
pub fn share(budget: &Budget) -> Budget {
    let most = LEAST.max(budget.started.elapsed() * TIMES);
    let left = budget.deadline().map(|d| d.saturating_duration_since(Instant::now()));
    let time = left.map_or(most, |left| left.min(most));
    Budget { started: Instant::now(), time: Some(Seconds(time)), ..*budget }
}

/// Both answers, or the first with a word about the other.
pub fn join(report: &mut Report, mut other: Report, share: &Budget) {
    let failure = other.failure.take();
    let terms = report.terms.clone();
    let mut both = Vec::new();
    for found in std::mem::take(&mut other.findings) {
        let same = |f: &&mut Finding| f.verdict.property == found.verdict.property;
        let Some(first) = report.findings.iter_mut().find(same) else { continue };
        let reason = |reason: &Reason| terms.reason(&found, reason);
        match why_open(&found, reason, share) {
            Some(why) => note(first, &why),
            None => {
                consistency::settle(&mut first.verdict, MemoryModel::Sc);
                both.push(found);
            }
        }
    }
    if let Some(failure) = failure {
        let weaker = report.findings.iter_mut().filter(|f| f.weaker.is_some());
        weaker.for_each(|first| note(first, failure.word()));
    }
    if !both.is_empty() {
        both.iter_mut().for_each(|f| f.model = Some(NAME.into()));
        report.findings.iter_mut().for_each(|f| f.model = Some(MemoryModel::Sc.name().into()));
        other.findings = both;
    }
    report.extend(other);
}

/// Why an answer says nothing about the property; `None` if it does.
fn why_open(found: &Finding, reason: impl Fn(&Reason) -> String, share: &Budget) -> Option<String> {
    match &found.verdict.answer {
        Answer::Safe => None,
        Answer::Unsafe(violation) => {
            let asked = found.verdict.property == Property::NoDataRace;
            if violation.kind != Property::NoDataRace.name() || asked {
                return None;
            }
            let at = found.place(violation.span).map_or(String::new(), |p| format!(" at {p}"));
            Some(format!("there is a data race{at}, which is undefined behaviour"))
        }
        Answer::Bounded { .. } => Some("no violation within the bounds that were tried".into()),
        Answer::Unknown(Reason::Time) => {
            let seconds = share.time.map_or(0.0, |time| time.0.as_secs_f64());
            Some(format!("no answer within {seconds:.0} s (--mm {NAME} takes its time)"))
        }
        Answer::Unknown(why) => Some(reason(why)),
    }
}

fn note(first: &mut Finding, why: &str) {
    let Some(weaker) = first.weaker else { return };
    let remark = Remark::new(format!("open under {NAME}: {why}"), weaker.first);
    if matches!(first.verdict.answer, Answer::Safe | Answer::Bounded { .. }) {
        first.verdict.notes.push(remark);
    }
}
