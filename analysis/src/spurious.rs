//! Weak compare-and-exchanges that are tried again until they succeed.
//!
//! A weak exchange may fail although the values are equal: an input says so (`FAILURE`). In a loop
//! that only tries again, such a failure is as good as none: what the iteration has done is done again
//! in the same way, only later. There the input is settled to "it does not fail", so that the loop
//! needs no more iterations than with a strong exchange. Elsewhere it stays, and both paths are
//! explored.
//!
//! Take an iteration that fails so. It is as good as none if
//! - behind the failure nothing happens until the head is reached again (registers may be assigned,
//!   by what cannot overflow or trap), and the loop is not left;
//! - each register that is read in a later iteration, or behind the loop, is what it was at the
//!   head (the expected value was found, so writing it again changes nothing), or a constant that
//!   it has at the head whenever that is reached;
//! - before the exchange the iteration writes nothing but plain stores to addresses that are the
//!   same in each iteration, on all paths to the exchange and out of the loop, and reads nothing
//!   plainly. The next iteration does them again. Between the two another thread could only see
//!   them by a race, since this one has released nothing since; and that race is also there if the
//!   exchange succeeds.
//!
//! What can go wrong before the exchange goes wrong in executions in which it does not fail, too.
//!
//! Cost: a walk per path through a loop with such an input, and at most `MAX_PATHS` of them.

use super::constants::Constants;
use super::live::Live;
use super::loops::{self, LoopInfo, LoopKind};
use super::pure::{Purities, Purity};
use super::symbolic::{LoopTerm, LoopTerms, PathFacts};
use ir::cfg::Cfg;
use ir::types::Scalar;
use ir::walk;
use ir::*;
use rustc_hash::FxHashSet;

/// The name of the input by which a weak exchange fails.
pub const FAILURE: &str = "__obmc_spurious_failure";

const MAX_PATHS: usize = 256;

/// An instruction of a function.
type InstSite = (BlockId, usize);

/// Settles all failures that are as good as none; gives their number.
pub fn settle(program: &mut Program) -> usize {
    if program.functions.iter().all(|f| sites(f).is_empty()) {
        return 0;
    }
    let purities = Purities::new(program);
    let mut count = 0;
    for i in 0..program.functions.len() {
        let id = FuncId(i as u32);
        let found = sites(&program.functions[i]);
        let harmless = match found.is_empty() {
            true => Vec::new(),
            false => harmless(program, id, &purities, found),
        };
        for (block, index) in harmless {
            let inst = &mut program.functions[i].blocks[block.index()].insts[index];
            if let InstKind::Nondet { dst, ty, .. } = inst.kind {
                inst.kind = never(dst, ty);
                count += 1;
            }
        }
    }
    count
}

fn never(dst: Reg, ty: Scalar) -> InstKind {
    InstKind::Assign { dst, value: Rvalue::Use(Operand::Const { bits: 0, ty }) }
}

fn sites(function: &Function) -> Vec<InstSite> {
    let mut found = Vec::new();
    for (b, block) in function.blocks.iter().enumerate() {
        for (i, inst) in block.insts.iter().enumerate() {
            if matches!(&inst.kind, InstKind::Nondet { name, .. } if name == FAILURE) {
                found.push((BlockId(b as u32), i));
            }
        }
    }
    found
}

fn harmless(
    program: &Program,
    id: FuncId,
    purities: &Purities,
    sites: Vec<InstSite>,
) -> Vec<InstSite> {
    let function = &program.functions[id.index()];
    let found = loops::loops_of(function, id);
    let cfg = Cfg::new(function);
    let live = Live::new(function, &cfg);
    let constants = Constants::new(program, function);
    let around = |site: &InstSite| {
        let holds = |l: &&LoopInfo| l.body.binary_search(&site.0).is_ok();
        found.iter().filter(holds).max_by_key(|l| l.depth)
    };
    let tries_again = |site: &InstSite| {
        let Some(info) = around(site) else { return false };
        let inner = found.iter().any(|l| l.depth > info.depth && info.body.contains(&l.head));
        if info.kind != LoopKind::Natural || inner {
            return false;
        }
        let iterations = Iterations { program, function, purities, info, site: *site };
        let written = iterations.written(&live);
        let entry = |reg: Reg| match constants.on_entry(program, function, &cfg, info, reg) {
            Some(Operand::Const { bits, .. }) => Some(bits),
            _ => None,
        };
        iterations.walk(&written, entry).is_some()
    };
    sites.into_iter().filter(tries_again).collect()
}

/// The iterations of one loop around a weak exchange.
struct Iterations<'a> {
    program: &'a Program,
    function: &'a Function,
    purities: &'a Purities,
    info: &'a LoopInfo,
    site: InstSite,
}

/// A path on its way through an iteration.
#[derive(Clone, Default)]
struct IterationWalker {
    path: PathFacts,
    /// Has the exchange failed for no reason?
    failed: bool,
    /// In atomic blocks of the iteration.
    depth: u32,
    /// Addresses of stores before the exchange.
    stored: Vec<LoopTerm>,
}

impl Iterations<'_> {
    /// Registers written in the loop whose value at the head matters.
    fn written(&self, live: &Live) -> Vec<Reg> {
        let live = live.at_start(self.info.head);
        let defined: FxHashSet<Reg> = self.insts().filter_map(walk::defined).collect();
        defined.into_iter().filter(|r| live.contains(r)).collect()
    }

    /// `None` if a failure for no reason may be told from none.
    fn walk(&self, written: &[Reg], entry: impl Fn(Reg) -> Option<u64>) -> Option<()> {
        let mut terms = LoopTerms::new(self.program.machine);
        let mut stack = vec![(self.info.head, IterationWalker::default())];
        let (mut back, mut left): (Vec<IterationWalker>, Vec<IterationWalker>) =
            (Vec::new(), Vec::new());
        let mut paths = 0;
        while let Some((at, mut walker)) = stack.pop() {
            paths += 1;
            let block = &self.function.blocks[at.index()];
            for (i, inst) in block.insts.iter().enumerate() {
                self.step(&mut walker, &mut terms, (at, i), &inst.kind)?;
            }
            let ends = block.end.successors().is_empty();
            if paths > MAX_PATHS || walker.failed && ends {
                return None;
            }
            for (next, path) in walker.path.branches(&mut terms, &block.end) {
                let walker = IterationWalker { path, ..walker.clone() };
                match self.info.body.binary_search(&next) {
                    Ok(_) if next == self.info.head => back.push(walker),
                    Ok(_) => stack.push((next, walker)),
                    Err(_) if walker.failed => return None,
                    Err(_) => left.push(walker),
                }
            }
        }
        let constant = |reg: Reg, terms: &mut LoopTerms| {
            let value = entry(reg)?;
            let same = |w: &IterationWalker| {
                let term = w.path.reg(terms, reg);
                w.path.value(terms, term) == Some(value)
            };
            back.iter().all(same).then_some(())
        };
        let changed: Vec<Reg> =
            written.iter().copied().filter(|reg| constant(*reg, &mut terms).is_none()).collect();
        let as_before = |walker: &IterationWalker| {
            let mut same = |reg: &Reg| {
                let (now, before) = (walker.path.reg(&mut terms, *reg), terms.initial(*reg));
                walker.path.equal(&mut terms, now, before)
            };
            walker.depth == 0 && changed.iter().all(&mut same)
        };
        let failing = || back.iter().filter(|w| w.failed);
        let stored: &[LoopTerm] = failing().next().map_or(&[], |w| &w.stored);
        let repeated = failing().chain(&left).all(|w| w.stored == stored);
        let read = !stored.is_empty() && self.insts().any(reads_plainly);
        (repeated && !read && failing().all(as_before)).then_some(())
    }

    fn insts(&self) -> impl Iterator<Item = &InstKind> {
        let blocks = self.info.body.iter().map(|b| &self.function.blocks[b.index()]);
        blocks.flat_map(|b| &b.insts).map(|i| &i.kind)
    }

    fn is_begun(&self, slot: SlotId) -> bool {
        self.insts().any(|i| *i == InstKind::SlotLive(slot))
    }

    fn step(
        &self,
        walker: &mut IterationWalker,
        terms: &mut LoopTerms,
        at: InstSite,
        kind: &InstKind,
    ) -> Option<()> {
        if at == self.site {
            let InstKind::Nondet { dst, ty, .. } = *kind else { return None };
            let fails = Operand::Const { bits: 1, ty };
            let fails = InstKind::Assign { dst, value: Rvalue::Use(fails) };
            walker.path.inst(terms, self.function, &fails);
            walker.failed = true;
            return Some(());
        }
        match kind {
            InstKind::AtomicBegin { .. } => walker.depth += 1,
            InstKind::AtomicEnd => walker.depth = walker.depth.checked_sub(1)?,
            InstKind::Assign { value, .. } if walker.failed && !is_total(value) => return None,
            InstKind::Assign { .. } => {}
            // What is left of a callee's local that became a register.
            InstKind::SlotDead(slot) if !self.is_begun(*slot) => {}
            _ if walker.failed => return None,
            InstKind::Store { addr, order: MemoryOrder::Plain, .. } if walker.depth == 0 => {
                let address = walker.path.operand(terms, addr);
                let written = |reg: Reg| self.insts().any(|i| walk::defined(i) == Some(reg));
                walker.stored.push(address);
                terms.is_made_of(address, &|reg| !written(reg)).then_some(())?;
            }
            _ if self.purities.inst(self.program, kind) == Purity::Effects => return None,
            _ => {}
        }
        walker.path.inst(terms, self.function, kind);
        Some(())
    }
}

/// A call may read what was stored.
fn reads_plainly(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Load { order: MemoryOrder::Plain, .. } | InstKind::Call { .. })
}

/// Can nothing go wrong when it is computed?
fn is_total(value: &Rvalue) -> bool {
    match value {
        Rvalue::Unary { checked, .. } => !checked,
        Rvalue::Binary { op, checked, .. } => !checked && !matches!(op, BinOp::Div | BinOp::Rem),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::from_c::program;

    /// How many failures are left in `f`.
    fn left(body: &str) -> usize {
        let text = format!(
            "int x, y, *p; struct n {{ struct n *next; int v; }} *top; void other(void) {{ y++; }}
             int f(int n, struct n *node) {{ int e = 0, t = 0; {body} return t; }}"
        );
        let program = crate::prepare(program(&text));
        program.functions.iter().map(|f| sites(f).len()).sum()
    }

    const CAS: &str = "__atomic_compare_exchange_n(&x, &e, e + 1u, 1, 5, 5)";

    #[test]
    fn who_only_tries_again_need_not_mind() {
        assert_eq!(left(&format!("while (!{CAS}) ;")), 0);
        assert_eq!(left(&format!("do e = __atomic_load_n(&x, 5); while (!{CAS});")), 0);
        assert_eq!(left(&format!("for (;;) {{ if ({CAS}) break; }}")), 0);
        assert_eq!(left(&format!("while (!{CAS}) e = 0;")), 0);
        let push = "__atomic_compare_exchange_n(&top, &seen, node, 1, 5, 5)";
        let start = "struct n *seen = top;";
        assert_eq!(left(&format!("{start} do node->next = seen; while (!{push});")), 0);
    }

    #[test]
    fn who_can_tell_it_from_none_must() {
        for body in [
            format!("t = {CAS};"),
            format!("if (!{CAS}) t = 1;"),
            format!("while (!{CAS}) t++;"),
            format!("while (!{CAS}) if (n) break;"),
            format!("while (!{CAS}) if (n) return 3;"),
            format!("while (!{CAS}) other();"),
            format!("do other(); while (!{CAS});"),
            format!("do y++; while (!{CAS});"),
            format!("while (!{CAS}) e = n;"),
            format!("do p[y] = 1; while (!{CAS});"),
            format!("do __atomic_store_n(&y, 1, 5); while (!{CAS});"),
            format!("do {{ if (n == e) break; y = 1; }} while (!{CAS});"),
            // A sum that may overflow, in an iteration that would not have been.
            format!("while (!{CAS}) t = e + 1;"),
        ] {
            assert_eq!(left(&body), 1, "{body}");
        }
    }

    #[test]
    fn strong_ones_do_not_fail_for_no_reason() {
        assert_eq!(left(&format!("t = {};", CAS.replace("1, 5", "0, 5"))), 0);
    }
}
