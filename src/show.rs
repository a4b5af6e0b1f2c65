//! `obmc show`: what was understood of a program.

use crate::report::Failure;
use crate::report::diagnostic::{Diagnostic, Place};
use crate::request::{LoopBound, Show};
use analysis::loops::{LoopInfo, LoopKind, user_loops};
use analysis::unroll::Bounds;
use analysis::{inline, spin};
use frontend::library::sync;
use ir::{Callee, InstKind, Operand, Origin, Program, Span};
use std::fmt::Write;

/// Loops that are known to end iterate so often at most.
const KNOWN_ITERATIONS: u32 = 1000;

pub fn render(program: &Program, show: &Show) -> Result<String, Failure> {
    let mut text = String::new();
    if show.ir {
        text.push_str(&ir::print::program(program));
    }
    if show.loops {
        loops(&mut text, program);
    }
    if show.threads {
        threads(&mut text, program);
    }
    if let Some(bound) = show.events {
        text.push_str(&events(program, bound)?);
    }
    if let Some(path) = &show.cfg {
        std::fs::write(path, ir::dot::program(program)).map_err(|e| {
            Failure::Input(Diagnostic::new(format!("cannot write {}: {e}", path.display())))
        })?;
    }
    Ok(text)
}

/// Every name in `--unwindset` must be a loop's.
pub fn know_loops(loops: &[LoopInfo], bounds: &[LoopBound]) -> Result<(), Failure> {
    match bounds.iter().find(|b| loops.iter().all(|l| l.name != b.name)) {
        None => Ok(()),
        Some(b) => Err(Failure::Usage(format!(
            "--unwindset: there is no loop {} (--show-loops lists them)",
            b.name
        ))),
    }
}

fn loops(text: &mut String, program: &Program) {
    let rows = user_loops(program).into_iter().map(|info| {
        let kind = match info.kind {
            LoopKind::Natural => "",
            LoopKind::Irreducible => "  (also entered in the middle)",
        };
        (info.name, format!("{}{kind}", place(program, info.span)))
    });
    table(text, rows.collect());
}

/// The functions that threads start in, with the calls that start them there.
fn threads(text: &mut String, program: &Program) {
    let entry = &program.functions[program.entry.index()];
    let mut rows =
        vec![(entry.name.clone(), format!("{}  (first thread)", place(program, entry.span)))];
    for function in program.functions.iter().filter(|f| f.origin == Origin::User) {
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            if let Some(started) = started(program, &inst.kind) {
                let place = place(program, inst.span);
                rows.push((started, format!("{place}  (started in {})", function.name)));
            }
        }
    }
    table(text, rows);
}

/// The function in which a call starts a thread.
fn started(program: &Program, kind: &InstKind) -> Option<String> {
    let operand = match kind {
        InstKind::Spawn { function, .. } => function,
        InstKind::Call { callee: Callee::Direct(id), args, .. } => {
            let name = program.functions[id.index()].name.as_str();
            let position = sync::started_argument(name)?;
            args.get(position)?
        }
        _ => return None,
    };
    Some(match operand {
        Operand::Function(id) => program.functions[id.index()].name.clone(),
        _ => "(a function pointer)".into(),
    })
}

/// The program as the symbolic engine sees it, before candidates are found and pruned.
fn events(program: &Program, bound: u32) -> Result<String, Failure> {
    let input = |what: String| Failure::Input(Diagnostic::new(what));
    let mut program = program.clone();
    spin::collapse(&mut program, spin::Goal::Reachability);
    let calls = inline::Limits { depth: bound, ..Default::default() };
    let (unrolled, _) = analysis::unrolled(program, &Bounds::all(bound), KNOWN_ITERATIONS, &calls)
        .map_err(|large| input(format!("unwinding loop {} makes it too large", large.name)))?;
    let encoding = encoder::encode(&unrolled, &encoder::Config::default())
        .map_err(|e| input(format!("{}: {}", place(&unrolled, e.span), e.what)))?;
    Ok(encoder::print::encoding(&encoding))
}

fn place(program: &Program, span: Span) -> String {
    Place::of(span, &program.files).map_or(String::new(), |p| p.to_string())
}

fn table(text: &mut String, rows: Vec<(String, String)>) {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, rest) in rows {
        let _ = writeln!(text, "{name:width$}  {rest}");
    }
}
