//! Random programs with the explorer or bmc as the judge, all options crossed. (`tests/cases/prove` has programs
//! in pairs.) Certificates are checked in every test: debug builds do so.

use crate::contract::{Answer, Engine, Limits, Property, Query, Settings};
use crate::engine::explore::Explorer;
use crate::engine::judged::{Asked, Judge, Tally};
use crate::engine::prove::Prove;
use obmc_testing::{Pattern, Topic};
use reach::coi::Coi;
use reach::graph::SearchOrder;
use reach::options::{Abstraction, Cover, Options, Refiner};
use reach::por::Por;

fn ask(seed: u64) -> Asked {
    let pattern = match seed % 10 {
        0..4 => Pattern::Small,
        4 => Pattern::Elements,
        5 => Pattern::Rich(Topic::Ids),
        6 | 7 => Pattern::Rich(Topic::Anything),
        8 => Pattern::LockInvariant,
        _ => Pattern::Counting,
    };
    Asked {
        text: obmc_testing::program(pattern, seed),
        property: if seed % 8 == 5 { Property::NoOverflow } else { Property::UnreachCall },
        collapse: seed % 2 == 0,
        engine: Box::new(Prove { options: options(seed), ..Prove::default() }),
    }
}

/// Steps on elements of an array, which may commute.
fn ask_elements(seed: u64) -> Asked {
    let options = Options {
        por: Por::Conditional,
        cover: [Cover::Force, Cover::Subsume, Cover::Off][(seed % 3) as usize],
        refine: [Refiner::Wp, Refiner::Newton][(seed / 3 % 2) as usize],
        domain: [Abstraction::None, Abstraction::Explicit][(seed / 6 % 2) as usize],
        ..Options::lazy()
    };
    Asked {
        text: obmc_testing::program(Pattern::Elements, seed),
        property: Property::UnreachCall,
        collapse: false,
        engine: Box::new(Prove { options, ..Prove::default() }),
    }
}

/// All of them crossed.
fn options(seed: u64) -> Options {
    let mut rest = seed / 10;
    let mut pick = |count: u64| {
        let choice = rest % count;
        rest /= count;
        choice as usize
    };
    let lazy = pick(3) == 0;
    let search = [SearchOrder::Breadth, SearchOrder::Depth][pick(2)];
    if lazy {
        return Options {
            por: [Por::Monotonic, Por::Conditional, Por::Off][pick(3)],
            cover: [Cover::Force, Cover::Subsume, Cover::Off][pick(3)],
            refine: [Refiner::Wp, Refiner::Newton][pick(2)],
            domain: [Abstraction::None, Abstraction::Explicit][pick(2)],
            coi: [Coi::Static, Coi::Off][pick(2)],
            search,
            ..Options::lazy()
        };
    }
    Options {
        por: [Por::Aware, Por::Static, Por::Local, Por::Off][pick(4)],
        coi: [Coi::Dynamic, Coi::Static, Coi::Off][pick(3)],
        domain: [Abstraction::Predicates, Abstraction::Explicit, Abstraction::Intervals][pick(3)],
        cover: [Cover::Subsume, Cover::Off][pick(2)],
        refine: [Refiner::Newton, Refiner::Wp, Refiner::Houdini, Refiner::Chc][pick(4)],
        search,
        ..Options::eager()
    }
}

#[test]
fn what_is_proven_is_safe() {
    let tally = Tally::seeds(0..60, ask);
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.safe > 3 && tally.violated > 3 && tally.lost == 0, "{tally:?}");
}

#[test]
fn what_is_proven_is_safe_for_bmc() {
    let tally = Tally::judged(Judge::Bmc, 60..90, ask);
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.safe > 1 && tally.violated > 1 && tally.late < tally.asked / 2, "{tally:?}");
}

#[test]
fn elements_that_differ_commute() {
    let tally = Tally::seeds(0..30, ask_elements);
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.safe > 3 && tally.violated > 3 && tally.lost == 0, "{tally:?}");
}

/// With `FROM..TO` in the environment.
#[test]
#[ignore = "as long as you like"]
fn more_elements() {
    Tally::long(ask_elements);
}

/// With `FROM..TO` in the environment.
#[test]
#[ignore = "as long as you like"]
fn more_random_programs() {
    Tally::long(ask);
}

/// Is it safe for the explorer?
fn is_safe(program: &ir::Program, property: Property) -> bool {
    let (settings, limits) = (&Settings::default(), &Limits::default());
    match Explorer::default().check(Query { program, property, settings, limits }).answer {
        Answer::Safe => true,
        Answer::Unsafe(_) => false,
        other => panic!("{other:?}"),
    }
}

/// An overflow is an error, and nothing else is: every operator with numbers at its edges, and constants.
#[test]
fn overflow_as_an_error() {
    let small = ["1", "-1", "2", "-3", "32", "0x10000"];
    let types = [
        ("int", ["-0x7fffffff - 1", "0x7fffffff"]),
        ("long", ["-0x7fffffffffffffffL - 1", "0x7fffffffffffffffL"]),
        ("unsigned", ["0", "0xffffffff"]),
    ];
    for (ty, edges) in types {
        let numbers: Vec<&str> = small.into_iter().chain(edges).collect();
        for a in &numbers {
            agree(&format!("{ty} a = {a}; int main(void) {{ a = -a; return 0; }}"));
            for (at, b) in numbers.iter().enumerate().filter(|(_, b)| **b != "0") {
                for (op_at, op) in ["+", "-", "*", "/", "%", "<<", ">>"].into_iter().enumerate() {
                    let by = if (at + op_at) % 3 == 0 { b } else { "b" };
                    let start = format!("{ty} a = {a}, b = {b};");
                    agree(&format!("{start} int main(void) {{ a = a {op} ({by}); return 0; }}"));
                }
            }
        }
    }
}

fn agree(text: &str) {
    let source = frontend::Source { name: "edge.i", text: text.as_bytes(), moved: &[] };
    let machine = ir::types::Machine::Lp64;
    let loaded = frontend::load(&[source], machine, &frontend::LoadOptions::default());
    let program = analysis::prepare(loaded.unwrap_or_else(|e| panic!("{e:?}\n{text}")));
    let errors = analysis::overflow::as_errors(&program);
    assert!(ir::verify::program(&errors).is_empty(), "{:?}", ir::verify::program(&errors));
    let (before, after) =
        (is_safe(&program, Property::NoOverflow), is_safe(&errors, Property::UnreachCall));
    // A product of two long numbers always counts.
    let product = text.contains("long") && text.contains("a * (b)");
    assert!(before == after || product && before, "{text}");
}
