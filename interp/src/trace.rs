//! An execution told to a reader.
//!
//! Told is what happens in the user's functions: accesses to memory, assignments to named variables,
//! calls and returns, threads starting and ending. Of a library model only the call is told, and
//! what it does to threads, both at the place in the user's code that called it.

use crate::choice::{About, Source};
use crate::observe::{Access, Observer};
use crate::state::State;
use crate::step::Interp;
use crate::symbol::Domain;
use crate::value::{Tid, Value};
use frontend::ir::{FuncId, Origin, Reg, Span};
use frontend::types::{Machine, Scalar};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    pub thread: Tid,
    pub span: Span,
    /// The user function it happens in.
    pub function: String,
    pub text: String,
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
        Trace { interp, steps, inputs, assumed, mark: (0, 0), here }
    }

    /// To be called before every step.
    pub fn begin_step(&mut self) {
        self.mark = (self.steps.len(), self.inputs.len());
    }

    fn say(&mut self, thread: Tid, text: String) {
        let function = self.interp.program.functions[self.here.function.index()].name.clone();
        self.steps.push(TraceStep { thread, span: self.here.span, function, text });
    }

    /// The innermost place in user code: the caller of the outermost model.
    fn locate(&self, state: &State, thread: Tid, func: FuncId, span: Span) -> Here {
        match self.interp.caller_of_model(state, thread) {
            Some((function, span)) => Here { function, span, hidden: true },
            None => {
                let origin = self.interp.program.functions[func.index()].origin;
                Here { function: func, span, hidden: origin == Origin::Model }
            }
        }
    }

    fn text(&self, state: &State, value: Value, ty: Scalar) -> String {
        self.interp.value_text(state, value, ty)
    }

    fn call_text(&self, state: &State, func: FuncId, args: &[Value]) -> String {
        let function = &self.interp.program.functions[func.index()];
        let args = args.iter().enumerate().map(|(i, &value)| {
            let reg = function.params.get(i).map(|r| function.regs[r.index()].ty);
            self.text(state, value, reg.unwrap_or(self.guess(state, value)))
        });
        format!("{}({})", function.name, args.collect::<Vec<_>>().join(", "))
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

impl Observer for Trace<'_, '_> {
    fn instruction(&mut self, state: &State, thread: Tid, func: FuncId, span: Span) {
        self.here = self.locate(state, thread, func, span);
    }

    fn access(&mut self, state: &State, thread: Tid, access: &Access, ty: Scalar, value: Value) {
        if self.here.hidden {
            return;
        }
        let place = self.interp.location(state, access.object, access.offset);
        let value = self.text(state, value, ty);
        let text = match access.write {
            true => format!("{place} = {value}"),
            false => format!("reads {place} == {value}"),
        };
        self.say(thread, text);
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
            let text = format!("{name} = {}", self.text(state, value, info.ty));
            self.say(thread, text);
        }
    }

    fn undone(&mut self, _: Tid) {
        self.steps.truncate(self.mark.0);
        self.inputs.truncate(self.mark.1);
    }

    fn spawn(&mut self, _: &State, parent: Tid, child: Tid, func: FuncId, _: Span) {
        let name = &self.interp.program.functions[func.index()].name;
        let text = format!("starts thread {} in {name}", child.0);
        self.say(parent, text);
    }

    fn join(&mut self, thread: Tid, child: Tid, _: Span) {
        self.say(thread, format!("joins thread {}", child.0));
    }

    fn thread_end(&mut self, state: &State, thread: Tid, value: Value, _: Span) {
        let text =
            format!("thread {} ends with {}", thread.0, self.text(state, value, Scalar::Ptr));
        self.say(thread, text);
    }

    fn call(&mut self, state: &State, thread: Tid, func: FuncId, args: &[Value], _: Span) {
        if !self.here.hidden {
            let text = format!("calls {}", self.call_text(state, func, args));
            self.say(thread, text);
        }
    }

    fn ret(&mut self, state: &State, thread: Tid, func: FuncId, value: Option<Value>, _: Span) {
        let function = &self.interp.program.functions[func.index()];
        if self.here.hidden || function.origin == Origin::Model {
            return;
        }
        let text = match (value, function.ret) {
            (Some(value), Some(ty)) => {
                format!("{} returns {}", function.name, self.text(state, value, ty))
            }
            _ => format!("{} returns", function.name),
        };
        self.say(thread, text);
    }

    fn narrowed(&mut self, thread: Tid, about: &About, domain: &Domain) {
        let (Source::Input(name), Some(value)) = (&about.source, domain.single()) else { return };
        self.inputs.push((name.clone(), value.to_string(), about.span));
        if !self.here.hidden {
            self.say(thread, format!("{name}() gives {value}"));
        }
    }

    fn assumed(&mut self, _: Tid, func: FuncId, span: Span) {
        if !self.assumed.contains(&(func, span)) {
            self.assumed.push((func, span));
        }
    }
}
