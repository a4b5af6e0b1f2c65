//! Explore with a precision, refine it where an error is no error, until one of the two is settled.

use crate::answer::{Answer, Proof, Prover, Stats, TOO_MANY_NODES};
use crate::ask::{Asker, Budget, Stop};
use crate::coi::{Coi, Observed};
use crate::domain::Domain;
use crate::domain::cartesian::{Cartesian, Element};
use crate::domain::intervals::Thresholds;
use crate::flow::{components, conditions, finite};
use crate::graph::{NodeId, ReachGraph, ReachNode, Vector, moved};
use crate::options::{Abstraction, Cover, Options, Refiner};
use crate::por::source::SourceSets;
use crate::por::{Por, Reduce, View};
use crate::prec::Precision;
use crate::refine::chc;
use crate::refine::houdini::{Given, Houdini, LEVELS, Level};
use crate::refine::newton::Newton;
use crate::refine::path::Path;
use crate::refine::shapes::Shape;
use crate::refine::wp::Wp;
use crate::system::{ActionId, CellId, LocId, System, ThreadId};
use encoder::Term;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Values of a cell that is tracked by value, if they may be many.
const MAX_VALUES: usize = 8;
/// Refinements before an invariant is guessed.
const REFINEMENTS_BEFORE_GUESSES: u64 = 6;

pub struct Cegar<'a> {
    pub system: &'a mut System,
    pub options: Options,
    pub budget: Budget,
    pub stats: Stats,
    precision: Precision,
    conditions: Vec<Term>,
    finite: FixedBitSet,
    component: Vec<usize>,
    thresholds: Thresholds,
    most_nodes: usize,
    /// Found without a graph.
    invariant: Option<Proof>,
}

enum Explored {
    All(Box<(ReachGraph<Element>, Cartesian)>),
    Error(Vec<ActionId>, Box<Asker>),
    Growing(Vec<CellId>, Box<Asker>),
}

impl<'a> Cegar<'a> {
    pub fn new(system: &'a mut System, options: Options, budget: Budget) -> Cegar<'a> {
        let precision = Precision::new(system);
        let (conditions, finite) = (conditions(system), finite(system));
        let component = components(system, &finite);
        let thresholds = Thresholds::new(system, &conditions, &component);
        let stats = Stats::default();
        let most_nodes = usize::MAX;
        Cegar {
            system,
            options,
            budget,
            stats,
            precision,
            conditions,
            finite,
            component,
            thresholds,
            most_nodes,
            invariant: None,
        }
    }

    /// What has many values, and all cells that values flow to from there, or from which they come.
    fn grows(&mut self, cell: CellId) {
        let component = self.component[cell.index()];
        for other in self.system.cell_ids() {
            if self.component[other.index()] == component {
                log::debug!("growing: {}", self.system.cell(other).name);
                self.precision.drop_cell(other);
                if self.options.domain == Abstraction::Intervals {
                    self.bound(other);
                }
            }
        }
    }

    /// A cell that has too many values is tracked by its interval.
    fn bound(&mut self, cell: CellId) -> bool {
        let bounds = self.thresholds.bounds(self.system, cell);
        bounds.into_iter().fold(false, |new, term| self.precision.add(self.system, term) | new)
    }

    fn explore(&mut self, asker: Asker) -> Result<Explored, Stop> {
        let mut domain = Cartesian::new(self.system, self.precision.clone(), asker);
        let mut graph = ReachGraph::new(self.options.search);
        let start: Vector = vec![LocId(0); self.system.threads.len()].into();
        let elem = domain.initial(self.system)?;
        graph.add(ReachNode { at: start, elem, parent: None }, |_, _| false);
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
        graph: &mut ReachGraph<Element>,
        domain: &mut Cartesian,
    ) -> Result<Option<Halt>, Stop> {
        let vars = self.precision.vars(self.system);
        let source = SourceSets::new(self.system, self.options.por, &vars);
        let mut observed = (self.options.coi == Coi::Dynamic).then(|| Observed::new(self.system));
        while let Some(id) = graph.take() {
            self.budget.check()?;
            if graph.nodes.len() > self.most_nodes {
                return Err(TOO_MANY_NODES);
            }
            let node = graph.nodes[id.0].clone();
            let counts = observed.as_mut().map(|observed| {
                let mut counts = (*observed.at(&node.at)).clone();
                counts.intersect_with(&vars);
                counts
            });
            let mut step = Expansion {
                system: self.system,
                domain,
                observed: observed.as_mut(),
                vars: &vars,
                node: &node,
                next: FxHashMap::default(),
                stats: &mut self.stats,
            };
            let chosen = source.choose(&node.at, counts.as_ref(), &mut step)?;
            for thread in source.all(&node.at) {
                if chosen.contains(&thread) {
                    step.successors(thread)?;
                } else {
                    let left_out = step.system.location(thread, node.at[thread.index()]);
                    step.stats.skipped += left_out.actions.len() as u64;
                }
            }
            let next = std::mem::take(&mut step.next);
            let mut all: Vec<Successor> =
                chosen.iter().filter_map(|t| next.get(t)).flatten().cloned().collect();
            // Errors first.
            all.sort_by_key(|s| s.at.is_some());
            for Successor { action, at, elem } in all {
                let Some(at) = at else { return Ok(Some(Halt::Error(id, action))) };
                let node = ReachNode { at, elem, parent: Some((id, action)) };
                match self.options.cover {
                    Cover::Off => graph.add(node, |a, b| a == b),
                    Cover::Subsume | Cover::Force => graph.add(node, |a, b| domain.leq(a, b)),
                };
            }
            let growing = self.growing(domain);
            if !growing.is_empty() {
                return Ok(Some(Halt::Growing(growing)));
            }
        }
        Ok(None)
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
            let turns = path.turns(self.system, asker)?;
            return Ok(Some(Answer::Reached { turns, target, exact }));
        };
        let precision = self.precision.clone();
        let shapes = self.refutation(&path, last, asker)?;
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
            if self.options.domain != Abstraction::Predicates {
                for cell in self.system.cells_in(shape.term).ones() {
                    progress |= self.track(CellId(cell as u32), shape.term);
                }
            } else if shape.value_of.is_none_or(|c| precision.growing.contains(c.index())) {
                progress |= self.precision.add(self.system, shape.term);
            }
        }
        if !progress && self.options.domain == Abstraction::Predicates {
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
        if !progress && self.options.coi == Coi::Dynamic {
            // What was forgotten may be needed.
            self.options.coi = Coi::Static;
            progress = true;
        }
        if progress { Ok(None) } else { Err(Stop::GaveUp("no new predicates refute a path")) }
    }

    /// A cell in what refutes a path: by value, or, if it has too many and intervals are asked for, by
    /// bounds, also at the numbers of that refutation.
    fn track(&mut self, cell: CellId, shape: Term) -> bool {
        if !self.precision.growing.contains(cell.index()) {
            return self.precision.track(cell);
        }
        if self.options.domain != Abstraction::Intervals {
            return false;
        }
        self.thresholds.learn(self.system, shape);
        self.bound(cell)
    }

    /// When paths have been refuted a few times in vain: is an invariant of shapes enough?
    fn houdini(&mut self, mut asker: Asker) -> Result<(Option<Proof>, Asker), Stop> {
        let now = match self.options.refine {
            Refiner::Houdini | Refiner::Chc => self.stats.refinements == 1,
            Refiner::Newton => self.stats.refinements == REFINEMENTS_BEFORE_GUESSES,
            Refiner::Wp => false,
        };
        if !now || self.options.domain != Abstraction::Predicates {
            return Ok((None, asker));
        }
        let mut shaped = Precision::new(self.system);
        for cell in self.system.cell_ids() {
            match self.finite.contains(cell.index()) {
                true => _ = shaped.track(cell),
                false => shaped.drop_cell(cell),
            }
        }
        let mut given = Given::default();
        if self.options.refine == Refiner::Chc {
            (given, asker) = chc::candidates(self.system, &shaped, asker, &self.budget)?;
        }
        let first = (!given.is_empty()).then_some(Level::Given);
        for level in first.into_iter().chain(LEVELS) {
            let conditions = &self.conditions;
            let houdini =
                Houdini::new(self.system, shaped.clone(), conditions, asker, level, &given);
            let proof;
            (proof, asker) = houdini.run()?;
            if proof.is_some() {
                self.stats.questions = asker.asked;
                self.invariant = proof.clone();
                return Ok((proof, asker));
            }
        }
        Ok((None, asker))
    }

    fn refutation(
        &mut self,
        path: &Path,
        last: usize,
        asker: &mut Asker,
    ) -> Result<Vec<Shape>, Stop> {
        let mut newton = Newton {
            system: self.system,
            asker,
            precision: &self.precision,
            conditions: &self.conditions,
        };
        if self.options.refine != Refiner::Wp {
            return Ok(newton.refute(path, last)?.concat());
        }
        let no = newton.system.pool.bool(false);
        let clauses = Wp(&mut newton).back(path, last + 1, vec![no], &|_, _| false)?.concat();
        Ok(clauses.into_iter().map(|term| Shape { term, value_of: None }).collect())
    }

    fn proof(&mut self, graph: &ReachGraph<Element>, domain: &Cartesian) -> Proof {
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

impl Prover for Cegar<'_> {
    fn certify(&mut self, most_nodes: usize) -> Result<Answer, Stop> {
        if let Some(proof) = self.invariant.take() {
            return Ok(Answer::Safe(proof));
        }
        let stats = self.stats;
        self.most_nodes = most_nodes;
        self.options.por = Por::Off;
        let answer = self.run();
        self.stats = stats;
        answer
    }

    fn run(&mut self) -> Result<Answer, Stop> {
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
                    match self.houdini(*asker)? {
                        (Some(proof), _) => return Ok(Answer::Safe(proof)),
                        (None, asker) => asker,
                    }
                }
            };
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }
}

/// What an action leads to; no vector if it leads to an error or a doubt.
#[derive(Clone)]
struct Successor {
    action: ActionId,
    at: Option<Vector>,
    elem: Element,
}

/// The expansion of one node.
struct Expansion<'a> {
    system: &'a mut System,
    domain: &'a mut Cartesian,
    observed: Option<&'a mut Observed>,
    vars: &'a FixedBitSet,
    node: &'a ReachNode<Element>,
    next: FxHashMap<ThreadId, Vec<Successor>>,
    stats: &'a mut Stats,
}

impl Expansion<'_> {
    fn successors(&mut self, thread: ThreadId) -> Result<(), Stop> {
        if self.next.contains_key(&thread) {
            return Ok(());
        }
        let at = self.node.at[thread.index()];
        let actions = self.system.location(thread, at).actions.clone();
        let mut found = Vec::new();
        for action in actions {
            self.stats.actions += 1;
            let at = moved(self.system, &self.node.at, action);
            let keep = match (&mut self.observed, &at) {
                (Some(observed), Some(at)) => Some(observed.at(at)),
                _ => None,
            };
            let elem = match keep.as_ref().filter(|keep| self.is_idle(action, keep)) {
                Some(_) => {
                    self.stats.dropped += 1;
                    Some(self.node.elem.clone())
                }
                None => self.domain.post(self.system, &self.node.elem, action)?,
            };
            let Some(elem) = elem else { continue };
            if keep.as_ref().is_some_and(|keep| self.forgets(action, keep)) {
                self.stats.forgotten += 1;
            }
            let elem = match keep {
                Some(keep) => self.domain.forget(elem, &keep),
                None => elem,
            };
            found.push(Successor { action, at, elem });
        }
        self.next.insert(thread, found);
        Ok(())
    }

    /// Is something that it writes tracked, and observed no more?
    fn forgets(&self, action: ActionId, keep: &FixedBitSet) -> bool {
        let mut gone = self.system.action(action).writes.clone();
        gone.intersect_with(self.vars);
        gone.difference_with(keep);
        !gone.is_clear()
    }

    /// Does it do nothing but write what no guard observes?
    fn is_idle(&self, action: ActionId, keep: &FixedBitSet) -> bool {
        let a = self.system.action(action);
        let mut seen = a.writes.clone();
        seen.intersect_with(keep);
        self.system.pool.is_true(a.guard) && seen.is_disjoint(self.vars)
    }
}

impl View for Expansion<'_> {
    type Error = Stop;

    fn moves(&mut self, thread: ThreadId) -> Result<bool, Stop> {
        self.successors(thread)?;
        Ok(!self.next[&thread].is_empty())
    }

    fn surely_moves(&mut self, thread: ThreadId) -> Result<bool, Stop> {
        let at = self.node.at[thread.index()];
        let actions = self.system.location(thread, at).actions.clone();
        Ok(actions.iter().any(|a| self.domain.enables(self.system, &self.node.elem, *a)))
    }
}

enum Halt {
    Error(NodeId, ActionId),
    Growing(Vec<CellId>),
}
