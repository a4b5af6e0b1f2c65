//! The table of engines: one row for each, with what it can answer.
//!
//! A new engine is a folder in `src/engine`, a row here, and a member in `policy.rs` if `auto` is to
//! ask it. Nothing else in the program names an engine.

use super::Portfolio;
use crate::contract::{Coverage, Engine, MemoryModel, Property, covers};
use crate::engine::bmc::{self, Bmc};
use crate::engine::explore::{self, Chance, Deepen, Given, Reduced, Shallow};
use crate::engine::modular::{self, Modular};
use crate::engine::values::{self, Values};
use crate::engine::{prove, symex};

/// One engine.
#[derive(Debug)]
pub struct Row {
    /// As users name it.
    pub name: &'static str,
    /// For `--help`.
    pub help: &'static str,
    pub coverage: Coverage,
    pub says: Says,
    pub make: fn(&Portfolio) -> Box<dyn Engine>,
}

/// Which answers of an engine count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Says {
    Anything,
    /// The same; and within bounds that the user has given, no other knows more.
    AllWithinBounds,
    /// SAFE or nothing.
    Proofs,
    /// SAFE or UNSAFE; why it knows nothing, others know better.
    Decisions,
}

pub const EXPLORE: Row = Row {
    name: "explore",
    help: "tries every schedule",
    coverage: explore::COVERAGE,
    says: Says::Anything,
    make: |portfolio| Box::new(Given(Deepen(portfolio.explore.clone()))),
};

/// The explorer as it works in a portfolio: there is somebody else for what it does not come to.
pub const EXPLORE_ALL: Row = Row {
    coverage: explore::INTERLEAVINGS,
    says: Says::AllWithinBounds,
    make: |portfolio| Box::new(Given(portfolio.explore.clone())),
    ..EXPLORE
};

/// The explorer with small bounds for all loops.
pub const EXPLORE_SHALLOW: Row = Row {
    name: "explore within bounds",
    coverage: explore::INTERLEAVINGS,
    make: |portfolio| Box::new(Given(Shallow(portfolio.explore.clone()))),
    ..EXPLORE
};

/// The explorer under memory models that it has a machine for. Who finds a violation with a picture is another
/// one.
pub const EXPLORE_MACHINES: Row = Row {
    coverage: explore::MACHINES,
    says: Says::Proofs,
    make: |portfolio| Box::new(portfolio.explore.clone()),
    ..EXPLORE
};

pub const SAMPLE: Row = Row {
    name: "sample",
    help: "tries random schedules, proves nothing",
    coverage: explore::BY_CHANCE,
    says: Says::Anything,
    make: |portfolio| chance(portfolio, 4_000),
};

/// The same beside others: it counts if it finds something, and does not try for long.
pub const CHANCE: Row =
    Row { says: Says::Decisions, make: |portfolio| chance(portfolio, 1_000), ..SAMPLE };

fn chance(portfolio: &Portfolio, executions: u64) -> Box<dyn Engine> {
    Box::new(Chance { max_domain: portfolio.explore.max_domain, executions })
}

/// The explorer with few values for counters.
pub const EXPLORE_REDUCED: Row = Row {
    name: "explore low bits",
    coverage: explore::REDUCED,
    says: Says::Proofs,
    make: |portfolio| Box::new(Reduced(portfolio.explore.clone())),
    ..EXPLORE
};

pub const BMC: Row = Row {
    name: "bmc",
    help: "asks a solver about all at once",
    coverage: bmc::COVERAGE,
    says: Says::Anything,
    make: |portfolio| Box::new(Bmc(portfolio.symbolic.clone())),
};

pub const MODULAR: Row = Row {
    name: "modular",
    help: "proves each thread by itself or says nothing",
    coverage: modular::COVERAGE,
    says: Says::Proofs,
    make: |_| Box::new(Modular),
};

pub const PROVE: Row = Row {
    name: "prove",
    help: "proves loops without a bound by abstraction and refinement",
    coverage: prove::COVERAGE,
    says: Says::Decisions,
    make: |portfolio| Box::new(portfolio.prove.clone()),
};

/// The same with labels that are refined where an error asks for it: quick where a few values decide.
pub const PROVE_LAZILY: Row =
    Row { name: "prove lazily", make: |portfolio| Box::new(portfolio.prove.lazily()), ..PROVE };

pub const SYMEX: Row = Row {
    name: "symex",
    help: "follows paths with inputs as terms",
    coverage: symex::COVERAGE,
    says: Says::Anything,
    make: |portfolio| Box::new(portfolio.symex),
};

/// The same beside others: it counts if it decides.
pub const PATHS: Row = Row { says: Says::Decisions, ..SYMEX };

pub const VALUES: Row = Row {
    name: "values",
    help: "proves by the values that reads can see, in any order, or says nothing",
    coverage: values::COVERAGE,
    says: Says::Proofs,
    make: |_| Box::new(Values),
};

/// The same beside others, where there is no engine that knows more of endless loops.
pub const FLOW: Row = Row { coverage: values::WEAKER, ..VALUES };

pub const ENGINES: &[&Row] = &[&EXPLORE, &BMC, &MODULAR, &PROVE, &SYMEX, &VALUES, &SAMPLE];

impl Row {
    pub fn knows(&self, property: Property, model: MemoryModel) -> bool {
        covers(self.coverage, property, model)
    }
}

/// Does any engine?
pub fn knows(property: Property, model: MemoryModel) -> bool {
    ENGINES.iter().any(|row| row.knows(property, model))
}

pub fn named(name: &str) -> Option<&'static Row> {
    ENGINES.iter().copied().find(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_property_has_an_engine_that_finds_violations() {
        for property in Property::ALL {
            let finds =
                |row: &&&Row| row.says == Says::Anything && row.knows(property, MemoryModel::Sc);
            assert!(ENGINES.iter().filter(finds).count() >= 2, "{}", property.name());
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = ENGINES.iter().map(|row| row.name).chain(["auto"]).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ENGINES.len() + 1);
    }
}
