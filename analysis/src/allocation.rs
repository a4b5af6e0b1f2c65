//! Where a program asks for memory first: whether there is enough is an assumption of proofs.
//!
//! `malloc` and its kin may always give null (C11 7.22.3). Engines try that out only if they are asked
//! to, so a proof without it rests on the blocks that can be asked for: by the user's calls of models
//! that get to an allocation, in functions that can run. A violation does not rest on it.
//!
//! Cost: a look at each instruction; a points-to analysis of programs that have heap blocks.

use super::points_to::{Context, Instance, PointsTo};
use ir::*;

pub const ASSUMPTION: &str =
    "there is enough memory: malloc and its kin do not fail (--malloc-may-fail tries that, too)";

/// The first place of the user's text where a heap block is made.
pub fn first(program: &Program) -> Option<Span> {
    let makes: Vec<Option<Span>> = program.functions.iter().map(makes_blocks).collect();
    if makes.iter().all(Option::is_none) {
        return None;
    }
    let points_to = PointsTo::new(program, Context::ModelCalls);
    let span = |instance: Instance| {
        let made = makes[points_to.function(instance).index()]?;
        let Some(site) = points_to.served(instance) else { return Some(made) };
        let caller = &program.functions[points_to.function(site.instance).index()];
        Some(caller.blocks[site.block.index()].insts[site.inst].span)
    };
    let places = points_to.instances().filter_map(span);
    places.min_by_key(|span| (program.is_in_model(*span), *span))
}

fn makes_blocks(function: &Function) -> Option<Span> {
    let insts = function.blocks.iter().flat_map(|b| &b.insts);
    let makes = |i: &&Inst| matches!(i.kind, InstKind::Alloc { storage: Storage::Heap, .. });
    let first = insts.filter(makes).map(|i| i.span).next();
    first.filter(|_| function.origin != Origin::Assembly)
}

#[cfg(test)]
mod tests {
    use crate::from_c::program;

    fn first(text: &str) -> Option<u32> {
        let declared = "void *malloc(unsigned long); char *strdup(const char *);";
        let p = crate::prepare(program(&format!("{declared}\n{text}")));
        super::first(&p).map(|span| span.line)
    }

    #[test]
    fn the_first_call_that_can_run_counts() {
        assert_eq!(first("int main(void) { return 0; }"), None);
        assert_eq!(first("int main(void) {\n malloc(1);\n malloc(2); return 0; }"), Some(3));
        assert_eq!(first("int main(void) {\n strdup(\"a\"); return 0; }"), Some(3));
        let dead = "void f(void) {\n malloc(1); }\nint main(void) {\n RUN return 0; }";
        assert_eq!(first(&dead.replace("RUN", "")), None);
        assert_eq!(first(&dead.replace("RUN", "f();")), Some(3));
        assert_eq!(first(&dead.replace("RUN", "void (*g)(void) = f; g();")), Some(3));
    }
}
