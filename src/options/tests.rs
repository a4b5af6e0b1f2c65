//! Words and what becomes of them.

use super::*;
use crate::contract::Property;
use crate::engine::bmc::Solver;

fn words(line: &str) -> Result<Options, clap::Error> {
    parse(line.split_whitespace().map(OsString::from))
}

fn good(line: &str) -> Options {
    words(line).unwrap_or_else(|e| panic!("{line}: {e}"))
}

fn check(line: &str) -> Check {
    match good(line).task {
        Task::Check(check) => check,
        _ => panic!("{line} is no check"),
    }
}

#[test]
fn the_table_is_consistent() {
    use clap::CommandFactory;
    Cli::command().debug_assert();
}

#[test]
fn the_page_has_every_option() {
    use clap::CommandFactory;
    let page = include_str!("../../docs/options.md");
    let mut table = Cli::command();
    table.build();
    let mut options = 0;
    for command in table.get_subcommands() {
        for option in command.get_arguments().filter(|a| !a.is_hide_set()) {
            let long = option.get_long().map(|l| format!("--{l}"));
            let short = option.get_short().map(|s| format!("-{s}"));
            let names = long.iter().chain(&short).filter(|n| *n != "--help");
            let missing = names.clone().count() > 0 && !names.clone().any(|n| page.contains(n));
            assert!(!missing, "{:?} is not in docs/options.md", option.get_id());
            options += 1;
        }
    }
    assert!(options > 100, "only {options} options");
}

#[test]
fn defaults() {
    let options = good("obmc check a.c");
    assert_eq!(options.input.machine, Machine::Lp64);
    assert_eq!(options.input.entry, "main");
    let check = check("obmc explore a.c");
    assert_eq!(check.properties, Property::ALL);
    assert_eq!(check.unwind, Unwind::Auto);
    assert!(check.trace == Style::Compact && !check.json);
}

#[test]
fn engines_take_turns_unless_there_are_jobs() {
    for line in ["check a.c --jobs 1", "validate a.c --witness w.yml", "show a.c"] {
        assert!(good(&format!("obmc {line}")).work_by_turns(), "{line}");
    }
    for line in ["check a.c --jobs 2", "bench a.c", "litmus a.litmus"] {
        assert!(!good(&format!("obmc {line}")).work_by_turns(), "{line}");
    }
}

#[test]
fn other_tools_words_mean_the_same() {
    for line in ["--32", "--ILP32", "--data-model ILP32", "--data-model ilp32"] {
        let options = good(&format!("obmc check a.c {line}"));
        assert_eq!(options.input.machine, Machine::Ilp32, "{line}");
    }
    for word in ["--unwind", "--unroll", "--bound"] {
        assert_eq!(check(&format!("obmc check a.c {word} 3")).unwind, Unwind::Bound(3));
    }
    assert_eq!(good("obmc check a.c --entry f").input.entry, "f");
}

#[test]
fn words_of_main_come_behind_its_name() {
    assert_eq!(good("obmc check a.c").input.words(), None);
    let words = good("obmc check a.c --arg -n --arg 2").input.words();
    assert_eq!(words, Some(vec!["prog".into(), "-n".into(), "2".into()]));
}

#[test]
fn bounds_per_loop() {
    let set = check("obmc check a.c --unwindset main.0:2,f.1:7").unwindset;
    assert_eq!(set[1], LoopBound { name: "f.1".into(), bound: 7 });
}

#[test]
fn nonsense_is_refused_with_exit_code_1() {
    for line in [
        "",
        "check",
        "check a.c --32 --64",
        "check a.c --32 --data-model LP64",
        "check a.c --no-such-option",
        "check a.c --unwind 0",
        "check a.c --unwind -1",
        "check a.c --unwind 99999999999",
        "check a.c --unwindset main.0",
        "check a.c --timeout 0",
        "check a.c --timeout soon",
        "check a.c --memlimit 3",
        "check a.c --property beauty",
        "check a.c --property",
        "check a.c --data-model LLP64",
        "check a.c --engine explore --solver z3",
        "check a.c --engine explore --mm wsc",
        "explore a.c --engine bmc",
        "explore a.c --method basic",
        "check a.c --solver yices",
        "check a.c --conflicts ws,maybe",
        "check a.c --prune perhaps",
        "check a.c --symmetry perhaps",
        "check a.c --leap perhaps",
        "explore a.c --leap off",
        "bench",
        "bench tests --jobs 0",
        "bench tests --property all",
        "bench tests -- --no-such-option",
        "bench tests -- --json",
        "check a.c --search high-and-low",
        "check a.c --engine bmc --search dfs",
        "check a.c --engine prove --search rf-first",
        "check a.c --engine prove --por quasi",
        "check a.c --labels lazy --domain intervals",
        "check a.c --labels lazy --refine chc",
        "explore a.c --self-check",
        "check a.c --spin perhaps",
    ] {
        let error = words(&format!("obmc {line}")).expect_err(line);
        assert_eq!(exit_code(&error), 1, "{line}");
    }
}

#[test]
fn what_is_not_there_yet_is_refused_by_name() {
    let error = words("obmc check a.c --mm vmm").expect_err("not yet");
    assert_eq!(exit_code(&error), 1);
    assert!(error.to_string().contains("not available yet"), "{error}");
    let error = words("obmc check a.c --engine warp").expect_err("no such engine");
    assert!(error.to_string().contains("not known"), "{error}");
}

#[test]
fn words_for_the_symbolic_engine_reach_it() {
    assert!(matches!(check("obmc check a.c").engine, Choice::Auto));
    assert_eq!(check("obmc check a.c --solver z3").symbolic.solver, Solver::Z3);
    let check = check("obmc check a.c --engine bmc --solver sat --method basic --mm wsc");
    assert!(matches!(check.engine, Choice::Only(row) if row.name == "bmc"));
    assert_eq!(check.symbolic.solver, Solver::Sat);
    assert_eq!(check.symbolic.method, solver::Method::Basic);
    assert_eq!(check.model(), MemoryModel::Wsc);
    assert!(!check.symbolic.self_check);
}

#[test]
fn states_are_searched_by_either_name() {
    for line in ["--search dfs", "--order dfs"] {
        let check = check(&format!("obmc check a.c --engine prove {line} --refine chc"));
        assert_eq!(check.prove.options.search, reach::graph::SearchOrder::Depth);
        assert_eq!(check.prove.options.refine, reach::options::Refiner::Chc);
    }
}

#[test]
fn a_suite_and_options_for_each_check() {
    let line = "obmc bench a.json b --jobs 3 --timeout 5s --property no-overflow -- --engine bmc";
    let Task::Bench(plan) = good(line).task else { panic!("no bench") };
    assert_eq!((plan.lists.len(), plan.jobs.get(), plan.property), (2, 3, Some("no-overflow")));
    assert_eq!(plan.words, ["--engine", "bmc"]);
}

#[test]
fn help_and_version_are_no_errors() {
    for line in ["obmc --help", "obmc --version", "obmc check --help"] {
        assert_eq!(exit_code(&words(line).expect_err(line)), 0, "{line}");
    }
}

#[test]
fn show_prints_the_ir_unless_told_otherwise() {
    let Task::Show(show) = good("obmc show a.c").task else { panic!("no show") };
    assert!(show.ir && !show.loops);
    let Task::Show(show) = good("obmc check a.c --show-loops").task else { panic!("no show") };
    assert!(!show.ir && show.loops);
}
