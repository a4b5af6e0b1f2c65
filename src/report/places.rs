//! Places for users: what a verdict says about the inside of our models of library functions is about
//! the call.
//!
//! An engine that has put models into the user's functions knows only where in a model something is
//! not understood. If one call of the user's leads there, that is the place; else the functions are
//! named. Cost: a walk over the calls of the program, for verdicts that need it.

use crate::contract::{Answer, Reason, Verdict};
use ir::{Callee, FileId, FuncId, InstKind, Origin, Program, Span};
use rustc_hash::FxHashSet;

/// Moves all places in models to the user's calls.
pub fn of_users(verdict: &mut Verdict, program: &Program) {
    if let Answer::Unknown(
        Reason::Unsupported { what, span }
        | Reason::Undefined { what, span }
        | Reason::Domain { what, span },
    ) = &mut verdict.answer
    {
        move_out(program, what, span);
    }
    for remark in verdict.notes.iter_mut().chain(&mut verdict.assumptions) {
        move_out(program, &mut remark.text, &mut remark.span);
    }
}

fn move_out(program: &Program, what: &mut String, span: &mut Span) {
    if !program.is_in_model(*span) {
        return;
    }
    let calls = calls_into(program, span.file);
    match calls.as_slice() {
        [(_, at)] => *span = *at,
        all => {
            *span = Span::NONE;
            let mut names: Vec<&str> = all.iter().map(|(f, _)| name(program, *f)).collect();
            names.sort_unstable();
            names.dedup();
            if let [one] = names[..] {
                *what += &format!(" in {one}");
            }
        }
    }
}

fn name(program: &Program, function: FuncId) -> &str {
    &program.functions[function.index()].name
}

/// Calls in the user's functions of models that get to a file.
fn calls_into(program: &Program, file: FileId) -> Vec<(FuncId, Span)> {
    let mut found = Vec::new();
    for (i, function) in program.functions.iter().enumerate() {
        if function.origin != Origin::User {
            continue;
        }
        for (callee, span) in calls(program, FuncId(i as u32)) {
            let is_model = program.functions[callee.index()].origin == Origin::Model;
            if is_model && gets_to(program, callee, file) && !found.contains(&(callee, span)) {
                found.push((callee, span));
            }
        }
    }
    found
}

fn gets_to(program: &Program, from: FuncId, file: FileId) -> bool {
    let (mut todo, mut seen) = (vec![from], FxHashSet::default());
    while let Some(id) = todo.pop() {
        let function = &program.functions[id.index()];
        if function.is_written_in(file) {
            return true;
        }
        if seen.insert(id) && function.origin == Origin::Model {
            todo.extend(calls(program, id).map(|(callee, _)| callee));
        }
    }
    false
}

fn calls(program: &Program, id: FuncId) -> impl Iterator<Item = (FuncId, Span)> + '_ {
    let insts = program.functions[id.index()].blocks.iter().flat_map(|b| &b.insts);
    insts.filter_map(|inst| match inst.kind {
        InstKind::Call { callee: Callee::Direct(callee), .. } => Some((callee, inst.span)),
        _ => None,
    })
}
