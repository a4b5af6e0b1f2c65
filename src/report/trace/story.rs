//! What of an execution is worth telling, and in which words.
//!
//! Steps of one thread at one source line become a row with its effects. The story knows what every
//! thread has last seen of every place, so that it can say which read was surprised and which write
//! buried another one, and which locks a thread holds. Cost: linear in the steps.

use crate::contract::{TraceEvent, TraceStep};
use crate::report::locks::{self, LockUse};
use analysis::order::CHOICE;
use analysis::spurious::FAILURE;
use interp::{Access, ObjKey, Tid};
use ir::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// One line of the source, executed by one thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoryRow {
    pub thread: Tid,
    pub span: Span,
    /// Where the thread has begun.
    pub start: String,
    pub effects: Vec<Effect>,
    /// What the thread holds before.
    pub locks: Vec<String>,
    /// How often another thread has had its turn before.
    pub turn: usize,
    /// The rows that wrote what it reads.
    pub from: Vec<usize>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effect {
    pub text: String,
    pub weight: Weight,
}

/// How much an effect matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Weight {
    /// The source line says it already.
    Plain,
    /// What a thread finds in memory of its own.
    Private,
    /// Concerns one thread only.
    Local,
    /// Other threads take part, or the outside does.
    Shared,
    /// Something that the thread could not expect.
    Surprise,
    Wrong,
}

impl StoryRow {
    pub fn weight(&self) -> Weight {
        self.effects.iter().map(|e| e.weight).max().unwrap_or(Weight::Plain)
    }

    /// Does it start or join a thread?
    pub fn starts(&self) -> bool {
        let about = |e: &Effect| {
            e.text.starts_with("starts thread")
                || e.text.starts_with("thread ") && e.text.ends_with(" has ended")
        };
        self.effects.iter().any(about)
    }
}

/// Needs: a whole trace, in order.
pub fn rows(trace: &[TraceStep]) -> Vec<StoryRow> {
    let mut teller = Teller { contested: contested(trace), ..Teller::default() };
    let wrong = |step: &TraceStep| match &step.event {
        TraceEvent::Wrong(what) => Some(what.clone()),
        _ => None,
    };
    teller.wrong = trace.iter().filter_map(wrong).collect::<Vec<_>>().join("; ");
    let starts = starts(trace);
    let mut rows: Vec<StoryRow> = Vec::new();
    let mut row_of: Vec<usize> = Vec::with_capacity(trace.len());
    for (i, step) in trace.iter().enumerate() {
        let locks = teller.held(step.thread);
        let effect = teller.effect(trace, i);
        let continues = rows.last().is_some_and(|row| {
            row.thread == step.thread && same_line(row.span, step.span) && !has_waited(trace, i)
        });
        if !continues {
            let (thread, span) = (step.thread, step.span);
            let start = starts.get(&thread).unwrap_or(&step.function).clone();
            let turn = rows.last().map_or(0, |row| row.turn + usize::from(row.thread != thread));
            rows.push(StoryRow {
                thread,
                span,
                start,
                effects: Vec::new(),
                locks,
                turn,
                from: Vec::new(),
            });
        }
        row_of.push(rows.len() - 1);
        if let (Some(row), TraceEvent::Read { from: Some(w), .. }) = (rows.last_mut(), &step.event)
        {
            row.from.extend(row_of.get(*w));
        }
        if let (Some(row), Some(effect)) = (rows.last_mut(), effect) {
            if let TraceEvent::Assign { name, .. } = &step.event {
                forget(row, name);
            }
            row.effects.push(effect);
        }
    }
    rows
}

/// The functions that threads run; of the first one, that in which something happens last.
fn starts(trace: &[TraceStep]) -> FxHashMap<Tid, String> {
    let mut starts = FxHashMap::default();
    for step in trace {
        if step.thread == Tid::FIRST {
            starts.insert(step.thread, step.function.clone());
        }
        if let TraceEvent::Start { child, name } = &step.event {
            starts.insert(*child, name.clone());
        }
    }
    let main = |step: &TraceStep| step.thread == Tid::FIRST && step.function == "main";
    if trace.iter().any(main) {
        starts.insert(Tid::FIRST, "main".into());
    }
    starts
}

/// Only the last value that a line gives to a variable is told.
fn forget(row: &mut StoryRow, variable: &str) {
    let old = |e: &Effect| {
        let rest = e.text.strip_prefix(variable).filter(|_| e.weight == Weight::Local);
        rest.is_some_and(|rest| rest.starts_with(" = "))
    };
    row.effects.retain(|effect| !old(effect));
}

fn same_line(a: Span, b: Span) -> bool {
    (a.file, a.line) == (b.file, b.line)
}

/// Did another thread run since the step before?
fn has_waited(trace: &[TraceStep], i: usize) -> bool {
    i > 0 && trace[i - 1].thread != trace[i].thread
}

/// What at least two threads touch once there are two, and one of them writes: not what the first
/// thread has prepared for the others.
fn contested(trace: &[TraceStep]) -> FxHashSet<StoryCell> {
    let mut first: FxHashMap<StoryCell, (Tid, bool, &str)> = FxHashMap::default();
    let mut contested = FxHashSet::default();
    let starts = |step: &TraceStep| matches!(step.event, TraceEvent::Start { .. });
    let begin = trace.iter().position(starts).unwrap_or(0);
    for step in &trace[begin..] {
        let Some(access) = step.event.access() else { continue };
        let cell = (access.object, access.offset);
        let name = object_of(&step.event);
        let (thread, written, of) = first.entry(cell).or_insert((step.thread, access.write, name));
        // Another object in the place of one that has ended.
        if *of != name {
            (*thread, *written, *of) = (step.thread, access.write, name);
        }
        let conflicts = *thread != step.thread && (*written || access.write);
        *written |= access.write;
        if conflicts {
            contested.insert(cell);
        }
    }
    contested
}

/// `a` of `a[2].next`, `node#1` of `node#1->next`.
fn object_of(event: &TraceEvent) -> &str {
    let (TraceEvent::Read { place, .. } | TraceEvent::Write { place, .. }) = event else {
        return "";
    };
    let place = place.trim_start_matches('*');
    place.split(['.', '[', '-', '+', ' ']).next().unwrap_or(place)
}

type StoryCell = (ObjKey, u64);

/// Objects without a name, such as compound literals: what they hold is soon in another one.
const UNNAMED: &str = "temporary@";

/// Members that only the C library knows.
const INTERNAL: &str = ".__";

/// How a thread that is blocked is told (`contract::confirm`).
const WAITS: &str = "waits here for ever";

#[derive(Clone)]
struct LastWrite {
    thread: Tid,
    value: String,
}

#[derive(Default)]
struct Teller {
    contested: FxHashSet<StoryCell>,
    /// All that goes wrong, in words.
    wrong: String,
    /// Calls of library functions that have not come back, with their arguments.
    inside: FxHashMap<Tid, (String, Vec<String>)>,
    /// What a thread believes: value and line.
    known: FxHashMap<(Tid, StoryCell), (String, u32)>,
    now: FxHashMap<StoryCell, LastWrite>,
    /// Calls that take a lock, until they return.
    taking: FxHashMap<Tid, String>,
    locks: FxHashMap<Tid, Vec<String>>,
}

impl Teller {
    fn held(&self, thread: Tid) -> Vec<String> {
        self.locks.get(&thread).cloned().unwrap_or_default()
    }

    fn effect(&mut self, trace: &[TraceStep], i: usize) -> Option<Effect> {
        let step = &trace[i];
        let (weight, text) = match &step.event {
            TraceEvent::Read { place, value, access, from } => {
                self.read(trace, step, (place, value), access.as_ref(), *from)
            }
            TraceEvent::Write { place, value, access } => {
                self.write(step, (place, value), access.as_ref())
            }
            TraceEvent::Call { name, args, library: true } => {
                return self.library_call(step, name, args);
            }
            TraceEvent::Return { name, value, library: true } => {
                return self.library_return(step, name, value.as_deref());
            }
            TraceEvent::Assign { .. } | TraceEvent::Call { .. } | TraceEvent::Return { .. } => {
                (Weight::Local, step.event.to_string())
            }
            TraceEvent::Start { child, name } if name.is_empty() => {
                (Weight::Shared, format!("starts thread {}", child.0))
            }
            TraceEvent::Start { child, name } => {
                (Weight::Shared, format!("starts thread {} ({name})", child.0))
            }
            TraceEvent::Join { child } => (Weight::Shared, format!("thread {} has ended", child.0)),
            TraceEvent::End { .. } => (Weight::Local, "ends".to_string()),
            TraceEvent::Input { name, value } if name == FAILURE => {
                let fails = if value == "0" { "does not fail" } else { "fails for no reason" };
                (Weight::Shared, fails.to_string())
            }
            TraceEvent::Input { name, value } if name == CHOICE => {
                let side = if value == "0" { "left" } else { "right" };
                (Weight::Shared, format!("the {side} operand comes first"))
            }
            TraceEvent::Input { name, value } => {
                (Weight::Shared, format!("input {value} from {name}()"))
            }
            TraceEvent::Free { name } => {
                let blamed = self.wrong.contains(name.as_str());
                (if blamed { Weight::Surprise } else { Weight::Local }, step.event.to_string())
            }
            TraceEvent::Wrong(what) => (Weight::Wrong, self.waits_for(step.thread, what)),
        };
        Some(Effect { text, weight })
    }

    fn read(
        &mut self,
        trace: &[TraceStep],
        step: &TraceStep,
        (place, value): (&str, &str),
        access: Option<&Access>,
        from: Option<usize>,
    ) -> (Weight, String) {
        let plain = format!("{place} == {value}");
        let Some(cell) = access.and_then(|a| self.cell(a)) else {
            let weight = match access {
                Some(_) if place.starts_with(UNNAMED) => Weight::Plain,
                Some(_) => Weight::Private,
                None => Weight::Shared,
            };
            return (weight, plain);
        };
        let before = self.known.insert((step.thread, cell), (value.into(), step.span.line));
        let writer = from.map(|w| &trace[w]).filter(|w| w.thread != step.thread);
        let changed = before.filter(|(old, _)| old != value);
        let source = writer.map(|w| format!("thread {}, line {}", w.thread.0, w.span.line));
        match (source, changed) {
            (None, None) => (Weight::Shared, plain),
            (Some(source), None) => (Weight::Shared, format!("{plain} ({source})")),
            (source, Some((old, line))) => {
                let source = source.map_or(String::new(), |s| format!("{s}; "));
                (Weight::Surprise, format!("{plain} ({source}was {old} at line {line})"))
            }
        }
    }

    fn write(
        &mut self,
        step: &TraceStep,
        (place, value): (&str, &str),
        access: Option<&Access>,
    ) -> (Weight, String) {
        let plain = format!("{place} = {value}");
        if place.contains(INTERNAL) {
            return (Weight::Plain, plain);
        }
        let Some(cell) = access.and_then(|a| self.cell(a)) else {
            let weight = match access {
                Some(_) if place.starts_with(UNNAMED) => Weight::Plain,
                Some(_) => Weight::Local,
                None => Weight::Shared,
            };
            return (weight, plain);
        };
        let key = (step.thread, cell);
        let believed = self.known.insert(key, (value.into(), step.span.line));
        let written = LastWrite { thread: step.thread, value: value.into() };
        let buried = self.now.insert(cell, written).filter(|w| {
            w.thread != step.thread && believed.as_ref().is_some_and(|(old, _)| *old != w.value)
        });
        match buried {
            None => (Weight::Shared, plain),
            Some(w) => (
                Weight::Surprise,
                format!("{plain} (overwrites thread {}'s {})", w.thread.0, w.value),
            ),
        }
    }

    fn cell(&self, access: &Access) -> Option<StoryCell> {
        let cell = (access.object, access.offset);
        self.contested.contains(&cell).then_some(cell)
    }

    fn library_call(&mut self, step: &TraceStep, name: &str, args: &[String]) -> Option<Effect> {
        match locks::of_call(name, args) {
            Some(LockUse::Acquire { lock, is_lock: true }) => {
                self.taking.insert(step.thread, lock);
            }
            Some(LockUse::Release(lock)) => self.release(step.thread, &lock),
            Some(LockUse::Wait { lock }) => {
                self.release(step.thread, &lock);
                self.taking.insert(step.thread, lock);
            }
            _ => {}
        }
        let told = self.wake_up(step.thread, name, args);
        self.inside.insert(step.thread, (name.into(), args.to_vec()));
        let plain = || Effect { text: step.event.to_string(), weight: Weight::Plain };
        Some(told.unwrap_or_else(plain))
    }

    /// Waiting for a condition and signals, where somebody waits for ever.
    fn wake_up(&self, thread: Tid, name: &str, args: &[String]) -> Option<Effect> {
        if !self.wrong.contains(WAITS) {
            return None;
        }
        let condition = args.first()?.trim_start_matches('&');
        if locks::waits_for_condition(name) {
            let text = format!("begins to wait for {condition}");
            return Some(Effect { text, weight: Weight::Shared });
        }
        if !locks::signals(name) {
            return None;
        }
        let waits = |(name, waited): &(String, Vec<String>)| {
            locks::waits_for_condition(name) && waited.first() == args.first()
        };
        let mut waiting: Vec<u32> =
            self.inside.iter().filter(|(_, call)| waits(call)).map(|(t, _)| t.0).collect();
        waiting.retain(|t| *t != thread.0);
        waiting.sort_unstable();
        let text = match waiting.as_slice() {
            [] => format!("signals {condition}, for which no thread waits"),
            [one] => format!("signals {condition}, for which thread {one} waits"),
            _ => format!("signals {condition}"),
        };
        let weight = if waiting.is_empty() { Weight::Surprise } else { Weight::Shared };
        Some(Effect { text, weight })
    }

    /// Where a thread waits for ever: for what, and who has it.
    fn waits_for(&self, thread: Tid, what: &str) -> String {
        let Some((name, args)) = self.inside.get(&thread).filter(|_| what == WAITS) else {
            return what.into();
        };
        let first = args.first().map_or("", |arg| arg.trim_start_matches('&'));
        if locks::waits_for_condition(name) {
            return format!("waits for ever for a signal of {first}");
        }
        if locks::joins(name) {
            return format!("waits for ever for the end of thread {first}");
        }
        match locks::of_call(name, args) {
            Some(LockUse::Acquire { lock, .. }) => {
                let holds = |(t, held): (&Tid, &Vec<String>)| held.contains(&lock).then_some(*t);
                match self.locks.iter().find_map(holds) {
                    Some(owner) if owner == thread => {
                        format!("waits for ever for {lock}, which it holds itself")
                    }
                    Some(Tid(owner)) => {
                        format!("waits for ever for {lock}, which thread {owner} holds")
                    }
                    None => format!("waits for ever for {lock}"),
                }
            }
            _ => format!("waits for ever in {name}"),
        }
    }

    /// Once: a recursive lock may be held several times.
    fn release(&mut self, thread: Tid, lock: &str) {
        let held = self.locks.entry(thread).or_default();
        held.iter().rposition(|l| l == lock).map(|at| held.remove(at));
    }

    fn library_return(
        &mut self,
        step: &TraceStep,
        name: &str,
        value: Option<&str>,
    ) -> Option<Effect> {
        self.inside.remove(&step.thread);
        let taken = self.taking.remove(&step.thread)?;
        // A wait that times out has the lock again, too.
        let fails = value.is_some_and(|v| v != "0") && !name.contains("wait");
        if fails {
            let text = format!("{taken} is not taken: {name} returns {}", value.unwrap_or("?"));
            return Some(Effect { text, weight: Weight::Shared });
        }
        let text = format!("takes {taken}");
        self.locks.entry(step.thread).or_default().push(taken);
        Some(Effect { text, weight: Weight::Shared })
    }
}
