//! Threads: orders, ids, values that cross.

use super::*;

#[test]
fn a_thread_local_is_no_event() {
    let e = encoded(&two(
        "_Thread_local int x; int y;",
        "x = 2; y = x;",
        "x = 1; if (y == 1) reach_error();",
    ));
    assert!(e.cells.iter().all(|c| c.name != "x"), "{:?}", e.cells);
    assert_eq!(constant(&e, writes(&e, "y")[0].value), 2);
    safe(&two(
        "_Thread_local int x; int y;",
        "x = 2; y = x;",
        "x = 1; if (y == 1 || x != 1) reach_error();",
    ));
}

#[test]
fn a_lock_is_one_node_with_one_read_and_one_write() {
    let section = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);";
    let e = encoded(&two("pthread_mutex_t m; int x;", section, section));
    let locks: Vec<NodeId> = reads(&e, "m.s[0]").iter().map(|r| r.node).collect();
    assert!(!locks.is_empty(), "{:?}", e.cells);
    for node in locks {
        assert_eq!(e.nodes[node.index()].kind, NodeKind::Atomic);
        let inside: Vec<EventKind> =
            e.events.iter().filter(|v| v.node == node).map(|v| v.kind).collect();
        let count = |kind| inside.iter().filter(|k| **k == kind).count();
        assert!(count(EventKind::Read) >= 1 && count(EventKind::Write) == 1, "{inside:?}");
    }
    assert!(goals(&e, "invalid").is_empty());
}

/// The invariant of `event.rs`.
#[test]
fn a_node_reads_and_writes_a_cell_once_the_read_first() {
    let block = "__VERIFIER_atomic_begin(); int a = x; x = a + 1; x = x + y; y = x; if (y) x = 3; __VERIFIER_atomic_end();";
    let e = encoded(&two("int x, y;", block, block));
    for (i, a) in e.events.iter().enumerate() {
        for b in &e.events[..i] {
            if (a.node, a.cell) == (b.node, b.cell) {
                assert_eq!((b.kind, a.kind), (EventKind::Read, EventKind::Write));
            }
        }
    }
}

#[test]
fn a_block_reads_back_its_own_write() {
    let block = "__VERIFIER_atomic_begin(); x = 5; y = x; __VERIFIER_atomic_end();";
    let e = encoded(&two("int x, y;", block, "x = 1; int a = y; if (a == 1) reach_error();"));
    assert!(reads(&e, "x").is_empty());
    safe(&two("int x, y;", block, "x = 1; int a = y; if (a != 0 && a != 5) reach_error();"));
}

/// What an atomic block writes before it waits counts only if the wait is over.
#[test]
fn a_block_that_waits_writes_nothing() {
    let block =
        "__VERIFIER_atomic_begin(); y = 1; __VERIFIER_assume(x == 1); __VERIFIER_atomic_end();";
    let e = encoded(&two("int x, y;", block, "int a = y; x = 1; if (a) reach_error();"));
    let write = &writes(&e, "y")[0];
    assert!(!e.pool.is_true(write.guard));
    safe(&two("int x, y;", block, "int a = y; x = 1; if (a) reach_error();"));
    fails(&two("int x, y;", block, "x = 1; int a = y; if (a) reach_error();"));
}

#[test]
fn an_error_in_a_block_is_reached_before_its_end() {
    let block = "__VERIFIER_atomic_begin(); if (x == 1) reach_error(); __VERIFIER_assume(0); __VERIFIER_atomic_end();";
    fails(&two("int x;", block, "x = 1;"));
}

#[test]
fn a_certain_join_is_an_edge() {
    let e = encoded(&two(
        "int x, y;",
        "x = 1; y = x;",
        "x = 2; pthread_join(id, 0); if (x == 0) reach_error();",
    ));
    let end = *e.threads[1].nodes.last().expect("an end");
    assert!(e.edges.iter().any(|&(a, _)| a == end) && e.waits.is_empty());
    safe(&two("int x;", "x = 1;", "pthread_join(id, 0); if (x != 1) reach_error();"));
    fails(&two("int x;", "x = 1;", "if (x != 1) reach_error();"));
}

/// However many times the joined threads had to wait.
#[test]
fn a_join_after_many_waits_is_an_edge() {
    let waits = |value: i32| format!("__VERIFIER_assume(x == {value});").repeat(80);
    let e =
        encoded(&two("int x, y;", &waits(0), &format!("{} pthread_join(id, 0); y = 1;", waits(0))));
    let end = *e.threads[1].nodes.last().expect("an end");
    assert!(e.edges.iter().any(|&(a, _)| a == end) && e.waits.is_empty());
}

/// Test F: the join may be skipped.
#[test]
fn a_conditional_join_is_a_wait() {
    let main = "if (__VERIFIER_nondet_bool()) pthread_join(id, 0); if (x != 1) reach_error();";
    let e = encoded(&two("int x;", "x = 1;", main));
    let end = *e.threads[1].nodes.last().expect("an end");
    assert!(e.waits.iter().any(|&(_, a, _)| a == end));
    assert!(e.edges.iter().all(|&(a, _)| a != end));
    fails(&two("int x;", "x = 1;", main));
    let joined = "int c = __VERIFIER_nondet_bool(); if (c) pthread_join(id, 0); if (c && x != 1) reach_error();";
    safe(&two("int x;", "x = 1;", joined));
}

#[test]
fn a_thread_that_does_not_end_is_not_joined() {
    safe(&two("int x;", "__VERIFIER_assume(x);", "pthread_join(id, 0); reach_error();"));
    fails(&two("int x;", "__VERIFIER_assume(x);", "x = 1; pthread_join(id, 0); reach_error();"));
}

#[test]
fn what_was_written_before_the_start_is_known() {
    let text = "int x, y; void *t(void *p) { y = x; return 0; }
        int main(void) { pthread_t id; x = 3; pthread_create(&id, 0, t, 0); if (y == 2) reach_error(); }";
    let e = encoded(text);
    assert!(reads(&e, "x").is_empty());
    assert_eq!(constant(&e, writes(&e, "y")[0].value), 3);
    let later = text.replace("if (y == 2)", "x = 2; if (y == 2)");
    assert_eq!(reads(&encoded(&later), "x").len(), 1);
    safe(text);
    fails(&later);
    fails(&later.replace("y == 2", "y == 3"));
    safe(&later.replace("y == 2", "y == 1"));
}

/// The second of two children was started after the write, the first before.
#[test]
fn only_younger_threads_know() {
    let text = "int x, y, z; void *a(void *p) { y = x; return 0; } void *b(void *p) { z = x; return 0; }
        int main(void) { pthread_t i, j; pthread_create(&i, 0, a, 0); x = 3; pthread_create(&j, 0, b, 0);
            if (COND) reach_error(); }";
    fails(&text.replace("COND", "y == 3"));
    let e = encoded(&text.replace("COND", "z == 1 || y == 2"));
    assert_eq!(reads(&e, "x").len(), 1);
    assert_eq!(constant(&e, writes(&e, "z")[0].value), 3);
}

/// Two ways to the start, with different values.
#[test]
fn a_value_from_before_the_start_may_depend() {
    let text = "int x, y; void *t(void *p) { y = x; return 0; }
        int main(void) { pthread_t id; x = 1; if (__VERIFIER_nondet_bool()) x = 2;
            pthread_create(&id, 0, t, 0); pthread_join(id, 0); if (y == K) reach_error(); }";
    fails(&text.replace('K', "1"));
    fails(&text.replace('K', "2"));
    safe(&text.replace('K', "0"));
}

#[test]
fn results_are_known_after_the_join() {
    let text = two("int x;", "x = 1; x = 2;", "pthread_join(id, 0); if (x != 2) reach_error();");
    let e = encoded(&text);
    assert!(reads(&e, "x").is_empty() && goals(&e, "error").is_empty());
    let conditional = two(
        "int x;",
        "x = 1; x = 2;",
        "if (__VERIFIER_nondet_bool()) pthread_join(id, 0); if (x == 1) reach_error();",
    );
    assert_eq!(reads(&encoded(&conditional), "x").len(), 1);
    fails(&conditional);
    let both = two(
        "int x;",
        "x = 1; if (__VERIFIER_nondet_bool()) x = 2;",
        "pthread_join(id, 0); if (x != 2) reach_error();",
    );
    fails(&both);
}

/// A grandchild goes on when its parent has ended and is joined.
#[test]
fn a_grandchild_is_not_joined_with_its_parent() {
    let text = "int x; void *g(void *p) { x = 1; return 0; }
        void *t(void *p) { pthread_t id; pthread_create(&id, 0, g, 0); return 0; }
        int main(void) { pthread_t id; pthread_create(&id, 0, t, 0); pthread_join(id, 0);
            if (x == K) reach_error(); }";
    fails(&text.replace('K', "0"));
    fails(&text.replace('K', "1"));
    // With both joins everything is over. (The child's is one unless the id is its own.)
    let e = encoded(&text.replace("g, 0);", "g, 0); pthread_join(id, 0);").replace('K', "0"));
    let ends = [1, 2].map(|t: usize| *e.threads[t].nodes.last().expect("an end"));
    let waits = e.waits.iter().map(|&(_, a, b)| (a, b));
    let orders: Vec<_> = e.edges.iter().copied().chain(waits).collect();
    assert!(ends.iter().all(|end| orders.iter().any(|(a, _)| a == end)), "{orders:?}");
}

#[test]
fn ids_are_numbered_as_the_interpreter_does() {
    let text = "void *t(void *p) { return (void *)pthread_self(); }
        int main(void) { pthread_t i, j; void *r, *s;
            if (pthread_self() != 1) reach_error();
            pthread_create(&i, 0, t, 0); pthread_create(&j, 0, t, 0);
            pthread_join(i, &r); pthread_join(j, &s);
            if (i != 2 || j != 3 || (pthread_t)r != i || (pthread_t)s != j) reach_error(); }";
    let e = encoded(text);
    assert!(e.goals.is_empty(), "{:?}", e.goals);
    // Two threads start threads: who is second depends on the schedule.
    let text = "pthread_t a; void *u(void *p) { return 0; }
        void *t(void *p) { pthread_create(&a, 0, u, 0); return 0; }
        int main(void) { pthread_t i, j; pthread_create(&i, 0, t, 0); pthread_create(&j, 0, u, 0);
            if (j == K) reach_error(); }";
    fails(&text.replace('K', "3"));
    fails(&text.replace('K', "4"));
    safe(&text.replace('K', "2"));
}

#[test]
fn return_values_cross_a_join() {
    let text = "int x; void *t(void *p) { if (x) pthread_exit((void *)7); return (void *)8; }
        int main(void) { pthread_t id; void *r = 0; pthread_create(&id, 0, t, 0); x = 1;
            pthread_join(id, &r); if ((long)r == K) reach_error(); }";
    fails(&text.replace('K', "7"));
    fails(&text.replace('K', "8"));
    safe(&text.replace('K', "0"));
}

#[test]
fn a_function_pointer_says_who_is_started() {
    let text = "int x; void *a(void *p) { x = 1; return 0; } void *b(void *p) { x = 2; return 0; }
        void *(*f)(void *);
        int main(void) { pthread_t id; f = __VERIFIER_nondet_bool() ? a : b;
            pthread_create(&id, 0, f, 0); pthread_join(id, 0); if (x == K) reach_error(); }";
    fails(&text.replace('K', "1"));
    fails(&text.replace('K', "2"));
    safe(&text.replace('K', "0"));
}

#[test]
fn threads_started_in_a_loop_are_different_threads() {
    let text = "int x[2]; void *t(void *p) { x[(long)p] = 1 + (long)p; return 0; }
        int main(void) { pthread_t id[2];
            for (long i = 0; i < 2; i++) pthread_create(&id[i], 0, t, (void *)i);
            for (int i = 0; i < 2; i++) pthread_join(id[i], 0);
            if (x[0] != 1 || x[1] != 2) reach_error(); }";
    let e = encoded(text);
    assert_eq!(e.threads.len(), 3);
    safe(text);
}

#[test]
fn a_lost_update_is_found_and_a_lock_prevents_it() {
    let text = two(
        "int x;",
        "x = x + 1 & 3;",
        "x = x + 1 & 3; pthread_join(id, 0); if (x != 2) reach_error();",
    );
    fails(&text);
    let locked = text.replace(
        "x = x + 1 & 3;",
        "__VERIFIER_atomic_begin(); x = x + 1 & 3; __VERIFIER_atomic_end();",
    );
    safe(&locked);
}

#[test]
fn a_loop_that_is_cut_is_a_goal() {
    let e = encoded("int main(void) { while (__VERIFIER_nondet_bool()) ; }");
    assert!(!goals(&e, "bound").is_empty());
    let e = encoded(
        "int f(int k) { return k ? 1 + f(k - 1) : 0; } int main(void) { return f(__VERIFIER_nondet_int()); }",
    );
    assert!(!goals(&e, "bound").is_empty());
}

/// The end of main ends the process: no one can wait for that.
#[test]
fn threads_are_ordered_behind_their_start() {
    let text = "int x; void *t(void *p) { if (x == 0) reach_error(); return 0; }
        int main(void) { pthread_t id; x = 1; pthread_create(&id, 0, t, 0); x = 2; }";
    safe(text);
    fails(&text.replace("x == 0", "x == 2"));
}

#[test]
fn memory_orders_and_fences_reach_the_events() {
    let e = encoded(&two(
        "int x, y;",
        "__atomic_store_n(&x, 1, 3); __atomic_thread_fence(5); y = 1;",
        "int a = __atomic_load_n(&x, 2); int b = y; \
         __atomic_fetch_add(&x, 1, 4); if (a > b) reach_error();",
    ));
    let orders = |of: Vec<Event>| of.iter().map(|event| event.order).collect::<BTreeSet<_>>();
    assert!(orders(writes(&e, "x")).contains(&ir::MemoryOrder::Release));
    assert!(orders(reads(&e, "x")).contains(&ir::MemoryOrder::Acquire));
    assert_eq!(orders(reads(&e, "y")), BTreeSet::from([ir::MemoryOrder::Plain]));
    let [fence] = &e.fences[..] else { panic!("{:?}", e.fences) };
    assert_eq!(fence.order, ir::MemoryOrder::SeqCst);
    let before = fence.after.expect("the store");
    assert!(writes(&e, "x").iter().any(|event| event.node == before));
}
