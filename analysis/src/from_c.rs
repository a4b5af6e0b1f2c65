//! For tests: programs from C text.

use frontend::{LoadOptions, Source};
use ir::Program;
use ir::types::Machine;

/// A program that starts in `main`, or in `f` if it has none.
pub fn program(text: &str) -> Program {
    let unit = Source { name: "1.c", text: text.as_bytes(), moved: &[] };
    let entry = if text.contains("main(") { "main" } else { "f" };
    let options = LoadOptions { entry: entry.into(), ..LoadOptions::default() };
    frontend::load(&[unit], Machine::Lp64, &options).expect("valid C")
}
