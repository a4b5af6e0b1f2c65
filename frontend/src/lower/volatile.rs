//! Volatile accesses, where the user wants them to count as atomic ones.
//!
//! C says that two volatile accesses race like any others (C11 5.1.2.4p25). Programs from before C11
//! use them for what threads share, and compilers keep each as one access of the machine where it is
//! an aligned scalar. So an option takes them for atomic accesses; that is an assumption of the
//! verdict. `v++` is still a read and a write.

use ir::{MemoryOrder, Span};

#[derive(Clone, Debug)]
pub struct Volatile {
    order: MemoryOrder,
    /// The first access that counts.
    first: Option<Span>,
    /// Those that do not.
    pub plain: Vec<Span>,
}

impl Volatile {
    pub fn new(order: MemoryOrder) -> Volatile {
        Volatile { order, first: None, plain: Vec::new() }
    }

    pub fn of_access(&mut self, at: Span) -> MemoryOrder {
        match self.order {
            MemoryOrder::Plain => self.plain.push(at),
            _ => drop(self.first.get_or_insert(at)),
        }
        self.order
    }

    pub fn assumption(&self) -> Option<(String, Span)> {
        let kind = match self.order {
            MemoryOrder::Relaxed => "relaxed",
            _ => "sequentially consistent",
        };
        let text = format!("volatile accesses are {kind} atomic accesses (--volatile), first here");
        self.first.map(|span| (text, span))
    }
}

#[cfg(test)]
mod tests {
    use crate::{LoadOptions, Source, load};
    use ir::types::Machine;
    use ir::{InstKind, MemoryOrder};

    fn loaded(text: &str, volatile: MemoryOrder) -> ir::Program {
        let unit = Source { name: "a.c", text: text.as_bytes(), moved: &[] };
        let options = LoadOptions { volatile, ..LoadOptions::default() };
        load(&[unit], Machine::Lp64, &options).expect("it is C")
    }

    fn orders(text: &str, volatile: MemoryOrder) -> (Vec<MemoryOrder>, usize) {
        let program = loaded(text, volatile);
        let insts = program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
        let orders = insts.filter_map(|inst| match inst.kind {
            InstKind::Load { order, .. } | InstKind::Store { order, .. } => Some(order),
            _ => None,
        });
        (orders.collect(), program.ignored.len())
    }

    #[test]
    fn only_what_is_volatile_and_only_if_asked_for() {
        let text = "volatile int v; struct s { volatile long m; int n; } s; int n;\n\
            int main(void) { volatile struct s *p = (void *)&s; v++; s.m = 1; s.n = n; p->n = 2; return 0; }";
        let (plain, assumed) = orders(text, MemoryOrder::Plain);
        assert!(plain.iter().all(|o| *o == MemoryOrder::Plain) && assumed == 0);
        let told = |program: ir::Program| program.volatile.len();
        assert_eq!(told(loaded(text, MemoryOrder::Plain)), 4);
        assert_eq!(told(loaded(text, MemoryOrder::SeqCst)), 0);
        for order in [MemoryOrder::SeqCst, MemoryOrder::Relaxed] {
            let (found, assumed) = orders(text, order);
            assert_eq!(found.iter().filter(|o| **o == order).count(), 4, "{found:?}");
            assert_eq!((found.len(), assumed), (plain.len(), 1));
        }
    }
}
