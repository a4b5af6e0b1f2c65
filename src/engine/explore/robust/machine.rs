//! A state of an interleaving, with who knows of which write, and the race monitor.
//!
//! A step is one of an interleaving. It is refused (as not modelled, so that nothing is proven) if one of its
//! accesses may miss a write, if it races, or if it is no single access, read-modify-write or fence: several
//! shared cells in one atomic block, accesses that overlap in part. What a blocked step has tried to read counts:
//! an older value might let it go on.

use super::super::transition::Events;
use super::super::walk::{self, MachineRules, Stepped, kernel_fence};
use super::super::watch::Watch;
use super::views::{Cell, Does, Views};
use interp::{Access, Death, Inputs, Interp, ObjKey, Observer, RaceMonitor, State, StepResult};
use interp::{Tid, Value};
use ir::types::Scalar;
use ir::{At, AtomicKind, FuncId, Inst, InstKind, MemoryOrder, Operand, Span};
use rustc_hash::FxHashSet;

#[derive(Clone)]
pub struct ViewedMachine {
    state: State,
    views: Views,
    races: RaceMonitor,
}

#[derive(Clone, Copy)]
pub struct RobustRules<'a> {
    pub interp: &'a Interp<'a>,
}

impl MachineRules for RobustRules<'_> {
    type Machine = ViewedMachine;
    const ALL_OR_NOTHING: bool = true;

    fn interp(&self) -> &Interp<'_> {
        self.interp
    }

    fn initial(&self) -> ViewedMachine {
        let races = RaceMonitor::of(self.interp.program);
        ViewedMachine { state: self.interp.initial(), views: Views::default(), races }
    }

    fn state<'m>(&self, machine: &'m ViewedMachine) -> &'m State {
        &machine.state
    }

    fn digest(&self, machine: &mut ViewedMachine) -> u128 {
        let races = machine.races.digest().rotate_left(59);
        self.interp.digest(&mut machine.state) ^ walk::hash(&machine.views) ^ races
    }

    fn step(
        &self,
        machine: &mut ViewedMachine,
        thread: Tid,
        inputs: &mut impl Inputs,
        events: &mut Events,
        also: &mut impl Observer,
    ) -> Stepped {
        if let Some(unsupported) = kernel_fence(self.interp, &machine.state, thread) {
            return Stepped::Result(unsupported);
        }
        let ViewedMachine { mut state, mut views, mut races } = machine.clone();
        let updates = self.updates(&state, thread);
        let watch = Watch {
            footprint: None,
            monitor: Some(&mut races),
            touched: None,
            assumed: &mut events.assumed,
            invalid: &mut events.invalid,
            peeks: &mut events.peeks,
        };
        let mut eye = Eye { interp: self.interp, seen: Seen::default() };
        let mut observer = (watch, (&mut eye, also));
        let result = self.interp.step(&mut state, thread, inputs, &mut observer);
        if let Err((what, span)) = apply(&mut views, thread, updates, &eye.seen) {
            return Stepped::Result(StepResult::Unsupported { what: what.into(), span });
        }
        if let Some(race) = races.race() {
            let (what, span) = ("a data race".into(), race.second.1.span);
            return Stepped::Result(StepResult::Unsupported { what, span });
        }
        if !matches!(result, StepResult::Blocked) {
            *machine = ViewedMachine { state, views, races };
        }
        Stepped::Result(result)
    }
}

impl RobustRules<'_> {
    /// Is the next step a read-modify-write, whatever it reads?
    fn updates(&self, state: &State, thread: Tid) -> bool {
        let place = state.frames(thread).next_back();
        place.is_some_and(|(func, block, index)| {
            let block = &self.interp.program.functions[func.index()].blocks[block.index()];
            is_update(block.insts.get(index..).unwrap_or_default())
        })
    }
}

/// An atomic block without a branch that reads one place and writes it.
fn is_update(insts: &[Inst]) -> bool {
    let begins = |inst: &Inst| matches!(inst.kind, InstKind::AtomicBegin { .. });
    let ends = |inst: &Inst| matches!(inst.kind, InstKind::AtomicEnd);
    let block = match (insts.first(), insts.iter().position(ends)) {
        (Some(first), Some(end)) if begins(first) => &insts[1..end],
        _ => return false,
    };
    let place = |inst: &Inst| match &inst.kind {
        InstKind::Load { addr, order, .. } if *order != MemoryOrder::Plain => Some((*addr, false)),
        InstKind::Store { addr, order, .. } if *order != MemoryOrder::Plain => Some((*addr, true)),
        _ => None,
    };
    let simple =
        |inst: &Inst| place(inst).is_some() || matches!(inst.kind, InstKind::Assign { .. });
    let places: Vec<(Operand, bool)> = block.iter().filter_map(place).collect();
    match places[..] {
        [(read, false), (written, true)] => read == written && block.iter().all(simple),
        _ => false,
    }
}

type Refused = (&'static str, Span);

/// What the step does to the views, if it is one that they know. `updates`: it reads and writes one cell,
/// whatever it reads.
fn apply(views: &mut Views, thread: Tid, updates: bool, seen: &Seen) -> Result<(), Refused> {
    if let Some(refused) = seen.refused {
        return Err(refused);
    }
    if let Some(span) = seen.block.filter(|_| seen.shared.len() > 1) {
        return Err(("an atomic block with several locations", span));
    }
    let mut read: FxHashSet<Cell> = FxHashSet::default();
    let mut children = Vec::new();
    for event in &seen.events {
        match *event {
            Event::Access(cell, write, order, span) => {
                if views.overlaps(cell) {
                    return Err(("accesses of different sizes to the same memory", span));
                }
                let does = if write || updates { Does::Write } else { Does::Read };
                if views.may_miss(thread, cell, order, does) {
                    return Err(("an access that may be shown what no interleaving shows", span));
                }
                match write {
                    false => {
                        views.read(thread, cell, order);
                        read.extend((order != MemoryOrder::Plain).then_some(cell));
                    }
                    true => {
                        let update = seen.block.is_some() && read.contains(&cell);
                        views.write(thread, cell, order, update);
                    }
                }
            }
            Event::Fence(order) => views.fence(thread, order),
            Event::Spawn(child) => children.push(child),
            Event::Join(child) => views.join(thread, child),
            Event::Died(object) => views.died(object),
        }
    }
    // All that the step has done is before the first step of the new thread.
    children.into_iter().for_each(|child| views.spawn(thread, child));
    Ok(())
}

enum Event {
    /// Is it a write?
    Access(Cell, bool, MemoryOrder, Span),
    Fence(MemoryOrder),
    Spawn(Tid),
    Join(Tid),
    Died(ObjKey),
}

/// What a step has done, or tried.
#[derive(Default)]
struct Seen {
    events: Vec<Event>,
    /// The atomic block that it is.
    block: Option<Span>,
    /// Cells that others may know.
    shared: FxHashSet<Cell>,
    refused: Option<Refused>,
}

struct Eye<'a> {
    interp: &'a Interp<'a>,
    seen: Seen,
}

impl Observer for Eye<'_> {
    fn access(&mut self, state: &State, thread: Tid, access: &Access, _: Scalar, _: Value) {
        let Access { object, offset, size, write, order, span, .. } = *access;
        let cell = (object, offset, size);
        if !self.interp.is_private(state, object, thread) {
            self.seen.shared.insert(cell);
        }
        self.seen.events.push(Event::Access(cell, write, order, span));
    }

    fn atomic_begin(&mut self, _: Tid, kind: AtomicKind, span: Span) {
        self.seen.block = Some(span);
        if kind == AtomicKind::User {
            self.seen.refused = Some(("an atomic block of the user", span));
        }
    }

    fn fence(&mut self, _: Tid, order: MemoryOrder, _: Span) {
        self.seen.events.push(Event::Fence(order));
    }

    fn spawn(&mut self, _: &State, _: Tid, child: Tid, _: FuncId, _: Span) {
        self.seen.events.push(Event::Spawn(child));
    }

    fn join(&mut self, _: Tid, child: Tid, _: Span) {
        self.seen.events.push(Event::Join(child));
    }

    fn asked_ended(&mut self, _: Tid, _: Tid, _: bool, span: Span) {
        self.seen.refused = Some(("the question whether a thread has ended", span));
    }

    fn died(&mut self, _: &State, _: Tid, object: ObjKey, _: u64, _: bool, _: Death, _: At) {
        self.seen.events.push(Event::Died(object));
    }
}
