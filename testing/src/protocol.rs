//! Random programs whose threads keep each other out without a lock of the library: flags taken in
//! atomic blocks or by exchanging a value, values that only grow, states that are left once. And
//! programs that miss that by a little.
//!
//! Threads are started in a loop or one by one, so a proof must hold for all of them; they are few, so
//! all schedules can be tried. Numbers stay below 8.

use crate::Dice;

const HEAD: &str = "\
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
unsigned m, x, y, phase, table[4];
int c;
pthread_t id;
";

/// To get in, and out again.
const GATES: [(&str, &str); 8] = [
    (
        "__VERIFIER_atomic_begin(); __VERIFIER_assume(m == 0); m = 1; __VERIFIER_atomic_end();",
        "__VERIFIER_atomic_begin(); __VERIFIER_assume(m == 1); m = 0; __VERIFIER_atomic_end();",
    ),
    (
        "__VERIFIER_atomic_begin(); __VERIFIER_assume(m == 0); m = 1; __VERIFIER_atomic_end();",
        "m = 0;",
    ),
    (
        "{ unsigned r; do { __VERIFIER_atomic_begin(); r = m; m = 1; __VERIFIER_atomic_end(); } \
         while (r); }",
        "m = 0;",
    ),
    (
        "{ unsigned r = 0; while (!r) { __VERIFIER_atomic_begin(); if (m == 0) { m = 2; r = 1; } \
         __VERIFIER_atomic_end(); } }",
        "m = 0;",
    ),
    ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
    (
        "{ unsigned r; __VERIFIER_atomic_begin(); r = m; if (!r) m = 1; __VERIFIER_atomic_end(); \
         if (r) return 0; }",
        "m = 0;",
    ),
    (
        "__VERIFIER_atomic_begin(); __VERIFIER_assume(phase == 1 && !m); m = 1; \
         __VERIFIER_atomic_end();",
        "m = 0;",
    ),
    ("", ""),
];

const NEARLY: [(&str, &str); 8] = [
    ("__VERIFIER_assume(m == 0); m = 1;", "m = 0;"),
    ("while (m) ; m = 1;", "m = 0;"),
    ("__VERIFIER_atomic_begin(); m = 1; __VERIFIER_atomic_end();", "m = 0;"),
    (
        "__VERIFIER_atomic_begin(); __VERIFIER_assume(m == 0); m = 1; __VERIFIER_atomic_end(); \
         m = 0;",
        "",
    ),
    (
        "__VERIFIER_atomic_begin(); __VERIFIER_assume(m != 1); m = 1; __VERIFIER_atomic_end();",
        "m = 0; m = 0;",
    ),
    (
        "{ unsigned r; __VERIFIER_atomic_begin(); r = m; m = 1; __VERIFIER_atomic_end(); \
         if (r > 1) return 0; }",
        "m = 0;",
    ),
    (
        "m = 0; __VERIFIER_atomic_begin(); __VERIFIER_assume(m == 0); m = 1; __VERIFIER_atomic_end();",
        "m = 0;",
    ),
    (
        "__VERIFIER_atomic_begin(); __VERIFIER_assume(m == 0); __VERIFIER_atomic_end(); \
         __VERIFIER_atomic_begin(); m = 1; __VERIFIER_atomic_end();",
        "m = 0;",
    ),
];

/// What is done inside, with what must hold.
const WORK: [&str; 16] = [
    "c++; if (c != 1) reach_error(); c--;",
    "c = c + 1; c = c - 1;",
    "{ unsigned v = x; if (v < 3) { x = v + 1; if (x <= v) reach_error(); } }",
    "x = 1; y = 1; x = 0; y = 0;",
    "if (x != y) reach_error();",
    "x = 2; y = 2;",
    "{ unsigned v = x; x = (v + 1) & 3; y = (v + 1) & 3; }",
    "if (phase > 1) reach_error();",
    "phase = 1;",
    "if (phase == 0) { x = y = 0; phase = 1; }",
    "if (c > 1) reach_error();",
    "table[x & 3] = 1;",
    "{ unsigned v = x; if (v && !y) y = v; }",
    "x = 3; __VERIFIER_assume(y != 3); y = 3;",
    "y = x; if (y > 3) reach_error();",
    "{ unsigned v = y; if (v != 7) { y = 4 / (v + 1); } }",
];

/// Outside of gates: these are noticed by all.
const OUTSIDE: [&str; 14] = [
    "if (x > 3) reach_error();",
    "if (c < 0) reach_error();",
    "{ unsigned v = x; if (x < v) reach_error(); }",
    "x = 5; __VERIFIER_assume(0);",
    "__VERIFIER_atomic_begin(); x = 5; __VERIFIER_atomic_end(); __VERIFIER_assume(phase == 3);",
    "{ unsigned d = phase; y = 2; x = 6 / d; }",
    "__VERIFIER_atomic_begin(); if (x != y) reach_error(); __VERIFIER_atomic_end();",
    "__VERIFIER_atomic_begin(); if (m == 0 && x != y) reach_error(); __VERIFIER_atomic_end();",
    "__VERIFIER_atomic_begin(); if (m == 0 && c) reach_error(); __VERIFIER_atomic_end();",
    "{ unsigned v, ok; do { v = x; __VERIFIER_atomic_begin(); ok = x == v; \
     if (ok && v < 3) x = v + 1; __VERIFIER_atomic_end(); } while (!ok); \
     if (v < 3 && x <= v) reach_error(); }",
    "if (phase == 1 && x == 7) reach_error();",
    "if (m > 2) reach_error();",
    "phase = 1;",
    "{ unsigned v = (unsigned)(unsigned long)arg; if (v > 2) reach_error(); if (v == 2) c = 0; }",
];

pub fn program(seed: u64) -> String {
    let mut dice = Dice::new(seed.wrapping_add(1 << 44));
    let gate = dice.of(&GATES);
    let wrong = dice.rarely(3);
    Writer { dice, gate, wrong }.program()
}

struct Writer {
    dice: Dice,
    gate: (&'static str, &'static str),
    wrong: bool,
}

impl Writer {
    fn program(&mut self) -> String {
        let (worker, other) = (self.thread(), self.thread());
        let start = match self.dice.below(4) {
            0 => "pthread_create(&id, 0, worker, (void *)1);\npthread_create(&id, 0, worker, 0);",
            1 => "while (1) pthread_create(&id, 0, worker, (void *)2);",
            _ => "for (int i = 0; i < 2; i++) pthread_create(&id, 0, worker, (void *)(long)i);",
        };
        let before = if self.dice.rarely(3) { "phase = 1;\n" } else { "" };
        let with = if self.dice.rarely(3) { "pthread_create(&id, 0, other, 0);\n" } else { "" };
        let after = if self.dice.rarely(3) { self.outside() } else { "" };
        format!(
            "{HEAD}void *worker(void *arg)\n{{\n{worker}return 0;\n}}\nvoid *other(void *arg)\n{{\n\
             {other}return 0;\n}}\nint main(void)\n{{\nvoid *arg = 0;\n{before}{with}{start}\n\
             {after}\nreturn 0;\n}}\n"
        )
    }

    fn thread(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..=self.dice.below(2) {
            text += &self.section();
            if self.dice.rarely(3) {
                text += self.outside();
                text += "\n";
            }
        }
        match self.dice.rarely(4) {
            true => format!("while (__VERIFIER_nondet_bool()) {{\n{text}}}\n"),
            false => text,
        }
    }

    fn outside(&mut self) -> &'static str {
        self.dice.of(&OUTSIDE)
    }

    fn section(&mut self) -> String {
        let (enter, leave) = match self.wrong && self.dice.rarely(3) {
            true => self.dice.of(&NEARLY),
            false => self.gate,
        };
        let work = (0..=self.dice.below(2)).map(|_| self.dice.of(&WORK));
        let work: Vec<&str> = work.collect();
        format!("{enter}\n{}\n{leave}\n", work.join("\n"))
    }
}
