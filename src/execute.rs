//! `obmc run`: one execution in the interpreter, as the tests compare it with a compiled program.
//!
//! A program reports values by calling `void out(long long)`, which it does not define: each call
//! prints a line. The last line is `exit N`.

use interp::{Config, Observer, Outcome, State, Tid, Value};
use ir::{FuncId, Program, Span};
use std::fmt::Write;

/// Far more than any program needs that is meant to end.
const MAX_STEPS: u64 = 1_000_000_000;

struct Printer<'p> {
    program: &'p Program,
    text: String,
}

impl Observer for Printer<'_> {
    fn call(&mut self, _: &State, _: Tid, func: FuncId, args: &[Value], _: Span) {
        let function = &self.program.functions[func.index()];
        if let (false, "out", [Value::Int(bits), ..]) =
            (function.has_body(), function.name.as_str(), args)
        {
            let _ = writeln!(self.text, "{}", *bits as i64);
        }
    }
}

/// The lines that the program printed, or why it did not end.
pub fn execute(program: &Program) -> Result<String, String> {
    let mut printer = Printer { program, text: String::new() };
    match interp::run(program, &Config::default(), MAX_STEPS, &mut printer) {
        Outcome::Finished(code) => {
            let _ = writeln!(printer.text, "exit {}", code.unwrap_or(0) & 0xff);
            Ok(printer.text)
        }
        other => Err(format!("the run did not end: {other:?}")),
    }
}
