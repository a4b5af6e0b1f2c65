//! A trace as moves that a witness can tell.
//!
//! A move is what a thread does in one line without interruption. What a move assumes is written in
//! C, so only numbers in variables that the function can name are told: pointers, heap blocks and
//! the inside of library objects stay out. Threads are numbered from 0.

use crate::contract::Goal;
use crate::contract::{TraceStep, Violation};
use crate::report::Finding;
use crate::witness::places::{Line, Places};
use interp::{Access, Tid, TraceEvent};
use rustc_hash::FxHashMap;

pub struct Story {
    /// In the order of the execution.
    pub moves: Vec<StoryMove>,
    /// Where it goes wrong.
    pub target: StoryPlace,
    /// The other access of a data race.
    pub rival: Option<StoryPlace>,
}

#[derive(Clone, Debug)]
pub struct StoryPlace {
    pub thread: u32,
    pub line: Option<Line>,
    pub function: String,
}

#[derive(Clone, Debug)]
pub struct StoryMove {
    pub spot: StoryPlace,
    pub what: StoryEvent,
    /// What holds behind it.
    pub facts: Vec<Fact>,
    /// How many steps of the trace it stands for.
    pub steps: u32,
    /// In an atomic block: others wait at its begin, not here.
    pub atomic: bool,
    /// Variables that a library function may write, which is not told.
    pub lost: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoryEvent {
    Plain,
    Create {
        child: u32,
        /// The user's, not a library's around it.
        function: Option<String>,
    },
    Enter(String),
    Leave(String),
    /// An input function returns a value, a C number.
    Input {
        function: String,
        value: String,
    },
}

/// `place == value`, both in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    pub place: String,
    pub value: String,
    /// All threads see the place under this name.
    pub global: bool,
}

impl Story {
    pub fn of(violation: &Violation, finding: &Finding, places: &Places) -> Story {
        let told = Telling { finding, places, trace: &violation.trace };
        let (mut moves, mut inside) = (Vec::new(), EnteredFunctions::default());
        inside.0.insert(0, vec![written(&finding.names.start.0)]);
        let mut last: FxHashMap<u32, StoryPlace> = FxHashMap::default();
        for mut next in violation.trace.iter().filter_map(|step| told.told(step)) {
            next.lift(&mut last);
            inside.note(&mut next);
            add(&mut moves, next);
        }
        let wrong = violation.trace.iter().find(|s| matches!(s.event, TraceEvent::Wrong(_)));
        let target = wrong.or(violation.trace.last()).map_or(
            StoryPlace {
                thread: 0,
                line: places.of(violation.span, &finding.files),
                function: String::new(),
            },
            |step| told.spot(step),
        );
        let rival = rival(violation, wrong.map(|s| s.thread)).map(|step| told.spot(step));
        Story { moves, target, rival }
    }
}

/// Adds a move to the last one where both are one statement to others: plain steps in a line, and
/// what belongs to a call that starts a thread or gives an input.
fn add(moves: &mut Vec<StoryMove>, next: StoryMove) {
    let Some(last) = moves.last_mut().filter(|last| last.is_beside(&next)) else {
        return moves.push(next);
    };
    match (&last.what, &next.what) {
        (StoryEvent::Plain, StoryEvent::Plain) => {
            last.steps += next.steps;
            last.add(next);
        }
        (StoryEvent::Plain, StoryEvent::Create { .. }) if last.facts.is_empty() => {
            let lost = std::mem::take(&mut last.lost);
            *last = StoryMove { lost, ..next };
        }
        (StoryEvent::Create { .. } | StoryEvent::Input { .. }, StoryEvent::Plain) => last.add(next),
        _ => moves.push(next),
    }
}

/// The last access of another thread at one of the two places that race.
fn rival(violation: &Violation, second: Option<Tid>) -> Option<&TraceStep> {
    let Goal::Race(a, b) = violation.run.as_ref()?.goal else { return None };
    let races = |access: &Access| access.id == a.id || access.id == b.id;
    violation
        .trace
        .iter()
        .rev()
        .find(|step| Some(step.thread) != second && step.event.access().is_some_and(races))
}

/// The functions that each thread has entered, outermost first. What a library function calls (a
/// cleanup handler) is seen to return only, so that is not told.
#[derive(Default)]
struct EnteredFunctions(FxHashMap<u32, Vec<String>>);

impl EnteredFunctions {
    fn note(&mut self, step: &mut StoryMove) {
        match &step.what {
            StoryEvent::Create { child, function } => {
                self.0.insert(*child, function.iter().cloned().collect());
            }
            StoryEvent::Enter(function) => {
                self.0.entry(step.spot.thread).or_default().push(function.clone());
            }
            StoryEvent::Leave(function) => {
                let stack = self.0.entry(step.spot.thread).or_default();
                if stack.last() == Some(function) {
                    stack.pop();
                } else {
                    step.what = StoryEvent::Plain;
                }
            }
            StoryEvent::Plain | StoryEvent::Input { .. } => {}
        }
    }
}

struct Telling<'a> {
    finding: &'a Finding,
    places: &'a Places,
    trace: &'a [TraceStep],
}

impl Telling<'_> {
    fn spot(&self, step: &TraceStep) -> StoryPlace {
        let line = self.places.of(step.span, &self.finding.files);
        StoryPlace { thread: number(step.thread), line, function: written(&step.function) }
    }

    fn told(&self, step: &TraceStep) -> Option<StoryMove> {
        let (mut facts, mut lost) = (Vec::new(), Vec::new());
        let what = match &step.event {
            TraceEvent::Wrong(_) => return None,
            TraceEvent::Start { child, name } => {
                StoryEvent::Create { child: number(*child), function: self.starts_in(*child, name) }
            }
            TraceEvent::Call { name, library: false, .. } => StoryEvent::Enter(written(name)),
            TraceEvent::Call { args, library: true, .. } => {
                let roots = args.iter().filter_map(|arg| arg.strip_prefix('&'));
                lost.extend(roots.map(|place| root(place).to_string()));
                StoryEvent::Plain
            }
            TraceEvent::Return { name, library: false, .. } => StoryEvent::Leave(written(name)),
            TraceEvent::Input { name, value } => match c_number(value) {
                Some(value) => StoryEvent::Input { function: written(name), value },
                None => StoryEvent::Plain,
            },
            TraceEvent::Write { place, value, .. } => {
                facts.extend(self.fact(place, value, true));
                StoryEvent::Plain
            }
            TraceEvent::Assign { name, value } => {
                facts.extend(self.fact(name, value, false));
                StoryEvent::Plain
            }
            _ => StoryEvent::Plain,
        };
        let atomic = step.event.access().is_some_and(|access| access.user_atomic);
        Some(StoryMove { spot: self.spot(step), what, facts, steps: 1, atomic, lost })
    }

    /// The user's function that a thread starts in, if it is known.
    fn starts_in(&self, child: Tid, name: &str) -> Option<String> {
        let users = |name: &String| self.finding.names.functions.contains(name);
        let first = || self.trace.iter().find(|s| s.thread == child).map(|s| written(&s.function));
        Some(written(name)).filter(users).or_else(|| first().filter(users))
    }

    fn fact(&self, place: &str, value: &str, global: bool) -> Option<Fact> {
        let is_root = |g: &String| g == root(place);
        let nameable = !global || self.finding.names.globals.iter().any(is_root);
        let place = written(place);
        let value = c_number(value).filter(|_| nameable && is_c_place(&place))?;
        Some(Fact { place, value, global })
    }
}

impl StoryMove {
    /// A thread that starts, or an input that is read, inside of a library function: the user's line
    /// is the one that its thread has come from.
    fn lift(&mut self, last: &mut FxHashMap<u32, StoryPlace>) {
        let thread = self.spot.thread;
        if self.spot.line.is_some() {
            last.insert(thread, self.spot.clone());
        } else if matches!(self.what, StoryEvent::Create { .. } | StoryEvent::Input { .. }) {
            self.spot = last.get(&thread).unwrap_or(&self.spot).clone();
        }
    }

    fn is_beside(&self, next: &StoryMove) -> bool {
        let (a, b) = (&self.spot, &next.spot);
        (a.thread, a.line, &a.function) == (b.thread, b.line, &b.function)
    }

    fn add(&mut self, next: StoryMove) {
        next.renew(&mut self.facts);
        self.lost.extend(next.lost);
    }

    /// What is known after it of what was known before.
    pub fn renew(&self, facts: &mut Vec<Fact>) {
        facts.retain(|f| !self.lost.iter().any(|lost| lost == root(&f.place)));
        facts.retain(|f| !self.facts.iter().any(|new| new.place == f.place));
        facts.extend(self.facts.iter().cloned());
    }
}

/// The variable that a place such as `s.a[1]` is a part of.
fn root(place: &str) -> &str {
    place.split(['.', '[', '+']).next().unwrap_or(place)
}

/// A name as the user wrote it.
fn written(name: &str) -> String {
    ir::names::decode(name).into_owned()
}

/// Witnesses count threads from 0.
fn number(thread: Tid) -> u32 {
    thread.0.saturating_sub(1)
}

/// `x`, `s.a[1]`: no blocks of the heap, no temporaries.
fn is_c_place(place: &str) -> bool {
    let starts = place.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts && place.chars().all(|c| c.is_ascii_alphanumeric() || "_.[]$".contains(c))
}

/// An integer as C writes it: the smallest one has no literal, the largest need a suffix.
pub fn c_number(value: &str) -> Option<String> {
    let number: i128 = value.parse().ok()?;
    match number {
        _ if number == i128::from(i64::MIN) => Some("(-9223372036854775807LL - 1)".into()),
        _ if i64::try_from(number).is_ok() => Some(number.to_string()),
        _ => u64::try_from(number).ok().map(|n| format!("{n}ULL")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_c() {
        assert_eq!(c_number("-5").as_deref(), Some("-5"));
        assert_eq!(c_number("18446744073709551615").as_deref(), Some("18446744073709551615ULL"));
        assert_eq!(
            c_number("-9223372036854775808").as_deref(),
            Some("(-9223372036854775807LL - 1)")
        );
        for other in ["&x", "NULL", "0x10", "1.5", "?", ""] {
            assert_eq!(c_number(other), None, "{other}");
        }
    }

    #[test]
    fn places_in_c() {
        assert!(is_c_place("s.a[1]"));
        for other in ["malloc@t.c:3", "malloc@t.c:3+4", "temporary@t.c:1", "an unknown object"] {
            assert!(!is_c_place(other), "{other}");
        }
    }
}
