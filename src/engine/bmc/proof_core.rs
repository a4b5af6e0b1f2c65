//! What a proof leans on: the orders between threads that it cannot do without.
//!
//! The theory's conflicts are sets of choices (who reads from whom) that no execution makes together.
//! Each is a clause. Together with the facts about values they leave no violation; which of them are
//! needed is asked of a solver without any theory, that gets the clauses as assumptions: those that
//! did not fail are dropped, then each one that is left is tried to be done without.
//!
//! So what comes out is enough for the proof, and nothing in it is superfluous unless the time was
//! over. It is one such set of perhaps many. Conflicts are then put into words, and those that read
//! the same (copies of a loop's body, threads of one function) are counted.
//!
//! All of this is for people who look at a picture; a check without one does none of it.

use super::Config;
use crate::contract::{Engine, ForbiddenOrder, OrderedBy, ProofCore, Query};
use encoder::{
    Encoding, EventId, EventKind, GoalKind, NodeKind, Pool, Sort, Term, conflict, prune,
};
use ir::names::decode;
use ir::{FileId, Program, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::cadical::Cadical;
use solver::{Backend, Bridge, Method, Outcome, SolverError};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// For finding a small set.
const TIME_LIMIT: Duration = Duration::from_secs(2);
/// For each proof.
const TRY: Duration = Duration::from_millis(1500);
/// Conflicts beyond this many are not for people.
const MOST: usize = 20_000;

/// A proof for people, of a program that is known to be safe: first without what makes proofs quick
/// and hides their reasons (pruning; a theory that leaves out what holds anyway), then with it.
/// `None` if that takes too long.
pub fn find(query: Query<'_>) -> Option<ProofCore> {
    let plain = Config {
        method: Method::Basic,
        conflicts: Some(conflict::Which::none()),
        prune: prune::Options::none(),
        symmetry: super::Symmetry::Off,
        intervals: super::Intervals::Off,
        proof_core: true,
        ..Config::default()
    };
    let quick = Config { method: Method::Prop, ..plain.clone() };
    let pruned = Config { prune: prune::Options::default(), ..quick.clone() };
    [plain, quick, pruned].into_iter().find_map(|config| {
        let limits = query.limits.shortened(TRY);
        super::Bmc(config).check(Query { limits: &limits, ..query }).proof_core
    })
}

/// Needs: an encoding whose errors are not reachable, by these facts and what the bridge has refuted.
pub fn of(
    program: &Program,
    encoding: &mut Encoding,
    facts: &[Term],
    bridge: &Bridge,
    deadline: Option<Instant>,
) -> Option<ProofCore> {
    let refuted = bridge.refuted();
    if refuted.len() > MOST {
        return None;
    }
    let time_limit = Instant::now() + TIME_LIMIT;
    let deadline = deadline.map_or(time_limit, |d| d.min(time_limit));
    let mut fresh: FxHashMap<u32, Term> = FxHashMap::default();
    let mut clauses = Vec::new();
    for conflict in refuted {
        clauses.push(clause(&mut encoding.pool, bridge, &mut fresh, conflict));
    }
    let errors = encoding.goals.iter().filter(|g| matches!(g.kind, GoalKind::Error(..)));
    let errors: Vec<Term> = errors.map(|g| g.guard).collect();
    let goal = encoding.pool.or_all(errors);
    let needed = core(&encoding.pool, facts, goal, &clauses, deadline).ok()??;
    let words = EventNames::new(program, encoding);
    let rf: FxHashMap<u32, usize> =
        bridge.rf().iter().enumerate().map(|(i, lit)| (lit.var(), i)).collect();
    let told = needed.into_iter().map(|i| {
        let chosen = refuted[i].iter().filter(|lit| !lit.is_negative());
        let pairs = chosen.filter_map(|lit| Some(encoding.rf[*rf.get(&lit.var())?]));
        words.conflict(&pairs.collect::<Vec<_>>())
    });
    Some(ProofCore { orders: counted(told) })
}

/// Not all of these literals, as a term.
fn clause(
    pool: &mut Pool,
    bridge: &Bridge,
    fresh: &mut FxHashMap<u32, Term>,
    conflict: &[theory::Lit],
) -> Term {
    let mut together = pool.bool(true);
    for lit in conflict {
        let var = lit.var();
        let term = bridge
            .term(var)
            .unwrap_or_else(|| *fresh.entry(var).or_insert_with(|| pool.fresh(Sort::Bool)));
        let term = if lit.is_negative() { pool.not(term) } else { term };
        together = pool.and(together, term);
    }
    pool.not(together)
}

/// Which of the clauses are needed to exclude `goal`; `None` if they do not do it, or if there is no
/// time to see.
fn core(
    pool: &Pool,
    facts: &[Term],
    goal: Term,
    clauses: &[Term],
    deadline: Instant,
) -> Result<Option<Vec<usize>>, SolverError> {
    let mut solver = Cadical::new(pool, Bridge::default(), Method::Basic)?;
    facts.iter().try_for_each(|&fact| solver.assert(pool, fact))?;
    let mut ask = |kept: &[usize]| -> Result<Option<Vec<usize>>, SolverError> {
        let terms: Vec<Term> = kept.iter().map(|&i| clauses[i]).chain([goal]).collect();
        if solver.solve(pool, &terms, Some(deadline))? != Outcome::Unsat {
            return Ok(None);
        }
        let mut failed = Vec::new();
        for &i in kept {
            if solver.failed(pool, clauses[i])? {
                failed.push(i);
            }
        }
        Ok(Some(failed))
    };
    let Some(mut kept) = ask(&(0..clauses.len()).collect::<Vec<_>>())? else { return Ok(None) };
    let mut tried = 0;
    while tried < kept.len() && Instant::now() < deadline {
        let mut fewer = kept.clone();
        fewer.remove(tried);
        match ask(&fewer)? {
            Some(core) => kept = core,
            None => tried += 1,
        }
    }
    Ok(Some(kept))
}

/// The same words once, with how often, the most frequent first.
fn counted(told: impl Iterator<Item = (OrderedBy, Vec<String>)>) -> Vec<ForbiddenOrder> {
    let mut counts: BTreeMap<(OrderedBy, Vec<String>), usize> = BTreeMap::new();
    for told in told {
        *counts.entry(told).or_default() += 1;
    }
    let rows = counts.into_iter();
    let mut rows: Vec<ForbiddenOrder> =
        rows.map(|((by, never), times)| ForbiddenOrder { never, by, times }).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.times));
    rows
}

/// What stands there several times is said once.
fn once(never: Vec<String>) -> Vec<String> {
    let mut said: Vec<(String, usize)> = Vec::new();
    for words in never {
        match said.iter_mut().find(|(known, _)| *known == words) {
            Some((_, times)) => *times += 1,
            None => said.push((words, 1)),
        }
    }
    let tell = |(words, times)| match times {
        1 => words,
        2 => format!("{words}, twice"),
        n => format!("{words}, {n} times"),
    };
    said.into_iter().map(tell).collect()
}

/// Events for people.
struct EventNames<'a> {
    program: &'a Program,
    encoding: &'a Encoding,
    models: FxHashSet<FileId>,
}

impl EventNames<'_> {
    fn new<'a>(program: &'a Program, encoding: &'a Encoding) -> EventNames<'a> {
        let files = (0..program.files.len() as u32).map(FileId);
        let is_model =
            |file: &FileId| program.is_in_model(Span { file: *file, line: 1, column: 1 });
        EventNames { program, encoding, models: files.filter(is_model).collect() }
    }

    /// These reads from writes never happen together. Synchronisation comes first.
    fn conflict(&self, pairs: &[(EventId, EventId)]) -> (OrderedBy, Vec<String>) {
        let (sync, data): (Vec<_>, Vec<_>) = pairs.iter().partition(|(_, r)| self.is_sync(*r));
        let by = match (sync.first(), &data[..]) {
            (Some((_, read)), _) => OrderedBy::Sync(self.name(*read)),
            (None, [(w, one), (v, two)]) if w == v && self.updates(*one) && self.updates(*two) => {
                OrderedBy::Step
            }
            (None, _) => OrderedBy::Threads,
        };
        let mut never: Vec<String> = sync.into_iter().map(|(w, r)| self.taken(w, r)).collect();
        never.extend(data.into_iter().map(|(w, r)| self.read(w, r)));
        (by, once(never))
    }

    fn event(&self, e: EventId) -> &encoder::Event {
        &self.encoding.events[e.index()]
    }

    fn node(&self, e: EventId) -> &encoder::Node {
        &self.encoding.nodes[self.event(e).node.index()]
    }

    /// Done by a function of the library.
    fn is_sync(&self, e: EventId) -> bool {
        self.models.contains(&self.event(e).span.file)
    }

    /// The variable without what is inside of a lock: `m` of `m.__data.__lock`.
    fn name(&self, e: EventId) -> String {
        let name = decode(&self.encoding.cells[self.event(e).cell.index()].name).into_owned();
        match name.split_once(".__") {
            Some((lock, _)) if self.is_sync(e) => lock.to_owned(),
            _ => name,
        }
    }

    /// Does the step of this read write the same cell?
    fn updates(&self, read: EventId) -> bool {
        let (node, cell) = (self.event(read).node, self.event(read).cell);
        let same = |e: &&encoder::Event| e.node == node && e.cell == cell;
        self.encoding.events.iter().filter(same).any(|e| e.kind == EventKind::Write)
    }

    fn is_first(&self, write: EventId) -> bool {
        matches!(self.node(write).kind, NodeKind::Init | NodeKind::Lifetime)
    }

    fn function(&self, e: EventId) -> String {
        let thread = &self.encoding.threads[self.node(e).thread.index()];
        decode(&self.program.functions[thread.function.index()].name).into_owned()
    }

    fn taken(&self, write: EventId, read: EventId) -> String {
        let (who, lock) = (self.function(read), self.name(read));
        let (who, from) = (format!("{who}{}", self.region(read)), self.function(write));
        if !self.updates(read) {
            return format!("{who} sees {lock} as {from} has left it");
        }
        let same_thread = self.node(write).thread == self.node(read).thread;
        match () {
            _ if self.is_first(write) => format!("{who} is the first to take {lock}"),
            _ if same_thread => format!("{who} takes {lock} again"),
            _ if from == self.function(read) => format!("{who} takes {lock} after another {from}"),
            _ => format!("{who} takes {lock} after {from}"),
        }
    }

    /// The user's lines between this step and the next one that touches the same cell.
    fn region(&self, read: EventId) -> String {
        let (node, cell) = (self.event(read).node, self.event(read).cell);
        let nodes = &self.encoding.threads[self.node(read).thread.index()].nodes;
        let touches = |n: &encoder::NodeId| {
            self.encoding.events.iter().any(|e| e.node == *n && e.cell == cell)
        };
        let after = nodes.iter().skip_while(|n| **n != node).skip(1).take_while(|n| !touches(n));
        let spans = after.map(|n| self.encoding.nodes[n.index()].span);
        let lines = spans.filter(|s| s.line > 0 && !self.models.contains(&s.file)).map(|s| s.line);
        let lines: Vec<u32> = lines.collect();
        match (lines.iter().min(), lines.iter().max()) {
            (Some(from), Some(to)) if from < to => format!(" (lines {from} to {to})"),
            (Some(line), _) => format!(" (line {line})"),
            _ => String::new(),
        }
    }

    fn read(&self, write: EventId, read: EventId) -> String {
        let (name, line) = (self.name(read), self.event(read).span.line);
        let from = self.event(write).span.line;
        let apart = self.node(write).thread != self.node(read).thread;
        match () {
            _ if self.is_first(write) => format!("line {line} reads the initial {name}"),
            _ if apart && self.function(write) == self.function(read) => {
                format!("line {line} reads {name} from line {from} of another thread")
            }
            _ => format!("line {line} reads {name} from line {from}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::prepared;
    use super::*;
    use crate::contract::{Limits, Property, Settings};

    fn proof_core(text: &str) -> Option<ProofCore> {
        let program = prepared(text);
        let (settings, limits) = (Settings::default(), Limits::default());
        let property = Property::UnreachCall;
        find(Query { program: &program, property, settings: &settings, limits: &limits })
    }

    #[test]
    fn message_passing_leans_on_one_order() {
        let text = "int data, flag;
            void *sender(void *p) { data = 1;
                flag = 1; return 0; }
            int main(void) { pthread_t t; pthread_create(&t, 0, sender, 0);
                int seen = flag;
                if (seen && data != 1) reach_error(); }";
        let orders = proof_core(text).expect("a proof").orders;
        let [order] = &orders[..] else { panic!("{orders:?}") };
        let line = |of: &str| of.rsplit(' ').next().and_then(|n| n.parse::<u32>().ok());
        assert_eq!((&order.by, order.times, order.never.len()), (&OrderedBy::Threads, 1, 2));
        let mut never = order.never.clone();
        never.sort();
        let data = never.iter().find(|words| words.ends_with("reads the initial data"));
        let flag = never.iter().find(|words| words.contains("reads flag from line"));
        assert!(data.is_some() && flag.and_then(|words| line(words)).is_some(), "{never:?}");
    }

    #[test]
    fn indivisible_steps_are_named() {
        let text = "int x;
            void *f(void *p) { __VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end();
                return 0; }
            int main(void) { pthread_t t, u;
                pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);
                pthread_join(t, 0); pthread_join(u, 0);
                if (x != 2) reach_error(); }";
        let orders = proof_core(text).expect("a proof").orders;
        let step = orders.iter().find(|order| order.by == OrderedBy::Step).expect("a step");
        assert!(step.never[0].ends_with("reads the initial x, twice"), "{orders:?}");
    }

    #[test]
    fn values_alone_lean_on_nothing() {
        let text = "int x;
            void *f(void *p) { x = 1; return 0; }
            int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (x > 1) reach_error(); }";
        assert_eq!(proof_core(text), Some(ProofCore::default()));
    }

    #[test]
    fn there_is_no_evidence_of_what_is_not_so() {
        let text = "int x;
            void *f(void *p) { x = 1; return 0; }
            int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); if (x) reach_error(); }";
        assert_eq!(proof_core(text), None);
    }
}
