//! The contracts of the calls: late notifications, lazy explanations, literals for ever, scale.

use crate::testing::big;
use crate::{Cell, Lit, Node, ScheduleSearch, Theory};

fn lit(var: u32) -> Lit {
    Lit::positive(var)
}

/// `n` single nodes and "before" literals `10 a + b` for every pair.
fn pairs(n: u32) -> Theory {
    let mut theory = Theory::default();
    for _ in 0..n {
        let chain = theory.add_chain();
        theory.add_node(chain);
    }
    for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|(a, b)| a != b) {
        theory.add_before(lit(10 * a + b), Node(a), Node(b));
    }
    theory
}

fn implied(theory: &mut Theory) -> Vec<Lit> {
    let mut lits: Vec<Lit> = std::iter::from_fn(|| theory.next_implied()).collect();
    lits.sort();
    lits
}

#[test]
fn transitivity_denies_the_way_back_and_says_why() {
    let mut theory = pairs(3);
    theory.push();
    theory.assign(lit(1)); // 0 before 1
    theory.push();
    theory.assign(lit(12)); // 1 before 2
    assert_eq!(theory.propagate(), Ok(()));
    assert_eq!(implied(&mut theory), [!lit(10), !lit(20), !lit(21)]);
    assert_eq!(theory.explain(!lit(20)), Some(vec![lit(12), lit(1)]));
    assert_eq!(theory.explain(!lit(21)), Some(vec![lit(12)]));
    assert_eq!(theory.explain(lit(2)), None, "what follows is not a literal that is forced");
}

#[test]
fn explanations_do_not_use_what_came_later() {
    let mut theory = pairs(4);
    theory.push();
    for var in [1, 12] {
        theory.assign(lit(var));
    }
    assert_eq!(theory.propagate(), Ok(()));
    theory.push();
    theory.assign(lit(2)); // a short cut from 0 to 2
    assert_eq!(theory.propagate(), Ok(()));
    assert_eq!(theory.explain(!lit(20)), Some(vec![lit(12), lit(1)]));
    // A later fact may use it.
    theory.push();
    theory.assign(lit(23));
    assert_eq!(theory.propagate(), Ok(()));
    assert_eq!(theory.explain(!lit(30)), Some(vec![lit(23), lit(2)]));
}

#[test]
fn a_level_opened_too_early_loses_nothing() {
    let mut theory = pairs(3);
    theory.push();
    theory.assign(lit(1));
    theory.push(); // the literal before was not yet looked at
    assert_eq!(theory.propagate(), Ok(()));
    assert!(theory.before(Node(0), Node(1)));
    assert_eq!(implied(&mut theory), [!lit(10)]);
    theory.backtrack(1);
    assert_eq!(theory.propagate(), Ok(()));
    assert!(theory.before(Node(0), Node(1)), "its level is still open");
    assert_eq!(implied(&mut theory), [!lit(10)]);
}

#[test]
fn what_was_told_at_an_undone_level_is_told_again() {
    let mut theory = pairs(2);
    theory.push();
    theory.assign(lit(1));
    assert_eq!(theory.propagate(), Ok(()));
    theory.push();
    assert_eq!(implied(&mut theory), [!lit(10)]);
    theory.backtrack(1);
    assert_eq!(implied(&mut theory), [!lit(10)]);
    theory.push();
    theory.backtrack(1);
    assert_eq!(implied(&mut theory), [], "told at a level that is open");
}

#[test]
fn a_conflict_stays_until_its_level_is_left() {
    let mut theory = pairs(2);
    theory.push();
    theory.assign(lit(1));
    theory.push();
    theory.assign(lit(10));
    let conflict = theory.propagate().unwrap_err();
    assert_eq!(conflict.lits, [lit(10), lit(1)]);
    assert_eq!(theory.propagate(), Err(conflict));
    theory.backtrack(1);
    assert_eq!(theory.propagate(), Ok(()));
}

#[test]
fn a_conflict_at_level_0_stays_for_ever() {
    let mut theory = pairs(2);
    theory.assign(lit(1));
    theory.assign(lit(10));
    assert!(theory.propagate().unwrap_err().lits.is_empty());
    theory.push();
    theory.backtrack(0);
    assert!(theory.propagate().unwrap_err().lits.is_empty());
}

#[test]
fn a_unit_learnt_late_survives_backtracking() {
    let mut theory = pairs(3);
    theory.push();
    theory.push();
    theory.assign_for_ever(lit(1));
    theory.backtrack(1);
    assert_eq!(theory.propagate(), Ok(()));
    assert!(theory.before(Node(0), Node(1)));
    theory.backtrack(0);
    theory.push();
    theory.assign(lit(12));
    assert_eq!(theory.propagate(), Ok(()));
    assert_eq!(theory.explain(!lit(20)), Some(vec![lit(12)]), "level 0 is not named");
}

#[test]
fn a_pair_added_above_level_0_is_found_again_below() {
    let mut theory = pairs(2);
    theory.push();
    theory.assign(lit(1));
    theory.push();
    assert_eq!(theory.propagate(), Ok(()));
    theory.add_before(lit(50), Node(1), Node(0));
    assert_eq!(theory.propagate(), Ok(()));
    assert_eq!(implied(&mut theory), [!lit(10), !lit(50)]);
    theory.backtrack(1);
    assert_eq!(theory.propagate(), Ok(()));
    assert!(implied(&mut theory).contains(&!lit(50)), "it holds at level 1 too");
    theory.backtrack(0);
    assert_eq!(theory.propagate(), Ok(()));
    assert_eq!(implied(&mut theory), []);
}

#[test]
fn a_guard_that_another_guard_excludes_acts_when_echoed() {
    // Both branches write; the read sees the write of neither branch but the one before.
    let mut theory = Theory::default();
    let chain = theory.add_chain();
    let [init, then, other, read] = [(); 4].map(|()| theory.add_node(chain));
    let source = theory.add_write(init, Cell(0), None);
    theory.add_write(then, Cell(0), Some(lit(1)));
    theory.add_write(other, Cell(0), Some(!lit(1)));
    let read = theory.add_read(read, Cell(0));
    theory.add_rf(lit(2), source, read);
    theory.push();
    theory.assign(lit(2));
    let conflict = theory.propagate().unwrap_err();
    assert_eq!(conflict.lits, [lit(2)], "both branches are denied");
}

#[test]
fn a_large_schedule_is_accepted_and_taken_back() {
    let mut big = big(2000, 8, 3, 1);
    assert_eq!(big.theory.propagate(), Ok(()));
    let before = big.theory.stats();
    for &lit in &big.schedule {
        big.theory.push();
        big.theory.assign(lit);
        assert_eq!(big.theory.propagate(), Ok(()), "a schedule exists");
    }
    assert!(big.theory.stats().fr_edges > before.fr_edges);
    let (first, last) = (Node(0), Node(2000));
    assert!(big.theory.before(first, last));
    // Every step is forced or safe here, so a step per node is enough.
    let ScheduleSearch::Found(schedule) = big.theory.linearize(10_000) else {
        panic!("none found")
    };
    assert_eq!(schedule.len(), 2001);
    let wrong = big.theory.implied.len();
    big.theory.backtrack(0);
    assert!(big.theory.implied.len() < wrong);
    assert!(big.theory.assigned().is_empty());
    assert!(big.theory.active.by_read.iter().all(Vec::is_empty), "no read is left");
}
