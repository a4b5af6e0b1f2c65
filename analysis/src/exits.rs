//! Loops that can be left, and loops that are meant to run for ever.
//!
//! `while (!done) ;` is there to be left; `for (;;) serve();` is not. A loop has a way out if an edge
//! leaves it and the thread can go on from there: returns, ends, ends the process with `exit`, or goes
//! around another loop. An edge that only leads to `abort`, a failed assertion or the like is none:
//! such checks stand in loops of both kinds. Cost: a walk over the blocks behind the loop.

use super::loops::LoopInfo;
use ir::cfg::Cfg;
use ir::{BlockId, Function, Stop, Terminator};

/// Is the loop meant to be left?
pub fn has_way_out(function: &Function, info: &LoopInfo) -> bool {
    let inside = |block: &BlockId| info.body.binary_search(block).is_ok();
    let ends = info.body.iter().map(|b| &function.blocks[b.index()].end);
    let mut todo: Vec<BlockId> =
        ends.flat_map(|end| end.successors()).filter(|b| !inside(b)).collect();
    let looping = in_cycles(function);
    let mut seen = vec![false; function.blocks.len()];
    while let Some(block) = todo.pop() {
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        let end = &function.blocks[block.index()].end;
        if looping[block.index()] || goes_on(end) {
            return true;
        }
        todo.extend(end.successors());
    }
    false
}

fn goes_on(end: &Terminator) -> bool {
    matches!(end, Terminator::Return(_) | Terminator::ExitThread(_) | Terminator::Stop(Stop::Exit))
}

/// Which blocks are part of a loop.
fn in_cycles(function: &Function) -> Vec<bool> {
    let mut found = vec![false; function.blocks.len()];
    let loops = super::loops::loops_in(function, ir::FuncId(0), &Cfg::new(function));
    for block in loops.iter().flat_map(|l| &l.body) {
        found[block.index()] = true;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::loops_of;
    use ir::FuncId;
    use ir::testing::parse;

    /// Of the first loop of `main`.
    fn way_out(lines: &str) -> bool {
        let program = parse(&format!("global x\nfn main(n) {{\na: goto h\n{lines}\n}}"));
        let function = &program.functions[0];
        has_way_out(function, &loops_of(function, FuncId(0))[0])
    }

    #[test]
    fn some_loops_are_meant_to_be_left() {
        assert!(way_out("h: t = load @x\nif t o h\no: ret 0"));
        assert!(way_out("h: t = load @x\nif t o h\no: goto p\np: goto p"));
        assert!(!way_out("h: t = load @x\ngoto h"));
        assert!(!way_out("h: t = load @x\nif t o h\no: stop abort"), "a check that fails");
    }
}
