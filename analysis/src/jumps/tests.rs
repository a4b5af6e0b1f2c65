//! What becomes of functions that jump, and what does not change.

use crate::from_c::program;
use ir::{Program, print, verify};

const HEAD: &str = "int setjmp(long *); void longjmp(long *, int); long b[30]; int x;";

fn with(text: &str) -> Program {
    let program = program(&format!("{HEAD} {text}"));
    let problems = verify::program(&program);
    assert!(problems.is_empty(), "{problems:?}");
    program
}

fn function(program: &Program, name: &str) -> String {
    let f = program.functions.iter().find(|f| f.name == name).expect("the function");
    let insts = f.blocks.iter().flat_map(|b| &b.insts);
    insts.map(|inst| print::inst(program, f, &inst.kind) + "\n").collect()
}

#[test]
fn calls_that_may_jump_are_followed_by_a_look() {
    let p = with(
        "void g(int n) { if (n) longjmp(b, n); x = 1; } void h(void) { g(x); x = 2; }
         int f(void) { if (setjmp(b)) return 1; h(); return 0; }",
    );
    for name in ["h", "f"] {
        assert!(function(&p, name).contains("load ptr @__obmc_jump_target"), "{name}");
    }
    let f = function(&p, "f");
    assert!(f.contains("store ptr @__obmc_jump_target, null"), "{f}");
    assert!(f.contains("load i32 @__obmc_jump_value"), "{f}");
}

#[test]
fn other_calls_are_left_alone() {
    let p = with(
        "void q(void) { x = 3; } void (*p)(void) = q; void g(int n) { longjmp(b, n); }
         void h(void) { q(); p(); } int f(void) { if (setjmp(b)) return 1; h(); g(2); return 0; }",
    );
    assert!(!function(&p, "h").contains("__obmc_jump"));
    let p = with(
        "void g(void) { longjmp(b, 1); } void (*p)(void) = g;
         void h(void) { p(); } int f(void) { if (setjmp(b)) return 1; h(); return 0; }",
    );
    assert!(function(&p, "h").contains("__obmc_jump_target"));
}

#[test]
fn variables_that_change_become_arbitrary() {
    let back = |local: &str| {
        let p = with(&format!(
            "void g(void) {{ longjmp(b, 1); }}
             int f(void) {{ {local} if (!setjmp(b)) {{ n = 1; g(); }} return n + m; }}"
        ));
        function(&p, "f").matches("undef").count()
    };
    // One of them is what `g` would have returned.
    assert_eq!(back("volatile int n = 0; int m = 2;"), back("int n = 0; int m = 2;") - 1);
}

#[test]
fn what_objects_hold_is_assumed() {
    let assumed = |body: &str| {
        let p =
            with(&format!("void g(int *p) {{ *p = 1; longjmp(b, 1); }} int f(void) {{ {body} }}"));
        p.ignored.iter().any(|(text, _)| text.contains("not volatile"))
    };
    assert!(assumed("int n = 0; if (!setjmp(b)) g(&n); return n;"));
    assert!(assumed("int n[2] = { 0 }; if (!setjmp(b)) n[x] = 1, g(&x); return n[1];"));
    assert!(!assumed("volatile int n[2] = { 0 }; if (!setjmp(b)) n[x] = 1, g(&x); return n[1];"));
    assert!(!assumed("static int n; if (!setjmp(b)) g(&n); return n;"));
    assert!(!assumed("int n = x; if (!setjmp(b)) { n = 2; g(&x); } return n;"));
}
