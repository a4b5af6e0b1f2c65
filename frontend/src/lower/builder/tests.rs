use crate::lower::testing::{has, hasnt, ir, program};

#[test]
fn goto_out_of_scopes_ends_their_slots() {
    let text = "void g(int *); void f(void) { int a; g(&a); { int b; g(&b); { int c; g(&c); goto out; } } out: g(&a); }";
    let ir = ir(text);
    // One block of the jump ends both; the normal ends of the scopes are dead code behind it.
    has(&ir, &["dead $c.2\ndead $b.1\ngoto "]);
    hasnt(&ir, &["dead $a.0\ngoto"]);
}

#[test]
fn goto_into_a_scope_starts_its_slots() {
    let text = "void g(int *); void f(int n) { if (n) goto in; { int a; g(&a); in: g(&a); } }";
    let ir = ir(text);
    assert_eq!(ir.matches("live $a.0").count(), 2, "{ir}");
    // Also what is declared behind the label.
    let text = "void g(int *); void f(int n) { if (n) goto in; { in: ; int a; g(&a); } }";
    assert_eq!(crate::lower::testing::ir(text).matches("live $a.0").count(), 2);
}

#[test]
fn goto_over_a_declaration_of_the_same_block_starts_it() {
    let text = "void g(int *); void f(int n) { if (n) goto over; int a; g(&a); over: g(&a); }";
    let ir = ir(text);
    assert_eq!(ir.matches("live $a.0").count(), 2, "{ir}");
}

#[test]
fn what_is_declared_behind_a_label_lives_from_the_entry_of_its_block() {
    let text = "void g(int *); void f(int n) { g(0); { again: if (n) goto out; int a; g(&a); goto again; } out: ; }";
    let ir = ir(text);
    has(&ir, &["call g(null)\nlive $a.0"]);
    assert_eq!(ir.matches("live $a.0").count(), 1, "{ir}");
    has(&ir, &["undef i32\nstore i32 $a.0, %", "dead $a.0\ngoto"]);
    // Also left by a jump that stands before the declaration.
    let text = "void g(int *); void f(int n) { for (;;) { again: if (n) break; int a; g(&a); goto again; } }";
    assert_eq!(crate::lower::testing::ir(text).matches("dead $a.0").count(), 2);
}

#[test]
fn arrays_of_variable_length_end_with_their_declaration() {
    let body = |text: &str| ir(&format!("void g(int *); void f(int n) {{ {text} }}"));
    has(&body("{ int a[n]; g(a); } g(0);"), &["call g(a.9)\nfreea a.9"]);
    let back = body("again: ; int a[n]; g(a); if (n) goto again;");
    assert_eq!(back.matches("freea a.9").count(), 2, "{back}");
    let early = body("while (n) { if (n > 2) break; int a[n]; g(a); }");
    assert_eq!(early.matches("freea").count(), 1, "{early}");
}

#[test]
fn registers_are_arbitrary_where_their_declaration_is_jumped_over() {
    let text = ir("int f(int n) { if (n) goto over; int x = 3; over: return x; }");
    has(&text, &["x.1 = undef i32\ngoto"]);
    let text = ir("int f(int n) { switch (n) { int x = 3; case 1: return x; } return 0; }");
    has(&text, &["x.1 = undef i32\ngoto"]);
}

#[test]
fn goto_backwards_keeps_what_is_alive() {
    let text = "void g(int *); void f(int n) { int a; again: g(&a); if (n) goto again; }";
    let ir = ir(text);
    assert_eq!(ir.matches("live $a.0").count(), 1, "{ir}");
    assert_eq!(ir.matches("dead $a.0").count(), 1, "{ir}");
}

#[test]
fn rolling_back_leaves_nothing() {
    let p = program(
        "void f(int n) { sizeof(({ l: if (n) goto l; int a[3]; a[n]; })) + sizeof(n ? 1 : 2L); }",
    );
    let f = &p.functions[0];
    assert_eq!((f.regs.len(), f.slots.len()), (1, 0));
    assert_eq!(f.blocks.iter().map(|b| b.insts.len()).sum::<usize>(), 0);
    // The same label, seen twice: once for its type, once for real.
    program("int f(int n) { __auto_type x = ({ l: if (n) goto l; 3; }); return x; }");
}
