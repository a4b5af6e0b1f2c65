//! Outcomes in herd7's words.

use crate::condition::{Item, Quantifier};
use crate::ir::{Arch, NamedCell, Test, Type};
use crate::run::{Outcome, Verdict};
use crate::value::{Location, Value};
use std::fmt::Write;

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
        0 if !symbol.array => symbol.name.clone(),
        offset if symbol.bytes > 0 && offset % i64::from(symbol.bytes) == 0 => {
            format!("{}[{}]", symbol.name, offset / i64::from(symbol.bytes))
        }
        offset => format!("{}+{offset}", symbol.name),
    }
}

/// A value without a type: an `int`, or as many bits as it needs. C11's are in hexadecimal, as herd7's
/// own tests print them.
pub fn value(test: &Test, value: Value) -> String {
    match value {
        Value::Int(i) if test.arch == Arch::C => format!("{:#x}", Hex(i)),
        Value::Int(i) => match u32::try_from(i) {
            Ok(word) => (word as i32).to_string(),
            Err(_) => i.to_string(),
        },
        Value::Address(location) if location.offset == 0 => {
            test.symbols[location.symbol as usize].name.clone()
        }
        Value::Address(location) => place(test, location),
    }
}

/// A negative number keeps its sign.
struct Hex(i64);

impl std::fmt::LowerHex for Hex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{:#x}", self.0.unsigned_abs())
    }
}

/// A value as the type of its register or variable says.
fn typed(test: &Test, outcome: &Outcome, item: &Item, v: Value) -> String {
    let declared = match item {
        Item::Register(thread, name) => {
            let own = test.types.iter().find(|(t, n, _)| t == thread && n == name);
            own.map(|(_, _, kind)| *kind)
        }
        Item::Memory(location) => {
            let symbol = &test.symbols[location.symbol as usize];
            let NamedCell { bytes, signed, .. } = *symbol;
            (bytes > 0).then_some(Type { bytes, signed })
        }
    };
    if let (Arch::AArch64, true, Value::Int(_)) = (test.arch, outcome.mixed_sizes, v) {
        if let Value::Int(held) = v.truncate_unsigned(declared.map_or(8, |kind| kind.bytes)) {
            return format!("{held:#x}");
        }
    }
    match (declared, v) {
        (Some(kind), Value::Int(_)) if test.arch != Arch::C => {
            let held =
                if kind.signed { v.truncate(kind.bytes) } else { v.truncate_unsigned(kind.bytes) };
            match held {
                Value::Int(i) if kind.signed => i.to_string(),
                Value::Int(i) => (i as u64).to_string(),
                other => value(test, other),
            }
        }
        _ => value(test, v),
    }
}

/// `0:r1=0; x=1;`
pub fn state_line(test: &Test, outcome: &Outcome, state: &[Value]) -> String {
    let parts = outcome.items.iter().zip(state);
    let parts = parts
        .map(|(item, v)| format!("{}={};", item_name(test, item), typed(test, outcome, item, *v)));
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
    let mut text = String::new();
    let _ = writeln!(text, "Test {} {kind}", test.name);
    let _ = writeln!(text, "States {}", outcome.states.len());
    for state in outcome.states.keys() {
        let _ = writeln!(text, "{}", state_line(test, outcome, state));
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
    // Without all executions, only what was asked for is known to be there or not.
    let about_all = test.quantifier == Quantifier::ForAll;
    let observed = match (outcome.positive, outcome.negative) {
        (0, _) if outcome.complete || !about_all => "Never",
        (_, 0) if outcome.complete || about_all => "Always",
        _ => "Sometimes",
    };
    let (name, p, n) = (&test.name, outcome.positive, outcome.negative);
    let _ = writeln!(text, "Observation {name} {observed} {p} {n}");
    if !outcome.complete {
        let _ = writeln!(text, "Too many executions: states, counts and flags are not complete");
    }
    if outcome.cut {
        let _ = writeln!(text, "Loops are executed twice at most");
    }
    let _ = writeln!(text, "Time {name} {seconds:.2}");
    text
}
