//! Proofs with low bits of counters, held against the explorer itself: counters of 8 bits have few enough
//! values to try them all. `OBMC_LOW_BITS` is the number of programs, `OBMC_LOW_BITS_FROM` the first seed.

use super::c::load;
use super::word;
use crate::contract::{Answer, Engine, Limits, Property, Query, Settings, Verdict};
use crate::engine::explore::{Explorer, Reduced};
use obmc_testing::Dice;
use std::time::Duration;

fn statement(dice: &mut Dice) -> String {
    let counters = ["a", "b", "c"];
    let (x, y) = (dice.of(&counters), dice.of(&counters));
    let n = 1 + dice.below(3);
    match dice.below(9) {
        0 | 1 => format!("{x} = {x} + 1u;"),
        2 => format!("{x} = {y} + {n}u;"),
        3 => format!("{x} = {n};"),
        4 => format!("{x} = (unsigned){x} - {y};"),
        5 => format!("while ({x} != {y}) {{}}"),
        6 => format!("if ({x} == {y}) d = {n}; else d = 0;"),
        7 => format!("if ({x} & 1) d = 1;"),
        _ => format!("if ({x} < {y}) {x} = {y};"),
    }
}

/// Threads without end, and an assertion about what they make of counters.
fn text(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let body = |dice: &mut Dice| {
        let (before, behind) = (1 + dice.below(2), dice.below(2));
        let mut lines: String = (0..before).map(|_| statement(dice)).collect();
        let look = match dice.below(4) {
            0 => "if (a == b) d++; if (d > 3) reach_error(); d = 0;",
            1 => "if (d == 3) reach_error();",
            2 => "if ((a & 1) && d == 2) reach_error();",
            _ => "if (a == b && b != a) reach_error();",
        };
        lines += look;
        lines.extend((0..behind).map(|_| statement(dice)));
        lines
    };
    let (first, second) = (body(&mut dice), body(&mut dice));
    format!(
        "extern void reach_error(void); typedef unsigned long pthread_t;\n\
         int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n\
         unsigned char a, b = {}, c; int d;\n\
         void *t(void *p) {{ for (;;) {{ {first} }} }}\n\
         int main(void) {{ pthread_t u; pthread_create(&u, 0, t, 0); for (;;) {{ {second} }} }}\n",
        dice.below(6),
    )
}

#[test]
fn what_low_bits_prove_holds_for_all_values() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let from = number("OBMC_LOW_BITS_FROM").unwrap_or(0);
    let (mut proven, mut violated) = (0, 0);
    for seed in from..from + number("OBMC_LOW_BITS").unwrap_or(20) {
        let text = text(seed);
        let program = analysis::prepare(load(&text, Property::UnreachCall));
        let ask = |engine: &dyn Engine| -> Verdict {
            let (settings, property) = (&Settings::default(), Property::UnreachCall);
            let limits = &Limits::default().shortened(Duration::from_millis(800));
            engine.check(Query { program: &program, property, settings, limits })
        };
        let low = ask(&Reduced(Explorer::default()));
        let exact = ask(&Explorer::default());
        let safe = matches!(low.answer, Answer::Safe);
        assert!(
            !safe || !matches!(exact.answer, Answer::Unsafe(_)),
            "seed {seed}: {} and {}\n{text}",
            word(&low.answer),
            word(&exact.answer)
        );
        proven += usize::from(safe);
        violated += usize::from(matches!(exact.answer, Answer::Unsafe(_)));
    }
    println!("{proven} proven, {violated} violated");
    // How many end in time is a matter of the machine.
    assert!(proven > 0 && violated > 0, "{proven} proven, {violated} violated: one-sided");
}
