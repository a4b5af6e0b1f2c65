//! For the tests of the lowering: C in, and as text what came out.
//!
//! `ir` shows one function without its places and its prologue of declarations, every line trimmed;
//! `has` and `hasnt` look for instructions in order. Every program that is lowered here is also
//! checked by `verify`.

use crate::{LoadOptions, Source, load};
use ir::types::Machine;
use ir::{ObjectKind, Program};
use ir::{print, verify};

pub const LP64: Machine = Machine::Lp64;
pub const ILP32: Machine = Machine::Ilp32;

pub fn try_units(machine: Machine, texts: &[&str]) -> Result<Program, String> {
    let names: Vec<String> = (1..=texts.len()).map(|i| format!("{i}.c")).collect();
    let units: Vec<Source> = names
        .iter()
        .zip(texts)
        .map(|(name, text)| Source { name, text: text.as_bytes(), moved: &[] })
        .collect();
    let entry = if texts.iter().any(|t| t.contains("main(")) { "main" } else { "f" };
    let options = LoadOptions { entry: entry.into(), ..LoadOptions::default() };
    let program = load(&units, machine, &options).map_err(|e| e.to_string())?;
    let problems = verify::program(&program);
    assert!(problems.is_empty(), "{problems:?}\n{}", print::program(&program));
    Ok(program)
}

pub fn units(machine: Machine, texts: &[&str]) -> Program {
    try_units(machine, texts).unwrap_or_else(|e| panic!("{e}\n{}", texts.join("\n----\n")))
}

/// A program that has at least a function `f` to start in.
pub fn program(text: &str) -> Program {
    program_on(LP64, text)
}

pub fn program_on(machine: Machine, text: &str) -> Program {
    units(machine, &[&with_entry(text)])
}

fn with_entry(text: &str) -> String {
    let entry = if text.contains(" f(") || text.contains("*f(") { "" } else { " void f(void) {}" };
    format!("{text}{entry}")
}

/// The message for C that is refused: `line:column: message`.
pub fn error(text: &str) -> String {
    match try_units(LP64, &[&with_entry(text)]) {
        Ok(_) => panic!("this was accepted: {text}"),
        Err(e) => e.strip_prefix("1.c:").unwrap_or(&e).to_owned(),
    }
}

/// The lines of one function, registers and blocks as `print` names them.
fn lines(program: &Program, name: &str) -> Vec<String> {
    let text = print::program(program);
    let head = format!("fn {name}(");
    let body = text.lines().skip_while(|l| !l.contains(&head)).take_while(|l| !l.is_empty());
    body.map(|l| l.split(" ; ").next().unwrap_or("").trim().to_owned()).collect()
}

/// The instructions of `f`.
pub fn ir(text: &str) -> String {
    ir_on(LP64, text)
}

pub fn ir_on(machine: Machine, text: &str) -> String {
    let program = program_on(machine, text);
    function(&program, "f")
}

pub fn function(program: &Program, name: &str) -> String {
    lines(program, name).join("\n")
}

/// Do these pieces of text occur in this order?
#[track_caller]
pub fn has(text: &str, pieces: &[&str]) {
    let mut rest = text;
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => panic!("no `{piece}` (in this order) in\n{text}"),
        }
    }
}

#[track_caller]
pub fn hasnt(text: &str, pieces: &[&str]) {
    for piece in pieces {
        assert!(!text.contains(piece), "`{piece}` in\n{text}");
    }
}

/// What `return e;` returns, for a constant expression of type `long long`.
#[track_caller]
pub fn value_on(machine: Machine, before: &str, e: &str) -> String {
    let text = format!("{before}\nlong long f(void) {{ return {e}; }}");
    let ir = ir_on(machine, &text);
    let line = ir.lines().find_map(|l| l.strip_prefix("return "));
    line.unwrap_or_else(|| panic!("no constant\n{ir}")).to_owned()
}

#[track_caller]
pub fn value(before: &str, e: &str) -> i64 {
    value_on(LP64, before, e).parse().expect("a constant")
}

/// (LP64, ILP32)
#[track_caller]
pub fn values(before: &str, e: &str) -> (i64, i64) {
    let on = |machine| value_on(machine, before, e).parse().expect("a constant");
    (on(LP64), on(ILP32))
}

/// The name of an expression's type, as our messages spell it.
#[track_caller]
pub fn type_on(machine: Machine, before: &str, e: &str) -> String {
    let text = format!("{before}\nvoid f(void) {{ __typeof__({e}) *probe; void *use = &probe; }}");
    let ir = ir_on(machine, &text);
    let slot = ir.lines().find_map(|l| l.strip_prefix("slot $probe.0: "));
    let ty = slot.and_then(|s| s.split(", ").next()).and_then(|s| s.strip_suffix(" *"));
    ty.unwrap_or_else(|| panic!("no pointer type\n{ir}")).to_owned()
}

#[track_caller]
pub fn type_of(before: &str, e: &str) -> String {
    type_on(LP64, before, e)
}

/// Kind, size and initial bytes of an object, and its relocations.
#[track_caller]
pub fn object(program: &Program, name: &str) -> String {
    let text = print::program(program);
    let marked = format!("@{name}: ");
    let mut found = text.lines().skip_while(|l| !l.contains(&marked));
    let head = found.next().unwrap_or_else(|| panic!("no object {name}\n{text}"));
    let mut out = head.split(" ; ").next().unwrap_or("").trim().to_owned();
    for line in found.take_while(|l| l.starts_with("  +")) {
        out = format!("{out}{}", line.replacen("  ", " ", 1));
    }
    out.replace(&marked, "")
}

pub fn kind(program: &Program, name: &str) -> Option<ObjectKind> {
    program.objects.iter().find(|o| o.name == name).map(|o| o.kind)
}
