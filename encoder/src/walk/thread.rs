//! Threads: starting, ending and waiting for them.
//!
//! A thread is named by the place that starts it, so every walk finds the same ones. Its id is what
//! the interpreter would give: a counter that spawning reads and increments. If only one thread
//! starts others the counter is local to it, and ids are constants.
//!
//! A join is an order: the end of the thread comes before it, when it is executed and the id is that
//! thread's. What a thread returns and whether it ends are terms over its own variables; where they
//! are asked for before that thread was walked, a variable stands in, defined at the end.

use super::state::{WalkState, meet};
use super::stuck::Wait;
use super::{Purpose, Walk};
use crate::Unencodable;
use crate::event::{Fault, GoalKind, NodeId, NodeKind, ProgramPoint, ThreadId};
use crate::object::{Birth, CellKey, Contents, Object, ObjectId, function_address};
use crate::term::{Sort, Term};
use crate::value::{AbstractValue, Numbers};
use imbl::OrdMap;
use ir::{FuncId, JOINED_BEFORE, Operand, Reg, Span};
use rustc_hash::FxHashMap;

/// How often a thread may start one like itself, directly or not.
const NESTED: usize = 4;
const THREADS: usize = 2000;

/// All threads ever met, by the place that starts them.
#[derive(Debug, Default)]
pub struct Registry {
    ids: FxHashMap<(ThreadId, ProgramPoint, FuncId), ThreadId>,
    started: Vec<Option<(ThreadId, ProgramPoint, FuncId)>>,
    /// What the id of each can be.
    values: Vec<AbstractValue>,
    /// How many starts a walk has met at most.
    starts: u32,
}

impl Registry {
    pub fn first(&mut self) -> ThreadId {
        if self.started.is_empty() {
            self.started.push(None);
            self.values.push(AbstractValue::number(1));
        }
        ThreadId(0)
    }

    fn at(&mut self, parent: ThreadId, place: ProgramPoint, function: FuncId) -> (ThreadId, bool) {
        if let Some(&id) = self.ids.get(&(parent, place, function)) {
            return (id, false);
        }
        let id = ThreadId::new(self.started.len());
        self.ids.insert((parent, place, function), id);
        self.started.push(Some((parent, place, function)));
        self.values.push(AbstractValue::default());
        (id, true)
    }

    /// How many ancestors of a thread, itself included, run this function from this place.
    fn nesting(&self, mut thread: ThreadId, function: FuncId) -> usize {
        let mut count = 0;
        while let Some((parent, _, f)) = self.started[thread.index()] {
            count += usize::from(f == function);
            thread = parent;
        }
        count
    }

    pub fn len(&self) -> usize {
        self.started.len()
    }
}

/// One end of a thread: when, with what, which slots live there, what it has written.
#[derive(Clone, Debug)]
struct ThreadEnd {
    guard: Term,
    value: Option<Term>,
    slots: Vec<Term>,
    memory: OrdMap<CellKey, Term>,
}

/// A thread in the current walk.
#[derive(Clone, Debug)]
pub struct Running {
    pub function: FuncId,
    pub guard: Term,
    pub id: Term,
    pub nodes: Vec<NodeId>,
    pub spawned_at: Option<NodeId>,
    /// Who started it, as which of its threads.
    started_by: Option<(ThreadId, u32)>,
    /// How many threads it has started so far.
    pub started: u32,
    /// Where it ends.
    ends: Vec<ThreadEnd>,
    /// What it has written where it ends, if it does.
    left: OrdMap<CellKey, Term>,
    pub ended: Term,
    returned: Term,
    done: bool,
    pub met: bool,
    /// Somebody asked for it before it was done.
    asked: bool,
}

impl Walk<'_> {
    /// Makes room for all threads that are known; those not met yet are stand-ins.
    fn make_room(&mut self) {
        while self.running.len() < self.registry.len() {
            let id = ThreadId::new(self.running.len());
            let width = self.pointer_width();
            let stand_in = Running {
                function: self.program.entry,
                guard: self.var(Purpose::Started(id), Sort::Bool),
                id: self.var(Purpose::Id(id), Sort::Bits(32)),
                nodes: Vec::new(),
                spawned_at: None,
                started_by: None,
                started: 0,
                ends: Vec::new(),
                left: OrdMap::new(),
                ended: self.var(Purpose::Ended(id), Sort::Bool),
                returned: self.var(Purpose::Returned(id), Sort::Bits(width)),
                done: false,
                met: false,
                asked: false,
            };
            self.running.push(stand_in);
        }
    }

    pub(super) fn begin_thread(
        &mut self,
        thread: ThreadId,
        function: FuncId,
        guard: Term,
        id: Term,
    ) {
        self.make_room();
        for (purpose, value) in [(Purpose::Started(thread), guard), (Purpose::Id(thread), id)] {
            self.define(thread, purpose, value);
        }
        let value = self.value_of(id);
        let grown = self.registry.values[thread.index()].join(&value);
        if grown != self.registry.values[thread.index()] {
            // Who asked for it before has not seen all.
            self.registry.values[thread.index()] = grown;
            self.space.note_change();
        }
        let running = &mut self.running[thread.index()];
        running.function = function;
        running.guard = guard;
        running.id = id;
        running.met = true;
    }

    /// A stand-in, if anybody has used it, is this.
    fn define(&mut self, thread: ThreadId, purpose: Purpose, value: Term) {
        if self.running[thread.index()].asked {
            let var = self.var(purpose, self.pool.sort(value));
            let same = self.pool.eq(var, value);
            self.facts.push(same);
        }
    }

    pub(super) fn walk_thread(
        &mut self,
        thread: ThreadId,
        function: FuncId,
        state: WalkState,
    ) -> Result<(), Unencodable> {
        self.thread = thread;
        self.walk_blocks(function, state)?;
        self.close_thread(thread, function);
        Ok(())
    }

    /// One of its ends.
    pub(super) fn end_of_thread(&mut self, state: WalkState, value: Option<Term>) {
        let slots = state.slots.values().copied().collect();
        let end = ThreadEnd { guard: state.guard, value, slots, memory: state.memory };
        self.running[self.thread.index()].ends.push(end);
    }

    fn close_thread(&mut self, thread: ThreadId, function: FuncId) {
        let ends = std::mem::take(&mut self.running[thread.index()].ends);
        let width = self.pointer_width();
        let mut ended = self.pool.bool(false);
        let mut returned = self.pool.bits(0, width);
        let mut left = OrdMap::new();
        for (i, end) in ends.iter().enumerate() {
            let guard = end.guard;
            let value = match end.value {
                Some(v) => self.resized(v, width),
                None => self.pool.bits(0, width),
            };
            if i == 0 {
                (ended, returned, left) = (guard, value, end.memory.clone());
                continue;
            }
            let (either, first) = meet(&mut self.pool, ended, guard);
            returned = self.pool.ite(first, returned, value);
            left = self.merge_memory(first, &left, &end.memory);
            ended = either;
        }
        self.at = self.function_end(function);
        self.span = Span::NONE;
        let node = self.push_node(thread, NodeKind::End, ended, Span::NONE);
        self.current = Some(node);
        let mut state = WalkState { memory: left, ..WalkState::new(ended) };
        self.end_slots(&mut state, &ends);
        state.guard = ended;
        self.end_own(&mut state, ended);
        self.set_ended_flag(&mut state, thread, ended);
        self.define(thread, Purpose::Ended(thread), ended);
        self.define(thread, Purpose::Returned(thread), returned);
        let running = &mut self.running[thread.index()];
        running.ended = ended;
        running.returned = returned;
        running.left = state.memory;
        running.done = true;
    }

    fn function_end(&self, function: FuncId) -> ProgramPoint {
        let blocks = &self.program.functions[function.index()].blocks;
        ProgramPoint { block: ir::BlockId(blocks.len() as u32), index: 0 }
    }

    /// Locals end with their thread. (Those of another end were never there, or are gone already.)
    fn end_slots(&mut self, state: &mut WalkState, ends: &[ThreadEnd]) {
        for ThreadEnd { guard, slots, .. } in ends {
            state.guard = *guard;
            for &address in slots {
                self.end_objects(state, address);
            }
        }
    }

    fn set_ended_flag(&mut self, state: &mut WalkState, thread: ThreadId, ended: Term) {
        let Some(flag) = self.space.find(Birth::Ended(thread)) else { return };
        let Some(cell) = self.only_cell(flag, 1) else { return };
        let (one, always) = (self.pool.bits(1, 8), self.pool.bool(true));
        self.store_cell(state, cell, one, always, ended, NodeKind::End);
    }

    pub(super) fn only_cell(&mut self, object: ObjectId, bytes: u64) -> Option<CellKey> {
        self.space.cells_at(object, 0, bytes)?.first().copied()
    }

    /// An object that no program names.
    pub(super) fn hidden(
        &mut self,
        birth: Birth,
        name: &str,
        bytes: u64,
        contents: Contents,
    ) -> ObjectId {
        match self.space.find(birth) {
            Some(id) => id,
            None => self.space.add(Object::new(birth, name.into(), bytes, contents)),
        }
    }

    pub(super) fn spawn(
        &mut self,
        state: &mut WalkState,
        dst: Reg,
        place: Option<&Operand>,
        function: &Operand,
        arg: &Operand,
    ) -> Result<(), Unencodable> {
        self.about_to_spawn(state);
        let (callee, arg) = (self.operand(state, function), self.operand(state, arg));
        let width = self.reg_width(dst);
        let writes = place.map(|place| self.place_for_id(state, place, u64::from(width / 8)));
        let node = self.node(state, NodeKind::Spawn);
        if state.atomic.is_none() {
            self.nodes[node.index()].guard = state.guard;
        }
        let id = self.next_id(state);
        let stored = self.resized(id, width);
        for write in writes.into_iter().flatten() {
            self.store_bytes(state, stored, write);
        }
        let known = self.value_of(callee);
        let mut found = self.pool.bool(false);
        for i in 0..self.program.functions.len() {
            let f = FuncId(i as u32);
            let address = function_address(f);
            if !may_be(&known.numbers, address) || !self.program.functions[i].has_body() {
                continue;
            }
            let address = self.pool.bits(address, self.pointer_width());
            let this = self.pool.eq(callee, address);
            let guard = self.pool.and(state.guard, this);
            found = self.pool.or(found, this);
            if !self.pool.is_false(guard) {
                self.start(state, node, f, guard, id, arg)?;
            }
        }
        let not_found = self.pool.not(found);
        let guard = self.pool.and(state.guard, not_found);
        self.goal(state, GoalKind::Unsupported("a thread with an unknown function".into()), guard);
        state.guard = self.pool.and(state.guard, found);
        state.regs.insert(dst, stored);
        Ok(())
    }

    fn next_id(&mut self, state: &mut WalkState) -> Term {
        let counter = self.hidden(Birth::Counter, "thread ids", 4, Contents::Number(2));
        let Some(cell) = self.only_cell(counter, 4) else { return self.pool.bits(0, 32) };
        let id = self.load_cell(state, cell, state.guard, NodeKind::Spawn);
        let one = self.pool.bits(1, 32);
        let next = self.pool.add(id, one);
        self.count_start(next);
        let always = self.pool.bool(true);
        self.store_cell(state, cell, next, always, state.guard, NodeKind::Spawn);
        id
    }

    /// There are no more ids than starts.
    fn count_start(&mut self, next: Term) {
        self.starts += 1;
        if self.starts > self.registry.starts {
            self.registry.starts = self.starts;
            self.space.note_change();
        }
        if self.pool.constant(next).is_none() {
            self.values.set(next, AbstractValue::range(3, 2 + u64::from(self.registry.starts)));
        }
    }

    fn start(
        &mut self,
        state: &WalkState,
        node: NodeId,
        f: FuncId,
        guard: Term,
        id: Term,
        arg: Term,
    ) -> Result<(), Unencodable> {
        if self.registry.nesting(self.thread, f) >= NESTED || self.registry.len() > THREADS {
            let what = "threads that start threads without end".to_string();
            self.goal(state, GoalKind::Unsupported(what), guard);
            return Ok(());
        }
        let (thread, new) = self.registry.at(self.thread, self.at, f);
        if self.running.get(thread.index()).is_some_and(|r| r.met) {
            let what = "a thread started on two ways into an atomic block".to_string();
            self.goal(state, GoalKind::Unsupported(what), guard);
            return Ok(());
        }
        if new {
            self.space.note_change();
        }
        self.begin_thread(thread, f, guard, id);
        let number = self.running[self.thread.index()].started;
        self.running[self.thread.index()].started += 1;
        let running = &mut self.running[thread.index()];
        running.spawned_at = Some(node);
        running.started_by = Some((self.thread, number));
        let (parent, at, span, current) = (self.thread, self.at, self.span, self.current);
        let (memory, joined) = (state.memory.clone(), state.joined.clone());
        let mut child = WalkState { memory, joined, ..WalkState::new(guard) };
        if let Some(atomic) = &state.atomic {
            // The child sees what the block has done.
            for (&cell, pending) in &atomic.writes {
                self.remember(&mut child, cell, pending.value, pending.written);
            }
        }
        let function = &self.program.functions[f.index()];
        self.thread = thread;
        for (i, &param) in function.params.iter().enumerate() {
            let width = self.reg_width(param);
            let value = match i {
                0 => self.resized(arg, width),
                _ => self.var(Purpose::Register(thread, param), Sort::Bits(width)),
            };
            child.regs.insert(param, value);
        }
        self.walk_thread(thread, f, child)?;
        (self.thread, self.at, self.span, self.current) = (parent, at, span, current);
        if let Some(&first) = self.running[thread.index()].nodes.first() {
            self.edges.push((node, first));
        }
        Ok(())
    }

    /// The threads that an id may name, with the condition that it does.
    fn named(&mut self, id: Term) -> Vec<(ThreadId, Term)> {
        self.make_room();
        let id = self.resized(id, 32);
        let known = self.value_of(id);
        let mut out = Vec::new();
        for i in 0..self.running.len() {
            if !overlap(&known.numbers, &self.registry.values[i].numbers) {
                continue;
            }
            let (other, guard) = (self.running[i].id, self.running[i].guard);
            let same = self.pool.eq(id, other);
            let here = self.pool.and(same, guard);
            if !self.pool.is_false(here) {
                self.running[i].asked |= !self.running[i].done;
                out.push((ThreadId::new(i), here));
            }
        }
        out
    }

    pub(super) fn join(&mut self, state: &mut WalkState, dst: Reg, thread: &Operand) {
        let id = self.operand(state, thread);
        let node = self.node(state, NodeKind::Join);
        let mut exists = self.pool.bool(false);
        let mut over = self.pool.bool(false);
        let mut result = self.pool.bits(0, self.pointer_width());
        let named = self.named(id);
        for &(other, here) in &named {
            exists = self.pool.or(exists, here);
            if other == self.thread {
                continue; // waits for ever
            }
            let running = &self.running[other.index()];
            let (ended, returned) = (running.ended, running.returned);
            let done = self.pool.and(here, ended);
            over = self.pool.or(over, done);
            result = self.pool.ite(here, returned, result);
        }
        let unknown = self.pool.not(exists);
        let guard = self.pool.and(state.guard, unknown);
        let what = "joining something that is not a thread".to_string();
        self.goal(state, GoalKind::Unsupported(what), guard);
        let goes_on = self.pool.or(over, unknown);
        self.about_to_wait(state, goes_on, Wait::Blocked);
        state.guard = self.pool.and(state.guard, over);
        if let [(other, here)] = named[..] {
            if self.pool.implies(state.guard, here) && self.running[other.index()].done {
                state.joined.insert(other);
            }
        }
        if state.atomic.is_none() {
            self.nodes[node.index()].guard = state.guard;
        }
        for (other, here) in named {
            let condition = self.pool.and(state.guard, here);
            if other != self.thread && !self.pool.is_false(condition) {
                self.waits.push((condition, other, node));
                self.join_once(state, other, here);
            }
        }
        let result = self.resized(result, self.reg_width(dst));
        state.regs.insert(dst, result);
    }

    /// The life of its id is over now; if it was before, anything may happen.
    fn join_once(&mut self, state: &mut WalkState, other: ThreadId, here: Term) {
        let flag = self.hidden(Birth::Joined(other), "joined", 1, Contents::Zero);
        let Some(cell) = self.only_cell(flag, 1) else { return };
        let guard = self.pool.and(state.guard, here);
        let before = self.load_cell(state, cell, guard, NodeKind::Join);
        let again = self.pool.truth(before);
        let bad = self.pool.and(guard, again);
        let what = JOINED_BEFORE.to_string();
        let kind = match self.checks_memory() {
            true => GoalKind::Error(Fault::Deref, what),
            false => GoalKind::InvalidAccess(what),
        };
        self.goal(state, kind, bad);
        let twice = self.pool.and(here, again);
        let once = self.pool.not(twice);
        state.guard = self.pool.and(state.guard, once);
        let guard = self.pool.and(state.guard, here);
        let one = self.pool.bits(1, 8);
        self.store_cell(state, cell, one, here, guard, NodeKind::Join);
    }

    pub(super) fn ended(&mut self, state: &mut WalkState, dst: Reg, thread: &Operand) {
        let id = self.operand(state, thread);
        let mut exists = self.pool.bool(false);
        let mut result = self.pool.bits(0, 8);
        for (other, here) in self.named(id) {
            let flag = self.hidden(Birth::Ended(other), "ended", 1, Contents::Zero);
            let Some(cell) = self.only_cell(flag, 1) else { continue };
            let guard = self.pool.and(state.guard, here);
            let value = self.load_cell(state, cell, guard, NodeKind::Access);
            result = self.pool.ite(here, value, result);
            exists = self.pool.or(exists, here);
        }
        let unknown = self.pool.not(exists);
        let guard = self.pool.and(state.guard, unknown);
        let what = "asking about something that is not a thread".to_string();
        self.goal(state, GoalKind::Unsupported(what), guard);
        state.guard = self.pool.and(state.guard, exists);
        let result = self.resized(result, self.reg_width(dst));
        state.regs.insert(dst, result);
    }
}

/// What a thread knows of what others alone have written.
impl Walk<'_> {
    /// The value of a cell that somebody else alone writes, if it cannot change any more: from
    /// before that one started us, or from after we have joined it.
    pub(super) fn settled(&mut self, state: &WalkState, cell: CellKey) -> Option<Term> {
        let writer = self.space.writer(cell)?;
        if state.joined.contains(&writer) {
            let left = self.running[writer.index()].left.get(&cell).copied();
            return Some(left.unwrap_or_else(|| self.first_value(cell)));
        }
        let number = self.number_under(writer)?;
        if number < self.space.cell(cell).late {
            return None;
        }
        Some(match state.memory.get(&cell) {
            Some(&t) => t,
            None => self.first_value(cell),
        })
    }

    /// As which of `ancestor`'s threads the running one, or who started it, was started.
    fn number_under(&self, ancestor: ThreadId) -> Option<u32> {
        let mut thread = self.thread;
        loop {
            let (parent, number) = self.running[thread.index()].started_by?;
            if parent == ancestor {
                return Some(number);
            }
            thread = parent;
        }
    }
}

fn may_be(numbers: &Numbers, k: u64) -> bool {
    match numbers {
        Numbers::List(l) => l.contains(&k),
        Numbers::Range(lo, hi) => (*lo..=*hi).contains(&k),
        Numbers::Any => true,
    }
}

fn overlap(a: &Numbers, b: &Numbers) -> bool {
    match (a, b) {
        (Numbers::List(a), Numbers::List(b)) => a.iter().any(|k| b.contains(k)),
        (Numbers::List(a), b) => a.iter().any(|&k| may_be(b, k)),
        (a, Numbers::List(b)) => b.iter().any(|&k| may_be(a, k)),
        _ => true,
    }
}
