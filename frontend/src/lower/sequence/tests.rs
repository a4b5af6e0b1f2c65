use crate::lower::testing::program;
use analysis::order::CHOICE;
use ir::print;

const BEFORE: &str = "int x, y, a[9]; struct s { int top, v[9], *q; } *p; struct s g;
    int sets(void) { x = 1; return 0; } int looks(void) { return x; }
    int pure(int n) { return n + 1; } int other(void) { y = 1; return 0; }
    int stops(void) { __builtin_abort(); } int fails(void) { reach_error(); return 0; }
    void reach_error(void); void two(int, int); int (*h[2])(int);";

/// What becomes of a statement: undefined, both orders, an assumption, or nothing.
fn verdict(statement: &str) -> &'static str {
    let p = program(&format!("{BEFORE} void f(int i, int *r) {{ {statement}; }}"));
    let text = print::program(&p);
    let others = p.ignored.iter().filter(|(what, _)| !what.starts_with("subscripts"));
    match (text.contains("unsequenced"), text.contains(CHOICE), others.count() == 0) {
        (true, ..) => "undefined",
        (_, true, _) => "both",
        (_, _, false) => "assumed",
        _ => "fine",
    }
}

#[test]
fn side_effects_that_nothing_sequences_are_undefined() {
    for e in [
        "i = i++",
        "i = i++ + 1",
        "i = (i = 3)",
        "i++ + i++",
        "i + i++",
        "a[i] = i++",
        "i += i++",
        "two(i++, i)",
        "two(x++, x)",
        "x = x++",
        "g.top = g.top++ + g.top",
        "*r = (r = a, 1)",
        "p->v[p->top++] = p->top",
        "two(pure(i++), i)",
        "two(i++, i ? 1 : 2)",
        "two(i++, i && x)",
        "(i || x) + i--",
    ] {
        assert_eq!(verdict(e), "undefined", "{e}");
    }
}

#[test]
fn what_does_not_meet_is_fine() {
    for e in [
        "i = i + 1",
        "i = (i++, i + 1)",
        "i++ && i++",
        "i ? i++ : i--",
        "i = pure(i++)",
        "x = x + 1",
        "a[i++] = x",
        "p->v[p->top++] = i",
        "p->q[p->top++] = i",
        "pure(1) + pure(2)",
        "looks() + looks()",
        "sets() + other()",
        "sets() + i",
        "x = sets()",
        "two(pure(i), looks())",
        "*r++ = *p->q++",
        "i = i == 3 && i++",
        "sets() + y",
        "g.v[g.top++] = i",
        "sizeof(i++) + i++",
        "i = r[i]",
    ] {
        assert_eq!(verdict(e), "fine", "{e}");
    }
}

#[test]
fn two_calls_that_meet_are_tried_in_both_orders() {
    for e in [
        "sets() + looks()",
        "two(sets(), looks())",
        "sets() - pure(looks())",
        "i = sets() == looks()",
        "stops() + fails()",
        "a[sets() + looks()] = 1",
    ] {
        assert_eq!(verdict(e), "both", "{e}");
    }
}

#[test]
fn a_call_and_a_read_that_meet_are_tried_in_both_orders() {
    for e in [
        "sets() + x",
        "x + sets()",
        "x += sets()",
        "a[x] = sets()",
        "two(x, sets())",
        "g.top = looks() + other(); a[y] += other()",
    ] {
        assert_eq!(verdict(e), "both", "{e}");
    }
}

#[test]
fn what_may_come_amid_an_operand_is_assumed_not_to() {
    for e in ["x + sets() + sets()", "pure(looks() + looks()) + sets()", "x - pure(sets())"] {
        let p = program(&format!("{BEFORE} void f(int i) {{ {e}; }}"));
        let amid = p.ignored.iter().any(|(what, _)| what.contains("one after the other"));
        assert_eq!(amid, e != "x - pure(sets())", "{e}");
    }
}

#[test]
fn what_else_may_meet_is_assumed() {
    for e in [
        "r = &x; p = &g; g.q = &x; (*r)++ + *p->q",
        "int v[] = { sets(), looks() }",
        "int v[] = { i++, i++ }",
        "struct s v = { .v = { x }, .top = sets() }",
        "h[x](sets())",
        "two(({ x; }), sets())",
        "stops() + (i + 1)",
    ] {
        assert_eq!(verdict(e), "assumed", "{e}");
    }
}
