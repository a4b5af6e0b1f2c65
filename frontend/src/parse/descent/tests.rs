//! Against lang-c: the same tree, on all the C that we have.

use super::token;
use crate::normalise::{PRELUDE, normalise};
use crate::preprocess::Extent;
use crate::preprocess::tests::run_as;
use crate::source::Files;
use crate::stack::with_big_stack;
use ir::types::Machine;
use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, parse_preprocessed};
use obmc_testing::Dice;
use std::path::{Path, PathBuf};

fn by_lang_c(text: &str) -> Option<TranslationUnit> {
    parse_preprocessed(&Config::with_gcc(), text.to_owned()).ok().map(|parse| parse.unit)
}

/// A tree in words, without the places where nodes end: there lang-c often counts blanks.
fn words(unit: &TranslationUnit) -> String {
    let text = format!("{unit:?}");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find('…') {
        out.push_str(&rest[..at]);
        rest = rest[at + '…'.len_utf8()..].trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out + rest
}

/// What both say about a text that `normalise` wrote: the same, unless lang-c refuses it.
enum Outcome {
    Same,
    /// This parser gave up, lang-c did not.
    LeftToLangC,
    Refused,
    Differs(String),
}

fn compare(text: &str) -> Outcome {
    let (ours, theirs) = (super::parse(text), by_lang_c(text));
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => match (words(&ours), words(&theirs)) {
            (ours, theirs) if ours == theirs => Outcome::Same,
            (ours, theirs) => Outcome::Differs(difference(&ours, &theirs)),
        },
        (None, Some(_)) => Outcome::LeftToLangC,
        (_, None) => Outcome::Refused,
    }
}

/// The first piece that is not the same, with some before it.
fn difference(ours: &str, theirs: &str) -> String {
    let same = ours.chars().zip(theirs.chars()).take_while(|(a, b)| a == b).count();
    let around =
        |text: &str| text.chars().skip(same.saturating_sub(300)).take(500).collect::<String>();
    format!("ours: {}\ntheirs: {}", around(ours), around(theirs))
}

fn normalised(text: &[u8]) -> Option<String> {
    normalise(text, "t.c", &mut Files::default()).ok().map(|n| n.text)
}

fn c_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            c_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
            found.push(path);
        }
    }
}

/// A file as the parser gets it.
fn preprocessed(path: &Path) -> Option<String> {
    let text = std::fs::read(path).ok()?;
    if path.extension().is_some_and(|e| e == "i") {
        return normalised(&text);
    }
    let text = String::from_utf8(text).ok()?;
    let text = run_as(&text, &[], &[], (Machine::Lp64, Extent::Needed)).ok()?;
    normalised(text.as_bytes())
}

/// The programs of this repository (some of them), or those below `OBMC_PARSE`.
fn programs() -> Vec<PathBuf> {
    let mut files = Vec::new();
    if let Some(folder) = std::env::var_os("OBMC_PARSE") {
        c_files(Path::new(&folder), &mut files);
        return files;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for folder in ["tests", "examples", "benches"] {
        c_files(&root.join(folder), &mut files);
    }
    files.sort();
    files.into_iter().step_by(5).collect()
}

#[test]
fn our_programs() {
    let files = programs();
    let (mut same, mut left) = (0, Vec::new());
    for file in &files {
        let Some(text) = preprocessed(file) else { continue };
        match with_big_stack(|| compare(&text)) {
            Outcome::Same => same += 1,
            Outcome::LeftToLangC => left.push(file),
            Outcome::Refused => {}
            Outcome::Differs(how) => panic!("{}\n{how}", file.display()),
        }
    }
    println!("{same} of {} are the same, left to lang-c: {left:#?}", files.len());
    assert!(left.len() * 20 < files.len() && same * 4 > files.len() * 3);
}

/// With a token left out, put in or replaced by another one, most programs are none any more, and
/// some are others.
#[test]
fn broken_programs() {
    let files = programs();
    let seed = std::env::var("OBMC_SEED").map_or(1, |seed| seed.parse().unwrap());
    let mut random = Mutations(Dice::new(seed));
    let (mut same, mut left) = (0, 0);
    for _ in 0..300 {
        let Some(text) = preprocessed(&files[random.0.index(files.len())]) else { continue };
        for _ in 0..10 {
            let Some(text) = random.changed(&text).filter(|text| text.len() < 6000) else { break };
            match with_big_stack(|| compare(&text)) {
                Outcome::Same => same += 1,
                Outcome::LeftToLangC => left += 1,
                Outcome::Refused => {}
                Outcome::Differs(how) => panic!("{text}\n{how}"),
            }
        }
    }
    println!("{same} are the same, {left} left to lang-c");
    assert!(same > 20 * left && same > 100);
}

struct Mutations(Dice);

impl Mutations {
    /// The prelude stays.
    fn changed(&mut self, text: &str) -> Option<String> {
        let tokens = token::lex(text.as_bytes())?;
        let prelude = tokens.iter().position(|t| t.start as usize >= PRELUDE.len())?;
        let mut place = || {
            let token = tokens[prelude + self.0.index(tokens.len() - prelude)];
            token.start as usize..token.end as usize
        };
        let (here, other) = (place(), place());
        let mut changed = text.to_owned();
        match self.0.index(3) {
            0 => changed.replace_range(here, ""),
            1 => changed.replace_range(here, &text[other]),
            _ => changed.insert_str(here.start, &format!("{} ", &text[other])),
        }
        Some(changed)
    }
}

/// The tree of a text that this parser reads.
fn tree(text: &str) -> String {
    let text = format!("{PRELUDE}{text}");
    let unit = super::parse(&text).unwrap_or_else(|| panic!("not read: {text}"));
    words(&unit)
}

#[test]
fn where_lang_c_is_wrong_c_is_followed() {
    // A parameter hides a type of the same name.
    let hidden = "typedef int t; int f(int t) { return (t) - 1; }";
    assert!(tree(hidden).contains("BinaryOperator"), "{}", tree(hidden));
    assert!(tree("typedef int t; int f(int s) { return (t) - 1; }").contains("Cast("));
    // A declaration, not a product.
    let pointer = "typedef int t; void f(void) { for (t *p; ; ) ; }";
    assert!(tree(pointer).contains("Pointer("), "{}", tree(pointer));
    for text in ["typedef int t; __typeof(t *) p;", "struct s { int x; } *p = &(struct s){};"] {
        assert!(by_lang_c(&format!("{PRELUDE}{text}")).is_none(), "{text}");
        tree(text);
    }
}

#[test]
fn what_is_no_c_is_not_read() {
    for text in [
        "int x",
        "int f(void) { return (1; }",
        "int f(void) { a ? b : c = d; }",
        "int x = 09;",
        "int x = 1.5q;",
        "int x = 0x;",
        "x;",
        "typedef int t; t t2 t3;",
        "int f(void) { int; x y; }",
        "struct { int x } s;",
        "enum { };",
        "int a[static];",
        "int f(int, ..., int);",
        "int f(void) { else; }",
        "int f(void) { case; }",
        "int f(void) { ++(int)x; }",
        "int x = { 1 2 };",
        "int x __attribute__((a b));",
        "int *;",
        "int (*)(void);",
    ] {
        assert!(super::parse(&format!("{PRELUDE}{text}")).is_none(), "{text}");
    }
}
