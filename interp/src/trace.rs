//! An execution told to a reader.
//!
//! Told is what happens in the user's functions: accesses to memory, assignments to named variables,
//! calls and returns, threads starting and ending. Of a library model only the call is told, and
//! what it does to threads, both at the place in the user's code that called it.

use crate::choice::{About, ChoiceSource};
use crate::observe::{Access, Death, Observer};
use crate::state::State;
use crate::step::Interp;
use crate::symbol::Domain;
use crate::trace_event::TraceEvent;
use crate::value::{ObjKey, Tid, Value};
use ir::names::decode;
use ir::types::{Machine, Scalar, TypeId};
use ir::{At, FuncId, Origin, Reg, Span};
use rustc_hash::FxHashMap;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    pub thread: Tid,
    pub span: Span,
    /// The user function it happens in.
    pub function: String,
    pub event: TraceEvent,
    /// Which step of the schedule did it.
    pub at: usize,
}

/// Records what it observes.
pub struct Trace<'i, 'p> {
    interp: &'i Interp<'p>,
    pub steps: Vec<TraceStep>,
    /// Inputs and their values: (name, value, where).
    pub inputs: Vec<(String, String, Span)>,
    pub assumed: Vec<(FuncId, Span)>,
    /// Numbers of steps and inputs when the running step began: what an undone one goes back to.
    mark: (usize, usize),
    here: Here,
    /// Steps of the schedule so far, the running one included.
    begun: usize,
    /// How many steps were told before each instruction of the running step.
    before: Vec<usize>,
    writers: Writers,
}

type Byte = (ObjKey, u64);
/// A step of the trace, or none that is told.
type WriterStep = Option<usize>;

/// Who wrote each byte last.
#[derive(Default)]
struct Writers {
    last: FxHashMap<Byte, WriterStep>,
    /// What the running step has replaced.
    replaced: Vec<(Byte, Option<WriterStep>)>,
}

impl Writers {
    fn wrote(&mut self, access: &Access, step: Option<usize>) {
        for byte in access.offset..access.offset + access.size {
            let key = (access.object, byte);
            self.replaced.push((key, self.last.insert(key, step)));
        }
    }

    /// The latest write among the bytes of a read.
    fn of(&self, access: &Access) -> Option<usize> {
        let bytes = access.offset..access.offset + access.size;
        bytes.filter_map(|b| *self.last.get(&(access.object, b))?).max()
    }

    fn undo(&mut self) {
        while let Some((key, before)) = self.replaced.pop() {
            match before {
                Some(step) => self.last.insert(key, step),
                None => self.last.remove(&key),
            };
        }
    }
}

/// Where in the user's code the running thread is.
#[derive(Clone, Debug)]
struct Here {
    function: FuncId,
    span: Span,
    /// Inside of a library model.
    hidden: bool,
}

impl<'i, 'p> Trace<'i, 'p> {
    pub fn new(interp: &'i Interp<'p>) -> Trace<'i, 'p> {
        let here = Here { function: interp.program.entry, span: Span::NONE, hidden: false };
        let (steps, inputs, assumed) = Default::default();
        let writers = Writers::default();
        Trace {
            interp,
            steps,
            inputs,
            assumed,
            mark: (0, 0),
            here,
            begun: 0,
            before: Vec::new(),
            writers,
        }
    }

    /// To be called before every step.
    pub fn begin_step(&mut self) {
        self.mark = (self.steps.len(), self.inputs.len());
        self.begun += 1;
        self.before.clear();
        self.writers.replaced.clear();
    }

    /// What the running step had told when its `nth` instruction began.
    pub fn told_before(&self, nth: usize) -> &[TraceStep] {
        let end = self.before.get(nth).map_or(self.steps.len(), |end| *end);
        &self.steps[self.mark.0.min(end)..end]
    }

    fn say(&mut self, thread: Tid, event: TraceEvent) {
        let here = self.here.function;
        let function = match self.is_model(here) {
            true => String::new(),
            false => decode(&self.interp.program.functions[here.index()].name).into_owned(),
        };
        let event = event.as_written();
        let (span, at) = (self.here.span, self.begun.saturating_sub(1));
        self.steps.push(TraceStep { thread, span, function, event, at });
    }

    /// The innermost place in user code: the caller of the outermost model.
    fn locate(&self, state: &State, thread: Tid, func: FuncId, span: Span) -> Here {
        match self.interp.caller_of_model(state, thread) {
            Some((function, span)) => Here { function, span, hidden: true },
            None => {
                let hidden = self.is_model(func);
                let span = if hidden { Span::NONE } else { span };
                Here { function: func, span, hidden }
            }
        }
    }

    fn is_model(&self, func: FuncId) -> bool {
        self.interp.program.functions[func.index()].origin == Origin::Model
    }

    /// The steps, when all is told. A thread that begins in a library model goes by the user's
    /// function that it calls.
    pub fn finished(&mut self) -> Vec<TraceStep> {
        let mut steps = std::mem::take(&mut self.steps);
        for i in 0..steps.len() {
            let TraceEvent::Start { child, name } = &steps[i].event else { continue };
            let (child, own) = (*child, |s: &&TraceStep| !s.function.is_empty());
            if name.is_empty() {
                let first = steps.iter().filter(|s| s.thread == child).find(own);
                let name = first.map_or(String::new(), |step| step.function.clone());
                steps[i].event = TraceEvent::Start { child, name };
            }
        }
        steps
    }

    fn text(&self, state: &State, value: Value, ty: Scalar, of: Option<TypeId>) -> String {
        self.interp.value_text(state, value, ty, of)
    }

    fn call_event(&self, state: &State, func: FuncId, args: &[Value]) -> TraceEvent {
        let function = &self.interp.program.functions[func.index()];
        let args = args.iter().enumerate().map(|(i, &value)| {
            let reg = function.params.get(i).map(|r| &function.regs[r.index()]);
            let ty = reg.map_or(self.guess(state, value), |reg| reg.ty);
            self.text(state, value, ty, reg.and_then(|reg| reg.of))
        });
        let library = function.origin == Origin::Model || !function.has_body();
        TraceEvent::Call { name: shown(&function.name), args: args.collect(), library }
    }

    /// For arguments beyond the parameters: addresses as such, else numbers.
    fn guess(&self, state: &State, value: Value) -> Scalar {
        let points = |addr| addr != 0 && state.entry_at(&self.interp.space, addr).is_some();
        match value {
            Value::Int(addr) if points(addr) => Scalar::Ptr,
            _ if self.interp.program.machine == Machine::Lp64 => {
                Scalar::Int { bits: 64, signed: true }
            }
            _ => Scalar::I32,
        }
    }
}

impl Trace<'_, '_> {
    /// `+1` for the second byte of an `int`: its value is not that of the whole.
    fn part_of_a_number(&self, of: Option<TypeId>, access: &Access) -> String {
        let types = &self.interp.program.types;
        let number = of.filter(|ty| types.scalar(*ty).is_some()).and_then(|ty| types.size(ty));
        match number {
            Some(whole) if access.size < whole => format!("+{}", access.offset % whole),
            _ => String::new(),
        }
    }
}

/// A variant of a model that only the lowering knows goes by the name of its function.
fn shown(name: &str) -> String {
    let variant = name.strip_prefix("__obmc_sign_").or(name.strip_prefix("__obmc_truth_"));
    variant.unwrap_or(name).to_owned()
}

impl Observer for Trace<'_, '_> {
    fn instruction(&mut self, state: &State, thread: Tid, func: FuncId, span: Span) {
        self.here = self.locate(state, thread, func, span);
        self.before.push(self.steps.len());
    }

    fn access(&mut self, state: &State, thread: Tid, access: &Access, ty: Scalar, value: Value) {
        let told = !self.here.hidden;
        if access.write {
            self.writers.wrote(access, told.then_some(self.steps.len()));
        }
        if told {
            let of = self.interp.type_at(state, access.object, access.offset);
            let place = self.interp.location(state, access.object, access.offset)
                + &self.part_of_a_number(of, access);
            let value = self.text(state, value, ty, of);
            let from = self.writers.of(access);
            let event = match (access.write, Some(*access)) {
                (true, access) => TraceEvent::Write { place, value, access },
                (false, access) => TraceEvent::Read { place, value, access, from },
            };
            self.say(thread, event);
        }
    }

    fn assign(
        &mut self,
        state: &State,
        thread: Tid,
        func: FuncId,
        dst: Reg,
        value: Value,
        _: Span,
    ) {
        let info = &self.interp.program.functions[func.index()].regs[dst.index()];
        if let (Some(name), false) = (&info.name, self.here.hidden) {
            let (name, value) = (name.clone(), self.text(state, value, info.ty, info.of));
            self.say(thread, TraceEvent::Assign { name, value });
        }
    }

    fn undone(&mut self, _: Tid) {
        self.steps.truncate(self.mark.0);
        self.inputs.truncate(self.mark.1);
        self.before.clear();
        self.writers.undo();
    }

    fn spawn(&mut self, _: &State, parent: Tid, child: Tid, func: FuncId, _: Span) {
        let name = &self.interp.program.functions[func.index()].name;
        let name = if self.is_model(func) { String::new() } else { name.clone() };
        self.say(parent, TraceEvent::Start { child, name });
    }

    fn join(&mut self, thread: Tid, child: Tid, _: Span) {
        self.say(thread, TraceEvent::Join { child });
    }

    fn thread_end(&mut self, state: &State, thread: Tid, value: Value, _: Span) {
        let value = self.text(state, value, Scalar::Ptr, None);
        self.say(thread, TraceEvent::End { thread, value });
    }

    fn call(&mut self, state: &State, thread: Tid, func: FuncId, args: &[Value], _: Span) {
        if !self.here.hidden {
            let event = self.call_event(state, func, args);
            self.say(thread, event);
        }
    }

    fn ret(&mut self, state: &State, thread: Tid, func: FuncId, value: Option<Value>, _: Span) {
        let function = &self.interp.program.functions[func.index()];
        let library = function.origin == Origin::Model;
        // The frame is gone: inside of a model is who has another model below.
        if library && self.interp.caller_of_model(state, thread).is_some() {
            return;
        }
        let value = value.zip(function.ret).map(|(value, ty)| self.text(state, value, ty, None));
        self.say(thread, TraceEvent::Return { name: shown(&function.name), value, library });
    }

    fn died(
        &mut self,
        state: &State,
        thread: Tid,
        object: ObjKey,
        _: u64,
        _: bool,
        why: Death,
        _: At,
    ) {
        if why == Death::Freed {
            let name = self.interp.object_name(state, object);
            self.say(thread, TraceEvent::Free { name });
        }
    }

    fn narrowed(&mut self, thread: Tid, about: &About, domain: &Domain) {
        let (ChoiceSource::Input(name), Some(value)) = (&about.source, domain.single()) else {
            return;
        };
        let (name, value) = (name.clone(), value.to_string());
        self.inputs.push((name.clone(), value.clone(), about.at.span));
        if !self.here.hidden {
            self.say(thread, TraceEvent::Input { name, value });
        }
    }

    fn assumed(&mut self, _: Tid, func: FuncId, span: Span) {
        if !self.assumed.contains(&(func, span)) {
            self.assumed.push((func, span));
        }
    }
}
