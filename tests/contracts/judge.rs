//! The C compiler and its sanitizers as judges of the contracts, in the full tier (`OBMC_TESTS=full`).
//!
//! A valid call is compiled with AddressSanitizer and run: no report may come, and the result must be
//! one of the contract's (the program asserts it). What the sanitizers report of a broken call must be
//! what the contract promises; a broken call that they do not see proves nothing.

use crate::contract::{self, Contract, File};
use crate::{chosen, functions, in_parallel, trial};
use std::path::Path;
use std::process::{Command, Output, Stdio};

const FLAGS: [&str; 7] =
    ["-w", "-g0", "-O0", "-std=gnu17", "-fno-builtin", "-U_FORTIFY_SOURCE", "-pthread"];

#[test]
fn the_compiler_agrees() {
    if std::env::var_os("OBMC_TESTS").is_none_or(|tier| tier != "full") {
        eprintln!("not asked: the C compiler judges contracts with OBMC_TESTS=full");
        return;
    }
    let files = contract::files();
    let all: Vec<_> = functions(&files).filter(|(_, _, function)| chosen(function)).collect();
    let folder = tempfile::tempdir().expect("a folder for programs");
    let failures = in_parallel(&all, |(file, contract, function)| {
        valid_call(file, contract, function, folder.path())?;
        broken_calls(file, contract, function, folder.path())
    });
    assert!(failures.is_empty(), "{}\n{}", failures.len(), failures.join("\n"));
}

fn valid_call(file: &File, contract: &Contract, function: &str, at: &Path) -> Result<(), String> {
    let Some(text) = trial::native(file, contract, function) else { return Ok(()) };
    let Some(output) = run(&text, function, "address,undefined", at)? else { return Ok(()) };
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{function}: a valid call fails: {}", complaint(&output))),
    }
}

/// A program that the contract calls correct must be correct for the sanitizers.
fn broken_calls(file: &File, contract: &Contract, function: &str, at: &Path) -> Result<(), String> {
    if contract.skips("native", "") {
        return Ok(());
    }
    for trial in trial::trials(file, contract, function) {
        let sanitizer = match trial.property {
            "valid-memsafety" => "address",
            "no-data-race" => "thread",
            _ => continue,
        };
        if trial.wanted != "true" {
            continue;
        }
        let Some(output) = run(&trial.text, &trial.name, sanitizer, at)? else { continue };
        let text = complaint(&output);
        if text.contains("AddressSanitizer") || text.contains("data race") {
            return Err(format!("{}: {text}", trial.name));
        }
    }
    Ok(())
}

/// The program's run, if it can be compiled here and ends in time.
fn run(text: &str, name: &str, sanitizer: &str, at: &Path) -> Result<Option<Output>, String> {
    let source = at.join(format!("{name}.{sanitizer}.c"));
    let program = at.join(format!("{name}.{sanitizer}.out"));
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    let compiled = Command::new("cc")
        .args(FLAGS)
        .arg(format!("-fsanitize={sanitizer}"))
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .arg("-lm")
        .output()
        .map_err(|e| format!("cc: {e}"))?;
    if !compiled.status.success() {
        return Err(format!("{name}: cc: {}", complaint(&compiled)));
    }
    let output = Command::new("timeout")
        .arg("5")
        .arg(&program)
        .current_dir(at)
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .stdin(Stdio::null())
        .output()
        .map_err(|e| e.to_string())?;
    let _ = std::fs::remove_file(&program);
    Ok((output.status.code() != Some(124)).then_some(output))
}

fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let telling =
        |line: &&str| line.contains("ERROR") || line.contains("WARNING") || line.contains("error:");
    let line = text.lines().find(telling).or(text.lines().next());
    line.unwrap_or("no words").to_owned()
}
