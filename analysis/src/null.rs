//! Pointers that are null in every execution: parameters that get the constant 0 in every call, such
//! as the second one of `pthread_join` mostly.
//!
//! An access through one touches no object. `points_to` alone cannot tell that from a made-up
//! number, which may be any address, so an analysis that must be careful with an empty set asks here.
//!
//! Invariant: a parameter counts only if it is never assigned and all calls of its function are
//! direct. Cost: one walk over the program.

use ir::walk;
use ir::*;
use rustc_hash::FxHashSet;

pub struct Nulls(FxHashSet<(FuncId, Reg)>);

impl Nulls {
    pub fn new(program: &Program) -> Nulls {
        let mut called = vec![false; program.functions.len()];
        let mut null: Vec<Vec<bool>> =
            program.functions.iter().map(|f| vec![true; f.params.len()]).collect();
        for f in &program.functions {
            for inst in f.blocks.iter().flat_map(|b| &b.insts) {
                for operand in walk::operands(&inst.kind) {
                    forget(&mut null, operand);
                }
                if let InstKind::Call { callee: Callee::Direct(to), args, .. } = &inst.kind {
                    called[to.index()] = true;
                    for (i, null) in null[to.index()].iter_mut().enumerate() {
                        *null &= args.get(i).is_some_and(is_zero);
                    }
                }
            }
            for operand in f.blocks.iter().filter_map(|b| walk::end_operand(&b.end)) {
                forget(&mut null, operand);
            }
        }
        for (_, address) in program.objects.iter().flat_map(|o| &o.relocations) {
            forget(&mut null, address);
        }
        let mut all = FxHashSet::default();
        for (i, f) in program.functions.iter().enumerate() {
            let id = FuncId(i as u32);
            if !called[i] || id == program.entry {
                continue;
            }
            let params = f.params.iter().zip(&null[i]);
            all.extend(params.filter(|(_, null)| **null).map(|(reg, _)| (id, *reg)));
            for inst in f.blocks.iter().flat_map(|b| &b.insts) {
                if let Some(reg) = walk::defined(&inst.kind) {
                    all.remove(&(id, reg));
                }
            }
        }
        Nulls(all)
    }

    pub fn is_null(&self, function: FuncId, operand: &Operand) -> bool {
        match operand {
            Operand::Reg(r) => self.0.contains(&(function, *r)),
            _ => is_zero(operand),
        }
    }
}

/// A function whose address goes somewhere may be called with anything.
fn forget(null: &mut [Vec<bool>], operand: &Operand) {
    if let Operand::Function(f) = operand {
        null[f.index()].fill(false);
    }
}

fn is_zero(operand: &Operand) -> bool {
    matches!(operand, Operand::Const { bits: 0, .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::testing::parse;

    /// The numbers of the parameters of `f`, the second function, that are null.
    fn nulls(text: &str) -> Vec<usize> {
        let p = parse(text);
        let found = Nulls::new(&p);
        let params = &p.functions[1].params;
        let null = |i: &usize| found.is_null(FuncId(1), &Operand::Reg(params[*i]));
        (0..params.len()).filter(null).collect()
    }

    #[test]
    fn all_calls_must_agree() {
        let with = |calls: &str, body: &str| {
            nulls(&format!(
                "fn main() {{\na: {calls}\nret\n}}\nfn f(pa, pb) {{\na: {body}\nret\n}}"
            ))
        };
        assert_eq!(with("call f 0 1", ""), [0]);
        assert_eq!(with("call f 0 0", ""), [0, 1]);
        assert_eq!(with("call f 0 1\ncall f 1 0", ""), [0; 0]);
        assert_eq!(with("call f 0", ""), [0], "what is not passed is arbitrary");
        assert_eq!(with("call f 0 0", "pa = pb"), [1]);
        assert_eq!(with("", ""), [0; 0]);
        assert_eq!(with("call f 0 0\npx = &f", ""), [0; 0]);
    }
}
