//! What all threads together make true, and the iterations that find it out.
//!
//! Each template of threads is walked with what is known of the others; what it stores, starts, uses
//! and breaks is added to the interference. That is repeated until an iteration adds nothing.
//! Everything here only grows (or gets less exact), so the last iteration has seen all that any
//! execution does: take the first step of an execution that is not covered; all steps before it
//! are, so what it needs is in the interference, and the walk of its template covers it.

use super::flat::{Flat, Graph, Sweep};
use super::grain::Spot;
use super::interval::Interval;
use super::log::{Access, Log, Site};
use super::memory::{Adding, Initial, Memory, Nothing, OffsetRange};
use super::question::{Question, Unclear};
use super::state::State;
use super::sync::{Lock, LockFamily};
use super::value::{Base, Ownership, Region, Slice, TemplateId, Value};
use super::walk::Walk;
use ir::*;
use std::collections::{BTreeMap, BTreeSet};

/// Rounds after which values are widened, and after which we give up.
const EXACT_ITERATIONS: usize = 3;
const MAX_ITERATIONS: usize = 40;
/// Rounds in which widening stops at the program's own numbers.
const SMALL_STEPS: usize = 20;
/// Larger initial values are not looked through.
const MAX_BYTES: u64 = 1 << 16;
const MAX_CLASSES: usize = 60;
const MAX_DEPTH: usize = 4;

/// The threads of one `Spawn`.
pub struct Class {
    pub root: FuncId,
    /// Who starts them; the first thread is its own parent.
    pub parent: TemplateId,
    /// There is never more than one.
    pub single: bool,
    /// All arguments that they are given.
    pub arg: Value,
    /// Counters of the loop that starts them (if that runs once), with their values at the start.
    pub counters: BTreeMap<Reg, Interval>,
    /// The head of that loop.
    pub around: Option<BlockId>,
    /// Its bound, if threads are started before the counter makes its step, and only in iterations
    /// within the bound: the head, which looks at it, also runs in the iteration that leaves.
    pub bound: Option<Sweep>,
}

/// Who uses a region.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Users {
    pub templates: BTreeSet<TemplateId>,
    /// Somebody uses an object of it that may be another thread's.
    pub foreign: bool,
}

/// A loop that reads ids and joins them, one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sweeping {
    pub slices: BTreeSet<Slice>,
    /// Where the counter starts.
    pub from: Interval,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blocks {
    pub size: Interval,
    pub zeroed: bool,
}

pub struct Interference<'p> {
    pub flat: &'p Flat,
    pub question: Question<'p>,
    pub templates: Vec<Class>,
    ids: BTreeMap<(TemplateId, BlockId, usize, FuncId), TemplateId>,
    /// What is stored while other threads may run.
    pub shared: Memory,
    /// Memory as the first thread leaves it when it starts another one.
    pub handed: Option<Memory>,
    /// What threads return.
    pub returned: Value,
    pub users: BTreeMap<Region, Users>,
    /// Places whose locks exclude no thread.
    pub broken: BTreeSet<(Region, Interval)>,
    /// Classes with threads that may run at the same time, as far as one thread starts both.
    pub together: BTreeSet<(TemplateId, TemplateId)>,
    /// Counters that may wrap around.
    pub unsteady: BTreeSet<(TemplateId, Reg)>,
    pub sweeps: BTreeMap<(TemplateId, BlockId), Sweeping>,
    pub heap: BTreeMap<Region, Blocks>,
    pub freed: BTreeSet<Region>,
    pub changed: bool,
    iteration: usize,
}

impl<'p> Interference<'p> {
    pub fn new(flat: &'p Flat, question: Question<'p>) -> Interference<'p> {
        let main = Class {
            root: flat.program.entry,
            parent: TemplateId::MAIN,
            single: true,
            arg: Value::any_number(),
            counters: BTreeMap::new(),
            around: None,
            bound: None,
        };
        Interference {
            flat,
            question,
            templates: vec![main],
            ids: BTreeMap::new(),
            shared: Memory::default(),
            handed: None,
            returned: Value::default(),
            users: BTreeMap::new(),
            broken: BTreeSet::new(),
            together: BTreeSet::new(),
            unsteady: BTreeSet::new(),
            sweeps: BTreeMap::new(),
            heap: BTreeMap::new(),
            freed: BTreeSet::new(),
            changed: false,
            iteration: 0,
        }
    }

    /// Walks all templates until nothing is new; the log is that of the last iteration.
    pub fn settle(&mut self) -> Result<Log, Unclear> {
        let mut steps = 0;
        for iteration in 0..MAX_ITERATIONS {
            (self.iteration, self.changed) = (iteration, false);
            let mut log = Log::default();
            let mut template = 0;
            while template < self.templates.len() {
                Walk::new(self, TemplateId(template as u32), &mut log, &mut steps)?.run()?;
                template += 1;
            }
            self.judge_locks(&log);
            if !self.changed {
                return Ok(log);
            }
        }
        Err(Unclear::new("what threads do to each other does not settle", Span::NONE))
    }

    pub fn template(&self, id: TemplateId) -> &Class {
        &self.templates[id.index()]
    }

    pub fn graph(&self, id: TemplateId) -> Option<&'p Graph> {
        self.flat.graphs.get(&self.template(id).root)
    }

    pub fn first(&self) -> First<'_> {
        First { program: &self.flat.program, heap: &self.heap }
    }

    /// Do several threads use objects of the region together?
    pub fn is_shared(&self, region: Region) -> bool {
        let Some(users) = self.users.get(&region) else { return false };
        let many = |template: &TemplateId| !self.template(*template).single;
        users.templates.len() > 1 || users.foreign && users.templates.iter().any(many)
    }

    /// Is there never more than one object of it, or only one that its owner can mean?
    pub fn is_one_object(&self, region: Region) -> bool {
        match region {
            Region::Heap(template, block, _) => {
                let repeats = self.graph(template).is_none_or(|g| g.repeats(block));
                self.template(template).single && !repeats
            }
            _ => true,
        }
    }

    /// Is there one such object in the whole program?
    pub fn is_unique(&self, region: Region) -> bool {
        match region {
            Region::Object(_) => true,
            Region::Slot(template, _) => self.template(template).single,
            Region::Heap(..) => self.is_one_object(region),
            Region::ThreadLocal(..) | Region::Function(_) => false,
        }
    }

    pub fn use_region(&mut self, template: TemplateId, base: Base) {
        let users = self.users.entry(base.region).or_default();
        let own = !matches!(base.region, Region::Object(_))
            && matches!(base.owner, Ownership::New | Ownership::Own);
        let foreign = !own;
        if users.templates.insert(template) | (foreign && !users.foreign) {
            users.foreign |= foreign;
            self.changed = true;
        }
    }

    /// What a thread may find in shared memory.
    pub fn look(&self, region: Region, at: Spot, size: u64) -> Value {
        let stored = self.shared.load(region, at, size, &Nothing);
        let first = self.first();
        let handed = match &self.handed {
            Some(memory) => memory.load(region, at, size, &first),
            None => Memory::default().load(region, at, size, &first),
        };
        handed.join(&stored).published()
    }

    pub fn put(&mut self, region: Region, at: Spot, size: u64, value: &Value) {
        let stops = if self.iteration < SMALL_STEPS { &self.flat.stops[..] } else { &[] };
        let widen = (self.iteration >= EXACT_ITERATIONS).then_some(stops);
        let how = Adding { first: &Nothing, widen };
        self.changed |= self.shared.add(region, at, size, value, &how);
    }

    /// The first thread starts another one with memory as it is.
    pub fn hand_over(&mut self, memory: &Memory) {
        let first = First { program: &self.flat.program, heap: &self.heap };
        let after = match &self.handed {
            None => memory.clone(),
            Some(before) if self.iteration >= EXACT_ITERATIONS => before.widen(memory, &first),
            Some(before) => before.join(memory, &first),
        };
        if self.handed.as_ref() != Some(&after) {
            self.handed = Some(after);
            self.changed = true;
        }
    }

    pub fn add_returned(&mut self, value: &Value) {
        let after = self.returned.widen(&value.published());
        if after != self.returned {
            self.returned = after;
            self.changed = true;
        }
    }

    pub fn add_blocks(&mut self, region: Region, size: Interval, zeroed: bool) {
        let new = Blocks { size, zeroed };
        let entry = self.heap.entry(region).or_insert(new);
        let after = Blocks { size: entry.size.widen(size), zeroed: entry.zeroed && zeroed };
        if after != *entry {
            *entry = after;
            self.changed = true;
        }
    }

    /// The template that this `Spawn` starts; made when first met.
    pub fn child(
        &mut self,
        parent: TemplateId,
        block: BlockId,
        at: usize,
        root: FuncId,
    ) -> Result<TemplateId, Unclear> {
        if let Some(id) = self.ids.get(&(parent, block, at, root)) {
            return Ok(*id);
        }
        if self.templates.len() >= MAX_CLASSES || self.depth(parent) >= MAX_DEPTH {
            return Err(Unclear::new("too many places that start threads", Span::NONE));
        }
        let id = TemplateId(self.templates.len() as u32);
        let Some(graph) = self.graph(parent) else {
            return Err(Unclear::new("a thread function without a graph", Span::NONE));
        };
        let around = if self.template(parent).single { graph.only_loop(block) } else { None };
        let counters = around.iter().flat_map(|l| &l.counters);
        // A placeholder until the first start tells the values.
        let empty = |c: &super::flat::Counter| (c.reg, Interval { lo: i128::MAX, hi: i128::MIN });
        self.templates.push(Class {
            root,
            parent,
            single: self.template(parent).single && !graph.repeats(block),
            arg: Value::default(),
            counters: counters.map(empty).collect(),
            around: around.map(|l| l.head),
            bound: around.and_then(|l| {
                l.sweep.filter(|s| l.head != block && graph.before_step(l, s.counter, (block, at)))
            }),
        });
        self.ids.insert((parent, block, at, root), id);
        self.changed = true;
        Ok(id)
    }

    /// The instruction that starts the threads of a template.
    pub fn start(&self, template: TemplateId) -> Option<Site> {
        let (start, _) = self.ids.iter().find(|(_, id)| **id == template)?;
        Some((start.0, start.1, start.2))
    }

    /// The templates that this instruction starts.
    pub fn children(&self, (parent, block, at): Site) -> impl Iterator<Item = TemplateId> {
        let from = (parent, block, at, FuncId(0));
        self.ids.range(from..=(parent, block, at, FuncId(u32::MAX))).map(|(_, id)| *id)
    }

    fn depth(&self, template: TemplateId) -> usize {
        let mut depth = 0;
        let mut at = template;
        while at != TemplateId::MAIN {
            (at, depth) = (self.template(at).parent, depth + 1);
        }
        depth
    }

    pub fn add_argument(&mut self, template: TemplateId, arg: &Value) {
        let widen = self.iteration >= EXACT_ITERATIONS;
        let entry = &mut self.templates[template.index()];
        let after = if widen { entry.arg.widen(arg) } else { entry.arg.join(arg) };
        if after != entry.arg {
            entry.arg = after;
            self.changed = true;
        }
    }

    pub fn add_start(&mut self, template: TemplateId, counter: Reg, value: Interval) {
        if let Some(seen) = self.templates[template.index()].counters.get_mut(&counter) {
            let after = if seen.lo > seen.hi { value } else { seen.widen(value) };
            if after != *seen {
                *seen = after;
                self.changed = true;
            }
        }
    }

    pub fn add_together(&mut self, a: TemplateId, b: TemplateId) {
        let pair = if a <= b { (a, b) } else { (b, a) };
        self.changed |= self.together.insert(pair);
    }

    pub fn mark_unsteady(&mut self, template: TemplateId, counter: Reg) {
        self.changed |= self.unsteady.insert((template, counter));
    }

    /// Sets what a loop sweeps; a new finding asks for another iteration.
    pub fn set_sweep(&mut self, template: TemplateId, head: BlockId, found: Sweeping) {
        if self.sweeps.get(&(template, head)) != Some(&found) {
            self.sweeps.insert((template, head), found);
            self.changed = true;
        }
    }

    /// A loop joins nothing, as far as is known now: an earlier finding does not hold any more.
    pub fn no_sweep(&mut self, template: TemplateId, head: BlockId) {
        self.changed |= self.sweeps.remove(&(template, head)).is_some();
    }

    pub fn is_broken(&self, lock: Lock) -> bool {
        let here =
            |(region, at): &(Region, Interval)| *region == lock.region && at.contains(lock.offset);
        self.broken.iter().any(here)
    }

    pub fn break_locks(&mut self, region: Region, at: Interval) {
        self.changed |= self.broken.insert((region, at));
    }

    /// Does no thread run but this one? Threads that others have started may go on unseen.
    pub fn is_quiet(&self, template: TemplateId, state: &State) -> bool {
        let has_children =
            |c: &TemplateId| self.templates.iter().skip(1).any(|child| child.parent == *c);
        template == TemplateId::MAIN
            && state.alive.is_empty()
            && !state.started.iter().any(has_children)
    }

    /// A lock that is written to like any other memory, while others may hold it, excludes no thread.
    fn judge_locks(&mut self, log: &Log) {
        for lock in log.locks.iter().filter(|lock| lock.family == LockFamily::Semaphore) {
            let Some(handed) = &self.handed else { continue };
            let (at, size) = (Spot::one(lock.offset), lock.family.bytes());
            let start = handed.load(lock.region, at, size, &self.first());
            if !start.as_number().is_some_and(|n| n.within(Interval::BOOL)) {
                self.break_locks(lock.region, Interval::one(lock.offset));
            }
        }
        for access in log.accesses.iter().chain(&log.early).filter(|a| a.write) {
            for lock in &log.locks {
                let meets = lock.is_met(access.base.region, access.offset, access.size);
                if meets && access.breaks(*lock) {
                    self.break_locks(lock.region, Interval::one(lock.offset));
                }
            }
            for locks in &log.elements {
                let Access { base, offset, sym, size, .. } = *access;
                let meets = locks.are_met(base.region, offset, sym, size);
                if meets && access.breaks_elements(*locks) {
                    self.break_locks(locks.region, Interval::TOP);
                }
            }
        }
    }

    /// Are there locks in the object that exclude no thread?
    pub fn has_broken(&self, region: Region) -> bool {
        self.broken.iter().any(|(broken, _)| *broken == region)
    }
}

/// What memory holds before anybody has written to it.
pub struct First<'a> {
    pub program: &'a Program,
    pub heap: &'a BTreeMap<Region, Blocks>,
}

impl Initial for First<'_> {
    fn at(&self, region: Region, place: OffsetRange) -> Value {
        match region {
            Region::Object(o) | Region::ThreadLocal(_, o) => {
                initial_bytes(self.program, &self.program.objects[o.index()], place)
            }
            Region::Heap(..) if self.heap.get(&region).is_some_and(|b| b.zeroed) => {
                Value::constant(0)
            }
            _ => Value::garbage(),
        }
    }

    fn anywhere(&self, region: Region, at: Spot, size: u64) -> Value {
        let mut value = Value::garbage();
        if self.heap.get(&region).is_some_and(|b| b.zeroed) {
            value.num = Some(Interval::ZERO);
        }
        if let Region::Object(o) | Region::ThreadLocal(_, o) = region {
            let object = &self.program.objects[o.index()];
            value.num = Some(initial_numbers(object, at, size));
            value.made =
                object.kind == ObjectKind::External || object.bytes.iter().any(|b| *b != 0);
            for (_, address) in &object.relocations {
                let exact = size == self.program.machine.pointer_bytes();
                let address = constant_address(address);
                value = value.join(&if exact { address } else { address.scrambled() });
            }
        }
        value
    }
}

fn initial_bytes(program: &Program, object: &Object, place: OffsetRange) -> Value {
    let inside =
        place.offset >= 0 && place.offset + i128::from(place.size) <= i128::from(object.size);
    if object.kind == ObjectKind::External || !inside {
        return Value::any_number();
    }
    let from = place.offset as u64;
    let pointer = program.machine.pointer_bytes();
    for (at, address) in &object.relocations {
        let address = constant_address(address);
        if *at == from && place.size == pointer {
            return address;
        }
        if *at < from + place.size && from < at + pointer {
            return address.scrambled();
        }
    }
    let byte = |i: u64| object.bytes.get((from + i) as usize).copied().unwrap_or(0);
    let bits = (0..place.size.min(8)).fold(0u64, |n, i| n | u64::from(byte(i)) << (8 * i));
    Value::constant(i128::from(bits))
}

/// What numbers of that size are somewhere in the object, accesses outside of it left aside.
fn initial_numbers(object: &Object, at: Spot, size: u64) -> Interval {
    if object.kind == ObjectKind::External || size > 8 {
        return Interval::TOP;
    }
    if object.bytes.iter().all(|b| *b == 0) {
        return Interval::ZERO;
    }
    let first = at.lane(size).and_then(|lane| usize::try_from(lane).ok());
    let Some(first) = first.filter(|_| object.size <= MAX_BYTES) else { return Interval::TOP };
    let byte = |i: usize| u64::from(object.bytes.get(i).copied().unwrap_or(0));
    let end = object.size.saturating_sub(size) as usize;
    let lanes = (first..=end).step_by(size as usize);
    let numbers =
        lanes.map(|from| (0..size as usize).fold(0, |n, i| n | byte(from + i) << (8 * i)));
    let hull = numbers.map(|n| Interval::one(i128::from(n))).reduce(Interval::hull);
    hull.unwrap_or(Interval::TOP)
}

fn constant_address(operand: &Operand) -> Value {
    match operand {
        Operand::Const { bits, .. } => Value::constant(i128::from(*bits)),
        Operand::Object { object, offset } => {
            Value::address(Region::Object(*object), Ownership::Any, i128::from(*offset))
        }
        Operand::Function(f) => Value::address(Region::Function(*f), Ownership::Any, 0),
        Operand::Reg(_) | Operand::Slot { .. } => Value::anything(),
    }
}
