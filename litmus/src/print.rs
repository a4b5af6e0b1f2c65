//! Outcomes in herd7's words.

use crate::condition::{Item, Quantifier};
use crate::ir::Test;
use crate::run::{Outcome, Verdict};
use crate::value::{Location, Value};
use std::fmt::Write;

/// The names of what a state shows.
pub fn names(test: &Test, outcome: &Outcome) -> Vec<String> {
    outcome.items.iter().map(|item| item_name(test, item)).collect()
}

fn item_name(test: &Test, item: &Item) -> String {
    match item {
        Item::Register(thread, name) => format!("{thread}:{name}"),
        Item::Memory(location) => match place(test, *location).as_str() {
            name if name.ends_with(']') => name.to_string(),
            name => format!("[{name}]"),
        },
    }
}

pub fn place(test: &Test, location: Location) -> String {
    let symbol = &test.symbols[location.symbol as usize];
    match location.offset {
        0 => symbol.name.clone(),
        offset if symbol.bytes > 0 && offset % i64::from(symbol.bytes) == 0 => {
            format!("{}[{}]", symbol.name, offset / i64::from(symbol.bytes))
        }
        offset => format!("{}+{offset}", symbol.name),
    }
}

pub fn value(test: &Test, value: Value) -> String {
    match value {
        Value::Int(i) => i.to_string(),
        Value::Address(location) => place(test, location),
    }
}

/// `0:r1=0; x=1;`
pub fn state_line(test: &Test, names: &[String], state: &[Value]) -> String {
    let parts = names.iter().zip(state).map(|(name, v)| format!("{name}={};", value(test, *v)));
    parts.collect::<Vec<_>>().join(" ")
}

/// What herd7 prints about a test.
pub fn text(test: &Test, outcome: &Outcome, seconds: f64) -> String {
    let verdict = outcome.verdict(test.quantifier);
    let kind = match test.quantifier {
        Quantifier::Exists => "Allowed",
        Quantifier::NotExists => "Forbidden",
        Quantifier::ForAll | Quantifier::None => "Required",
    };
    let names = names(test, outcome);
    let mut text = String::new();
    let _ = writeln!(text, "Test {} {kind}", test.name);
    let _ = writeln!(text, "States {}", outcome.states.len());
    for state in outcome.states.keys() {
        let _ = writeln!(text, "{}", state_line(test, &names, state));
    }
    let ok = match (test.quantifier, verdict) {
        (Quantifier::NotExists, verdict) => verdict == Verdict::Forbidden,
        (_, verdict) => !matches!(verdict, Verdict::Forbidden | Verdict::Refuted),
    };
    let _ = writeln!(text, "{}", if ok { "Ok" } else { "No" });
    let _ = writeln!(text, "Witnesses");
    let _ = writeln!(text, "Positive: {} Negative: {}", outcome.positive, outcome.negative);
    for flag in &outcome.flags {
        let _ = writeln!(text, "Flag {flag}");
    }
    let quantifier = match test.quantifier {
        Quantifier::Exists => "exists ",
        Quantifier::NotExists => "~exists ",
        Quantifier::ForAll => "forall ",
        Quantifier::None => "",
    };
    let _ = writeln!(text, "Condition {quantifier}{}", test.condition_text);
    let observed = match (outcome.positive, outcome.negative) {
        (0, _) => "Never",
        (_, 0) => "Always",
        _ => "Sometimes",
    };
    let (name, p, n) = (&test.name, outcome.positive, outcome.negative);
    let _ = writeln!(text, "Observation {name} {observed} {p} {n}");
    if outcome.cut {
        let _ = writeln!(text, "Loops are executed twice at most");
    }
    let _ = writeln!(text, "Time {name} {seconds:.2}");
    text
}
