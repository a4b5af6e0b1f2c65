//! Random programs in which threads keep a relation between globals under a lock, and programs that
//! miss it by a little: for proofs by lock invariants.
//!
//! Each has one relation, statements that keep it, checks of it, and loops that nothing ends. Now and
//! then something is wrong: a statement that does not keep it, a lock that is not held, held by
//! another thread, given back too early or not at all, made anew, or a moment at which the relation
//! does not hold and somebody can see it. Numbers stay below 8, so the states are few.

use crate::Dice;

const HEAD: &str = "\
typedef unsigned long pthread_t;
typedef union { char size[40]; int words[10]; long align; } pthread_mutex_t;
typedef union { char size[48]; long long align; } pthread_cond_t;
typedef union { char size[56]; long align; } pthread_rwlock_t;
typedef union { char size[32]; long align; } sem_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void pthread_exit(void *);
extern int pthread_mutex_init(pthread_mutex_t *, const void *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *);
extern int pthread_rwlock_unlock(pthread_rwlock_t *);
extern int sem_init(sem_t *, int, unsigned);
extern int sem_wait(sem_t *);
extern int sem_post(sem_t *);
extern void reach_error(void);
extern void abort(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
int x, y, z, other, *where;
_Atomic int flag;
pthread_mutex_t m, k, both[2];
pthread_cond_t cond;
pthread_rwlock_t rw;
sem_t sem;
pthread_t ids[3];
";

/// What holds, how it begins, what keeps it and what does not.
struct Relation {
    holds: &'static str,
    start: &'static str,
    keeping: &'static [&'static str],
    breaking: &'static [&'static str],
}

const RELATIONS: [Relation; 6] = [
    Relation {
        holds: "x == y",
        start: "x = y = __VERIFIER_nondet_bool();",
        keeping: &[
            "x = (x + 1) & 3; y = x;",
            "x = y = 0;",
            "x ^= 1; y ^= 1;",
            "{ int old = x; x = old ? 0 : 2; y = old ? 0 : 2; }",
            "for (int i = 0; i < 2; i++) { x = i; y = i; }",
            "where = &x; *where = 1; where = &y; *where = 1;",
        ],
        breaking: &["x = (x + 1) & 3;", "x = 1; y = 2;", "if (x == 2) y = 1;", "*where = 3;"],
    },
    Relation {
        holds: "x <= y",
        start: "y = 2;",
        keeping: &[
            "if (x < y) x++;",
            "if (x > 0) x--;",
            "if (y < 3) y++;",
            "y = 3;",
            "x = 0;",
            "x = y;",
            "{ int top = y; if (top > 1) { x = top - 1; } }",
        ],
        breaking: &["if (y > 0) y--;", "x = 3;", "if (x <= y && x < 4) x++;", "y = 1;"],
    },
    Relation {
        holds: "x + y == z",
        start: "z = 2; x = __VERIFIER_nondet_bool(); y = z - x;",
        keeping: &[
            "if (x > 0) { x--; y++; }",
            "if (y > 0) { y--; x++; }",
            "x = z; y = 0;",
            "if (z < 3) { z++; x++; }",
            "{ int sum = x + y; x = sum; y = 0; }",
            "{ int t = x; x = y; y = t; }",
        ],
        breaking: &["if (x > 0) x--;", "z = 3;", "if (x > 1) { x--; y++; y &= 1; }", "y = 0;"],
    },
    Relation {
        holds: "x >= 0 && x <= 3",
        start: "x = 1;",
        keeping: &["if (x < 3) x++;", "if (x) x--;", "x = 3 - x;", "x = 0; other = 7;"],
        breaking: &["if (x < 6) x++;", "x = -1;", "if (x == 3) x = 5;"],
    },
    Relation {
        holds: "!x || y == 2",
        start: "y = __VERIFIER_nondet_bool();",
        keeping: &["y = 2; x = 1;", "x = 0; y = 1;", "if (x) { x = 0; y = 0; }", "if (!x) y = 3;"],
        breaking: &["x = 1;", "y = 1;", "if (x) y = 3;"],
    },
    Relation {
        holds: "x == 2 * y && y < 3",
        start: "",
        keeping: &["x = y = 0;", "if (y < 2) { y++; x += 2; }", "if (x > 1) { x -= 2; y--; }"],
        breaking: &[
            "if (x > 0) { x -= 2; y -= 1; x &= 3; }",
            "if (y < 3) { y++; x += 2; }",
            "x = 1;",
        ],
    },
];

const LOCKS: [(&str, &str); 13] = [
    ("sem_wait(&sem);", "sem_post(&sem);"),
    ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
    ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
    ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
    (
        "pthread_mutex_lock(&m); pthread_mutex_lock(&k);",
        "pthread_mutex_unlock(&k); pthread_mutex_unlock(&m);",
    ),
    (
        "pthread_mutex_lock(&m); pthread_mutex_lock(&k);",
        "pthread_mutex_unlock(&m); pthread_mutex_unlock(&k);",
    ),
    ("pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);"),
    ("if (pthread_mutex_trylock(&m) == 0) {", "pthread_mutex_unlock(&m); }"),
    ("pthread_mutex_lock(&both[1]);", "pthread_mutex_unlock(&both[1]);"),
    ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
    ("while (pthread_mutex_trylock(&m)) ;", "pthread_mutex_unlock(&m);"),
    (
        "pthread_mutex_lock(&m); while (other && !flag) pthread_cond_wait(&cond, &m);",
        "pthread_mutex_unlock(&m);",
    ),
    ("{ pthread_mutex_t *p = &m; pthread_mutex_lock(p);", "pthread_mutex_unlock(p); }"),
];

/// Locking that misses the usual one by something.
const NEARLY: [(&str, &str); 12] = [
    ("", ""),
    ("pthread_mutex_lock(&k);", "pthread_mutex_unlock(&k);"),
    ("pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);"),
    ("pthread_mutex_trylock(&m);", "pthread_mutex_unlock(&m);"),
    ("if (flag) pthread_mutex_lock(&m);", "if (flag) pthread_mutex_unlock(&m);"),
    ("pthread_mutex_lock(&both[flag & 1]);", "pthread_mutex_unlock(&both[flag & 1]);"),
    ("pthread_mutex_lock(&m);", "if (flag) pthread_mutex_unlock(&m);"),
    ("pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", ""),
    ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m); pthread_mutex_unlock(&m);"),
    ("pthread_mutex_init(&m, 0); pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
    ("pthread_mutex_lock(&m); pthread_mutex_init(&m, 0);", "pthread_mutex_unlock(&m);"),
    (
        "m.words[4] = 1; pthread_mutex_lock(&m); pthread_mutex_lock(&m);",
        "pthread_mutex_unlock(&m); pthread_mutex_unlock(&m);",
    ),
];

/// What may stand between statements of a section.
const BETWEEN: [&str; 8] = [
    "other = flag;",
    "flag = 1;",
    "if (flag && other) { pthread_mutex_unlock(&m); return 0; }",
    "if (flag == 3) abort();",
    "pthread_cond_wait(&cond, &m);",
    "pthread_mutex_unlock(&m); pthread_mutex_lock(&m);",
    "if (flag) return 0;",
    "pthread_create(&ids[2], 0, late, 0);",
];

pub fn program(seed: u64) -> String {
    let mut dice = Dice::new(seed.wrapping_add(1 << 42));
    let relation = &RELATIONS[dice.index(RELATIONS.len())];
    let usual = dice.of(&LOCKS);
    // Half of the programs have nothing wrong in them.
    let wrong = dice.rarely(2);
    let mut writer = Writer { dice, relation, usual, wrong, spawns: 0 };
    writer.program()
}

struct Writer {
    dice: Dice,
    relation: &'static Relation,
    usual: (&'static str, &'static str),
    wrong: bool,
    /// Sections that start a thread, at most one.
    spawns: u32,
}

impl Writer {
    fn program(&mut self) -> String {
        let mut text = HEAD.to_string();
        text += &format!("void *late(void *arg)\n{{\n{}return 0;\n}}\n", self.section());
        text += &format!("void *worker(void *arg)\n{{\n{}return 0;\n}}\n", self.iterations());
        text += "int main(void)\n{\nint i;\nwhere = &other;\n";
        text += if self.errs(4) { "sem_init(&sem, 0, 2);\n" } else { "sem_init(&sem, 0, 1);\n" };
        if self.errs(12) {
            text += &format!("pthread_create(&ids[0], 0, worker, 0);\n{}\n", self.relation.start);
        } else {
            text += &format!("{}\n", self.relation.start);
        }
        if self.dice.rarely(6) {
            text += "pthread_mutex_init(&m, 0);\n";
        }
        if self.dice.rarely(4) {
            text += &self.section();
        }
        if self.errs(8) {
            text += self.dice.of(self.relation.breaking);
        }
        text += &self.starts();
        if self.dice.rarely(2) {
            text += &self.iterations();
        }
        text + "return 0;\n}\n"
    }

    /// Something is to be wrong here.
    fn errs(&mut self, n: u32) -> bool {
        self.wrong && self.dice.rarely(n)
    }

    fn starts(&mut self) -> String {
        let before = if self.dice.rarely(6) { self.usual } else { ("", "") };
        let start = match self.dice.below(4) {
            0 => "for (i = 0; i < 2; i++) pthread_create(&ids[i], 0, worker, 0);",
            1 => "pthread_create(&ids[0], 0, worker, 0); pthread_create(&ids[1], 0, late, 0);",
            2 => {
                "while (__VERIFIER_nondet_bool() && flag < 2) { flag++; pthread_create(&ids[flag], 0, worker, 0); }"
            }
            _ => "pthread_create(&ids[0], 0, worker, 0);",
        };
        let mut text = format!("{} {start} {}\n", before.0, before.1);
        if start.starts_with("pthread_create") && self.dice.rarely(3) {
            text += "pthread_join(ids[0], 0);\n";
            if start.contains("ids[1]") && !self.dice.rarely(3) {
                text += "pthread_join(ids[1], 0);\n";
            }
            if self.dice.rarely(2) {
                text += &self.check();
            }
            if self.dice.rarely(3) {
                text += &self.statement();
                text += "\npthread_create(&ids[0], 0, worker, 0);\n";
            }
        }
        text
    }

    fn iterations(&mut self) -> String {
        let around =
            self.dice.of(&["while (1) {", "while (1) {", "for (int r = 0; r < 2; r++) {", "{"]);
        let mut text = format!("{around}\n");
        for _ in 0..1 + self.dice.below(2) {
            text += &self.section();
        }
        if self.dice.rarely(6) {
            let look = self.check();
            text += &format!("__VERIFIER_atomic_begin();\n{look}__VERIFIER_atomic_end();\n");
        }
        text + "}\n"
    }

    fn section(&mut self) -> String {
        let (before, after) = if self.errs(4) { self.dice.of(&NEARLY) } else { self.usual };
        let mut text = format!("{before}\n");
        if self.dice.rarely(2) {
            text += &self.check();
        }
        for _ in 0..1 + self.dice.below(2) {
            text += &self.statement();
            text += "\n";
            if self.errs(5) {
                text += &self.between();
            }
        }
        if self.dice.rarely(2) {
            text += &self.check();
        }
        text + after + "\n"
    }

    fn statement(&mut self) -> String {
        let from = if self.errs(5) { self.relation.breaking } else { self.relation.keeping };
        let statement = self.dice.of(from);
        // In the middle of it the relation may not hold.
        match self.errs(8) && !statement.starts_with("for") {
            true => statement.replacen("; ", &format!("; {} ", self.dice.of(&BETWEEN[..7])), 1),
            false => statement.to_string(),
        }
    }

    fn between(&mut self) -> String {
        let what = self.dice.of(&BETWEEN);
        if what.starts_with("pthread_create") {
            self.spawns += 1;
            return if self.spawns == 1 { format!("{what}\n") } else { String::new() };
        }
        format!("{what}\n")
    }

    fn check(&mut self) -> String {
        format!("if (!({})) reach_error();\n", self.relation.holds)
    }
}
