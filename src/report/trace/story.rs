//! What of an execution is worth telling, and in which words.
//!
//! Steps of one thread at one source line become a row with its effects. The story knows what every
//! thread has last seen of every place, so that it can say which read was surprised and which write
//! buried another one, and which locks a thread holds. Cost: linear in the steps.

use crate::contract::{TraceEvent, TraceStep};
use crate::report::locks::{self, Use};
use analysis::order::CHOICE;
use analysis::spurious::FAILURE;
use interp::{Access, ObjKey, Tid};
use ir::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// One line of the source, executed by one thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    pub thread: Tid,
    pub span: Span,
    /// Where the thread has begun.
    pub start: String,
    pub effects: Vec<Effect>,
    /// What the thread holds before.
    pub locks: Vec<String>,
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

impl Row {
    pub fn weight(&self) -> Weight {
        self.effects.iter().map(|e| e.weight).max().unwrap_or(Weight::Plain)
    }
}

/// Needs: a whole trace, in order.
pub fn rows(trace: &[TraceStep]) -> Vec<Row> {
    let mut teller = Teller { shared: shared(trace), ..Teller::default() };
    let starts = starts(trace);
    let mut rows: Vec<Row> = Vec::new();
    for (i, step) in trace.iter().enumerate() {
        let locks = teller.held(step.thread);
        let effect = teller.effect(trace, i);
        let continues = rows.last().is_some_and(|row| {
            row.thread == step.thread && same_line(row.span, step.span) && !has_waited(trace, i)
        });
        if !continues {
            let (thread, span) = (step.thread, step.span);
            let start = starts.get(&thread).unwrap_or(&step.function).clone();
            rows.push(Row { thread, span, start, effects: Vec::new(), locks });
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
fn forget(row: &mut Row, variable: &str) {
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

/// What at least two threads touch.
fn shared(trace: &[TraceStep]) -> FxHashSet<ObjKey> {
    let mut first: FxHashMap<ObjKey, Tid> = FxHashMap::default();
    let mut shared = FxHashSet::default();
    for step in trace {
        if let Some(access) = step.event.access() {
            if *first.entry(access.object).or_insert(step.thread) != step.thread {
                shared.insert(access.object);
            }
        }
    }
    shared
}

type Cell = (ObjKey, u64);

#[derive(Clone)]
struct Written {
    thread: Tid,
    value: String,
}

#[derive(Default)]
struct Teller {
    shared: FxHashSet<ObjKey>,
    /// What a thread believes: value and line.
    known: FxHashMap<(Tid, Cell), (String, u32)>,
    now: FxHashMap<Cell, Written>,
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
            TraceEvent::Wrong(what) => (Weight::Wrong, what.clone()),
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
            let weight = if access.is_some() { Weight::Private } else { Weight::Shared };
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
        let Some(cell) = access.and_then(|a| self.cell(a)) else {
            let weight = if access.is_some() { Weight::Local } else { Weight::Shared };
            return (weight, plain);
        };
        let key = (step.thread, cell);
        let believed = self.known.insert(key, (value.into(), step.span.line));
        let written = Written { thread: step.thread, value: value.into() };
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

    fn cell(&self, access: &Access) -> Option<Cell> {
        self.shared.contains(&access.object).then_some((access.object, access.offset))
    }

    fn library_call(&mut self, step: &TraceStep, name: &str, args: &[String]) -> Option<Effect> {
        match locks::of_call(name, args) {
            Some(Use::Acquire { lock, is_lock: true }) => {
                self.taking.insert(step.thread, lock);
            }
            Some(Use::Release(lock)) => self.release(step.thread, &lock),
            Some(Use::Wait { lock }) => {
                self.release(step.thread, &lock);
                self.taking.insert(step.thread, lock);
            }
            _ => {}
        }
        let text = step.event.to_string();
        Some(Effect { text, weight: Weight::Plain })
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
