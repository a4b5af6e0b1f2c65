use crate::lower::testing::{ILP32, error, has, hasnt, ir, ir_on, value};

#[test]
fn compound_assignment_computes_in_the_common_type() {
    let text = "void f(int i, double d) { i += d; }";
    has(&ir(text), &["cast i32 to f64", "add f64", "cast f64 to i32"]);
    let text = "void f(unsigned char c) { c <<= 1; }";
    has(&ir(text), &["cast u8 to i32", "shl i32", "cast i32 to u8"]);
    let text = "void f(short *p) { p += 2; }";
    has(&ir(text), &["ptradd", ", 4 * 1"]);
}

#[test]
fn atomic_compound_assignment_is_one_step() {
    let text = "_Atomic int x; void f(int n) { x += n; }";
    let steps = [
        "atomic_begin\n",
        "load i32 @x seq_cst",
        "add i32",
        "store i32 @x, ",
        "seq_cst",
        "atomic_end",
    ];
    has(&ir(text), &steps);
    let text = "_Atomic unsigned x; unsigned f(void) { return x++; }";
    has(&ir(text), &["atomic_begin", "%0 = load u32 @x seq_cst", "atomic_end", "return %0"]);
    // The right side is evaluated before.
    let text = "_Atomic int x; int g(void); void f(void) { x -= g(); }";
    has(&ir(text), &["call g()", "atomic_begin", "sub i32", "atomic_end"]);
    hasnt(&ir("int x; void f(void) { x++; }"), &["atomic_begin", "seq_cst"]);
}

#[test]
fn prefix_and_postfix() {
    has(&ir("int f(int i) { return i++; }"), &["%1 = i.0", "add i32 %1, 1 checked", "return %1"]);
    has(&ir("int f(int i) { return --i; }"), &["%2 = sub i32 %1, 1", "return %2"]);
    has(&ir("int *f(int *p) { return p--; }"), &["%1 = p.0", "ptradd %1, -4 * 1", "return %1"]);
    has(&ir("void f(float x) { x++; }"), &["add f32 %1, 1.0f"]);
}

#[test]
fn shifts_have_the_type_of_the_left_side() {
    has(&ir("int f(short s, long n) { return s << n; }"), &["shl i32 %2, n.1 checked"]);
    has(&ir("int f(unsigned char c) { return c >> 1; }"), &["shr i32 %1, 1"]);
    has(&ir("unsigned f(unsigned u) { return u >> 31; }"), &["shr u32"]);
    assert_eq!(error("int f(double d) { return 1 << d; }"), "1:26: only integers can be shifted");
}

#[test]
fn pointers_and_integers_compare_as_pointers() {
    has(&ir("int f(int *p) { return p == -1; }"), &["eq ptr p.0, 0xffffffffffffffff"]);
    has(&ir("int f(int *p, long n) { return p < n; }"), &["cast i64 to ptr n.1", "lt ptr"]);
    has(&ir("int f(int *p, char *q) { return p != q; }"), &["ne ptr p.0, q.1"]);
}

#[test]
fn pointer_differences_count_elements() {
    let text = "struct s { int a, b, c; }; long f(struct s *p, struct s *q) { return p - q; }";
    has(&ir(text), &["cast ptr to i64", "cast ptr to i64", "sub i64", "div i64", ", 12"]);
    assert_eq!(value("int a[9];", "&a[7] - &a[2]"), 5);
    has(&ir("long f(void *p, char *q) { return p - q; }"), &["sub i64"]);
    assert_eq!(
        error("int f(int *p) { return 1 - p; }"),
        "1:24: this operator does not apply to `int` and `int *`"
    );
    assert_eq!(error("int *f(int *p) { return p + 1.5; }"), "1:25: an index must be an integer");
}

#[test]
fn indices_scale_and_extend() {
    has(&ir("int f(int *a, unsigned i) { return a[i]; }"), &["cast u32 to i64 i.1", "* 4"]);
    has(&ir("int f(int *a, char i) { return i[a]; }"), &["cast i8 to i64 i.1", "ptradd a.0, "]);
    has(&ir_on(ILP32, "int f(int *a, long long i) { return a[i]; }"), &["cast i64 to i32"]);
    let text = "struct s; int *f(struct s *p) { return p + 1; }";
    assert_eq!(error(text), "1:40: the size of `struct s` is not known here");
}

#[test]
fn the_second_side_is_evaluated_only_if_needed() {
    let text = "int g(void); int f(int x) { return x && g(); }";
    has(&ir(text), &["%1 = 0", "if x.0 goto b1 else b2", "b1:", "call g()", "%1 = %", "b2:"]);
    let text = "int g(void); int f(int x) { return x || g(); }";
    has(&ir(text), &["%1 = 1", "if x.0 goto b2 else b1"]);
    hasnt(&ir("int g(void); int f(void) { return 0 && g(); }"), &["call"]);
    has(&ir("int g(void); int f(void) { return 1 && g(); }"), &["call g()", "ne i32"]);
    assert_eq!(error("int f(void) { return 0 && y; }"), "1:27: `y` is not declared");
}

#[test]
fn what_cannot_be_assigned_to() {
    for (text, message) in [
        ("int a[3], b[3]; void f(void) { a = b; }", "1:32: an array cannot be assigned to"),
        ("void f(void) { 1 = 2; }", "1:16: this is a value, not something that has an address"),
        (
            "void f(int x) { (x + 1) = 2; }",
            "1:17: this is a value, not something that has an address",
        ),
        ("void g(void); void f(void) { g = 0; }", "1:30: a function cannot be assigned to"),
        (
            "int f(int x) { return &x++; }",
            "1:24: this is a value, not something that has an address",
        ),
        (
            "struct { int b : 3; } s; int *f(void) { return &s.b; }",
            "1:48: a bit-field has no address",
        ),
    ] {
        assert_eq!(error(text), message);
    }
}

#[test]
fn signed_arithmetic_is_checked_and_unsigned_wraps() {
    has(
        &ir("int f(int a) { return -a * a; }"),
        &["neg i32 a.0 checked", "mul i32 %1, a.0 checked"],
    );
    hasnt(&ir("unsigned f(unsigned a) { return -a * a + a; }"), &["checked"]);
    assert_eq!(value("", "0u - 1"), 4294967295);
    has(&ir("double f(double a) { return -a; }"), &["neg f64 a.0\n"]);
}

#[test]
fn wide_bit_fields_stay_what_they_are() {
    let of = |e: &str| {
        let fields = "struct s { unsigned long a : 56, b : 38; long c : 40; } s;";
        ir(&format!("{fields} long f(int n, unsigned u, long l) {{ return {e}; }}"))
    };
    // gcc computes these in 56 bits.
    for e in
        ["s.a + 1", "n - (s.a ?: s.b)", "(l ? s.a : s.b) * 2", "(s.a | u) + 1", "(s.a >> 1) + n"]
    {
        has(&of(e), &["unsupported", "arithmetic in the width of a bit-field"]);
    }
    let wider = "struct s { long long a : 35; } s; unsigned long u;";
    assert_eq!(value(wider, "_Generic(s.a * u, unsigned long: 1, default: 2)"), 1);
    has(&of("_Generic(s.a ^ 16, int: 1, default: 2)"), &["unsupported", "_Generic"]);
    // A negative number becomes one of 56 bits.
    for e in ["s.a < n", "s.a == -1", "s.a | n", "l ? s.a : n", "s.a / s.c"] {
        has(&of(e), &["unsupported", "arithmetic in the width of a bit-field"]);
    }
    for e in
        ["s.a + l", "s.a < 5", "s.a == u", "s.a & 7", "s.c < n", "(l ? s.a : s.b) + l", "s.c / n"]
    {
        hasnt(&of(e), &["unsupported"]);
    }
}
