//! How the engines for loops without a bound and for paths work.

use crate::engine::bmc;
use crate::engine::prove::Prove;
use crate::engine::symex::Symex;
use clap::{Args, ValueEnum};
use reach::coi::Coi;
use reach::graph::SearchOrder;
use reach::options::{Abstraction, Cover, Labels, Options, Refiner};
use reach::por::Por;

#[derive(Args, Debug)]
pub struct ProveArgs {
    /// prove: states are abstracted by values of cells, by values and predicates, by values and intervals,
    /// or (with lazy labels) by nothing
    #[arg(long, value_name = "explicit|predicates|intervals|none")]
    domain: Option<Abstraction>,
    /// prove: refine all states by what refutes a path, or only those on it (Impact)
    #[arg(long, value_name = "eager|lazy")]
    labels: Option<Labels>,
    /// prove: refute paths by shapes that hold on them, by weakest preconditions, or look first for an
    /// invariant made of shapes, or of what Z3 finds for Horn clauses over integers
    #[arg(long, value_name = "newton|wp|houdini|chc")]
    refine: Option<Refiner>,
    /// prove: partial order reduction: none, steps on a thread's own cells, all independent steps, or
    /// also those that the abstraction cannot tell apart; monotonic paths with lazy labels, or also by
    /// steps that commute where they are; symex: off, local, or one path of each class of equivalent ones
    #[arg(long, value_name = "off|local|static|aware|monotonic|conditional|quasi")]
    por: Option<Por>,
    /// prove: forget what no condition depends on: never, anywhere, or from where a state is
    #[arg(long, value_name = "off|static|dynamic")]
    coi: Option<Coi>,
    /// prove: states that an older one covers are not expanded, or also those that it covers with
    /// stronger labels; symex: nor those that were seen before
    #[arg(long, value_name = "off|subsume|force")]
    cover: Option<Cover>,
    /// prove: the order in which states are expanded; the same as --search
    #[arg(long, value_name = "bfs|dfs")]
    order: Option<SearchOrder>,
    /// symex: cut paths after K steps [default: deeper and deeper]
    #[arg(long, value_name = "K")]
    depth: Option<usize>,
}

/// What `--search` names: of a solver's search, or of the order of states.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum SearchWord {
    Plain,
    Inprocess,
    RfFirst,
    Bfs,
    Dfs,
}

impl SearchWord {
    pub fn of_bmc(self) -> Option<bmc::SolverSearch> {
        match self {
            SearchWord::Plain => Some(bmc::SolverSearch::Plain),
            SearchWord::Inprocess => Some(bmc::SolverSearch::Inprocess),
            SearchWord::RfFirst => Some(bmc::SolverSearch::RfFirst),
            SearchWord::Bfs | SearchWord::Dfs => None,
        }
    }

    fn of_prove(self) -> Option<SearchOrder> {
        match self {
            SearchWord::Bfs => Some(SearchOrder::Breadth),
            SearchWord::Dfs => Some(SearchOrder::Depth),
            _ => None,
        }
    }
}

type ChoiceWord = (&'static str, bool);

fn first(all: &[ChoiceWord]) -> Option<&'static str> {
    all.iter().find(|(_, given)| *given).map(|(word, _)| *word)
}

impl ProveArgs {
    /// `--search` may be about states.
    pub fn searches(&mut self, word: Option<SearchWord>) {
        self.order = self.order.or(word.and_then(SearchWord::of_prove));
    }

    /// The first option that somebody has given.
    pub fn given(&self) -> Option<&'static str> {
        self.for_prove()
            .or_else(|| self.for_symex())
            .or_else(|| first(&[("--por", self.por.is_some()), ("--cover", self.cover.is_some())]))
    }

    /// The first that goes with `prove` only.
    pub fn for_prove(&self) -> Option<&'static str> {
        first(&[
            ("--domain", self.domain.is_some()),
            ("--labels", self.labels.is_some()),
            ("--refine", self.refine.is_some()),
            ("--por static", self.por == Some(Por::Static)),
            ("--por aware", self.por == Some(Por::Aware)),
            ("--por monotonic", self.por == Some(Por::Monotonic)),
            ("--por conditional", self.por == Some(Por::Conditional)),
            ("--coi", self.coi.is_some()),
            ("--cover force", self.cover == Some(Cover::Force)),
            ("--search bfs|dfs", self.order.is_some()),
        ])
    }

    /// The first that goes with `symex` only.
    pub fn for_symex(&self) -> Option<&'static str> {
        first(&[("--por quasi", self.por == Some(Por::Quasi)), ("--depth", self.depth.is_some())])
    }

    /// The first that does not go with the labels that were asked for.
    pub fn clash(&self) -> Option<String> {
        let (labels, wrong) = match self.labels.unwrap_or_default() {
            Labels::Eager => ("eager", self.of_lazy()),
            Labels::Lazy => ("lazy", self.of_eager()),
        };
        wrong.map(|word| format!("{word} does not go with --labels {labels}"))
    }

    fn of_lazy(&self) -> Option<&'static str> {
        first(&[
            ("--domain none", self.domain == Some(Abstraction::None)),
            ("--por monotonic", self.por == Some(Por::Monotonic)),
            ("--por conditional", self.por == Some(Por::Conditional)),
            ("--cover force", self.cover == Some(Cover::Force)),
        ])
    }

    fn of_eager(&self) -> Option<&'static str> {
        first(&[
            ("--domain predicates", self.domain == Some(Abstraction::Predicates)),
            ("--domain intervals", self.domain == Some(Abstraction::Intervals)),
            ("--por local", self.por == Some(Por::Local)),
            ("--por static", self.por == Some(Por::Static)),
            ("--por aware", self.por == Some(Por::Aware)),
            ("--coi dynamic", self.coi == Some(Coi::Dynamic)),
            ("--refine houdini", self.refine == Some(Refiner::Houdini)),
            ("--refine chc", self.refine == Some(Refiner::Chc)),
        ])
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
        let usual = match self.labels.unwrap_or_default() {
            Labels::Eager => Options::eager(),
            Labels::Lazy => Options::lazy(),
        };
        let options = Options {
            labels: usual.labels,
            domain: self.domain.unwrap_or(usual.domain),
            refine: self.refine.unwrap_or(usual.refine),
            por: self.por.filter(|por| *por != Por::Quasi).unwrap_or(usual.por),
            coi: self.coi.unwrap_or(usual.coi),
            cover: self.cover.unwrap_or(usual.cover),
            search: self.order.unwrap_or(usual.search),
        };
        Prove { options, self_check }
    }
}
