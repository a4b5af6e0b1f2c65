//! How the engine for loops without a bound works.

use crate::engine::prove::Prove;
use clap::Args;
use reach::coi::Coi;
use reach::graph::Search;
use reach::options::{Abstraction, Cover, Options};
use reach::por::Por;

#[derive(Args, Debug)]
pub struct ProveArgs {
    /// prove: states are abstracted by values of cells, or by values and predicates
    #[arg(long, value_name = "explicit|predicates")]
    domain: Option<Abstraction>,
    /// prove: partial order reduction: none, steps on a thread's own cells, all independent steps, or
    /// also those that the abstraction cannot tell apart
    #[arg(long, value_name = "off|local|static|aware")]
    por: Option<Por>,
    /// prove: forget what no condition depends on: never, anywhere, or from where a state is
    #[arg(long, value_name = "off|static|dynamic")]
    coi: Option<Coi>,
    /// prove: states that an older one covers are not expanded
    #[arg(long, value_name = "off|subsume")]
    cover: Option<Cover>,
    /// prove: the order in which states are expanded
    #[arg(long, value_name = "bfs|dfs")]
    order: Option<Search>,
}

impl ProveArgs {
    /// The first option that somebody has given.
    pub fn given(&self) -> Option<&'static str> {
        let all = [
            ("--domain", self.domain.is_some()),
            ("--por", self.por.is_some()),
            ("--coi", self.coi.is_some()),
            ("--cover", self.cover.is_some()),
            ("--order", self.order.is_some()),
        ];
        all.iter().find(|(_, given)| *given).map(|(word, _)| *word)
    }

    pub fn config(&self, self_check: bool) -> Prove {
        let options = Options {
            domain: self.domain.unwrap_or_default(),
            por: self.por.unwrap_or_default(),
            coi: self.coi.unwrap_or_default(),
            cover: self.cover.unwrap_or_default(),
            search: self.order.unwrap_or_default(),
        };
        Prove { options, self_check }
    }
}
