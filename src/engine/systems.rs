//! What engines share that look at systems (crate `reach`): from a program to its system, and from what
//! is found there back to a verdict about the program.

use crate::contract::{Answer, Goal, Property, Query, Reason, Remark, Undefined, Verdict, turns};
use interp::ViolationKind;
use reach::ask::{Budget, Stop};
use reach::build::flatten::flatten;
use reach::build::{Config, Refusal, build};
use reach::execution::{Given, Turn};
use reach::system::{Flaw, System};

/// Places of an access that predicates can still tell apart.
const MOST_PLACES: usize = 300;

/// An answer about executions that have no undefined behaviour is looked for where it is asked for, and no
/// other one is found: nothing is assumed that is not needed.
pub fn attempts(query: Query<'_>, attempt: impl Fn(Undefined) -> Verdict) -> Verdict {
    let verdict = attempt(Undefined::Unknown);
    let doubtful = matches!(verdict.answer, Answer::Unknown(Reason::Unsupported { .. }));
    match doubtful && query.settings.undefined.ends() {
        true => attempt(Undefined::Ends),
        false => verdict,
    }
}

/// What an engine that looks for errors says about overflow. An error is one of another program, which the
/// interpreter does not execute: it is left to others.
pub fn by_errors(query: Query<'_>, ask: impl FnOnce(Query<'_>) -> Verdict) -> Verdict {
    let program = analysis::overflow::as_errors(query.program);
    let errors = Query { program: &program, property: Property::UnreachCall, ..query };
    let mut verdict = ask(errors);
    if let Answer::Unsafe(_) = verdict.answer {
        verdict.answer = Answer::Unknown(Reason::Other("no proof: it may overflow".into()));
    }
    Verdict { property: query.property, ..verdict }
}

/// The system of a program and what may be spent on it, or why there is none. Where C does not define how
/// a thread goes on there is a doubt, or the thread stops.
pub fn system(query: Query<'_>, undefined: Undefined) -> Result<(System, Budget), Reason> {
    built(query, config(query, undefined))
}

/// What to look for.
pub fn config(query: Query<'_>, undefined: Undefined) -> Config {
    let deadlocks = query.property == Property::NoDeadlock;
    Config {
        errors: !deadlocks,
        malloc_may_fail: query.settings.malloc_may_fail,
        undefined_ends: undefined.ends(),
        ends: deadlocks,
        stores: false,
        most_places: MOST_PLACES,
    }
}

pub fn built(query: Query<'_>, config: Config) -> Result<(System, Budget), Reason> {
    let Query { program, limits, .. } = query;
    let budget = Budget { deadline: limits.deadline, permit: limits.permit.clone() };
    match build(program, config, &budget) {
        Ok(system) => {
            log::trace!("{}", system.dump());
            Ok((system, budget))
        }
        Err(_) if limits.exceeded() => Err(Reason::Time),
        Err(Refusal { what, span, .. }) => Err(Reason::Unsupported { what, span }),
    }
}

/// An answer with what it assumes and what it took.
pub fn verdict(
    query: Query<'_>,
    system: &System,
    answer: Answer,
    stats: impl IntoIterator<Item = (&'static str, u64)>,
) -> Verdict {
    let functions = &query.program.functions;
    let bodiless = system.bodiless.iter();
    let assumed = bodiless.map(|(f, span)| Remark::assumed(&functions[f.index()], *span));
    let mut verdict = Verdict::new(query.property, answer);
    let undefined = system.undefined.iter().map(|(span, what)| Remark::ends(what, *span));
    verdict.assumptions = Remark::sorted(assumed.chain(undefined));
    verdict.stats = stats.into_iter().map(|(name, value)| (name.into(), value)).collect();
    verdict
}

/// What is not modelled, or not defined in C, was reached.
pub fn doubt(Flaw { what, at }: Flaw) -> Answer {
    Answer::Unknown(Reason::Unsupported { what, span: at.span })
}

pub fn stopped(stop: Stop) -> Answer {
    Answer::Unknown(match stop {
        Stop::Late => Reason::Time,
        Stop::GaveUp(why) => Reason::Other(format!("no proof: {why}")),
        Stop::Solver(why) => Reason::Internal(why),
    })
}

/// What an error of a system is in the program.
pub fn violation(flaw: &Flaw) -> Goal {
    Goal::Violation { kind: ViolationKind::UnreachCall, at: flaw.at }
}

/// UNSAFE, if the interpreter shows the same. Where the system is weaker than the program it need not.
pub fn shown(query: Query<'_>, path: &[Turn], goal: &Goal, exact: bool) -> Answer {
    let Some(unrolled) = flatten(query.program) else {
        return Answer::Unknown(Reason::Other("the program is too large".into()));
    };
    let path: Vec<turns::ThreadTurn> = path.iter().map(turn).collect();
    let config = query.interp_config();
    match turns::confirm(query.program, &unrolled, config, &path, goal) {
        Ok(violation) => Answer::Unsafe(Box::new(violation)),
        Err(why) => {
            log::info!("an execution does not replay: {why}");
            let sure = if exact { "was found, but does not replay" } else { "may be there" };
            Answer::Unknown(Reason::Other(format!("an execution that violates it {sure}")))
        }
    }
}

fn turn(turn: &Turn) -> turns::ThreadTurn {
    let (mut values, mut fails) = (Vec::new(), Vec::new());
    for given in &turn.inputs {
        match given {
            Given::Value(value) => values.push(*value),
            Given::Fails(fail) => fails.push(*fail),
        }
    }
    turns::ThreadTurn {
        thread: turn.thread.index(),
        length: turn.length,
        values,
        fails,
        starts: turn.starts.iter().map(|t| t.index()).collect(),
    }
}
