//! The part of the option table about how the symbolic engine works.

use super::prove;
use crate::engine::bmc::{self, Accelerate, Intervals, Solver, Symmetry};
use clap::{Args, ValueEnum};
use encoder::{conflict, prune};

/// How the symbolic engine works.
#[derive(Args, Debug)]
pub struct SymbolicArgs {
    /// bmc: the solver
    #[arg(long, value_enum, value_name = "z3|sat", hide_possible_values = true)]
    pub solver: Option<Solver>,
    /// bmc: the ordering theory works inside of the solver's search (prop), or judges complete
    /// models (basic)
    #[arg(long, value_name = "prop|basic")]
    method: Option<MethodWord>,
    /// bmc: find conflict clauses before solving: all kinds, none, or those of a list
    #[arg(long, value_name = "on|off|KIND,..")]
    pub conflicts: Option<conflict::Which>,
    /// bmc: drop what cannot matter before solving: by all rules, by none, or by those of a list
    #[arg(long, value_name = "on|off|RULE,..")]
    pub prune: Option<prune::Options>,
    /// bmc: order symmetric threads
    #[arg(long, value_enum, value_name = "on|off", hide_possible_values = true)]
    pub symmetry: Option<Symmetry>,
    /// bmc: tell the solver how large values can be, depending on who reads from whom
    #[arg(long, value_enum, value_name = "on|off", hide_possible_values = true)]
    pub intervals: Option<Intervals>,
    /// bmc: for proofs, accelerate loops over iterations without effect [alias: --leap]
    #[arg(long, alias = "leap", value_enum, value_name = "on|off", hide_possible_values = true)]
    pub accelerate: Option<Accelerate>,
    /// bmc: how CaDiCaL searches: plain, with simplification in between, or deciding first who reads
    /// from whom; prove: the order in which states are expanded
    #[arg(
        long,
        value_enum,
        value_name = "plain|inprocess|rf-first|bfs|dfs",
        hide_possible_values = true
    )]
    pub search: Option<prove::SearchWord>,
    /// bmc: hold every clause and every model of the ordering theory against its slow reference
    /// implementation
    #[arg(long)]
    pub self_check: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum MethodWord {
    Prop,
    Basic,
}

impl SymbolicArgs {
    /// The first option that somebody has given.
    pub fn given(&self) -> Option<&'static str> {
        let all = [
            ("--solver", self.solver.is_some()),
            ("--method", self.method.is_some()),
            ("--conflicts", self.conflicts.is_some()),
            ("--prune", self.prune.is_some()),
            ("--symmetry", self.symmetry.is_some()),
            ("--intervals", self.intervals.is_some()),
            ("--accelerate", self.accelerate.is_some()),
            ("--search", self.solver_search().is_some()),
            ("--self-check", self.self_check),
        ];
        all.iter().find(|(_, given)| *given).map(|(word, _)| *word)
    }

    fn solver_search(&self) -> Option<bmc::SolverSearch> {
        self.search.and_then(prove::SearchWord::of_bmc)
    }

    pub fn config(&self) -> bmc::Config {
        bmc::Config {
            solver: self.solver.unwrap_or_default(),
            method: match self.method {
                Some(MethodWord::Basic) => solver::Method::Basic,
                Some(MethodWord::Prop) | None => solver::Method::Prop,
            },
            conflicts: self.conflicts,
            prune: self.prune.unwrap_or_default(),
            wide: false,
            symmetry: self.symmetry.unwrap_or_default(),
            intervals: self.intervals.unwrap_or_default(),
            accelerate: self.accelerate.unwrap_or_default(),
            search: self.solver_search().unwrap_or_default(),
            self_check: self.self_check,
            proof_core: false,
        }
    }
}
