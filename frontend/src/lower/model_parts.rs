//! Static functions of library models become part of those that call them.
//!
//! Idea: models are written in small functions, and a call is the most that an engine does in a step: a
//! frame, and its registers. A *part* is a function of a model that has no external name, no loop, and calls
//! no such function but parts; so nothing recurses. Users see no step of a model, so no trace changes.
//!
//! Invariant: a function that analyses know by its name has external linkage and is no part.
//!
//! Cost: linear in the models and in what they grow to.

use super::Linkage;
use analysis::inline;
use ir::cfg::Cfg;
use ir::{Callee, FuncId, Function, InstKind, Origin, Program};

/// By function: is it one of a model, without an external name?
pub fn internal(link: &Linkage) -> Vec<bool> {
    let mut internal: Vec<bool> =
        link.functions.iter().map(|f| f.origin == Origin::Model && f.has_body()).collect();
    link.externs.values().for_each(|id| internal[id.index()] = false);
    internal
}

pub fn inline(program: &mut Program, mut internal: Vec<bool>) {
    internal.resize(program.functions.len(), false);
    let parts = parts(&program.functions, &internal);
    inline::inline_parts(program, &|id| parts[id.index()]);
}

/// From those that call none on.
fn parts(functions: &[Function], internal: &[bool]) -> Vec<bool> {
    let straight = |(f, internal): (&Function, &bool)| *internal && !Cfg::new(f).has_cycle();
    let possible: Vec<bool> = functions.iter().zip(internal).map(straight).collect();
    let mut parts = vec![false; functions.len()];
    loop {
        let is_next = |&i: &usize| {
            possible[i] && !parts[i] && calls(&functions[i]).all(|f| !internal[f] || parts[f])
        };
        let next: Vec<usize> = (0..functions.len()).filter(is_next).collect();
        if next.is_empty() {
            return parts;
        }
        next.into_iter().for_each(|i| parts[i] = true);
    }
}

fn calls(function: &Function) -> impl Iterator<Item = usize> {
    let insts = function.blocks.iter().flat_map(|b| &b.insts);
    insts.filter_map(|inst| match inst.kind {
        InstKind::Call { callee: Callee::Direct(FuncId(id)), .. } => Some(id as usize),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::program;

    #[test]
    fn a_mutex_is_locked_by_one_function() {
        let p = program("int pthread_mutex_lock(void *); void f(void) { pthread_mutex_lock(0); }");
        let names: Vec<&str> = p.functions.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["f", "pthread_mutex_lock"]);
    }

    /// The user's static functions stay, and so do those of models that repeat something.
    #[test]
    fn what_stays() {
        let text = "static int g(void) { return 1; } unsigned long strlen(const char *); \
                    unsigned long f(void) { return g() + strlen(\"1\"); }";
        assert!(program(text).functions.iter().any(|f| f.name == "g"));
    }
}
