//! Houdini: the strongest invariant made of shapes, for programs whose paths give ever new constants.
//!
//! A node is a vector of locations with the values of cells that have few; it has a set of candidates, all
//! shapes that hold in the first state that is seen there, and all linear equations that hold in all states that
//! are seen there (`hull.rs`). An action from a node is asked for a state
//! behind it in which a candidate there fails; whatever fails in such a state is dropped, until none does.
//! Candidates only get fewer, so this ends, with sets that are inductive; if errors are excluded they are a
//! proof, of which only what is needed is kept. (Flanagan and Leino: Houdini, FME 2001, with states as in ICE.)

use super::hull::Hull;
use super::shapes::{Shapes, Tier};
use crate::answer::Proof;
use crate::ask::{Asker, Said, Stop};
use crate::domain::Domain;
use crate::domain::cartesian::{Cartesian, Element};
use crate::flow::Live;
use crate::graph::{Vector, moved};
use crate::linear::normal;
use crate::prec::Precision;
use crate::replace::Replace;
use crate::system::{ActionId, CellId, LocId, System, vars};
use encoder::eval::Evaluator;
use encoder::{Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};

/// More questions are not worth it.
const MAX_QUESTIONS: u64 = 20_000;
const MAX_NODES: usize = 4_000;
/// Cells in equations.
const MAX_HULL: usize = 40;

/// Which shapes are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// What another method has found, and the program's conditions.
    Given,
    Orders,
    Differences,
}

pub const LEVELS: [Level; 2] = [Level::Orders, Level::Differences];

impl Level {
    fn tiers(self) -> Vec<Tier> {
        match self {
            Level::Given => vec![Tier::Values],
            Level::Orders => vec![Tier::Values, Tier::Orders],
            Level::Differences => vec![Tier::Values, Tier::Close],
        }
    }
}

/// Candidates beside shapes, by node.
pub type Given = FxHashMap<(Vector, Element), Vec<Term>>;

struct HoudiniNode {
    at: Vector,
    elem: Element,
    shapes: Vec<Term>,
    hulls: Vec<Hull>,
    /// Shapes, and what hulls say.
    candidates: Vec<Term>,
}

/// A value for each cell.
type CellValues = Vec<u64>;

pub struct Houdini<'a> {
    system: &'a mut System,
    domain: Cartesian,
    /// Which cells have few values.
    shaped: Precision,
    conditions: &'a [Term],
    level: Level,
    given: &'a Given,
    live: Live,
    nodes: Vec<HoudiniNode>,
    known: FxHashMap<(Vector, Element), usize>,
    work: VecDeque<usize>,
    inputs: Vec<Vec<Term>>,
}

/// An action from a node: what it does, where the node's values are put in.
struct HoudiniStep {
    guard: Term,
    /// The node's candidates, and the guard behind them.
    facts: Vec<Term>,
    after: Replace,
    sources: Vec<Term>,
}

/// What may be said at a node: not of cells whose value is known, or that is not read any more.
pub fn said_of(
    system: &System,
    live: &Live,
    domain: &Cartesian,
    at: &Vector,
    elem: &Element,
) -> Vec<CellId> {
    let tracked = domain.precision.cells.iter().zip(elem.values.iter());
    let known: FxHashSet<CellId> = tracked.filter(|(_, v)| v.is_some()).map(|(c, _)| *c).collect();
    let open = |c: &CellId| !known.contains(c) && live.is_live(system, at, *c);
    system.cell_ids().filter(open).collect()
}

impl<'a> Houdini<'a> {
    /// `shaped` tracks the cells that have few values; the others grow.
    pub fn new(
        system: &'a mut System,
        shaped: Precision,
        conditions: &'a [Term],
        asker: Asker,
        level: Level,
        given: &'a Given,
    ) -> Houdini<'a> {
        let values = Precision { predicates: Vec::new(), ..shaped.clone() };
        let actions = 0..system.actions.len() as u32;
        Houdini {
            domain: Cartesian::new(system, values, asker),
            live: Live::new(system),
            inputs: actions.map(|a| crate::execution::inputs_of(system, ActionId(a))).collect(),
            nodes: Vec::new(),
            known: FxHashMap::default(),
            work: VecDeque::new(),
            system,
            shaped,
            conditions,
            level,
            given,
        }
    }

    /// A proof, if shapes are enough for one; and the solver again.
    pub fn run(mut self) -> Result<(Option<Proof>, Asker), Stop> {
        let first = self.domain.asker.asked;
        let done = self.fixpoint(first)?;
        log::debug!(
            "houdini {:?}: {} nodes, {} candidates, {} questions, {done}",
            self.level,
            self.nodes.len(),
            self.nodes.iter().map(|n| n.candidates.len()).sum::<usize>(),
            self.domain.asker.asked - first,
        );
        if !done {
            return Ok((None, self.domain.asker));
        }
        let needed = self.needed()?;
        let proof = self.proof(&needed);
        log::debug!("needed: {}", needed.iter().map(FxHashSet::len).sum::<usize>());
        Ok((Some(proof), self.domain.asker))
    }

    fn fixpoint(&mut self, first: u64) -> Result<bool, Stop> {
        let start: Vector = vec![LocId(0); self.system.threads.len()].into();
        let elem = self.domain.initial(self.system)?;
        let state = self.system.cells.iter().map(|c| c.initial.unwrap_or(0)).collect();
        // Cells without a first value may have any: nothing is said of them there.
        let mut cells = said_of(self.system, &self.live, &self.domain, &start, &elem);
        cells.retain(|c| self.system.cell(*c).initial.is_some());
        let at = self.add(start, elem, &cells, &state);
        self.nodes[at].shapes.retain(|c| {
            let cells = self.system.cells_in(*c);
            cells.ones().all(|c| self.system.cells[c].initial.is_some())
        });
        self.gather(at);
        while let Some(node) = self.work.pop_front() {
            let many = self.domain.asker.asked - first > MAX_QUESTIONS;
            if many || self.nodes.len() > MAX_NODES || !self.steps(node)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All actions from a node; is no error among them?
    fn steps(&mut self, from: usize) -> Result<bool, Stop> {
        let at = self.nodes[from].at.clone();
        for thread in self.system.thread_ids() {
            for action in self.system.location(thread, at[thread.index()]).actions.clone() {
                let elem = self.nodes[from].elem.clone();
                let Some(next) = self.domain.post(self.system, &elem, action)? else { continue };
                let step = self.step(from, action);
                match moved(self.system, &at, action) {
                    None if self.domain.asker.holds(&self.system.pool, &step.facts)? => {
                        return Ok(false);
                    }
                    None => {}
                    Some(to) => self.follow(step, to, next)?,
                }
            }
        }
        Ok(true)
    }

    fn step(&mut self, from: usize, action: ActionId) -> HoudiniStep {
        let node = &self.nodes[from];
        let known = self.domain.known(self.system, &node.elem);
        let mut put_in = Replace::new(known.iter().copied());
        let (pool, action_of) = (&mut self.system.pool, &self.system.actions[action.index()]);
        let guard = put_in.apply(pool, action_of.guard);
        let mut facts = Vec::with_capacity(node.candidates.len() + 1);
        for term in node.candidates.iter().chain([&action_of.guard]) {
            let term = put_in.apply(pool, *term);
            facts.push(normal(pool, term));
        }
        let mut map: FxHashMap<Term, Term> = known.into_iter().collect();
        for (cell, value) in &action_of.updates {
            let value = put_in.apply(pool, *value);
            map.insert(self.system.cells[cell.index()].var, value);
        }
        let cells = self.system.cells.iter().map(|c| c.var);
        let sources = cells.chain(self.inputs[action.index()].iter().copied()).collect();
        HoudiniStep { guard, facts, after: Replace::new(map), sources }
    }

    /// Drops what does not hold behind a step.
    fn follow(&mut self, mut step: HoudiniStep, to: Vector, elem: Element) -> Result<(), Stop> {
        let key = (to, elem);
        let mut at = self.known.get(&key).copied();
        let mut changed = false;
        let known: FxHashSet<Term> = step.facts.iter().copied().collect();
        loop {
            let mut facts = step.facts.clone();
            if let Some(at) = at {
                let pool = &mut self.system.pool;
                let mut all = Vec::new();
                for candidate in &self.nodes[at].candidates {
                    let after = step.after.apply(pool, *candidate);
                    let after = normal(pool, after);
                    if !known.contains(&after) {
                        all.push(after);
                    }
                }
                let all = pool.and_all(all);
                facts.push(pool.not(all));
            }
            let said = self.domain.asker.model(&self.system.pool, &facts, &step.sources)?;
            let Said::Sat(model) = said else { break };
            let mut state: CellValues = Vec::with_capacity(self.system.cells.len());
            for cell in 0..self.system.cells.len() {
                let var = self.system.cells[cell].var;
                let after = step.after.apply(&mut self.system.pool, var);
                state.push(model.evaluator(&self.system.pool).value(after));
            }
            match at {
                None => {
                    let cells = said_of(self.system, &self.live, &self.domain, &key.0, &key.1);
                    at = Some(self.add(key.0.clone(), key.1.clone(), &cells, &state));
                }
                Some(at) => {
                    if !self.weaken(at, &state) {
                        return Err(Stop::Solver("a state in which nothing fails".into()));
                    }
                    changed = true;
                }
            }
        }
        if let (Some(at), true) = (at, changed) {
            self.enqueue(at);
        }
        Ok(())
    }

    fn enqueue(&mut self, node: usize) {
        if !self.work.contains(&node) {
            self.work.push_back(node);
        }
    }

    /// A new node, where such a state is seen.
    fn add(&mut self, at: Vector, elem: Element, cells: &[CellId], state: &CellValues) -> usize {
        let id = self.nodes.len();
        let mut shapes = self.shapes(cells, state);
        let given = self.given.get(&(at.clone(), elem.clone())).into_iter().flatten().copied();
        shapes.extend(given.filter(|term| self.holds(*term, state)));
        shapes.sort_unstable();
        shapes.dedup();
        let hulls = self.hulls(cells, state);
        self.known.insert((at.clone(), elem.clone()), id);
        self.nodes.push(HoudiniNode { at, elem, shapes, hulls, candidates: Vec::new() });
        self.gather(id);
        self.work.push_back(id);
        id
    }

    /// One for each width.
    fn hulls(&self, cells: &[CellId], state: &CellValues) -> Vec<Hull> {
        let mut by_width: BTreeMap<u8, Vec<CellId>> = BTreeMap::new();
        for cell in cells {
            let var = self.system.cell(*cell).var;
            if let Sort::Bits(width @ 2..) = self.system.pool.sort(var) {
                by_width.entry(width).or_default().push(*cell);
            }
        }
        let value = |cell: CellId| state[cell.index()];
        let few = by_width.into_iter().filter(|(_, cells)| cells.len() <= MAX_HULL);
        few.map(|(width, cells)| Hull::new(width, cells, &value)).collect()
    }

    /// The candidates of a node.
    fn gather(&mut self, at: usize) {
        let node = &mut self.nodes[at];
        node.candidates = node.shapes.clone();
        for hull in &node.hulls {
            node.candidates.extend(hull.terms(self.system));
        }
    }

    fn shapes(&mut self, cells: &[CellId], state: &CellValues) -> Vec<Term> {
        let mut shapes = Shapes {
            system: self.system,
            precision: &self.shaped,
            conditions: self.conditions,
            cells,
        };
        let value = |cell: CellId| state[cell.index()];
        let all = self.level.tiers().into_iter().flat_map(|tier| shapes.of(tier, &value));
        let mut all: Vec<Term> = all.map(|shape| shape.term).collect();
        all.retain(|t| !self.system.pool.is_true(*t));
        all
    }

    /// Drops what does not hold in a state of a node; is there something?
    fn weaken(&mut self, at: usize, state: &CellValues) -> bool {
        let mut shapes = std::mem::take(&mut self.nodes[at].shapes);
        let before = shapes.len();
        shapes.retain(|shape| self.holds(*shape, state));
        let mut dropped = shapes.len() < before;
        let node = &mut self.nodes[at];
        node.shapes = shapes;
        for hull in &mut node.hulls {
            dropped |= hull.join(&|cell| state[cell.index()]);
        }
        self.gather(at);
        dropped
    }

    fn holds(&self, term: Term, state: &CellValues) -> bool {
        let system = &*self.system;
        let mut values = FxHashMap::default();
        for var in vars(&system.pool, term) {
            if let (Op::Var(v), Some(cell)) = (system.pool.op(var), system.by_var.get(&var)) {
                values.insert(v, state[cell.index()]);
            }
        }
        Evaluator::new(&system.pool, |v| values.get(&v).copied().unwrap_or(0)).holds(term)
    }

    fn proof(&mut self, needed: &[FxHashSet<Term>]) -> Proof {
        let mut by_vector: FxHashMap<Vector, Vec<Vec<Term>>> = FxHashMap::default();
        for (node, needed) in self.nodes.iter().zip(needed) {
            let mut terms = self.domain.formula(self.system, &node.elem);
            terms.extend(needed);
            by_vector.entry(node.at.clone()).or_default().push(terms);
        }
        Proof { invariant: by_vector.into_iter().collect() }
    }

    /// The candidates of each node that a proof needs: from errors and steps that cannot be done back to
    /// what they follow from.
    fn needed(&mut self) -> Result<Vec<FxHashSet<Term>>, Stop> {
        let mut needed = vec![FxHashSet::default(); self.nodes.len()];
        let mut into: Vec<Vec<(usize, ActionId)>> = vec![Vec::new(); self.nodes.len()];
        let mut work: Vec<(usize, Term)> = Vec::new();
        for from in 0..self.nodes.len() {
            for (action, to) in self.edges(from)? {
                match to {
                    Some(to) => into[to].push((from, action)),
                    None => {
                        let no = self.system.pool.bool(false);
                        self.need(from, action, no, &mut needed, &mut work)?;
                    }
                }
            }
        }
        while let Some((at, term)) = work.pop() {
            for (from, action) in into[at].clone() {
                self.need(from, action, term, &mut needed, &mut work)?;
            }
        }
        Ok(needed)
    }

    /// Where actions lead from a node; nowhere: to an error, or they cannot be done.
    fn edges(&mut self, from: usize) -> Result<Vec<(ActionId, Option<usize>)>, Stop> {
        let (at, elem) = (self.nodes[from].at.clone(), self.nodes[from].elem.clone());
        let mut edges = Vec::new();
        for thread in self.system.thread_ids() {
            for action in self.system.location(thread, at[thread.index()]).actions.clone() {
                let Some(next) = self.domain.post(self.system, &elem, action)? else { continue };
                let to = moved(self.system, &at, action);
                edges.push((action, to.and_then(|to| self.known.get(&(to, next)).copied())));
            }
        }
        Ok(edges)
    }

    /// The candidates of a node from which a term follows behind an action.
    fn need(
        &mut self,
        from: usize,
        action: ActionId,
        term: Term,
        needed: &mut [FxHashSet<Term>],
        work: &mut Vec<(usize, Term)>,
    ) -> Result<(), Stop> {
        let mut step = self.step(from, action);
        let pool = &mut self.system.pool;
        let after = step.after.apply(pool, term);
        let after = normal(pool, after);
        let candidates = &step.facts[..self.nodes[from].candidates.len()];
        let core = match candidates.iter().position(|c| *c == after) {
            _ if pool.is_true(after) => return Ok(()),
            Some(same) => vec![same],
            None => {
                let facts = [step.guard, pool.not(after)];
                let core = self.domain.asker.core(&self.system.pool, &facts, candidates)?;
                core.ok_or_else(|| Stop::Solver("an invariant has a gap".into()))?
            }
        };
        for i in core {
            let candidate = self.nodes[from].candidates[i];
            if needed[from].insert(candidate) {
                work.push((from, candidate));
            }
        }
        Ok(())
    }
}
