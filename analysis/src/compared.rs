//! Are addresses of different objects put in order?
//!
//! `p < q` is defined for pointers into one object (C11 6.5.8); for others it shows where objects lie,
//! which each layout has its own way: programs that take locks in the order of their addresses live
//! with any. What our layout says is an assumption of the verdict then. Blocks of one `malloc` in the
//! text count as one object, so comparisons of those are not seen; too much is said where a function
//! gets several arrays.
//!
//! Cost: a look at each instruction of the program's own; a points-to analysis if there is such a
//! comparison between anything but constants.

use super::points_to::{Context, Place, PointsTo};
use ir::types::Scalar;
use ir::*;

const ASSUMPTION: &str = "objects lie in memory in our order, where addresses of different ones \
                          are compared with < or >; C leaves it open";

/// Notes the assumption at the first comparison of its kind.
pub fn settle(program: &mut Program) {
    let comparisons = comparisons(program);
    if comparisons.is_empty() {
        return;
    }
    let points_to = PointsTo::new(program, Context::Insensitive);
    let open = comparisons.into_iter().find(|c| c.between_objects(&points_to));
    program.ignored.extend(open.map(|c| (ASSUMPTION.to_owned(), c.span)));
}

struct Comparison {
    function: FuncId,
    operands: [Operand; 2],
    span: Span,
}

impl Comparison {
    /// A number (no target at all) has no place in memory.
    fn between_objects(&self, points_to: &PointsTo) -> bool {
        let [a, b] = self.operands.map(|op| points_to.targets(self.function, &op));
        let known = |place: &&Place| **place != Place::Unknown;
        let mut all: Vec<&Place> = a.iter().chain(&b).filter(known).collect();
        all.sort_unstable();
        all.dedup();
        !a.is_empty() && !b.is_empty() && all.len() > 1
    }
}

fn comparisons(program: &Program) -> Vec<Comparison> {
    let functions = program.functions.iter().enumerate();
    let users = functions.filter(|(_, f)| f.origin == Origin::User);
    let insts = users.flat_map(|(i, f)| {
        f.blocks.iter().flat_map(|b| &b.insts).map(move |inst| (FuncId(i as u32), inst))
    });
    insts
        .filter_map(|(function, inst)| match inst.kind {
            InstKind::Assign {
                value:
                    Rvalue::Binary {
                        op: BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge,
                        ty: Scalar::Ptr,
                        a,
                        b,
                        ..
                    },
                ..
            } => Some(Comparison { function, operands: [a, b], span: inst.span }),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::from_c::program;

    fn assumes(body: &str) -> bool {
        let text = format!("int a[4], b[4]; int main(void) {{ int *p = a; {body} }}");
        let ignored = program(&text).ignored;
        ignored.iter().any(|(what, _)| what == super::ASSUMPTION)
    }

    #[test]
    fn only_comparisons_of_different_objects_rest_on_the_layout() {
        assert!(assumes("return &a[1] < &b[0];"));
        assert!(assumes("if (b[0]) p = b; return p >= a;"));
        assert!(!assumes("while (p < a + 4) p++; return 0;"));
        assert!(!assumes("return &a[1] == &b[0];"));
        assert!(!assumes("return p > (int *)0;"));
    }
}
