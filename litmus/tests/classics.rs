//! Classic litmus tests with the answers that the literature gives, and relations between models that
//! hold for every test.

use cat::Model;
use litmus::{Limits, Outcome, Test, Verdict, parse, run};
use std::collections::BTreeSet;
use std::path::Path;

use Verdict::{Allowed, Forbidden, Required};

/// File, and what each model says.
const CASES: &[(&str, &[(&str, Verdict)])] = &[
    ("SB", &[("sc", Forbidden), ("tso", Allowed), ("pso", Allowed)]),
    ("SB+mfences", &[("sc", Forbidden), ("tso", Forbidden), ("pso", Forbidden)]),
    ("SB+mfence+po", &[("sc", Forbidden), ("tso", Allowed), ("pso", Allowed)]),
    ("SB+rfi", &[("sc", Forbidden), ("tso", Allowed), ("pso", Allowed)]),
    ("SB+xchgs", &[("sc", Forbidden), ("tso", Forbidden), ("pso", Forbidden)]),
    ("MP", &[("sc", Forbidden), ("tso", Forbidden), ("pso", Allowed)]),
    ("MP+mfence+po", &[("sc", Forbidden), ("tso", Forbidden), ("pso", Forbidden)]),
    ("LB", &[("sc", Forbidden), ("tso", Forbidden), ("pso", Forbidden)]),
    ("IRIW", &[("sc", Forbidden), ("tso", Forbidden), ("pso", Forbidden)]),
    ("2+2W", &[("sc", Forbidden), ("tso", Forbidden), ("pso", Allowed)]),
    ("R", &[("sc", Forbidden), ("tso", Allowed), ("pso", Allowed)]),
    ("S", &[("sc", Forbidden), ("tso", Forbidden), ("pso", Allowed)]),
    ("CoRR", &[("sc", Forbidden), ("tso", Forbidden), ("pso", Forbidden)]),
    ("CoWW", &[("sc", Required), ("tso", Required), ("pso", Required)]),
    ("CoRW", &[("sc", Forbidden), ("tso", Forbidden), ("pso", Forbidden)]),
    ("CoWR", &[("sc", Forbidden), ("tso", Forbidden), ("pso", Forbidden)]),
    ("MP+dmb+po", &[("armv8", Allowed)]),
    ("MP+dmb+addr", &[("armv8", Forbidden)]),
    ("MP+dmb+ctrl", &[("armv8", Allowed)]),
    ("MP+dmb+ctrlisb", &[("armv8", Forbidden)]),
    ("MP+rel+acq", &[("armv8", Forbidden)]),
    ("A64-LB", &[("armv8", Allowed)]),
    ("A64-LB+datas", &[("armv8", Forbidden)]),
    ("A64-PPOCA", &[("armv8", Allowed)]),
    ("A64-PPOAA", &[("armv8", Forbidden)]),
    ("A64-IRIW+addrs", &[("armv8", Forbidden)]),
    ("A64-LDXR-STXR", &[("armv8", Forbidden)]),
    ("A64-MP+swp", &[("armv8", Forbidden)]),
    ("A64-amo-allowed", &[("armv8", Allowed), ("sc", Allowed)]),
    ("A64-loop", &[("armv8", Required)]),
    ("A64-mixed", &[("armv8", Allowed)]),
    ("PPC-IRIW+addrs", &[("power", Allowed)]),
    ("PPC-IRIW+syncs", &[("power", Forbidden)]),
    ("PPC-WRC+data+addr", &[("power", Allowed)]),
    ("PPC-ISA2+lwsync+data+addr", &[("power", Forbidden)]),
    ("PPC-RWC+syncs", &[("power", Forbidden)]),
    ("PPC-MP+lwsync+ctrl", &[("power", Allowed)]),
    ("PPC-MP+lwsync+ctrlisync", &[("power", Forbidden)]),
    ("PPC-RSW", &[("power", Allowed)]),
    ("PPC-RDW", &[("power", Forbidden)]),
    ("RV-MP", &[("riscv", Allowed)]),
    ("RV-MP+fences", &[("riscv", Forbidden)]),
    ("RV-SB+fence.tso", &[("riscv", Allowed)]),
    ("RV-amoadd", &[("riscv", Required)]),
    (
        "C-MP+rel+acq",
        &[("rc11", Forbidden), ("c11", Forbidden), ("imm", Forbidden), ("sc", Forbidden)],
    ),
    ("C-MP+rlx", &[("rc11", Allowed), ("imm", Allowed), ("sc", Forbidden)]),
    ("C-SB+sc", &[("rc11", Forbidden), ("c11", Forbidden), ("sc", Forbidden)]),
    ("C-SB+rel+acq", &[("rc11", Allowed), ("c11", Allowed), ("imm", Allowed), ("sc", Forbidden)]),
    ("C-LB+rlx", &[("rc11", Forbidden), ("imm", Allowed), ("c11", Allowed)]),
    ("C-LB+datas", &[("rc11", Forbidden), ("imm", Forbidden), ("c11", Allowed)]),
    ("C-IRIW-acq-sc", &[("rc11", Allowed), ("sc", Forbidden)]),
    ("C-Z6.U", &[("rc11", Allowed), ("sc", Forbidden)]),
    ("C-IRIW+fences", &[("rc11", Forbidden), ("imm", Forbidden)]),
    ("C-WWmerge", &[("rc11", Forbidden), ("imm", Forbidden)]),
    ("C-CAS", &[("rc11", Required), ("c11", Required), ("imm", Required), ("sc", Required)]),
    ("LK-rcu-MP", &[("lkmm", Forbidden)]),
    ("LK-SB+mbs", &[("lkmm", Forbidden)]),
    ("LK-MP+wmb+addr", &[("lkmm", Forbidden)]),
    ("LK-MP+plain", &[("lkmm", Allowed)]),
    ("LK-locks", &[("lkmm", Required)]),
    ("LK-if", &[("lkmm", Allowed)]),
    ("MIPS-MP+syncs", &[("sc", Forbidden)]),
    ("BPF-unsigned", &[("sc", Required)]),
    ("X64-arithmetic", &[("sc", Required)]),
    ("ARM-MP+dmb+addr", &[("arm", Forbidden)]),
    ("ARM-MP+dmb+po", &[("arm", Allowed)]),
];

fn read(name: &str) -> Test {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/classics/{name}.litmus"));
    let text = std::fs::read_to_string(path).unwrap();
    parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn under(test: &Test, model: &str) -> Outcome {
    let outcome = run(test, &Model::builtin(model).unwrap(), Limits::default());
    outcome.unwrap_or_else(|e| panic!("{} under {model}: {e}", test.name))
}

#[test]
fn answers_are_those_of_the_literature() {
    for (name, answers) in CASES {
        let test = read(name);
        for (model, expected) in *answers {
            let got = under(&test, model).verdict(test.quantifier);
            assert_eq!(got, *expected, "{name} under {model}");
        }
    }
}

#[test]
fn every_file_is_asked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/classics");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(CASES.iter().any(|(case, _)| *case == name), "{name} has no row");
    }
}

/// What sc allows tso allows, and what tso allows pso allows: states, and executions.
#[test]
fn weaker_models_allow_more() {
    for (name, answers) in CASES.iter().filter(|(_, a)| a.iter().any(|(m, _)| *m == "pso")) {
        let test = read(name);
        let [sc, tso, pso] = ["sc", "tso", "pso"].map(|m| under(&test, m));
        let states = |o: &Outcome| o.states.keys().cloned().collect::<BTreeSet<_>>();
        assert!(states(&sc).is_subset(&states(&tso)), "{name} {answers:?}");
        assert!(states(&tso).is_subset(&states(&pso)), "{name}");
        assert!(sc.executions() <= tso.executions() && tso.executions() <= pso.executions());
    }
}

/// Every model of ours that speaks of the test's language is at most as strong as sc.
#[test]
fn sc_is_the_strongest() {
    for (name, answers) in CASES {
        let test = read(name);
        let sc: BTreeSet<_> = under(&test, "sc").states.into_keys().collect();
        for (model, _) in *answers {
            let weak: BTreeSet<_> = under(&test, model).states.into_keys().collect();
            assert!(sc.is_subset(&weak), "{name}: sc and {model}");
        }
    }
}

#[test]
fn races_are_flagged() {
    let flags = |name: &str, model: &str| under(&read(name), model).flags;
    assert!(flags("C-MP+rlx", "rc11").contains("racy"));
    assert!(flags("C-MP+rel+acq", "rc11").is_empty());
    assert!(flags("LK-MP+plain", "lkmm").contains("data-race"));
    assert!(flags("LK-locks", "lkmm").is_empty());
}

#[test]
fn a_forbidden_outcome_is_explained() {
    let explained = |name: &str, model: &str| {
        let model = Model::builtin(model).unwrap();
        litmus::explain(&read(name), &model, Limits::default()).unwrap()
    };
    let sb = explained("SB", "sc").unwrap();
    assert_eq!(sb.axiom, "sc");
    let cycle = [
        "P0: W x=1 -po-> P0: R y=0",
        "P0: R y=0 -fr-> P1: W y=1",
        "P1: W y=1 -po-> P1: R x=0",
        "P1: R x=0 -fr-> P0: W x=1",
    ];
    assert_eq!(sb.steps, cycle);
    assert!(explained("SB", "tso").is_none());
    assert_eq!(explained("MP+dmb+addr", "armv8").unwrap().axiom, "external");
}

#[test]
fn errors_name_the_line() {
    let error = |text: &str| parse(text).unwrap_err().to_string();
    assert_eq!(
        error("X86 T\n{}\n P0 ;\n FLY EAX ;\nexists (0:EAX=0)"),
        "line 4: the instruction `FLY EAX` is not supported"
    );
    assert_eq!(
        error("VAX T\n{}\n P0 ;\nexists (x=0)"),
        "line 1: the format `VAX` is not supported"
    );
    assert!(error("X86 T\n{ x=0 \n P0 ;").contains("is not closed"));
    assert!(
        error("C T\n{}\nP0(int *x) { goto l; }\nexists (x=0)").contains("`goto` is not supported")
    );
    assert!(error("").contains("expected a line such as"));
}
