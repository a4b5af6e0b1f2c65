//! Loops whose number of iterations is known: the bound that is enough to unroll them completely.
//!
//! We look for a register that is constant where the loop is entered, that one instruction of the
//! loop changes, from itself and constants only, once in every iteration, and for a branch out of the
//! loop, also passed in every iteration, that depends on nothing else. Then the values in the
//! branch are a fixed sequence, and we simply compute it until it leaves. Other ways out only leave
//! earlier. No assumption on the step, the comparison or wrapping is needed; cost: iterations, at
//! most the cap.

use super::constants::Constants;
use super::loops::{LoopInfo, LoopKind};
use ir::cfg::{Cfg, Dominators};
use ir::fold;
use ir::types::Scalar;
use ir::walk;
use ir::*;

/// How deep expressions inside one block are followed.
const MAX_DEPTH: u32 = 32;

/// For each loop a bound (as `unroll` counts) that no execution reaches, if one up to `cap` is
/// found. `loops` are the loops of this very program.
pub fn enough(program: &Program, loops: &[LoopInfo], cap: u32) -> Vec<Option<u32>> {
    let mut bounds = vec![None; loops.len()];
    for (i, function) in program.functions.iter().enumerate() {
        let mine = |l: &&LoopInfo| l.function.index() == i && l.kind == LoopKind::Natural;
        if !loops.iter().any(|l| mine(&l)) {
            continue;
        }
        let cfg = Cfg::new(function);
        let shape = CountedLoop {
            program,
            function,
            dominators: cfg.dominators(),
            constants: Constants::new(program, function),
            cfg,
        };
        for (l, info) in loops.iter().enumerate().filter(|(_, l)| mine(l)) {
            let inner: Vec<&LoopInfo> = loops.iter().filter(|o| o.parent == Some(l)).collect();
            bounds[l] = shape.iterations(info, &inner, cap);
        }
    }
    bounds
}

struct CountedLoop<'a> {
    program: &'a Program,
    function: &'a Function,
    cfg: Cfg,
    dominators: Dominators,
    constants: Constants,
}

/// The register that counts, and the one place in the loop that writes it.
struct Counter {
    reg: Reg,
    block: BlockId,
    inst: usize,
    start: u64,
}

impl CountedLoop<'_> {
    fn iterations(&self, info: &LoopInfo, inner: &[&LoopInfo], cap: u32) -> Option<u32> {
        let every_round = |b: &BlockId| {
            info.latches.iter().all(|l| self.dominators.dominates(*b, *l))
                && !inner.iter().any(|i| i.body.binary_search(b).is_ok())
        };
        let once: Vec<BlockId> = info.body.iter().copied().filter(every_round).collect();
        let exits = once.iter().filter_map(|b| self.exit(info, *b));
        let mut best = None;
        for (block, cond, leaves_if) in exits {
            for counter in self.counters(info, &once) {
                let found = self.simulate(&counter, block, &cond, leaves_if, cap);
                best = [best, found].into_iter().flatten().min();
            }
        }
        best
    }

    /// A two-way branch with one way out of the loop: its condition, and its value when leaving.
    fn exit(&self, info: &LoopInfo, block: BlockId) -> Option<(BlockId, Operand, bool)> {
        let Terminator::Branch { cond, then, otherwise } = self.function.blocks[block.index()].end
        else {
            return None;
        };
        let inside = |b: BlockId| info.body.binary_search(&b).is_ok();
        match (inside(then), inside(otherwise)) {
            (false, true) => Some((block, cond, true)),
            (true, false) => Some((block, cond, false)),
            _ => None,
        }
    }

    fn counters(&self, info: &LoopInfo, once: &[BlockId]) -> Vec<Counter> {
        let mut writes: rustc_hash::FxHashMap<Reg, (u32, BlockId, usize)> = Default::default();
        for b in &info.body {
            for (i, inst) in self.function.blocks[b.index()].insts.iter().enumerate() {
                if let Some(r) = walk::defined(&inst.kind) {
                    writes.entry(r).or_insert((0, *b, i)).0 += 1;
                }
            }
        }
        let mut counters = Vec::new();
        for (reg, (count, block, inst)) in writes {
            if count == 1 && once.contains(&block) {
                let start = self.start(info, reg);
                counters.extend(start.map(|start| Counter { reg, block, inst, start }));
            }
        }
        counters.sort_by_key(|c| c.reg);
        counters
    }

    fn start(&self, info: &LoopInfo, reg: Reg) -> Option<u64> {
        let start = self.constants.on_entry(self.program, self.function, &self.cfg, info, reg)?;
        match start {
            Operand::Const { bits, .. } => Some(bits),
            _ => None,
        }
    }

    /// Runs counter and branch. Leaving at the first test takes no jump back, so bound 1 is enough.
    fn simulate(
        &self,
        counter: &Counter,
        exit: BlockId,
        cond: &Operand,
        leaves_if: bool,
        cap: u32,
    ) -> Option<u32> {
        // Both are passed in every iteration, so one comes before the other in all of them.
        let counts_first = counter.block != exit && self.dominators.dominates(counter.block, exit);
        let exit_end = self.function.blocks[exit.index()].insts.len();
        let mut value = counter.start;
        for iteration in 1..=cap {
            let at = |block| BlockEvaluation { shape: self, block, counter: counter.reg };
            let next = at(counter.block).inst(counter.inst, value, 0)?;
            let seen = if counts_first { next } else { value };
            let cond = at(exit).operand(exit_end, cond, seen, 0)?;
            if (cond.0 != 0) == leaves_if {
                return Some(iteration);
            }
            value = next;
        }
        None
    }
}

/// Evaluation inside one block from the counter's value at its start.
struct BlockEvaluation<'a> {
    shape: &'a CountedLoop<'a>,
    block: BlockId,
    counter: Reg,
}

impl BlockEvaluation<'_> {
    /// The value of an operand just before instruction `before`.
    fn operand(
        &self,
        before: usize,
        operand: &Operand,
        counter: u64,
        depth: u32,
    ) -> Option<(u64, Scalar)> {
        let ty = walk::operand_type(self.shape.function, operand);
        let reg = match operand {
            Operand::Const { bits, .. } => return Some((*bits, ty)),
            Operand::Reg(r) => *r,
            _ => return None,
        };
        let insts = &self.shape.function.blocks[self.block.index()].insts[..before];
        let bits = match insts.iter().rposition(|i| walk::defined(&i.kind) == Some(reg)) {
            Some(i) => self.inst(i, counter, depth + 1)?,
            None if reg == self.counter => counter,
            None => match self.shape.constants.at_start(self.block)?.get(&reg)? {
                Operand::Const { bits, .. } => *bits,
                _ => return None,
            },
        };
        Some((bits, ty))
    }

    /// What the instruction assigns.
    fn inst(&self, index: usize, counter: u64, depth: u32) -> Option<u64> {
        let block = &self.shape.function.blocks[self.block.index()];
        let InstKind::Assign { dst, value } = &block.insts[index].kind else { return None };
        if depth > MAX_DEPTH || matches!(value, Rvalue::PtrAdd { .. }) {
            return None;
        }
        let machine = self.shape.program.machine;
        let known = |o: &Operand| self.operand(index, o, counter, depth);
        let folded = fold::rvalue(machine, value, known)?;
        Some(fold::truncate(machine, self.shape.function.regs[dst.index()].ty, folded.bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::loops;
    use crate::unroll::{Bounds, unroll};
    use ir::testing::{End, parse, run};

    fn bounds(text: &str) -> Vec<Option<u32>> {
        let p = parse(text);
        enough(&p, &loops(&p), 100)
    }

    /// Also checks that the bound is enough and that one less is not.
    fn exact(text: &str) -> Option<u32> {
        let bound = bounds(text)[0]?;
        let result = |bound| {
            let mut p = parse(text);
            let found = loops(&p);
            unroll(&mut p, &found, &Bounds::all(bound)).expect("small");
            run(&p, 0, 10_000).end
        };
        assert!(matches!(result(bound), End::Return(_)));
        if bound > 1 {
            assert_eq!(result(bound - 1), End::Stop(Stop::Bound(LoopId(0))));
        }
        Some(bound)
    }

    fn counted(start: i32, test: &str, step: &str) -> String {
        format!(
            "fn main() {{
             a: i = {start}
             goto head
             head: c = {test}
             if c body out
             body: old = i
             t = {step}
             i = t
             goto head
             out: ret i
             }}"
        )
    }

    #[test]
    fn for_loops_in_many_forms() {
        assert_eq!(exact(&counted(0, "i < 3", "i + 1")), Some(4));
        assert_eq!(exact(&counted(10, "i > 0", "i - 3")), Some(5));
        assert_eq!(exact(&counted(1, "i != 64", "i * 2")), Some(7));
        assert_eq!(exact(&counted(5, "i < 5", "i + 1")), Some(1));
        assert_eq!(exact(&counted(0, "i != 7", "i + 2")), None);
    }

    #[test]
    fn do_while_counts_before_it_tests() {
        let text = "fn main() {
             a: i = 0
             goto body
             body: i = i + 1
             c = i < 4
             if c body out
             out: ret i
             }";
        assert_eq!(exact(text), Some(4));
    }

    #[test]
    fn a_counter_that_is_not_changed_in_every_round_does_not_count() {
        let text = "fn main(n) {
             a: i = 0
             goto head
             head: c = i < 3
             if c body out
             body: if n skip add
             skip: goto head
             add: i = i + 1
             goto head
             out: ret i
             }";
        assert_eq!(bounds(text), [None]);
        let inner = "fn main(n) {
             a: i = 0
             goto head
             head: c = i < 9
             if c body out
             body: i = i + 1
             x = nondet
             if x body head
             out: ret i
             }";
        assert_eq!(bounds(inner), [None, None]);
    }

    #[test]
    fn unknown_start_or_limit() {
        let unknown_limit = "fn main(n) {
             a: i = 0
             goto head
             head: c = i < n
             if c body out
             body: i = i + 1
             goto head
             out: ret i
             }";
        assert_eq!(bounds(unknown_limit), [None]);
        assert_eq!(bounds(&unknown_limit.replace("i = 0", "i = nondet")), [None]);
        assert_eq!(bounds(&unknown_limit.replace("i = 0", "i = 0\nn = 2")), [Some(3)]);
    }

    #[test]
    fn inner_loops_restart() {
        let text = "fn main() {
             a: i = 0
             goto head
             head: c = i < 3
             if c start out
             start: j = 0
             goto inner
             inner: d = j < 5
             if d body last
             body: j = j + 1
             goto inner
             last: i = i + 1
             goto head
             out: ret i
             }";
        assert_eq!(bounds(text), [Some(4), Some(6)]);
    }
}
