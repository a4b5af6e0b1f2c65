//! Executes instructions of one thread.
//!
//! The program counter moves on before an instruction has its effect, so that "what is still
//! referenced" means "by what comes after it". A step that can turn out not to have happened (an
//! atomic block, `Wait`, `Join`) starts with a snapshot of the state; taking one costs a few counts.
//!
//! A thread that is cut inside of an atomic block leaves no trace of the block: for the others it is
//! as if it had not been scheduled any more.

use crate::access::NULL_PAGE;
use crate::address::POISON;
use crate::choice::{ChoiceSource, Inputs};
use crate::memory::Birth;
use crate::observe::{Death, Observer};
use crate::state::{State, Status};
use crate::step::{Cut, Interp, StepResult, Violation, ViolationKind};
use crate::symbol::Domain;
use crate::value::{SymId, Tid, Value};
use ir::types::Scalar;
use ir::{
    At, AtomicKind, Callee, FuncId, Function, Inst, InstId, InstKind, JOINED_BEFORE, MemoryOrder,
    Operand, Origin, Reg, Span, Stop, Storage, Terminator,
};
use triomphe::Arc;

/// Why an execution through inline assembly shows no violation.
pub const BEHIND_ASSEMBLY: &str =
    "inline assembly or a rough result on the way to a possible violation";

/// Why execution does not simply go on.
#[derive(Clone, Debug)]
pub(crate) enum Halt {
    Blocked,
    ThreadEnded,
    ProcessEnded,
    Cut(Cut),
    Violation(ViolationKind, String),
    Unsupported(String),
    Refused(String),
}

pub(crate) type ExecResult<T = ()> = Result<T, Halt>;

pub(crate) struct Exec<'a, 'p, I: ?Sized, O: ?Sized> {
    pub interp: &'a Interp<'p>,
    pub state: &'a mut State,
    pub thread: Tid,
    pub inputs: &'a mut I,
    pub observer: &'a mut O,
    /// The atomic blocks we are in.
    pub atomic: Vec<AtomicKind>,
    /// Symbols of the old state about which something was found out in this step.
    pub narrowed: Vec<(SymId, u64, Domain)>,
    /// Symbols that became numbers in this step, for values that were read before.
    pub decided: Vec<(SymId, i128)>,
    /// Of the running instruction.
    pub span: Span,
    pub id: InstId,
}

impl<'a, 'p, I: Inputs + ?Sized, O: Observer + ?Sized> Exec<'a, 'p, I, O> {
    pub fn new(
        interp: &'a Interp<'p>,
        state: &'a mut State,
        thread: Tid,
        inputs: &'a mut I,
        observer: &'a mut O,
    ) -> Self {
        let At { id, span } = At::NOWHERE;
        Exec {
            interp,
            state,
            thread,
            inputs,
            observer,
            atomic: vec![],
            narrowed: vec![],
            decided: vec![],
            span,
            id,
        }
    }

    pub fn at(&self) -> At {
        At { id: self.id, span: self.span }
    }

    pub fn run(mut self) -> StepResult {
        let before = self.may_be_undone().then(|| self.state.clone());
        match self.run_block() {
            Ok(()) => StepResult::Ran,
            Err(halt) => self.finish(halt, before),
        }
    }

    fn may_be_undone(&self) -> bool {
        self.next_inst().is_some_and(|inst| {
            matches!(
                inst.kind,
                InstKind::AtomicBegin { .. } | InstKind::Wait(_) | InstKind::Join { .. }
            )
        })
    }

    fn next_inst(&self) -> Option<&'p Inst> {
        let frame = self.state.top(self.thread)?;
        self.interp.block(frame).insts.get(frame.index)
    }

    /// One instruction, or all until the last open atomic block is closed.
    fn run_block(&mut self) -> ExecResult {
        self.one()?;
        let mut count = 0;
        while !self.atomic.is_empty() {
            count += 1;
            if count > self.interp.config.max_atomic {
                return Err(Halt::Unsupported("an atomic block does not end".into()));
            }
            self.one()?;
        }
        Ok(())
    }

    fn finish(mut self, halt: Halt, before: Option<State>) -> StepResult {
        let span = self.span;
        match halt {
            Halt::Blocked => self.block(before),
            Halt::ThreadEnded => StepResult::Ended,
            Halt::ProcessEnded => StepResult::ProcessEnded,
            Halt::Cut(why) => {
                if let Some(before) = before {
                    self.go_back(before);
                }
                let call = self.interp.caller_of_model(self.state, self.thread);
                let span = call.map_or(span, |(_, call)| call);
                let keep_frames = self.interp.config.memsafety;
                let thread = self.state.thread_mut(self.thread);
                thread.status = Status::Stopped;
                if !keep_frames {
                    // What it knew is not asked for any more; only the leak check would.
                    thread.frames.clear();
                }
                StepResult::Stopped { why, span }
            }
            Halt::Violation(kind, what) => match self.state.invented() {
                None => {
                    let (thread, id) = (self.thread, self.id);
                    StepResult::Violation(Violation { kind, what, thread, id, span })
                }
                Some(span) => StepResult::Unsupported { what: BEHIND_ASSEMBLY.into(), span },
            },
            Halt::Unsupported(what) => StepResult::Unsupported { what, span },
            Halt::Refused(what) => StepResult::Refused { what, span },
        }
    }

    /// Nothing has happened. Still, if something was decided about an old symbol, then this
    /// decision is the step.
    fn block(mut self, before: Option<State>) -> StepResult {
        let decided = before.is_some_and(|before| self.go_back(before));
        if decided { StepResult::Ran } else { StepResult::Blocked }
    }

    /// Undoes the step, except what was decided about old symbols: did it decide anything?
    fn go_back(&mut self, before: State) -> bool {
        self.observer.undone(self.thread);
        *self.state = before;
        let mut decided = false;
        for (id, serial, domain) in std::mem::take(&mut self.narrowed) {
            if self.state.symbol(id).is_some_and(|s| s.about.serial == serial) {
                decided = true;
                self.interp.narrow_in(self.state, id, &domain);
            }
        }
        decided
    }

    fn one(&mut self) -> ExecResult {
        let interp = self.interp;
        let Some(frame) = self.state.top_mut(self.thread) else { return Err(Halt::ThreadEnded) };
        let (func, block) = (frame.func, interp.block(frame));
        match block.insts.get(frame.index) {
            Some(inst) => {
                frame.index += 1;
                (self.span, self.id) = (inst.span, inst.id);
                self.observer.instruction(self.state, self.thread, func, inst.span);
                self.inst(inst)
            }
            None => {
                (self.span, self.id) = (block.end_span, block.end_id);
                self.observer.instruction(self.state, self.thread, func, block.end_span);
                self.terminator(&block.end)
            }
        }
    }

    fn inst(&mut self, inst: &'p Inst) -> ExecResult {
        match &inst.kind {
            InstKind::Assign { dst, value } => {
                let value = self.rvalue(value)?;
                self.set(*dst, value);
            }
            InstKind::Load { dst, addr, ty, order } => {
                let addr = self.operand(addr);
                let value = self.load(addr, *ty, *order)?;
                self.set(*dst, value);
            }
            InstKind::Store { addr, value, ty, order } => {
                let value = self.operand(value);
                self.store(addr, value, *ty, *order)?;
            }
            InstKind::SlotLive(slot) => self.slot_live(*slot)?,
            InstKind::SlotDead(slot) => self.slot_dead(*slot),
            InstKind::SlotConst { slot, constant } => self.slot_const(*slot, *constant),
            InstKind::Call { dst, callee, args } => self.call(*dst, callee, args)?,
            InstKind::Nondet { dst, ty, bits, name } => {
                let value = self.input(*ty, *bits, name)?;
                self.set(*dst, value);
            }
            InstKind::Assume(cond) => {
                if !self.truth(cond)? {
                    return Err(Halt::Cut(Cut::Assume));
                }
            }
            InstKind::Wait(cond) => {
                if !self.truth(cond)? {
                    return Err(Halt::Blocked);
                }
            }
            InstKind::Error { what } => return Err(self.error(what)),
            InstKind::AtomicBegin { kind } => {
                self.atomic.push(*kind);
                self.observer.atomic_begin(self.thread, *kind, self.span);
            }
            InstKind::AtomicEnd => {
                self.atomic.pop();
                self.observer.atomic_end(self.thread, self.span);
            }
            InstKind::Fence { order, .. } => self.observer.fence(self.thread, *order, self.span),
            InstKind::Spawn { dst, place, function, arg } => {
                self.spawn(*dst, place.as_ref(), function, arg)?;
            }
            InstKind::Join { dst, thread } => self.join(*dst, thread)?,
            InstKind::Ended { dst, thread } => {
                let other = self.named_thread(thread)?;
                let ended = self.state.has_ended(other);
                self.observer.asked_ended(self.thread, other, ended, self.span);
                self.set(*dst, Value::Int(u64::from(ended)));
            }
            InstKind::ThreadSelf { dst } => self.set(*dst, Value::Int(u64::from(self.thread.0))),
            InstKind::Alloc { dst, size, zeroed, storage } => {
                self.alloc(*dst, size, *zeroed, *storage)?;
            }
            InstKind::Free { ptr, storage: Storage::Heap } => self.free(ptr)?,
            InstKind::Free { ptr, storage: Storage::Frame } => self.end_array(ptr)?,
            InstKind::ObjectSize { dst, ptr } => {
                let size = self.object_size(ptr)?;
                self.set(*dst, Value::Int(size));
            }
            InstKind::Unsupported { what } => return Err(Halt::Unsupported(what.clone())),
            // No access is wrong, so it is no violation of memory safety.
            InstKind::Undefined { misuse } if self.interp.config.memsafety => {
                return Err(Halt::Unsupported(misuse.words().to_owned()));
            }
            InstKind::Undefined { misuse } => {
                return Err(self.undefined(misuse.words().to_owned()));
            }
        }
        Ok(())
    }

    fn terminator(&mut self, end: &'p Terminator) -> ExecResult {
        let target = match end {
            Terminator::Goto(block) => *block,
            Terminator::Branch { cond, then, otherwise } => {
                if self.truth(cond)? {
                    *then
                } else {
                    *otherwise
                }
            }
            Terminator::Switch { value, cases, default } => self.switch(value, cases, *default)?,
            Terminator::Return(value) => return self.ret(value.as_ref()),
            Terminator::ExitThread(value) => {
                let value = self.operand(value);
                self.end_thread(value);
                return Err(Halt::ThreadEnded);
            }
            Terminator::Stop(stop) => return Err(self.stop(*stop)),
        };
        if let Some(frame) = self.state.top_mut(self.thread) {
            frame.block = target;
            frame.index = 0;
        }
        Ok(())
    }

    fn stop(&mut self, stop: Stop) -> Halt {
        match stop {
            Stop::Exit => self.end_process(None),
            Stop::Abort => Halt::Cut(Cut::Abort),
            Stop::Bound(id) => Halt::Cut(Cut::Bound(id)),
            Stop::Unreachable => Halt::Cut(Cut::Unreachable),
        }
    }

    fn error(&self, what: &str) -> Halt {
        if self.interp.config.unreach {
            Halt::Violation(ViolationKind::UnreachCall, what.into())
        } else {
            Halt::Cut(Cut::Error)
        }
    }

    pub fn set(&mut self, dst: Reg, value: Value) {
        let Some(frame) = self.state.top_mut(self.thread) else { return };
        let func = frame.func;
        frame.set(dst, value);
        self.observer.assign(self.state, self.thread, func, dst, value, self.span);
    }

    pub fn function(&self) -> Option<&'p Function> {
        let frame = self.state.top(self.thread)?;
        Some(&self.interp.program.functions[frame.func.index()])
    }

    pub fn operand(&self, op: &Operand) -> Value {
        self.interp.operand(self.state, self.thread, op)
    }

    /// The operand as a number; a symbol has to be decided.
    pub fn forced(&mut self, op: &Operand) -> ExecResult<u64> {
        let (value, ty) = (self.operand(op), self.type_of(op));
        self.force_value(value, ty)
    }

    pub fn type_of(&self, op: &Operand) -> Scalar {
        match op {
            Operand::Const { ty, .. } => *ty,
            Operand::Reg(r) => self.function().map_or(Scalar::Ptr, |f| f.regs[r.index()].ty),
            _ => Scalar::Ptr,
        }
    }

    fn call(&mut self, dst: Option<Reg>, callee: &Callee, args: &[Operand]) -> ExecResult {
        let func = match callee {
            Callee::Direct(func) => *func,
            Callee::Indirect(op) => self.callee(op)?,
        };
        let args: Vec<Value> = args.iter().map(|a| self.operand(a)).collect();
        self.observer.call(self.state, self.thread, func, &args, self.span);
        if !self.interp.program.functions[func.index()].has_body() {
            self.observer.assumed(self.thread, func, self.span);
            self.invent(func)?;
            return self.set_unknown(dst);
        }
        if self.state.thread(self.thread).frames.len() >= self.interp.config.max_depth {
            return Err(Halt::Cut(Cut::Recursion));
        }
        let frame = self.interp.frame(self.state, func, &args);
        self.state.thread_mut(self.thread).frames.push(Arc::new(frame));
        Ok(())
    }

    /// Inline assembly: nothing that follows is a violation. An atomic block could be undone, or
    /// looked into before it happens, so there it is not modelled.
    fn invent(&mut self, func: FuncId) -> ExecResult {
        if self.interp.program.functions[func.index()].origin == Origin::Assembly {
            if !self.atomic.is_empty() {
                return Err(Halt::Unsupported("inline assembly in an atomic block".into()));
            }
            self.state.invented.get_or_insert(self.span);
        }
        Ok(())
    }

    /// The function that an address names.
    fn callee(&mut self, op: &Operand) -> ExecResult<FuncId> {
        let value = self.operand(op);
        self.check_callee(value)?;
        let addr = self.force_pointer(value)?;
        match self.interp.space.function_at(addr) {
            Some(found) => Ok(found),
            None if addr < NULL_PAGE => Err(self.invalid("call through a null pointer".into())),
            None => Err(self.undefined("call through a pointer that is no function".into())),
        }
    }

    /// What was never given a value cannot be called.
    pub(crate) fn check_callee(&self, value: Value) -> ExecResult {
        self.refuse_examined_pointer(value)?;
        match self.is_indeterminate(value) {
            true => Err(self.undefined("call through an uninitialised pointer".into())),
            false => Ok(()),
        }
    }

    fn set_unknown(&mut self, dst: Option<Reg>) -> ExecResult {
        let Some(dst) = dst else { return Ok(()) };
        let ty = self.type_of(&Operand::Reg(dst));
        let value = self.fresh(self.interp.all_values(ty), ChoiceSource::Unknown)?;
        self.set(dst, value);
        Ok(())
    }

    fn ret(&mut self, value: Option<&Operand>) -> ExecResult {
        let value = value.map(|v| self.operand(v));
        let depth = self.state.thread(self.thread).frames.len();
        if depth <= 1 {
            return Err(self.return_from_thread(value));
        }
        let Some(frame) = self.state.thread_mut(self.thread).frames.pop() else { return Ok(()) };
        self.observer.ret(self.state, self.thread, frame.func, value, self.span);
        for key in frame.objects() {
            self.kill(key, Death::ScopeEnd);
        }
        let dst = self.state.top(self.thread).and_then(|caller| self.interp.pending_result(caller));
        match (dst, value) {
            (Some(dst), Some(value)) => self.set(dst, value),
            (Some(_), None) => self.set_unknown(dst)?,
            (None, _) => {}
        }
        Ok(())
    }

    fn return_from_thread(&mut self, value: Option<Value>) -> Halt {
        if self.thread == Tid::FIRST {
            if let Some(frame) = self.state.thread_mut(self.thread).frames.pop() {
                self.observer.ret(self.state, self.thread, frame.func, value, self.span);
                frame.objects().for_each(|key| self.interp.bury(self.state, key));
            }
            return self.end_process(value);
        }
        self.end_thread(value.unwrap_or(Value::ZERO));
        Halt::ThreadEnded
    }

    fn end_process(&mut self, value: Option<Value>) -> Halt {
        if self.interp.config.memsafety {
            if let Some(Birth::Heap(at, ..)) = self.interp.leaked(self.state) {
                let what = format!("memory allocated at {} is lost", self.interp.place(at));
                return Halt::Violation(ViolationKind::ValidMemtrack, what);
            }
        }
        self.state.ended = true;
        self.state.exit_value = value;
        Halt::ProcessEnded
    }

    fn end_thread(&mut self, value: Value) {
        self.interp.escape_value(self.state, value);
        let frames = std::mem::take(&mut self.state.thread_mut(self.thread).frames);
        for frame in frames.iter().rev() {
            frame.objects().for_each(|key| self.kill(key, Death::ScopeEnd));
        }
        for &id in &self.interp.space.thread_locals {
            let slot = self.interp.space.thread_local_slot(id);
            self.kill(self.interp.space.arena_key(self.thread, slot), Death::ScopeEnd);
        }
        let thread = self.state.thread_mut(self.thread);
        thread.status = Status::Ended;
        thread.result = value;
        self.observer.thread_end(self.state, self.thread, value, self.span);
    }

    fn spawn(
        &mut self,
        dst: Reg,
        place: Option<&Operand>,
        function: &Operand,
        arg: &Operand,
    ) -> ExecResult {
        let func = self.callee(function)?;
        let arg = self.operand(arg);
        if self.state.threads.len() >= self.interp.space.max_threads {
            let max = self.interp.space.max_threads;
            return Err(Halt::Unsupported(format!("more than {max} threads")));
        }
        if !self.interp.program.functions[func.index()].has_body() {
            return Err(Halt::Unsupported(
                "a thread that starts in a function without body".into(),
            ));
        }
        let id = self.state.threads.len() as u64 + 1;
        if let Some(place) = place {
            self.store_id(place, Value::Int(id), self.type_of(&Operand::Reg(dst)))?;
        }
        self.interp.escape_value(self.state, arg);
        let child = self.interp.add_thread(self.state, func, &[arg]);
        self.observer.spawn(self.state, self.thread, child, func, self.span);
        self.set(dst, Value::Int(u64::from(child.0)));
        Ok(())
    }

    /// Where the creator looks for the id of a thread; nowhere if that is null.
    fn store_id(&mut self, place: &Operand, id: Value, ty: Scalar) -> ExecResult {
        if self.operand(place) == Value::ZERO && !self.interp.config.memsafety {
            return Ok(());
        }
        self.store(place, id, ty, MemoryOrder::Plain)
    }

    fn join(&mut self, dst: Reg, thread: &Operand) -> ExecResult {
        let child = self.named_thread(thread)?;
        match self.state.status(child) {
            Status::Ended => {}
            Status::Joined => return Err(self.undefined(JOINED_BEFORE.into())),
            Status::Running | Status::Stopped => return Err(Halt::Blocked),
        }
        let joined = self.state.thread_mut(child);
        joined.status = Status::Joined;
        let result = std::mem::replace(&mut joined.result, Value::ZERO);
        self.observer.join(self.thread, child, self.span);
        self.set(dst, result);
        Ok(())
    }

    fn named_thread(&mut self, op: &Operand) -> ExecResult<Tid> {
        let id = self.forced(op)?;
        let found = self.state.has_thread(id);
        found.ok_or_else(|| Halt::Unsupported(format!("{id} is not the id of a thread")))
    }
}

impl Interp<'_> {
    pub(crate) fn operand(&self, state: &State, thread: Tid, op: &Operand) -> Value {
        let frame = state.top(thread);
        match *op {
            Operand::Reg(r) => frame.map_or(Value::ZERO, |f| f.regs[r.index()]),
            Operand::Slot { slot, offset } => {
                let key = frame.and_then(|f| f.slots[slot.index()]);
                let addr = key.map(|k| self.space.base(k).wrapping_add_signed(offset));
                Value::Int(addr.map_or(POISON, |a| self.to_pointer(a)))
            }
            Operand::Object { object, offset } if self.is_thread_local(object) => {
                let slot = self.space.thread_local_slot(object);
                let base = self.space.base(self.space.arena_key(thread, slot));
                Value::Int(self.to_pointer(base.wrapping_add_signed(offset)))
            }
            _ => Value::Int(self.static_address(*op).unwrap_or(POISON)),
        }
    }

    fn is_thread_local(&self, object: ir::ObjectId) -> bool {
        let object = &self.program.objects[object.index()];
        object.kind == ir::ObjectKind::ThreadLocal
    }

    /// `file:line` of a span.
    pub fn place(&self, span: Span) -> String {
        let file = self.program.files.get(span.file.index()).map_or("?", |f| f.as_str());
        format!("{file}:{}", span.line)
    }
}
