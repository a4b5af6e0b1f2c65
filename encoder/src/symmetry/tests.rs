use super::*;
use crate::prune;
use crate::reads_from::candidates;
use crate::testing::{Builder, goals_reached};
use crate::{CellId, EventKind, Fault, GoalKind, NodeKind, Term};
use obmc_testing::Dice;
use std::collections::BTreeSet;

/// A statement; all cells have two bits.
#[derive(Clone, Copy, Debug)]
enum Do {
    Store(CellId, u64),
    /// What was read last, and so much more.
    StoreSum(CellId, u64),
    Load(CellId),
    Add(CellId, u64),
    Lock(CellId),
    /// Two tries to make 1 of this value; goes on if one succeeds.
    Swap(CellId, u64),
    /// One try, whatever comes of it.
    Try(CellId, u64),
    Assume(u64),
    Goal(u64),
}

/// One thread in the making.
struct ThreadSkeleton {
    id: ThreadId,
    local: Term,
}

impl ThreadSkeleton {
    fn new(b: &mut Builder, id: ThreadId) -> ThreadSkeleton {
        let local = b.pool().bits(0, 2);
        ThreadSkeleton { id, local }
    }

    fn run(&mut self, b: &mut Builder, body: &[Do]) {
        body.iter().for_each(|&s| self.statement(b, s));
    }

    fn local_is(&self, b: &mut Builder, k: u64) -> Term {
        let k = b.pool().bits(k, 2);
        b.pool().eq(self.local, k)
    }

    fn statement(&mut self, b: &mut Builder, statement: Do) {
        let id = self.id;
        match statement {
            Do::Store(cell, k) => {
                b.store(id, cell, k);
            }
            Do::StoreSum(cell, k) => {
                let k = b.pool().bits(k, 2);
                let sum = b.pool().add(self.local, k);
                b.write(id, cell, sum);
            }
            Do::Load(cell) => self.local = b.load(id, cell),
            Do::Add(cell, k) => {
                let k = b.pool().bits(k, 2);
                let (read, _) = b.update(id, cell, |p, v| p.add(v, k));
                self.local = b.encoding.events[read.index()].value;
            }
            Do::Lock(cell) => {
                b.lock(id, cell);
            }
            Do::Swap(cell, k) => {
                let path = b.path(id);
                let first = self.attempt(b, cell, k);
                let seen = self.local;
                let failed = b.pool().not(first);
                b.assume(id, failed);
                let second = self.attempt(b, cell, k);
                let second = b.pool().and(failed, second);
                let either = b.pool().or(first, second);
                // What was not read does not matter.
                self.local = b.pool().ite(first, seen, self.local);
                b.set_path(id, path);
                b.assume(id, either);
            }
            Do::Try(cell, k) => {
                self.attempt(b, cell, k);
            }
            Do::Assume(k) => {
                let condition = self.local_is(b, k);
                b.assume(id, condition);
            }
            Do::Goal(k) => {
                let condition = self.local_is(b, k);
                b.goal(id, condition);
                if let Some(goal) = b.encoding.goals.last_mut() {
                    goal.kind = GoalKind::Error(Fault::Reach, format!("{k}"));
                }
            }
        }
    }

    /// Reads a cell and makes 1 of `k`, in one step. Gives: it was `k`.
    fn attempt(&mut self, b: &mut Builder, cell: CellId, k: u64) -> Term {
        let one = b.pool().bits(1, 2);
        let (read, write) = b.update(self.id, cell, |_, _| one);
        self.local = b.encoding.events[read.index()].value;
        let hit = self.local_is(b, k);
        let guard = b.encoding.events[write.index()].guard;
        b.encoding.events[write.index()].guard = b.pool().and(guard, hit);
        hit
    }
}

/// What happens to the members besides what they do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Joined {
    Not,
    /// The joining thread goes on only if they have ended.
    All,
    FirstOnly,
    /// Only the order.
    Waited,
}

struct Plan {
    threads: usize,
    body: Vec<Do>,
    /// The last member does this instead.
    odd: Option<Vec<Do>>,
    before: Vec<Do>,
    between_starts: Vec<Do>,
    joined: Joined,
    between_joins: Vec<Do>,
    after: Vec<Do>,
}

impl Plan {
    fn new(threads: usize, body: &[Do]) -> Plan {
        Plan {
            threads,
            body: body.to_vec(),
            odd: None,
            before: vec![],
            between_starts: vec![],
            joined: Joined::All,
            between_joins: vec![],
            after: vec![],
        }
    }

    /// Without candidates.
    fn build(&self, mut b: Builder) -> Encoding {
        let mut main = ThreadSkeleton::new(&mut b, ThreadId(0));
        main.run(&mut b, &self.before);
        let mut members = Vec::new();
        for i in 0..self.threads {
            if i > 0 {
                main.run(&mut b, &self.between_starts);
            }
            let id = b.thread();
            members.push(id);
        }
        for (i, &id) in members.iter().enumerate() {
            let last = i + 1 == members.len();
            let body = self.odd.as_ref().filter(|_| last).unwrap_or(&self.body);
            ThreadSkeleton::new(&mut b, id).run(&mut b, body);
            let ended = b.path(id);
            b.encoding.threads[id.index()].ended = ended;
        }
        for (i, &id) in members.iter().enumerate() {
            match self.joined {
                Joined::FirstOnly if i > 0 => {}
                Joined::All | Joined::FirstOnly => b.join(ThreadId(0), id),
                Joined::Waited => b.wait_for(ThreadId(0), id),
                Joined::Not => {}
            }
            if i + 1 < members.len() {
                main.run(&mut b, &self.between_joins);
            }
        }
        main.run(&mut b, &self.after);
        b.encoding
    }
}

/// Two cells that are 0.
fn builder() -> (Builder, CellId, CellId) {
    let mut b = Builder::new();
    let (x, y) = (b.cell("x", 2, 0), b.cell("y", 2, 0));
    (b, x, y)
}

/// The kinds of goals that hold together in executions, of an encoding without candidates.
fn kinds(encoding: &Encoding) -> BTreeSet<Vec<String>> {
    let mut encoding = encoding.clone();
    candidates(&mut encoding);
    names(&encoding)
}

fn names(encoding: &Encoding) -> BTreeSet<Vec<String>> {
    let names = |goals: &Vec<bool>| {
        let held = encoding.goals.iter().zip(goals).filter(|(_, held)| **held);
        let mut names: Vec<String> = held.map(|(g, _)| format!("{:?}", g.kind)).collect();
        names.sort_unstable();
        names
    };
    goals_reached(encoding).iter().map(names).collect()
}

/// How many threads are ordered; what can be reached must not change.
fn ordered(encoding: &Encoding) -> usize {
    let mut less = encoding.clone();
    let stats = order_symmetric_threads(&mut less);
    let wanted = kinds(encoding);
    assert_eq!(wanted, kinds(&less), "{}", crate::print::encoding(&less));
    candidates(&mut less);
    prune::prune(&mut less, &prune::Options::default());
    assert_eq!(wanted, names(&less), "after pruning: {}", crate::print::encoding(&less));
    stats.threads
}

#[test]
fn a_lock_is_taken_in_turn() {
    let (b, x, y) = builder();
    let body = [Do::Lock(x), Do::Load(y), Do::StoreSum(y, 1), Do::Store(x, 0)];
    let plan = Plan { after: vec![Do::Load(y), Do::Goal(2), Do::Goal(1)], ..Plan::new(2, &body) };
    let mut encoding = plan.build(b);
    assert_eq!(ordered(&encoding), 2);
    let edges = encoding.edges.len();
    order_symmetric_threads(&mut encoding);
    let &(from, to) = encoding.edges.last().unwrap();
    assert_eq!((encoding.edges.len(), encoding.facts.len()), (edges + 1, 1));
    assert_eq!(encoding.nodes[from.index()].kind, NodeKind::Atomic);
    assert_eq!(encoding.nodes[from.index()].thread, ThreadId(1));
    assert_eq!(encoding.nodes[to.index()].thread, ThreadId(2));
}

#[test]
fn a_swap_succeeds_in_turn() {
    let (b, x, _) = builder();
    let plan = Plan { after: vec![Do::Load(x), Do::Goal(1)], ..Plan::new(2, &[Do::Swap(x, 0)]) };
    let mut encoding = plan.build(b);
    assert_eq!(ordered(&encoding), 2);
    order_symmetric_threads(&mut encoding);
    assert_eq!(encoding.waits.len(), 4, "two tries each");
    // The second succeeds only if the first does; its two tries see 1, and so does main.
    assert_eq!(encoding.facts.len(), 1 + 2 + 1);
}

#[test]
fn a_swap_of_what_others_write_says_nothing_about_values() {
    let (b, x, _) = builder();
    let body = [Do::Swap(x, 0), Do::Store(x, 0)];
    let plan = Plan { after: vec![Do::Load(x), Do::Goal(1)], ..Plan::new(2, &body) };
    let mut encoding = plan.build(b);
    assert_eq!(ordered(&encoding), 2);
    order_symmetric_threads(&mut encoding);
    assert_eq!((encoding.waits.len(), encoding.facts.len()), (4, 1));
}

#[test]
fn threads_that_only_write_are_alike() {
    let (b, x, y) = builder();
    let body = [Do::Store(x, 1), Do::Store(y, 1)];
    let after = vec![Do::Load(x), Do::Goal(1), Do::Load(y), Do::Goal(0)];
    let plan = Plan { joined: Joined::Not, after, ..Plan::new(3, &body) };
    assert_eq!(ordered(&plan.build(b)), 3);
}

#[test]
fn events_between_starts_leave_the_first_node_as_mark() {
    let (b, x, y) = builder();
    let body = [Do::Load(y), Do::Goal(1), Do::Add(x, 1)];
    let between_starts = vec![Do::Store(y, 1)];
    let plan = Plan { between_starts, after: vec![Do::Load(x)], ..Plan::new(2, &body) };
    let mut encoding = plan.build(b);
    assert_eq!(ordered(&encoding), 2);
    order_symmetric_threads(&mut encoding);
    let &(from, _) = encoding.edges.last().unwrap();
    let event = encoding.events.iter().find(|e| e.node == from).unwrap();
    assert_eq!((event.kind, event.cell), (EventKind::Read, y));
}

#[test]
fn threads_of_two_kinds_are_two_groups() {
    let (mut b, x, _) = builder();
    for k in [1, 2, 1, 2] {
        let t = b.thread();
        b.store(t, x, k);
    }
    let v = b.load(ThreadId(0), x);
    let hit = b.pool().truth(v);
    b.goal(ThreadId(0), hit);
    assert_eq!(ordered(&b.encoding), 4);
    assert_eq!(order_symmetric_threads(&mut b.encoding), SymmetryStats { groups: 2, threads: 4 });
}

/// Makes one member differ.
type Change = fn(&mut Plan, CellId, CellId);

#[test]
fn threads_that_can_be_told_apart_are_left_alone() {
    let body = |x: CellId| vec![Do::Add(x, 1)];
    let cases: [(&str, Change); 6] = [
        ("another constant", |p, x, _| p.odd = Some(vec![Do::Add(x, 2)])),
        ("another cell", |p, _, y| p.odd = Some(vec![Do::Add(y, 1)])),
        ("one is joined", |p, _, _| p.joined = Joined::FirstOnly),
        ("a write between joins", |p, _, y| p.between_joins = vec![Do::Store(y, 1)]),
        ("a goal between joins", |p, x, _| {
            // Adding only if there was nothing: who has ended can be seen.
            p.body = vec![Do::Add(x, 1), Do::Assume(0)];
            p.between_joins = vec![Do::Goal(0)];
        }),
        ("a goal more", |p, x, _| p.odd = Some(vec![Do::Add(x, 1), Do::Goal(0)])),
    ];
    for (what, change) in cases {
        let (b, x, y) = builder();
        let mut plan = Plan { after: vec![Do::Load(x), Do::Goal(2)], ..Plan::new(2, &body(x)) };
        change(&mut plan, x, y);
        assert_eq!(ordered(&plan.build(b)), 0, "{what}");
    }
}

#[test]
fn what_a_member_has_read_is_its_own_business() {
    for (both, alike) in [(false, 0), (true, 2)] {
        let (b, x, _) = builder();
        let mut encoding = Plan::new(2, &[Do::Add(x, 1)]).build(b);
        let reads: Vec<Term> =
            encoding.events.iter().filter(|e| e.kind == EventKind::Read).map(|e| e.value).collect();
        let pool = &mut encoding.pool;
        let zero = pool.bits(0, 2);
        let is_zero: Vec<Term> = reads.iter().map(|&v| pool.eq(v, zero)).collect();
        let fact = if both { pool.and(is_zero[1], is_zero[0]) } else { is_zero[0] };
        encoding.facts.push(fact);
        assert_eq!(ordered(&encoding), alike);
    }
}

#[test]
fn a_value_that_a_member_returns_tells_it_apart() {
    let (b, x, y) = builder();
    let plan = Plan { after: vec![Do::Store(y, 0)], ..Plan::new(2, &[Do::Add(x, 1)]) };
    let mut encoding = plan.build(b);
    let returned = encoding.events.iter().find(|e| e.kind == EventKind::Read).unwrap().value;
    encoding.events.last_mut().unwrap().value = returned;
    assert_eq!(ordered(&encoding), 0);
}

#[test]
fn a_start_after_a_join_is_no_group() {
    let (mut b, x, _) = builder();
    for _ in 0..2 {
        let t = b.thread();
        b.store(t, x, 1);
        b.join(ThreadId(0), t);
    }
    assert_eq!(ordered(&b.encoding), 0);
}

/// Random groups, most of them alike, some not quite.
fn random_plan(random: &mut Dice, x: CellId, y: CellId) -> Plan {
    let threads = 2 + random.below(2) as usize;
    let mut reads = if threads == 2 { 2 } else { 1 };
    let mut body = Vec::new();
    for _ in 0..1 + random.below(3) {
        body.push(statement(random, &mut reads, x, y));
    }
    let maybe = |random: &mut Dice, percent: u32| {
        let mut none = 0;
        let s = statement(random, &mut none, x, y);
        if random.chance(percent) { vec![s] } else { vec![] }
    };
    let mut plan = Plan::new(threads, &body);
    plan.before = maybe(random, 30);
    plan.between_starts = maybe(random, 30);
    plan.between_joins = maybe(random, 10);
    plan.joined = match random.below(8) {
        0 | 1 => Joined::Not,
        2 => Joined::FirstOnly,
        3 => Joined::Waited,
        _ => Joined::All,
    };
    if random.chance(20) {
        let mut odd = body;
        let at = random.index(odd.len());
        odd[at] = statement(random, &mut 1, x, y);
        plan.odd = Some(odd);
    }
    plan.after = vec![Do::Load(if random.chance(50) { x } else { y })];
    plan.after.extend([0, 1, 2].map(Do::Goal));
    plan
}

fn statement(random: &mut Dice, reads: &mut u32, x: CellId, y: CellId) -> Do {
    let cell = if random.chance(60) { x } else { y };
    let k = u64::from(random.below(2));
    let needs = random.below(7);
    let cost = if needs == 3 { 2 } else { 1 };
    if needs < 5 && *reads >= cost {
        *reads -= cost;
        return match needs {
            0 => Do::Load(cell),
            1 => Do::Add(cell, 1),
            2 => Do::Lock(cell),
            3 => Do::Swap(cell, k),
            _ => Do::Try(cell, k),
        };
    }
    match random.below(6) {
        0 => Do::Assume(k),
        1 => Do::Goal(k),
        2 => Do::StoreSum(cell, k),
        _ => Do::Store(cell, k + 1),
    }
}

const SEEDS: u64 = 60;

#[test]
fn nothing_reachable_is_lost() {
    let (mut groups, mut facts, mut waits) = (0, 0, 0);
    for seed in 0..SEEDS {
        let (b, x, y) = builder();
        let plan = random_plan(&mut Dice::new(seed), x, y);
        let mut encoding = plan.build(b);
        groups += usize::from(ordered(&encoding) > 0);
        order_symmetric_threads(&mut encoding);
        facts += usize::from(!encoding.facts.is_empty());
        waits += usize::from(!encoding.waits.is_empty());
    }
    assert!(groups > 20 && groups < 55 && facts > 5 && waits > 5, "{groups} {facts} {waits}");
}

/// Each mark forbids something: with three threads most orders go.
#[test]
fn orders_are_forbidden() {
    let (b, x, _) = builder();
    let mut encoding = Plan::new(3, &[Do::Add(x, 1)]).build(b);
    let lines = |encoding: &Encoding| {
        let (mut encoding, mut seen) = (encoding.clone(), BTreeSet::new());
        candidates(&mut encoding);
        crate::testing::lines(&encoding, |rf, _| {
            seen.insert(rf.clone());
        });
        seen.len()
    };
    let before = lines(&encoding);
    order_symmetric_threads(&mut encoding);
    assert_eq!((before, lines(&encoding)), (6, 1));
}
