//! Events to nodes, guards to literals, and back.
//!
//! The theory speaks of numbers: theory variable `i` stands for the Boolean term `term(i)`. The
//! bridge gives each rf candidate a fresh variable, each distinct guard of a write and each
//! condition of a wait a number, builds the theory's layout, and states the rest as facts: an rf
//! implies both guards and equal values, an enabled read has exactly one rf.
//!
//! Variables that are born in the second stage (which of two writes comes first) have no term: they
//! belong to the theory alone, a backend makes a fresh variable for each. One variable per pair is
//! enough and needs no clause: true is one order of the two nodes, false the other, and in a
//! sequentially consistent execution any two nodes are ordered, enabled or not.
//!
//! Whatever the theory says to a backend passes here, so here the slow reference implementation
//! listens, if it was asked to (`check_itself`).

use crate::literals::Literals;
use crate::reference::{BrokenPromise, Reference, TheoryNames};
use crate::weak;
use encoder::{Encoding, EventId, EventKind, Guarantee, MemoryModel, NodeId, Pool, Sort, Term};
use relational::ModelChecker;
use rustc_hash::FxHashMap;
use theory::{Cell, Chain, Lit, Node, Read, ScheduleSearch, Theory, Write};

/// Above this many candidates of one read, "at most one" is left to the theory.
const PAIRWISE: usize = 40;
/// Steps of the search for a schedule, per node.
const BUDGET: usize = 200;

/// What the theory says to a complete assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Final {
    /// An execution: accept the model.
    Consistent,
    /// Not all of these literals can be true (the negations are a clause).
    Conflict(Vec<Lit>),
    /// The same, several times, and for ever: another memory model forbids the execution.
    Conflicts(Vec<Vec<Lit>>),
    /// The theory has this many new variables, numbered on from those it had; they must be decided.
    More(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Literals that the theory watches.
    pub literals: u64,
    /// Complete assignments looked at.
    pub models: u64,
    /// ... of which were weakly consistent.
    pub weak: u64,
    /// ... of which had no schedule at once.
    pub second_stage: u64,
    /// Pairs of writes that the second stage has ordered.
    pub ordered_pairs: u64,
    /// Clauses and models that were held against the slow reference implementation.
    pub self_checked: u64,
}

#[derive(Debug, Default)]
pub struct Bridge {
    /// Backends assign and backtrack here; what they are told comes through the bridge.
    pub theory: Theory,
    reference: Option<Box<Reference>>,
    refuted: Option<Vec<Vec<Lit>>>,
    model: MemoryModel,
    weak: Option<Box<Judge>>,
    terms: Vec<Option<Term>>,
    rf: Vec<Lit>,
    nodes: Vec<NodeId>, // by theory node
    schedule: Vec<NodeId>,
    stats: Stats,
}

/// Another memory model, and what it is asked about.
#[derive(Debug)]
struct Judge {
    checker: ModelChecker,
    /// By event of the universe.
    origin: Vec<Option<EventId>>,
    /// The last complete assignment.
    assigned: Vec<bool>,
}

/// An execution as another memory model sees it.
pub struct GuessedExecution<'a> {
    pub model: &'a cat::Model,
    pub graph: cat::Graph,
    /// The encoding's events, by event of the graph; fences and hand-overs have none.
    pub origin: Vec<Option<EventId>>,
}

impl Bridge {
    /// The bridge, and the facts that a backend must assert besides the encoding's own.
    pub fn new(encoding: &mut Encoding, model: MemoryModel) -> (Bridge, Vec<Term>) {
        let mut theory = Theory::default();
        let mut literals = Literals::default();
        let order = add_nodes(&mut theory, encoding);
        let accesses = add_accesses(&mut theory, encoding, &order.place, &mut literals);
        for &(from, to) in &encoding.edges {
            theory.add_edge(order.place[from.index()], order.place[to.index()]);
        }
        for &(condition, from, to) in &encoding.waits {
            let lit = literals.lit(&encoding.pool, condition);
            theory.add_before(lit, order.place[from.index()], order.place[to.index()]);
        }
        let mut facts = Vec::new();
        let rf = add_rf(&mut theory, encoding, &accesses, &mut literals, &mut facts);
        let literal_count = literals.terms.len() as u64;
        let bridge = Bridge {
            theory,
            reference: None,
            refuted: None,
            model,
            weak: None,
            terms: literals.terms,
            rf,
            nodes: order.nodes,
            schedule: Vec::new(),
            stats: Stats { literals: literal_count, ..Stats::default() },
        };
        (bridge, facts)
    }

    /// The bridge of another memory model, which judges complete assignments, with a theory of what it
    /// orders earlier.
    /// Goals for what is asked are added.
    pub fn weak(
        encoding: &mut Encoding,
        model: &weak::Model,
        question: weak::WeakQuestion,
    ) -> Result<(Bridge, Vec<Term>), String> {
        let mut literals = Literals::default();
        let weak::Built { checker, theory, rf, facts, origin } =
            weak::build(encoding, &mut literals, model, question)?;
        let stats = Stats { literals: literals.terms.len() as u64, ..Stats::default() };
        let weak = Some(Box::new(Judge { checker, origin, assigned: Vec::new() }));
        let model = MemoryModel::Cat;
        let terms = literals.terms;
        Ok((Bridge { theory, model, weak, terms, rf, stats, ..Bridge::default() }, facts))
    }

    /// Does another memory model judge?
    pub(crate) fn is_weak(&self) -> bool {
        self.weak.is_some()
    }

    /// Under another memory model: what is wrong with these literals, all that there are.
    pub(crate) fn judge(&mut self, lits: &[Lit]) -> Vec<Vec<Lit>> {
        let Some(judge) = &mut self.weak else { return Vec::new() };
        judge.assigned = vec![false; self.terms.len()];
        lits.iter().for_each(|lit| judge.assigned[lit.var() as usize] = !lit.is_negative());
        let assigned = &judge.assigned;
        judge.checker.conflicts(&|lit| assigned[lit.var() as usize] != lit.is_negative())
    }

    /// Under another memory model: the execution of the last model.
    pub fn execution(&self) -> Option<GuessedExecution<'_>> {
        let Judge { checker, origin, assigned } = self.weak.as_deref()?;
        let holds = |lit: Lit| assigned[lit.var() as usize] != lit.is_negative();
        let (graph, events) = checker.execution(&holds);
        let origin = events.iter().map(|&e| origin[e]).collect();
        Some(GuessedExecution { model: checker.model(), graph, origin })
    }

    /// From now on, every clause and every model is held against the slow reference implementation.
    /// Needs: the encoding that the bridge was made of, its events and candidates as they were.
    pub fn check_itself(&mut self, encoding: &Encoding) {
        let names = TheoryNames { nodes: &self.nodes, terms: &self.terms, rf: &self.rf };
        self.reference = Some(Box::new(Reference::new(encoding, &names)));
    }

    pub fn checks_itself(&self) -> bool {
        self.reference.is_some()
    }

    /// From now on, conflicts and explanations are kept.
    pub fn keep_refuted(&mut self) {
        self.refuted = Some(Vec::new());
    }

    pub(crate) fn keeps_refuted(&self) -> bool {
        self.refuted.is_some()
    }

    /// What the backend was told since then: sets of literals that cannot all be true. Literals that
    /// hold in every execution are left out.
    pub fn refuted(&self) -> &[Vec<Lit>] {
        self.refuted.as_deref().unwrap_or_default()
    }

    /// How many theory variables there are now.
    pub fn variables(&self) -> u32 {
        self.terms.len() as u32
    }

    /// The term of a theory variable; `None` for those of the second stage.
    pub fn term(&self, var: u32) -> Option<Term> {
        self.terms[var as usize]
    }

    /// The literals of `Encoding::rf`, in its order.
    pub fn rf(&self) -> &[Lit] {
        &self.rf
    }

    /// Closes the order. Gives a conflict: not all of these literals can be true.
    pub fn propagate(&mut self) -> Result<Option<Vec<Lit>>, BrokenPromise> {
        let Err(conflict) = self.theory.propagate() else { return Ok(None) };
        if let Some(reference) = &mut self.reference {
            reference.refutes(&self.theory.fixed(), &conflict.lits)?;
        }
        if let Some(refuted) = &mut self.refuted {
            refuted.push(conflict.lits.clone());
        }
        Ok(Some(conflict.lits))
    }

    /// The next literal that follows and that the host has not assigned.
    pub fn next_implied(&mut self) -> Option<Lit> {
        loop {
            let lit = self.theory.next_implied()?;
            if self.theory.value(lit) != Some(true) {
                return Some(lit);
            }
        }
    }

    /// The premises of an implied literal.
    pub fn explain(&mut self, lit: Lit) -> Result<Vec<Lit>, BrokenPromise> {
        let premises = self.theory.explain(lit).ok_or_else(|| format!("{lit:?} has no reason"))?;
        if let Some(reference) = &mut self.reference {
            let refuted: Vec<Lit> = premises.iter().copied().chain([!lit]).collect();
            reference.refutes(&self.theory.fixed(), &refuted)?;
        }
        if let Some(refuted) = &mut self.refuted {
            refuted.push(premises.iter().copied().chain([!lit]).collect());
        }
        Ok(premises)
    }

    /// Judges a complete assignment: all theory variables are assigned.
    pub(crate) fn final_check(&mut self) -> Result<Final, BrokenPromise> {
        self.stats.models += 1;
        if let Some(conflict) = self.propagate()? {
            return Ok(Final::Conflict(conflict));
        }
        self.stats.weak += 1;
        if self.is_weak() {
            let lits = self.theory.assigned().to_vec();
            let conflicts = self.judge(&lits);
            return Ok(match conflicts.is_empty() {
                true => Final::Consistent,
                false => Final::Conflicts(conflicts),
            });
        }
        if !self.model.guarantees(Guarantee::Linearization) {
            self.schedule.clear();
            return self.accept(None);
        }
        if let ScheduleSearch::Found(nodes) =
            self.theory.linearize(BUDGET * self.nodes.len() + 10_000)
        {
            self.schedule = nodes.iter().map(|n| self.nodes[n.index()]).collect();
            return self.accept(Some(&nodes));
        }
        self.stats.second_stage += 1;
        Ok(Final::More(self.order_writes()))
    }

    fn accept(&mut self, line: Option<&[Node]>) -> Result<Final, BrokenPromise> {
        if let Some(reference) = &mut self.reference {
            reference.accepts(self.theory.assigned(), line)?;
        }
        Ok(Final::Consistent)
    }

    /// New variables for the pairs of writes that are open.
    fn order_writes(&mut self) -> u32 {
        let open = self.theory.unordered_writes();
        let before = self.variables();
        for &(a, b) in &open {
            let lit = Lit::positive(self.variables());
            let (a, b) = (self.theory.node_of(a), self.theory.node_of(b));
            for (lit, from, to) in [(lit, a, b), (!lit, b, a)] {
                self.theory.add_before(lit, from, to);
                if let Some(reference) = &mut self.reference {
                    reference.add_before(lit, from, to);
                }
            }
            self.terms.push(None);
        }
        self.stats.ordered_pairs += open.len() as u64;
        self.variables() - before
    }

    /// After `Final::Consistent` under sequential consistency: all nodes in an order of execution.
    /// Empty under the weak model.
    pub fn schedule(&self) -> &[NodeId] {
        &self.schedule
    }

    pub fn stats(&self) -> Stats {
        let self_checked = self.reference.as_ref().map_or(0, |reference| reference.checked());
        Stats { self_checked, ..self.stats }
    }
}

/// Where nodes are.
struct NodeMap {
    place: Vec<Node>,   // by the encoding's node
    nodes: Vec<NodeId>, // by the theory's node
}

fn add_nodes(theory: &mut Theory, encoding: &Encoding) -> NodeMap {
    let mut place = vec![Node(u32::MAX); encoding.nodes.len()];
    let mut nodes = Vec::new();
    for thread in &encoding.threads {
        let chain: Chain = theory.add_chain();
        for &node in &thread.nodes {
            place[node.index()] = theory.add_node(chain);
            nodes.push(node);
        }
    }
    NodeMap { place, nodes }
}

/// The theory's name of an event.
#[derive(Clone, Copy)]
enum TheoryEvent {
    Read(Read),
    Write(Write),
}

fn add_accesses(
    theory: &mut Theory,
    encoding: &Encoding,
    place: &[Node],
    literals: &mut Literals,
) -> Vec<TheoryEvent> {
    let mut accesses = Vec::with_capacity(encoding.events.len());
    for event in &encoding.events {
        let (node, cell) = (place[event.node.index()], Cell(event.cell.0));
        accesses.push(match event.kind {
            EventKind::Read => TheoryEvent::Read(theory.add_read(node, cell)),
            EventKind::Write => {
                let certain = encoding.pool.is_true(event.guard);
                let guard = (!certain).then(|| literals.lit(&encoding.pool, event.guard));
                TheoryEvent::Write(theory.add_write(node, cell, guard))
            }
        });
    }
    accesses
}

fn add_rf(
    theory: &mut Theory,
    encoding: &mut Encoding,
    accesses: &[TheoryEvent],
    literals: &mut Literals,
    facts: &mut Vec<Term>,
) -> Vec<Lit> {
    let mut candidates: FxHashMap<EventId, Vec<Term>> = FxHashMap::default();
    let mut lits = Vec::with_capacity(encoding.rf.len());
    for i in 0..encoding.rf.len() {
        let (write, read) = encoding.rf[i];
        let pool = &mut encoding.pool;
        let chosen = pool.fresh(Sort::Bool);
        let lit = literals.lit(pool, chosen);
        lits.push(lit);
        if let (TheoryEvent::Write(w), TheoryEvent::Read(r)) =
            (accesses[write.index()], accesses[read.index()])
        {
            theory.add_rf(lit, w, r);
        }
        let (w, r) = (&encoding.events[write.index()], &encoding.events[read.index()]);
        let same = pool.eq(w.value, r.value);
        for implied in [w.guard, r.guard, same] {
            facts.push(pool.implies_term(chosen, implied));
        }
        candidates.entry(read).or_default().push(chosen);
    }
    for (i, event) in encoding.events.iter().enumerate() {
        if event.kind == EventKind::Read {
            let pool = &mut encoding.pool;
            let list = candidates.remove(&EventId::new(i)).unwrap_or_default();
            let some = pool.or_all(list.iter().copied());
            facts.push(pool.implies_term(event.guard, some));
            at_most_one(pool, &list, facts);
        }
    }
    lits
}

fn at_most_one(pool: &mut Pool, list: &[Term], facts: &mut Vec<Term>) {
    if list.len() > PAIRWISE {
        return;
    }
    for (i, &a) in list.iter().enumerate() {
        for &b in &list[i + 1..] {
            let both = pool.and(a, b);
            facts.push(pool.not(both));
        }
    }
}
