//! Engines: each answers one property of one program within limits.
//!
//! The driver talks to every engine through `Engine`; whoever moves in later (BMC, CEGAR, symbolic
//! execution, cat models) implements it and returns the same `Verdict`, so that reports need not
//! know who answered.

pub mod bmc;
pub mod deepen;
pub mod explore;
pub mod guided;
mod minimize;
pub mod modular;
pub mod portfolio;
#[cfg(test)]
pub mod random_c;
pub mod side_by_side;

use crate::progress::Progress;
use crate::stats::Phases;
use frontend::PropertyKind;
use frontend::ir::{Function, Origin, Program, Span};
use interp::ScheduleStep;
pub use interp::{Deed, TraceStep};
use std::borrow::Cow;

/// What is to be shown, by SV-COMP's names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Property {
    UnreachCall,
    NoDataRace,
    ValidMemsafety,
    NoOverflow,
    NoDeadlock,
}

impl Property {
    pub const ALL: [Property; 5] = [
        Property::UnreachCall,
        Property::NoDataRace,
        Property::ValidMemsafety,
        Property::NoOverflow,
        Property::NoDeadlock,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::NoDataRace => "no-data-race",
            Property::ValidMemsafety => "valid-memsafety",
            Property::NoOverflow => "no-overflow",
            Property::NoDeadlock => "no-deadlock",
        }
    }

    /// What library models must show for it.
    pub fn kind(self) -> PropertyKind {
        match self {
            Property::UnreachCall | Property::NoOverflow => PropertyKind::Values,
            Property::ValidMemsafety => PropertyKind::Memory,
            Property::NoDataRace => PropertyKind::Races,
            Property::NoDeadlock => PropertyKind::Deadlocks,
        }
    }
}

/// How far an engine may go.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The instant after which to give up; engines look at it every few thousand steps.
    pub deadline: Option<std::time::Instant>,
    /// Peak memory in bytes that the engine may use for its own tables.
    pub memory: Option<u64>,
    /// Where to say how far it is.
    pub progress: Progress,
}

impl Limits {
    /// The same, with at most this much time from now on.
    pub fn shortened(&self, time: std::time::Duration) -> Limits {
        let end = std::time::Instant::now() + time;
        Limits { deadline: Some(self.deadline.map_or(end, |d| d.min(end))), ..self.clone() }
    }
}

/// Settings that change what is explored, not how long.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub malloc_may_fail: bool,
    pub minimize: Minimize,
}

/// Are counterexamples made small before they are shown?
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum)]
pub enum Minimize {
    #[default]
    On,
    Off,
}

pub trait Engine {
    fn check(
        &mut self,
        program: &Program,
        property: Property,
        settings: &Settings,
        limits: &Limits,
    ) -> Verdict;
}

/// The answer for one property, with all that a report needs.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub property: Property,
    pub answer: Answer,
    /// What had to be assumed, and where ("`foo` has no body: returns anything, touches nothing").
    pub assumptions: Vec<Remark>,
    /// What the reader should know although it changes nothing ("executions end at an invalid
    /// access here").
    pub notes: Vec<Remark>,
    /// Name and value, in the order in which they are printed.
    pub stats: Vec<(Cow<'static, str>, u64)>,
    /// Where the engine's time went, if it tells.
    pub times: Phases,
    /// What a proof leans on, if that was asked for.
    pub evidence: Option<Evidence>,
}

/// Orders between threads that are enough for a proof: with them, the values in the program leave no
/// violation. Those that were needed most often come first.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Evidence {
    pub orders: Vec<NoExecution>,
}

/// Something that no execution does, and what sees to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoExecution {
    /// "line 7 reads x from line 3", "f takes m after main": never all of them.
    pub never: Vec<String>,
    pub by: Keeper,
    /// How often the unrolled program has it.
    pub times: usize,
}

/// What keeps threads in order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Keeper {
    /// A lock, a semaphore, a condition: by name.
    Sync(String),
    /// Program order, starting and joining threads.
    Threads,
    /// The steps of an indivisible operation.
    Step,
}

impl Verdict {
    /// An answer and nothing else.
    pub fn new(property: Property, answer: Answer) -> Verdict {
        let (assumptions, notes, stats, evidence) = Default::default();
        let times = Phases::default();
        Verdict { property, answer, assumptions, notes, stats, times, evidence }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Remark {
    pub text: String,
    pub span: Span,
}

impl Remark {
    /// What a call of a function without a body is taken to do.
    pub fn assumed(function: &Function, span: Span) -> Remark {
        let text = match function.origin {
            Origin::Assembly => "inline assembly changes only what its operands name".into(),
            _ => format!("`{}` has no body: returns anything, touches nothing", function.name),
        };
        Remark { text, span }
    }
}

#[derive(Clone, Debug)]
pub enum Answer {
    Safe,
    /// No violation within the bound; each place where an execution was cut off.
    Bounded {
        cut: Vec<Remark>,
    },
    Unsafe(Box<Violation>),
    Unknown(Reason),
}

#[derive(Clone, Debug)]
pub enum Reason {
    /// C that is not modelled was reached.
    Unsupported {
        what: String,
        span: Span,
    },
    /// Memory was written where C does not allow it: whatever follows is not defined.
    Undefined {
        what: String,
        span: Span,
    },
    /// An input has too many values to try them all.
    Domain {
        what: String,
        span: Span,
    },
    Time,
    Memory,
    /// By the user, before there was an answer.
    Interrupted,
    /// The engine contradicted itself (a violation that does not replay): a bug of ours.
    Internal(String),
    Other(String),
}

/// A violation with the execution that shows it, already replayed.
#[derive(Clone, Debug)]
pub struct Violation {
    /// SV-COMP's name of what was violated: `unreach-call`, `valid-deref`, `valid-free`,
    /// `valid-memtrack`, `no-overflow`, `no-data-race`, `no-deadlock`.
    pub kind: &'static str,
    /// One sentence: "assertion `x == 2` fails".
    pub message: String,
    pub span: Span,
    /// The steps a reader can follow, in order. Thread 1 is the first one, then in order of
    /// creation: the same numbers that `pthread_self` gives.
    pub trace: Vec<TraceStep>,
    /// The same as a schedule for the interpreter.
    pub run: Option<Run>,
}

/// A violation as the interpreter replays it.
#[derive(Clone, Debug)]
pub struct Run {
    pub schedule: Vec<ScheduleStep>,
    /// What to look for.
    pub goal: explore::confirm::Goal,
    pub form: Form,
}

/// The program that a schedule belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The one that the engine was given.
    Given,
    /// One that the engine has unrolled and forgotten.
    Unrolled,
}
