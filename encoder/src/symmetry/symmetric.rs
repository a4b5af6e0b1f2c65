//! Threads that do the same under other names, which no other thread knows.
//!
//! The variables of two threads are paired by position: reads with reads, inputs with inputs.
//! Renaming one thread's variables to those of the first must then make the first one's terms out of
//! its terms. Terms are shared, so that is a comparison of numbers; the constructors that rebuild
//! them preserve meaning, so equal numbers are equal meanings.
//!
//! Who mentions whose variables is one pass over the pool.

use super::NodeIndex;
use crate::substitute::Substitution;
use crate::term::{Op, Pool, Term};
use crate::{Encoding, Goal, NodeId, ThreadId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Groups of threads that do the same, each with two members at least.
pub fn classes(
    encoding: &mut Encoding,
    index: &NodeIndex,
    mut threads: Vec<ThreadId>,
) -> Vec<Vec<ThreadId>> {
    let mut classes = Vec::new();
    while threads.len() > 1 {
        let first = threads[0];
        let (class, rest): (Vec<_>, Vec<_>) =
            threads.into_iter().partition(|&t| t == first || same(encoding, index, first, t));
        if class.len() > 1 {
            classes.push(class);
        }
        threads = rest;
    }
    classes
}

/// Do the two threads do the same up to renaming?
fn same(encoding: &mut Encoding, index: &NodeIndex, a: ThreadId, b: ThreadId) -> bool {
    if !same_shape(encoding, index, a, b) {
        return false;
    }
    let Some(pairs) = pairs(encoding, index, a, b) else { return false };
    let mut rename = Substitution::new(pairs.into_iter().map(|(x, y)| (y, x)).collect());
    let (ours, theirs) = (terms(encoding, index, a), terms(encoding, index, b));
    let pool = &mut encoding.pool;
    ours.len() == theirs.len()
        && ours.into_iter().zip(theirs).all(|(x, y)| rename.apply(pool, y) == x)
}

/// All but the terms.
fn same_shape(encoding: &Encoding, index: &NodeIndex, a: ThreadId, b: ThreadId) -> bool {
    let nodes = |t: ThreadId| &encoding.threads[t.index()].nodes;
    let same_node = |&x: &NodeId, &y: &NodeId| {
        let (m, n) = (&encoding.nodes[x.index()], &encoding.nodes[y.index()]);
        let (p, q) = (index.events(x), index.events(y));
        let same_event = |(e, f): (&crate::EventId, &crate::EventId)| {
            let (e, f) = (&encoding.events[e.index()], &encoding.events[f.index()]);
            e.kind == f.kind && e.cell == f.cell
        };
        m.kind == n.kind && m.at == n.at && p.len() == q.len() && p.iter().zip(q).all(same_event)
    };
    let same_goal = |(g, h): (&Goal, &Goal)| {
        let place = |goal: &Goal| (goal.at, goal.node.map(|n| index.position(n)));
        g.kind == h.kind && place(g) == place(h)
    };
    nodes(a).len() == nodes(b).len()
        && nodes(a).iter().zip(nodes(b)).all(|(x, y)| same_node(x, y))
        && goals(encoding, a).count() == goals(encoding, b).count()
        && goals(encoding, a).zip(goals(encoding, b)).all(same_goal)
}

fn goals(encoding: &Encoding, thread: ThreadId) -> impl Iterator<Item = &Goal> {
    encoding.goals.iter().filter(move |g| g.thread == thread)
}

/// All terms of a thread that say what it does.
fn terms(encoding: &Encoding, index: &NodeIndex, thread: ThreadId) -> Vec<Term> {
    let info = &encoding.threads[thread.index()];
    let mut out = vec![info.guard, info.ended];
    for &node in &info.nodes {
        out.push(encoding.nodes[node.index()].guard);
        for e in index.events(node) {
            let event = &encoding.events[e.index()];
            out.extend([event.guard, event.value]);
        }
    }
    out.extend(goals(encoding, thread).map(|g| g.guard));
    out
}

/// Variables of `a` with their counterparts in `b`; none of them occurs twice.
fn pairs(
    encoding: &Encoding,
    index: &NodeIndex,
    a: ThreadId,
    b: ThreadId,
) -> Option<Vec<(Term, Term)>> {
    let (ours, theirs) = (sources(encoding, index, a), sources(encoding, index, b));
    if ours.len() != theirs.len() {
        return None;
    }
    let (mut pairs, mut to, mut from) = (Vec::new(), FxHashMap::default(), FxHashMap::default());
    for (x, y) in ours.into_iter().zip(theirs) {
        let (Some(x), Some(y)) = (variable(&encoding.pool, x), variable(&encoding.pool, y)) else {
            continue;
        };
        let new = !to.contains_key(&x);
        if encoding.pool.sort(x) != encoding.pool.sort(y)
            || *to.entry(x).or_insert(y) != y
            || *from.entry(y).or_insert(x) != x
        {
            return None;
        }
        if new && x != y {
            pairs.push((x, y));
        }
    }
    // A variable cannot be both a name of one's own and the other's.
    let apart = pairs.iter().all(|&(x, y)| !from.contains_key(&x) && !to.contains_key(&y));
    apart.then_some(pairs)
}

/// What a thread gets from outside: by reading, and from nowhere.
fn sources(encoding: &Encoding, index: &NodeIndex, thread: ThreadId) -> Vec<Term> {
    let nodes = &encoding.threads[thread.index()].nodes;
    let events = nodes.iter().flat_map(|&n| index.events(n));
    let values = events.map(|e| encoding.events[e.index()].value);
    let inputs = encoding.inputs.iter().filter(|i| i.thread == thread).map(|i| i.value);
    values.chain(inputs).collect()
}

/// The variable inside of what is read.
fn variable(pool: &Pool, t: Term) -> Option<Term> {
    match pool.op(t) {
        Op::Var(_) => Some(t),
        Op::ZeroExt(a) | Op::SignExt(a) if matches!(pool.op(a), Op::Var(_)) => Some(a),
        _ => None,
    }
}

/// Whose variables a term mentions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Shared,
    /// One member, by its place in the group.
    One(u32),
    Several,
}

impl Owner {
    fn join(self, other: Owner) -> Owner {
        match (self, other) {
            (Owner::Shared, o) | (o, Owner::Shared) => o,
            (a, b) if a == b => a,
            _ => Owner::Several,
        }
    }
}

/// A group under test.
struct SymmetryGroup {
    owners: Vec<Owner>,           // of each term
    rename: Vec<Substitution>,    // of each member, to the names of the first
    alike: FxHashMap<Term, bool>, // what `invariant` has found
}

/// May members of a class of `classes` change roles, as far as terms can tell?
pub(crate) fn interchangeable(
    encoding: &mut Encoding,
    index: &NodeIndex,
    threads: &[ThreadId],
) -> bool {
    let Some(mut group) = SymmetryGroup::new(encoding, index, threads) else { return false };
    for (i, &thread) in threads.iter().enumerate() {
        let own = |t: Term| {
            matches!(group.owners[t.index()], Owner::Shared)
                || group.owners[t.index()] == Owner::One(i as u32)
        };
        if !terms(encoding, index, thread).into_iter().all(own) {
            return false;
        }
    }
    let outside = outside(encoding, threads);
    outside.into_iter().all(|t| group.invariant(&mut encoding.pool, t))
}

/// What counts in an execution and is not a member's.
fn outside(encoding: &Encoding, threads: &[ThreadId]) -> Vec<Term> {
    let mut out: Vec<Term> = encoding.facts.clone();
    out.extend(encoding.waits.iter().map(|w| w.0));
    for event in &encoding.events {
        if !threads.contains(&encoding.nodes[event.node.index()].thread) {
            out.extend([event.guard, event.value]);
        }
    }
    out.extend(encoding.goals.iter().filter(|g| !threads.contains(&g.thread)).map(|g| g.guard));
    out
}

impl SymmetryGroup {
    /// `None` if variables of members are not apart.
    fn new(encoding: &Encoding, index: &NodeIndex, threads: &[ThreadId]) -> Option<SymmetryGroup> {
        let (&first, rest) = threads.split_first()?;
        let mut owner_of: FxHashMap<Term, Owner> = FxHashMap::default();
        let mut rename = vec![Substitution::default()];
        let mut firsts: Option<FxHashSet<Term>> = None;
        for (i, &thread) in rest.iter().enumerate() {
            let pairs = pairs(encoding, index, first, thread)?;
            for &(_, y) in &pairs {
                if owner_of.insert(y, Owner::One(i as u32 + 1)).is_some() {
                    return None;
                }
            }
            let ours: FxHashSet<Term> = pairs.iter().map(|&(x, _)| x).collect();
            if firsts.get_or_insert_with(|| ours.clone()) != &ours {
                return None;
            }
            rename.push(Substitution::new(pairs.into_iter().map(|(x, y)| (y, x)).collect()));
        }
        for x in firsts? {
            if owner_of.insert(x, Owner::One(0)).is_some() {
                return None;
            }
        }
        let owners = owners(&encoding.pool, &owner_of);
        Some(SymmetryGroup { owners, rename, alike: FxHashMap::default() })
    }

    /// Does the term mean the same under every permutation of roles? When in doubt, no.
    fn invariant(&mut self, pool: &mut Pool, t: Term) -> bool {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.alike.contains_key(&top) {
                stack.pop();
                continue;
            }
            let (parts, balanced) = self.parts(pool, top);
            let open: Vec<Term> =
                parts.iter().copied().filter(|p| !self.alike.contains_key(p)).collect();
            if balanced && !open.is_empty() {
                stack.extend(open);
                continue;
            }
            let alike = balanced && parts.iter().all(|p| self.alike[p]);
            self.alike.insert(top, alike);
        }
        self.alike[&t]
    }

    /// What must be invariant for `t` to be, and whether the rest of it is.
    fn parts(&mut self, pool: &mut Pool, t: Term) -> (Vec<Term>, bool) {
        match (self.owners[t.index()], pool.op(t)) {
            (Owner::Shared, _) => (Vec::new(), true),
            (Owner::One(_), _) => (Vec::new(), false),
            (Owner::Several, Op::And(..)) => self.conjuncts(pool, t),
            (Owner::Several, _) => {
                let mut operands = Vec::new();
                pool.operands(t, |o| operands.push(o));
                (operands, true)
            }
        }
    }

    /// A conjunction: what single members contribute must be the same from each.
    fn conjuncts(&mut self, pool: &mut Pool, t: Term) -> (Vec<Term>, bool) {
        let mut of: Vec<FxHashSet<Term>> = vec![FxHashSet::default(); self.rename.len()];
        let (mut mixed, mut stack, mut seen) = (Vec::new(), vec![t], FxHashSet::default());
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            match (self.owners[t.index()], pool.op(t)) {
                (Owner::Shared, _) => {}
                (_, Op::And(a, b)) => stack.extend([a, b]),
                (Owner::One(i), _) => {
                    let renamed = self.rename[i as usize].apply(pool, t);
                    of[i as usize].insert(renamed);
                }
                (Owner::Several, _) => mixed.push(t),
            }
        }
        let balanced = of.iter().all(|s| *s == of[0]);
        (mixed, balanced)
    }
}

fn owners(pool: &Pool, of_variable: &FxHashMap<Term, Owner>) -> Vec<Owner> {
    let mut owners: Vec<Owner> = Vec::with_capacity(pool.len());
    for t in pool.terms() {
        let mut owner = of_variable.get(&t).copied().unwrap_or(Owner::Shared);
        pool.operands(t, |o| owner = owner.join(owners[o.index()]));
        owners.push(owner);
    }
    owners
}
