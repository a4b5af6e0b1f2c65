//! Library functions by contract: programs made from `frontend/contracts` get the verdicts that the
//! contracts promise, every function has a contract, and the page about them says the same.
//!
//! `OBMC_CONTRACTS=pthread_mutex` runs only functions whose names contain the text, and prints the
//! programs that fail. `OBMC_TESTS=full` also asks the C compiler (`judge.rs`).

mod contract;
mod judge;
mod page;
mod trial;

use contract::{Contract, File};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use trial::Trial;

fn functions(files: &[File]) -> impl Iterator<Item = (&File, &Contract, &str)> {
    files.iter().flat_map(|file| {
        let all = file.contract.iter();
        all.flat_map(move |c| c.of.iter().map(move |f| (file, c, f.as_str())))
    })
}

/// The functions that this run is about.
fn chosen(function: &str) -> bool {
    std::env::var("OBMC_CONTRACTS").map_or(true, |part| function.contains(&part))
}

#[test]
fn models_keep_the_contracts() {
    let files = contract::files();
    let trials: Vec<Trial> = functions(&files)
        .filter(|(_, _, function)| chosen(function))
        .flat_map(|(file, contract, function)| trial::trials(file, contract, function))
        .collect();
    let folder = tempfile::tempdir().expect("a folder for programs");
    let failures = in_parallel(&trials, |trial| check(trial, folder.path()));
    let (bad, all) = (failures.len(), trials.len());
    assert!(bad == 0, "{bad} of {all} programs\n{}", failures.join("\n"));
    println!("{all} programs for {} functions", functions(&files).count());
}

/// Calls the function for each, as many at a time as there are cores; gives what it complains of.
pub fn in_parallel<T: Sync>(all: &[T], f: impl Fn(&T) -> Result<(), String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(failure) = f(one) {
                        failures.lock().unwrap().push(failure);
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    failures
}

fn check(trial: &Trial, folder: &Path) -> Result<(), String> {
    let path = folder.join(format!("{}.{}.c", trial.name, trial.property));
    std::fs::write(&path, &trial.text).map_err(|e| e.to_string())?;
    let output = Command::new(env!("CARGO_BIN_EXE_obmc"))
        .arg("check")
        .arg(&path)
        .args(["--property", trial.property, "--timeout", "60s"])
        .output()
        .map_err(|e| format!("cannot run: {e}"))?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let verdict = stdout.lines().rev().find_map(|l| l.strip_prefix("obmc verdict: "));
    let got = verdict.unwrap_or("none");
    let right = got == trial.wanted
        || (trial.wanted == "false" && got.starts_with("false"))
        || (trial.wanted == "unknown" && got.starts_with("unknown (not modelled"));
    if right {
        return Ok(());
    }
    let Trial { name, property, wanted, text } = trial;
    let program = match std::env::var_os("OBMC_CONTRACTS") {
        Some(_) => format!("\n{text}{}", String::from_utf8_lossy(&output.stderr)),
        None => String::new(),
    };
    Err(format!("{name}: {property}: {got}, wanted {wanted}{program}"))
}

#[test]
fn every_function_has_one_contract() {
    let files = contract::files();
    let mut of: BTreeMap<&str, &str> = BTreeMap::new();
    for (file, _, function) in functions(&files) {
        let before = of.insert(function, &file.header);
        assert_eq!(before, None, "{function} has two contracts");
    }
    let modelled = frontend::models::MODELS.iter().flat_map(|model| model.defines);
    let declared = frontend::shipped::headers().iter().flat_map(|h| declared(h.text));
    let modelled = modelled.map(|name| name.to_string());
    let all = modelled.chain(declared).filter(|name| !name.starts_with("__obmc_"));
    let mut missing: Vec<String> = all.filter(|name| !of.contains_key(name.as_str())).collect();
    missing.sort();
    missing.dedup();
    assert!(missing.is_empty(), "{} without a contract: {}", missing.len(), missing.join(" "));
}

/// A model may refuse, too, in words of its own.
#[test]
fn what_has_no_model_is_refused() {
    let files = contract::files();
    for (_, contract, function) in functions(&files) {
        let modelled = frontend::models::model_of(function).is_some() || contract.builtin;
        assert!(modelled || contract.refused.is_some(), "{function} has no model");
    }
}

/// The functions that one of our headers declares. They are written `extern TYPE NAME(PARAMETERS)`.
fn declared(header: &str) -> Vec<String> {
    let code = without_comments_and_directives(header);
    let declarations = code.split([';', '{', '}']).map(str::trim);
    let functions = declarations.filter(|d| d.starts_with("extern ") && d.contains('('));
    let name = |declaration: &str| {
        let head = declaration.split('(').next().unwrap_or_default().trim_end();
        head.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default().into()
    };
    functions.map(name).collect()
}

fn without_comments_and_directives(header: &str) -> String {
    let mut code = String::new();
    let mut rest = header;
    while let Some((before, comment)) = rest.split_once("/*") {
        code.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    code.push_str(rest);
    let code = code.replace("\\\n", " ");
    code.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n")
}

#[test]
fn declarations_are_found() {
    let header = "#define f(x) g(x)\n/* extern int no(void); */\nextern int a(int x);\n\
                  extern void *b(void (*f)(void),\n int n) __attribute__((x));\nstruct s { int x; };\n";
    assert_eq!(declared(header), ["a", "b"]);
}
