//! What an engine answers, with all that a report needs: reports need not know who answered.

use super::phases::Phases;
use super::violation::Violation;
use ir::Property;
use ir::{Function, NamedLoop, Origin, Program, Repetition, Span};
use std::borrow::Cow;

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
    /// Places of other data races that executions show, besides the one that was found. Notes name them.
    pub further_races: Vec<(Span, Span)>,
    /// Name and value, in the order in which they are printed.
    pub stats: Vec<(Cow<'static, str>, u64)>,
    /// Where the engine's time went, if it tells.
    pub times: Phases,
    /// What a proof leans on, if that was asked for.
    pub proof_core: Option<ProofCore>,
}

/// Orders between threads that are enough for a proof: with them, the values in the program leave no
/// violation. Those that were needed most often come first.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ProofCore {
    pub orders: Vec<ForbiddenOrder>,
}

/// Something that no execution does, and what sees to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForbiddenOrder {
    /// "line 7 reads x from line 3", "f takes m after main": never all of them.
    pub never: Vec<String>,
    pub by: OrderedBy,
    /// How often the unrolled program has it.
    pub times: usize,
}

/// What keeps threads in order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OrderedBy {
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
        Verdict {
            property,
            answer,
            assumptions: Vec::new(),
            notes: Vec::new(),
            further_races: Vec::new(),
            stats: Vec::new(),
            times: Phases::default(),
            proof_core: None,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Remark {
    pub text: String,
    pub span: Span,
    kind: RemarkKind,
}

/// What a remark says to those who draw conclusions from it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum RemarkKind {
    /// To people only.
    Told,
    /// The limit of recursion is reached.
    RecursionLimit,
    /// Accesses through pointers stay inside of objects.
    Inside,
    /// Executions end at undefined behaviour: what that is.
    Ends(String),
}

impl Remark {
    pub fn new(text: impl Into<String>, span: Span) -> Remark {
        Remark { text: text.into(), span, kind: RemarkKind::Told }
    }

    /// What a call of a function without a body is taken to do.
    pub fn assumed(function: &Function, span: Span) -> Remark {
        let text = match function.origin {
            Origin::Assembly if function.name == "inline assembly" => {
                "inline assembly changes only what its operands name".into()
            }
            Origin::Assembly => format!("{}; no violation behind one is told", function.name),
            _ => format!("`{}` has no body: returns anything, touches nothing", function.name),
        };
        Remark::new(text, span)
    }

    /// Executions stop since a loop's bound was reached. Users can give a bound to a loop of theirs by its
    /// name.
    pub fn cut(program: &Program, cut: &NamedLoop) -> Remark {
        match cut.kind {
            Repetition::Recursion => Remark::recursion_limit(cut.span),
            Repetition::Loop if program.is_in_model(cut.span) => {
                Remark::new("the unwinding bound is reached here", cut.span)
            }
            Repetition::Loop => Remark::new(format!("loop {}", cut.name), cut.span),
        }
    }

    pub fn recursion_limit(span: Span) -> Remark {
        let text = "the recursion limit is reached here".into();
        Remark { text, span, kind: RemarkKind::RecursionLimit }
    }

    pub fn is_recursion_limit(&self) -> bool {
        self.kind == RemarkKind::RecursionLimit
    }

    /// What a proof assumes that looks at no invalid access.
    pub fn inside(span: Span) -> Remark {
        let text = "accesses through pointers stay inside of objects that are alive".into();
        Remark { text, span, kind: RemarkKind::Inside }
    }

    /// What a proof leaves out that is about executions without undefined behaviour
    /// (`Undefined::Ends`).
    pub fn ends(what: &str, span: Span) -> Remark {
        let text = format!("executions end where C does not define them: {what}");
        Remark { text, span, kind: RemarkKind::Ends(what.to_owned()) }
    }

    /// Does a proof rest on it that is silent about executions with invalid accesses?
    pub fn leaves_out_undefined(&self) -> bool {
        matches!(self.kind, RemarkKind::Inside | RemarkKind::Ends(_))
    }

    /// What ends executions, if that is what it says.
    pub fn ended_by(&self) -> Option<&str> {
        match &self.kind {
            RemarkKind::Ends(what) => Some(what),
            _ => None,
        }
    }

    /// In the order of the text, each once.
    pub fn sorted(remarks: impl IntoIterator<Item = Remark>) -> Vec<Remark> {
        let mut remarks: Vec<Remark> = remarks.into_iter().collect();
        remarks.sort_by(|a, b| (a.span, &a.text).cmp(&(b.span, &b.text)));
        remarks.dedup();
        remarks
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
