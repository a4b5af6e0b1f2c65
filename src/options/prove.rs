//! How the engines for loops without a bound and for paths work.

use crate::engine::prove::Prove;
use crate::engine::symex::Symex;
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
    /// also those that the abstraction cannot tell apart; symex: off, local, or one path of each class
    /// of equivalent ones
    #[arg(long, value_name = "off|local|static|aware|quasi")]
    por: Option<Por>,
    /// prove: forget what no condition depends on: never, anywhere, or from where a state is
    #[arg(long, value_name = "off|static|dynamic")]
    coi: Option<Coi>,
    /// prove: states that an older one covers are not expanded; symex: nor those that were seen before
    #[arg(long, value_name = "off|subsume")]
    cover: Option<Cover>,
    /// prove: the order in which states are expanded
    #[arg(long, value_name = "bfs|dfs")]
    order: Option<Search>,
    /// symex: cut paths after K steps [default: deeper and deeper]
    #[arg(long, value_name = "K")]
    depth: Option<usize>,
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
            ("--depth", self.depth.is_some()),
        ];
        all.iter().find(|(_, given)| *given).map(|(word, _)| *word)
    }

    /// The first that goes with `prove` only.
    pub fn for_prove(&self) -> Option<&'static str> {
        let all = [
            ("--domain", self.domain.is_some()),
            ("--por static", self.por == Some(Por::Static)),
            ("--por aware", self.por == Some(Por::Aware)),
            ("--coi", self.coi.is_some()),
            ("--order", self.order.is_some()),
        ];
        all.iter().find(|(_, given)| *given).map(|(word, _)| *word)
    }

    /// The first that goes with `symex` only.
    pub fn for_symex(&self) -> Option<&'static str> {
        let all =
            [("--por quasi", self.por == Some(Por::Quasi)), ("--depth", self.depth.is_some())];
        all.iter().find(|(_, given)| *given).map(|(word, _)| *word)
    }

    pub fn symex(&self) -> Symex {
        let usual = Symex::default();
        Symex {
            por: self.por.unwrap_or(usual.por),
            cover: self.cover.unwrap_or(usual.cover),
            depth: self.depth,
        }
    }

    pub fn config(&self, self_check: bool) -> Prove {
        let options = Options {
            domain: self.domain.unwrap_or_default(),
            por: self.por.filter(|por| *por != Por::Quasi).unwrap_or_default(),
            coi: self.coi.unwrap_or_default(),
            cover: self.cover.unwrap_or_default(),
            search: self.order.unwrap_or_default(),
        };
        Prove { options, self_check }
    }
}
