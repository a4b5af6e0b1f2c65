//! Contracts as data: `frontend/contracts/*.toml` read into types, and refused where they are not
//! what the README there says.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// One header's contracts.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct File {
    pub header: String,
    /// The heading on the page, if it is not the header.
    pub title: Option<String>,
    #[serde(default)]
    pub about: String,
    #[serde(default)]
    pub include: Vec<String>,
    #[serde(default)]
    pub define: String,
    #[serde(default)]
    pub objects: BTreeMap<String, String>,
    pub contract: Vec<Contract>,
}

#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    pub of: Vec<String>,
    pub section: Option<String>,
    pub does: String,
    #[serde(default = "posix")]
    pub text: String,
    #[serde(default = "int")]
    pub returns: String,
    pub call: Option<String>,
    #[serde(default, rename = "memory")]
    written_memory: BTreeMap<String, String>,
    #[serde(skip)]
    pub memory: Vec<Argument>,
    #[serde(default)]
    pub with: BTreeMap<String, String>,
    pub hidden: Option<String>,
    #[serde(default)]
    pub r#unsafe: bool,
    #[serde(default)]
    pub before: String,
    #[serde(default)]
    pub after: String,
    #[serde(default)]
    pub results: Vec<Outcome>,
    /// Values of errno with which it fails, and what it returns then.
    #[serde(default)]
    pub errors: Vec<String>,
    #[serde(default = "minus_one")]
    pub fails: String,
    #[serde(default)]
    pub unexplored: Vec<String>,
    pub blocks: Option<String>,
    pub orders: Option<String>,
    pub undefined: Option<String>,
    pub notes: Option<String>,
    #[serde(default)]
    pub cancel: Cancel,
    pub refused: Option<String>,
    /// The lowering knows it, no model is needed.
    #[serde(default)]
    pub builtin: bool,
    #[serde(default)]
    pub skip: BTreeMap<String, String>,
}

fn posix() -> String {
    "POSIX".into()
}

fn int() -> String {
    "int".into()
}

fn minus_one() -> String {
    "-1".into()
}

/// A result and how to get it.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    pub is: String,
    pub r#if: Option<String>,
    pub given: Option<String>,
}

impl Outcome {
    /// As a condition of C on `result`.
    pub fn condition(&self) -> String {
        match self.is.contains("result") {
            true => format!("({})", self.is),
            false => format!("(result == ({}))", self.is),
        }
    }
}

/// What a function does with a pending request for cancellation.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Cancel {
    Point,
    May,
    #[default]
    No,
}

/// What is done through one pointer argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    pub name: String,
    pub mode: Mode,
    pub extent: Extent,
    pub null: bool,
    pub words: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Reads,
    Writes,
    Updates,
    Syncs,
    Frees,
    Calls,
    Keeps,
    Stream,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Extent {
    Nothing,
    Type(String),
    String,
    Bytes(String),
}

impl Mode {
    /// The model touches memory through the pointer, so it must be alive and large enough.
    pub fn touches(self) -> bool {
        matches!(self, Mode::Reads | Mode::Writes | Mode::Updates | Mode::Syncs)
    }

    /// Two such calls at the same time are a race.
    pub fn is_exclusive(self) -> bool {
        matches!(self, Mode::Writes | Mode::Updates)
    }

    pub fn name(self) -> &'static str {
        match self {
            Mode::Reads => "reads",
            Mode::Writes => "writes",
            Mode::Updates => "updates",
            Mode::Syncs => "syncs",
            Mode::Frees => "frees",
            Mode::Calls => "calls",
            Mode::Keeps => "keeps",
            Mode::Stream => "stream",
        }
    }

    fn of(word: &str) -> Option<Mode> {
        use Mode::*;
        [Reads, Writes, Updates, Syncs, Frees, Calls, Keeps, Stream]
            .into_iter()
            .find(|mode| mode.name() == word)
    }
}

impl Argument {
    /// `MODE EXTENT [or null] [(words)]`
    fn parse(name: &str, text: &str) -> Option<Argument> {
        let (text, words) = match text.strip_suffix(')').and_then(|t| t.split_once(" (")) {
            Some((text, words)) if !text.ends_with("sizeof") => (text, Some(words.to_owned())),
            _ => (text, None),
        };
        let (text, null) = match text.strip_suffix(" or null") {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (mode, extent) = text.split_once(' ').unwrap_or((text, ""));
        let mode = Mode::of(mode)?;
        let extent = match extent {
            "" => Extent::Nothing,
            "string" => Extent::String,
            other => match other.strip_prefix("bytes ") {
                Some(bytes) => Extent::Bytes(bytes.into()),
                None => Extent::Type(other.into()),
            },
        };
        let complete = mode.touches() == (extent != Extent::Nothing) || mode == Mode::Frees;
        complete.then(|| Argument { name: name.into(), mode, extent, null, words })
    }
}

impl Contract {
    /// Arguments in the order of the call.
    fn read_memory(&mut self) {
        let call = self.call.clone().unwrap_or_default();
        let mut memory: Vec<Argument> = (self.written_memory.iter())
            .map(|(name, text)| {
                Argument::parse(name, text)
                    .unwrap_or_else(|| panic!("{:?}: memory.{name} = {text:?}", self.of))
            })
            .collect();
        memory.sort_by_key(|a| position(&call, &a.name).unwrap_or(usize::MAX));
        self.memory = memory;
    }

    /// Each value of errno is a result.
    fn add_errors(&mut self) {
        let fails = &self.fails;
        let outcome = |error: &String| Outcome {
            is: format!("result == {fails} && errno == {error}"),
            r#if: None,
            given: None,
        };
        let errors: Vec<Outcome> = self.errors.iter().map(outcome).collect();
        self.results.extend(errors);
    }

    /// Is this kind of test left out, for all arguments or this one?
    pub fn skips(&self, kind: &str, argument: &str) -> bool {
        self.skip.contains_key(kind) || self.skip.contains_key(&format!("{kind} {argument}"))
    }
}

/// Where the word stands in the text.
pub fn position(text: &str, word: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .map(|(at, _)| at)
        .find(|&at| !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word))
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("frontend/contracts")
}

/// All files, by header.
pub fn files() -> Vec<File> {
    let mut paths = Vec::new();
    collect(&folder(), &mut paths);
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of this project") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|e| e == "toml") {
            paths.push(path);
        }
    }
}

fn read(path: &Path) -> File {
    let text = fs::read_to_string(path).expect("readable");
    let mut file: File =
        toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut section = None;
    for contract in &mut file.contract {
        contract.read_memory();
        contract.add_errors();
        let wordless = contract.skip.values().any(|why| !why.contains(' '));
        assert!(!wordless, "{:?}: why tests are skipped is said in words", contract.of);
        section = contract.section.take().or(section);
        contract.section = section.clone();
    }
    file
}
