//! What was asked for, as plain data: every value is in range and no two contradict.
//!
//! `options` makes it from the words of the command line. Everything below reads it and knows no word.
//! `units.rs` has times and sizes, `output.rs` what a check leaves behind, `bench.rs` a whole suite.
//!
//! - `flags.rs`: how a file is to be read, as compilers are told
//! - `litmus.rs`: litmus tests to run

mod bench;
mod flags;
mod litmus;
mod output;
mod units;

pub use bench::{Plan, Queue, Shard};
pub use flags::{Flags, MacroFlag, Standard};
pub use litmus::{Litmus, ModelChoice};
pub use output::{Output, Replay, Style};
pub use units::{Bytes, Seconds};

use crate::contract::{MemoryModel, Minimize, Property, Undefined};
use crate::engine::bmc;
use crate::engine::explore::Explorer;
use crate::engine::prove::Prove;
use crate::engine::symex::Symex;
use crate::portfolio::Choice;
use crate::specification::Properties;
use clap::ValueEnum;
use ir::MemoryOrder;
use ir::types::Machine;
use solver::weak::target::Target;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Largest bound that `--unwind` and `--unwindset` take: more copies of a loop than any machine
/// holds.
const MAX_UNWIND: u32 = 1_000_000;
/// Are spin loops collapsed?
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Spin {
    On,
    Off,
}

/// How far loops are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unwind {
    /// As far as they go, or until a limit.
    Auto,
    Bound(u32),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopBound {
    pub name: String,
    pub bound: u32,
}

/// What was meant.
#[derive(Clone, Debug)]
pub struct Options {
    pub input: Input,
    pub task: Task,
    pub timeout: Option<Seconds>,
    pub memlimit: Option<Bytes>,
    pub verbose: u8,
    /// No progress on the terminal.
    pub quiet: bool,
}

impl Options {
    /// Does one thread work at a time?
    pub fn work_by_turns(&self) -> bool {
        match &self.task {
            Task::Check(check) | Task::Fences(check) => check.jobs == NonZeroUsize::MIN,
            Task::Bench(_) | Task::Litmus(_) => false,
            Task::Validate(_) | Task::Show(_) | Task::Print(_) | Task::Run => true,
        }
    }
}

/// The program to read.
#[derive(Clone, Debug)]
pub struct Input {
    pub files: Vec<PathBuf>,
    pub machine: Machine,
    pub entry: String,
    /// How the files are read.
    pub flags: Flags,
    /// Files that are read in another way.
    pub own_flags: BTreeMap<PathBuf, Flags>,
    /// Words of a compiler that have no effect here.
    pub ignored: Vec<String>,
    /// A compilation database: whatever `files` need of it belongs to the program.
    pub database: Option<PathBuf>,
    pub cc: Option<String>,
    /// What stands in some files, instead of what is read from them.
    pub texts: BTreeMap<PathBuf, String>,
    pub volatile: Volatile,
    pub extern_pointers: ExternPointers,
    /// What `main` is called with, behind the program's name; none: any words.
    pub arguments: Vec<String>,
}

/// `argv[0]`, if there are words behind it.
const PROGRAM_NAME: &str = "prog";

/// What functions without a body return that return a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum ExternPointers {
    /// Any address.
    #[default]
    Any,
    /// A new object of the pointee's size.
    Fresh,
}

impl From<ExternPointers> for frontend::ExternPointers {
    fn from(pointers: ExternPointers) -> frontend::ExternPointers {
        match pointers {
            ExternPointers::Any => frontend::ExternPointers::Any,
            ExternPointers::Fresh => frontend::ExternPointers::Fresh,
        }
    }
}

/// What volatile accesses count as.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum Volatile {
    /// Accesses like any others, as C says.
    #[default]
    Race,
    /// Sequentially consistent atomic accesses.
    Atomic,
    /// Relaxed atomic accesses.
    Relaxed,
}

impl Volatile {
    pub fn order(self) -> MemoryOrder {
        match self {
            Volatile::Race => MemoryOrder::Plain,
            Volatile::Atomic => MemoryOrder::SeqCst,
            Volatile::Relaxed => MemoryOrder::Relaxed,
        }
    }
}

impl Input {
    /// These files, read as they are.
    pub fn of(files: Vec<PathBuf>, machine: Machine) -> Input {
        Input {
            files,
            machine,
            entry: "main".into(),
            flags: Flags::default(),
            own_flags: BTreeMap::new(),
            ignored: Vec::new(),
            database: None,
            cc: None,
            texts: BTreeMap::new(),
            volatile: Volatile::default(),
            extern_pointers: ExternPointers::default(),
            arguments: Vec::new(),
        }
    }

    /// All words that `main` is called with, if they are known.
    pub fn words(&self) -> Option<Vec<String>> {
        let given = self.arguments.iter().cloned();
        (!self.arguments.is_empty())
            .then(|| std::iter::once(PROGRAM_NAME.to_owned()).chain(given).collect())
    }

    pub fn flags_of(&self, file: &Path) -> &Flags {
        self.own_flags.get(file).unwrap_or(&self.flags)
    }
}

#[derive(Clone, Debug)]
pub enum Task {
    Check(Check),
    Validate(Validate),
    Show(Show),
    Bench(Plan),
    Litmus(Litmus),
    /// Changes that make a program safe.
    Fences(Check),
    /// A manual page or completions.
    Print(String),
    /// One execution, for tests.
    Run,
}

#[derive(Clone, Debug)]
pub struct Check {
    pub properties: Properties,
    /// The command line does not name them.
    pub by_default: bool,
    pub engine: Choice,
    /// Engines that may work at the same time.
    pub jobs: NonZeroUsize,
    /// One after the other; never empty.
    pub models: Vec<ModelAsked>,
    /// Asked, too, if the program has accesses that are weaker than `seq_cst`: the command line names no model.
    pub beside: Option<ModelAsked>,
    pub explore: Explorer,
    pub symbolic: bmc::Config,
    pub prove: Prove,
    pub symex: Symex,
    pub unwind: Unwind,
    pub unwindset: Vec<LoopBound>,
    pub accept_bounded: bool,
    pub spin: Spin,
    /// Assumptions make the answer UNKNOWN.
    pub strict: bool,
    pub malloc_may_fail: bool,
    pub undefined: Undefined,
    pub races: Races,
    /// A file with races that are let be.
    pub suppressions: Option<PathBuf>,
    pub trace: Style,
    /// Columns of the page that people read.
    pub width: usize,
    pub minimize: Minimize,
    pub json: bool,
    pub stats: bool,
    pub output: Output,
}

impl Check {
    /// The first model.
    pub fn model(&self) -> MemoryModel {
        self.models.first().map_or(MemoryModel::Sc, ModelAsked::kind)
    }

    /// The first model, if it is one in cat.
    pub fn weak(&self) -> Option<&MemoryModelChoice> {
        match self.models.first()? {
            ModelAsked::InCat(choice) => Some(choice),
            ModelAsked::Ours(_) => None,
        }
    }
}

/// A memory model that was asked for.
#[derive(Clone, Debug)]
pub enum ModelAsked {
    /// Sequential consistency, or its weak form.
    Ours(MemoryModel),
    InCat(MemoryModelChoice),
}

impl ModelAsked {
    pub fn kind(&self) -> MemoryModel {
        match self {
            ModelAsked::Ours(model) => *model,
            ModelAsked::InCat(_) => MemoryModel::Cat,
        }
    }

    /// Does it say what a machine does, and nothing about C?
    pub fn is_machine(&self) -> bool {
        let ModelAsked::InCat(MemoryModelChoice { model: ModelChoice::Builtin(name), .. }) = self
        else {
            return false;
        };
        Target::of_model(name).is_some_and(Target::is_machine)
    }

    /// As users name it.
    pub fn name(&self) -> String {
        match self {
            ModelAsked::Ours(model) => model.name().into(),
            ModelAsked::InCat(MemoryModelChoice { model, .. }) => match model {
                ModelChoice::Builtin(name) => name.clone(),
                ModelChoice::File(path) => path.display().to_string(),
                ModelChoice::ByArchitecture => String::new(),
            },
        }
    }
}

/// A model in cat for C programs.
#[derive(Clone, Debug)]
pub struct MemoryModelChoice {
    pub model: ModelChoice,
    /// What operations are compiled to, if not as the model has it.
    pub target: Option<Target>,
}

/// How many races of a program are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Races {
    First,
    All,
}

/// A witness to be judged.
#[derive(Clone, Debug)]
pub struct Validate {
    pub witness: PathBuf,
    pub property: Option<Property>,
    pub malloc_may_fail: bool,
    /// The data model was not said: it is the witness's.
    pub any_machine: bool,
    /// The entry function was not said: it is the witness's.
    pub any_entry: bool,
}

/// What to print; never empty.
#[derive(Clone, Debug)]
pub struct Show {
    pub ir: bool,
    pub loops: bool,
    pub threads: bool,
    /// Unrolled how often.
    pub events: Option<u32>,
    pub cfg: Option<PathBuf>,
}

impl std::str::FromStr for Unwind {
    type Err = String;

    fn from_str(text: &str) -> Result<Unwind, String> {
        match text {
            "auto" => Ok(Unwind::Auto),
            _ => bound(text).map(Unwind::Bound),
        }
    }
}

impl std::str::FromStr for LoopBound {
    type Err = String;

    fn from_str(text: &str) -> Result<LoopBound, String> {
        match text.rsplit_once(':') {
            Some((name, number)) if !name.is_empty() => {
                Ok(LoopBound { name: name.to_string(), bound: bound(number)? })
            }
            _ => Err("wanted LOOP:N, as in main.0:3".into()),
        }
    }
}

fn bound(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(n) if (1..=MAX_UNWIND).contains(&n) => Ok(n),
        _ => Err(format!("wanted a number from 1 to {MAX_UNWIND}")),
    }
}
