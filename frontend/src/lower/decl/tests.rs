use crate::lower::testing::{error, function, has, ir, program, value};

#[test]
fn declarators_read_inside_out() {
    for (declaration, name) in [
        ("int *x[3]", "int * [3]"),
        ("int (*x)[3]", "int [3] *"),
        ("int (*x)(char)", "int (*)(char)"),
        ("int (*x[2])(void)", "int (*)() [2]"),
        ("int *(*x)(int (*)(void))", "int * (*)(int (*)())"),
        ("unsigned long int long x", "unsigned long long"),
        ("long unsigned x", "unsigned long"),
        ("short signed int x", "short"),
        ("const volatile x", "int"),
        ("_Atomic(int) *x", "_Atomic int *"),
        ("int *_Atomic x", "_Atomic int *"),
        ("__typeof__(1L) x", "long"),
        ("typedef short t; __typeof__(t) x", "short"),
        ("typedef int t[3]; int (*x)(t)", "int (*)(int *)"),
    ] {
        let p = program(&format!("{declaration};"));
        assert_eq!(p.types.name(p.objects[0].ty), name, "{declaration}");
    }
    assert_eq!(error("short long x;"), "1:1: these type specifiers do not go together");
}

#[test]
fn parameters_are_adjusted() {
    let p =
        program("void g(int a[3], int h(char), int n, int b[n]) {} void *f(void) { return g; }");
    has(&function(&p, "g"), &["fn g(a.0: ptr, h.1: ptr, n.2: i32, b.3: ptr)"]);
    has(&ir("int f(int n, int a[n][4]) { return sizeof *a; }"), &["return 16"]);
    has(&ir("void g(int n, int a[n]); void f(void) { g(1, 0); }"), &["call g(1, null)"]);
}

#[test]
fn static_assertions() {
    program(
        "_Static_assert(sizeof(int) == 4, \"four\"); struct s { _Static_assert(1, \"\"); int a; };",
    );
    assert_eq!(error("_Static_assert(0, \"no\");"), "1:1: static assertion failed: \"no\"");
    assert_eq!(
        error("void f(int n) { _Static_assert(n, \"\"); }"),
        "1:32: this must be an integer constant"
    );
}

#[test]
fn auto_type_takes_the_value_type() {
    has(&ir("long f(short s) { __auto_type x = s + 1L; return x; }"), &["reg x.1: i64"]);
}

#[test]
fn array_sizes() {
    assert_eq!(value("enum { N = 3 }; int a[N * 2 + sizeof(char)];", "sizeof a"), 28);
    assert_eq!(value("int a[1 ? 2 : -1];", "sizeof a"), 8);
    for (text, message) in [
        ("int a[-1];", "1:6: the size of this array is out of range"),
        ("int n; int a[n];", "1:13: the size of this array is not a constant"),
    ] {
        assert!(error(text).starts_with(message), "{text}: {}", error(text));
    }
}
