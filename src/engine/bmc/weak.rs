//! A violation in an execution without a schedule: a graph, confirmed thread by thread and shown as one.
//!
//! It is no sequence of steps in which every read sees the last write. So each thread's accesses
//! are told in program order, threads in an order in which starts and ends fit, and each read says where
//! its value comes from; one that misses a write which its place in this telling would show says so.

use super::follow::{self, Misfit, ModelRun, ProgramWords, Unrolled, ValueOf, violates};
use crate::contract::{
    Property, Query, Reason, Remark, TraceEvent, TraceStep, Violation, WeakAccess, WeakEvent,
    WeakExecution,
};
use encoder::{CellId, ThreadId};
use encoder::{Encoding, Event, EventId, EventKind, Fault, Goal, GoalKind, Node, NodeId, NodeKind};
use interp::Tid;
use ir::{InstKind, Program, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::bridge::GuessedExecution;
use solver::weak::Model;
use std::sync::Arc;

/// What is asked of our own models only, each with its own target: of others it is not known whether a read at
/// the end of a thread may see what memory holds in the end.
pub fn not_asked(query: Query<'_>) -> Option<Reason> {
    let model = query.settings.weak.as_ref()?;
    let known = match query.property {
        Property::NoDeadlock => model.settles(),
        // When an object is alive is a matter of C's happens-before.
        Property::ValidMemsafety => model.settles() && model.target.has_undefined_races(),
        _ => true,
    };
    let what = format!("{} under {}", query.property.name(), model.name);
    (!known).then_some(Reason::Unsupported { what, span: Span::NONE })
}

/// The first block that is made: C does not say that its allocation must happen before its uses.
pub fn unchecked_starts(program: &Program) -> Option<Remark> {
    let roots = analysis::roots(program).into_iter();
    let insts = roots.flat_map(|id| &program.functions[id.index()].blocks).flat_map(|b| &b.insts);
    let made = insts.filter(|inst| matches!(inst.kind, InstKind::Alloc { .. }));
    let text = "blocks are used behind their allocation: that it happens before is not checked";
    let first = made.map(|inst| inst.span).min_by_key(|span| (*span == Span::NONE, *span));
    first.map(|span| Remark::new(text, span))
}

/// Values of a circle of reads that justify each other, where the model allows one, are not all looked at.
pub fn thin_air(model: &Model) -> Option<Remark> {
    let text = "no value comes out of thin air, though this memory model has no rule against it";
    (!model.forbids_thin_air()).then(|| Remark::new(text, Span::NONE))
}

/// An execution that a model allows.
pub struct AllowedExecution<'a> {
    pub encoding: &'a Encoding,
    pub goal: &'a Goal,
    /// Of reads.
    pub sources: FxHashMap<EventId, EventId>,
}

impl<'a> AllowedExecution<'a> {
    /// `chosen`: the indices of `Encoding::rf` that hold.
    pub fn new(encoding: &'a Encoding, goal: &'a Goal, chosen: &[usize]) -> AllowedExecution<'a> {
        let sources = chosen.iter().map(|&i| encoding.rf[i]).map(|(write, read)| (read, write));
        AllowedExecution { encoding, goal, sources: sources.collect() }
    }

    /// The interpreter runs each thread by itself, and the model looks at the graph once more.
    pub fn confirm(
        &self,
        unrolled: Unrolled<'_>,
        config: interp::Config,
        execution: Option<GuessedExecution<'_>>,
        value: ValueOf<'_>,
    ) -> Result<ProgramWords, Misfit> {
        let wrong = |what: String| Err(Misfit::Wrong(what));
        if let Some(GuessedExecution { model, graph, origin }) = execution {
            let (again, origin) = (graph.clone(), origin.to_vec());
            let mut evaluation = cat::Evaluation::new(model, graph);
            if let Some(violation) = evaluation.violation() {
                return wrong(format!("the model forbids it: {}", violation.axiom));
            }
            if self.is_race() && evaluation.flags().is_empty() {
                return wrong("the model sees no race".into());
            }
            let interleaves = || {
                let sc = cat::Model::builtin("sc");
                let again = again.clone();
                sc.is_some_and(|sc| cat::Evaluation::new(&sc, again).is_consistent())
            };
            if self.waits() && self.looks_too_early(&again, &origin, value) {
                return wrong("a thread that waits for ever has not seen the last write".into());
            }
            if self.is_about_the_graph() && !self.is_race() && interleaves() {
                return wrong("the execution is an interleaving".into());
            }
        }
        let schedule = self.schedule(value);
        // What is not ordered is done in some order here.
        let memsafety = config.memsafety && !self.is_race();
        let config = interp::Config { memsafety, ..config };
        let run = ModelRun { encoding: self.encoding, schedule: &schedule, goal: self.goal };
        follow::confirm_threads(unrolled, config, &run, &self.sources, value)
    }

    /// It is not a thread that gets to an error.
    fn is_about_the_graph(&self) -> bool {
        self.is_race() || matches!(self.goal.kind, GoalKind::Error(Fault::NotRobust, _))
    }

    fn waits(&self) -> bool {
        matches!(self.goal.kind, GoalKind::Error(Fault::Deadlock, _))
    }

    /// The blocks in which threads wait for ever: they look, and do not come to their end.
    fn waiting(&self, value: ValueOf<'_>) -> Vec<NodeId> {
        follow::waiting_blocks(self.encoding, value)
    }

    /// Is there a write behind what such a block has read?
    fn looks_too_early(
        &self,
        graph: &cat::Graph,
        origin: &[Option<EventId>],
        value: ValueOf<'_>,
    ) -> bool {
        let blocks = self.waiting(value);
        let waits = |e: &EventId| blocks.contains(&self.encoding.events[e.index()].node);
        let reads = |e: usize| origin.get(e).copied().flatten().is_some_and(|e| waits(&e));
        let [rf, co] = ["rf", "co"].map(|name| graph.relations.get(name));
        let overwritten = |w: usize| co.is_some_and(|co| co.pairs().any(|(a, _)| a == w));
        rf.is_some_and(|rf| rf.pairs().any(|(w, r)| reads(r) && overwritten(w)))
    }

    fn is_race(&self) -> bool {
        matches!(self.goal.kind, GoalKind::Error(Fault::Race | Fault::Unordered, _))
    }

    /// Nodes in an order that program order, starts and ends allow; with writes before their reads and uses
    /// before the ends of objects, if that is possible.
    fn schedule(&self, value: ValueOf<'_>) -> Vec<NodeId> {
        let nodes = self.encoding.nodes.len();
        let mut edges: Vec<(NodeId, NodeId)> = self.encoding.edges.clone();
        for thread in &self.encoding.threads {
            edges.extend(thread.nodes.windows(2).map(|pair| (pair[0], pair[1])));
        }
        let waits = self.encoding.waits.iter().filter(|(when, ..)| value(*when) == 1);
        edges.extend(waits.map(|&(_, from, to)| (from, to)));
        let alive = self.while_alive(value);
        let node = |e: EventId| self.encoding.events[e.index()].node;
        let rf = self.sources.iter().map(|(&read, &write)| (node(write), node(read)));
        let rf: Vec<_> = rf.filter(|(a, b)| a != b).collect();
        let attempts = [[&edges[..], &rf, &alive], [&edges, &rf, &[]], [&edges, &[], &[]]];
        let mut found = attempts.iter().filter_map(|parts| sorted(nodes, &parts.concat()));
        found.next().unwrap_or_default()
    }

    /// Who has found an object alive comes before its end.
    fn while_alive(&self, value: ValueOf<'_>) -> Vec<(NodeId, NodeId)> {
        let events = &self.encoding.events;
        let lives: FxHashSet<CellId> = self.encoding.weak.lives.iter().copied().collect();
        let mut about: Vec<(&Event, bool)> = Vec::new();
        for event in events.iter().filter(|e| lives.contains(&e.cell)) {
            if value(event.guard) == 1 {
                about.push((event, value(event.value) != 0));
            }
        }
        let found = about.iter().filter(|(e, alive)| e.kind == EventKind::Read && *alive);
        let ends = |cell: CellId, node: NodeId| {
            let ends = about.iter().filter(|(e, alive)| e.kind == EventKind::Write && !alive);
            ends.filter(move |(e, _)| e.cell == cell && e.node != node).map(|(e, _)| e.node)
        };
        found.flat_map(|(e, _)| ends(e.cell, e.node).map(|end| (e.node, end))).collect()
    }

    /// The accesses that the trace tells, in its order.
    fn told(&self, value: ValueOf<'_>) -> Vec<EventId> {
        let encoding = self.encoding;
        let place: FxHashMap<NodeId, usize> =
            self.schedule(value).into_iter().enumerate().map(|(i, n)| (n, i)).collect();
        let mut order: Vec<usize> = (0..encoding.events.len()).collect();
        order.sort_by_key(|&i| {
            let event = &encoding.events[i];
            (place.get(&event.node).copied(), event.node, event.kind == EventKind::Write)
        });
        let initial: FxHashSet<EventId> = encoding.weak.initial.iter().copied().collect();
        let is_told = |id: &EventId| {
            let (node, event) = self.of(*id);
            if node.kind == NodeKind::Init || initial.contains(id) || value(event.guard) == 0 {
                return false;
            }
            // That something is alive goes without saying.
            let life = event.kind == EventKind::Read && encoding.weak.lives.contains(&event.cell);
            !life || value(event.value) == 0
        };
        order.into_iter().map(EventId::new).filter(is_told).collect()
    }

    pub fn show(&self, model: &str, words: &ProgramWords, value: ValueOf<'_>) -> Violation {
        let encoding = self.encoding;
        let initial: FxHashSet<EventId> = encoding.weak.initial.iter().copied().collect();
        let mut last: FxHashMap<CellId, EventId> = FxHashMap::default();
        let mut trace = Vec::new();
        let mut step = |thread: ThreadId, span, told| {
            let function = words.function(thread).unwrap_or_default().to_string();
            let (thread, at) = (Tid(thread.0 + 1), trace.len());
            trace.push(TraceStep { thread, span, function, event: told, at });
        };
        for id in self.told(value) {
            let (node, event) = self.of(id);
            let source = self.sources.get(&id).copied();
            let missed = last.get(&event.cell).copied().filter(|w| Some(*w) != source);
            if event.kind == EventKind::Write {
                last.insert(event.cell, id);
            }
            let (place, found) = self.in_words(id, words, value);
            let from = self.whence(source, missed, &initial);
            step(
                node.thread,
                event.span,
                match event.kind {
                    EventKind::Write => TraceEvent::Write { place, value: found, access: None },
                    EventKind::Read => {
                        TraceEvent::Read { place, value: found + &from, access: None, from: None }
                    }
                },
            );
        }
        let what = match &self.goal.kind {
            GoalKind::Error(_, what) => what.clone(),
            _ => "the property is violated".into(),
        };
        for node in self.waiting(value).into_iter().filter(|_| self.waits()) {
            let node = &encoding.nodes[node.index()];
            step(node.thread, node.span, TraceEvent::Wrong("waits for ever".into()));
        }
        if !self.is_about_the_graph() && !self.waits() {
            step(self.goal.thread, self.goal.span, TraceEvent::Wrong(what.clone()));
        }
        let message = match self.is_about_the_graph() && !self.is_race() {
            true => format!("{what}, and {model} allows it"),
            false => {
                format!("{what}, in an execution that {model} allows and that may have no schedule")
            }
        };
        let kind = match self.goal.kind {
            GoalKind::Error(Fault::Race, _) => "no-data-race",
            GoalKind::Error(Fault::Unordered, _) => "valid-deref",
            GoalKind::Error(Fault::NotRobust, _) => "robust",
            GoalKind::Error(Fault::Deadlock, _) => "no-deadlock",
            _ => violates(self.goal).name(),
        };
        Violation { kind, message, span: self.goal.span, other: None, trace, run: None, weak: None }
    }

    /// The graph, for who wants to look at more than the trace.
    pub fn execution(
        &self,
        execution: GuessedExecution<'_>,
        model: &Arc<solver::weak::Model>,
        words: &ProgramWords,
        value: ValueOf<'_>,
    ) -> WeakExecution {
        let initial: FxHashSet<EventId> = self.encoding.weak.initial.iter().copied().collect();
        let steps: FxHashMap<EventId, usize> =
            self.told(value).into_iter().enumerate().map(|(step, id)| (id, step)).collect();
        let amo = ["amo", "lxsx"].map(|name| execution.graph.relations.get(name));
        let rmw = |i: usize| {
            let pair = |r: &&cat::Relation| r.pairs().any(|(a, b)| a == i || b == i);
            amo.iter().flatten().any(pair)
        };
        let event = |(i, origin): (usize, &Option<EventId>)| {
            let Some(id) = *origin else {
                return WeakEvent { thread: None, access: None, step: None };
            };
            let (node, event) = self.of(id);
            let (name, found) = self.in_words(id, words, value);
            let access = WeakAccess {
                write: event.kind == EventKind::Write,
                rmw: rmw(i),
                order: event.order,
                span: event.span,
                name,
                value: found,
            };
            let thread = (!initial.contains(&id)).then_some(node.thread.0 + 1);
            WeakEvent { thread, access: Some(access), step: steps.get(&id).copied() }
        };
        let events = execution.origin.iter().enumerate().map(event).collect();
        let (model, race) = (model.clone(), self.is_race());
        WeakExecution { model, graph: execution.graph, events, race }
    }

    /// The place of an access and its value: as the program calls them, or else by cell and bits.
    fn in_words(&self, id: EventId, words: &ProgramWords, value: ValueOf<'_>) -> (String, String) {
        let (_, event) = self.of(id);
        let cell = || self.encoding.cells[event.cell.index()].name.clone();
        let place = words.place(event.cell).map_or_else(cell, String::from);
        let bits = || value(event.value).to_string();
        (place, words.value(id).map_or_else(bits, String::from))
    }

    /// Where a read gets its value from, and which write it misses.
    fn whence(
        &self,
        source: Option<EventId>,
        missed: Option<EventId>,
        initial: &FxHashSet<EventId>,
    ) -> String {
        let from = match source {
            Some(id) if initial.contains(&id) => ", its initial value".to_string(),
            Some(id) => origin(self.of(id)),
            None => String::new(),
        };
        let missed = missed.map_or(String::new(), |id| {
            format!(" (the write of {} is not visible here)", place_of(self.of(id)))
        });
        from + &missed
    }

    fn of(&self, id: EventId) -> (&Node, &Event) {
        let event = &self.encoding.events[id.index()];
        (&self.encoding.nodes[event.node.index()], event)
    }
}

fn origin((node, write): (&Node, &Event)) -> String {
    match node.kind {
        NodeKind::Init => ", its initial value".into(),
        _ => format!(", from {}", place_of((node, write))),
    }
}

fn place_of((node, write): (&Node, &Event)) -> String {
    format!("thread {} at line {}", node.thread.0 + 1, write.span.line)
}

/// `None` if there is a cycle. Threads that come first stay first.
fn sorted(nodes: usize, edges: &[(NodeId, NodeId)]) -> Option<Vec<NodeId>> {
    let mut before = vec![0; nodes];
    let mut after: Vec<Vec<NodeId>> = vec![Vec::new(); nodes];
    for &(from, to) in edges {
        before[to.index()] += 1;
        after[from.index()].push(to);
    }
    let mut ready: Vec<NodeId> =
        (0..nodes).rev().filter(|&n| before[n] == 0).map(NodeId::new).collect();
    let mut out = Vec::with_capacity(nodes);
    while let Some(node) = ready.pop() {
        out.push(node);
        for &next in &after[node.index()] {
            before[next.index()] -= 1;
            if before[next.index()] == 0 {
                ready.push(next);
            }
        }
    }
    (out.len() == nodes).then_some(out)
}
