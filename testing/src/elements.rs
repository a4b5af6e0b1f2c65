//! Random programs of threads that use elements of an array by index: for steps that commute where indices
//! differ.
//!
//! Indices come from inputs with few values, and are often, but not always, told to differ; now and then a
//! thread changes one. Threads write, copy and compare elements, and wait for them.

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
unsigned char v[3];
unsigned i, j, k;
";

const KNOWN: [&str; 6] =
    ["i != j", "i != j", "i != j && j != k", "i < j", "i != k || j == 2", "i == j || i == k"];

const CHECKS: [&str; 6] = [
    "v[j] < 2",
    "v[i] != 3",
    "v[0] + v[1] < 5",
    "v[k] != v[i]",
    "v[i] <= v[j]",
    "v[0] != 2 || v[2]",
];

pub fn program(seed: u64) -> String {
    let mut writer = Writer { dice: Dice::new(seed.wrapping_add(1 << 44)) };
    let threads = 2 + writer.dice.below(2);
    let mut text = HEAD.to_string();
    for thread in 0..threads {
        text += &format!("void *f{thread}(void *arg)\n{{\nunsigned l = 0;\n");
        for _ in 0..1 + writer.dice.below(3) {
            text += &writer.statement();
        }
        text += "return 0;\n}\n";
    }
    text + &writer.main(threads)
}

struct Writer {
    dice: Dice,
}

impl Writer {
    fn index(&mut self) -> &'static str {
        self.dice.of(&["i", "i", "j", "j", "k", "0", "2"])
    }

    fn statement(&mut self) -> String {
        let (a, b, n) = (self.index(), self.index(), self.dice.below(4));
        let text = match self.dice.below(12) {
            0..4 => format!("v[{a}] = {n};"),
            4 | 5 => format!("v[{a}] = (v[{a}] + {n}) & 3;"),
            6 => format!("v[{a}] = v[{b}];"),
            7 => format!("if (v[{a}] == {n}) v[{b}] = {};", self.dice.below(4)),
            8 => format!("l = v[{a}]; if (l > {n}) v[{b}] = l - 1;"),
            9 => format!("__VERIFIER_assume(v[{a}] != {n});"),
            10 => format!("{} = {};", self.dice.of(&["i", "j", "k"]), self.dice.below(3)),
            _ => self.check(),
        };
        match self.dice.rarely(5) {
            true => format!("__VERIFIER_atomic_begin();\n{text}\n__VERIFIER_atomic_end();\n"),
            false => text + "\n",
        }
    }

    fn check(&mut self) -> String {
        format!("if (!({})) reach_error();", self.dice.of(&CHECKS))
    }

    fn main(&mut self, threads: u32) -> String {
        let mut text = format!("int main(void)\n{{\npthread_t t[{threads}];\n");
        for index in ["i", "j", "k"] {
            text += &format!("{index} = __VERIFIER_nondet_bool() + __VERIFIER_nondet_bool();\n");
        }
        if !self.dice.rarely(6) {
            text += &format!("__VERIFIER_assume({});\n", self.dice.of(&KNOWN));
        }
        for thread in 0..threads {
            text += &format!("pthread_create(&t[{thread}], 0, f{thread}, 0);\n");
        }
        if !self.dice.rarely(3) {
            for thread in 0..threads {
                text += &format!("pthread_join(t[{thread}], 0);\n");
            }
        }
        text + &self.check() + "\nreturn 0;\n}\n"
    }
}
