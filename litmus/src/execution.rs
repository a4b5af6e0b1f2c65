//! The events of all threads together, as a graph without rf and co.
//!
//! Events are numbered: initial writes first, then thread by thread in program order; events of
//! registers, where the model wants them, come behind all others. Runs that differ in values only have
//! the same skeleton, so whatever a model derives from it is computed once.

use crate::domain::Memory;
use crate::ir::{Arch, Reg, Test};
use crate::trace::{ActionKind, Effect, Port, RegisterAction, RegisterEvent, Trace};
use crate::value::{Location, Value};
use cat::Graph;

/// The accesses of one place.
#[derive(Clone, Debug)]
pub struct LocationAccesses {
    pub location: Location,
    /// The initial write first.
    pub writes: Vec<usize>,
    pub reads: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct Skeleton {
    pub events: usize,
    pub places: Vec<LocationAccesses>,
    /// The first event of each thread; one more entry at the end.
    pub starts: Vec<usize>,
    /// Of each event, its thread.
    pub thread: Vec<Option<usize>>,
    /// The events behind those of memory.
    registers: Vec<RegisterEvent>,
    /// What reads the initial write has no source: a topic has no message at first.
    pub starts_empty: bool,
    pub graph: Graph,
}

/// Needs: one run for each thread.
pub fn skeleton(test: &Test, traces: &[&Trace]) -> Skeleton {
    let mut locations: Vec<Location> = traces
        .iter()
        .flat_map(|t| &t.shapes)
        .filter(|s| s.kind != ActionKind::Fence)
        .filter_map(|s| s.location)
        .collect();
    locations.sort_unstable();
    locations.dedup();
    let mut starts = vec![locations.len()];
    for trace in traces {
        starts.push(starts[starts.len() - 1] + trace.shapes.len());
    }
    let memory_events = starts[starts.len() - 1];
    let mut thread = vec![None; memory_events];
    for (t, window) in starts.windows(2).enumerate() {
        thread[window[0]..window[1]].fill(Some(t));
    }
    let mut registers = Vec::new();
    for (t, trace) in traces.iter().enumerate() {
        registers.extend(&trace.effects.events);
        thread.resize(memory_events + registers.len(), Some(t));
    }
    let events = thread.len();
    let places = locations.iter().enumerate().map(|(i, &location)| LocationAccesses {
        location,
        writes: vec![i],
        reads: Vec::new(),
    });
    let (places, starts_empty) = (places.collect(), test.arch == Arch::Msg);
    let graph = Graph::new(events);
    let mut skeleton = Skeleton { events, places, starts, thread, registers, starts_empty, graph };
    skeleton.initial_writes(test);
    for (t, trace) in traces.iter().enumerate() {
        skeleton.add(t, trace);
    }
    skeleton.relations(traces);
    if !skeleton.registers.is_empty() {
        skeleton.register_effects(traces);
    }
    skeleton
}

impl Skeleton {
    fn initial_writes(&mut self, test: &Test) {
        for (event, place) in self.places.iter().enumerate() {
            for set in ["M", "W", "IW", "Exp"] {
                self.graph.mark(event, set);
            }
            if test.arch == Arch::C {
                let atomic = test.symbols[place.location.symbol as usize].atomic;
                if atomic == Some(false) {
                    self.graph.mark(event, "NAL");
                }
                self.graph.mark(event, "NA");
            }
        }
    }

    fn add(&mut self, t: usize, trace: &Trace) {
        let start = self.starts[t];
        for (i, shape) in trace.shapes.iter().enumerate() {
            let event = start + i;
            let sets: &[&str] = match shape.kind {
                ActionKind::Read => &["M", "R", "Exp"],
                ActionKind::Write => &["M", "W", "Exp"],
                ActionKind::Fence => &["F"],
            };
            sets.iter().for_each(|set| self.graph.mark(event, set));
            shape.tags.iter().for_each(|tag| self.graph.mark(event, tag));
            for (name, deps) in [("addr", shape.addr), ("data", shape.data), ("ctrl", shape.ctrl)] {
                for from in (0..64).filter(|from| deps >> from & 1 == 1) {
                    self.graph.relate(name, start + from, event);
                }
            }
            if shape.kind == ActionKind::Fence {
                continue;
            }
            let place = self.places.iter_mut().find(|p| Some(p.location) == shape.location);
            match (place, shape.kind) {
                (Some(place), ActionKind::Write) => place.writes.push(event),
                (Some(place), _) => place.reads.push(event),
                (None, _) => {}
            }
        }
        for (name, pairs) in [("amo", &trace.amo), ("lxsx", &trace.lxsx)] {
            for &(read, write) in pairs {
                self.graph.relate(name, start + read, start + write);
                // A lock is no read-modify-write for the kernel's model.
                if !trace.shapes[read].tags.contains(&"LKR") {
                    [read, write].iter().for_each(|e| self.graph.mark(start + e, "RMW"));
                }
            }
        }
    }

    fn relations(&mut self, traces: &[&Trace]) {
        let shape = |event: usize| {
            let t = self.thread[event]?;
            traces[t].shapes.get(event - self.starts[t])
        };
        let location = |event: usize| match shape(event) {
            Some(shape) => shape.location,
            None => self.places.get(event).map(|place| place.location),
        };
        let mut graph = std::mem::take(&mut self.graph);
        for a in 0..self.events {
            for b in 0..self.events {
                let same_thread = self.thread[a].is_some() && self.thread[a] == self.thread[b];
                let internal = same_thread || a == b;
                graph.relate(if internal { "int" } else { "ext" }, a, b);
                if same_thread && self.in_program_order(traces, a, b) {
                    graph.relate("po", a, b);
                }
                if location(a).is_some() && location(a) == location(b) {
                    graph.relate("loc", a, b);
                }
                // The parts of one access; the two halves of a read-modify-write are two accesses.
                let access = |e: usize| shape(e).map(|s| (s.instruction, s.kind));
                let part = same_thread && access(a).is_some() && access(a) == access(b);
                if a == b || part {
                    graph.relate("si", a, b);
                }
            }
        }
        for window in self.starts.windows(2) {
            rcu_sections(&mut graph, window[0]..window[1]);
        }
        self.graph = graph;
    }

    /// Events of one instruction are in program order unless models look into instructions.
    fn in_program_order(&self, traces: &[&Trace], a: usize, b: usize) -> bool {
        match self.registers.is_empty() {
            true => a < b,
            false => self.instruction(traces, a) < self.instruction(traces, b),
        }
    }

    fn instruction(&self, traces: &[&Trace], event: usize) -> Option<usize> {
        let t = self.thread[event]?;
        let shape = traces[t].shapes.get(event - self.starts[t]);
        let step = shape.map_or_else(|| self.register(event).instruction, |s| s.instruction);
        Some(traces[t].instance(step))
    }

    fn register(&self, event: usize) -> RegisterEvent {
        self.registers[event - self.memory_events()]
    }

    fn memory_events(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// What instructions do with registers, and what comes from what within one.
    fn register_effects(&mut self, traces: &[&Trace]) {
        let mut graph = std::mem::take(&mut self.graph);
        let mut first = self.memory_events();
        for (t, trace) in traces.iter().enumerate() {
            let event = |effect: Effect| match effect {
                Effect::Memory(i) => self.starts[t] + i,
                Effect::Register(i) => first + i,
            };
            for (name, pairs) in
                [("iico_data", &trace.effects.data), ("iico_ctrl", &trace.effects.ctrl)]
            {
                pairs.iter().for_each(|&(a, b)| graph.relate(name, event(a), event(b)));
            }
            first += trace.effects.events.len();
        }
        for a in self.memory_events()..self.events {
            let action = self.register(a).action;
            sets(action).iter().for_each(|set| graph.mark(a, set));
            for b in self.memory_events()..self.events {
                let same = self.thread[a] == self.thread[b]
                    && number(action).is_some()
                    && number(action) == number(self.register(b).action);
                if same {
                    graph.relate("loc", a, b);
                }
            }
        }
        for a in 0..self.events {
            for b in 0..self.events {
                let instance = |e: usize| self.instruction(traces, e).map(|i| (self.thread[e], i));
                if a == b || (instance(a).is_some() && instance(a) == instance(b)) {
                    graph.relate("same-instance", a, b);
                }
            }
        }
        // The parts of one access are single-copy atomic together.
        let parts = graph.relations.get("si").cloned();
        graph.relations.extend(parts.map(|parts| ("sm".to_string(), parts)));
        self.graph = graph;
    }

    /// An event for people: `P0: W x=1`.
    pub fn describe(
        &self,
        test: &Test,
        traces: &[&Trace],
        values: &[Value],
        event: usize,
    ) -> String {
        let access = |letter: &str, location: Location| {
            let place = crate::print::place(test, location);
            format!("{letter} {place}={}", crate::print::value(test, values[event]))
        };
        let Some(t) = self.thread[event] else {
            return format!("init: {}", access("W", self.places[event].location));
        };
        let Some(shape) = traces[t].shapes.get(event - self.starts[t]) else {
            return format!("P{t}: {}", self.describe_register(test, t, event));
        };
        let what = match (shape.kind, shape.location) {
            (ActionKind::Read, Some(location)) => access("R", location),
            (ActionKind::Write, Some(location)) => access("W", location),
            _ => format!("F {}", shape.tags.first().copied().unwrap_or_default()),
        };
        format!("P{t}: {what}")
    }

    /// The values of all events. Needs: the same runs, or runs of the same shape.
    pub fn values(&self, memory: &Memory, traces: &[&Trace]) -> Vec<Value> {
        let initial = self.places.iter().map(|p| memory.at_first(p.location));
        let mut values: Vec<Value> = initial.collect();
        traces.iter().for_each(|t| values.extend(&t.values));
        values.resize(self.events, Value::ZERO);
        values
    }

    fn describe_register(&self, test: &Test, t: usize, event: usize) -> String {
        let name =
            |reg: Reg| test.threads[t].registers[reg.0 as usize].as_deref().unwrap_or("a value");
        match self.register(event).action {
            RegisterAction::Read(reg, _) => format!("reads {}", name(reg)),
            RegisterAction::Write(reg) => format!("sets {}", name(reg)),
            RegisterAction::Branch | RegisterAction::ConditionalBranch => "branch".into(),
        }
    }
}

/// The sets of an event of registers.
fn sets(action: RegisterAction) -> &'static [&'static str] {
    match action {
        RegisterAction::Read(_, Port::Address) => &["Rreg", "ADDR"],
        RegisterAction::Read(_, Port::Data) => &["Rreg", "DATA"],
        RegisterAction::Read(_, Port::Other) => &["Rreg"],
        RegisterAction::Write(_) => &["Wreg"],
        RegisterAction::Branch => &["B"],
        RegisterAction::ConditionalBranch => &["B", "BCC"],
    }
}

fn number(action: RegisterAction) -> Option<Reg> {
    match action {
        RegisterAction::Read(reg, _) | RegisterAction::Write(reg) => Some(reg),
        RegisterAction::Branch | RegisterAction::ConditionalBranch => None,
    }
}

/// Each `rcu_read_unlock` belongs to the last open `rcu_read_lock` before it.
fn rcu_sections(graph: &mut Graph, thread: std::ops::Range<usize>) {
    let is = |graph: &Graph, event: usize, set: &str| {
        graph.sets.get(set).is_some_and(|s| s.contains(event))
    };
    let mut open = Vec::new();
    for event in thread {
        if is(graph, event, "Rcu-lock") {
            open.push(event);
        } else if is(graph, event, "Rcu-unlock") {
            if let Some(lock) = open.pop() {
                graph.relate("rcu-rscs", lock, event);
            }
        }
    }
}
