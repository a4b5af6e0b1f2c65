//! From what a search has met to an answer, and what is said with it.

use super::transition::Events;
use super::watch::UndefinedAccess;
use crate::contract::{Answer, Property, Reason, Remark, Verdict};
use analysis::address_bits::{self, Peek};
use analysis::points_to::{Context, PointsTo};
use interp::{Cut, InvalidAccess};
use ir::{FuncId, Program, Span};

pub fn unsupported(property: Property, why: interp::Unsupported) -> Verdict {
    let reason = Reason::Unsupported { what: why.what, span: why.span };
    Verdict::new(property, Answer::Unknown(reason))
}

/// What a search without a violation has shown, by what it met.
pub fn answered(
    program: &Program,
    events: &Events,
    sampled: Option<&(String, Span)>,
    undefined_ends: bool,
) -> Answer {
    if let Some((what, span)) = events.unsupported.first() {
        return Answer::Unknown(Reason::Unsupported { what: what.clone(), span: *span });
    }
    if let Some(span) = looks_at_an_address(program, &events.peeks) {
        let what = address_bits::WHAT.into();
        return Answer::Unknown(Reason::Unsupported { what, span });
    }
    if let Some((what, span)) = sampled {
        return Answer::Unknown(Reason::Domain { what: what.clone(), span: *span });
    }
    if let Some((what, span)) = undefined(events).filter(|_| !undefined_ends) {
        return Answer::Unknown(Reason::Undefined { what, span });
    }
    let cut = cuts(program, events);
    if cut.is_empty() { Answer::Safe } else { Answer::Bounded { cut } }
}

/// Where the answer could be another one with another layout.
fn looks_at_an_address(program: &Program, peeks: &[(FuncId, Peek, Span)]) -> Option<Span> {
    peeks.first()?;
    let points_to = PointsTo::new(program, Context::Insensitive);
    let mut matter = peeks.iter().filter(|(f, peek, _)| peek.matters(program, &points_to, *f));
    matter.next().map(|(_, _, span)| *span)
}

/// What makes everything that follows it undefined.
fn undefined(events: &Events) -> Option<(String, Span)> {
    let written = events.invalid.iter().find(|met| met.access == InvalidAccess::Write);
    let read = |(cut, span): &(Cut, Span)| match cut {
        Cut::InvalidAccess(what) => Some((what.clone(), *span)),
        _ => None,
    };
    let written = written.map(|met| (met.what.clone(), met.span));
    written.or_else(|| events.cuts.iter().find_map(read))
}

/// Where executions were cut off although they could go on.
fn cuts(program: &Program, events: &Events) -> Vec<Remark> {
    let remark = |(cut, span): &(Cut, _)| match cut {
        Cut::Bound(id) => Some(Remark::cut(program, &program.named_loop(*id))),
        Cut::Recursion => Some(Remark::recursion_limit(*span)),
        _ => None,
    };
    Remark::sorted(events.cuts.iter().filter_map(remark))
}

/// Of a search that has not come to its end: why more of it cannot end in a proof.
pub fn no_proof(events: &Events) -> Option<Remark> {
    let (what, span) = events.unsupported.first()?;
    let text = format!("not modelled: {what}: an execution gets there, so nothing will be proven");
    Some(Remark::new(text, *span))
}

pub fn notes(events: &Events) -> Vec<Remark> {
    let remark = |(cut, span): &(Cut, _)| match cut {
        Cut::Trap(what) | Cut::InvalidAccess(what) => {
            Some(Remark::new(format!("executions end here: {what}"), *span))
        }
        _ => None,
    };
    let invalid = |met: &UndefinedAccess| {
        let then = if met.access == InvalidAccess::Write {
            "taken to do nothing more"
        } else {
            "taken to work"
        };
        Remark::new(format!("undefined behaviour, {then}: {}", met.what), met.span)
    };
    Remark::sorted(events.cuts.iter().filter_map(remark).chain(events.invalid.iter().map(invalid)))
}

pub fn assumptions(program: &Program, events: &Events, undefined_ends: bool) -> Vec<Remark> {
    let remark =
        |&(func, span): &(FuncId, _)| Remark::assumed(&program.functions[func.index()], span);
    let undefined = undefined(events).filter(|_| undefined_ends);
    let undefined = undefined.map(|(what, span)| Remark::ends(&what, span));
    Remark::sorted(events.assumed.iter().map(remark).chain(undefined))
}
