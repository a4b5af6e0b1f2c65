//! `docs/modelled-functions.md`, made from the contracts. `OBMC_BLESS=1` (`scripts/bless contracts`)
//! writes it.

use crate::contract::{self, Argument, Cancel, Contract, Extent, File, Mode};
use std::fmt::Write;
use std::path::Path;

const HEAD: &str = "\
# Modelled functions

Made from the contracts in `frontend/contracts`, by `scripts/bless contracts`: do not edit.

Library functions are modelled in C, in `frontend/models`; a model is compiled into a program that calls one of its functions without defining it. A function of the program's own takes precedence. The memory order of each lock, unlock, post and wait is exact, so data races are found across all of them. Programs made from the contracts hold the models to what stands here (`tests/contracts`).

A function of the C library or of POSIX that is not here, or is said to be not modelled, makes the answer UNKNOWN where it is reached. All other functions without a body return anything and touch nothing; the verdict lists them as assumptions. `__builtin_X` is `X`.

**Memory** says what is done through each pointer argument. Plain accesses (`reads`, `writes`, `updates`) race with other threads' accesses; operations on synchronisation objects (`syncs`) do not race with each other. Every object must be alive and as large as its type; null is allowed where it is said. **Never** lists results that the text allows and that obmc assumes not to happen.
";

#[test]
fn the_page_is_made_from_the_contracts() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/modelled-functions.md");
    let page = page(&contract::files());
    if std::env::var_os("OBMC_BLESS").is_some() {
        std::fs::write(&path, &page).expect("writable");
    }
    let there = std::fs::read_to_string(&path).expect("readable");
    assert!(there == page, "docs/modelled-functions.md differs: scripts/bless contracts");
}

fn page(files: &[File]) -> String {
    let mut text = String::from(HEAD);
    for file in files {
        let header = format!("`<{}>`", file.header);
        let _ = write!(text, "\n## {}\n", file.title.as_ref().unwrap_or(&header));
        if !file.about.is_empty() {
            let _ = write!(text, "\n{}\n", file.about);
        }
        let mut section = None;
        let mut open = false;
        for contract in &file.contract {
            if contract.section != section || !open {
                if let Some(name) = &contract.section {
                    let _ = write!(text, "\n### {name}\n");
                }
                text.push_str(
                    "\n| function | meaning | memory | results | more |\n|---|---|---|---|---|\n",
                );
                section = contract.section.clone();
                open = true;
            }
            for function in &contract.of {
                row(&mut text, contract, function);
            }
        }
    }
    text
}

fn row(text: &mut String, contract: &Contract, function: &str) {
    let memory: Vec<String> = contract.memory.iter().map(argument).collect();
    let cells = [contract.does.clone(), memory.join("; "), results(contract), more(contract)];
    let cells = cells.map(|cell| cell.replace('|', "\\|"));
    let _ = writeln!(text, "| `{function}` | {} |", cells.join(" | "));
}

fn argument(argument: &Argument) -> String {
    let mode = argument.mode.name();
    let extent = match (&argument.words, &argument.extent) {
        (Some(words), _) => format!(" {words}"),
        (None, Extent::Nothing) => String::new(),
        (None, Extent::Type(ty)) => format!(" `{ty}`"),
        (None, Extent::String) => " string".into(),
        (None, Extent::Bytes(bytes)) => format!(" `{bytes}` bytes"),
    };
    let null = if argument.null { " or null" } else { "" };
    match argument.mode {
        Mode::Stream => format!("`{}`: a stream", argument.name),
        _ => format!("`{}`: {mode}{extent}{null}", argument.name),
    }
}

fn results(contract: &Contract) -> String {
    let outcome = |outcome: &contract::Outcome| match &outcome.r#if {
        Some(when) => format!("`{}` ({when})", outcome.is),
        None => format!("`{}`", outcome.is),
    };
    let named = contract.results.len() - contract.errors.len();
    let mut all: Vec<String> = contract.results[..named].iter().map(outcome).collect();
    if !contract.errors.is_empty() {
        all.push(format!("`{}` with errno {}", contract.fails, contract.errors.join(", ")));
    }
    match contract.returns.as_str() {
        "void" => "none".into(),
        "never" => "does not return".into(),
        _ => all.join(", "),
    }
}

fn more(contract: &Contract) -> String {
    let mut parts = Vec::new();
    if let Some(reason) = &contract.refused {
        parts.push(format!("**Not modelled**: {reason}."));
    }
    let cancel = match contract.cancel {
        Cancel::Point => "Cancellation point.",
        Cancel::May => "May be a cancellation point: both are explored.",
        Cancel::No => "",
    };
    parts.extend((!cancel.is_empty()).then(|| cancel.to_owned()));
    let words = [
        ("Blocks", &contract.blocks),
        ("Orders", &contract.orders),
        ("Hidden state", &contract.hidden),
        ("Undefined", &contract.undefined),
        ("Note", &contract.notes),
    ];
    for (name, value) in words {
        parts.extend(value.as_ref().map(|value| format!("{name}: {value}.")));
    }
    if contract.r#unsafe {
        parts.push("Not thread-safe.".into());
    }
    if !contract.unexplored.is_empty() {
        parts.push(format!("Never: {}.", contract.unexplored.join("; ")));
    }
    parts.push(contract.text.clone());
    parts.join(" ")
}
