//! Random programs in which it matters how many threads have done something: for proofs that count.
//!
//! A loop starts up to two threads, each changes a number once, or up and down again, and somebody
//! compares it with how many there may be. Nearly right ones are frequent: a thread that does it twice
//! or not at all, one thread more, a loop that goes one iteration further, a second function, a number
//! that wraps, a bound that is changed later, a store that nothing protects, a look too early.

use crate::Dice;

const HEAD: &str = "\
typedef unsigned long pthread_t;
typedef union { char size[40]; int words[10]; long align; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void pthread_exit(void *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m, k;
_Atomic int flag;
int n, y, z;
";

const TYPES: [&str; 5] = ["int", "int", "unsigned", "signed char", "unsigned char"];

const LOCKS: [(&str, &str); 4] = [
    ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
    ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
    ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
    ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
];

const NEARLY: [(&str, &str); 4] = [
    ("", ""),
    ("pthread_mutex_lock(&k);", "pthread_mutex_unlock(&k);"),
    ("if (flag) pthread_mutex_lock(&m);", "if (flag) pthread_mutex_unlock(&m);"),
    ("pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", ""),
];

/// What the numbers are before anybody is started.
const STARTS: [&str; 8] = [
    "x = 0;",
    "",
    "x = n;",
    "x = 2;",
    "x = 127;",
    "x = 255;",
    "y = n; x = y;",
    "if (__VERIFIER_nondet_bool()) x = n;",
];

const CHANGES: [&str; 9] =
    ["x++;", "x++;", "x++;", "x--;", "x--;", "x += 2;", "x -= 3;", "x = x + 1;", "if (x < n) x++;"];

/// What may be true, by the way in which the number changes.
const CHECKS: [&str; 14] = [
    "x <= n",
    "x <= n",
    "x < n",
    "x >= 0",
    "x >= 0",
    "x > 0",
    "x == n",
    "x == 0",
    "x <= 2",
    "x < 2",
    "x <= 2 * n",
    "x <= y",
    "n - x >= 0",
    "x != 3",
];

const LOOPS: [&str; 12] = [
    "for (i = 0; i < n; i++) {",
    "for (i = 0; i < n; i++) {",
    "for (i = 0; i < n; i++) {",
    "for (i = 0; i < n; i++) {",
    "for (i = 0; i < 2; i++) {",
    "for (i = n; i > 0; i--) {",
    "for (i = 1; i <= n; i++) {",
    "for (i = 0; i <= n; i++) {",
    "i = n; while (i-- > 0) {",
    "for (y = 0; y < n; y++) { i = y;",
    "{ int *p = &i; for (*p = 0; i < n; i++) {",
    "while (__VERIFIER_nondet_bool() && flag < 2) { flag++; i = flag;",
];

/// Early, and while no thread can announce more.
const LOOKS: [(&str, &str); 2] = [
    ("{ pthread_mutex_lock(&k); int seen = z; pthread_mutex_unlock(&k);", "}"),
    ("{ pthread_mutex_lock(&k); int seen = z;", "pthread_mutex_unlock(&k); }"),
];

pub fn program(seed: u64) -> String {
    let mut dice = Dice::new(seed.wrapping_add(1 << 43));
    let usual = dice.of(&LOCKS);
    // Half of the programs have nothing odd in them.
    let odd = dice.rarely(2);
    let change = dice.of(&CHANGES);
    let check = dice.of(&CHECKS);
    let looks = if dice.rarely(4) { Some(dice.of(&LOOKS)) } else { None };
    Writer { dice, usual, odd, change, check, joinable: false, looks }.program()
}

struct Writer {
    dice: Dice,
    usual: (&'static str, &'static str),
    odd: bool,
    change: &'static str,
    check: &'static str,
    /// The ids of the first `n` threads are known.
    joinable: bool,
    /// How threads look at what was announced under another lock.
    looks: Option<(&'static str, &'static str)>,
}

impl Writer {
    fn program(&mut self) -> String {
        let mut text = HEAD.to_string();
        text += &format!("{} x;\npthread_t ids[4];\n", self.dice.of(&TYPES));
        text += &format!("void *second(void *arg)\n{{\n{}return 0;\n}}\n", self.section());
        text += &format!("void *worker(void *arg)\n{{\n{}return 0;\n}}\n", self.worker());
        text += "int main(void)\n{\nint i = 0;\n";
        text += "n = __VERIFIER_nondet_bool() + __VERIFIER_nondet_bool();\n";
        text += self.dice.of(&STARTS);
        text += "\n";
        if self.errs(6) {
            text += &self.section();
        }
        text += &self.starts();
        if self.errs(4) {
            let start = "pthread_create(&ids[3], 0, second, 0);\n";
            text += if self.dice.rarely(2) {
                start
            } else {
                "pthread_create(&ids[3], 0, worker, 0);\n"
            };
        }
        if self.errs(8) {
            text += self.dice.of(&["n = 0;\n", "x = 0;\n", "y = 1;\n"]);
        }
        if self.dice.rarely(3) {
            text += &self.locked(&self.look());
        }
        if self.joinable && self.dice.below(3) < 2 {
            text += self.dice.of(&[
                "for (i = 0; i < n; i++) pthread_join(ids[i], 0);\n",
                "for (int j = 0; j < n; j++) pthread_join(ids[j], 0);\n",
                "for (i = 1; i < n; i++) pthread_join(ids[i], 0);\n",
            ]);
            text += &self.after_join();
        }
        text + "return 0;\n}\n"
    }

    fn after_join(&mut self) -> String {
        let mut text = String::new();
        if self.dice.rarely(4) {
            text += self.dice.of(&["x = 0;\n", "n = 2;\n", "x = n;\n", "x--;\n"]);
        }
        if !self.dice.rarely(4) {
            let check =
                self.dice.of(&["x == n", "x == 0", "x == 2 * n", "x <= n", "x == y", "x == 2"]);
            text += &format!("if (!({check})) reach_error();\n");
        }
        if self.dice.rarely(4) {
            text += &self.starts();
        }
        text
    }

    /// Something is to be odd here.
    fn errs(&mut self, n: u32) -> bool {
        self.odd && self.dice.rarely(n)
    }

    fn starts(&mut self) -> String {
        let head = self.dice.of(&LOOPS);
        self.joinable = head == LOOPS[0];
        let mut text = format!("{head}\n");
        let announces = self.dice.rarely(4);
        let change = if self.change.contains('-') { "x++;" } else { "x--;" };
        if announces && self.dice.below(3) < 2 {
            text += &self.locked(change);
        }
        if self.looks.is_some() && !self.errs(4) {
            text += "pthread_mutex_lock(&k); z++; pthread_mutex_unlock(&k);\n";
        }
        let start = match self.dice.below(8) {
            0 if self.odd && !self.joinable => "if (flag) pthread_create(&ids[i], 0, worker, 0);\n",
            1 if self.odd => "pthread_create(&ids[i], 0, flag ? second : worker, 0);\n",
            2 if self.odd && !self.joinable => {
                "pthread_create(&ids[i], 0, worker, 0); pthread_join(ids[i], 0);\n"
            }
            _ => "pthread_create(&ids[i & 3], 0, worker, 0);\n",
        };
        text +=
            if self.dice.rarely(2) { start } else { "pthread_create(&ids[i], 0, worker, 0);\n" };
        if announces && self.dice.rarely(4) {
            text += &self.locked(change);
        }
        if self.errs(8) && !self.joinable {
            text += "if (flag) break;\n";
        }
        text += if head.starts_with("{ int *p") { "}}\n" } else { "}\n" };
        text
    }

    fn worker(&mut self) -> String {
        let mut text = String::new();
        if self.errs(6) {
            text += "if (flag) return 0;\n";
        }
        let around = match self.dice.below(10) {
            0 if self.odd => "for (int r = 0; r < 2; r++) {",
            1 => "while (__VERIFIER_nondet_bool()) {",
            2 => "if (__VERIFIER_nondet_bool()) {",
            _ => "{",
        };
        text += &format!("{around}\n{}", self.section());
        let back = self.dice.rarely(4) || around.starts_with("while") && !self.odd;
        if back {
            let usual = self.change;
            self.change = if usual.contains('-') { "x++;" } else { "x--;" };
            text += &self.section();
            self.change = usual;
        } else if self.dice.rarely(6) {
            text += &self.section();
        }
        text += "}\n";
        if self.errs(6) {
            text += "pthread_exit(0);\n";
        }
        text
    }

    fn locked(&mut self, what: &str) -> String {
        let (before, after) = if self.errs(6) { self.dice.of(&NEARLY) } else { self.usual };
        format!("{before}\n{what}\n{after}\n")
    }

    fn section(&mut self) -> String {
        let mut inside = String::new();
        if self.dice.rarely(3) {
            inside += &self.look();
        }
        inside += if self.errs(8) { self.dice.of(&CHANGES) } else { self.change };
        if self.errs(10) {
            inside += "\nif (flag) x++; else flag = 1;";
        }
        if self.dice.rarely(2) {
            inside += "\n";
            inside += &self.look();
        }
        let Some((before, after)) = self.looks else { return self.locked(&inside) };
        inside += self.dice.of(&[
            "\nif (!(x <= seen)) reach_error();",
            "\nif (!(x >= 0 && x <= seen)) reach_error();",
            "\nif (!(seen + x >= 0)) reach_error();",
            "",
        ]);
        format!("{before}\n{}{after}\n", self.locked(&inside))
    }

    fn look(&self) -> String {
        format!("if (!({})) reach_error();\n", self.check)
    }
}
