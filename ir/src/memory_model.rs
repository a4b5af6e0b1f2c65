//! The memory model as a value: which executions a program has, and what may be relied on about them.
//!
//! A reduction (a pruning rule, a conflict structure, symmetry, spin loops that become waits,
//! acceleration) is an argument about executions. It says what it assumes, as a list of guarantees;
//! the model says what it guarantees. Code that applies a reduction asks `allows`, so that a model that
//! promises less switches it off by itself.

/// Which executions count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MemoryModel {
    /// Sequential consistency: all accesses in one linearization.
    #[default]
    Sc,
    /// Weak sequential consistency: happens-before (program order, reads-from, coherence, from-read)
    /// has no cycle that these alone imply; there may be no linearization.
    Wsc,
    /// What a model in cat allows: nothing is relied on here.
    Cat,
}

/// What an argument about executions may rest on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guarantee {
    /// All accesses of all threads stand in one total order, and a read sees the last write in it.
    Linearization,
    /// Any two accesses of a thread happen in the order of its text, whatever their memory orders are.
    ProgramOrder,
    /// The writes to one location are totally ordered, and no thread sees them in another order.
    Coherence,
    /// Nothing comes between the read and the write of a read-modify-write.
    Atomicity,
}

impl MemoryModel {
    pub const ALL: [MemoryModel; 2] = [MemoryModel::Sc, MemoryModel::Wsc];

    /// As users name it.
    pub fn name(self) -> &'static str {
        match self {
            MemoryModel::Sc => "sc",
            MemoryModel::Wsc => "wsc",
            MemoryModel::Cat => "cat",
        }
    }

    /// In a sentence.
    pub fn title(self) -> &'static str {
        match self {
            MemoryModel::Sc => "sequential consistency",
            MemoryModel::Wsc => "weak sequential consistency",
            MemoryModel::Cat => "a model in cat",
        }
    }

    pub fn named(name: &str) -> Option<MemoryModel> {
        MemoryModel::ALL.into_iter().find(|model| model.name() == name)
    }

    pub fn guarantees(self, guarantee: Guarantee) -> bool {
        match guarantee {
            Guarantee::Linearization => self == MemoryModel::Sc,
            Guarantee::ProgramOrder | Guarantee::Coherence | Guarantee::Atomicity => {
                self != MemoryModel::Cat
            }
        }
    }

    /// May a reduction be used that assumes all this?
    pub fn allows(self, assumed: &[Guarantee]) -> bool {
        assumed.iter().all(|&guarantee| self.guarantees(guarantee))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_sequential_consistency_has_no_linearization() {
        let assumed = [Guarantee::ProgramOrder, Guarantee::Linearization];
        assert!(MemoryModel::Sc.allows(&assumed));
        assert!(!MemoryModel::Wsc.allows(&assumed));
        assert!(MemoryModel::Wsc.allows(&assumed[..1]));
    }

    #[test]
    fn models_are_found_by_their_names() {
        for model in MemoryModel::ALL {
            assert_eq!(MemoryModel::named(model.name()), Some(model));
        }
        assert_eq!(MemoryModel::named("tso"), None);
    }
}
