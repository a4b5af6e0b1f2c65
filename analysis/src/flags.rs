//! Static objects that only ever hold 0 or 1: locks, mostly.
//!
//! A test-and-set that fails has written 1 over a value that is not 0. That this changes nothing is
//! only known if the value can be nothing but 1. An object is a flag if it starts with 0 or 1 and
//! every store that may reach it writes the constant 0 or 1 over all of it.

use super::null::Nulls;
use super::points_to::{Context, Pointee, PointsTo};
use ir::types::Scalar;
use ir::*;

pub struct Flags {
    points_to: PointsTo,
    is_flag: Vec<bool>,
    sizes: Vec<u64>,
}

impl Flags {
    pub fn new(program: &Program) -> Flags {
        let points_to = PointsTo::new(program, Context::Insensitive);
        let nulls = Nulls::new(program);
        let mut is_flag: Vec<bool> = program.objects.iter().map(starts_as_flag).collect();
        let sizes: Vec<u64> = program.objects.iter().map(|o| o.size).collect();
        for (i, f) in program.functions.iter().enumerate() {
            for inst in f.blocks.iter().flat_map(|b| &b.insts) {
                let (addr, sets_flag, bytes) = match &inst.kind {
                    InstKind::Store { addr, value, ty, .. } => {
                        let sets_flag = matches!(value, Operand::Const { bits: 0 | 1, .. });
                        (addr, sets_flag, ty.bytes(program.machine))
                    }
                    InstKind::Spawn { place: Some(place), .. } => (place, false, 0),
                    _ => continue,
                };
                let id = FuncId(i as u32);
                if nulls.is_null(id, addr) {
                    continue;
                }
                let targets = points_to.targets(id, addr);
                if targets.is_empty() || targets.contains(&Pointee::Unknown) {
                    is_flag.fill(false);
                }
                for place in targets {
                    if let Pointee::Object(o) = place {
                        is_flag[o.index()] &= sets_flag && bytes == sizes[o.index()];
                    }
                }
            }
        }
        Flags { points_to, is_flag, sizes }
    }

    /// Can a load of `ty` at this address give nothing but 0 or 1?
    pub fn at(&self, program: &Program, function: FuncId, addr: &Operand, ty: Scalar) -> bool {
        let targets = self.points_to.targets(function, addr);
        let whole_flag = |place: &Pointee| match place {
            Pointee::Object(o) => {
                self.is_flag[o.index()] && self.sizes[o.index()] == ty.bytes(program.machine)
            }
            _ => false,
        };
        !targets.is_empty() && targets.iter().all(whole_flag)
    }
}

fn starts_as_flag(object: &Object) -> bool {
    let (first, rest) = object.bytes.split_first().unwrap_or((&0, &[]));
    object.kind == ObjectKind::Global
        && object.relocations.is_empty()
        && *first <= 1
        && rest.iter().all(|b| *b == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::testing::parse;

    #[test]
    fn every_store_counts() {
        let p = parse(
            "global pa
             global pb
             global pc = 2
             global pd
             fn main(p) {
             a: store @pb p
             store @pd 1
             ret
             }",
        );
        let flags = Flags::new(&p);
        assert_eq!(flags.is_flag, [true, false, false, false], "pd: 4 of 8 bytes");
        let address = Operand::Object { object: ObjectId(0), offset: 0 };
        assert!(flags.at(&p, FuncId(0), &address, Scalar::U64));
        assert!(!flags.at(&p, FuncId(0), &address, Scalar::I32));
    }

    /// `pthread_join(t, 0)`
    #[test]
    fn a_store_through_null_reaches_nothing() {
        let with = |arg: &str| {
            let text = format!(
                "global pa\nfn main(px) {{\na: call f {arg}\nret\n}}\nfn f(p) {{\na: store p 7\nret\n}}"
            );
            Flags::new(&parse(&text)).is_flag[0]
        };
        assert!(with("0"));
        assert!(!with("4096"), "a made-up address may be any");
        assert!(!with("@pa"));
    }
}
