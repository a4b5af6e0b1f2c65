//! Programs whose answers are known.

use super::build::{Body, Build, int};
use super::*;
use crate::contract::Reason;
use ir::*;

/// `main` starts these threads, joins them, and then does the rest.
fn threads(build: &mut Build, bodies: &[&dyn Fn(&mut Body)], rest: impl FnOnce(&mut Body)) {
    build.function("main", |b| {
        let ids: Vec<Operand> = (1..=bodies.len()).map(|f| b.spawn(f as u32, int(0))).collect();
        ids.into_iter().for_each(|id| b.join(id));
        rest(b);
    });
    for body in bodies {
        build.function("worker", body);
    }
}

fn counters(locked: bool) -> Program {
    let mut build = Build::new();
    let (x, m) = (build.global("x"), build.global("m"));
    let worker = move |b: &mut Body| {
        if locked {
            b.lock(m);
        }
        b.increment(x);
        if locked {
            b.unlock(m);
        }
    };
    threads(&mut build, &[&worker, &worker], |b| {
        let value = b.load(x);
        b.assert(BinOp::Eq, value, int(2));
    });
    build.done()
}

#[test]
fn an_update_can_get_lost() {
    let Answer::Unsafe(violation) = check(&counters(false), Property::UnreachCall) else {
        panic!("not found");
    };
    assert_eq!(violation.kind, "unreach-call");
    assert!(!violation.trace.is_empty());
    assert_eq!(word(&check(&counters(false), Property::NoDataRace)), "unsafe");
}

#[test]
fn a_lock_protects_an_update() {
    for property in Property::ALL {
        assert_eq!(word(&check(&counters(true), property)), "safe", "{property:?}");
    }
}

fn store_buffering(forbidden: [i32; 2]) -> Program {
    let mut build = Build::new();
    let [x, y, r, s] = ["x", "y", "r", "s"].map(|name| build.global(name));
    let side = |mine, theirs, result| {
        move |b: &mut Body| {
            b.store(mine, int(1));
            let seen = b.load(theirs);
            b.store(result, seen);
        }
    };
    let (left, right) = (side(x, y, r), side(y, x, s));
    threads(&mut build, &[&left, &right], |b| {
        let (r, s) = (b.load(r), b.load(s));
        let first = b.binary(BinOp::Eq, r, int(forbidden[0]));
        let second = b.binary(BinOp::Eq, s, int(forbidden[1]));
        let both = b.binary(BinOp::And, first, second);
        b.assert(BinOp::Eq, both, int(0));
    });
    build.done()
}

#[test]
fn store_buffering_is_sequentially_consistent() {
    assert_eq!(word(&check(&store_buffering([0, 0]), Property::UnreachCall)), "safe");
    for possible in [[0, 1], [1, 0], [1, 1]] {
        let answer = check(&store_buffering(possible), Property::UnreachCall);
        assert_eq!(word(&answer), "unsafe", "{possible:?}");
    }
}

fn two_locks(swapped: bool) -> Program {
    let mut build = Build::new();
    let (m, n) = (build.global("m"), build.global("n"));
    let worker = |first, second| {
        move |b: &mut Body| {
            b.lock(first);
            b.lock(second);
            b.unlock(second);
            b.unlock(first);
        }
    };
    let (one, two) = (worker(m, n), if swapped { worker(n, m) } else { worker(m, n) });
    threads(&mut build, &[&one, &two], |_| {});
    build.done()
}

#[test]
fn crossed_locks_deadlock() {
    assert_eq!(word(&check(&two_locks(true), Property::NoDeadlock)), "unsafe");
    assert_eq!(word(&check(&two_locks(false), Property::NoDeadlock)), "safe");
}

#[test]
fn looping_for_ever_is_no_deadlock() {
    let mut build = Build::new();
    let x = build.global("x");
    threads(
        &mut build,
        &[&|b: &mut Body| {
            b.do_while(|b| {
                let value = b.load(x);
                b.binary(BinOp::Eq, value, int(0))
            })
        }],
        |_| {},
    );
    assert_eq!(word(&check(&build.done(), Property::NoDeadlock)), "safe");
}

#[test]
fn a_quiet_loop_does_not_hide_the_others() {
    let mut build = Build::new();
    let x = build.global("x");
    let spin = |b: &mut Body| b.do_while(|_| int(1));
    let bad = move |b: &mut Body| {
        let value = b.load(x);
        b.assert(BinOp::Ne, value, int(0));
    };
    threads(&mut build, &[&spin, &bad], |_| {});
    let program = build.done();
    assert_eq!(word(&check(&program, Property::UnreachCall)), "unsafe");
    assert_eq!(word(&check(&program, Property::NoOverflow)), "safe");
}

#[test]
fn small_inputs_are_enumerated() {
    for (forbidden, expected) in [(77, "unsafe"), (256, "safe")] {
        let mut build = Build::new();
        threads(&mut build, &[], |b| {
            let input = b.nondet(8);
            let square = b.binary(BinOp::Mul, input, input);
            b.assert(BinOp::Ne, square, int(forbidden * forbidden));
        });
        assert_eq!(word(&check(&build.done(), Property::UnreachCall)), expected);
    }
}

#[test]
fn large_inputs_prove_nothing() {
    let squared = |op: BinOp, forbidden: i32| {
        let mut build = Build::new();
        threads(&mut build, &[], |b| {
            let input = b.nondet(32);
            let square = b.binary(BinOp::Mul, input, input);
            b.assert(op, square, int(forbidden));
        });
        check(&build.done(), Property::UnreachCall)
    };
    let Answer::Unknown(Reason::Domain { what, span }) = squared(BinOp::Ne, 2) else {
        panic!("a square is never 2 modulo 2^32, but we cannot know");
    };
    assert_eq!(what, "input");
    assert_ne!(span.line, 0);
    assert_eq!(word(&squared(BinOp::Ne, 1)), "unsafe");
}

fn message_passing(store: MemoryOrder, load: MemoryOrder) -> Program {
    let mut build = Build::new();
    let (data, flag) = (build.global("data"), build.global("flag"));
    let sender = move |b: &mut Body| {
        b.store(data, int(1));
        b.store_as(flag, int(1), store);
    };
    let receiver = move |b: &mut Body| {
        let ready = b.load_as(flag, load);
        b.when(ready, |b| {
            b.load(data);
        });
    };
    threads(&mut build, &[&sender, &receiver], |_| {});
    build.done()
}

#[test]
fn release_and_acquire_order_what_relaxed_does_not() {
    use MemoryOrder::*;
    let answer = |store, load| word(&check(&message_passing(store, load), Property::NoDataRace));
    assert_eq!(answer(SeqCst, SeqCst), "safe");
    assert_eq!(answer(Release, Acquire), "safe");
    assert_eq!(answer(Relaxed, Acquire), "unsafe");
    assert_eq!(answer(Release, Relaxed), "unsafe");
    assert_eq!(answer(Plain, Acquire), "unsafe");
}

#[test]
fn two_user_atomic_blocks_do_not_race() {
    for (kind, expected) in [(AtomicKind::User, "safe"), (AtomicKind::Internal, "unsafe")] {
        let mut build = Build::new();
        let x = build.global("x");
        let worker = move |b: &mut Body| b.atomic(kind, |b| b.increment(x));
        threads(&mut build, &[&worker, &worker], |_| {});
        assert_eq!(word(&check(&build.done(), Property::NoDataRace)), expected);
    }
}

#[test]
fn a_bound_bounds_the_answer() {
    let mut build = Build::new();
    let stop = |b: &mut Body| b.stop(Terminator::Stop(Stop::Bound(ir::LoopId(0))));
    threads(&mut build, &[&stop], |_| {});
    let Answer::Bounded { cut } = check(&build.done(), Property::UnreachCall) else {
        panic!("not bounded");
    };
    assert_eq!(cut.len(), 1);
}

#[test]
fn what_is_not_modelled_hides_no_violation_elsewhere() {
    for (asserted, expected) in [(0, "unknown"), (1, "unsafe")] {
        let mut build = Build::new();
        let x = build.global("x");
        let odd = move |b: &mut Body| {
            b.store(x, int(1));
            b.inst(InstKind::Unsupported { what: "odd".into() });
        };
        let bad = move |b: &mut Body| {
            let value = b.load(x);
            let both = b.binary(BinOp::And, value, int(asserted));
            b.assert(BinOp::Eq, both, int(0));
        };
        threads(&mut build, &[&odd, &bad], |_| {});
        assert_eq!(word(&check(&build.done(), Property::UnreachCall)), expected);
    }
}

#[test]
fn the_end_of_the_process_hides_nothing_before_it() {
    let mut build = Build::new();
    let x = build.global("x");
    build.function("main", |b| {
        b.spawn(1, int(0));
        b.store(x, int(1));
    });
    build.function("worker", |b| {
        let value = b.load(x);
        b.assert(BinOp::Eq, value, int(0));
    });
    assert_eq!(word(&check(&build.done(), Property::UnreachCall)), "unsafe");
}

#[test]
fn a_question_whether_a_thread_has_ended_sees_both_answers() {
    for forbidden in [0, 1] {
        let mut build = Build::new();
        let x = build.global("x");
        build.function("main", |b| {
            let id = b.spawn(1, int(0));
            let (seen, ended) = (b.load(x), b.ended(id));
            let _ = seen;
            b.assert(BinOp::Ne, ended, int(forbidden));
        });
        build.function("worker", |b| b.store(x, int(1)));
        assert_eq!(word(&check(&build.done(), Property::UnreachCall)), "unsafe");
    }
}

#[test]
fn a_local_that_is_passed_on_may_die_too_early() {
    for (joins_first, expected) in [(true, "safe"), (false, "unsafe")] {
        let mut build = Build::new();
        build.function("main", |b| {
            let local = b.slot();
            b.store_through(local, int(0));
            let id = b.spawn(1, local);
            if joins_first {
                b.join(id);
                b.slot_dead(local);
            } else {
                b.slot_dead(local);
                b.join(id);
            }
        });
        build.function("worker", |b| {
            let argument = b.argument();
            b.load_through(argument);
        });
        assert_eq!(word(&check(&build.done(), Property::ValidMemsafety)), expected);
    }
}

#[test]
fn threads_that_share_nothing_need_no_interleaving() {
    let mut build = Build::new();
    let globals: Vec<ObjectId> = (0..4).map(|i| build.global(&format!("x{i}"))).collect();
    let worker = |object| {
        move |b: &mut Body| {
            for _ in 0..5 {
                b.increment(object);
            }
        }
    };
    let bodies: Vec<_> = globals.iter().map(|&g| worker(g)).collect();
    let bodies: Vec<&dyn Fn(&mut Body)> = bodies.iter().map(|b| b as _).collect();
    threads(&mut build, &bodies, |b| {
        let value = b.load(globals[0]);
        b.assert(BinOp::Eq, value, int(5));
    });
    let verdict = verdict(&build.done(), Property::UnreachCall, Por::On);
    assert_eq!(word(&verdict.answer), "safe");
    assert!(states(&verdict) < 10, "{:?}", verdict.stats);
}

#[test]
fn counterexamples_switch_rarely() {
    let Answer::Unsafe(violation) = check(&counters(false), Property::UnreachCall) else {
        panic!("not found");
    };
    let threads: Vec<u32> = violation.trace.iter().map(|step| step.thread.0).collect();
    let switches = threads.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(switches <= 5, "{threads:?}");
}
