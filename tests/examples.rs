//! The programs in `examples/` do what their first lines say.
//!
//! Such a line is `//   obmc check examples/NAME.c [OPTIONS]   VERDICT: why`, with at least two blanks
//! before the verdict. Every example has one that is SAFE and one that is UNSAFE, or has a partner
//! that has.

use std::path::{Path, PathBuf};
use std::process::Command;

struct Claim {
    words: Vec<String>,
    verdict: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn examples() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("examples")).expect("examples");
    let files = entries.map(|entry| entry.expect("an entry").path());
    let mut programs: Vec<_> = files.filter(|f| f.extension().is_some_and(|e| e == "c")).collect();
    programs.sort();
    programs
}

fn claims(text: &str) -> Vec<Claim> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("//   obmc "));
    let claim = |line: &str| {
        let (command, outcome) = line.split_once("  ")?;
        let verdict = outcome.trim().split(':').next()?.to_string();
        Some(Claim { words: command.split_whitespace().map(String::from).collect(), verdict })
    };
    lines.filter_map(claim).collect()
}

fn check(claim: &Claim) -> Result<(), String> {
    let output = Command::new(env!("CARGO_BIN_EXE_obmc"))
        .args(&claim.words)
        .args(["--timeout", "60s"])
        .current_dir(root())
        .output()
        .map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().last().and_then(|line| line.strip_prefix("obmc verdict: "));
    let got = match line.unwrap_or_default() {
        "true" => "SAFE",
        line if line.starts_with("false") => "UNSAFE",
        line => line,
    };
    if got == claim.verdict {
        return Ok(());
    }
    Err(format!("obmc {}: {got}, not {}\n{text}", claim.words.join(" "), claim.verdict))
}

#[test]
fn every_example_says_what_it_shows() {
    for program in examples() {
        let text = std::fs::read_to_string(&program).expect("readable");
        assert!(!claims(&text).is_empty(), "{} claims nothing", program.display());
    }
    let texts = examples().into_iter().map(|p| std::fs::read_to_string(p).expect("readable"));
    let both = texts.filter(|text| {
        let verdicts: Vec<String> = claims(text).into_iter().map(|c| c.verdict).collect();
        ["SAFE", "UNSAFE"].iter().all(|v| verdicts.iter().any(|w| w == v))
    });
    assert!(both.count() >= 12, "a dozen classics, each safe and broken");
}

#[test]
fn what_examples_say_is_true() {
    let claims: Vec<Claim> = examples()
        .iter()
        .flat_map(|p| claims(&std::fs::read_to_string(p).expect("readable")))
        .collect();
    let wrong: Vec<String> = claims.iter().filter_map(|claim| check(claim).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
