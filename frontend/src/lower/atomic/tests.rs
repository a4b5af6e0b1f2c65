use crate::lower::testing::{error, has, hasnt, ir, value};

#[test]
fn loads_and_stores_have_their_order() {
    for (number, order) in [(0, "relaxed"), (1, "acquire"), (2, "acquire"), (5, "seq_cst")] {
        let text = format!("int f(int *p) {{ return __atomic_load_n(p, {number}); }}");
        has(&ir(&text), &[&format!("load i32 p.0 {order}")]);
    }
    for (number, order) in [(0, "relaxed"), (3, "release"), (5, "seq_cst")] {
        let text = format!("void f(char *p) {{ __atomic_store_n(p, 300, {number}); }}");
        has(&ir(&text), &[&format!("store i8 p.0, 44 {order}")]);
    }
    has(&ir("int f(int *p, int o) { return __atomic_load_n(p, o); }"), &["load i32 p.0 seq_cst"]);
    has(
        &ir("void f(int *p, int *q) { __atomic_load(p, q, 2); }"),
        &["load i32 p.0 acquire", "store i32 q.1, %2\n"],
    );
    has(
        &ir("void f(int *p, int *q) { __atomic_store(p, q, 3); }"),
        &["load i32 q.1\n", "store i32 p.0, %2 release"],
    );
}

#[test]
fn atomic_variables_are_sequentially_consistent() {
    has(
        &ir("_Atomic int x; int f(void) { x = 1; return x; }"),
        &["store i32 @x, 1 seq_cst", "load i32 @x seq_cst"],
    );
    has(
        &ir("struct { _Atomic long n; int p; } x; long f(void) { return x.n + x.p; }"),
        &["load i64 @x seq_cst", "load i32 @x+8\n"],
    );
    has(&ir("int f(_Atomic int *p) { return *p; }"), &["load i32 p.0 seq_cst"]);
}

#[test]
fn read_modify_write_is_one_step_with_both_halves() {
    for (name, op) in [("add", "add"), ("sub", "sub"), ("and", "and"), ("or", "or"), ("xor", "xor")]
    {
        let fetch = format!("int f(int *p) {{ return __atomic_fetch_{name}(p, 3, 4); }}");
        has(
            &ir(&fetch),
            &[
                "atomic_begin\n",
                "%1 = load i32 p.0 acquire",
                &format!("%2 = {op} i32 %1, 3\n"),
                "store i32 p.0, %2 release",
                "atomic_end",
                "return %1",
            ],
        );
        let fetch = format!("int f(int *p) {{ return __atomic_{name}_fetch(p, 3, 0); }}");
        has(
            &ir(&fetch),
            &["load i32 p.0 relaxed", "store i32 p.0, %2 relaxed", "atomic_end", "return %2"],
        );
        let sync = format!("int f(int *p) {{ return __sync_fetch_and_{name}(p, 3); }}");
        has(
            &ir(&sync),
            &["atomic_begin\n", "seq_cst", &format!("{op} i32"), "seq_cst", "return %1"],
        );
        let sync = format!("int f(int *p) {{ return __sync_{name}_and_fetch_4(p, 3); }}");
        has(&ir(&sync), &[&format!("{op} u32"), "cast u32 to i32 %2"]);
    }
    has(
        &ir("int f(int *p) { return __atomic_fetch_nand(p, 3, 5); }"),
        &["and i32", "not i32", "store i32"],
    );
    has(
        &ir("int f(unsigned char *p) { return __atomic_fetch_add(p, 1, 5); }"),
        &["load u8", "add u8", "store u8", "cast u8 to i32"],
    );
    has(
        &ir("char *f(char **p) { return __atomic_fetch_add(p, 8, 5); }"),
        &["load ptr", "add ptr", "store ptr"],
    );
}

#[test]
fn exchanges() {
    has(
        &ir("int f(int *p) { return __atomic_exchange_n(p, 7, 2); }"),
        &["atomic_begin", "load i32 p.0 acquire", "store i32 p.0, 7 relaxed", "atomic_end"],
    );
    has(
        &ir("void f(int *p, int *a, int *b) { __atomic_exchange(p, a, b, 5); }"),
        &["load i32 a.1", "atomic_begin", "atomic_end", "store i32 b.2"],
    );
    has(
        &ir("int f(int *p) { return __sync_lock_test_and_set(p, 1); }"),
        &["load i32 p.0 acquire", "store i32 p.0, 1 relaxed"],
    );
    has(&ir("void f(int *p) { __sync_lock_release(p); }"), &["store i32 p.0, 0 release"]);
    has(
        &ir("_Bool f(void *p) { return __atomic_test_and_set(p, 5); }"),
        &["load u8 p.0 seq_cst", "store u8 p.0, 1 seq_cst"],
    );
    has(&ir("void f(_Bool *p) { __atomic_clear(p, 3); }"), &["store u8 p.0, 0 release"]);
}

#[test]
fn compare_exchange() {
    let text = "_Bool f(int *p, int *e) { return __atomic_compare_exchange_n(p, e, 5, 0, 4, 0); }";
    let ir_text = ir(text);
    has(
        &ir_text,
        &[
            "load i32 e.1\n",
            "atomic_begin",
            "load i32 p.0 relaxed",
            "eq i32",
            "load i32 p.0 acquire",
            "store i32 p.0, 5 release",
            "atomic_end",
            "store i32 e.1,",
        ],
    );
    // The order of failure can be the stronger one.
    let text =
        "_Bool f(int *p, int *e, int *d) { return __atomic_compare_exchange(p, e, d, 1, 0, 2); }";
    has(&ir(text), &["load i32 d.2", "load i32 p.0 relaxed", "store i32 p.0, %3 relaxed"]);
    has(&ir(text), &["load i32 p.0 acquire"]);
    has(
        &ir("_Bool f(int *p) { return __sync_bool_compare_and_swap(p, 1, 2); }"),
        &["load i32 p.0 seq_cst", "eq i32 %1, 1", "store i32 p.0, 2 seq_cst", "cast i32 to u8"],
    );
    has(
        &ir("int f(int *p) { return __sync_val_compare_and_swap(p, 1, 2); }"),
        &["%1 = load i32", "return %1"],
    );
}

#[test]
fn fences() {
    has(&ir("void f(void) { __atomic_thread_fence(2); }"), &["fence acquire"]);
    has(&ir("void f(void) { __sync_synchronize(); }"), &["fence seq_cst"]);
    hasnt(&ir("void f(void) { __atomic_signal_fence(5); }"), &["fence"]);
    assert_eq!(value("", "__atomic_always_lock_free(4, 0)"), 1);
}

#[test]
fn what_is_no_atomic_operand() {
    for (text, message) in [
        ("void f(int x) { __atomic_load_n(x, 0); }", "1:33: an atomic operation needs a pointer"),
        ("void f(void *p) { __atomic_load_n(p, 0); }", "1:35: an atomic operation on `void`"),
        (
            "void f(int *p) { __atomic_store_n(p, 0); }",
            "1:18: too few arguments for `__atomic_store_n`",
        ),
        (
            "void f(int *p) { __sync_fetch_and_add(p); }",
            "1:18: too few arguments for `__sync_fetch_and_add`",
        ),
    ] {
        assert_eq!(error(text), message);
    }
    has(
        &ir(
            "struct s { long double a; char b[99]; }; void f(struct s *p, struct s *q) { __atomic_load(p, q, 5); }",
        ),
        &["unsupported"],
    );
}
