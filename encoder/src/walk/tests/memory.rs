//! Memory: cells, pointers, objects that end.

use super::*;
use crate::guards::Guards;

#[test]
fn a_symbolic_index_is_one_event_per_cell() {
    let text = two(
        "int a[3], i;",
        "i = 1; i = 2;",
        "a[i] = 1; pthread_join(id, 0); if (a[1]) reach_error();",
    );
    let e = encoded(&two(
        "int a[3], i; int s;",
        "i = 1; i = 2; s = a[0] + a[1] + a[2];",
        "a[i] = 1; if (s) reach_error();",
    ));
    let all: Vec<Event> = (0..3).flat_map(|k| writes(&e, &format!("a[{k}]"))).collect();
    assert_eq!(all.len(), 3);
    let mut guards = Guards::default();
    for (i, a) in all.iter().enumerate() {
        assert!(all[..i].iter().all(|b| guards.excludes(&e.pool, a.guard, b.guard)));
        assert_eq!(a.node, all[0].node);
    }
    fails(&text);
    safe(&text.replace("if (a[1])", "if (a[0] + a[1] + a[2] != 1)"));
}

#[test]
fn an_index_out_of_bounds_is_stray() {
    let text = "int a[2]; int main(void) { unsigned char i = __VERIFIER_nondet_uchar() & 3; a[i] = 1; LATER }";
    assert_eq!(reached(&text.replace("LATER", "")), ["invalid"]);
    // An address outside of one object is never inside of another.
    let e = encoded(&format!("int b = 5; {}", text.replace("LATER", "if (b != 5) reach_error();")));
    assert!(goals(&e, "error").is_empty());
    assert_eq!(
        reached("int a[4]; int main(void) { int i = __VERIFIER_nondet_uchar() & 3; a[i] = 1; }"),
        [""; 0]
    );
    assert_eq!(reached("int a[4]; int main(void) { return a[-1]; }"), ["invalid"]);
}

/// An index that wraps in eight bits.
#[test]
fn a_wrapped_product_is_an_index() {
    let text = "unsigned char a[256]; int main(void) { unsigned char x = __VERIFIER_nondet_uchar();
        a[8] = 1; if (a[(unsigned char)(x * 12)] && x == K) reach_error(); }";
    fails(&text.replace('K', "22"));
    safe(&text.replace('K', "21"));
}

#[test]
fn a_null_pointer_ends_the_thread() {
    safe("int main(void) { int *p = 0; *p = 1; reach_error(); }");
    safe(
        "int x; int main(void) { int *p = __VERIFIER_nondet_bool() ? &x : 0; *p = 1; if (x != 1) reach_error(); }",
    );
    fails(
        "int x; int main(void) { int *p = __VERIFIER_nondet_bool() ? &x : 0; *p = 1; if (x == 1) reach_error(); }",
    );
}

#[test]
fn a_division_by_zero_ends_the_thread() {
    safe(
        "int main(void) { int d = __VERIFIER_nondet_bool(); int q = 6 / d; if (d == 0 || q != 6) reach_error(); }",
    );
    safe(
        "int main(void) { int d = __VERIFIER_nondet_bool(); int q = 6 % d; if (d == 0 || q != 0) reach_error(); }",
    );
}

#[test]
fn a_freed_block_is_not_written_or_freed_again() {
    let text = "int main(void) { int *p = malloc(4); *p = 1; free(p); LATER }";
    assert_eq!(reached(&text.replace("LATER", "")), [""; 0]);
    assert_eq!(
        reached(&text.replace("LATER", "free(p); if (*p == 7) reach_error();")),
        ["invalid"]
    );
    assert_eq!(reached(&text.replace("LATER", "*p = 2;")), ["invalid"]);
    assert_eq!(reached(&text.replace("LATER", "free(0);")), [""; 0]);
    let wrong =
        |free: &str| reached(&format!("int x; int main(void) {{ {free} if (x) reach_error(); }}"));
    assert_eq!(wrong("free(&x);"), ["invalid"]);
    assert_eq!(wrong("char *p = malloc(4); free(p + 1);"), ["invalid"]);
}

#[test]
fn a_slot_that_ended_is_stray() {
    let text = "int main(void) { int *p; { int x = 1; p = &x; } LATER }";
    assert_eq!(reached(&text.replace("LATER", "*p = 2;")), ["invalid"]);
    assert_eq!(reached(&text.replace("LATER", "return *p;")), ["invalid"]);
}

/// A local of main that a thread uses.
#[test]
fn a_shared_local_is_shared() {
    let text = "void *t(void *p) { *(char *)p = 1; return 0; }
        int main(void) { char x = 0; pthread_t id; pthread_create(&id, 0, t, &x); x = 2; JOIN
            if (x == 1) reach_error(); }";
    fails(&text.replace("JOIN", "pthread_join(id, 0);"));
    safe(&text.replace("x == 1", "x == 0").replace("JOIN", "pthread_join(id, 0);"));
    // Main's locals end before the process does.
    assert_eq!(reached(&text.replace("JOIN", "")), ["error", "invalid"]);
}

#[test]
fn a_block_is_shared_by_two_threads() {
    let text = "struct s { int a, b; } *s;
        void *t(void *p) { s->a = s->a + 1 & 3; return 0; }
        int main(void) { pthread_t id; s = calloc(1, sizeof *s); s->a = 1; s->b = 0;
            pthread_create(&id, 0, t, 0); s->a = s->a + 1 & 3; pthread_join(id, 0);
            if (s->a == K) reach_error(); }";
    fails(&text.replace('K', "2"));
    fails(&text.replace('K', "3"));
    safe(&text.replace('K', "1"));
}

#[test]
fn a_pointer_may_mean_two_objects() {
    let text = "int x, y, *p; union { int *p; long n; } u;
        void *t(void *q) { *p = 1; return 0; }
        int main(void) { pthread_t id; p = __VERIFIER_nondet_bool() ? &x : &y; u.p = p;
            pthread_create(&id, 0, t, 0); pthread_join(id, 0); if (COND) reach_error(); }";
    fails(&text.replace("COND", "x"));
    fails(&text.replace("COND", "y"));
    safe(&text.replace("COND", "x + y != 1"));
    safe(&text.replace("COND", "*u.p != 1 || u.n != (long)p"));
}

/// Threads see one another's bytes, whatever they take them for.
#[test]
fn overlapping_shared_accesses() {
    let text = two(
        "union { unsigned short s; unsigned char c[2]; } u;",
        "u.s = 0x102;",
        "u.c[0] = 4; pthread_join(id, 0); if (u.s == K) reach_error();",
    );
    fails(&text.replace('K', "0x102"));
    fails(&text.replace('K', "0x104"));
    safe(&text.replace('K', "0x004"));
}

#[test]
fn uninitialised_memory_is_arbitrary() {
    fails("int main(void) { unsigned char *p = malloc(1); if (*p == 77) reach_error(); }");
    safe("int main(void) { unsigned char *p = calloc(1, 1); if (*p) reach_error(); }");
    safe("int x; int main(void) { if (x) reach_error(); }");
    // And the same for everybody.
    safe(
        &two("unsigned char *p, c;", "c = *p;", "")
            .replace("pthread_t id;", "pthread_t id; p = malloc(1); unsigned char d = *p;")
            .replace("t, 0);", "t, 0); pthread_join(id, 0); if (c != d) reach_error();"),
    );
}

#[test]
fn a_constant_is_not_written() {
    safe("int main(void) { char *s = \"k\"; *s = 2; reach_error(); }");
}

/// A block whose size is learnt late is as large as it must be.
#[test]
fn a_size_that_another_thread_sets() {
    let text = two(
        "int n; char *p;",
        "__VERIFIER_assume(n == 2); p = malloc(n); p[1] = 3;",
        "n = 2; pthread_join(id, 0); if (p[1] == K) reach_error();",
    );
    fails(&text.replace('K', "3"));
    safe(&text.replace('K', "4"));
}

/// A number that is an address by chance.
#[test]
fn a_number_is_no_address() {
    let text = two(
        "unsigned x; unsigned long y;",
        "x = 65536; x = 65552;",
        "y = (unsigned long)(x - 65537); pthread_join(id, 0); if (COND) reach_error();",
    );
    fails(&text.replace("COND", "y == 4294967295ul"));
    fails(&text.replace("COND", "y == 15"));
}

/// `body` reads `a[i]` and `a[j]`, which may be anywhere.
fn large(array: &str, body: &str) -> Encoding {
    encoded(&format!(
        "int g[100000]; int main(void) {{ unsigned n = __VERIFIER_nondet_uint(),
         i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint(); {array} {body} }}"
    ))
}

#[test]
fn reads_of_read_only_arrays_are_a_function_of_the_address() {
    let body = "if (a[i] != a[j]) reach_error();";
    let e = large("int a[n];", body);
    assert!(goals(&e, "unsupported").iter().all(|g| g.span.line > 0 && !e.pool.is_true(g.guard)));
    assert_eq!((goals(&e, "error").len(), e.facts.len()), (1, 1));
    // Three reads, three pairs; the same address is read once.
    let e = large(
        "int a[n];",
        "if (a[i] != a[j] || a[i + 1]) reach_error(); if (a[i] == 7) reach_error();",
    );
    assert_eq!(e.facts.len(), 3);
    // Zeros are zeros.
    let e = large("int *a = g;", body);
    assert_eq!((goals(&e, "error").len(), e.facts.len()), (0, 0));
}

#[test]
fn what_is_written_or_read_in_two_sizes_has_cells_only() {
    let refused = |body: &str| {
        let e = large("int a[n];", body);
        let too_many = |g: &Goal| matches!(&g.kind, GoalKind::Unsupported(what) if what.contains("too many targets"));
        assert!(e.goals.iter().any(too_many), "{body}");
    };
    refused("a[0] = 1; if (a[i]) reach_error();");
    refused("if (a[i]) reach_error(); a[j] = 1;");
    refused("if (a[i] + ((char *)a)[j]) reach_error();");
}

#[test]
fn a_wrong_free_that_nothing_follows_is_harmless() {
    let main = |rest: &str| format!("int x; int main(void) {{ BEFORE free(&x); {rest} }}");
    let doubts = |text: &str| goals(&encoded(text), "invalid").len();
    let before = "if (__VERIFIER_nondet_bool()) reach_error();";
    assert_eq!(doubts(&main("x = 1;").replace("BEFORE", before)), 0);
    // An error may follow, here, or in another thread.
    assert_eq!(doubts(&main("if (x) reach_error();").replace("BEFORE", "")), 1);
    let other = two("int x;", "if (x) reach_error();", "free(&x);");
    assert_eq!(doubts(&other), 1);
    assert_eq!(doubts(&other.replace("if (x) reach_error();", "x = 2;")), 0);
    // Other undefined behaviour stays a doubt.
    assert_eq!(doubts("int a[4]; int main(void) { return a[-1]; }"), 1);
}
