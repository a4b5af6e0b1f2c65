//! Search along a guide: does an execution exist that passes given places in a given order and ends
//! in a violation?
//!
//! A guide (from a witness) is a list of steps; an execution fits if it passes them in order, with
//! anything in between. For one execution, passing each step as early as possible is best, so a
//! search state is a program state and the number of steps passed, and of two visits to a program
//! state the one with more steps passed wins.
//!
//! The search tries first what the guide asks for (`search.rs`). It leaves nothing out: if it comes
//! to its end without a violation, no execution fits the guide. What it finds is replayed from the
//! start like every other counterexample. Where the search takes too long, a violation that another
//! engine finds may happen to fit (`follow.rs`).
//!
//! - `expression.rs`: conditions of witnesses: C expressions over variables and numbers
//! - `inside.rs`: where a thread is within an atomic block
//! - `pass.rs`: which steps of a guide an execution passes

pub mod expression;
mod follow;
mod inside;
mod pass;
mod search;

use crate::contract::inputs::Sampling;
use crate::contract::{Form, Query, Violation, confirm};
use crate::witness::places::{Line, Places};
use expression::Expression;
use interp::{Config, Interp};
use ir::{AtomicKind, Inst, InstKind, Program, Span};
use pass::Matcher;
use rustc_hash::FxHashSet;

#[derive(Clone, Default, Debug)]
pub struct Guide {
    pub steps: Vec<GuideStep>,
    /// Where it goes wrong, as far as that is said; two for a data race.
    pub targets: Vec<GuideTarget>,
}

/// Threads of a guide are numbered in the order in which it starts them; 0 is the first.
#[derive(Clone, Default, Debug)]
pub struct GuideStep {
    /// `None`: any.
    pub thread: Option<usize>,
    pub line: Option<Line>,
    pub what: StepGoal,
    /// All of these hold.
    pub conditions: Vec<Expression>,
    /// The function whose variables they speak of.
    pub scope: String,
    /// How many steps of our own traces it stands for, if it says so.
    pub count: Option<u32>,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum StepGoal {
    /// The thread is there.
    #[default]
    Any,
    /// It starts the thread with this number.
    Create(usize),
    /// It calls something here; if that starts a thread, the thread gets the next number.
    Call,
    /// The function is entered, or a thread starts in it.
    Enter(String),
    Leave(String),
    /// A call gives a result (of a function, if named), about which the conditions speak.
    Result(Option<String>),
}

#[derive(Clone, Debug)]
pub struct GuideTarget {
    pub thread: Option<usize>,
    pub line: Option<Line>,
}

#[derive(Debug)]
pub enum GuidedAnswer {
    /// An execution that fits.
    Violation(Box<Violation>),
    /// No execution fits.
    Nothing,
    /// The search was not complete; why.
    Unclear(String),
}

/// Needs: the program prepared for the property.
pub fn search(query: Query<'_>, guide: &Guide, places: &Places) -> GuidedAnswer {
    let Query { program, property, limits, .. } = query;
    let interp = match Interp::new(program, query.interp_config()) {
        Ok(interp) => interp,
        Err(why) => return GuidedAnswer::Unclear(format!("not modelled: {}", why.what)),
    };
    let guide = &understood(program, guide, places);
    let sampling = Sampling::of(program, Sampling::MAX_DOMAIN);
    let mut search = search::GuidedSearch::new(&interp, &sampling, property, limits, guide, places);
    match search.run() {
        Ok(Some((schedule, goal))) => match confirm::tell(&interp, &schedule, &goal) {
            Ok(violation) => GuidedAnswer::Violation(Box::new(violation)),
            Err(why) => GuidedAnswer::Unclear(format!("internal error: {why}")),
        },
        Ok(None) if has_atomic_blocks(program) => {
            GuidedAnswer::Unclear("places within atomic blocks are not seen".into())
        }
        Ok(None) => match search.left_out {
            Some(why) => GuidedAnswer::Unclear(why),
            None => GuidedAnswer::Nothing,
        },
        Err(why) => GuidedAnswer::Unclear(why),
    }
}

/// Is a violation that somebody has found one that the guide leads to?
pub fn fits(query: Query<'_>, violation: &Violation, guide: &Guide, places: &Places) -> bool {
    let program = query.program;
    let Some(run) = violation.run.as_ref().filter(|run| run.form == Form::Given) else {
        return false;
    };
    let config = query.interp_config();
    let eager = Config { eager_inputs: true, ..config.clone() };
    let (Ok(first), Ok(second)) = (Interp::new(program, config), Interp::new(program, eager))
    else {
        return false;
    };
    let values = interp::values(&first, &run.schedule);
    let guide = understood(program, guide, places);
    let matcher = Matcher::new(&second, &guide, places);
    follow::fits(&matcher, &run.schedule, &run.goal, values)
}

/// Blocks of the user, whose inside is one step.
fn has_atomic_blocks(program: &Program) -> bool {
    let user = |inst: &Inst| matches!(inst.kind, InstKind::AtomicBegin { kind: AtomicKind::User });
    let blocks = program.functions.iter().flat_map(|f| &f.blocks);
    blocks.flat_map(|b| &b.insts).any(user)
}

/// Without what the program, as we see it, cannot do: steps in lines without an instruction of ours
/// (a declaration, something that was folded away) and functions that it does not have.
fn understood(program: &Program, guide: &Guide, places: &Places) -> Guide {
    let spans = program
        .functions
        .iter()
        .flat_map(|f| &f.blocks)
        .flat_map(|block| block.insts.iter().map(|inst| inst.span).chain([block.end_span]));
    let spans: FxHashSet<Span> = spans.collect();
    let lines: FxHashSet<Line> =
        spans.iter().filter_map(|span| places.of(*span, &program.files)).collect();
    let has = |name: &String| program.functions.iter().any(|f| f.name == *name);
    let steps = guide.steps.iter().filter(|step| {
        let line = step.line.is_none_or(|line| lines.contains(&line));
        let what = match &step.what {
            StepGoal::Enter(name) | StepGoal::Leave(name) => has(name),
            _ => true,
        };
        line && what
    });
    let known = |line: &Line| lines.contains(line);
    let targets = guide.targets.iter();
    let targets = targets.map(|t| GuideTarget { thread: t.thread, line: t.line.filter(known) });
    Guide { steps: steps.cloned().collect(), targets: targets.collect() }
}
