use super::*;
use crate::prune::{Options, prune};
use crate::testing::{Builder, Shape, generate, lines};

fn found(encoding: &Encoding, which: Which) -> ConflictCount {
    find(encoding, &StaticOrder::new(encoding), &which, usual_budget(encoding.rf.len()))
}

fn check_all_lines(encoding: &Encoding) -> usize {
    let found = found(encoding, Which::default());
    lines(encoding, |rf, holds| {
        for clause in &found.clauses {
            let all = clause.rf.iter().all(|i| rf.contains(i));
            assert!(!(all && clause.guards.iter().all(|&g| holds(g))), "{clause:?}");
        }
    });
    found.clauses.len()
}

fn check(shape: Shape, seeds: std::ops::Range<u64>) {
    let mut clauses = 0;
    for seed in seeds {
        let mut encoding = generate(shape, seed);
        clauses += check_all_lines(&encoding);
        prune(&mut encoding, &Options::default());
        clauses += check_all_lines(&encoding);
    }
    assert!(clauses > 100, "{clauses} are too few for a test");
}

const TWO: Shape = Shape { threads: 2, statements: 3, cells: 2, reads: 5, inputs_only: true };
const THREE: Shape = Shape { threads: 3, statements: 2, cells: 1, reads: 5, inputs_only: true };

#[test]
fn clauses_hold_in_all_lines() {
    check(TWO, 0..60);
    check(THREE, 0..25);
}

/// For an idle machine: `cargo test --release -p obmc-encoder -- --ignored clauses`.
#[test]
#[ignore = "takes minutes"]
fn clauses_hold_in_all_lines_at_length() {
    check(TWO, 1000..4000);
    check(THREE, 1000..3000);
}

/// The clauses of a structure, candidates as values (write, read).
fn texts(encoding: &Encoding, structure: Structure) -> Vec<String> {
    let found = found(encoding, Which::only(&[structure]));
    let name = |&i: &u32| {
        let (w, r) = encoding.rf[i as usize];
        format!("{}{}", w.0, format_args!("->{}", r.0))
    };
    let text = |c: &Clause| {
        let rf: Vec<String> = c.rf.iter().map(name).collect();
        format!("{} guards {}", rf.join(" "), c.guards.len())
    };
    found.clauses.iter().map(text).collect()
}

#[test]
fn load_buffering_is_a_cycle_of_two() {
    let mut b = Builder::new();
    let (x, y) = (b.cell("x", 8, 0), b.cell("y", 8, 0));
    let (t, u) = (b.thread(), b.thread());
    b.read(t, x); // 2
    b.store(t, y, 1); // 3
    b.read(u, y); // 4
    b.store(u, x, 1); // 5
    let encoding = b.finish();
    assert_eq!(texts(&encoding, Structure::RfRf), ["5->2 3->4 guards 0"]);
}

#[test]
fn two_updates_do_not_read_the_same() {
    let mut b = Builder::new();
    let x = b.cell("x", 8, 0); // 0
    let (t, u) = (b.thread(), b.thread());
    let one = b.pool().bits(1, 8);
    b.update(t, x, |p, v| p.add(v, one)); // 1, 2
    b.update(u, x, |p, v| p.add(v, one)); // 3, 4
    let encoding = b.finish();
    assert_eq!(texts(&encoding, Structure::Rmw), ["0->1 0->3 guards 0"]);
    assert_eq!(texts(&encoding, Structure::RfRf), ["4->1 2->3 guards 0"]);
}

#[test]
fn an_update_may_be_conditional() {
    let mut b = Builder::new();
    let x = b.cell("x", 8, 0); // 0
    let (t, u) = (b.thread(), b.thread());
    let one = b.pool().bits(1, 8);
    for thread in [t, u] {
        let (_, write) = b.update(thread, x, |p, v| p.add(v, one)); // 1, 2 and 3, 4
        b.encoding.events[write.index()].guard = b.pool().fresh(crate::Sort::Bool);
    }
    let encoding = b.finish();
    assert_eq!(texts(&encoding, Structure::Rmw), ["0->1 0->3 guards 2"]);
}

#[test]
fn a_later_read_does_not_see_an_older_write() {
    let mut b = Builder::new();
    let x = b.cell("x", 8, 0); // 0
    let (t, u) = (b.thread(), b.thread());
    b.store(t, x, 1); // 1
    b.store(t, x, 2); // 2
    b.read(u, x); // 3
    b.read(u, x); // 4
    let encoding = b.finish();
    let ws = texts(&encoding, Structure::Ws);
    assert_eq!(ws.len(), 3, "{ws:?}");
    for clause in ["2->3 1->4", "1->3 0->4", "2->3 0->4"] {
        assert!(ws.contains(&format!("{clause} guards 0")), "{ws:?}");
    }
}

#[test]
fn message_passing() {
    let mut b = Builder::new();
    let (x, y) = (b.cell("x", 8, 0), b.cell("y", 8, 0)); // 0, 1
    let (t, u) = (b.thread(), b.thread());
    let c = b.pool().fresh(crate::Sort::Bool);
    b.set_path(t, c);
    b.store(t, x, 1); // 2
    let yes = b.pool().bool(true);
    b.set_path(t, yes);
    b.store(t, y, 1); // 3
    b.read(u, y); // 4
    b.read(u, x); // 5
    let encoding = b.finish();
    assert_eq!(texts(&encoding, Structure::Ws), ["3->4 0->5 guards 1"]);
}

#[test]
fn a_write_before_the_read_comes_after_its_source() {
    let mut b = Builder::new();
    let (x, y) = (b.cell("x", 8, 0), b.cell("y", 8, 0)); // 0, 1
    let (t, u) = (b.thread(), b.thread());
    b.store(t, x, 1); // 2
    b.store(t, y, 1); // 3
    b.read(u, y); // 4
    b.store(u, x, 2); // 5
    b.read(u, x); // 6
    let encoding = b.finish();
    assert_eq!(texts(&encoding, Structure::Fr), ["3->4 2->6 guards 0"]);
}

#[test]
fn an_overwriter_may_be_conditional() {
    let mut b = Builder::new();
    let x = b.cell("x", 8, 0); // 0
    let main = b.main();
    let yes = b.path(main);
    let c = b.pool().fresh(crate::Sort::Bool);
    b.set_path(main, c);
    b.store(main, x, 1); // 1
    b.set_path(main, yes);
    b.read(main, x); // 2
    let encoding = b.finish();
    assert_eq!(texts(&encoding, Structure::Overwrite), ["0->2 guards 1"]);
}

#[test]
fn names_are_read() {
    assert_eq!("on".parse(), Ok(Which::default()));
    assert_eq!("off".parse(), Ok(Which::none()));
    assert_eq!("rf-rf,ws".parse(), Ok(Which::only(&[Structure::RfRf, Structure::Ws])));
    let error = "rf".parse::<Which>().unwrap_err();
    assert!(error.contains("'rf'") && error.contains("overwrite"), "{error}");
}

#[test]
fn the_budget_is_shared() {
    let mut b = Builder::new();
    let (x, y) = (b.cell("x", 8, 0), b.cell("y", 8, 0));
    let threads = [(); 3].map(|()| b.thread());
    let one = b.pool().bits(1, 8);
    for t in threads {
        b.store(t, x, 1);
        b.read(t, y);
        b.update(t, x, |p, v| p.add(v, one));
        b.store(t, y, 2);
        b.read(t, x);
    }
    let encoding = b.finish();
    let all = found(&encoding, Which::default());
    assert!(all.clauses.len() > 60, "{:?}", all.by_structure);
    let some = find(&encoding, &StaticOrder::new(&encoding), &Which::default(), 25);
    assert!((10..=25).contains(&some.clauses.len()), "{:?}", some.by_structure);
    let kinds = |f: &ConflictCount| f.by_structure.iter().filter(|(_, n)| *n > 0).count();
    assert_eq!(kinds(&some), kinds(&all), "{:?} of {:?}", some.by_structure, all.by_structure);
}
