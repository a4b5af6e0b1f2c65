//! Encodings under models other than sequential consistency: events for `relational`, and facts.
//!
//! Accesses and fences become the events of the model's target (`target.rs`). The start of a thread and its
//! end are a release and an acquire of a hidden location, so every model orders them by its own rules. A
//! read-modify-write is two events. Atomic blocks with several locations are in one order (`blocks.rs`).
//!
//! Guessed are who reads from whom (exactly one source for every executed read, with equal values) and
//! for every two writes of a location their order. What follows from the model in every execution is not
//! guessed: initial writes come first, and if the model is coherent (`cat::Model::is_coherent`), a thread's
//! own writes of a location are in order. What the model orders early goes to `theory`
//! (`relational::order`), which propagates; the model judges the rest.
//!
//! - `blocks.rs`: atomic blocks with several locations
//! - `guesses.rs`: reads-from and coherence as literals, with what coherence says about them at once
//! - `robust.rs`: executions that are no interleavings, as a goal
//! - `target.rs`: the compilation tables

mod blocks;
mod guesses;
mod robust;
pub mod target;

use crate::literals::Literals;
use encoder::order::StaticOrder;
use encoder::{Encoding, EventId, EventKind, Fault, Goal, GoalKind, NodeId, NodeKind, Sort, Term};
use ir::Kernel;
use relational::{EventOwner, KnownEdge, ModelChecker, Universe};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use target::{Compiled, SourceAccess, Target};
use theory::{Lit, Theory};

/// Pairs that may race, at most.
const MAX_RACES: usize = 20_000;
/// Events that are still worth a try.
const MAX_EVENTS: usize = 5_000;

/// A memory model for C programs.
#[derive(Clone, Debug)]
pub struct Model {
    /// As users name it.
    pub name: String,
    pub cat: Arc<cat::Model>,
    pub target: Target,
}

/// A machine with store buffers that has the same executions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Buffers {
    /// One for each thread: stores become visible in the order of the program.
    Queue,
    /// One for each thread and location.
    PerLocation,
}

/// What keeps reads from justifying each other in a circle, so that every value is computed from constants and inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grounding {
    /// Program order and reads-from have no cycle.
    ProgramOrder,
    /// Reads-from has none with what leads from a read to a later write of its thread: a dependency of the write's
    /// value, its address, a branch before it or the address of an access before it; or that the read acquires, or
    /// that the write releases.
    Dependencies,
    /// Nothing that is known.
    Unknown,
}

impl Model {
    /// What values are grounded in, if it is one of ours.
    pub fn grounding(&self) -> Grounding {
        let ours = self.cat.is_builtin(&self.name);
        match self.name.as_str() {
            "sc" | "tso" | "pso" | "rc11" if ours => Grounding::ProgramOrder,
            "imm" | "armv8" | "power" | "riscv" if ours => Grounding::Dependencies,
            _ => Grounding::Unknown,
        }
    }

    /// The machine that it describes, if it is one of ours, for its own target.
    pub fn buffers(&self) -> Option<Buffers> {
        let buffers = match self.name.as_str() {
            "tso" => Buffers::Queue,
            "pso" => Buffers::PerLocation,
            _ => return None,
        };
        let ours = self.cat.is_builtin(&self.name);
        (ours && self.target == Target::X86).then_some(buffers)
    }

    /// Is it the repaired C11, as we have it?
    pub fn is_rc11(&self) -> bool {
        self.name == "rc11" && self.target == Target::C11 && self.cat.is_builtin("rc11")
    }

    /// Is it one of ours in which no reads justify each other in a circle?
    pub fn forbids_thin_air(&self) -> bool {
        self.grounding() != Grounding::Unknown
    }

    /// Is it one of ours, for its own target, that is coherent (c11 where it matters: if one thread alone
    /// writes a location, its last write is the only visible one) and orders what hand-overs order?
    pub fn settles(&self) -> bool {
        settles(&self.name, self.target) && self.cat.is_builtin(&self.name)
    }

    /// Does it speak about dependencies?
    pub fn has_dependencies(&self) -> bool {
        ["addr", "data", "ctrl", "casdep"].iter().any(|name| self.cat.mentions(name))
    }
}

/// The same of a model that is known to be ours, by its name.
pub fn settles(name: &str, target: Target) -> bool {
    const SETTLE: [&str; 8] = ["tso", "pso", "rc11", "c11", "imm", "armv8", "power", "riscv"];
    SETTLE.contains(&name) && Target::of_model(name) == Some(target)
}

/// What comes out.
pub(crate) struct Built {
    pub checker: ModelChecker,
    /// What the model orders before a guess is complete.
    pub theory: Theory,
    /// By `Encoding::rf`.
    pub rf: Vec<Lit>,
    pub facts: Vec<Term>,
    /// By event of the universe.
    pub origin: Vec<Option<EventId>>,
}

/// Too large, in words.
pub(crate) type TooLargeText = String;

/// What is asked besides the goals that the encoding has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WeakQuestion {
    Nothing,
    /// Pairs of accesses that raise a flag of the model.
    Races,
    /// An execution that is no interleaving.
    Robust,
}

pub(crate) fn build(
    encoding: &mut Encoding,
    literals: &mut Literals,
    model: &Model,
    question: WeakQuestion,
) -> Result<Built, TooLargeText> {
    let mut builder = Builder::new(encoding, literals, model);
    builder.threads();
    if builder.universe.events.len() > MAX_EVENTS {
        return Err(format!("more than {MAX_EVENTS} events"));
    }
    builder.dependencies();
    let rf = builder.guess();
    match question {
        WeakQuestion::Nothing => {}
        WeakQuestion::Races => builder.races(),
        WeakQuestion::Robust => builder.cycle(),
    }
    let Builder { universe, origin, facts, encoding, literals, guards, .. } = builder;
    let mut terms = UniverseTerms { encoding, literals, guards: &guards };
    let theory = relational::order::theory(&model.cat, &universe, &mut terms);
    let checker = ModelChecker::new(model.cat.clone(), universe);
    Ok(Built { checker, theory, rf, facts, origin })
}

/// Literals of the universe as terms.
struct UniverseTerms<'a> {
    encoding: &'a mut Encoding,
    literals: &'a mut Literals,
    /// By event of the universe.
    guards: &'a [Term],
}

impl UniverseTerms<'_> {
    fn term(&mut self, lit: Lit) -> Term {
        let pool = &mut self.encoding.pool;
        let term = self.literals.terms[lit.var() as usize];
        let term = term.unwrap_or_else(|| unreachable!("all literals here have terms"));
        if lit.is_negative() { pool.not(term) } else { term }
    }
}

impl relational::order::Host for UniverseTerms<'_> {
    fn both(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (self.term(a), self.term(b));
        let both = self.encoding.pool.and(a, b);
        self.literals.lit(&self.encoding.pool, both)
    }

    fn implies(&self, a: usize, b: usize) -> bool {
        self.encoding.pool.implies(self.guards[a], self.guards[b])
    }
}

struct Builder<'a> {
    encoding: &'a mut Encoding,
    literals: &'a mut Literals,
    model: &'a Model,
    coherent: bool,
    universe: Universe,
    /// Where each event of the encoding is in the universe.
    place: Vec<usize>,
    origin: Vec<Option<EventId>>,
    /// The guard of each event of the universe.
    guards: Vec<Term>,
    facts: Vec<Term>,
    by_node: FxHashMap<NodeId, Vec<EventId>>,
    initial: FxHashSet<EventId>,
    /// The cells that say whether an object is alive.
    lives: FxHashSet<encoder::CellId>,
    /// Atomic blocks that lock, and the read and the write of the lock for each.
    blocks: FxHashSet<NodeId>,
    locked: Vec<blocks::Locked>,
    /// Reads with a branch right behind them.
    branched: Vec<usize>,
    accesses: u32,
    /// Of the kernel's: what the next access is.
    mark: Option<Kernel>,
    /// Open critical sections of RCU.
    sections: Vec<(EventOwner, usize)>,
}

impl<'a> Builder<'a> {
    fn new(encoding: &'a mut Encoding, literals: &'a mut Literals, model: &'a Model) -> Self {
        let mut by_node: FxHashMap<NodeId, Vec<EventId>> = FxHashMap::default();
        for (i, event) in encoding.events.iter().enumerate() {
            by_node.entry(event.node).or_default().push(EventId::new(i));
        }
        Builder {
            place: vec![usize::MAX; encoding.events.len()],
            coherent: model.cat.is_coherent(),
            initial: encoding.weak.initial.iter().copied().collect(),
            lives: encoding.weak.lives.iter().copied().collect(),
            blocks: blocks::entangled(encoding, &by_node),
            encoding,
            literals,
            model,
            universe: Universe::default(),
            origin: Vec::new(),
            guards: Vec::new(),
            facts: Vec::new(),
            by_node,
            locked: Vec::new(),
            branched: Vec::new(),
            accesses: 0,
            mark: None,
            sections: Vec::new(),
        }
    }

    fn lit(&mut self, term: Term) -> Option<Lit> {
        let pool = &self.encoding.pool;
        (!pool.is_true(term)).then(|| self.literals.lit(pool, term))
    }

    fn fresh(&mut self) -> Term {
        self.encoding.pool.fresh(Sort::Bool)
    }

    /// A location that no program names: the start and the end of each thread, and the lock of blocks.
    fn hidden(&self, number: usize) -> u32 {
        (self.encoding.cells.len() + number) as u32
    }

    /// A new event behind all others of its thread.
    fn push(
        &mut self,
        place: EventOwner,
        guard: Term,
        location: Option<u32>,
        sets: Vec<&'static str>,
    ) -> usize {
        self.accesses += 1;
        let (lit, access) = (self.lit(guard), self.accesses);
        self.guards.push(guard);
        self.origin.push(None);
        let event = self.universe.events.len();
        if let (Some(location), true) = (location, sets.contains(&"W")) {
            self.universe.coherence.add_write(location, event);
        }
        let new = relational::RelationalEvent { guard: lit, place, location, sets, access };
        self.universe.events.push(new);
        event
    }

    /// An access with the fences around it.
    fn compiled(&mut self, place: EventOwner, guard: Term, location: u32, what: Compiled) -> usize {
        for sets in what.before {
            self.push(place, guard, None, sets.to_vec());
        }
        let event = self.push(place, guard, Some(location), what.sets);
        if what.branch {
            self.branched.push(event);
        }
        for sets in what.after {
            self.push(place, guard, None, sets.to_vec());
        }
        event
    }

    /// All events, thread by thread.
    fn threads(&mut self) {
        for event in self.encoding.weak.initial.clone() {
            self.initial_write(event);
        }
        let mut starts: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
        for (t, thread) in self.encoding.threads.iter().enumerate() {
            if let Some(node) = thread.spawned_at {
                starts.entry(node).or_default().push(t);
            }
        }
        let joins = self.joins();
        let mut ends: Vec<(usize, usize)> = Vec::new();
        let mut hands: FxHashMap<u32, usize> = FxHashMap::default();
        for t in 0..self.encoding.threads.len() {
            let place = EventOwner::Thread(t as u32);
            (self.mark, self.sections) = (None, Vec::new());
            let (first, guard) = (self.universe.events.len(), self.encoding.threads[t].guard);
            if self.encoding.threads[t].spawned_at.is_some() {
                let read = target::handover(self.model.target, false);
                let read = self.compiled(place, guard, self.hidden(2 * t), read);
                ends.push((2 * t, read));
            }
            self.fences(t, None);
            for node in self.encoding.threads[t].nodes.clone() {
                for &(other, condition) in joins.get(&node).into_iter().flatten() {
                    let read = target::handover(self.model.target, false);
                    let read = self.compiled(place, condition, self.hidden(2 * other + 1), read);
                    ends.push((2 * other + 1, read));
                }
                self.node(place, node);
                for &other in starts.get(&node).into_iter().flatten() {
                    let guard = self.encoding.threads[other].guard;
                    let write = target::handover(self.model.target, true);
                    let write = self.compiled(place, guard, self.hidden(2 * other), write);
                    hands.insert(2 * other as u32, write);
                }
                if self.encoding.nodes[node.index()].kind == NodeKind::End {
                    let ended = self.encoding.threads[t].ended;
                    let write = target::handover(self.model.target, true);
                    let write = self.compiled(place, ended, self.hidden(2 * t + 1), write);
                    hands.insert(2 * t as u32 + 1, write);
                }
                self.fences(t, Some(node));
            }
            self.branches(first);
        }
        for (number, read) in ends {
            if let Some(&write) = hands.get(&(number as u32)) {
                let lit = self.universe.events[read].guard;
                self.universe.rf.push((write, read, lit));
            }
        }
    }

    /// By node, the threads that it waits for, and when.
    fn joins(&self) -> FxHashMap<NodeId, Vec<(usize, Term)>> {
        let mut joins: FxHashMap<NodeId, Vec<(usize, Term)>> = FxHashMap::default();
        let is = |node: NodeId, kind| self.encoding.nodes[node.index()].kind == kind;
        let edges = self.encoding.edges.iter().map(|&(from, to)| {
            let guard = self.encoding.nodes[to.index()].guard;
            (guard, from, to)
        });
        for (condition, from, to) in edges.chain(self.encoding.waits.iter().copied()) {
            if is(from, NodeKind::End) && is(to, NodeKind::Join) {
                let thread = self.encoding.nodes[from.index()].thread.index();
                joins.entry(to).or_default().push((thread, condition));
            }
        }
        joins
    }

    fn initial_write(&mut self, id: EventId) {
        let event = &self.encoding.events[id.index()];
        let (guard, cell) = (event.guard, event.cell);
        let plain = |e: &encoder::Event| e.cell != cell || e.order == ir::MemoryOrder::Plain;
        let mut sets = vec!["M", "W", "IW", "NA"];
        if self.encoding.events.iter().all(plain) {
            sets.push("NAL");
        }
        let place = self.push(EventOwner::Initial, guard, Some(cell.0), sets);
        self.place[id.index()] = place;
        self.origin[place] = Some(id);
    }

    fn fences(&mut self, t: usize, after: Option<NodeId>) {
        for i in 0..self.encoding.fences.len() {
            let fence = &self.encoding.fences[i];
            if fence.thread.index() != t || fence.after != after {
                continue;
            }
            let (guard, place) = (fence.guard, EventOwner::Thread(t as u32));
            match (fence.kernel, self.model.target) {
                (Some(kernel), Target::Linux) => self.kernel_fence(place, guard, kernel),
                (_, target) => {
                    if let Some(sets) = target::fence(target, fence.order) {
                        self.push(place, guard, None, sets.to_vec());
                    }
                }
            }
        }
    }

    /// A fence of the kernel's, or a mark of what follows. Critical sections of RCU end where the last one
    /// that is open does.
    fn kernel_fence(&mut self, place: EventOwner, guard: Term, kernel: Kernel) {
        let Some(set) = kernel.set() else {
            self.mark = Some(kernel);
            return;
        };
        let event = self.push(place, guard, None, vec!["F", set]);
        match kernel {
            Kernel::RcuLock => self.sections.push((place, event)),
            Kernel::RcuUnlock => {
                let last = self.sections.pop().filter(|(opened, _)| *opened == place);
                let Some((_, from)) = last else { return };
                let edge = KnownEdge { relation: "rcu-rscs", from, to: event, when: None };
                self.universe.edges.push(edge);
            }
            _ => {}
        }
    }

    /// An access as a mark before it has it.
    fn marked(&self, write: bool, what: &mut Compiled) {
        let sets: &[&str] = match (self.mark, write) {
            (Some(Kernel::NoReturn), false) => &["NORETURN"],
            (Some(Kernel::Lock), false) => &["LKR", "ACQUIRE"],
            (Some(Kernel::Lock), true) => &["LKW"],
            (Some(Kernel::Unlock), true) => &["UL", "RELEASE"],
            _ => return,
        };
        // A lock is no read-modify-write for the kernel's model.
        let lock = self.mark == Some(Kernel::Lock);
        what.sets.retain(|set| *set != "ONCE" && (*set != "RMW" || !lock));
        what.sets.extend(sets);
    }

    fn node(&mut self, place: EventOwner, node: NodeId) {
        let initial = |e: &EventId| self.initial.contains(e);
        let all = self.by_node.get(&node).cloned().unwrap_or_default();
        let events: Vec<EventId> = all.into_iter().filter(|e| !initial(e)).collect();
        let lock = self.blocks.contains(&node).then(|| self.lock(place, node, &events));
        let indivisible = self.encoding.nodes[node.index()].kind != NodeKind::Access;
        for &id in &events {
            self.event(place, id, &events, indivisible);
        }
        if !events.is_empty() {
            self.mark = None;
        }
        for &r in events.iter().filter(|_| indivisible) {
            for &w in &events {
                let (read, write) =
                    (&self.encoding.events[r.index()], &self.encoding.events[w.index()]);
                let life = self.lives.contains(&read.cell);
                let same = read.cell == write.cell && !life;
                if read.kind == EventKind::Read && write.kind == EventKind::Write && same {
                    self.read_modify_write(self.place[r.index()], self.place[w.index()]);
                }
            }
        }
        if let Some((read, guard)) = lock {
            self.unlock(place, node, read, guard);
        }
    }

    fn event(&mut self, place: EventOwner, id: EventId, of_node: &[EventId], indivisible: bool) {
        let event = &self.encoding.events[id.index()];
        let (guard, cell, order) = (event.guard, event.cell, event.order);
        let write = event.kind == EventKind::Write;
        let other = of_node.iter().map(|e| &self.encoding.events[e.index()]);
        let mut other = other.filter(|e| e.cell == cell && (e.kind == EventKind::Write) != write);
        let indivisible = indivisible && !self.lives.contains(&cell);
        let rmw = other.next().filter(|_| indivisible).map(|e| e.order);
        // An instruction with a lock is a fence also where its write never comes.
        let locked = self.model.target == Target::X86
            && self.encoding.weak.updates.binary_search(&id).is_ok();
        let rmw = rmw.or(locked.then_some(order));
        let mut what = target::access(self.model.target, SourceAccess { write, order, rmw });
        self.marked(write, &mut what);
        let at = self.compiled(place, guard, cell.0, what);
        self.place[id.index()] = at;
        self.origin[at] = Some(id);
    }

    fn read_modify_write(&mut self, from: usize, to: usize) {
        let relation = target::rmw_relation(self.model.target);
        self.universe.edges.push(KnownEdge { relation, from, to, when: None });
    }

    /// Branches of the compiled code: from what they look at to all that follows in the thread.
    fn branches(&mut self, first: usize) {
        let end = self.universe.events.len();
        for from in std::mem::take(&mut self.branched) {
            debug_assert!(from >= first);
            let edges =
                (from + 1..end).map(|to| KnownEdge { relation: "ctrl", from, to, when: None });
            self.universe.edges.extend(edges);
        }
    }

    fn dependencies(&mut self) {
        use encoder::DependencyKind::{Address, Arm, Control, Data};
        // In the kernel's C an `if` controls what is inside of its arms.
        let control = if self.model.target == Target::Linux { Arm } else { Control };
        for dependency in self.encoding.weak.dependencies.clone() {
            let (from, to) =
                (self.place[dependency.from.index()], self.place[dependency.to.index()]);
            if from == usize::MAX || to == usize::MAX || from >= to {
                continue;
            }
            let relation = match dependency.kind {
                Address => "addr",
                Data => "data",
                kind if kind == control => "ctrl",
                Control | Arm => continue,
            };
            let (guard, when) = (self.guards[to], dependency.when);
            let sure = self.encoding.pool.implies(guard, when);
            let when = if sure { None } else { self.lit(when) };
            self.universe.edges.push(KnownEdge { relation, from, to, when });
        }
    }

    /// A goal for every two accesses that may race.
    fn races(&mut self) {
        let order = StaticOrder::new(self.encoding);
        let mut pairs = Vec::new();
        for (i, x) in self.encoding.events.iter().enumerate() {
            for (j, y) in self.encoding.events.iter().enumerate().skip(i + 1) {
                let conflict = x.cell == y.cell
                    && (x.kind == EventKind::Write || y.kind == EventKind::Write)
                    && (x.order == ir::MemoryOrder::Plain || y.order == ir::MemoryOrder::Plain);
                if !conflict {
                    continue;
                }
                let (a, b) = (self.place[i], self.place[j]);
                let threads = self.encoding.nodes[x.node.index()].thread
                    != self.encoding.nodes[y.node.index()].thread;
                let initial = [i, j].iter().any(|&e| self.initial.contains(&EventId::new(e)));
                let ordered = order.before(x.node, y.node) || order.before(y.node, x.node);
                let known = self.encoding.weak.places[x.cell.index()].is_some()
                    || self.lives.contains(&x.cell);
                if threads && !initial && !ordered && known && pairs.len() < MAX_RACES {
                    pairs.push((a, b, i, j));
                }
            }
        }
        for (a, b, i, j) in pairs {
            let selected = self.fresh();
            let pool = &mut self.encoding.pool;
            for guard in [self.guards[a], self.guards[b]] {
                self.facts.push(pool.implies_term(selected, guard));
            }
            let lit = self.literals.lit(&self.encoding.pool, selected);
            self.universe.flagged.push((a, b, lit));
            let life = self.lives.contains(&self.encoding.events[i].cell);
            let goal = match life {
                true => end_goal(self.encoding, i, j, selected),
                false => race_goal(self.encoding, i, j, selected),
            };
            self.encoding.goals.push(goal);
        }
    }
}

fn race_goal(encoding: &Encoding, first: usize, second: usize, guard: Term) -> Goal {
    let [x, y] = [first, second].map(|i| &encoding.events[i]);
    let name = &encoding.cells[x.cell.index()].name;
    let node = &encoding.nodes[y.node.index()];
    let what =
        format!("data race on `{name}` between line {} and line {}", x.span.line, y.span.line);
    let kind = GoalKind::Error(Fault::Race, what);
    Goal { kind, guard, thread: node.thread, at: node.at, node: None, span: y.span }
}

/// One of the two ends the object's life, or both do.
fn end_goal(encoding: &Encoding, first: usize, second: usize, guard: Term) -> Goal {
    let [x, y] = [first, second].map(|i| &encoding.events[i]);
    let (end, other) = if x.kind == EventKind::Write { (x, y) } else { (y, x) };
    let name = encoding.cells[x.cell.index()].name.replace(" (alive)", "");
    let node = &encoding.nodes[other.node.index()];
    let [end, at] = [end, other].map(|event| event.span.line);
    let what =
        format!("the use of `{name}` at line {at} and its end at line {end} are not ordered");
    let kind = GoalKind::Error(Fault::Unordered, what);
    Goal { kind, guard, thread: node.thread, at: node.at, node: None, span: other.span }
}
