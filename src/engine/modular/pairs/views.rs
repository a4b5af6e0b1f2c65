//! Any number of threads with few states: all that two of them can be in at the same time.
//!
//! A *view* is what all cells hold, and where one or two threads are with what their registers hold, as
//! numbers. The views of all states of all executions are covered by the smallest set that has the first
//! state and is closed under steps: a thread of a view makes its step, and the other one sees it; or a
//! third thread does, that is in views with each of the two. So tickets that differ from thread to
//! thread, and other relations between two threads that no candidate about one of them says, are seen.
//! It ends if cells and registers have few values, whatever the number of threads; otherwise nothing is
//! said. (Abdulla, Haziza, Holík: All for the price of few, VMCAI 2013.)
//!
//! Why that is right: claim of every state of every execution that each of its views is in the set. The
//! first state has one thread. Take a step of a thread `a`. A new view of `a` and another thread `b`
//! comes from the step in the view of the two; one of `a` and a thread that it starts, too. One of two
//! others `b` and `c`, of which only the cells are new, comes from three threads whose views, two by two,
//! are in the set by the claim, and each such three are looked at. New threads are together with all
//! that their starter was together with. Steps are those of `step.rs`, so what is trusted there is
//! trusted here. Where a step depends on an input, a solver lists all that can come of it. Ghosts that
//! count threads and cells that are never read have no part in what steps do, and are left out. A cell or
//! register with too many values is *forgotten*, and the search begins anew: it may hold anything whenever
//! a step looks at it, which are only more executions.
//!
//! Cost: a question for each pair of views with a common thread; views are limited.

use super::fixpoint::at_first;
use super::point::{Point, PointId, Points};
use super::step::{Edge, Started, System};
use crate::contract::Limits;
use crate::engine::modular::log::{Log, Touch};
use crate::engine::modular::relation::ghost::Ghost;
use crate::engine::modular::relation::guards::{Cell, Guards, Of};
use crate::engine::modular::value::{Region, TemplateId};
use encoder::eval::Evaluator;
use encoder::{Op, Pool, Term, Var};
use ir::types::Scalar;
use ir::{Program, Reg};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::cadical::Cadical;
use solver::{Backend, Bridge, Method, Outcome};
use std::cell::Cell as Flag;
use std::collections::{BTreeMap, BTreeSet};

const MAX_PAIRS: usize = 60_000;
const MAX_GLOBALS: usize = 4_000;
/// Outcomes of one step of one thread.
const MAX_OUTCOMES: usize = 12;
/// Cells and registers that are forgotten; fewer values than this are few.
const MAX_FORGOTTEN: usize = 6;
const FEW_VALUES: usize = 8;

type Values = Vec<u64>;
/// Numbers of what was seen.
type GlobalId = u32;
type ThreadId = u32;

#[derive(Clone, PartialEq, Eq, Hash)]
struct ViewThread {
    at: PointId,
    /// Registers in their order, then own cells.
    values: Values,
}

/// What has a value in a view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum ViewItem {
    Cell(usize),
    Reg(TemplateId, Reg),
}

/// What a step leads to.
#[derive(Clone)]
struct Outcome1 {
    global: GlobalId,
    /// The thread that made it, unless it has ended, and those that it has started.
    threads: Vec<ThreadId>,
}

pub struct PairViews<'a> {
    pub pool: &'a mut Pool,
    pub points: &'a Points,
    pub system: &'a System,
    pub guards: &'a Guards,
    pub log: &'a Log,
    pub program: &'a Program,
    pub limits: &'a Limits,
}

/// What becomes of cells and registers with too many values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wide {
    GiveUp,
    Forget,
}

/// No view has an error, or nothing is known.
pub fn exclude_errors(views: PairViews<'_>, wide: Wide) -> bool {
    let mut search = ViewSearch::new(views);
    loop {
        let proven = search.run().is_some();
        let (one, two) = (search.singles.len(), search.pairs.len());
        let none = search.globals.all.len();
        log::info!("views: {one} of one thread, {two} of two, {none} of none");
        if proven || wide == Wide::GiveUp || !search.forget() {
            return proven;
        }
    }
}

struct ViewSearch<'a> {
    of: PairViews<'a>,
    variables: FxHashMap<Var, Term>,
    globals: Numbered<Values>,
    threads: Numbered<ViewThread>,
    singles: FxHashSet<(GlobalId, ThreadId)>,
    pairs: FxHashSet<(GlobalId, ThreadId, ThreadId)>,
    partners: FxHashMap<(GlobalId, ThreadId), BTreeSet<ThreadId>>,
    outcomes: FxHashMap<(GlobalId, ThreadId), Vec<Outcome1>>,
    new_singles: Vec<(GlobalId, ThreadId)>,
    new_pairs: Vec<(GlobalId, ThreadId, ThreadId)>,
    forgotten: BTreeSet<ViewItem>,
    /// Has too many values.
    culprit: Option<ViewItem>,
}

struct Numbered<T> {
    all: Vec<T>,
    ids: FxHashMap<T, u32>,
}

impl<T: Clone + Eq + std::hash::Hash> Numbered<T> {
    fn new() -> Numbered<T> {
        Numbered { all: Vec::new(), ids: FxHashMap::default() }
    }

    fn id(&mut self, value: T) -> u32 {
        if let Some(id) = self.ids.get(&value) {
            return *id;
        }
        let id = self.all.len() as u32;
        self.all.push(value.clone());
        self.ids.insert(value, id);
        id
    }

    fn get(&self, id: u32) -> &T {
        &self.all[id as usize]
    }
}

/// A number of threads, which no step depends on.
fn counts(cell: &Cell) -> bool {
    matches!(
        cell.of,
        Of::Ghost(Ghost::Flag(_) | Ghost::Sum(_) | Ghost::Passes(_) | Ghost::Total(_))
    )
}

impl<'a> ViewSearch<'a> {
    fn new(of: PairViews<'a>) -> ViewSearch<'a> {
        let mut variables = FxHashMap::default();
        for term in of.pool.terms() {
            if let Op::Var(var) = of.pool.op(term) {
                variables.insert(var, term);
            }
        }
        ViewSearch {
            of,
            variables,
            globals: Numbered::new(),
            threads: Numbered::new(),
            singles: FxHashSet::default(),
            pairs: FxHashSet::default(),
            partners: FxHashMap::default(),
            outcomes: FxHashMap::default(),
            new_singles: Vec::new(),
            new_pairs: Vec::new(),
            forgotten: BTreeSet::new(),
            culprit: None,
        }
    }

    /// Begins anew without what has too many values, if that is why the search has ended.
    fn forget(&mut self) -> bool {
        let Some(culprit) = self.culprit.take() else { return false };
        let new = self.forgotten.insert(culprit);
        if !new || self.forgotten.len() > MAX_FORGOTTEN || self.of.limits.exceeded() {
            return false;
        }
        log::info!("views: {culprit:?} is forgotten");
        self.globals = Numbered::new();
        self.threads = Numbered::new();
        self.singles.clear();
        self.pairs.clear();
        self.partners.clear();
        self.outcomes.clear();
        self.new_singles.clear();
        self.new_pairs.clear();
        true
    }

    /// Of all that was seen, what has the most values.
    fn widest(&self) -> Option<ViewItem> {
        let mut values: BTreeMap<ViewItem, FxHashSet<u64>> = BTreeMap::new();
        for global in &self.globals.all {
            for (i, value) in global.iter().enumerate() {
                values.entry(ViewItem::Cell(i)).or_default().insert(*value);
            }
        }
        let shared = self.of.points.cells.len();
        for ViewThread { at, values: all } in &self.threads.all {
            let point = self.of.points.get(*at);
            let regs = point.mine.keys().map(|reg| ViewItem::Reg(point.template, *reg));
            for (item, value) in regs.chain((shared..).map(ViewItem::Cell)).zip(all) {
                values.entry(item).or_default().insert(*value);
            }
        }
        let most = values.into_iter().max_by_key(|(_, values)| values.len());
        most.filter(|(_, values)| values.len() > FEW_VALUES).map(|(item, _)| item)
    }

    /// Numbers that are not forgotten. Other registers may hold anything whenever they are looked at.
    fn is_followed(&self, template: TemplateId, reg: Reg, ty: Scalar) -> bool {
        matches!(ty, Scalar::Int { .. }) && !self.forgotten.contains(&ViewItem::Reg(template, reg))
    }

    /// `None`: an error, too many views, or no time.
    fn run(&mut self) -> Option<()> {
        self.begin()?;
        loop {
            if self.of.limits.exceeded() {
                return None;
            }
            if self.pairs.len() > MAX_PAIRS || self.globals.all.len() > MAX_GLOBALS {
                self.culprit = self.widest();
                return None;
            }
            if let Some((global, thread)) = self.new_singles.pop() {
                self.single(global, thread)?;
            } else if let Some((global, x, y)) = self.new_pairs.pop() {
                self.pair(global, x, y)?;
            } else {
                return Some(());
            }
        }
    }

    fn begin(&mut self) -> Option<()> {
        let start = self.of.points.start(TemplateId::MAIN)?;
        let point = self.of.points.get(start);
        if point.regs.iter().any(|(reg, ty)| self.is_followed(TemplateId::MAIN, *reg, *ty)) {
            return None;
        }
        let regs = point.mine.len();
        let shared = self.of.points.cells.len();
        let mut values = Values::new();
        for (i, cell) in self.of.guards.cells.iter().enumerate() {
            let first = at_first(self.of.program, cell);
            values.push(if self.is_kept(i, TemplateId::MAIN) { first? } else { 0 });
        }
        let own = [vec![0; regs], values.split_off(shared)].concat();
        let global = self.globals.id(values);
        let thread = self.threads.id(ViewThread { at: start, values: own });
        self.add_single(global, thread);
        Some(())
    }

    /// Does what a thread of the template does depend on the cell?
    fn is_kept(&self, index: usize, template: TemplateId) -> bool {
        let cell = &self.of.guards.cells[index];
        let foreign = matches!(cell.region(), Some(Region::Slot(of, _)) if of != template);
        let read = |t: &Touch| !t.write && cell.meets(t);
        let is_read = cell.is_ghost() || self.of.log.sites.values().flatten().any(read);
        let shared = index < self.of.points.cells.len();
        let forgotten = self.forgotten.contains(&ViewItem::Cell(index));
        !counts(cell) && is_read && (shared || !foreign) && !forgotten
    }

    fn add_single(&mut self, global: GlobalId, thread: ThreadId) {
        if self.singles.insert((global, thread)) {
            self.new_singles.push((global, thread));
        }
    }

    fn add_pair(&mut self, global: GlobalId, x: ThreadId, y: ThreadId) {
        let (at, other) = (self.threads.get(x).at, self.threads.get(y).at);
        if self.of.points.exclude(at, other) || !self.pairs.insert((global, x.min(y), x.max(y))) {
            return;
        }
        self.partners.entry((global, x)).or_default().insert(y);
        self.partners.entry((global, y)).or_default().insert(x);
        self.new_pairs.push((global, x, y));
    }

    fn single(&mut self, global: GlobalId, thread: ThreadId) -> Option<()> {
        if self.errs(global, thread)? {
            return None;
        }
        for outcome in self.outcomes(global, thread)? {
            for (i, x) in outcome.threads.iter().enumerate() {
                self.add_single(outcome.global, *x);
                for y in &outcome.threads[i + 1..] {
                    self.add_pair(outcome.global, *x, *y);
                }
            }
        }
        Some(())
    }

    fn pair(&mut self, global: GlobalId, x: ThreadId, y: ThreadId) -> Option<()> {
        for (moves, stays) in [(x, y), (y, x)] {
            for outcome in self.outcomes(global, moves)? {
                self.add_single(outcome.global, stays);
                for new in &outcome.threads {
                    self.add_pair(outcome.global, *new, stays);
                }
            }
        }
        let of = |search: &ViewSearch<'_>, thread| {
            search.partners.get(&(global, thread)).cloned().unwrap_or_default()
        };
        let (with_x, with_y) = (of(self, x), of(self, y));
        for z in with_x.intersection(&with_y) {
            for (moves, b, c) in [(x, y, *z), (y, x, *z), (*z, x, y)] {
                for outcome in self.outcomes(global, moves)? {
                    self.add_pair(outcome.global, b, c);
                }
            }
        }
        Some(())
    }

    fn var(&self, term: Term) -> Option<Var> {
        match self.of.pool.op(term) {
            Op::Var(var) => Some(var),
            _ => None,
        }
    }

    /// Numbers for the variables of cells and of a thread.
    fn known(&self, global: GlobalId, thread: ThreadId) -> FxHashMap<Var, u64> {
        let ViewThread { at, values } = self.threads.get(thread);
        let point = self.of.points.get(*at);
        let shared = self.of.points.cells.len();
        let cells = self.of.points.cells.iter().zip(self.globals.get(global));
        let own = point.mine.values().chain(&point.my_cells[shared..]).zip(values);
        let follows = |(reg, ty): &&(Reg, Scalar)| self.is_followed(point.template, *reg, *ty);
        let forgotten = point.regs.iter().filter(|of| !follows(of));
        let mut forgotten: Vec<Term> = forgotten.map(|(reg, _)| point.mine[reg]).collect();
        forgotten.extend(self.forgotten.iter().filter_map(|item| match item {
            ViewItem::Cell(index) => Some(point.my_cells[*index]),
            ViewItem::Reg(..) => None,
        }));
        let all = cells.chain(own).filter(|(term, _)| !forgotten.contains(term));
        all.filter_map(|(term, value)| Some((self.var(*term)?, *value))).collect()
    }

    fn errs(&mut self, global: GlobalId, thread: ThreadId) -> Option<bool> {
        let known = self.known(global, thread);
        let at = self.threads.get(thread).at;
        let system = self.of.system;
        for (_, guard, _) in system.errors.iter().filter(|(from, ..)| *from == at) {
            if !self.solutions(&known, *guard, &[]).ok()?.is_empty() {
                return Some(true);
            }
        }
        Some(false)
    }

    fn outcomes(&mut self, global: GlobalId, thread: ThreadId) -> Option<Vec<Outcome1>> {
        if let Some(known) = self.outcomes.get(&(global, thread)) {
            return Some(known.clone());
        }
        let known = self.known(global, thread);
        let at = self.threads.get(thread).at;
        let system = self.of.system;
        let mut found = Vec::new();
        for edge in system.edges.iter().filter(|edge| edge.from == at) {
            let results = self.results(edge);
            match self.solutions(&known, edge.guard, &results) {
                Ok(all) => found.extend(all.iter().map(|values| self.outcome(edge, values))),
                Err(wide) => {
                    self.culprit = wide.map(|at| self.items(edge)[at]);
                    return None;
                }
            }
        }
        self.outcomes.insert((global, thread), found.clone());
        Some(found)
    }

    /// The terms of an edge that tell what it leads to.
    fn results(&mut self, edge: &Edge) -> Vec<Term> {
        let shared = self.of.points.cells.len();
        let template = |at: PointId| self.of.points.get(at).template;
        let from = template(edge.from);
        let mut terms: Vec<(usize, Term, TemplateId)> = Vec::new();
        let global = edge.cells[..shared].iter().enumerate();
        terms.extend(global.map(|(i, term)| (i, *term, from)));
        let mut all: Vec<Term> = terms.into_iter().map(|(i, t, of)| self.kept(i, t, of)).collect();
        if let Some(to) = edge.to {
            all.extend(self.numbers(to, &edge.regs));
            let own = edge.cells[shared..].iter().enumerate();
            let own: Vec<(usize, Term)> = own.map(|(i, term)| (shared + i, *term)).collect();
            let to = self.of.points.get(to).template;
            all.extend(own.into_iter().map(|(i, t)| self.kept(i, t, to)).collect::<Vec<_>>());
        }
        for Started { at, regs, own } in &edge.started {
            all.extend(self.numbers(*at, regs));
            let of = self.of.points.get(*at).template;
            let own: Vec<(usize, Term)> =
                own.iter().enumerate().map(|(i, term)| (shared + i, *term)).collect();
            all.extend(own.into_iter().map(|(i, t)| self.kept(i, t, of)).collect::<Vec<_>>());
        }
        all
    }

    /// What the results of an edge are values of.
    fn items(&self, edge: &Edge) -> Vec<ViewItem> {
        let (shared, all) = (self.of.points.cells.len(), self.of.guards.cells.len());
        let mut items: Vec<ViewItem> = (0..shared).map(ViewItem::Cell).collect();
        let to = edge.to.map(|to| (to, &edge.regs));
        for (at, regs) in to.into_iter().chain(edge.started.iter().map(|new| (new.at, &new.regs))) {
            let template = self.of.points.get(at).template;
            items.extend(regs.keys().map(|reg| ViewItem::Reg(template, *reg)));
            items.extend((shared..all).map(ViewItem::Cell));
        }
        items
    }

    /// Addresses may be any.
    fn numbers(&mut self, at: PointId, regs: &BTreeMap<Reg, Term>) -> Vec<Term> {
        let point = self.of.points.get(at);
        let types: BTreeMap<Reg, Scalar> = point.regs.iter().copied().collect();
        let mut all = Vec::new();
        for (reg, term) in regs {
            let ty = types.get(reg);
            let number = ty.is_some_and(|ty| self.is_followed(point.template, *reg, *ty));
            let none = self.of.pool.bits(0, self.of.pool.width(*term));
            all.push(if number { *term } else { none });
        }
        all
    }

    fn kept(&mut self, index: usize, term: Term, template: TemplateId) -> Term {
        match self.is_kept(index, template) {
            true => term,
            false => self.of.pool.bits(0, self.of.pool.width(term)),
        }
    }

    /// Needs: the values of `results`.
    fn outcome(&mut self, edge: &Edge, values: &[u64]) -> Outcome1 {
        let shared = self.of.points.cells.len();
        let own = self.of.guards.cells.len() - shared;
        let (global, mut rest) = values.split_at(shared);
        let global = self.globals.id(global.to_vec());
        let mut threads = Vec::new();
        let points = self.of.points;
        let regs = |point: &Point| point.mine.len();
        let after = edge.to.into_iter().chain(edge.started.iter().map(|new| new.at));
        for at in after {
            let (values, more) = rest.split_at(regs(points.get(at)) + own);
            threads.push(self.threads.id(ViewThread { at, values: values.to_vec() }));
            rest = more;
        }
        Outcome1 { global, threads }
    }

    /// All values of the terms where the guard holds, or which of them has too many, if one has.
    fn solutions(
        &mut self,
        known: &FxHashMap<Var, u64>,
        guard: Term,
        terms: &[Term],
    ) -> Result<Vec<Values>, Option<usize>> {
        let open = Flag::new(false);
        let look = |var: Var| {
            known.get(&var).copied().unwrap_or_else(|| {
                open.set(true);
                0
            })
        };
        let mut model = Evaluator::new(self.of.pool, look);
        let holds = model.holds(guard);
        let closed = !open.get();
        if closed && !holds {
            return Ok(Vec::new());
        }
        let values: Values = terms.iter().map(|term| model.value(*term)).collect();
        if !open.get() {
            return Ok(vec![values]);
        }
        let all = self.ask(known, guard, terms).ok_or(None)?;
        if all.len() <= MAX_OUTCOMES {
            return Ok(all);
        }
        log::info!("views: a step with too many outcomes");
        let different = |at: &usize| all.iter().map(|v| v[*at]).collect::<FxHashSet<u64>>().len();
        Err((0..terms.len()).max_by_key(different))
    }

    /// The same where inputs matter, or one more than there may be.
    fn ask(
        &mut self,
        known: &FxHashMap<Var, u64>,
        guard: Term,
        terms: &[Term],
    ) -> Option<Vec<Values>> {
        let pool = &mut *self.of.pool;
        let mut backend = Cadical::new(pool, Bridge::default(), Method::Basic).ok()?;
        backend.work_by(self.of.limits.permit.clone());
        backend.assert(pool, guard).ok()?;
        for (var, value) in known {
            let term = *self.variables.get(var)?;
            let bits = pool.bits(*value, pool.width(term));
            let fact = pool.eq(term, bits);
            backend.assert(pool, fact).ok()?;
        }
        let mut found = Vec::new();
        loop {
            match backend.solve(pool, &[], self.of.limits.deadline).ok()? {
                Outcome::Unsat => return Some(found),
                Outcome::Sat if found.len() > MAX_OUTCOMES => return Some(found),
                Outcome::TimeOut => return None,
                Outcome::Sat => {}
            }
            let variables = &self.variables;
            let value = |var: Var| {
                let term = variables.get(&var);
                term.and_then(|term| backend.value(pool, *term).ok()).unwrap_or(0)
            };
            let mut model = Evaluator::new(pool, value);
            let values: Values = terms.iter().map(|term| model.value(*term)).collect();
            drop(model);
            let mut same = pool.bool(true);
            for (term, value) in terms.iter().zip(&values) {
                let bits = pool.bits(*value, pool.width(*term));
                let equal = pool.eq(*term, bits);
                same = pool.and(same, equal);
            }
            let other = pool.not(same);
            found.push(values);
            backend.assert(pool, other).ok()?;
        }
    }
}
