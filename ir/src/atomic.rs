//! How deep in atomic blocks each block of a function starts, and which functions may be called
//! inside one.
//!
//! Depths count from the function's own start; a model may well begin a block in one function and
//! wait in another that it calls, so `called_inside` closes over calls.

use super::cfg::Cfg;
use crate::{BlockId, Callee, Function, InstKind, Program};

/// Depth at the start of each block; `None` where the block cannot be reached.
pub struct Depths(Vec<Option<u32>>);

impl Depths {
    /// The first path to a block decides; `mismatch` tells of blocks where another path disagrees.
    pub fn new(function: &Function, mut mismatch: impl FnMut(BlockId)) -> Depths {
        let cfg = Cfg::new(function);
        let mut at: Vec<Option<u32>> = vec![None; function.blocks.len()];
        if let Some(first) = at.first_mut() {
            *first = Some(0);
        }
        for b in &cfg.order {
            let Some(start) = at[b.index()] else { continue };
            let end = function.blocks[b.index()].insts.iter().fold(start, |d, i| after(d, &i.kind));
            for s in &cfg.succs[b.index()] {
                match at[s.index()] {
                    None => at[s.index()] = Some(end),
                    Some(d) if d != end => mismatch(*s),
                    Some(_) => {}
                }
            }
        }
        Depths(at)
    }

    pub fn at(&self, block: BlockId) -> Option<u32> {
        self.0[block.index()]
    }
}

/// The depth after an instruction. An end without a beginning is the verifier's business.
pub fn after(depth: u32, kind: &InstKind) -> u32 {
    match kind {
        InstKind::AtomicBegin { .. } => depth + 1,
        InstKind::AtomicEnd => depth.saturating_sub(1),
        _ => depth,
    }
}

/// For each function: may a call of it happen inside an atomic block? Indirect calls inside one
/// count for every function.
pub fn called_inside(program: &Program) -> Vec<bool> {
    let mut inside = vec![false; program.functions.len()];
    let mut work = Vec::new();
    for f in &program.functions {
        let depths = Depths::new(f, |_| {});
        for (b, block) in f.blocks.iter().enumerate() {
            let mut depth = depths.0[b].unwrap_or(0);
            for inst in &block.insts {
                if depth > 0 {
                    mark(program, &inst.kind, &mut inside, &mut work);
                }
                depth = after(depth, &inst.kind);
            }
        }
    }
    while let Some(f) = work.pop() {
        let insts = program.functions[f].blocks.iter().flat_map(|b| &b.insts);
        insts.for_each(|i| mark(program, &i.kind, &mut inside, &mut work));
    }
    inside
}

fn mark(program: &Program, kind: &InstKind, inside: &mut [bool], work: &mut Vec<usize>) {
    let mut add = |f: usize| {
        if !std::mem::replace(&mut inside[f], true) {
            work.push(f);
        }
    };
    match kind {
        InstKind::Call { callee: Callee::Direct(f), .. } => add(f.index()),
        InstKind::Call { .. } => (0..program.functions.len()).for_each(add),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::parse;

    #[test]
    fn depth_and_calls() {
        let p = parse(
            "fn g() {
             a: ret
             }
             fn f() {
             a: t = call g()
             ret
             }
             fn h() {
             a: ret
             }
             fn main(c) {
             a: t = call h()
             begin
             goto b
             b: t = call f()
             end
             goto d
             d: ret
             }",
        );
        let depths = Depths::new(&p.functions[3], |_| panic!("no mismatch"));
        let at: Vec<_> = (0..3).map(|b| depths.at(BlockId(b))).collect();
        assert_eq!(at, [Some(0), Some(1), Some(0)]);
        assert_eq!(called_inside(&p), [true, true, false, false]);
    }

    #[test]
    fn unbalanced_ways_are_told() {
        let p = parse("fn main(c) {\na: if c b d\nb: begin\ngoto d\nd: ret\n}");
        let mut told = vec![];
        Depths::new(&p.functions[0], |b| told.push(b));
        assert_eq!(told, [BlockId(2)]);
    }
}
