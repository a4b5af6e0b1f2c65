//! Why an execution is no interleaving, and what would forbid it.
//!
//! Program order, reads-from, coherence and from-read have a cycle in it. Where the cycle follows program
//! order the model lets two accesses of a thread take effect the other way round: the read is early, or the
//! write is not visible yet. (Pairs that it keeps in order all the same are not to blame, and not told.)
//! Fences between such accesses and stronger orders of those in the cycle are tried on the graph
//! (`graph.rs`), the cheapest that forbid it are told. That is about one execution; `obmc fences` looks
//! for what makes a program safe.

use super::graph::{self, Beside, Stronger};
use super::search;
use crate::contract::{Remark, Violation, WeakAccess, WeakExecution};
use cat::{Evaluation, Model};
use ir::{MemoryOrder, Span};

/// In larger executions there is no search for what would forbid them.
const MAX_EVENTS: usize = 100;

/// Sentences about a violation without a schedule.
pub fn notes(violation: &Violation) -> Vec<Remark> {
    let Some(execution) = violation.weak.as_deref() else { return Vec::new() };
    let reordered = reordered(execution);
    let pairs = reordered.clone().unwrap_or_default();
    if pairs.is_empty() && !execution.race {
        let text = match reordered {
            None => "this execution is an interleaving, too",
            Some(_) => "another write comes between the two halves of a read-modify-write",
        };
        return vec![Remark::new(text, Span::NONE)];
    }
    let small = execution.events.len() <= MAX_EVENTS;
    let left = if small { not_kept(execution, &pairs) } else { pairs.clone() };
    let mut notes: Vec<Remark> = left.iter().filter_map(|pair| early(execution, *pair)).collect();
    let what = if small { forbidding(execution, &pairs) } else { Vec::new() };
    if !what.is_empty() {
        let text = format!("this execution is not allowed with {}", listed(&what));
        notes.push(Remark::new(text, Span::NONE));
    }
    notes
}

/// Accesses of one thread that take effect the other way round. `None`: it is an interleaving.
fn reordered(execution: &WeakExecution) -> Option<Vec<(usize, usize)>> {
    let sc = Model::builtin("sc")?;
    let mut evaluation = Evaluation::new(&sc, execution.graph.clone());
    let violation = evaluation.violation()?;
    let steps = violation.steps.iter().filter(|step| step.relation == "po");
    Some(steps.map(|step| (step.from, step.to)).collect())
}

/// Those that the model does not keep in order anyway: with fences between all others the execution is allowed.
fn not_kept(execution: &WeakExecution, pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let is_left = |pair: &(usize, usize)| {
        let mut stronger = Stronger::default();
        for (from, _) in pairs.iter().filter(|other| *other != pair) {
            stronger.fence(Beside::After(*from), MemoryOrder::SeqCst);
        }
        graph::allows(execution, &stronger)
    };
    let left: Vec<_> = pairs.iter().copied().filter(is_left).collect();
    if left.is_empty() { pairs.to_vec() } else { left }
}

fn access(execution: &WeakExecution, event: usize) -> Option<&WeakAccess> {
    execution.events.get(event)?.access.as_ref()
}

fn early(execution: &WeakExecution, (first, second): (usize, usize)) -> Option<Remark> {
    let (a, b) = (access(execution, first)?, access(execution, second)?);
    let thread = execution.events[first].thread?;
    let [here, there] = [a, b].map(|x| format!("{} at line {}", x.name, x.span.line));
    let text = match (a.write, b.write) {
        (true, false) => {
            format!("thread {thread} reads {there} before its write of {here} is visible to others")
        }
        (true, true) => {
            format!("thread {thread}'s write of {there} is visible before its write of {here}")
        }
        (false, false) => format!("thread {thread} reads {there} before it reads {here}"),
        (false, true) => {
            format!("thread {thread}'s write of {there} is visible before it reads {here}")
        }
    };
    Some(Remark::new(text, b.span))
}

/// One change.
#[derive(Clone, Copy)]
enum Strengthening {
    /// Between these two events.
    Fence(usize, usize, MemoryOrder),
    Order(usize, MemoryOrder),
}

/// The cheapest changes that forbid the execution, in words.
fn forbidding(execution: &WeakExecution, pairs: &[(usize, usize)]) -> Vec<String> {
    let changes = changes(execution, pairs);
    let cost = |change: &Strengthening| match change {
        Strengthening::Order(_, MemoryOrder::SeqCst) => 12,
        Strengthening::Order(..) => 11,
        Strengthening::Fence(.., MemoryOrder::SeqCst) => 14,
        Strengthening::Fence(..) => 13,
    };
    let costs: Vec<u32> = changes.iter().map(cost).collect();
    let allows = |chosen: &[usize]| {
        let mut stronger = Stronger::default();
        for &number in chosen {
            match changes[number] {
                Strengthening::Fence(from, _, order) => stronger.fence(Beside::After(from), order),
                Strengthening::Order(event, order) => stronger.order(event, order),
            }
        }
        graph::allows(execution, &stronger)
    };
    let chosen = search::forbidding(&costs, &allows).unwrap_or_default();
    let mut words: Vec<String> =
        chosen.iter().filter_map(|&c| in_words(execution, changes[c])).collect();
    words.dedup();
    words
}

fn changes(execution: &WeakExecution, pairs: &[(usize, usize)]) -> Vec<Strengthening> {
    let mut changes = Vec::new();
    for &(from, to) in pairs {
        let fence = |order| Strengthening::Fence(from, to, order);
        changes
            .extend([MemoryOrder::Acquire, MemoryOrder::Release, MemoryOrder::SeqCst].map(fence));
    }
    let within = |event: usize| pairs.iter().any(|&(a, b)| event == a || event == b);
    let read_from = |event: usize| {
        let rf = execution.graph.relations.get("rf");
        rf.is_some_and(|rf| {
            rf.pairs().any(|(w, r)| {
                event == w && execution.events[r].thread != execution.events[w].thread || event == r
            })
        })
    };
    for event in 0..execution.events.len() {
        let Some(access) = access(execution, event) else { continue };
        let known = execution.events[event].thread.is_some() && access.order != MemoryOrder::Plain;
        if !known || !(within(event) || read_from(event)) {
            continue;
        }
        let weak = if access.write { MemoryOrder::Release } else { MemoryOrder::Acquire };
        let orders = [weak, MemoryOrder::SeqCst].into_iter();
        let new = orders.filter(|order| graph::join(*order, access.order) != access.order);
        changes.extend(new.map(|order| Strengthening::Order(event, order)));
    }
    changes
}

fn in_words(execution: &WeakExecution, change: Strengthening) -> Option<String> {
    let line = |event| access(execution, event).map(|a| a.span.line);
    let name = crate::report::order_name;
    Some(match change {
        Strengthening::Fence(from, to, order) => {
            let article = if order == MemoryOrder::Acquire { "an" } else { "a" };
            format!(
                "{article} {} fence between lines {} and {}",
                name(order),
                line(from)?,
                line(to)?
            )
        }
        Strengthening::Order(event, order) => format!("{} at line {}", name(order), line(event)?),
    })
}

fn listed(words: &[String]) -> String {
    match words {
        [many @ .., last] if !many.is_empty() => format!("{} and {last}", many.join(", ")),
        words => words.concat(),
    }
}
