use super::*;
use crate::testing::{Builder, Shape, generate, goals_reached};
use crate::{CellId, Sort};

/// All rules, each rule alone, and all but one.
fn all_options() -> Vec<Options> {
    let mut all = vec![Options::default()];
    all.extend(Rule::ALL.map(|rule| Options::only(&[rule])));
    all.extend(Rule::ALL.map(|rule| Options::default().without(rule)));
    all
}

fn check(shape: Shape, seeds: std::ops::Range<u64>) {
    let mut before_and_after = (0, 0);
    for seed in seeds {
        let original = generate(shape, seed);
        let expected = goals_reached(&original);
        for options in all_options() {
            let mut pruned = original.clone();
            let stats = prune(&mut pruned, &options);
            before_and_after.0 += stats.rf_before;
            before_and_after.1 += stats.rf_after;
            let got = goals_reached(&pruned);
            assert_eq!(got, expected, "seed {seed} with {options:?}");
        }
    }
    let (before, after) = before_and_after;
    assert!(after < before * 3 / 4, "{before} pairs, {after} are left");
}

#[test]
fn rules_keep_what_is_reachable() {
    check(Shape::default(), 0..50);
}

const NARROW: Shape = Shape { threads: 3, statements: 2, cells: 1, reads: 3, inputs_only: false };

#[test]
fn rules_keep_what_is_reachable_with_three_threads_and_one_cell() {
    check(NARROW, 0..40);
}

/// For an idle machine: `cargo test --release -p obmc-encoder -- --ignored rules`.
#[test]
#[ignore = "takes minutes"]
fn rules_keep_what_is_reachable_at_length() {
    check(Shape::default(), 1000..3000);
    check(NARROW, 1000..3000);
    check(Shape { threads: 1, statements: 5, cells: 2, reads: 5, inputs_only: false }, 0..1000);
}

/// The pairs that are left, by value of the write.
fn left(encoding: &Encoding) -> Vec<u64> {
    let value = |&(w, _): &(EventId, EventId)| encoding.events[w.index()].value;
    encoding.rf.iter().map(value).filter_map(|t| encoding.pool.constant(t)).collect()
}

#[test]
fn overwritten_on_both_branches() {
    let mut b = Builder::new();
    let x = b.cell("x", 8, 0);
    let c = b.pool().fresh(Sort::Bool);
    let (main, t) = (b.main(), b.thread());
    let path = b.path(main);
    b.set_path(main, c);
    b.store(main, x, 1);
    let n = b.pool().not(c);
    b.set_path(main, n);
    b.store(main, x, 2);
    b.set_path(main, path);
    let v = b.load(main, x);
    b.store(t, x, 3);
    let truth = b.pool().truth(v);
    b.goal(main, truth);
    let mut encoding = b.finish();
    prune(&mut encoding, &Options::default());
    assert_eq!(left(&encoding), [1, 2, 3], "the initial 0 is overwritten");
}

#[test]
fn what_stands_in_a_line_becomes_a_term() {
    let mut b = Builder::new();
    let x = b.cell("x", 8, 0);
    let c = b.pool().fresh(Sort::Bool);
    let (main, t) = (b.main(), b.thread());
    b.set_path(t, c);
    b.store(t, x, 7);
    b.wait_for(main, t);
    let v = b.load(main, x);
    let seven = b.pool().bits(7, 8);
    let is_seven = b.pool().eq(v, seven);
    b.goal(main, is_seven);
    let mut encoding = b.finish();
    let stats = prune(&mut encoding, &Options::default());
    assert_eq!((stats.forwarded, encoding.rf.len(), encoding.events.len()), (1, 0, 0));
    assert_eq!(encoding.goals[0].guard, c, "it reads 7 exactly when 7 was written");
}

#[test]
fn what_two_threads_wrote_stays_open() {
    let mut b = Builder::new();
    let x = b.cell("x", 8, 0);
    let (main, t, u) = (b.main(), b.thread(), b.thread());
    b.store(t, x, 1);
    b.store(u, x, 2);
    b.wait_for(main, t);
    b.wait_for(main, u);
    let v = b.load(main, x);
    let two = b.pool().bits(2, 8);
    let last = b.pool().eq(v, two);
    b.goal(main, last);
    let mut encoding = b.finish();
    prune(&mut encoding, &Options::default());
    assert_eq!(left(&encoding), [1, 2]);
}

#[test]
fn a_lock_may_see_a_choice_that_frees_it() {
    let mut b = Builder::new();
    let m = b.cell("m", 8, 1);
    let (t, u) = (b.thread(), b.thread());
    let c = b.pool().fresh(Sort::Bool);
    let value = b.pool().bool_to_bits(c, 8);
    b.write(t, m, value);
    b.lock(u, m);
    let yes = b.pool().bool(true);
    b.goal(u, yes);
    let mut encoding = b.finish();
    prune(&mut encoding, &Options::default());
    assert_eq!(encoding.rf.len(), 1, "not from the initial 1, but from the choice");
    assert_eq!(encoding.events[encoding.rf[0].0.index()].value, value);
}

#[test]
fn the_guard_of_a_write_is_needed() {
    let mut b = Builder::new();
    let (x, y) = (b.cell("x", 8, 0), b.cell("y", 8, 0));
    let threads = [b.thread(), b.thread(), b.thread()];
    let v = b.load(threads[0], x);
    let truth = b.pool().truth(v);
    b.assume(threads[0], truth);
    b.store(threads[0], y, 1);
    b.store(threads[1], x, 1);
    let w = b.load(threads[2], y);
    let truth = b.pool().truth(w);
    b.goal(threads[2], truth);
    let mut encoding = b.finish();
    prune(&mut encoding, &Options::default());
    let read = |c: CellId| encoding.events.iter().any(|e| e.kind == EventKind::Read && e.cell == c);
    assert!(read(x) && read(y));
}

#[test]
fn a_lock_sees_only_that_it_is_free() {
    let mut b = Builder::new();
    let (m, x) = (b.cell("m", 8, 0), b.cell("x", 8, 0));
    let threads = [b.thread(), b.thread()];
    for t in threads {
        b.lock(t, m);
        let v = b.load(t, x);
        let one = b.pool().bits(1, 8);
        let more = b.pool().add(v, one);
        b.write(t, x, more);
        b.store(t, m, 0);
        let done = b.pool().eq(more, one);
        b.goal(t, done);
    }
    let original = b.finish();
    let mut encoding = original.clone();
    prune(&mut encoding, &Options::default());
    let constants = left(&encoding);
    assert!(!constants.contains(&1), "no lock reads a taken lock: {constants:?}");
    let locks = encoding.events.iter().filter(|e| {
        e.cell == m && e.kind == EventKind::Write && encoding.pool.constant(e.value) == Some(1)
    });
    assert_eq!(locks.count(), 2, "but taking it still hides that it was free");
}

#[test]
fn what_no_goal_needs_goes() {
    let mut b = Builder::new();
    let (x, y) = (b.cell("x", 8, 0), b.cell("y", 8, 0));
    let (t, u) = (b.thread(), b.thread());
    let v = b.load(t, x);
    b.write(t, y, v);
    b.store(u, x, 1);
    let w = b.load(u, x);
    let truth = b.pool().truth(w);
    b.goal(u, truth);
    let mut encoding = b.finish();
    prune(&mut encoding, &Options::only(&[Rule::Cone]));
    assert!(encoding.events.iter().all(|e| e.cell == x));
    assert_eq!(encoding.events.iter().filter(|e| e.kind == EventKind::Read).count(), 1);
}

#[test]
fn a_replay_knows_which_nodes_happen() {
    let mut b = Builder::new();
    let (x, y) = (b.cell("x", 8, 0), b.cell("y", 8, 0));
    let (main, t) = (b.main(), b.thread());
    b.store(t, x, 1);
    b.store(t, y, 1);
    let v = b.load(main, x);
    let truth = b.pool().truth(v);
    b.goal(main, truth);
    let w = b.load(main, y);
    let truth = b.pool().truth(w);
    b.assume(main, truth);
    let spawn = b.node(main, NodeKind::Spawn);
    let z = b.load(main, x);
    let truth = b.pool().truth(z);
    b.assume(main, truth);
    let end = b.node(main, NodeKind::End);
    let mut encoding = b.finish();
    prune(&mut encoding, &Options::default());
    let guard = |n: NodeId| encoding.nodes[n.index()].guard;
    assert!(encoding.pool.is_false(guard(end)), "it is not needed");
    assert!(!encoding.pool.is_false(guard(spawn)));
    let y_read = encoding.events.iter().any(|e| e.kind == EventKind::Read && e.cell == y);
    assert!(y_read, "whether the thread is started depends on it");
}

#[test]
fn a_fact_that_names_a_term_needs_nothing() {
    for used in [false, true] {
        let mut b = Builder::new();
        let x = b.cell("x", 8, 0);
        let (main, t) = (b.main(), b.thread());
        b.store(t, x, 1);
        let v = b.load(main, x);
        let (name, truth) = (b.pool().fresh(Sort::Bool), b.pool().truth(v));
        let same = b.pool().eq(name, truth);
        b.encoding.facts.push(same);
        let goal = if used { name } else { b.pool().bool(true) };
        b.goal(main, goal);
        let original = b.finish();
        let mut encoding = original.clone();
        prune(&mut encoding, &Options::default());
        assert_eq!(encoding.events.is_empty(), !used);
    }
}

#[test]
fn two_reads_may_share_a_variable() {
    let mut b = Builder::new();
    let x = b.cell("x", 2, 0);
    let (main, t) = (b.main(), b.thread());
    b.store(t, x, 1);
    let v = b.load(main, x);
    b.wait_for(main, t);
    let (second, _) = b.read(main, x);
    b.encoding.events[second.index()].value = v;
    let is_set = b.pool().truth(v);
    b.goal(main, is_set);
    let original = b.finish();
    for options in all_options() {
        let mut encoding = original.clone();
        prune(&mut encoding, &options);
        assert_eq!(goals_reached(&encoding), goals_reached(&original), "{options:?}");
    }
}

#[test]
fn options_are_read() {
    assert_eq!("on".parse(), Ok(Options::default()));
    assert_eq!("off".parse(), Ok(Options::none()));
    assert_eq!("value,cone".parse(), Ok(Options::only(&[Rule::Value, Rule::Cone])));
    let error = "value,con".parse::<Options>().unwrap_err();
    assert!(error.contains("'con'") && error.contains("forward"), "{error}");
}
