//! Models made by hand, and what the interpreter finds on their way.

use super::*;
use crate::engine::bmc::testing::Hand;
use encoder::NodeKind;

const RACE: &str = "int x;
    void *writes(void *p) { x = 1; x = 2; return 0; }
    int main(void) {
      pthread_t t;
      pthread_create(&t, 0, writes, 0);
      int a = x;
      if (a == 1) reach_error();
    }";

/// The spans' lines of the trace, or why there is none.
fn confirmed(hand: &Hand, schedule: &[NodeId]) -> Result<Violation, String> {
    let run = ModelRun { encoding: &hand.encoding, schedule, goal: &hand.goal };
    let config = interp::Config::default();
    let confirmed = confirm(hand.unrolled(), config, &run, &mut |t| hand.value(t));
    confirmed.map_err(|misfit| format!("{misfit:?}"))
}

#[test]
fn nodes_happen_in_the_order_of_the_schedule() {
    let hand = Hand::new(RACE);
    // Of main: the start, the load. Of the thread: two stores, the end.
    let (main, thread) = (hand.nodes(0), hand.nodes(1));
    let spawn = hand.node(0, NodeKind::Spawn);
    let load = *main.last().expect("a load");
    let found = confirmed(&hand, &[spawn, thread[0], load, thread[1]]).expect("a violation");
    assert_eq!((found.kind, found.span.line), ("unreach-call", hand.goal.span.line));
    let told: Vec<String> = found.trace.iter().map(|s| s.event.to_string()).collect();
    assert!(
        told.iter().any(|t| t == "x = 1") && told.iter().any(|t| t == "reads x == 1"),
        "{told:?}"
    );
    assert!(!told.iter().any(|t| t == "x = 2"), "not needed: {told:?}");
    for wrong in [vec![spawn, load, thread[0]], vec![spawn, thread[0], thread[1], load]] {
        let why = confirmed(&hand, &wrong).expect_err("no violation");
        assert!(why.contains("wanted the violation at main"), "{why}");
    }
    let why = confirmed(&hand, &[thread[0], spawn, load]).expect_err("not started");
    assert!(why.contains("not started"), "{why}");
}

#[test]
fn what_does_not_happen_is_left_out() {
    let mut hand = Hand::new(RACE);
    let (thread, spawn) = (hand.nodes(1), hand.node(0, NodeKind::Spawn));
    let load = *hand.nodes(0).last().expect("a load");
    hand.deny(thread[1]);
    confirmed(&hand, &[spawn, thread[0], thread[1], load]).expect("a violation");
}

#[test]
fn inputs_have_the_values_of_the_model() {
    let text = "int main(void) {
          int n = __VERIFIER_nondet_int();
          short m = __VERIFIER_nondet_short();
          if (n == -42 && m > 30000) reach_error();
        }";
    let mut hand = Hand::new(text);
    hand.input(0, -42i64 as u64);
    hand.input(1, 30001);
    let found = confirmed(&hand, &[]).expect("a violation");
    let told: Vec<String> = found.trace.iter().map(|s| s.event.to_string()).collect();
    assert!(told.iter().any(|t| t == "__VERIFIER_nondet_int() gives -42"), "{told:?}");
    let mut hand = Hand::new(text);
    hand.input(0, 41);
    hand.input(1, 30001);
    assert!(confirmed(&hand, &[]).is_err());
}

#[test]
fn an_atomic_block_may_fail_inside() {
    let hand = Hand::new(
        "int x;
         void *writes(void *p) { x = 1; return 0; }
         int main(void) {
           pthread_t t;
           pthread_create(&t, 0, writes, 0);
           __VERIFIER_atomic_begin();
           if (x == 1) reach_error();
           __VERIFIER_atomic_end();
         }",
    );
    let mut hand = hand;
    let (spawn, store) = (hand.node(0, NodeKind::Spawn), hand.nodes(1)[0]);
    let block = hand.node(0, NodeKind::Atomic);
    hand.deny(block);
    hand.goal.node = Some(block);
    confirmed(&hand, &[spawn, store, block]).expect("a violation");
    let late = confirmed(&hand, &[spawn, block, store]);
    assert!(late.is_err(), "the block reads before the store");
}

#[test]
fn joins_wait_for_ends_and_library_calls_are_told_as_calls() {
    let hand = Hand::new(
        "int x;
         void *writes(void *p) { x = 1; return 0; }
         int main(void) {
           pthread_t t;
           pthread_create(&t, 0, writes, 0);
           pthread_join(t, 0);
           if (x == 1) reach_error();
         }",
    );
    let (spawn, join) = (hand.node(0, NodeKind::Spawn), hand.node(0, NodeKind::Join));
    let (store, end) = (hand.nodes(1)[0], hand.node(1, NodeKind::End));
    let load = *hand.nodes(0).last().expect("a load");
    let found = confirmed(&hand, &[spawn, store, end, join, load]).expect("a violation");
    let told: Vec<String> = found.trace.iter().map(|s| s.event.to_string()).collect();
    assert!(told.iter().any(|t| t.starts_with("calls pthread_join(")), "{told:?}");
    let why = confirmed(&hand, &[spawn, store, join, end, load]).expect_err("blocked");
    assert!(why.contains("Blocked"), "{why}");
}
