use crate::lower::testing::{
    ILP32, LP64, error, function, has, hasnt, ir, ir_on, program, units, value,
};

#[test]
fn assertions_in_all_forms() {
    has(
        &ir(
            "void __assert_fail(const char *, const char *, unsigned, const char *); void f(int x) { if (!x) __assert_fail(\"x > 0\", \"a.c\", 1, \"f\"); }",
        ),
        &["error \"assertion `x > 0` fails\"", "stop abort"],
    );
    has(
        &ir("void assert(int); void f(int x) { assert(x); }"),
        &["if x.0 goto b1 else b2", "b2:", "error", "stop abort"],
    );
    has(
        &ir("void __VERIFIER_assert(int); void f(int x) { __VERIFIER_assert(x == 1); }"),
        &["eq i32", "error"],
    );
    has(
        &ir("void reach_error(void); void f(void) { reach_error(); }"),
        &["error \"reach_error() is called\"", "stop abort"],
    );
    has(&ir("void f(void) { __VERIFIER_error(); }"), &["error"]);
    let own = "void reach_error(void); void __VERIFIER_assert(int c) { if (!c) { reach_error(); } } void f(int x) { __VERIFIER_assert(x); }";
    has(&ir(own), &["call __VERIFIER_assert(x.0)"]);
    assert_eq!(error("void f(void) { assert(); }"), "1:16: `assert` needs a condition");
}

#[test]
fn assumptions_and_ends() {
    has(&ir("void f(int *p) { __VERIFIER_assume(p); }"), &["ne ptr p.0, null", "assume %1"]);
    has(&ir("void exit(int); void f(void) { exit(1); }"), &["stop exit"]);
    has(&ir("void abort(void); void f(void) { abort(); }"), &["stop abort"]);
    has(&ir("void f(void) { __builtin_unreachable(); }"), &["stop unreachable"]);
    has(
        &ir("void f(void) { __VERIFIER_atomic_begin(); __VERIFIER_atomic_end(); }"),
        &["atomic_begin user", "atomic_end"],
    );
}

#[test]
fn inputs_have_the_type_that_is_declared_or_named() {
    for (name, ty) in [
        ("bool", "u8 bits 1"),
        ("char", "i8 bits 8"),
        ("uchar", "u8 bits 8"),
        ("short", "i16 bits 16"),
        ("ushort", "u16 bits 16"),
        ("int", "i32 bits 32"),
        ("uint", "u32 bits 32"),
        ("long", "i64 bits 64"),
        ("ulong", "u64 bits 64"),
        ("longlong", "i64 bits 64"),
        ("float", "f32 bits 32"),
        ("double", "f64 bits 64"),
        ("pointer", "ptr bits 64"),
    ] {
        let text = format!("void f(void) {{ __VERIFIER_nondet_{name}(); }}");
        has(&ir(&text), &[&format!("nondet {ty} __VERIFIER_nondet_{name}")]);
    }
    has(&ir_on(ILP32, "void f(void) { __VERIFIER_nondet_long(); }"), &["nondet i32 bits 32"]);
    has(
        &ir("unsigned char __VERIFIER_nondet_int(void); void f(void) { __VERIFIER_nondet_int(); }"),
        &["nondet u8"],
    );
    has(
        &ir("int nondet_x(void) { return 3; } int f(void) { return nondet_x(); }"),
        &["call nondet_x()"],
    );
}

#[test]
fn memory_of_the_frame() {
    has(
        &ir("void *f(int n) { return __builtin_alloca(n); }"),
        &["cast i32 to u64 n.0", "alloca %1"],
    );
    has(&ir("void *alloca(unsigned long); void *f(void) { return alloca(8); }"), &["alloca 8"]);
}

#[test]
fn compile_time_questions() {
    assert_eq!(value("", "__builtin_constant_p(3 + 4)"), 1);
    assert_eq!(value("int x;", "__builtin_constant_p(x)"), 0);
    assert_eq!(value("", "__builtin_types_compatible_p(int, int)"), 1);
    assert_eq!(value("", "__builtin_types_compatible_p(int, long)"), 0);
    let assumes = |types: &str| {
        let enums = "enum a { A }; enum b { B }; void g(void);";
        !program(&format!("{enums} int f(void) {{ return {types}; }}")).ignored.is_empty()
    };
    assert!(assumes("__builtin_types_compatible_p(enum a, enum b)"));
    assert!(!assumes("__builtin_types_compatible_p(enum a, int)"));
    assert!(!assumes("__builtin_types_compatible_p(char, char)"));
    assert!(assumes("__alignof__(g)") && !assumes("__alignof__(int)"));
    assert_eq!(value("", "__builtin_choose_expr(0, 1, 2)"), 2);
    assert_eq!(value("", "__builtin_expect(5, 1)"), 5);
    let waiting = ir("void f(void) { __builtin_ia32_pause(); __builtin_ia32_mfence(); }");
    has(&waiting, &["fence seq_cst"]);
    hasnt(&waiting, &["unsupported"]);
    assert_eq!(value("char *p;", "__builtin_object_size(p, 0)"), -1);
    assert_eq!(value("char *p;", "__builtin_object_size(p, 2)"), 0);
}

#[test]
fn intrinsics_of_the_models() {
    has(
        &ir("void f(int *p) { __obmc_atomic_begin(); __obmc_wait(*p); __obmc_atomic_end(); }"),
        &["atomic_begin\n", "load i32", "wait %", "atomic_end"],
    );
    has(
        &ir("void *g(void *); void *f(void) { return __obmc_join(__obmc_spawn(0, g, 0)); }"),
        &["spawn &g(null) at null", "join %"],
    );
    has(&ir("void *f(void) { return __obmc_alloc(8, 1); }"), &["alloc 8 zeroed"]);
    has(&ir("void *f(void) { return __obmc_aligned_alloc(64, 8); }"), &["alloc 8"]);
    has(
        &ir("void f(void *p) { __obmc_free(p); __obmc_exit_thread(p); }"),
        &["free p.0", "exit_thread p.0"],
    );
    has(
        &ir(
            "int g(void); int f(void) { g(); return __obmc_linked(\"g\") * 2 + __obmc_linked(\"h\"); }",
        ),
        &["return 2"],
    );
    has(
        &ir("void f(void) { __obmc_unsupported(\"this\"); }"),
        &["unsupported \"this\"", "stop abort"],
    );
    assert_eq!(error("void f(void) { __obmc_free(); }"), "1:16: 0 arguments given, 1 wanted");
}

#[test]
fn unknown_builtins_are_unsupported_and_library_ones_are_called() {
    has(
        &ir("int f(int x) { return __builtin_no_such_thing(x); }"),
        &["unsupported \"__builtin_no_such_thing\""],
    );
    has(&ir("void f(void *p) { __builtin_memset(p, 0, 4); }"), &["call memset(p.0, 0, 4)"]);
}

/// A harness may have functions of its own for what verifiers know, in a file of its own.
#[test]
fn what_another_unit_defines_is_the_programs_own() {
    let calls = "void __VERIFIER_assume(int); int __VERIFIER_nondet_int(void); void exit(int);
        int main(void) { __VERIFIER_assume(0); exit(3); return __VERIFIER_nondet_int(); }";
    let own = "void __VERIFIER_assume(int c) {} void exit(int c) {} int __VERIFIER_nondet_int(void) { return 3; }";
    let called = ["call __VERIFIER_assume(0)", "call exit(3)", "call __VERIFIER_nondet_int()"];
    for units_in_order in [[calls, own], [own, calls]] {
        let p = units(LP64, &units_in_order);
        has(&function(&p, "main"), &called);
    }
    let hidden = own.replace("void ", "static void ").replace("int __", "static int __");
    let p = units(LP64, &[calls, &hidden]);
    hasnt(&function(&p, "main"), &called);
}

/// Whatever its body does, and by whatever way it is called.
#[test]
fn the_body_of_an_error_function_is_an_error() {
    let p =
        program("void reach_error(void) {} void f(void) { void (*p)(void) = reach_error; p(); }");
    has(&function(&p, "reach_error"), &["error", "stop abort"]);
}
