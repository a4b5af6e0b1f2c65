//! An execution of the interpreter as a script for a scheduler of real threads.
//!
//! Of all that happens only this needs an order: accesses to bytes that two threads touch and one
//! writes, atomic blocks, and starts and joins of threads. All else is free, since no thread can
//! notice. What stands in the script is found again in the running program by thread, kind and
//! place; so each object has a name there: a static one its symbol, a heap block its number among
//! the thread's allocations, a local variable the pointers to it that others see.

use super::folder::LEFT_TO_THE_SYSTEM;
use super::script::{Mode, ObjectLocator, Pointer, Script, ScriptAction, ScriptEvent, ScriptInput};
use super::unset::{Declared, UnsetValue};
use interp::{
    About, Access, Choice, ChoiceKind, ChoiceSource, Death, Domain, Inputs, Interp, ObjKey,
    Observer, Recorded, ScheduleStep, State, StepResult, Storage, Tid, Value,
};
use ir::types::Scalar;
use ir::{At, AtomicKind, FuncId, Origin, Program, Reg, Span};
use rustc_hash::FxHashMap;

/// Runs the schedule and writes it down.
pub fn record(interp: &Interp<'_>, schedule: &[ScheduleStep]) -> Result<Script, String> {
    let mut state = interp.initial();
    let mut recorder = ScriptRecorder::new(interp);
    let mut last = Tid::FIRST;
    for step in schedule {
        recorder.begin_step();
        let list = Recorded::new(step.answers.iter().copied());
        let mut inputs = FailureListener { list, failed: Vec::new() };
        let result = interp.step(&mut state, step.thread, &mut inputs, &mut recorder);
        for failed in inputs.failed {
            recorder.allocated(step.thread, failed);
        }
        if let StepResult::Refused { .. } | StepResult::Unsupported { .. } = result {
            return Err(format!("the schedule does not fit the program: {result:?}"));
        }
        last = step.thread;
    }
    Ok(recorder.finish(last))
}

struct FailureListener {
    list: Recorded,
    failed: Vec<bool>,
}

impl Inputs for FailureListener {
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64> {
        let answer = self.list.choose(choice)?;
        if matches!(choice.kind, ChoiceKind::AllocFails) {
            self.failed.push(answer != 0);
        }
        Some(answer)
    }
}

struct ScriptRecorder<'i, 'p> {
    interp: &'i Interp<'p>,
    script: Script,
    /// The object that a key means now.
    known: FxHashMap<ObjKey, usize>,
    /// By thread: blocks of the heap so far.
    allocations: FxHashMap<Tid, u32>,
    /// Open atomic blocks of the running step.
    blocks: Vec<RecordBlock>,
    user: bool,
    /// Is it a function that the compiled program has of the system, and whose accesses nothing tells of?
    unseen: bool,
    /// By object and byte: who touched it, and did anybody write?
    bytes: FxHashMap<(usize, u64), (Tid, Sharing)>,
    /// Values of what was never written, waiting for the access that reads it.
    unwritten: Option<(u64, bool)>,
    mark: RecordMark,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RecordBlock {
    /// The running program calls a function of ours at its begin and end.
    Called,
    /// A read-modify-write: one operation of the machine.
    Single,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sharing {
    Own { written: bool },
    Read,
    Conflict,
}

#[derive(Clone, Copy, Default)]
struct RecordMark {
    events: usize,
    inputs: usize,
    unset: usize,
}

impl<'i, 'p> ScriptRecorder<'i, 'p> {
    fn new(interp: &'i Interp<'p>) -> ScriptRecorder<'i, 'p> {
        ScriptRecorder {
            interp,
            script: Script::default(),
            known: FxHashMap::default(),
            allocations: FxHashMap::default(),
            blocks: Vec::new(),
            user: true,
            unseen: false,
            bytes: FxHashMap::default(),
            unwritten: None,
            mark: RecordMark::default(),
        }
    }

    fn begin_step(&mut self) {
        self.blocks.clear();
        self.mark = RecordMark {
            events: self.script.events.len(),
            inputs: self.script.inputs.len(),
            unset: self.script.unset.values.len(),
        };
    }

    fn object(&mut self, state: &State, key: ObjKey) -> usize {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let object = match self.interp.storage(state, key) {
            Some(Storage::Static(id)) => static_object(self.interp.program, id.index()),
            _ => ObjectLocator::Unnamed { size: 0 },
        };
        self.add(key, object)
    }

    fn add(&mut self, key: ObjKey, object: ObjectLocator) -> usize {
        self.script.objects.push(object);
        self.known.insert(key, self.script.objects.len() - 1);
        self.script.objects.len() - 1
    }

    fn allocated(&mut self, thread: Tid, failed: bool) {
        if failed {
            let number = self.allocations.entry(thread).or_default();
            self.script.failed_allocations.push((thread.0, *number));
            *number += 1;
        }
    }

    fn pointer(&mut self, state: &State, value: Value, ty: Scalar) -> Option<Pointer> {
        let (Value::Int(bits), Scalar::Ptr) = (value, ty) else { return None };
        let (key, offset) = self.interp.target(state, bits)?;
        match self.interp.storage(state, key)? {
            Storage::Frame | Storage::Heap => {
                Some(Pointer { object: self.object(state, key), offset })
            }
            _ => None,
        }
    }

    fn touch(&mut self, thread: Tid, object: usize, access: &Access) {
        for byte in access.offset..access.offset + access.size {
            let entry = self.bytes.entry((object, byte));
            let (owner, sharing) =
                entry.or_insert((thread, Sharing::Own { written: access.write }));
            *sharing = match *sharing {
                Sharing::Own { written } if *owner == thread => {
                    Sharing::Own { written: written || access.write }
                }
                Sharing::Own { written: false } | Sharing::Read if !access.write => Sharing::Read,
                _ => Sharing::Conflict,
            };
        }
    }

    fn push(&mut self, thread: Tid, what: ScriptAction, pointer: Option<Pointer>, span: Span) {
        self.script.events.push(ScriptEvent { thread: thread.0, what, pointer, line: span.line });
    }

    fn finish(mut self, last: Tid) -> Script {
        let bytes = &self.bytes;
        let conflict = |object: usize, offset: u64, size: u64| {
            (offset..offset + size)
                .any(|b| matches!(bytes.get(&(object, b)), Some((_, Sharing::Conflict))))
        };
        // How far a thread has come may matter by itself: its locals end on the way. So its last access
        // stays, and with it those that could be taken for it.
        let mut last_of: FxHashMap<u32, (usize, u64, u64)> = FxHashMap::default();
        for event in &self.script.events {
            if let ScriptAction::Access { inside: false, object, offset, size, .. } = event.what
                && !matches!(self.script.objects[object], ObjectLocator::Unnamed { .. })
            {
                last_of.insert(event.thread, (object, offset, size));
            }
        }
        let like_the_last = |thread: u32, (object, offset, size): (usize, u64, u64)| {
            last_of
                .get(&thread)
                .is_some_and(|&(o, at, n)| o == object && at < offset + size && offset < at + n)
        };
        self.script.events.retain(|event| match event.what {
            ScriptAction::Access { inside: true, object, offset, size, .. } => {
                event.pointer.is_some() || conflict(object, offset, size)
            }
            ScriptAction::Access { object, offset, size, .. } => {
                conflict(object, offset, size)
                    || like_the_last(event.thread, (object, offset, size))
            }
            _ => true,
        });
        self.script.drop_accesses_before_their_object_is_known();
        self.script.last = last.0;
        self.script
    }

    /// Is a block that begins here one that the running program tells us about?
    fn block_kind(&self, kind: AtomicKind, span: Span) -> RecordBlock {
        if kind == AtomicKind::User {
            return RecordBlock::Called;
        }
        let file = &self.interp.program.files[span.file.index()];
        let model = frontend::models::MODELS.iter().find(|m| !self.user && m.file == file);
        let line = model.and_then(|m| m.text.lines().nth(span.line.saturating_sub(1) as usize));
        match line {
            Some(line) if line.contains("__obmc_atomic_begin") => RecordBlock::Called,
            _ => RecordBlock::Single,
        }
    }
}

fn static_object(program: &Program, index: usize) -> ObjectLocator {
    let object = &program.objects[index];
    // A literal has no symbol.
    if object.name.starts_with('"') {
        return ObjectLocator::Unnamed { size: object.size };
    }
    let same = program.objects[..index].iter().filter(|o| o.name == object.name).count();
    ObjectLocator::Static { name: object.name.clone(), which: same as u32, size: object.size }
}

impl Observer for ScriptRecorder<'_, '_> {
    fn instruction(&mut self, _: &State, _: Tid, func: FuncId, _: Span) {
        let program = self.interp.program;
        let function = &program.functions[func.index()];
        self.user = function.origin == Origin::User;
        self.unseen = function.origin == Origin::Model
            && LEFT_TO_THE_SYSTEM.contains(&program.files[function.span.file.index()].as_str());
    }

    fn born(&mut self, state: &State, thread: Tid, key: ObjKey, size: u64, _: Span) {
        let object = match self.interp.storage(state, key) {
            Some(Storage::Heap) => {
                let number = self.allocations.entry(thread).or_default();
                *number += 1;
                ObjectLocator::Heap { thread: thread.0, number: *number - 1, size }
            }
            _ => ObjectLocator::Unnamed { size },
        };
        self.add(key, object);
    }

    /// To free a block is to write it, and any thread that has its address may notice.
    fn died(
        &mut self,
        state: &State,
        thread: Tid,
        key: ObjKey,
        _: u64,
        private: bool,
        why: Death,
        at: At,
    ) {
        if why == Death::Freed && !private {
            let object = self.object(state, key);
            self.bytes.insert((object, 0), (thread, Sharing::Conflict));
            let inside = self.blocks.contains(&RecordBlock::Called);
            let what =
                ScriptAction::Access { object, offset: 0, size: 1, mode: Mode::Write, inside };
            self.push(thread, what, None, at.span);
        }
    }

    fn access(&mut self, state: &State, thread: Tid, access: &Access, ty: Scalar, value: Value) {
        let object = self.object(state, access.object);
        if let Some((value, stack)) = self.unwritten.take() {
            let place = (object, access.offset, access.size);
            self.script.unwritten(place, value, stack, access.span.line);
        }
        if self.unseen {
            return;
        }
        self.touch(thread, object, access);
        let pointer = self.pointer(state, value, ty);
        let mode = if access.write { Mode::Write } else { Mode::Read };
        let (offset, size) = (access.offset, access.size);
        let inside = self.blocks.contains(&RecordBlock::Called);
        if self.blocks.last() == Some(&RecordBlock::Single) && !inside {
            // One event for both halves of a read-modify-write.
            let begun = self.script.events[self.mark.events..].iter_mut();
            let same = |e: &&mut ScriptEvent| matches!(e.what, ScriptAction::Access { object: o, offset: at, .. } if (o, at) == (object, offset));
            if let Some(event) = begun.rev().find(same) {
                if let ScriptAction::Access { mode, .. } = &mut event.what {
                    *mode = Mode::Both;
                }
                event.pointer = pointer.or(event.pointer);
                return;
            }
        }
        self.push(
            thread,
            ScriptAction::Access { object, offset, size, mode, inside },
            pointer,
            access.span,
        );
    }

    fn atomic_begin(&mut self, thread: Tid, kind: AtomicKind, span: Span) {
        let block = self.block_kind(kind, span);
        if block == RecordBlock::Called && !self.blocks.contains(&RecordBlock::Called) {
            self.push(thread, ScriptAction::Block, None, span);
        }
        self.blocks.push(block);
    }

    fn atomic_end(&mut self, _: Tid, _: Span) {
        self.blocks.pop();
    }

    fn undone(&mut self, _: Tid) {
        self.script.events.truncate(self.mark.events);
        self.script.inputs.truncate(self.mark.inputs);
        self.script.unset.values.truncate(self.mark.unset);
        self.blocks.clear();
    }

    fn spawn(&mut self, state: &State, parent: Tid, child: Tid, _: FuncId, span: Span) {
        let argument = self.interp.first_argument(state, child);
        let pointer = argument.and_then(|value| self.pointer(state, value, Scalar::Ptr));
        self.push(parent, ScriptAction::Spawn { child: child.0 }, pointer, span);
    }

    fn thread_end(&mut self, _: &State, thread: Tid, _: Value, span: Span) {
        self.push(thread, ScriptAction::End, None, span);
    }

    fn assign(&mut self, _: &State, thread: Tid, func: FuncId, reg: Reg, _: Value, span: Span) {
        let Some((bits, _)) = self.unwritten.take() else { return };
        let program = self.interp.program;
        let function = &program.functions[func.index()];
        match &function.regs[reg.index()].name {
            Some(name) => {
                let file = program.files[span.file.index()].clone();
                let of = Declared {
                    function: function.name.clone(),
                    file,
                    line: span.line,
                    name: name.clone(),
                };
                self.script.unset.values.push(UnsetValue { thread: thread.0, of, bits });
            }
            None => self.script.not_zero(bits, span.line),
        }
    }

    fn join(&mut self, thread: Tid, child: Tid, span: Span) {
        self.push(thread, ScriptAction::Join { child: child.0 }, None, span);
    }

    fn asked_ended(&mut self, thread: Tid, other: Tid, ended: bool, span: Span) {
        self.push(thread, ScriptAction::Asked { child: other.0, ended }, None, span);
    }

    fn call(&mut self, _: &State, _: Tid, func: FuncId, _: &[Value], _: Span) {
        let function = &self.interp.program.functions[func.index()];
        if !function.has_body() {
            self.script.called.insert(function.name.clone());
        }
    }

    fn narrowed(&mut self, thread: Tid, about: &About, domain: &Domain) {
        let bits = domain.nth(0).unwrap_or(0);
        let entry = &self.interp.program.functions[self.interp.program.entry.index()];
        if about.serial < entry.params.len() as u64 {
            if about.serial == 0 {
                self.script.argc = Some(domain.nearest_to_zero_bits());
            }
            return;
        }
        match &about.source {
            ChoiceSource::Input(name) => {
                let input = ScriptInput { thread: thread.0, name: name.clone(), bits };
                self.script.inputs.push(input);
            }
            ChoiceSource::Unknown => {
                let input = ScriptInput { thread: thread.0, name: String::new(), bits };
                self.script.inputs.push(input);
            }
            ChoiceSource::Uninitialised => self.unwritten = Some((bits, true)),
            ChoiceSource::UninitialisedHeap => self.unwritten = Some((bits, false)),
        }
    }
}
