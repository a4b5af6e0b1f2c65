//! An execution as a picture needs it: lanes, events in order, and edges between them.
//!
//! A trace tells more than a picture can bear, and a library call at its beginning. Here a call that
//! waits (a lock, a join) stands where it takes effect, so that reading from top to bottom is reading
//! in the order of time; who starts or joins a thread does only that.
//!
//! Invariant: an edge goes from an earlier event to a later one, except under `--mm wsc` and in `weak.rs`,
//! where there may be no such order. Writers (`dot`, `svg`, `html`) read this and know nothing of traces.

use super::lanes::Lanes;
use super::locks::Held;
use super::order::ByteHistory;
use super::protect;
use crate::contract::{TraceEvent, TraceStep};
use crate::report::locks::{self, LockUse};
use crate::report::order_name;
use interp::{Access, Tid};
use rustc_hash::FxHashMap;
use serde::Serialize;

#[derive(Clone, Default, PartialEq, Debug, Serialize)]
pub struct EventGraph {
    pub lanes: Vec<Lane>,
    pub events: Vec<GraphEvent>,
    pub edges: Vec<GraphEdge>,
    pub variables: Vec<Variable>,
    /// Names of locks and semaphores; `GraphEvent::held` points here.
    pub locks: Vec<String>,
}

/// A thread.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Lane {
    pub thread: u32,
    /// The function it starts in.
    pub function: String,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GraphEvent {
    pub lane: usize,
    /// Of the program's files.
    pub file: usize,
    /// 0 if it has no place.
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub kind: EventKind,
    /// A few words: `counter = 1`.
    pub label: String,
    /// The sentence of the trace.
    pub text: String,
    /// What it reads or sets, and the value.
    pub variable: Option<usize>,
    pub value: Option<String>,
    /// The memory order of an atomic access.
    pub order: Option<&'static str>,
    /// Locks that the thread holds, this event included.
    pub held: Vec<usize>,
}

impl GraphEvent {
    /// The label where nothing else tells reads from writes.
    pub fn short(&self) -> String {
        match self.kind {
            EventKind::Read => format!("R {}", self.label),
            EventKind::Write => format!("W {}", self.label),
            _ => self.label.clone(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    Read,
    Write,
    /// Of a variable that no other thread can see.
    Assign,
    Call,
    Return,
    Lock,
    Unlock,
    Start,
    Join,
    End,
    Input,
    Wrong,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Variable {
    pub name: String,
    /// The lane of a local variable; none for memory.
    pub lane: Option<usize>,
    /// Do several threads access it?
    pub shared: bool,
    /// Before anybody writes it, if somebody reads that.
    pub initial: Option<String>,
    /// What orders the accesses of different threads to it, in words.
    pub protection: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct GraphEdge {
    pub kind: EdgeKind,
    pub from: usize,
    pub to: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EdgeKind {
    /// Program order: the next event of the same thread.
    Po,
    /// A read and the write that it takes its value from.
    Rf,
    /// Write serialization: the next write of the same place.
    Ws,
    /// From-read: a read and the write that overwrites what it saw.
    Fr,
    /// From the start of a thread to its first event.
    Create,
    /// From the end of a thread to who joins it.
    Join,
    /// From who releases a lock to who takes it next.
    Lock,
}

impl EdgeKind {
    pub const ALL: [EdgeKind; 7] = [
        EdgeKind::Po,
        EdgeKind::Rf,
        EdgeKind::Ws,
        EdgeKind::Fr,
        EdgeKind::Create,
        EdgeKind::Join,
        EdgeKind::Lock,
    ];

    pub fn name(self) -> &'static str {
        match self {
            EdgeKind::Po => "po",
            EdgeKind::Rf => "rf",
            EdgeKind::Ws => "ws",
            EdgeKind::Fr => "fr",
            EdgeKind::Create => "create",
            EdgeKind::Join => "join",
            EdgeKind::Lock => "lock",
        }
    }
}

impl EventGraph {
    /// Needs: `entry` is the function of the first thread.
    pub fn of_trace(trace: &[TraceStep], entry: &str) -> EventGraph {
        let mut builder = GraphBuilder::new(trace, entry);
        for (i, step) in trace.iter().enumerate() {
            builder.step(i, step);
        }
        let mut graph = builder.finish();
        protect::describe(&mut graph);
        graph
    }

    /// Events that say what is wrong.
    pub fn failing(&self) -> impl Iterator<Item = usize> + '_ {
        let wrong = |(i, e): (usize, &GraphEvent)| (e.kind == EventKind::Wrong).then_some(i);
        self.events.iter().enumerate().filter_map(wrong)
    }

    /// Does it say more than program order does?
    pub fn crosses(&self, edge: &GraphEdge) -> bool {
        self.events[edge.from].lane != self.events[edge.to].lane
    }
}

/// What has happened so far.
struct GraphBuilder<'t> {
    trace: &'t [TraceStep],
    calls: LibraryCalls,
    graph: EventGraph,
    lanes: Lanes,
    memory: ByteHistory,
    held: Held,
    /// By name and lane (of locals).
    variables: FxHashMap<(String, Option<usize>), usize>,
    /// The event of each step of the trace.
    events: Vec<Option<usize>>,
}

impl<'t> GraphBuilder<'t> {
    fn new(trace: &'t [TraceStep], entry: &str) -> GraphBuilder<'t> {
        GraphBuilder {
            trace,
            calls: LibraryCalls::of(trace),
            graph: EventGraph::default(),
            lanes: Lanes::new(entry),
            memory: ByteHistory::default(),
            held: Held::default(),
            variables: FxHashMap::default(),
            events: vec![None; trace.len()],
        }
    }

    fn step(&mut self, i: usize, step: &TraceStep) {
        match &step.event {
            TraceEvent::Call { name, args, library: true } => self.call(i, step, name, args),
            TraceEvent::Return { name, value, library: true } => {
                self.returned(i, step, name, value.as_deref())
            }
            TraceEvent::Read { place, value, access, from } => {
                let event = self.access(i, step, place, value, access.as_ref());
                self.read(event, access.as_ref(), from.and_then(|f| self.events[f]), value);
            }
            TraceEvent::Write { place, value, access } => {
                let event = self.access(i, step, place, value, access.as_ref());
                if let Some(access) = access {
                    let found = self.memory.write(event, access);
                    self.add_all(found);
                }
            }
            told => self.other(i, step, told),
        }
    }

    /// Steps without memory and locks.
    fn other(&mut self, i: usize, step: &TraceStep, told: &TraceEvent) {
        let text = told.to_string();
        match told {
            TraceEvent::Assign { name, value } => {
                let event = self.push(i, step, EventKind::Assign, text);
                let lane = self.graph.events[event].lane;
                let variable = self.variable(name, Some(lane));
                let event = &mut self.graph.events[event];
                (event.variable, event.value) = (Some(variable), Some(value.clone()));
            }
            TraceEvent::Start { child, name } => {
                let event = self.push(i, step, EventKind::Start, text);
                self.graph.events[event].label = format!("start {} {name}", child.0);
                self.lanes.started(*child, name, event);
            }
            TraceEvent::Join { child } => {
                let event = self.push(i, step, EventKind::Join, text);
                self.graph.events[event].label = format!("join {}", child.0);
                if let Some(end) = self.lanes.last_event(*child) {
                    self.add(EdgeKind::Join, end, event);
                }
            }
            TraceEvent::End { thread, .. } => {
                let event = self.push(i, step, EventKind::End, text);
                self.graph.events[event].label = format!("thread {} ends", thread.0);
            }
            TraceEvent::Call { name, args, .. } => {
                let event = self.push(i, step, EventKind::Call, text);
                self.graph.events[event].label = format!("{name}({})", args.join(", "));
            }
            TraceEvent::Return { .. } => drop(self.push(i, step, EventKind::Return, text)),
            TraceEvent::Input { name, value } => {
                let event = self.push(i, step, EventKind::Input, text);
                self.graph.events[event].label = format!("{name}() = {value}");
                self.graph.events[event].value = Some(value.clone());
            }
            TraceEvent::Wrong(_) => drop(self.push(i, step, EventKind::Wrong, text)),
            // Its call is told.
            TraceEvent::Free { .. } => {}
            TraceEvent::Read { .. } | TraceEvent::Write { .. } => {}
        }
    }

    /// The beginning of a library call: told here unless it takes effect later.
    fn call(&mut self, i: usize, step: &TraceStep, name: &str, args: &[String]) {
        if self.calls.hidden[i] {
            return;
        }
        let label = call_label(name, args);
        let used = locks::of_call(name, args);
        let returns = self.calls.end[i].is_some();
        let kind = match &used {
            Some(LockUse::Acquire { .. }) if returns => return,
            Some(LockUse::Release(_) | LockUse::Wait { .. }) => EventKind::Unlock,
            _ => EventKind::Call,
        };
        if let Some(LockUse::Release(lock) | LockUse::Wait { lock }) = &used {
            self.held.release(step.thread, lock);
        }
        let event = self.push(i, step, kind, step.event.to_string());
        self.graph.events[event].label = label;
        if let Some(LockUse::Release(lock) | LockUse::Wait { lock }) = used {
            self.held.released(&lock, event);
        }
    }

    /// The end of a library call: told if that is when it takes effect.
    fn returned(&mut self, i: usize, step: &TraceStep, name: &str, value: Option<&str>) {
        let Some(begun) = self.calls.begin[i] else { return };
        let TraceEvent::Call { args, .. } = &self.trace[begun].event else { return };
        let (lock, is_lock) = match locks::of_call(name, args) {
            Some(LockUse::Acquire { lock, is_lock }) => (lock, is_lock),
            Some(LockUse::Wait { lock }) => (lock, true),
            _ => return,
        };
        let got = value.is_none_or(|v| v == "0");
        if got && is_lock {
            self.held.acquire(step.thread, &lock);
        }
        let end = if got { "succeeds".into() } else { format!("gives {}", value.unwrap_or("?")) };
        let text = format!("{name}({}) {end}", args.join(", "));
        let call = call_label(name, args);
        let label = if got { call } else { format!("{call} {end}") };
        let place = TraceStep { span: self.trace[begun].span, ..step.clone() };
        let kind = if got { EventKind::Lock } else { EventKind::Call };
        let event = self.push(i, &place, kind, text);
        self.graph.events[event].label = label;
        if let Some(release) = self.held.last_release(&lock).filter(|_| got) {
            if self.graph.events[release].lane != self.graph.events[event].lane {
                self.add(EdgeKind::Lock, release, event);
            }
        }
    }

    fn access(
        &mut self,
        i: usize,
        step: &TraceStep,
        place: &str,
        value: &str,
        access: Option<&Access>,
    ) -> usize {
        let write = matches!(step.event, TraceEvent::Write { .. });
        let kind = if write { EventKind::Write } else { EventKind::Read };
        let event = self.push(i, step, kind, step.event.to_string());
        let variable = self.variable(place, None);
        let atomic = access.filter(|a| a.atomic());
        let event_ = &mut self.graph.events[event];
        event_.label = format!("{place} = {value}");
        (event_.variable, event_.value) = (Some(variable), Some(value.to_string()));
        event_.order = atomic.map(|a| order_name(a.effective_order()));
        event
    }

    fn read(&mut self, event: usize, access: Option<&Access>, source: Option<usize>, value: &str) {
        if let Some(source) = source {
            self.add(EdgeKind::Rf, source, event);
        } else if let Some(variable) = self.graph.events[event].variable {
            self.graph.variables[variable].initial.get_or_insert_with(|| value.to_string());
        }
        if let Some(access) = access {
            self.memory.read(event, access);
        }
    }

    /// An event at the end of its lane.
    fn push(&mut self, i: usize, step: &TraceStep, kind: EventKind, text: String) -> usize {
        let event = self.graph.events.len();
        let (lane, before) = self.lanes.push(step.thread, event);
        self.graph.events.push(GraphEvent {
            lane,
            file: step.span.file.index(),
            line: step.span.line,
            column: step.span.column,
            function: step.function.clone(),
            kind,
            label: text.clone(),
            text,
            variable: None,
            value: None,
            order: None,
            held: self.held.of(step.thread),
        });
        self.events[i] = Some(event);
        if let Some((kind, from)) = before {
            self.add(kind, from, event);
        }
        event
    }

    fn variable(&mut self, name: &str, lane: Option<usize>) -> usize {
        let next = self.graph.variables.len();
        let index = *self.variables.entry((name.to_string(), lane)).or_insert(next);
        if index == next {
            let (initial, protection) = Default::default();
            let name = name.to_string();
            self.graph.variables.push(Variable { name, lane, shared: false, initial, protection });
        }
        index
    }

    fn add(&mut self, kind: EdgeKind, from: usize, to: usize) {
        self.graph.edges.push(GraphEdge { kind, from, to });
    }

    fn add_all(&mut self, edges: Vec<GraphEdge>) {
        self.graph.edges.extend(edges);
    }

    fn finish(self) -> EventGraph {
        let mut graph = self.graph;
        graph.lanes = self.lanes.finish();
        graph.locks = self.held.names();
        for v in 0..graph.variables.len() {
            let mut lanes = graph.events.iter().filter(|e| e.variable == Some(v)).map(|e| e.lane);
            let first = lanes.next();
            graph.variables[v].shared = lanes.any(|lane| Some(lane) != first);
        }
        graph
    }
}

/// Boxes are narrow, and everybody knows whose function it is.
fn call_label(name: &str, args: &[String]) -> String {
    format!("{}({})", name.trim_start_matches("pthread_"), args.join(", "))
}

/// Where library calls begin and end, by step of the trace.
struct LibraryCalls {
    end: Vec<Option<usize>>,
    begin: Vec<Option<usize>>,
    /// Calls that only start or join a thread, which is told by itself.
    hidden: Vec<bool>,
}

impl LibraryCalls {
    fn of(trace: &[TraceStep]) -> LibraryCalls {
        let n = trace.len();
        let mut calls =
            LibraryCalls { end: vec![None; n], begin: vec![None; n], hidden: vec![false; n] };
        let mut open: FxHashMap<Tid, usize> = FxHashMap::default();
        for (i, step) in trace.iter().enumerate() {
            match &step.event {
                TraceEvent::Call { library: true, .. } => drop(open.insert(step.thread, i)),
                TraceEvent::Return { library: true, .. } => {
                    calls.begin[i] = open.remove(&step.thread);
                    calls.begin[i].iter().for_each(|&begin| calls.end[begin] = Some(i));
                }
                TraceEvent::Start { .. } | TraceEvent::Join { .. } => {
                    open.get(&step.thread).iter().for_each(|&&call| calls.hidden[call] = true);
                }
                _ => {}
            }
        }
        calls
    }
}
