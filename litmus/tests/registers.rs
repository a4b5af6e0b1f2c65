//! Models that compute dependencies themselves from events of registers (`catdep`): the same answers as
//! with our own dependencies on random programs, and what only they can ask about.

mod amount;

use cat::Model;
use litmus::{Limits, Verdict, parse, run};
use proptest::prelude::*;
use std::fmt::Write;

/// Arm's model with dependencies by registers, not through memory.
const COMPUTED: &str = r#"
"Armv8 with computed dependencies"
catdep
let same-register = [Rreg | Wreg]; po & loc; [Rreg | Wreg]
let next-read = [Wreg]; same-register \ (same-register; [Wreg]; same-register); [Rreg]
let rec flows = next-read | iico_data | flows; flows
let used = [R]; flows & po; [Rreg]
let addr = used; [ADDR]; iico_data; [M]
let data = used; [DATA]; iico_data; [W]
let ctrl = used; iico_data; [BCC]; po
include "armv8.cat"
"#;

fn computed() -> Model {
    Model::parse("computed.cat", COMPUTED, &mut |name| Err(format!("no {name}"))).unwrap()
}

fn verdict(text: &str) -> Verdict {
    let test = parse(text).unwrap();
    run(&test, &computed(), Limits::default()).unwrap().verdict(test.quantifier)
}

/// Message passing whose reader computes `W7` from the flag in `W1`, by these instructions.
fn message(init: &str, writer: &str, reader: &[&str], more: &str) -> Verdict {
    let mut text = format!(
        "AArch64 test\n{{ {init} 0:X1=x; 0:X3=y; 0:X4=z; 1:X1=x; 1:X3=y; 1:X4=z; }}\n\
         P0 | P1 ;\nMOV W0,#1 | LDR W1,[X3] ;\nSTR W0,[X1] | ;\n{writer} | ;\nSTLR W0,[X3] | ;\n"
    );
    // The address of `x` in the reader: `X1` is the flag by now.
    text = text.replace("1:X1=x;", "1:X8=x;");
    for line in reader {
        let _ = writeln!(text, " | {line} ;");
    }
    let _ = write!(
        text,
        " | EOR W7,W5,W5 ;\n | LDR W2,[X8,W7,SXTW] ;\nexists (1:X1=1 /\\ 1:X2=0{more})"
    );
    verdict(&text)
}

/// The result of a selection depends on the operand that is picked, not on the other one.
#[test]
fn a_selection_depends_on_what_it_picks() {
    let select =
        |condition| message("", "NOP", &["CMP WZR,#0", &format!("CSEL W5,W1,W6,{condition}")], "");
    assert_eq!(select("EQ"), Verdict::Forbidden);
    assert_eq!(select("NE"), Verdict::Allowed);
    // The condition is no data.
    assert_eq!(message("", "NOP", &["CMP W1,#1", "CSET W5,EQ"], ""), Verdict::Allowed);
}

/// The result of a successful CAS comes from memory or from the register, one of them.
#[test]
fn a_compare_and_swap_depends_on_either() {
    let cas = ["MOV W5,W1", "MOV W6,#7", "CAS W5,W6,[X4]"];
    let by_register = message("z=1;", "NOP", &cas, " /\\ z=7");
    let constant = ["MOV W5,#1", "MOV W6,#7", "CAS W5,W6,[X4]"];
    let by_memory = message("", "STLR W0,[X4]", &constant, " /\\ z=7");
    let by_both = message("", "STLR W0,[X4]", &cas, " /\\ z=7");
    assert_eq!(
        [by_register, by_memory, by_both],
        [Verdict::Allowed, Verdict::Allowed, Verdict::Forbidden]
    );
    // One that fails returns what it read.
    let fails = ["MOV W5,#3", "MOV W6,#7", "CAS W5,W6,[X4]"];
    assert_eq!(message("", "STLR W0,[X4]", &fails, " /\\ 1:X5=1"), Verdict::Forbidden);
}

/// The two stores of a pair have no order.
#[test]
fn a_pair_is_not_in_program_order() {
    let reader = " | LDR W2,[X1,#4] ;\n | DMB LD ;\n | LDR W3,[X1] ;\nexists (1:X2=1 /\\ 1:X3=0)";
    let with = |first: &str, second: &str| {
        verdict(&format!(
            "AArch64 pair\n{{ int x[2]={{0,0}}; 0:X1=x; 1:X1=x; }}\nP0 | P1 ;\nMOV W0,#1 | ;\n\
             {first} | ;\n{second} | ;\n{reader}"
        ))
    };
    assert_eq!(with("STP W0,W0,[X1]", "NOP"), Verdict::Allowed);
    assert_eq!(with("STP W0,W0,[X1]", "STR W0,[X1,#4]"), Verdict::Allowed);
    assert_eq!(with("STR W0,[X1]", "STP W0,W0,[X1]"), Verdict::Allowed);
    assert_eq!(with("STR W0,[X1]", "DMB ST"), Verdict::Forbidden);
}

/// Both accesses of a pair depend on what its address is computed from.
#[test]
fn a_pair_depends_on_its_address() {
    let with = |address: &str, read: &str| {
        verdict(&format!(
            "AArch64 pair\n{{ int x[2]={{0,0}}; 0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y; }}\nP0 | P1 ;\n\
             MOV W0,#1 | LDR W0,[X3] ;\nSTP W0,W0,[X1] | EOR W7,W0,W0 ;\n\
             STLR W0,[X3] | {address} ;\n | LDP W4,W5,[X1] ;\nexists (1:X0=1 /\\ 1:{read}=0)"
        ))
    };
    for read in ["X4", "X5"] {
        assert_eq!(with("ADD X1,X1,W7,SXTW", read), Verdict::Forbidden, "{read}");
        assert_eq!(with("NOP", read), Verdict::Allowed, "{read}");
    }
}

/// Without register events there is no right answer.
#[test]
fn other_models_and_other_machines_are_refused() {
    let select = parse("AArch64 s\n{ }\nP0 ;\nCSET W0,EQ ;\nexists (0:X0=1)").unwrap();
    let refused = run(&select, &Model::builtin("armv8").unwrap(), Limits::default()).unwrap_err();
    assert!(refused.message.contains("catdep"), "{refused:?}");
    let x86 = parse("X86 s\n{ }\nP0 ;\nMOV [x],$1 ;\nexists (x=1)").unwrap();
    let refused = run(&x86, &computed(), Limits::default()).unwrap_err();
    assert!(refused.message.contains("catdep"), "{refused:?}");
}

/// Instructions over two variables, their addresses in `X8` and `X9`, numbers in `W0` to `W2`.
fn inst() -> impl Strategy<Value = String> {
    let (reg, place) = (0..3usize, 8..10usize);
    let plain = (reg.clone(), reg.clone(), place.clone());
    prop_oneof![
        4 => plain.clone().prop_map(|(a, _, p)| format!("LDR W{a},[X{p}]")),
        4 => plain.clone().prop_map(|(a, _, p)| format!("STR W{a},[X{p}]")),
        2 => plain.clone().prop_map(|(a, b, p)| format!("LDR W{a},[X{p},W{b},SXTW]")),
        2 => (reg.clone(), reg.clone()).prop_map(|(a, b)| format!("EOR W{a},W{b},W{b}")),
        1 => reg.clone().prop_map(|a| format!("ADD W{a},W{a},#1")),
        1 => plain.clone().prop_map(|(a, b, p)| format!("SWPA W{a},W{b},[X{p}]")),
        1 => plain.clone().prop_map(|(a, b, p)| format!("LDADDL W{a},W{b},[X{p}]")),
        1 => plain.clone().prop_map(|(a, _, p)| format!("LDAR W{a},[X{p}]")),
        1 => plain.prop_map(|(a, _, p)| format!("STLR W{a},[X{p}]")),
        1 => reg.prop_map(|a| format!("CBZ W{a},END")),
        1 => Just("DMB LD".to_string()),
        1 => Just("ISB".to_string()),
    ]
}

fn text(threads: &[Vec<String>]) -> String {
    let mut text = String::from("AArch64 random\n{ x=0; y=0; ");
    for t in 0..threads.len() {
        let _ = write!(text, "{t}:X8=x; {t}:X9=y; {t}:X1=1; ");
    }
    let heads: Vec<_> = (0..threads.len()).map(|t| format!("P{t}")).collect();
    let _ = writeln!(text, "}}\n{} ;", heads.join(" | "));
    let rows = threads.iter().map(Vec::len).max().unwrap_or(0);
    for row in 0..rows {
        let cells = threads.iter().map(|t| t.get(row).map_or("", String::as_str));
        let _ = writeln!(text, "{} ;", cells.collect::<Vec<_>>().join(" | "));
    }
    let _ = writeln!(text, "{} ;", vec!["END: NOP"; threads.len()].join(" | "));
    let registers = (0..threads.len()).flat_map(|t| (0..3).map(move |r| format!("{t}:X{r};")));
    let _ = writeln!(text, "locations [{} x; y;]\nexists (x=1)", registers.collect::<String>());
    text
}

proptest! {
    #![proptest_config(amount::config(150))]

    #[test]
    fn computed_dependencies_are_ours(
        threads in proptest::collection::vec(proptest::collection::vec(inst(), 1..5), 2..3)
    ) {
        let text = text(&threads);
        let test = parse(&text).unwrap();
        let armv8 = Model::builtin("armv8").unwrap();
        // Addresses that are computed from a number that is not zero lie outside of the variables.
        let Ok(ours) = run(&test, &armv8, Limits::default()) else { return Ok(()) };
        let computed = run(&test, &computed(), Limits::default()).unwrap();
        prop_assert_eq!(ours.executions(), computed.executions(), "{}", text);
        prop_assert_eq!(ours.states, computed.states, "{}", text);
    }
}
