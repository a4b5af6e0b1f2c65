//! An interleaving as an execution graph, held against a memory model.
//!
//! Every model of ours allows every interleaving: all that it orders goes along the line of steps. Here that
//! is not taken for granted but looked at, for one schedule: the accesses of what several threads use become
//! the events of the model's target, a read reads from the last write before it, writes are in the order of the
//! steps, and the reference evaluator judges. Where the program's dependencies and blocks would say more than a schedule
//! does, the graph has all that could be there: every later event depends on every read, and every
//! atomic block acquires and releases a lock of its own. So a graph that is allowed is allowed without them, too.
//!
//! `None` says nothing: too many events, accesses that overlap in part, a schedule that does not fit.
//!
//! Cost: one run of the interpreter, one evaluation of at most `MAX_EVENTS` events.

use super::confirm::Tape;
use interp::{Access, Interp, Observer, ScheduleStep, State, StepResult, Tid, Value};
use ir::types::Scalar;
use ir::{AtomicKind, FuncId, MemoryOrder, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::weak::Model;
use solver::weak::target::{self, Compiled, SourceAccess, Target};

const MAX_EVENTS: usize = 400;

/// Does the model allow the execution that a schedule is?
pub fn is_allowed(interp: &Interp<'_>, schedule: &[ScheduleStep], model: &Model) -> Option<bool> {
    let line = Line::of(interp, schedule)?;
    let graph = line.graph(model.target)?;
    Some(cat::Evaluation::new(&model.cat, graph).is_consistent())
}

/// What matters of the steps, in the order in which they happen.
#[derive(Default)]
struct Line {
    steps: Vec<(Tid, Happening)>,
    /// By thread, the atomic block that it is in.
    inside: FxHashMap<Tid, usize>,
    blocks: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Happening {
    /// With the number of its atomic block.
    Access(Access, Option<usize>),
    Fence(MemoryOrder),
    /// A hand-over: who gives and who takes.
    Give(Hidden),
    Take(Hidden),
    Enter(usize),
    Leave(usize),
}

/// Locations that are none of the program's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Hidden {
    Start(Tid),
    End(Tid),
    Blocks,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    Bytes { object: interp::ObjKey, offset: u64, size: u64 },
    Hidden(Hidden),
}

impl Place {
    fn of(access: &Access) -> Place {
        let Access { object, offset, size, .. } = *access;
        Place::Bytes { object, offset, size }
    }
}

impl Observer for Line {
    fn access(&mut self, _: &State, thread: Tid, access: &Access, _: Scalar, _: Value) {
        let block = self.inside.get(&thread).copied();
        self.steps.push((thread, Happening::Access(*access, block)));
    }

    fn atomic_begin(&mut self, thread: Tid, _: AtomicKind, _: Span) {
        self.blocks += 1;
        self.inside.insert(thread, self.blocks);
        self.steps.push((thread, Happening::Enter(self.blocks)));
    }

    fn atomic_end(&mut self, thread: Tid, _: Span) {
        if let Some(block) = self.inside.remove(&thread) {
            self.steps.push((thread, Happening::Leave(block)));
        }
    }

    fn fence(&mut self, thread: Tid, order: MemoryOrder, _: Span) {
        self.steps.push((thread, Happening::Fence(order)));
    }

    fn spawn(&mut self, _: &State, parent: Tid, child: Tid, _: FuncId, _: Span) {
        self.steps.push((parent, Happening::Give(Hidden::Start(child))));
        self.steps.push((child, Happening::Take(Hidden::Start(child))));
    }

    fn join(&mut self, thread: Tid, child: Tid, _: Span) {
        self.steps.push((thread, Happening::Take(Hidden::End(child))));
    }

    fn asked_ended(&mut self, thread: Tid, other: Tid, ended: bool, _: Span) {
        if ended {
            self.steps.push((thread, Happening::Take(Hidden::End(other))));
        }
    }

    fn thread_end(&mut self, _: &State, thread: Tid, _: Value, _: Span) {
        self.steps.push((thread, Happening::Give(Hidden::End(thread))));
    }
}

impl Line {
    fn of(interp: &Interp<'_>, schedule: &[ScheduleStep]) -> Option<Line> {
        let mut line = Line::default();
        let mut state = interp.initial();
        for step in schedule {
            if !state.running().any(|thread| thread == step.thread) {
                return None;
            }
            let mut tape = Tape { answers: &step.answers, used: 0 };
            match interp.step(&mut state, step.thread, &mut tape, &mut line) {
                StepResult::Blocked
                | StepResult::Unsupported { .. }
                | StepResult::Refused { .. } => return None,
                _ => {}
            }
        }
        Some(line)
    }

    /// What several threads use, and what is atomic.
    fn shared(&self) -> FxHashSet<Place> {
        let mut users: FxHashMap<Place, FxHashSet<Tid>> = FxHashMap::default();
        let mut atomic: FxHashSet<Place> = FxHashSet::default();
        for (thread, access) in self.accesses() {
            users.entry(Place::of(access)).or_default().insert(thread);
            if access.order != MemoryOrder::Plain {
                atomic.insert(Place::of(access));
            }
        }
        let several = users.into_iter().filter(|(_, threads)| threads.len() > 1);
        several.map(|(place, _)| place).chain(atomic).collect()
    }

    fn accesses(&self) -> impl Iterator<Item = (Tid, &Access)> {
        self.steps.iter().filter_map(|(thread, happening)| match happening {
            Happening::Access(access, _) => Some((*thread, access)),
            _ => None,
        })
    }

    /// Is there memory that is not always accessed as a whole, by several threads?
    fn is_mixed(&self) -> bool {
        let mut ranges: FxHashMap<interp::ObjKey, Vec<(Tid, &Access)>> = FxHashMap::default();
        for (thread, access) in self.accesses() {
            let of_object = ranges.entry(access.object).or_default();
            let known = |(t, a): &(Tid, &Access)| *t == thread && Place::of(a) == Place::of(access);
            if !of_object.iter().any(known) {
                of_object.push((thread, access));
            }
        }
        ranges.values().any(|ranges| {
            let several = ranges.iter().any(|(thread, _)| *thread != ranges[0].0);
            let partly = |a: &Access, b: &Access| a.overlaps(b) && Place::of(a) != Place::of(b);
            several && ranges.iter().any(|(_, a)| ranges.iter().any(|(_, b)| partly(a, b)))
        })
    }

    fn graph(&self, target: Target) -> Option<cat::Graph> {
        if self.is_mixed() {
            return None;
        }
        let shared = self.shared();
        let mut events = Events::default();
        let places: Vec<Place> = shared.iter().copied().collect();
        for place in places.into_iter().chain([Place::Hidden(Hidden::Blocks)]) {
            let plain = |(_, access): (Tid, &Access)| {
                Place::of(access) != place || access.order == MemoryOrder::Plain
            };
            let mut sets = vec!["M", "W", "IW", "NA"];
            if self.accesses().all(plain) {
                sets.push("NAL");
            }
            events.push(None, Some(place), sets);
        }
        for (i, (thread, happening)) in self.steps.iter().enumerate() {
            let thread = *thread;
            match *happening {
                Happening::Access(access, block) => {
                    if shared.contains(&Place::of(&access)) {
                        let what = self.source(&access, block, i);
                        let place = Place::of(&access);
                        let event = events.compiled(thread, place, target::access(target, what));
                        events.half(target, event, place, block);
                    }
                }
                Happening::Fence(order) => {
                    if let Some(sets) = target::fence(target, order) {
                        events.push(Some(thread), None, sets.to_vec());
                    }
                }
                Happening::Give(hidden) => {
                    let what = target::handover(target, true);
                    events.compiled(thread, Place::Hidden(hidden), what);
                }
                Happening::Take(hidden) => {
                    let what = target::handover(target, false);
                    events.compiled(thread, Place::Hidden(hidden), what);
                }
                Happening::Enter(block) => events.lock(target, thread, block, false),
                Happening::Leave(block) => events.lock(target, thread, block, true),
            }
            if events.list.len() > MAX_EVENTS {
                return None;
            }
        }
        Some(events.graph())
    }

    /// With the order of the other half, if it is one of a read-modify-write.
    fn source(&self, access: &Access, block: Option<usize>, at: usize) -> SourceAccess {
        let (write, order) = (access.write, access.order);
        let other = |happening: &Happening| match happening {
            Happening::Access(other, of) if *of == block && block.is_some() => {
                (Place::of(other) == Place::of(access) && other.write != write)
                    .then_some(other.order)
            }
            _ => None,
        };
        let (before, behind) = self.steps.split_at(at);
        let found = match write {
            true => before.iter().rev().find_map(|(_, h)| other(h)),
            false => behind.iter().find_map(|(_, h)| other(h)),
        };
        // What an instruction with a lock only reads is fenced by it as well.
        let locked = (block.is_some() && order != MemoryOrder::Plain).then_some(order);
        SourceAccess { write, order, rmw: found.or(locked) }
    }
}

#[derive(Default)]
struct Events {
    list: Vec<GraphEvent>,
    /// Of atomic blocks: the last read of each place in each.
    reads: FxHashMap<(usize, Place), usize>,
    rmw: Vec<(&'static str, usize, usize)>,
}

struct GraphEvent {
    /// Initial writes have none.
    thread: Option<Tid>,
    place: Option<Place>,
    sets: Vec<&'static str>,
}

impl Events {
    fn push(
        &mut self,
        thread: Option<Tid>,
        place: Option<Place>,
        sets: Vec<&'static str>,
    ) -> usize {
        self.list.push(GraphEvent { thread, place, sets });
        self.list.len() - 1
    }

    fn compiled(&mut self, thread: Tid, place: Place, what: Compiled) -> usize {
        for sets in what.before {
            self.push(Some(thread), None, sets.to_vec());
        }
        let event = self.push(Some(thread), Some(place), what.sets);
        for sets in what.after {
            self.push(Some(thread), None, sets.to_vec());
        }
        event
    }

    /// Pairs reads and writes of one place in a block.
    fn half(&mut self, target: Target, event: usize, place: Place, block: Option<usize>) {
        let Some(block) = block else { return };
        if !self.list[event].sets.contains(&"W") {
            self.reads.insert((block, place), event);
        } else if let Some(&read) = self.reads.get(&(block, place)) {
            self.rmw.push((target::rmw_relation(target), read, event));
        }
    }

    fn lock(&mut self, target: Target, thread: Tid, block: usize, write: bool) {
        let order = MemoryOrder::AcqRel;
        let what = target::access(target, SourceAccess { write, order, rmw: Some(order) });
        let place = Place::Hidden(Hidden::Blocks);
        let event = self.compiled(thread, place, what);
        self.half(target, event, place, Some(block));
    }

    fn graph(&self) -> cat::Graph {
        let mut graph = cat::Graph::new(self.list.len());
        let mut last: FxHashMap<Place, Vec<usize>> = FxHashMap::default();
        for (i, event) in self.list.iter().enumerate() {
            event.sets.iter().for_each(|set| graph.mark(i, set));
            graph.relate("si", i, i);
            for (j, other) in self.list.iter().enumerate() {
                let same = i == j || (event.thread.is_some() && event.thread == other.thread);
                graph.relate(if same { "int" } else { "ext" }, i, j);
                if event.place.is_some() && event.place == other.place {
                    graph.relate("loc", i, j);
                }
                if same && i < j {
                    graph.relate("po", i, j);
                    self.depend(&mut graph, i, j);
                }
            }
            let Some(place) = event.place else { continue };
            let writes = last.entry(place).or_default();
            if event.sets.contains(&"W") {
                writes.iter().for_each(|&before| graph.relate("co", before, i));
                writes.push(i);
            } else if let Some(&source) = writes.last() {
                graph.relate("rf", source, i);
            }
        }
        for &(relation, read, write) in &self.rmw {
            graph.relate(relation, read, write);
        }
        graph
    }

    /// Whatever a read could lead to.
    fn depend(&self, graph: &mut cat::Graph, from: usize, to: usize) {
        if !self.list[from].sets.contains(&"R") {
            return;
        }
        let sets = &self.list[to].sets;
        graph.relate("ctrl", from, to);
        if self.list[to].place.is_some() {
            graph.relate("addr", from, to);
        }
        if sets.contains(&"W") {
            graph.relate("data", from, to);
        }
        if sets.contains(&"RMW") && sets.contains(&"R") {
            graph.relate("casdep", from, to);
        }
    }
}
