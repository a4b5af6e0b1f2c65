//! Are addresses of different objects put in order?
//!
//! `p < q` is defined for pointers into one object (C11 6.5.8); for others it shows where objects lie,
//! which each layout has its own way: programs that take locks in the order of their addresses live
//! with any. What our layout says is an assumption of the verdict then. Blocks of one call in the
//! text count as one object, so comparisons of those are not seen; too much is said where a function
//! gets several arrays.
//!
//! `p == q` may hold for a pointer past the end of an object and one to the start of another (6.5.9p6).
//! Ours never do; that is an assumption where one side is written as the end of an object and the other
//! may lead to another object. Our `realloc` always moves; that is an assumption where what it returns
//! is compared with another address of a block. Nor is memory used again, which programs can tell that compare
//! addresses as numbers, or those of blocks some of which are freed (C leaves open what the address of a freed block is,
//! 6.2.4p2; machines compare it). `p - q` of different objects is undefined (6.5.6p9), and so is what it shows of our layout.
//! Those are assumptions then, and so is that an object does not lie at a number that its address is compared with.
//!
//! Cost: a look at each instruction of the program's own; a points-to analysis if there is such a
//! comparison between anything but constants.

use super::points_to::{Context, Instance, Pointee, PointsTo, Site};
use ir::types::Scalar;
use ir::walk;
use ir::*;
use std::cell::OnceCell;

const REALLOC: [&str; 2] = ["realloc", "reallocarray"];

const ASSUMPTION: &str = "objects lie in memory in our order, where addresses of different ones \
                          are compared with < or >; C leaves it open";

const END: &str = "no object lies where another one ends, where such addresses are compared with == \
                   or !=; C leaves it open";

const MOVED: &str = "realloc moves its block, where what it returns is compared with another address; \
                     it may stay where it was";

const REUSED: &str =
    "memory is not used again for other objects, where addresses are compared as numbers";

/// Where addresses are compared and exchanged.
pub const NOT_REUSED: &str = "freed addresses are not used again (ABA)";

const FREED: &str =
    "freed memory is not used again for other blocks, where their addresses are compared";

const DISTANCE: &str = "objects lie in memory as ours do, where addresses of different ones are \
                        subtracted; C leaves it undefined";

const PLACED: &str = "no object lies at a number that the program has its address compared with; \
                      C leaves it open";

/// Below there are no objects, nor above: numbers of devices, and marks, lie there.
const PLACES: std::ops::Range<u64> = 1 << 12..1 << 47;

/// Notes each assumption at the first comparison of its kind.
pub fn settle(program: &mut Program) {
    let Comparisons { ordered, ends, equal, numbers, freed, distances, placed } =
        comparisons(program);
    let found = [&ordered, &ends, &equal, &numbers, &freed, &distances, &placed];
    if found.iter().all(|found| found.is_empty()) {
        return;
    }
    let points_to = PointsTo::new(program, Context::Insensitive);
    let calls: OnceCell<PointsTo> = OnceCell::new();
    let calls = || calls.get_or_init(|| PointsTo::new(program, Context::ModelCalls));
    let in_order = |c: &&Comparison| {
        c.between_objects(&points_to) || c.is_within_blocks(&points_to) && c.between_blocks(calls())
    };
    let moved =
        |c: &&Comparison| c.is_within_blocks(&points_to) && c.is_with_moved(program, calls());
    let apart = |c: &&Comparison| {
        c.is_apart(&points_to) || c.is_within_blocks(&points_to) && c.between_blocks(calls())
    };
    let notes = [
        (ordered.iter().find(in_order), ASSUMPTION),
        (ends.iter().find(|c| c.between_objects(&points_to)), END),
        (equal.iter().find(moved), MOVED),
        (numbers.iter().find(|c| c.is_of_storage(&points_to)), REUSED),
        (freed.iter().find(|c| c.is_within_blocks(&points_to)), FREED),
        (distances.iter().find(apart), DISTANCE),
        (placed.iter().find(|c| c.is_of_an_object(&points_to)), PLACED),
    ];
    let notes: Vec<(String, Span)> =
        notes.into_iter().filter_map(|(c, text)| Some((text.to_owned(), c?.span))).collect();
    program.ignored.extend(notes);
}

/// By what they rest on.
#[derive(Default)]
struct Comparisons {
    /// Which address is smaller.
    ordered: Vec<Comparison>,
    /// Equality with the end of an object.
    ends: Vec<Comparison>,
    /// Equality, in programs with `realloc`.
    equal: Vec<Comparison>,
    /// Equality of numbers, in programs that make such of addresses.
    numbers: Vec<Comparison>,
    /// Equality of addresses, in programs that free.
    freed: Vec<Comparison>,
    /// Differences.
    distances: Vec<Comparison>,
    /// Equality with a number at which an object may lie.
    placed: Vec<Comparison>,
}

#[derive(Clone, Copy)]
struct Comparison {
    function: FuncId,
    operands: [Operand; 2],
    span: Span,
}

impl Comparison {
    /// A number (no target at all) has no place in memory.
    fn between_objects(&self, points_to: &PointsTo) -> bool {
        let [a, b] = self.operands.map(|op| points_to.targets(self.function, &op));
        let known = |place: &&Pointee| **place != Pointee::Unknown;
        let mut all: Vec<&Pointee> = a.iter().chain(&b).filter(known).collect();
        all.sort_unstable();
        all.dedup();
        !a.is_empty() && !b.is_empty() && all.len() > 1
    }

    /// Have the sides no block in common? One of several blocks, and its end, are mostly of one.
    fn between_blocks(&self, calls: &PointsTo) -> bool {
        let [a, b] = self.operands.map(|op| calls.targets(self.function, &op));
        !a.is_empty() && !b.is_empty() && !a.iter().any(|place| b.contains(place))
    }

    /// Do the sides lead to different objects in any case?
    fn is_apart(&self, points_to: &PointsTo) -> bool {
        let [a, b] = self.operands.map(|op| points_to.targets(self.function, &op));
        let open = a.iter().chain(&b).any(|place| *place == Pointee::Unknown);
        !open && !a.is_empty() && !b.is_empty() && !a.iter().any(|place| b.contains(place))
    }

    /// Does a side lead to an object?
    fn is_of_an_object(&self, points_to: &PointsTo) -> bool {
        let object = |place: &Pointee| !matches!(place, Pointee::Unknown | Pointee::Function(_));
        let targets = self.operands.map(|op| points_to.targets(self.function, &op));
        targets.iter().flatten().any(object)
    }

    /// Do both sides lead to storage that may end?
    fn is_of_storage(&self, points_to: &PointsTo) -> bool {
        let ends = |place: &Pointee| matches!(place, Pointee::Heap(..) | Pointee::Slot(..));
        let targets = self.operands.map(|op| points_to.targets(self.function, &op));
        targets.iter().all(|places| places.iter().any(ends))
    }

    /// Do both sides lead to blocks of the heap? Calls are not told apart.
    fn is_within_blocks(&self, points_to: &PointsTo) -> bool {
        let is_block = |place: &Pointee| matches!(place, Pointee::Heap(..));
        let targets = self.operands.map(|op| points_to.targets(self.function, &op));
        targets.iter().all(|places| places.iter().any(is_block))
    }

    /// Is one side what `realloc` has returned?
    fn is_with_moved(&self, program: &Program, calls: &PointsTo) -> bool {
        let targets = self.operands.map(|op| calls.targets(self.function, &op));
        targets.iter().flatten().any(|place| match place {
            Pointee::Heap(instance, _) => is_moved(program, calls, *instance),
            _ => false,
        })
    }
}

fn is_moved(program: &Program, calls: &PointsTo, made: Instance) -> bool {
    let Some(Site { instance, block, inst }) = calls.served(made) else { return false };
    let caller = &program.functions[calls.function(instance).index()];
    match caller.blocks[block.index()].insts.get(inst).map(|inst| &inst.kind) {
        Some(InstKind::Call { callee: Callee::Direct(f), .. }) => {
            REALLOC.contains(&program.functions[f.index()].name.as_str())
        }
        _ => false,
    }
}

/// Does the program make numbers of addresses?
fn has_numbers(program: &Program) -> bool {
    let users = program.functions.iter().filter(|f| f.origin == Origin::User);
    let mut insts = users.flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
    insts.any(|inst| match &inst.kind {
        InstKind::Assign { value: Rvalue::Cast { from, to, .. }, .. } => {
            *from == Scalar::Ptr && *to != Scalar::Ptr
        }
        _ => false,
    })
}

fn comparisons(program: &Program) -> Comparisons {
    let mut found = Comparisons::default();
    let moves = program.functions.iter().any(|f| REALLOC.contains(&f.name.as_str()));
    // Who exchanges addresses has been told already (ABA).
    let frees = program.functions.iter().any(|f| f.name == "free")
        && !program.ignored.iter().any(|(text, _)| text == NOT_REUSED);
    let has_numbers = has_numbers(program);
    let functions = program.functions.iter().enumerate();
    for (i, f) in functions.filter(|(_, f)| f.origin == Origin::User) {
        for inst in f.blocks.iter().flat_map(|b| &b.insts) {
            let InstKind::Assign { value: Rvalue::Binary { op, ty, a, b, .. }, .. } = inst.kind
            else {
                continue;
            };
            // Addresses may be compared as numbers.
            let is_address = ty == Scalar::Ptr;
            let variables = ![a, b].iter().any(|op| matches!(op, Operand::Const { .. }));
            let comparison =
                Comparison { function: FuncId(i as u32), operands: [a, b], span: inst.span };
            if frees && is_address && variables && matches!(op, BinOp::Eq | BinOp::Ne) {
                found.freed.push(comparison);
            }
            match op {
                BinOp::Sub if has_numbers && variables => found.distances.push(comparison),
                BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge
                    if is_address || has_numbers && variables =>
                {
                    found.ordered.push(comparison);
                }
                BinOp::Eq | BinOp::Ne
                    if is_address && [a, b].iter().any(|op| is_end(program, f, op)) =>
                {
                    found.ends.push(comparison);
                }
                BinOp::Eq | BinOp::Ne if is_address && [a, b].iter().any(is_place) => {
                    found.placed.push(comparison);
                }
                BinOp::Eq | BinOp::Ne if moves && variables => found.equal.push(comparison),
                BinOp::Eq | BinOp::Ne if !is_address && has_numbers && variables => {
                    found.numbers.push(comparison);
                }
                _ => {}
            }
        }
    }
    found
}

fn is_place(operand: &Operand) -> bool {
    matches!(operand, Operand::Const { bits, .. } if PLACES.contains(bits))
}

/// Is it written as the address behind an object?
fn is_end(program: &Program, f: &Function, operand: &Operand) -> bool {
    match *operand {
        Operand::Object { object, offset } => {
            offset > 0 && offset as u64 == program.objects[object.index()].size
        }
        Operand::Slot { slot, offset } => offset > 0 && offset as u64 == f.slots[slot.index()].size,
        Operand::Reg(reg) => {
            let insts = f.blocks.iter().flat_map(|b| &b.insts);
            let mut writes = insts.filter(|i| walk::defined(&i.kind) == Some(reg));
            match (writes.next().map(|i| &i.kind), writes.next()) {
                (
                    Some(InstKind::Assign { value: Rvalue::PtrAdd { base, index, scale }, .. }),
                    None,
                ) => {
                    let Operand::Const { bits, .. } = index else { return false };
                    let more = (*bits as i64).saturating_mul(*scale as i64);
                    match *base {
                        Operand::Object { object, offset } => {
                            let offset = offset.saturating_add(more);
                            is_end(program, f, &Operand::Object { object, offset })
                        }
                        Operand::Slot { slot, offset } => {
                            let offset = offset.saturating_add(more);
                            is_end(program, f, &Operand::Slot { slot, offset })
                        }
                        _ => false,
                    }
                }
                (Some(InstKind::Assign { value: Rvalue::Use(from), .. }), None) => {
                    !matches!(from, Operand::Reg(_)) && is_end(program, f, from)
                }
                _ => false,
            }
        }
        _ => false,
    }
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

    #[test]
    fn differences_of_different_objects_rest_on_the_layout() {
        let assumes = |body: &str| {
            let text = format!("int a[4], b[4]; int main(void) {{ int *p = a; {body} }}");
            program(&text).ignored.iter().any(|(what, _)| what == super::DISTANCE)
        };
        assert!(assumes("return &a[1] - &b[0];"));
        assert!(assumes("return (long)p - (long)b;"));
        assert!(!assumes("while (p < a + 4) p++; return p - a;"));
        assert!(!assumes("if (b[0]) p = b; return p - a;"));
        assert!(!assumes("return a[1] - b[0];"));
        let blocks = "void *malloc(unsigned long); int main(void) { \
                      long a = (long)malloc(4), b = (long)malloc(4); return b - a != 32; }";
        assert!(program(blocks).ignored.iter().any(|(what, _)| what == super::DISTANCE));
    }

    #[test]
    fn an_object_may_lie_anywhere() {
        let assumes = |body: &str| {
            let text = format!("int a[4]; int main(void) {{ int *p = a; {body} }}");
            program(&text).ignored.iter().any(|(what, _)| what == super::PLACED)
        };
        assert!(assumes("return p == (int *)0x40401c;"));
        assert!(!assumes("return p == (int *)-1;"));
        assert!(!assumes("return p != (int *)1;"));
        assert!(!assumes("int *q = 0; return q == (int *)0x40401c;"));
    }

    #[test]
    fn addresses_of_freed_blocks_may_come_back() {
        let assumes = |body: &str| {
            let text = format!(
                "void *malloc(unsigned long); void free(void *); int x;
                int main(void) {{ int *p = malloc(4), *q; {body} }}"
            );
            program(&text).ignored.iter().any(|(what, _)| what == super::FREED)
        };
        assert!(assumes("free(p); q = malloc(4); return p == q;"));
        assert!(!assumes("q = malloc(4); return p == q;"));
        assert!(!assumes("free(p); return p == 0;"));
        assert!(!assumes("free(p); return p == &x;"));
    }

    #[test]
    fn the_end_of_an_object_may_be_the_start_of_another() {
        let assumes = |body: &str| {
            let text = format!("int a[4], b[4], c; int main(void) {{ int *p = a; {body} }}");
            program(&text).ignored.iter().any(|(what, _)| what == super::END)
        };
        assert!(assumes("return a + 4 == b;"));
        assert!(assumes("return &c + 1 != &b[0];"));
        assert!(assumes("int x, y; return &x + 1 == &y;"));
        assert!(!assumes("return a + 3 == b;"));
        assert!(!assumes("while (p != a + 4) p++; return 0;"));
        assert!(!assumes("return a + 4 == 0;"));
    }
}
