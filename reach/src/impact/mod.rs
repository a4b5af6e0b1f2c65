//! Impact: a tree of paths with labels that are refined only where an error asks for it.
//!
//! Labels are true at first. A path to an error that is none is refuted, and the refutation's clauses
//! go to the nodes of that path; a node whose label follows from an older one's at the same locations
//! is covered and not expanded. *Force cover*: before a node is expanded, clauses are put on the
//! path to it such that an older node covers it, if that can be done. (McMillan: Lazy abstraction with
//! interpolants, CAV 2006; with threads and monotonic partial order reduction: Wachter, Kroening,
//! Ouaknine, FMCAD 2013.) Threads and lifetimes are tracked by value from the start, so threads that
//! have not been started have no nodes.
//!
//! Why SAFE is right: all nodes that are open have been expanded, and their labels, joined by
//! location vector, are an invariant that excludes errors; with a reduction they are one for executions
//! of its kind (`por/monotonic.rs`).
//!
//! - `tree.rs`: nodes, labels, covers; `implies.rs`: does one label follow from another

mod implies;
mod tree;

use crate::answer::{Answer, Proof, Prover, Stats, TOO_MANY_NODES};
use crate::ask::{Asker, Budget, Stop};
use crate::domain::Domain;
use crate::domain::cartesian::Cartesian;
use crate::flow::{conditions, finite};
use crate::graph::{NodeId, Vector, moved};
use crate::options::{Abstraction, Cover, Options, Refiner};
use crate::por::{Por, monotonic};
use crate::prec::Precision;
use crate::refine::newton::Newton;
use crate::refine::path::Path;
use crate::refine::wp::Wp;
use crate::system::{ActionId, LocId, System, Target};
use encoder::Term;
use implies::Implies;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tree::Tree;

/// Older nodes that a node is tried to be put under.
const MAX_FORCED: usize = 8;
/// Pairs of actions that a solver is asked about.
const MAX_COMMUTE: u64 = 20_000;

pub struct Impact<'a> {
    system: &'a mut System,
    options: Options,
    budget: Budget,
    stats: Stats,
    tree: Tree,
    domain: Cartesian,
    implies: Implies,
    conditions: Vec<Term>,
    /// For shapes: which cells have many values, and the predicates of labels.
    shaped: Precision,
    /// Where pairs of actions commute.
    pairs: FxHashMap<(ActionId, ActionId), Option<Term>>,
    most_nodes: usize,
    /// Before a certificate was made.
    counted: Option<Stats>,
}

impl<'a> Impact<'a> {
    pub fn new(system: &'a mut System, options: Options, budget: Budget) -> Impact<'a> {
        let mut precision = Precision::new(system);
        let finite = finite(system);
        if options.domain == Abstraction::Explicit {
            system.cell_ids().filter(|c| finite.contains(c.index())).for_each(|c| {
                precision.track(c);
            });
        }
        let mut shaped = precision.clone();
        for cell in system.cell_ids().filter(|c| !finite.contains(c.index())) {
            shaped.drop_cell(cell);
        }
        let asker = Asker::new(budget.clone());
        Impact {
            domain: Cartesian::new(system, precision, asker),
            tree: Tree::new(options.search),
            implies: Implies::default(),
            conditions: conditions(system),
            stats: Stats::default(),
            pairs: FxHashMap::default(),
            most_nodes: usize::MAX,
            counted: None,
            shaped,
            system,
            options,
            budget,
        }
    }

    fn search(&mut self) -> Result<Answer, Stop> {
        while let Some(id) = self.tree.take() {
            self.budget.check()?;
            if self.tree.nodes.len() > self.most_nodes {
                return Err(TOO_MANY_NODES);
            }
            if self.tree.is_closed(id) || self.tree.to_do(id).is_empty() {
                continue;
            }
            if self.close(id)? || self.force(id)? {
                continue;
            }
            if let Some(answer) = self.expand(id)? {
                return Ok(answer);
            }
        }
        Ok(Answer::Safe(self.proof()))
    }

    fn start(&mut self) -> Result<(), Stop> {
        let start: Vector = vec![LocId(0); self.system.threads.len()].into();
        let elem = self.domain.initial(self.system)?;
        let wanted = self.actions_at(&start);
        self.tree.add(start, elem, None, wanted);
        Ok(())
    }

    fn actions_at(&self, at: &Vector) -> Vec<ActionId> {
        let threads = self.system.thread_ids().zip(at.iter());
        threads.flat_map(|(t, at)| self.system.location(t, *at).actions.clone()).collect()
    }

    /// What is followed behind an action from a node.
    fn wanted(&mut self, id: NodeId, at: &Vector, before: ActionId) -> Result<Vec<ActionId>, Stop> {
        let mut all = self.actions_at(at);
        let count = all.len();
        if matches!(self.options.por, Por::Monotonic | Por::Conditional) {
            all.retain(|next| !monotonic::skips(self.system, before, *next));
        }
        if self.options.por == Por::Conditional {
            let mut left = Vec::with_capacity(all.len());
            for next in all {
                let may = monotonic::may_commute(self.system, before, next);
                if !may || self.tree.is_closed(id) || !self.commute(id, before, next)? {
                    left.push(next);
                }
            }
            all = left;
        }
        self.stats.skipped += (count - all.len()) as u64;
        Ok(all)
    }

    /// Do two actions commute wherever this node is reached? If so, its label says that they do.
    fn commute(&mut self, id: NodeId, first: ActionId, second: ActionId) -> Result<bool, Stop> {
        let goal = match self.pairs.get(&(first, second)) {
            Some(known) => *known,
            None => monotonic::commute(self.system, first, second),
        };
        self.pairs.insert((first, second), goal);
        let Some(goal) = goal else { return Ok(false) };
        let elem = self.tree.node(id).elem.clone();
        let left = self.implies.put_in(self.system, &self.domain, &elem, goal);
        if self.system.pool.constant(left).is_some() || self.stats.asked_to_commute > MAX_COMMUTE {
            return Ok(self.system.pool.is_true(left));
        }
        self.stats.asked_to_commute += 1;
        let nodes = self.tree.above(id);
        let actions = self.tree.actions(&nodes);
        let count = actions.len();
        let path = Path::new(self.system, actions);
        let there = path.replace(self.system, count).apply(&mut self.system.pool, goal);
        let mut question = path.known(count);
        question.push(self.system.pool.not(there));
        if self.domain.asker.holds(&self.system.pool, &question)? {
            return Ok(false);
        }
        let clauses = self.back(&path, count, vec![goal], &nodes)?;
        for (node, clauses) in nodes.iter().zip(clauses.into_iter().chain([vec![goal]])) {
            self.strengthen(*node, clauses)?;
        }
        self.stats.commuting += 1;
        Ok(true)
    }

    /// Is the node covered by an older one?
    fn close(&mut self, id: NodeId) -> Result<bool, Stop> {
        if self.options.cover == Cover::Off {
            return Ok(false);
        }
        for older in self.tree.older(id) {
            if self.follows(id, older)? {
                self.cover(id, older);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Does the second node's label follow from the first one's?
    fn follows(&mut self, id: NodeId, older: NodeId) -> Result<bool, Stop> {
        let (a, b) = (self.tree.node(id), self.tree.node(older));
        Ok(self.domain.leq(&a.elem, &b.elem)
            && self.implies.ask(self.system, &mut self.domain, (&a.elem, &a.label), &b.label)?)
    }

    fn cover(&mut self, id: NodeId, by: NodeId) {
        self.stats.covered += 1;
        self.tree.nodes[id.0].cover = Some(by);
        self.tree.nodes[by.0].covers.push(id);
        self.tree.retire(id);
        // What the node would have followed, its cover does.
        let owed = self.tree.node(id).wanted.clone();
        let new: Vec<ActionId> =
            owed.into_iter().filter(|a| !self.tree.node(by).wanted.contains(a)).collect();
        if !new.is_empty() {
            self.stats.owed += new.len() as u64;
            self.tree.nodes[by.0].wanted.extend(new);
            self.tree.enqueue(by);
        }
    }

    /// Strengthens labels on the way such that an older node covers this one, if that can be done.
    fn force(&mut self, id: NodeId) -> Result<bool, Stop> {
        if self.options.cover != Cover::Force {
            return Ok(false);
        }
        let mut older = self.tree.older(id);
        older.reverse();
        older.retain(|w| self.domain.leq(&self.tree.node(id).elem, &self.tree.node(*w).elem));
        for by in older.into_iter().take(MAX_FORCED) {
            if self.force_by(id, by)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn force_by(&mut self, id: NodeId, by: NodeId) -> Result<bool, Stop> {
        let from = self.tree.common(id, by);
        let nodes: Vec<NodeId> = self.tree.above(id)[self.tree.node(from).depth..].to_vec();
        let actions = self.tree.actions(&nodes);
        let start = self.tree.node(from);
        let mut facts: Vec<Term> = start.label.iter().copied().collect();
        facts.extend(self.domain.formula(self.system, &start.elem));
        let goal: Vec<Term> = self.tree.node(by).label.iter().copied().collect();
        let count = actions.len();
        let path = Path::from(self.system, facts, actions);
        let mut now = path.replace(self.system, count);
        let all = self.system.pool.and_all(goal.iter().copied());
        let all = now.apply(&mut self.system.pool, all);
        let mut question = path.known(count);
        question.push(self.system.pool.not(all));
        self.stats.forced += 1;
        if self.domain.asker.holds(&self.system.pool, &question)? {
            return Ok(false);
        }
        let clauses = self.back(&path, count, goal.clone(), &nodes)?;
        for (node, clauses) in nodes[1..].iter().zip(clauses.into_iter().skip(1).chain([goal])) {
            self.strengthen(*node, clauses)?;
        }
        if self.tree.is_closed(id) {
            return Ok(true);
        }
        if self.tree.is_closed(by) || !self.follows(id, by)? {
            return Ok(false);
        }
        self.cover(id, by);
        Ok(true)
    }

    fn newton(&mut self) -> Newton<'_> {
        Newton {
            system: self.system,
            asker: &mut self.domain.asker,
            precision: &self.shaped,
            conditions: &self.conditions,
        }
    }

    /// Weakest preconditions along a path through nodes. What a label says already need not be said again.
    fn back(
        &mut self,
        path: &Path,
        count: usize,
        goal: Vec<Term>,
        nodes: &[NodeId],
    ) -> Result<Vec<Vec<Term>>, Stop> {
        let tree = &self.tree;
        let is_known = |at: usize, clause| tree.node(nodes[at]).label.contains(&clause);
        let mut newton = Newton {
            system: self.system,
            asker: &mut self.domain.asker,
            precision: &self.shaped,
            conditions: &self.conditions,
        };
        Wp(&mut newton).back(path, count, goal, &is_known)
    }

    /// Adds clauses that hold at a node. Whatever it covers and is not below it any more is open again.
    fn strengthen(&mut self, id: NodeId, clauses: Vec<Term>) -> Result<(), Stop> {
        let node = &self.tree.nodes[id.0];
        let mut new = Vec::new();
        for clause in clauses {
            let known = self.implies.put_in(self.system, &self.domain, &node.elem, clause);
            if self.system.pool.is_false(known) {
                self.tree.nodes[id.0].dead = true;
                self.tree.nodes[id.0].label = [known].into();
                self.tree.retire(id);
                return Ok(());
            }
            if !self.system.pool.is_true(known) && !node.label.contains(&clause) {
                new.push(clause);
            }
        }
        if new.is_empty() {
            return Ok(());
        }
        self.tree.nodes[id.0].label.extend(new);
        for x in self.tree.node(id).covers.clone() {
            if !self.follows(x, id)? {
                self.tree.uncover(x);
            }
        }
        Ok(())
    }

    fn expand(&mut self, id: NodeId) -> Result<Option<Answer>, Stop> {
        let mut to_do = self.tree.to_do(id);
        // Errors first.
        to_do.sort_by_key(|a| matches!(self.system.action(*a).to, Target::To(_)));
        for action in to_do {
            if self.tree.is_closed(id) {
                return Ok(None);
            }
            self.stats.actions += 1;
            let node = self.tree.node(id);
            let (at, elem) = (node.at.clone(), node.elem.clone());
            let next = self.domain.post(self.system, &elem, action)?;
            self.tree.nodes[id.0].done.push(action);
            let Some(next) = next else { continue };
            match moved(self.system, &at, action) {
                None => {
                    if let Some(answer) = self.refute(id, action)? {
                        return Ok(Some(answer));
                    }
                }
                Some(at) => {
                    let wanted = self.wanted(id, &at, action)?;
                    self.tree.add(at, next, Some((id, action)), wanted);
                }
            }
        }
        Ok(None)
    }

    /// An action leads from a node to an error: an execution, or clauses for the nodes on the way.
    fn refute(&mut self, id: NodeId, action: ActionId) -> Result<Option<Answer>, Stop> {
        let nodes = self.tree.above(id);
        let mut actions = self.tree.actions(&nodes);
        actions.push(action);
        let path = Path::new(self.system, actions);
        let Some(last) = path.stops_at(self.system, &mut self.domain.asker)? else {
            let target = self.system.action(action).to.clone();
            let exact = path.actions.iter().all(|a| self.system.action(*a).exact);
            let turns = path.turns(self.system, &mut self.domain.asker)?;
            return Ok(Some(Answer::Reached { turns, target, exact }));
        };
        self.stats.refinements += 1;
        let no = self.system.pool.bool(false);
        let mut clauses = self.refutation(&path, last, &nodes)?;
        clauses.resize(nodes.len(), vec![no]);
        log::debug!("refinement {}: {last} of {} steps", self.stats.refinements, nodes.len());
        for (node, clauses) in nodes.iter().zip(clauses) {
            for clause in &clauses {
                log::trace!("  {}: {}", node.0, self.system.show(*clause));
            }
            self.strengthen(*node, clauses)?;
        }
        for node in nodes {
            if self.tree.is_closed(node) || self.close(node)? {
                break;
            }
        }
        Ok(None)
    }

    /// Clauses by number of actions.
    fn refutation(
        &mut self,
        path: &Path,
        last: usize,
        nodes: &[NodeId],
    ) -> Result<Vec<Vec<Term>>, Stop> {
        match self.options.refine {
            Refiner::Wp => {
                let no = self.system.pool.bool(false);
                self.back(path, last + 1, vec![no], nodes)
            }
            Refiner::Newton | Refiner::Houdini | Refiner::Chc => {
                let shapes = self.newton().refute(path, last)?;
                for shape in shapes.iter().flatten() {
                    self.shaped.add(self.system, shape.term);
                }
                Ok(shapes.into_iter().map(|s| s.into_iter().map(|s| s.term).collect()).collect())
            }
        }
    }

    fn proof(&mut self) -> Proof {
        let open: Vec<NodeId> = self.tree.open().collect();
        let mut by_vector: FxHashMap<Vector, Vec<Vec<Term>>> = FxHashMap::default();
        for id in open {
            let node = self.tree.node(id);
            let mut terms = self.domain.formula(self.system, &node.elem);
            terms.extend(&node.label);
            by_vector.entry(Rc::clone(&node.at)).or_default().push(terms);
        }
        Proof { invariant: by_vector.into_iter().collect() }
    }
}

impl Prover for Impact<'_> {
    fn run(&mut self) -> Result<Answer, Stop> {
        self.start()?;
        self.search()
    }

    /// The same tree goes on, with what the reduction has left out.
    fn certify(&mut self, most_nodes: usize) -> Result<Answer, Stop> {
        self.counted = Some(self.stats());
        self.most_nodes = most_nodes;
        self.options.por = Por::Off;
        for id in (0..self.tree.nodes.len()).map(NodeId) {
            self.tree.nodes[id.0].wanted = self.actions_at(&self.tree.node(id).at.clone());
            self.tree.enqueue(id);
        }
        self.search()
    }

    fn stats(&self) -> Stats {
        self.counted.unwrap_or(Stats {
            nodes: self.tree.nodes.len() as u64,
            tracked: self.domain.precision.cells.len() as u64,
            questions: self.domain.asker.asked,
            implications: self.implies.asked,
            ..self.stats
        })
    }
}
