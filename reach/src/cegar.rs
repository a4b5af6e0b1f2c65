//! Explore with a precision, refine it where an error is no error, until one of the two is settled.

use crate::ask::{Asker, Budget, Stop};
use crate::domain::Domain;
use crate::domain::cartesian::{Cartesian, Element};
use crate::flow::{components, conditions, finite};
use crate::graph::{Graph, Node, NodeId, Search, Vector, moved};
use crate::prec::Precision;
use crate::refine::newton::Newton;
use crate::refine::path::Path;
use crate::system::{ActionId, CellId, LocId, System, Target};
use encoder::Term;
use fixedbitset::FixedBitSet;
use std::rc::Rc;

/// Values of a cell that is tracked by value, if they may be many.
const MAX_VALUES: usize = 8;

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub search: Search,
}

pub enum Answer {
    Safe(Proof),
    /// An execution of the system to an error or a doubt.
    Reached {
        path: Vec<ActionId>,
        target: Target,
        exact: bool,
    },
}

/// An invariant: for each vector of locations a disjunction of conjunctions.
pub struct Proof {
    pub invariant: Vec<(Vector, Vec<Vec<Term>>)>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    pub nodes: u64,
    pub covered: u64,
    pub actions: u64,
    pub refinements: u64,
    pub predicates: u64,
    pub tracked: u64,
    pub questions: u64,
}

pub struct Cegar<'a> {
    pub system: &'a mut System,
    pub options: Options,
    pub budget: Budget,
    pub stats: Stats,
    precision: Precision,
    conditions: Vec<Term>,
    finite: FixedBitSet,
    component: Vec<usize>,
}

enum Explored {
    All(Box<(Graph<Element>, Cartesian)>),
    Error(Vec<ActionId>, Box<Asker>),
    Growing(Vec<CellId>, Box<Asker>),
}

impl<'a> Cegar<'a> {
    pub fn new(system: &'a mut System, options: Options, budget: Budget) -> Cegar<'a> {
        let precision = Precision::new(system);
        let (conditions, finite) = (conditions(system), finite(system));
        let component = components(system, &finite);
        let stats = Stats::default();
        Cegar { system, options, budget, stats, precision, conditions, finite, component }
    }

    pub fn run(&mut self) -> Result<Answer, Stop> {
        let mut asker = Asker::new(self.budget.clone());
        loop {
            asker = match self.explore(asker)? {
                Explored::All(found) => {
                    return Ok(Answer::Safe(self.proof(&found.0, &found.1)));
                }
                Explored::Growing(cells, asker) => {
                    cells.into_iter().for_each(|cell| self.grows(cell));
                    *asker
                }
                Explored::Error(path, mut asker) => {
                    if let Some(answer) = self.refine(path, &mut asker)? {
                        return Ok(answer);
                    }
                    *asker
                }
            };
        }
    }

    /// What has many values, and all cells that values flow to from there, or from which they come.
    fn grows(&mut self, cell: CellId) {
        let component = self.component[cell.index()];
        for other in self.system.cell_ids() {
            if self.component[other.index()] == component {
                log::debug!("growing: {}", self.system.cell(other).name);
                self.precision.drop_cell(other);
            }
        }
    }

    fn explore(&mut self, asker: Asker) -> Result<Explored, Stop> {
        let mut domain = Cartesian::new(self.system, self.precision.clone(), asker);
        let mut graph = Graph::new(self.options.search);
        let start: Vector = vec![LocId(0); self.system.threads.len()].into();
        let elem = domain.initial(self.system)?;
        graph.add(Node { at: start, elem, parent: None }, |_, _| false);
        let found = self.expand_all(&mut graph, &mut domain)?;
        self.stats.nodes = graph.nodes.len() as u64;
        self.stats.covered = graph.covered;
        self.stats.predicates = self.precision.predicates.len() as u64;
        self.stats.tracked = self.precision.cells.len() as u64;
        self.stats.questions = domain.asker.asked;
        Ok(match found {
            None => Explored::All(Box::new((graph, domain))),
            Some(Halt::Error(node, action)) => {
                let mut path = graph.path(node);
                path.push(action);
                Explored::Error(path, Box::new(domain.asker))
            }
            Some(Halt::Growing(cells)) => Explored::Growing(cells, Box::new(domain.asker)),
        })
    }

    fn expand_all(
        &mut self,
        graph: &mut Graph<Element>,
        domain: &mut Cartesian,
    ) -> Result<Option<Halt>, Stop> {
        while let Some(id) = graph.take() {
            self.budget.check()?;
            let node = graph.nodes[id.0].clone();
            for action in self.actions_at(&node.at) {
                self.stats.actions += 1;
                let Some(elem) = domain.post(self.system, &node.elem, action)? else { continue };
                let Some(at) = moved(self.system, &node.at, action) else {
                    return Ok(Some(Halt::Error(id, action)));
                };
                graph.add(Node { at, elem, parent: Some((id, action)) }, |a, b| domain.leq(a, b));
            }
            let growing = self.growing(domain);
            if !growing.is_empty() {
                return Ok(Some(Halt::Growing(growing)));
            }
        }
        Ok(None)
    }

    /// Errors first.
    fn actions_at(&self, at: &Vector) -> Vec<ActionId> {
        let mut all: Vec<ActionId> = Vec::new();
        for thread in self.system.thread_ids() {
            all.extend(&self.system.location(thread, at[thread.index()]).actions);
        }
        all.sort_by_key(|a| matches!(self.system.action(*a).to, Target::To(_)));
        all
    }

    fn growing(&self, domain: &Cartesian) -> Vec<CellId> {
        let many = |at: &usize| {
            let cell = self.precision.cells[*at];
            domain.seen[*at].len() > MAX_VALUES && !self.finite.contains(cell.index())
        };
        (0..self.precision.cells.len()).filter(many).map(|at| self.precision.cells[at]).collect()
    }

    fn refine(
        &mut self,
        actions: Vec<ActionId>,
        asker: &mut Asker,
    ) -> Result<Option<Answer>, Stop> {
        self.stats.refinements += 1;
        let path = Path::new(self.system, actions);
        let Some(last) = path.stops_at(self.system, asker)? else {
            let target = path.actions.last().map(|a| self.system.action(*a).to.clone());
            let Some(target) = target else { return Err(Stop::GaveUp("an empty path")) };
            let exact = path.actions.iter().all(|a| self.system.action(*a).exact);
            return Ok(Some(Answer::Reached { path: path.actions, target, exact }));
        };
        let precision = self.precision.clone();
        let mut newton = Newton {
            system: self.system,
            asker,
            precision: &precision,
            conditions: &self.conditions,
        };
        let shapes = newton.refute(&path, last)?;
        for shape in &shapes {
            log::trace!("  {}", self.system.show(shape.term));
        }
        let mut progress = false;
        for shape in &shapes {
            let track = shape
                .value_of
                .filter(|c| !precision.growing.contains(c.index()) && !precision.tracks(*c));
            progress |= match track {
                Some(cell) => self.precision.track(cell),
                None => false,
            };
        }
        for shape in &shapes {
            if shape.value_of.is_none_or(|c| precision.growing.contains(c.index())) {
                progress |= self.precision.add(self.system, shape.term);
            }
        }
        if !progress {
            // By value it is not known: a guard may still tell.
            for shape in &shapes {
                progress |= self.precision.add(self.system, shape.term);
            }
        }
        log::debug!(
            "refinement {}: {} steps, {} nodes, {} cells, {} predicates",
            self.stats.refinements,
            last,
            self.stats.nodes,
            self.precision.cells.len(),
            self.precision.predicates.len()
        );
        if progress { Ok(None) } else { Err(Stop::GaveUp("no new predicates refute a path")) }
    }

    fn proof(&mut self, graph: &Graph<Element>, domain: &Cartesian) -> Proof {
        let mut invariant = Vec::new();
        for (vector, ids) in graph.vectors() {
            let states: Vec<Vec<Term>> = ids
                .iter()
                .map(|id: &NodeId| domain.formula(self.system, &graph.nodes[id.0].elem))
                .collect();
            invariant.push((Rc::clone(vector), states));
        }
        Proof { invariant }
    }
}

enum Halt {
    Error(NodeId, ActionId),
    Growing(Vec<CellId>),
}
