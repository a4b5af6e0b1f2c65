//! Broken tests and models: an answer or an error, never a panic.

use cat::Model;
use litmus::{Limits, parse, run};
use proptest::prelude::*;
use std::path::Path;

fn files(folder: &Path, ending: &str) -> Vec<String> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == ending));
    paths.sort();
    paths.iter().map(|p| std::fs::read_to_string(p).unwrap()).collect()
}

/// Pieces that upset parsers.
const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "*",
    "(*",
    "*)",
    ";",
    "|",
    "-",
    "99999999999999999999",
    "-9223372036854775808",
    "9223372036854775807",
    "é",
    "\"",
    "~",
    "=",
    ":",
    "P0",
    "0:",
    "#",
    "$",
    "%",
    "",
    "\n",
    "x[",
    "&",
    "<<",
];

/// A part of a text replaced by something else.
fn broken(text: &str, cuts: &[(usize, usize, usize)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for &(at, len, piece) in cuts {
        let at = at % (chars.len() + 1);
        let end = (at + len).min(chars.len());
        chars.splice(at..end, PIECES[piece % PIECES.len()].chars());
    }
    chars.into_iter().collect()
}

fn cuts() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    proptest::collection::vec((0..2000usize, 0..6usize, 0..1000usize), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn tests(which in 0..1000usize, cuts in cuts()) {
        let all = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/classics"), "litmus");
        let text = broken(&all[which % all.len()], &cuts);
        if let Ok(test) = parse(&text) {
            let limits = Limits { candidates: 300, ..Limits::default() };
            let _ = run(&test, &Model::builtin("tso").unwrap(), limits);
        }
    }

    #[test]
    fn models(which in 0..1000usize, cuts in cuts()) {
        let all = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../cat/models"), "cat");
        let text = broken(&all[which % all.len()], &cuts);
        let _ = Model::parse("m.cat", &text, &mut |_| Err("no files".into()));
    }
}
