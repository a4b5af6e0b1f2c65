//! Static objects that plain accesses may reach.
//!
//! An atomic look at such an object may race, even one that finds nothing new: a pass that leaves such
//! looks out must not. Accesses in atomic blocks count as plain ones here, to be careful.

use super::null::Nulls;
use super::points_to::{Context, Pointee, PointsTo};
use ir::*;

pub struct Plain(Vec<bool>);

impl Plain {
    pub fn new(program: &Program) -> Plain {
        let points_to = PointsTo::new(program, Context::Insensitive);
        let nulls = Nulls::new(program);
        let mut plain = vec![false; program.objects.len()];
        for (i, f) in program.functions.iter().enumerate() {
            for inst in f.blocks.iter().flat_map(|b| &b.insts) {
                let addr = match &inst.kind {
                    InstKind::Load { addr, order: MemoryOrder::Plain, .. }
                    | InstKind::Store { addr, order: MemoryOrder::Plain, .. }
                    | InstKind::Spawn { place: Some(addr), .. } => addr,
                    _ => continue,
                };
                let id = FuncId(i as u32);
                if nulls.is_null(id, addr) {
                    continue;
                }
                let targets = points_to.targets(id, addr);
                if targets.is_empty() || targets.contains(&Pointee::Unknown) {
                    plain.fill(true);
                }
                for place in targets {
                    if let Pointee::Object(o) = place {
                        plain[o.index()] = true;
                    }
                }
            }
        }
        Plain(plain)
    }

    /// Does the instruction touch one of them?
    pub fn touched(&self, kind: &InstKind) -> bool {
        match kind {
            InstKind::Load { addr, .. } | InstKind::Store { addr, .. } => match addr {
                Operand::Object { object, .. } => self.0[object.index()],
                _ => true,
            },
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::testing::parse;

    #[test]
    fn every_plain_access_counts() {
        let p = parse(
            "global x
             global y
             global z
             fn main(n) {
             a: store_sc @x 1
             store @y 1
             p = @z
             q = p + n
             t = load q
             ret t
             }",
        );
        assert_eq!(Plain::new(&p).0, [false, true, true]);
    }
}
