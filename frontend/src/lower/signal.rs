//! Handlers of signals and of the end of the process.
//!
//! A handler may run between any two instructions of any thread. That is not modelled: signals from
//! outside are taken not to come, which is an assumption where a program gives a handler (and none
//! where it says `SIG_IGN` or `SIG_DFL`).
//!
//! A handler of `SIGABRT` runs where the program calls `abort` (`models/signal.c`).
//!
//! Handlers of `atexit` run where the process ends: in front of every `exit` and every return from
//! the function where it starts (`models/exit.c`).

use super::call::Args;
use super::{Linkage, Result, Unit, Value};
use ir::*;

const RUN: &str = "__obmc_run_exit_handlers";
const AT_ABORT: &str = "__obmc_run_abort_handler";
/// What gives handlers of signals to the system.
const GIVERS: [&str; 4] = ["signal", "__sysv_signal", "bsd_signal", "sigaction"];

impl Unit<'_> {
    /// Notes the assumption if this call gives a handler to the system.
    pub(crate) fn note_handler(&mut self, name: &str, args: Args, at: Span) -> Result<()> {
        let given = match name {
            name if GIVERS.contains(&name) => args.get(1),
            _ => None,
        };
        let Some(given) = given.filter(|_| !self.defined.contains(name)) else { return Ok(()) };
        let harmless = match self.try_constant(given)? {
            Some(0) => true,
            Some(1) => name != "sigaction",
            _ => false,
        };
        if !harmless {
            let text = "a handler of signals: they come from nowhere but the program's calls, neither from \
                        outside nor from an invalid access or a division by zero"
                .to_owned();
            if self.link.ignored.iter().all(|(other, _)| *other != text) {
                self.link.ignored.push((text, at));
            }
        }
        Ok(())
    }
}

impl Unit<'_> {
    /// `abort`, called by the program.
    pub(crate) fn abort(&mut self, at: Span) -> Value {
        if self.origin == Origin::User {
            let f = self.link.extern_function(AT_ABORT, at);
            let (callee, args) = (Callee::Direct(f), Vec::new());
            self.emit(InstKind::Call { dst: None, callee, args });
        }
        self.stop(Stop::Abort)
    }
}

impl Linkage {
    /// Without a handler nothing happens before the end.
    pub(crate) fn settle_aborts(&mut self) {
        let Some(&run) = self.externs.get(AT_ABORT) else { return };
        if GIVERS.iter().any(|name| self.mentioned.contains(*name)) {
            return;
        }
        self.drop_calls(run);
        let f = &mut self.functions[run.index()];
        (f.origin, f.span) = (Origin::Model, Span::NONE);
        f.blocks = vec![Block::new(Vec::new(), Terminator::Return(None), Span::NONE)];
    }

    /// Calls the handlers where the process ends, if there can be some. True if it does.
    pub(crate) fn call_exit_handlers(&mut self, entry: &str) -> bool {
        if !self.mentioned.contains("atexit") {
            return false;
        }
        let run = self.extern_function(RUN, Span::NONE);
        let entry = self.externs.get(entry).copied();
        let called = |id| {
            let insts = self.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
            let is_call = |inst: &Inst| matches!(&inst.kind, InstKind::Call { callee: Callee::Direct(f), .. } if *f == id);
            insts.into_iter().any(is_call)
        };
        let again = entry.is_some_and(called);
        for (i, f) in self.functions.iter_mut().enumerate() {
            let is_entry = entry == Some(FuncId(i as u32));
            let locals = f.slots.len() as u32;
            for block in &mut f.blocks {
                let kind = match block.end {
                    Terminator::Stop(Stop::Exit) => {
                        InstKind::Call { dst: None, callee: Callee::Direct(run), args: Vec::new() }
                    }
                    Terminator::Return(_) if is_entry && again => {
                        let what = "atexit in a program that calls its first function".into();
                        InstKind::Unsupported { what }
                    }
                    Terminator::Return(_) if is_entry => {
                        InstKind::Call { dst: None, callee: Callee::Direct(run), args: Vec::new() }
                    }
                    _ => continue,
                };
                if matches!(block.end, Terminator::Return(_)) {
                    end_locals(block, locals);
                }
                block.insts.push(Inst::new(kind, block.end_span));
            }
        }
        true
    }

    /// Other threads may run on between the return of the first function, whose locals have ended then, and the end of
    /// the process. What they do to other memory they could have done before.
    pub(crate) fn end_first_function(&mut self, entry: FuncId) {
        let mut insts = self.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
        let starts = insts.any(|inst| matches!(inst.kind, InstKind::Spawn { .. }));
        if !(starts && self.property.is(PropertyKind::Memory)) {
            return;
        }
        let entry = &mut self.functions[entry.index()];
        let locals = entry.slots.len() as u32;
        let returns = |block: &&mut Block| matches!(block.end, Terminator::Return(_));
        entry.blocks.iter_mut().filter(returns).for_each(|block| end_locals(block, locals));
    }
}

/// The locals of the first function have ended when handlers run behind its return (C11 5.1.2.2.3, a footnote).
pub(super) fn end_locals(block: &mut Block, locals: u32) {
    let ends = (0..locals).map(|slot| InstKind::SlotDead(SlotId(slot)));
    let span = block.end_span;
    block.insts.extend(ends.map(|kind| Inst::new(kind, span)));
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{function, has, hasnt, program};

    #[test]
    fn handlers_of_signals_are_an_assumption() {
        let declared = "void (*signal(int, void (*)(int)))(int); void h(int);";
        let noted =
            |call: &str| program(&format!("{declared} void f(void) {{ {call} }}")).ignored.len();
        assert_eq!(noted("signal(2, h); signal(3, h);"), 1);
        assert_eq!(noted("signal(2, (void (*)(int))1); signal(3, (void (*)(int))0);"), 0);
    }

    #[test]
    fn handlers_run_at_the_end() {
        let text = "int atexit(void (*)(void)); void exit(int); void h(void) {}
            int g(int n) { if (n) exit(1); return n; } int main(void) { atexit(h); return g(0); }";
        let p = crate::lower::testing::units(crate::lower::testing::LP64, &[text]);
        has(&function(&p, "g"), &["call __obmc_run_exit_handlers()", "stop exit"]);
        has(&function(&p, "main"), &["call g(0)", "call __obmc_run_exit_handlers()", "return"]);
        let p = program("void exit(int); void f(void) { exit(1); }");
        hasnt(&function(&p, "f"), &["call"]);
    }
}
