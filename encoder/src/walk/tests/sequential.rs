//! Without threads and inputs everything is known: what a program computes must fold to constants,
//! and to those that the interpreter computes.

use super::*;
use crate::testing::source::{program, unrolled};
use crate::{Config, encode};
use interp::{Observer, State, Tid, Value};
use ir::types::Machine;
use ir::{FuncId, Program, Span};
use std::fs;
use std::path::Path;

/// What a program gives to `out`.
struct Printed<'p>(&'p Program, Vec<i64>);

impl Observer for Printed<'_> {
    fn call(&mut self, _: &State, _: Tid, func: FuncId, args: &[Value], _: Span) {
        if let ("out", [Value::Int(bits), ..]) =
            (self.0.functions[func.index()].name.as_str(), args)
        {
            self.1.push(*bits as i64);
        }
    }
}

const OUT: &str = "void out(long long);";

fn printed(text: &str, machine: Machine) -> Vec<i64> {
    let program = program(text, machine);
    let mut printed = Printed(&program, vec![]);
    let outcome = interp::run(&program, &interp::Config::default(), 10_000_000, &mut printed);
    assert!(matches!(outcome, interp::Outcome::Finished(_)), "{outcome:?}");
    printed.1
}

/// The program with an `out` that compares with a list.
fn expecting(text: &str, numbers: &[i64]) -> String {
    let list: Vec<String> =
        numbers.iter().map(|n| format!("(long long){}ull", *n as u64)).collect();
    let out = format!(
        "extern void reach_error(void);
        static const long long expected_[] = {{ {}, 0 }};
        static int expected_at_;
        void out(long long n) {{ if (expected_[expected_at_++] != n) reach_error(); }}",
        list.join(", ")
    );
    text.replacen(OUT, &out.replace('\n', " "), 1)
}

fn encoding_of(text: &str, machine: Machine, bound: u32) -> Encoding {
    let program = unrolled(program(text, machine), bound);
    match encode(&program, &Config::default()) {
        Ok(encoding) => encoding,
        Err(e) => panic!("{e:?}"),
    }
}

/// Compares a program with the interpreter; says what does not fold.
fn compare(text: &str, machine: Machine) -> Result<(), String> {
    match compare_at(6, text, machine) {
        Err(what) if what.starts_with("Bound") => compare_at(20, text, machine),
        result => result,
    }
}

fn compare_at(bound: u32, text: &str, machine: Machine) -> Result<(), String> {
    let numbers = printed(text, machine);
    let encoding = encoding_of(&expecting(text, &numbers), machine, bound);
    let goals: Vec<_> =
        encoding.goals.iter().filter(|g| !encoding.pool.is_false(g.guard)).collect();
    if let Some(goal) = goals.first() {
        let guard = crate::print::term(&encoding.pool, goal.guard);
        return Err(format!("{:?} at line {} if {guard}", goal.kind, goal.span.line));
    }
    // The last number is another one: that, and nothing else, is an error.
    let Some((last, before)) = numbers.split_last() else { return Ok(()) };
    let wrong = [before, &[last.wrapping_add(1)]].concat();
    let encoding = encoding_of(&expecting(text, &wrong), machine, bound);
    let guards: Vec<_> =
        encoding.goals.iter().map(|g| (g.kind.word(), encoding.pool.is_true(g.guard))).collect();
    if guards != [("error", true)] {
        return Err(format!("with a wrong number: {guards:?}"));
    }
    Ok(())
}

fn size_type(machine: Machine) -> &'static str {
    match machine {
        Machine::Lp64 => "unsigned long",
        Machine::Ilp32 => "unsigned",
    }
}

fn compare_all(machine: Machine) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/sequential");
    let mut failures = Vec::new();
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the programs of the gcc tests") {
        let path = entry.expect("a file").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("text");
        let text = text.replace("__SIZE_TYPE__", size_type(machine));
        // There is no preprocessor here.
        if text.contains('#') || !text.contains(OUT) {
            continue;
        }
        let result = compare(&text, machine);
        match result {
            Ok(()) => count += 1,
            // Recursion goes deeper than we follow.
            Err(what) if what.starts_with("Bound") => {}
            Err(what) => failures.push(format!("{name}: {what}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count > 25, "only {count} programs");
}

#[test]
fn programs_fold_to_what_the_interpreter_computes() {
    compare_all(Machine::Lp64);
}

#[test]
fn also_with_pointers_of_32_bits() {
    compare_all(Machine::Ilp32);
}

/// Overlapping views of memory.
#[test]
fn views_of_the_same_bytes() {
    let text = "void out(long long);
        union u { int i; short s[2]; unsigned char c[4]; float f; int *p; };
        struct s { char a; int b; short c[3]; } x, y;
        struct b { unsigned a : 3; int b : 7; unsigned long long c : 40; } bits;
        int g = 0x01020304; int n = 3; unsigned m = 5;
        void *memcpy(void *, const void *, unsigned long);
        static int rec(int k) { return k ? k + rec(k - 1) : 0; }
        int main(void) {
            char *p = (char *)&g;
            out(p[0]); p[1] = 0x7f; out(g); *(short *)(p + 2) = -2; out(g); out(p[3]);
            *(short *)(p + 1) = 0x1111; out(g);
            union u u; u.i = -5; out(u.s[1]); u.c[2] = 9; out(u.i); out(u.f < 0);
            x.a = 1; x.b = -7; x.c[2] = 300; memcpy(&y, &x, sizeof x); out(y.b); out(y.c[2]);
            y = x; out(y.a); x.b = 4; out(y.b);
            bits.a = 9; bits.b = -3; bits.c = 1ull << 39; out(bits.a); out(bits.b); out(bits.c);
            int i = -1; int *q = &g + 1; out(q[i] == g); out(q[-1] == *(q + i));
            out(1 << n); out(-100 >> n); out(0x80000000u >> m); out((signed char)(m * 50));
            out((unsigned char)-n); out((long long)(unsigned)-n); out((short)0x18000);
            double d = 1.5; float f = n; out((int)(d * f)); out(d < f); out((long long)(-d / 0.25));
            out(rec(n));
            switch (m) { case 4: out(1); case 5: out(2); case 6: out(3); break; default: out(4); }
            goto in; back: out(5); return 0; in: if (m--) goto back; return 1;
        }";
    for machine in [Machine::Lp64, Machine::Ilp32] {
        assert_eq!(compare(text, machine), Ok(()));
    }
}
