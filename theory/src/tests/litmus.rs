//! Known shapes of programs: where weak and strong consistency differ, joins, races, bounds.

use crate::{Cell, Chain, Lit, Node, Read, ScheduleSearch, Theory, Write};

fn lit(var: u32) -> Lit {
    Lit::positive(var)
}

/// Four threads, two cells: `x=1; y; x`, `x=2; y; x`, `y=1; x; y`, `y=2; x; y` with the reads of
/// 1,1 | 2,2 | 2,1 | 1,2. Saturation derives no order between the writes, yet none is possible.
fn four_writers() -> (Theory, [Node; 4]) {
    let mut theory = Theory::default();
    let (x, y) = (Cell(0), Cell(1));
    let mut writes: Vec<(Node, Write)> = Vec::new();
    let mut reads: Vec<(Read, usize)> = Vec::new();
    // Per thread: its own cell, the other one, the writer seen there, itself.
    for (own, other, seen, me) in [(x, y, 2, 0), (x, y, 3, 1), (y, x, 1, 2), (y, x, 0, 3)] {
        let chain = theory.add_chain();
        let [first, second, third] = [(); 3].map(|()| theory.add_node(chain));
        writes.push((first, theory.add_write(first, own, None)));
        reads.push((theory.add_read(second, other), seen));
        reads.push((theory.add_read(third, own), me));
    }
    for (i, (read, source)) in (1..).zip(reads) {
        theory.add_rf(lit(i), writes[source].1, read);
        theory.assign(lit(i));
    }
    let nodes = [0, 1, 2, 3].map(|i: usize| writes[i].0);
    (theory, nodes)
}

#[test]
fn weak_consistency_accepts_what_strong_consistency_rejects() {
    let (mut theory, [x1, x2, ..]) = four_writers();
    theory.push();
    assert_eq!(theory.propagate(), Ok(()));
    assert_eq!(theory.unordered_writes().len(), 2);
    assert_eq!(theory.linearize(1000), ScheduleSearch::Impossible);
    assert_eq!(theory.linearize(2), ScheduleSearch::GaveUp);
    // The second stage, in the middle of the same search.
    for (var, from, to) in [(20, x1, x2), (21, x2, x1)] {
        theory.add_before(lit(var), from, to);
        theory.push();
        theory.assign(lit(var));
        let conflict = theory.propagate().unwrap_err();
        assert_eq!(conflict.lits, [lit(var)], "the rest is true at level 0");
        theory.backtrack(1);
    }
}

#[test]
fn a_conditional_join_orders_only_when_it_happens() {
    let mut theory = Theory::default();
    let (main, child) = (theory.add_chain(), theory.add_chain());
    let [create, join, check] = [(); 3].map(|()| theory.add_node(main));
    let body = theory.add_node(child);
    theory.add_edge(create, body);
    let init = theory.add_write(create, Cell(0), None);
    theory.add_write(body, Cell(0), None);
    let read = theory.add_read(check, Cell(0));
    let (joined, zero) = (lit(1), lit(2));
    theory.add_before(joined, body, join);
    theory.add_rf(zero, init, read);
    assert_eq!(theory.propagate(), Ok(()));
    assert_eq!(theory.next_implied(), None, "the join may be skipped");
    theory.push();
    theory.assign(joined);
    assert_eq!(theory.propagate(), Ok(()));
    assert_eq!(theory.next_implied(), Some(!zero));
    assert_eq!(theory.explain(!zero), Some(vec![joined]));
    theory.backtrack(0);
    theory.push();
    theory.assign(zero);
    assert_eq!(theory.propagate(), Ok(()));
    assert_eq!(theory.next_implied(), Some(!joined));
}

#[test]
fn a_race_needs_two_unordered_accesses() {
    let mut theory = Theory::default();
    let (t, u) = (theory.add_chain(), theory.add_chain());
    let (a, b) = (theory.add_node(t), theory.add_node(u));
    let (race, handover) = (lit(1), lit(2));
    theory.add_apart(race, a, b);
    theory.add_before(handover, a, b);
    theory.push();
    theory.assign(race);
    assert_eq!(theory.propagate(), Ok(()));
    assert_eq!(theory.next_implied(), None, "an order of the pair is not yet a contradiction");
    theory.push();
    theory.assign(handover);
    assert_eq!(theory.propagate().unwrap_err().lits, [handover, race]);
    theory.backtrack(0);
    theory.push();
    theory.assign(handover);
    assert_eq!(theory.propagate(), Ok(()));
    assert_eq!(theory.next_implied(), Some(!race));
}

#[test]
fn a_loop_unrolled_once_more_stands_in_the_middle() {
    let mut theory = Theory::default();
    let (main, other): (Chain, Chain) = (theory.add_chain(), theory.add_chain());
    let [first, last] = [(); 2].map(|()| theory.add_node(main));
    let init = theory.add_write(first, Cell(0), None);
    let end = theory.add_read(last, Cell(0));
    let side = theory.add_node(other);
    theory.add_edge(first, side);
    theory.add_rf(lit(1), init, end);
    theory.push();
    theory.assign(lit(1));
    assert_eq!(theory.propagate(), Ok(()));
    theory.backtrack(0);
    // The next bound: a second iteration that writes, between the two.
    let again = theory.insert_node_after(first);
    theory.add_write(again, Cell(0), Some(lit(2)));
    theory.push();
    theory.assign(lit(1));
    assert_eq!(theory.propagate(), Ok(()));
    assert!(theory.before(first, again) && theory.before(again, last));
    assert!(theory.before(first, side) && !theory.before(again, side));
    assert_eq!(theory.next_implied(), Some(!lit(2)));
}
