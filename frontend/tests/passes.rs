//! Passes on IR that comes from C text, models included.

use analysis::{callgraph, escape, inline, loops, spin, trip_count, unroll};
use frontend::{LoadOptions, Source, load};
use ir::types::Machine;
use ir::{Callee, FuncId, InstKind, Program};
use ir::{print, verify};

const PTHREAD: &str = "typedef unsigned long pthread_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_join(pthread_t, void **);
    ";

/// The prepared program; `text` follows the declarations above on line 4.
fn prepared(text: &str) -> Program {
    let text = format!("{PTHREAD}{text}");
    let unit = Source { name: "test.c", text: text.as_bytes(), moved: &[] };
    let program = load(&[unit], Machine::Lp64, &LoadOptions::default()).expect("valid C");
    assert_eq!(verify::program(&program), []);
    analysis::prepare(program)
}

fn function(program: &Program, name: &str) -> FuncId {
    let found = program.functions.iter().position(|f| f.name == name);
    FuncId(found.unwrap_or_else(|| panic!("no function {name}")) as u32)
}

#[test]
fn loops_are_named_in_source_order() {
    let p = prepared(
        "int g;
         int main(void) {
           for (int i = 0; i < 3; i++)
             for (int j = 0; j < i; j++) g++;
           do { while (g > 5) g--; g++; } while (g < 3);
         again:
           if (g++ < 10) goto again;
           while (1) { if (g) break; g++; }
         }",
    );
    let found = loops::loops(&p);
    let told: Vec<_> = found.iter().map(|l| (l.name.as_str(), l.span.line, l.depth)).collect();
    let expected = [
        ("main.0", 6, 1),
        ("main.1", 7, 2),
        ("main.2", 8, 1),
        ("main.3", 8, 2),
        ("main.4", 10, 1),
        ("main.5", 11, 1),
    ];
    assert_eq!(told, expected, "{}", print::program(&p));
}

#[test]
fn counted_loops_have_a_known_number_of_rounds() {
    let p = prepared(
        "enum { N = 4 };
         int g, a[10];
         int main(void) {
           for (int i = 0; i < N; i++) g += i;
           for (unsigned char c = 250; c >= 250; c++) g++;
           int n = 10;
           while (n-- > 0) a[n] = n;
           for (int i = 0; i < g; i++) a[0]++;
         }",
    );
    let found = loops::loops(&p);
    let enough = trip_count::enough(&p, &found, 100);
    assert_eq!(enough, [Some(5), Some(7), Some(11), None], "{}", print::program(&p));
}

/// Collapses spin loops; gives how many of `main`'s loops are left, and the text.
fn spun(body: &str) -> (usize, String) {
    let mut p = prepared(&format!(
        "int flag, turn; _Atomic int a; int lock; int sched_yield(void);
         int main(void) {{ {body} }}"
    ));
    spin::collapse(&mut p, spin::Goal::Reachability);
    assert_eq!(verify::program(&p), []);
    let main = function(&p, "main");
    let left = loops::loops_of(&p.functions[main.index()], main).len();
    (left, print::program(&p))
}

#[test]
fn waiting_loops_become_waits() {
    let waits = [
        "while (!flag);",
        "while (a != 1) sched_yield();",
        "int seen; do { seen = a; } while (seen == 0); return seen;",
        "while (__sync_val_compare_and_swap(&lock, 0, 1) != 0);",
        "while (!__sync_bool_compare_and_swap(&lock, 0, 1));",
        "int e = 0; while (!__atomic_compare_exchange_n(&lock, &e, 1, 0, 5, 5)) e = 0;",
        "int e; do { e = 0; } while (!__atomic_compare_exchange_n(&lock, &e, 1, 0, 5, 5));",
        "for (;;) { if (flag) break; }",
        "while (__sync_lock_test_and_set(&lock, 1));",
        "while (__atomic_exchange_n(&lock, 1, 5) != 0); __atomic_store_n(&lock, 0, 5);",
    ];
    for body in waits {
        let (left, text) = spun(body);
        assert_eq!(left, 0, "{body}\n{text}");
        assert!(text.contains("wait 0"), "{body}\n{text}");
    }
}

#[test]
fn rounds_of_several_reads_stay_apart() {
    let (left, text) = spun("while (flag && turn == 1);");
    assert_eq!(left, 0, "{text}");
    assert!(text.contains("assume 0") && !text.contains("wait 0"), "{text}");
}

/// A failing exchange only reloads what it expects: the iteration that succeeds is all that counts.
#[test]
fn exchanges_that_reload_are_one_step() {
    let body = "int e = 0; while (!__atomic_compare_exchange_n(&lock, &e, e + 1, 0, 5, 5));";
    let (left, text) = spun(body);
    assert_eq!(left, 0, "{text}");
    let counted = "int e = 0, n = 0;
        while (!__atomic_compare_exchange_n(&lock, &e, e + 1, 0, 5, 5)) n++; return n;";
    assert_eq!(spun(counted).0, 1, "iterations that are counted stay");
}

#[test]
fn loops_with_effects_stay() {
    let kept = [
        "while (!flag) turn++;",
        "int n = 0; while (!flag) n++; return n;",
        "while (__sync_fetch_and_add(&lock, 1) != 0);",
        "while (__sync_lock_test_and_set(&lock, 1)); lock = 2;",
    ];
    for body in kept {
        let (left, text) = spun(body);
        assert_eq!(left, 1, "{body}\n{text}");
    }
}

const WORKERS: &str = "int g;
    void *worker(void *arg) { *(int *)arg = 1; return 0; }
    void *other(void *arg) { g = 1; return 0; }
    static int sum(int *a) { int s = 0; for (int i = 0; i < 3; i++) s += a[i]; return s; }
    int main(void) {
      pthread_t t, more[2];
      int shared = 0, mine[3] = {1, 2, 3};
      pthread_create(&t, 0, worker, &shared);
      for (int i = 0; i < 2; i++) pthread_create(&more[i], 0, other, 0);
      void *(*f)(void *) = g ? worker : other;
      f(&mine[0]);
      pthread_join(t, 0);
      return sum(mine);
    }";

#[test]
fn threads_start_where_pthread_create_is_called() {
    let p = prepared(WORKERS);
    let told: Vec<_> = callgraph::threads(&p)
        .iter()
        .map(|s| (p.functions[s.entry.index()].name.clone(), s.span.line, s.repeated))
        .collect();
    assert_eq!(told, [("worker".to_owned(), 11, false), ("other".to_owned(), 12, true)]);
}

#[test]
fn only_what_a_thread_gets_is_shared() {
    let p = prepared(WORKERS);
    let main = function(&p, "main");
    let slots = &p.functions[main.index()].slots;
    let shared = escape::shared_slots(&p);
    let names: Vec<_> = (slots.iter().zip(&shared[main.index()]))
        .filter_map(|(slot, shared)| shared.then_some(slot.name.as_deref()?))
        .collect();
    assert_eq!(names, ["shared"]);
}

#[test]
fn unrolled_threads_have_no_cycles_and_no_calls() {
    let p = prepared(WORKERS);
    let limits = inline::Limits::default();
    let (flat, found) =
        analysis::unrolled(p, &unroll::Bounds::all(3), 100, &limits).expect("small enough");
    for root in analysis::roots(&flat) {
        let f = &flat.functions[root.index()];
        assert_eq!(loops::loops_of(f, root), [], "{}", f.name);
        let calls = f.blocks.iter().flat_map(|b| &b.insts).filter(|i| match &i.kind {
            InstKind::Call { callee: Callee::Direct(f), .. } => {
                flat.functions[f.index()].has_body()
            }
            _ => false,
        });
        assert_eq!(calls.count(), 0, "{}", f.name);
    }
    // All loops have known iterations, so constants decide that no bound is reached.
    let main = &flat.functions[flat.entry.index()];
    let text = format!("{main:?}");
    assert!(!text.contains("Bound("), "{found:?}");
}

#[test]
fn rounds_in_a_callee_may_be_known_by_its_arguments() {
    let p = prepared(
        "int g;
         static void add(int n) { for (int i = 0; i < n; i++) g += i; }
         int main(int c) { add(3); add(c); }",
    );
    let limits = inline::Limits::default();
    let (flat, found) = analysis::unrolled(p, &unroll::Bounds::all(2), 10, &limits).expect("small");
    let names: Vec<_> = found.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(names, ["add.0", "add.0"], "twice in main; no call of the function itself is left");
    let main = format!("{:?}", flat.functions[flat.entry.index()]);
    assert_eq!(main.matches("Bound(").count(), 1, "only the second call is bounded");
}

#[test]
fn recursion_is_cut_with_a_name() {
    let p =
        prepared("int f(int n) { return n ? f(n - 1) + 1 : 0; } int main(int c) { return f(c); }");
    let limits = inline::Limits { depth: 3, ..inline::Limits::default() };
    let (flat, found) = analysis::unrolled(p, &unroll::Bounds::all(3), 0, &limits).expect("small");
    let cut: Vec<_> = found.iter().map(|l| l.name.as_str()).collect();
    assert!(cut.contains(&"f.recursion"), "{cut:?}");
    assert!(format!("{:?}", flat.functions[flat.entry.index()]).contains("Bound("));
}
