//! Which functions a spin loop may call: those that change nothing that anyone else can see.
//!
//! A pure function may read shared memory and may use its own slots; it does not write elsewhere,
//! start or join threads, allocate, or report. A function without a body touches nothing.

use ir::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purity {
    /// Computes from its arguments alone.
    Silent,
    /// Also reads memory or inputs.
    Reads,
    Effects,
}

pub struct Purities(Vec<Purity>);

impl Purities {
    /// Starts with the best guess for every function and takes back what does not hold.
    pub fn new(program: &Program) -> Purities {
        let mut all = Purities(vec![Purity::Silent; program.functions.len()]);
        let mut changed = true;
        while changed {
            changed = false;
            for (i, f) in program.functions.iter().enumerate() {
                let insts = f.blocks.iter().flat_map(|b| &b.insts);
                let new = insts.map(|i| all.inside(program, &i.kind)).fold(Purity::Silent, worse);
                changed |= new != all.0[i];
                all.0[i] = new;
            }
        }
        all
    }

    /// Takes these functions for reads: what else they do is undone when they return.
    pub(crate) fn with_waits(mut self, waits: &[bool]) -> Purities {
        let waiting = self.0.iter_mut().zip(waits).filter(|(_, waits)| **waits);
        waiting.for_each(|(purity, _)| *purity = Purity::Reads);
        self
    }

    pub fn of(&self, function: FuncId) -> Purity {
        self.0[function.index()]
    }

    /// An instruction of a callee: its own slots are not known outside.
    pub fn inside(&self, program: &Program, kind: &InstKind) -> Purity {
        match kind {
            InstKind::SlotLive(_) | InstKind::SlotDead(_) | InstKind::SlotConst { .. } => {
                Purity::Silent
            }
            InstKind::Store { addr: Operand::Slot { .. }, .. } => Purity::Silent,
            _ => self.inst(program, kind),
        }
    }

    pub fn inst(&self, program: &Program, kind: &InstKind) -> Purity {
        match kind {
            InstKind::Assign { .. } | InstKind::Assume(_) | InstKind::ThreadSelf { .. } => {
                Purity::Silent
            }
            // What follows it counts for less, so it must stay where it is.
            InstKind::Call { callee: Callee::Direct(f), .. }
                if program.functions[f.index()].origin == Origin::Assembly =>
            {
                Purity::Effects
            }
            // The result of a function without a body is an input, if anybody wants it.
            InstKind::Call { callee: Callee::Direct(f), dst: Some(_), .. }
                if !program.functions[f.index()].has_body() =>
            {
                Purity::Reads
            }
            InstKind::Load { .. }
            | InstKind::Nondet { .. }
            | InstKind::Ended { .. }
            | InstKind::ObjectSize { .. }
            | InstKind::Fence { .. }
            | InstKind::Wait(_)
            | InstKind::AtomicBegin { .. }
            | InstKind::AtomicEnd => Purity::Reads,
            InstKind::Call { callee: Callee::Direct(f), .. } => self.of(*f),
            _ => Purity::Effects,
        }
    }
}

fn worse(a: Purity, b: Purity) -> Purity {
    match (a, b) {
        (Purity::Effects, _) | (_, Purity::Effects) => Purity::Effects,
        (Purity::Reads, _) | (_, Purity::Reads) => Purity::Reads,
        _ => Purity::Silent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::testing::parse;

    #[test]
    fn from_silent_to_effects() {
        let p = parse(
            "global g
             fn yield() {
             a: ret 0
             }
             fn local() {
             a: live $s
             store $s 1
             t = call yield()
             ret t
             }
             fn look() {
             a: t = load @g
             if t a b
             b: t = call look()
             ret t
             }
             fn change() {
             a: store @g 1
             ret 0
             }
             fn main() {
             a: t = call change()
             ret t
             }",
        );
        let all = Purities::new(&p);
        use Purity::*;
        assert_eq!(all.0, [Silent, Silent, Reads, Effects, Effects]);
    }
}
