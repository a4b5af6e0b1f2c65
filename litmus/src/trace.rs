//! One thread by itself: the events that it makes if its reads return given values.
//!
//! A thread is run again and again, each time with other choices (which value a read returns, whether a
//! store-exclusive succeeds), in the order of a depth-first search; a run is a plain loop without any
//! state to restore. Each register carries the set of reads that it was computed from, whatever the
//! computation: that gives `addr`, `data` and `ctrl`.
//!
//! `registers.rs` records what instructions do with registers, for models that want to know.
//!
//! Loops: a branch that a choice decides is met at most `MAX_VISITS` times in a run, any other as
//! often as the numbers say; a run that wants more is dropped, and that is reported.

mod registers;

use crate::error::{Error, OUT_OF_TIME, TOO_MANY_CANDIDATES};
use crate::ir::{AccessMode, Expr, Inst, Reg, Status, Tags, Thread};
use crate::layout::{MemoryLayout, MemoryPiece, part, whole};
use crate::value::{Location, Value, binary};
pub use registers::{Effect, Port, RegisterAction, RegisterEffects, RegisterEvent};
use std::collections::{BTreeMap, BTreeSet};

/// As herd7: a loop's body is executed twice.
const MAX_VISITS: u8 = 2;
/// Instructions of a run: a loop that no choice ends.
const MAX_STEPS: usize = 10_000;
/// Dependencies are sets of events in 64 bits.
const MAX_EVENTS: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ActionKind {
    Read,
    Write,
    Fence,
}

/// Everything about an event but its value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EventShape {
    pub kind: ActionKind,
    pub location: Option<Location>,
    pub bytes: u8,
    pub tags: Tags,
    /// Earlier events of the thread that address, value and execution depend on, as bits.
    pub addr: u64,
    pub data: u64,
    pub ctrl: u64,
    /// Of the instruction: events of one are `si`.
    pub instruction: usize,
}

/// A run of a thread.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Trace {
    pub shapes: Vec<EventShape>,
    /// Read and write of one instruction.
    pub amo: Vec<(usize, usize)>,
    /// Exclusive load and the successful store after it.
    pub lxsx: Vec<(usize, usize)>,
    pub values: Vec<Value>,
    pub registers: Vec<Value>,
    /// Steps that belong to the instruction of the step before.
    pub joined: Vec<usize>,
    /// What happens with registers, if it was asked for.
    pub effects: RegisterEffects,
    /// The run ended here, with an operation that has no meaning (a number used as an address).
    pub fault: Option<String>,
}

impl Trace {
    pub fn accesses(&self, kind: ActionKind) -> impl Iterator<Item = (Location, Value)> + '_ {
        let events = self.shapes.iter().zip(&self.values).filter(move |(s, _)| s.kind == kind);
        events.filter_map(|(s, &v)| Some((s.location?, v)))
    }

    /// All but the values: runs that agree in it have the same graph.
    pub fn shape(&self) -> impl std::hash::Hash + Eq + '_ {
        (&self.shapes, &self.amo, &self.lxsx, &self.joined, &self.effects)
    }

    /// The first step of the instruction that a step belongs to.
    pub fn instance(&self, step: usize) -> usize {
        let before = |step: &usize| self.joined.contains(step).then(|| step - 1);
        std::iter::successors(Some(step), before).last().unwrap_or(step)
    }
}

/// Which events a run has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    Memory,
    /// Those of registers, too.
    Registers,
}

/// The values that memory may hold.
pub type Domain = BTreeMap<Location, BTreeSet<Value>>;

/// What branches do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Branches {
    /// As their condition says.
    Exact,
    /// Both ways where a read decides: for finding out which values there are.
    Both,
}

/// All runs of a thread.
#[derive(Default, Debug)]
pub struct Runs {
    pub traces: Vec<Trace>,
    /// Every access that was tried.
    pub accesses: BTreeSet<MemoryPiece>,
    /// A loop was cut.
    pub cut: bool,
}

/// Needs: `domain` says what a read of a cell may return. Gives: all runs, or why not.
pub fn runs(
    thread: &Thread,
    layout: &MemoryLayout,
    domain: &Domain,
    (branches, detail): (Branches, Detail),
    budget: &mut WorkBudget,
) -> Result<Runs, Error> {
    let mut all = Runs::default();
    let mut choices = Choices::default();
    loop {
        budget.spend(1)?;
        let machine = ThreadMachine::new(thread, layout, domain, (branches, detail), &mut choices);
        match machine.run(&mut all.accesses)? {
            TraceEnd::Finished(trace) => all.traces.push(*trace),
            TraceEnd::Cut => all.cut = true,
            TraceEnd::Dropped => {}
        }
        if !choices.advance() {
            return Ok(all);
        }
    }
}

/// A limit on work, and what to say when it is reached.
#[derive(Clone, Copy, Debug)]
pub struct WorkBudget {
    pub left: u64,
    pub deadline: Option<std::time::Instant>,
}

impl WorkBudget {
    pub fn spend(&mut self, amount: u64) -> Result<(), Error> {
        if self.deadline.is_some_and(|deadline| std::time::Instant::now() > deadline) {
            return Err(Error::whole(OUT_OF_TIME));
        }
        match self.left.checked_sub(amount) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Error::whole(TOO_MANY_CANDIDATES)),
        }
    }
}

/// A path through the tree of choices: which one, of how many.
#[derive(Default)]
struct Choices {
    path: Vec<(usize, usize)>,
    at: usize,
}

impl Choices {
    fn choose(&mut self, count: usize) -> usize {
        if self.at == self.path.len() {
            self.path.push((0, count));
        }
        self.at += 1;
        self.path[self.at - 1].0
    }

    /// To the next path; `false` if there is none.
    fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some((chosen, count)) = self.path.pop() {
            if chosen + 1 < count {
                self.path.push((chosen + 1, count));
                return true;
            }
        }
        false
    }
}

enum TraceEnd {
    Finished(Box<Trace>),
    /// A loop went on too long.
    Cut,
    /// An assumption does not hold.
    Dropped,
}

/// A value and the events that it was computed from.
#[derive(Clone, Copy)]
struct Tainted {
    value: Value,
    deps: u64,
    /// It was computed from a choice.
    chosen: bool,
}

struct ThreadMachine<'a> {
    thread: &'a Thread,
    layout: &'a MemoryLayout,
    domain: &'a Domain,
    branches: Branches,
    detail: Detail,
    choices: &'a mut Choices,
    accesses: BTreeSet<MemoryPiece>,
    registers: Vec<Tainted>,
    ctrl: Vec<u64>, // one entry per open branch; later events depend on all
    /// Of the last exclusive load: its events and what it read.
    reservation: Option<(Vec<usize>, MemoryPiece)>,
    trace: Trace,
    pc: usize,
    steps: usize,    // instructions so far
    visits: Vec<u8>, // of branches that a choice decides
}

/// An operation without a meaning.
struct Fault(String);

type StepResult = Result<Option<TraceEnd>, Fault>;

impl<'a> ThreadMachine<'a> {
    fn new(
        thread: &'a Thread,
        layout: &'a MemoryLayout,
        domain: &'a Domain,
        (branches, detail): (Branches, Detail),
        choices: &'a mut Choices,
    ) -> Self {
        let clear = Tainted { value: Value::ZERO, deps: 0, chosen: false };
        let mut registers = vec![clear; thread.registers.len()];
        for &(reg, value) in &thread.init {
            registers[reg.0 as usize].value = value;
        }
        let trace = Trace::default();
        Self {
            thread,
            layout,
            domain,
            branches,
            detail,
            choices,
            accesses: BTreeSet::new(),
            registers,
            ctrl: Vec::new(),
            reservation: None,
            trace,
            pc: 0,
            steps: 0,
            visits: vec![0; thread.code.len()],
        }
    }

    fn run(mut self, accesses: &mut BTreeSet<MemoryPiece>) -> Result<TraceEnd, Error> {
        while let Some(inst) = self.thread.code.get(self.pc) {
            self.pc += 1;
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Ok(TraceEnd::Cut);
            }
            let step = match self.detail {
                Detail::Memory => self.step(inst),
                Detail::Registers => self.recorded_step(inst),
            };
            accesses.append(&mut self.accesses);
            match step {
                Ok(None) => {}
                Ok(Some(end)) => return Ok(end),
                Err(Fault(what)) => {
                    self.trace.fault = Some(what);
                    break;
                }
            }
            if self.trace.shapes.len() > MAX_EVENTS {
                return Err(Error::whole(format!("a thread makes more than {MAX_EVENTS} events")));
            }
        }
        self.trace.registers = self.registers.iter().map(|r| r.value).collect();
        Ok(TraceEnd::Finished(Box::new(self.trace)))
    }

    fn recorded_step(&mut self, inst: &Inst) -> StepResult {
        let (operands, first) = (self.read_registers(inst)?, self.trace.shapes.len());
        let end = self.step(inst)?;
        self.write_registers(inst, &operands, first);
        Ok(end)
    }

    fn step(&mut self, inst: &Inst) -> StepResult {
        match inst {
            Inst::Set { to, expr } => {
                let value = self.eval(expr)?;
                self.set(*to, value);
            }
            Inst::Load { to, address, access, signed, exclusive } => {
                let (location, addr) = self.address(address)?;
                let (value, events) = self.read(location, access, addr)?;
                let shown = if *signed { value } else { value.truncate_unsigned(access.bytes) };
                self.set(*to, Tainted { value: shown, deps: bits(&events), chosen: true });
                if *exclusive {
                    self.reservation = Some((events, (location, access.bytes)));
                }
            }
            Inst::Store { address, value, access } => {
                let (location, addr) = self.address(address)?;
                let value = self.eval(value)?;
                self.write(location, access, value, addr)?;
            }
            Inst::StoreExclusive { status, address, value, access } => {
                self.store_exclusive(*status, address, value, access)?;
            }
            Inst::Rmw { to, address, value, when, read, write, failed } => {
                let (location, addr) = self.address(address)?;
                let (old, events) = self.read(location, read, addr)?;
                self.set(*to, Tainted { value: old, deps: bits(&events), chosen: true });
                let succeeds = match when {
                    Some(when) => self.decide(when)?,
                    None => true,
                };
                if succeeds {
                    let new = self.eval(value)?;
                    let written = self.write(location, write, new, addr)?;
                    self.trace.amo.extend(events.into_iter().zip(written));
                } else if let Some(tags) = failed {
                    events.iter().for_each(|&e| self.trace.shapes[e].tags.clone_from(tags));
                }
            }
            Inst::Fence { tags, address } => {
                let place = address.as_ref().map(|a| self.address(a)).transpose()?;
                let (cell, addr) = place.map_or((None, 0), |(l, a)| (Some((l, 0)), a));
                self.event(ActionKind::Fence, cell, tags, Value::ZERO, addr, 0);
            }
            Inst::Jump(target) => self.pc = *target,
            Inst::Branch { when, target } => {
                let Tainted { deps, chosen, .. } = self.eval(when)?;
                self.visits[self.pc - 1] += u8::from(chosen);
                if self.visits[self.pc - 1] > MAX_VISITS {
                    return Ok(Some(TraceEnd::Cut));
                }
                let taken = self.decide(when)?;
                self.ctrl.push(deps);
                if taken {
                    self.pc = *target;
                }
            }
            Inst::Joined => self.trace.joined.extend([self.steps, self.steps + 1]),
            Inst::EndBranch { open } => self.ctrl.truncate(*open),
            Inst::Tag { when, tags } => {
                let value = self.eval(when)?.value;
                if let (true, Some(last)) = (value.is_true(), self.trace.shapes.last_mut()) {
                    last.tags.extend(tags);
                }
            }
            Inst::Assume(expr) => {
                if !self.decide(expr)? {
                    return Ok(Some(TraceEnd::Dropped));
                }
            }
        }
        Ok(None)
    }

    fn store_exclusive(
        &mut self,
        status: Status,
        address: &Expr,
        value: &Expr,
        access: &AccessMode,
    ) -> Result<(), Fault> {
        let (location, addr) = self.address(address)?;
        let value = self.eval(value)?;
        let same = |(_, piece): &(Vec<usize>, MemoryPiece)| *piece == (location, access.bytes);
        let reserved = self.reservation.take().filter(same);
        let succeeds = reserved.is_some() && self.choices.choose(2) == 0;
        let mut deps = 0;
        if let Some((loads, _)) = reserved.filter(|_| succeeds) {
            let events = self.write(location, access, value, addr)?;
            if status.carries_dependency {
                deps = bits(&events);
            }
            self.trace.lxsx.extend(loads.into_iter().zip(events));
        }
        let said = if succeeds { status.success } else { status.failure };
        self.set(status.to, Tainted { value: Value::Int(said), deps, chosen: true });
        Ok(())
    }

    /// The cells of an access.
    fn cells(
        &mut self,
        location: Location,
        access: &AccessMode,
    ) -> Result<Vec<MemoryPiece>, Fault> {
        self.accesses.insert((location, access.bytes));
        let cells = self.layout.cells((location, access.bytes));
        cells.ok_or_else(|| Fault("an access outside of its variable".into()))
    }

    /// A read returns one of the values that its cells may hold. Gives: the value and the events.
    fn read(
        &mut self,
        location: Location,
        access: &AccessMode,
        addr: u64,
    ) -> Result<(Value, Vec<usize>), Fault> {
        let (mut parts, mut events) = (Vec::new(), Vec::new());
        for (cell, bytes) in self.cells(location, access)? {
            let value = self.read_cell(cell)?;
            parts.push((value, bytes));
            events.push(self.event(
                ActionKind::Read,
                Some((cell, bytes)),
                &access.tags,
                value,
                addr,
                0,
            ));
        }
        let value = whole(&parts).ok_or_else(|| Fault("a part of an address is read".into()))?;
        Ok((value, events))
    }

    fn read_cell(&mut self, cell: Location) -> Result<Value, Fault> {
        let outside = || Fault("an access outside of its variable".into());
        let values = self.domain.get(&cell).ok_or_else(outside)?;
        let chosen = self.choices.choose(values.len());
        values.iter().nth(chosen).copied().ok_or_else(outside)
    }

    fn write(
        &mut self,
        location: Location,
        access: &AccessMode,
        value: Tainted,
        addr: u64,
    ) -> Result<Vec<usize>, Fault> {
        let cells = self.cells(location, access)?;
        let mut events = Vec::new();
        for &(cell, bytes) in &cells {
            let held = match cells.len() {
                1 => Some(value.value.truncate(access.bytes)),
                _ => part(value.value, cell.offset.wrapping_sub(location.offset), bytes),
            };
            let held = held.ok_or_else(|| Fault("an address is written in parts".into()))?;
            let place = Some((cell, bytes));
            let event = self.event(ActionKind::Write, place, &access.tags, held, addr, value.deps);
            events.push(event);
        }
        Ok(events)
    }

    fn event(
        &mut self,
        kind: ActionKind,
        cell: Option<MemoryPiece>,
        tags: &Tags,
        value: Value,
        addr: u64,
        data: u64,
    ) -> usize {
        let ctrl = self.ctrl.iter().fold(0, |all, deps| all | deps);
        let (location, bytes) = cell.unzip();
        let (bytes, tags, instruction) = (bytes.unwrap_or(0), tags.clone(), self.steps);
        self.trace.shapes.push(EventShape {
            kind,
            location,
            bytes,
            tags,
            addr,
            data,
            ctrl,
            instruction,
        });
        self.trace.values.push(value);
        self.trace.shapes.len() - 1
    }

    /// Is a condition true? Where reads decide and both branches are wanted, it is chosen.
    fn decide(&mut self, when: &Expr) -> Result<bool, Fault> {
        let Tainted { value, deps, .. } = self.eval(when)?;
        match self.branches {
            Branches::Both if deps != 0 => Ok(self.choices.choose(2) == 0),
            _ => Ok(value.is_true()),
        }
    }

    fn set(&mut self, reg: Reg, value: Tainted) {
        self.registers[reg.0 as usize] = value;
    }

    fn address(&self, expr: &Expr) -> Result<(Location, u64), Fault> {
        let Tainted { value, deps, .. } = self.eval(expr)?;
        match value {
            Value::Address(location) => Ok((location, deps)),
            Value::Int(i) => Err(Fault(format!("the number {i} is used as an address"))),
        }
    }

    /// What an expression mentions, whether it has a value or not.
    fn deps(&self, expr: &Expr) -> u64 {
        match expr {
            Expr::Const(_) => 0,
            Expr::Reg(reg) => self.registers[reg.0 as usize].deps,
            Expr::Binary(_, a, b) => self.deps(a) | self.deps(b),
            Expr::Signed(_, e) | Expr::Unsigned(_, e) => self.deps(e),
            Expr::Select(parts) | Expr::Pick(parts) => {
                parts.iter().fold(0, |all, part| all | self.deps(part))
            }
            Expr::Either(pair) => self.deps(&pair[0]) | self.deps(&pair[1]),
        }
    }

    fn eval(&self, expr: &Expr) -> Result<Tainted, Fault> {
        Ok(match expr {
            Expr::Const(value) => Tainted { value: *value, deps: 0, chosen: false },
            Expr::Reg(reg) => self.registers[reg.0 as usize],
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let value = binary(*op, a.value, b.value).ok_or_else(|| {
                    Fault(format!("{op:?} of {:?} and {:?} has no value", a.value, b.value))
                })?;
                Tainted { value, deps: a.deps | b.deps, chosen: a.chosen || b.chosen }
            }
            Expr::Signed(bytes, e) => {
                let e = self.eval(e)?;
                Tainted { value: e.value.truncate(*bytes), ..e }
            }
            Expr::Unsigned(bytes, e) => {
                let e = self.eval(e)?;
                Tainted { value: e.value.truncate_unsigned(*bytes), ..e }
            }
            Expr::Either(pair) => Tainted { deps: self.deps(expr), ..self.eval(&pair[0])? },
            Expr::Select(parts) | Expr::Pick(parts) => {
                let [when, yes, no] = &**parts;
                let deps = self.deps(when) | self.deps(yes) | self.deps(no);
                let when = self.eval(when)?;
                let taken = self.eval(if when.value.is_true() { yes } else { no })?;
                Tainted { value: taken.value, deps, chosen: when.chosen || taken.chosen }
            }
        })
    }
}

fn bits(events: &[usize]) -> u64 {
    events.iter().fold(0, |all, &e| all | 1u64.checked_shl(e as u32).unwrap_or(0))
}
