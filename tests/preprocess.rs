//! The system's preprocessor as judge of ours: token by token the same text, on our own programs.
//!
//! `OBMC_PREPROCESS=FOLDER cargo test --test preprocess` compares the `.c` files of another folder.
//! Without a C compiler there is no judge, and the test says so.

use frontend::preprocess::Extent;
use ir::types::Machine;
use obmc::preprocess::{ours, units};
use obmc::request::Input;
use std::path::{Path, PathBuf};

#[test]
fn our_text_is_the_systems() {
    if std::process::Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no cc");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = match std::env::var_os("OBMC_PREPROCESS") {
        Some(folder) => vec![PathBuf::from(folder)],
        None => {
            ["tests/cases", "tests/sequential", "examples", "benches"].map(|f| root.join(f)).into()
        }
    };
    let files: Vec<PathBuf> = folders.iter().flat_map(|folder| programs(folder)).collect();
    let files = if files.len() > 300 && std::env::var_os("OBMC_PREPROCESS").is_none() {
        files.into_iter().step_by(4).collect()
    } else {
        files
    };
    let mut compared = 0;
    for (i, file) in files.iter().enumerate() {
        let machine = if i % 2 == 0 { Machine::Lp64 } else { Machine::Ilp32 };
        let Some((ours, theirs)) = texts(file, machine) else { continue };
        let (ours, theirs) = (tokens(&ours), tokens(&theirs));
        let same = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
        let around = |list: &[String]| {
            list[same.saturating_sub(5)..].iter().take(12).cloned().collect::<Vec<_>>()
        };
        assert!(
            ours == theirs,
            "{}: ours {:?}, cc's {:?}",
            file.display(),
            around(&ours),
            around(&theirs)
        );
        compared += 1;
    }
    assert!(compared * 10 >= files.len() * 9, "only {compared} of {} compared", files.len());
    eprintln!("{compared} of {} files compared", files.len());
}

fn programs(folder: &Path) -> Vec<PathBuf> {
    let pattern = folder.join("**/*.c").display().to_string();
    let mut files: Vec<PathBuf> = glob::glob(&pattern).unwrap().filter_map(Result::ok).collect();
    files.sort();
    files
}

/// What `cc` makes of the file, and what we do.
fn texts(file: &Path, machine: Machine) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut input = Input { cc: Some("cc".into()), ..Input::of(vec![file.into()], machine) };
    let theirs = units(&input, None).ok()?.remove(0).text;
    input.cc = None;
    let text = std::fs::read(file).ok()?;
    match ours(&file.display().to_string(), &text, &input, &input.flags, Extent::Whole) {
        Ok(ours) => Some((ours.text, theirs)),
        Err(stop) => {
            eprintln!("left to the system: {stop:?}");
            None
        }
    }
}

/// Words, numbers, literals and single marks, each with its file and line.
fn tokens(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let mut tokens = Vec::new();
    let (mut file, mut number) = (String::new(), 0);
    for line in text.lines() {
        if let Some((line, name)) = marker(line) {
            (number, file) = (line, name);
            continue;
        }
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let len = match first {
                '"' | '\'' => literal(rest, first),
                c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                c => c.len_utf8(),
            };
            tokens.push(format!("{file}:{number}: {}", &rest[..len]));
            rest = rest[len..].trim_start();
        }
        number += 1;
    }
    tokens
}

/// Reads `# 12 "file" 1 3`.
fn marker(line: &str) -> Option<(u32, String)> {
    let (number, name) = line.strip_prefix("# ")?.split_once(' ')?;
    let name = name.trim_start_matches('"').split('"').next()?;
    Some((number.parse().ok()?, name.to_string()))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}
