//! Random programs with loops that start threads: the patterns that modular proofs live from, and
//! programs that miss them by a little.
//!
//! Each has a way to give threads an argument, a way to start and join them, and accesses before,
//! between and after, each in some kind of protection. Two threads at most run in a loop, numbers
//! stay small, and all accesses are inside of objects that are alive.

use crate::Dice;

const HEAD: &str = "\
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
typedef union { char size[32]; long align; } sem_t;
typedef union { char size[56]; long align; } pthread_rwlock_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_init(pthread_mutex_t *, const void *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *);
extern int pthread_rwlock_unlock(pthread_rwlock_t *);
extern int sem_init(sem_t *, int, unsigned);
extern int sem_wait(sem_t *);
extern int sem_post(sem_t *);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
struct box { pthread_t id; int x, y; };
int g, h, a[6], *last;
__thread int mine;
_Atomic int flag;
struct box boxes[6], *one, *known;
pthread_mutex_t m, locks[2];
pthread_rwlock_t rw;
sem_t sem;
";

/// What threads are given, by the loop's counter, and what they call it.
const ARGUMENTS: [(&str, &str); 9] = [
    ("(void *)(long)i", "int i = (int)(long)arg; int *p = &a[i]; struct box *b = &boxes[i];"),
    ("&a[i]", "int *p = arg; int i = 1; struct box *b = &boxes[i];"),
    ("&a[i + 1]", "int *p = arg; int i = 0; struct box *b = &boxes[2];"),
    ("&a[i / 2]", "int *p = arg; int i = 1; struct box *b = &boxes[i];"),
    ("&boxes[i]", "struct box *b = arg; int *p = &b->x; int i = 2;"),
    ("b", "struct box *b = arg; int *p = &b->x; int i = 0;"),
    ("b", "struct box *b = arg; int *p = &b->y; int i = 1;"),
    ("one", "struct box *b = arg; int *p = &b->x; int i = 1;"),
    ("(void *)(long)(i * 2)", "int i = (int)(long)arg; int *p = &a[i]; struct box *b = &boxes[i];"),
];

const IN_THREADS: [&str; 12] = [
    "g = (g + 1) & 3;",
    "h = 1;",
    "a[i] = 1;",
    "a[i + 1] = 2;",
    "*p = 1;",
    "p[1] = 1;",
    "b->x = 1;",
    "b->y = i;",
    "mine = 1;",
    "mine = g;",
    "if (flag) h = 2;",
    "if (known) known->y = 1;",
];

const IN_MAIN: [&str; 10] = [
    "g = 1;",
    "h = 0;",
    "a[0] = 1;",
    "a[i] = 3;",
    "if (one) one->x = 2;",
    "b->y = 1;",
    "boxes[i].x = 1;",
    "flag = 1;",
    "known = b;",
    "mine = 1;",
];

/// What stands around an access. The last ones are wrong now and then.
const PROTECTIONS: [(&str, &str); 12] = [
    ("", ""),
    ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
    ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
    ("pthread_mutex_lock(&locks[0]);", "pthread_mutex_unlock(&locks[0]);"),
    ("pthread_mutex_lock(&locks[1]);", "pthread_mutex_unlock(&locks[1]);"),
    ("sem_wait(&sem);", "sem_post(&sem);"),
    ("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
    ("pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);"),
    ("pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);"),
    ("if (!pthread_mutex_trylock(&m)) {", "pthread_mutex_unlock(&m); }"),
    ("if (mine) pthread_mutex_lock(&m);", "if (mine) pthread_mutex_unlock(&m);"),
    ("pthread_mutex_lock(&locks[i & 1]);", "pthread_mutex_unlock(&locks[i & 1]);"),
];

/// How the loop starts a thread, with `ARG` for the argument and `FN` for the function.
const STARTS: [&str; 5] = [
    "pthread_create(&ids[i], 0, FN, ARG);",
    "pthread_create(&ids[i], 0, FN, ARG);",
    "pthread_create(&b->id, 0, FN, ARG); kept[i] = b;",
    "{ pthread_t id; pthread_create(&id, 0, FN, ARG); }",
    "{ pthread_t id; pthread_create(&id, 0, FN, ARG); pthread_join(id, 0); }",
];

/// How threads are waited for, by the way in which they were started.
const JOINS: [&str; 7] = [
    "for (i = 0; i < n; i++) pthread_join(ids[i], 0);",
    "for (int j = 0; j < n; j++) pthread_join(ids[j], 0);",
    "for (i = 1; i < n; i++) pthread_join(ids[i], 0);",
    "i = 0; while (i < n) { i++; if (i < n) pthread_join(ids[i], 0); }",
    "for (i = 0; i < n - 1; i++) pthread_join(ids[i], 0);",
    "for (i = 0; i < n; i++) if (flag) pthread_join(ids[i], 0);",
    "",
];

pub fn program(seed: u64) -> String {
    let mut dice = Dice::new(seed.wrapping_add(1 << 41));
    let (argument, names) = dice.of(&ARGUMENTS);
    // Mostly one kind of protection, so that something can be proven.
    let usual = dice.of(&PROTECTIONS);
    let mut text = HEAD.to_string();
    text += &format!("void *worker(void *arg)\n{{\n{names}\n(void)p; (void)b; (void)i;\n");
    let some = 1 + dice.below(3);
    text += &accesses(&mut dice, &IN_THREADS, usual, some);
    text += &check(&mut dice);
    text += "return 0;\n}\nint main(void)\n{\n";
    text += "pthread_t ids[6]; struct box *kept[6]; int i = 0, n = 1 + __VERIFIER_nondet_bool();\n";
    text += "struct box *b = &boxes[5];\n";
    text += &format!("sem_init(&sem, 0, {});\n", if dice.rarely(5) { 2 } else { 1 });
    text += "one = malloc(sizeof(struct box)); one->x = one->y = 0;\n";
    if dice.rarely(3) {
        text += &accesses(&mut dice, &IN_MAIN, usual, 1);
    }
    text += &loops(&mut dice, argument, usual);
    if !dice.rarely(3) {
        let some = 1 + dice.below(2);
        text += &accesses(&mut dice, &IN_MAIN, usual, some);
    }
    text += &check(&mut dice);
    text + "return 0;\n}\n"
}

fn loops(dice: &mut Dice, argument: &str, usual: (&str, &str)) -> String {
    let start = dice.of(&STARTS).replace("FN", "worker").replace("ARG", argument);
    let mut text = "for (i = 0; i < n; i++) {\n".to_string();
    if argument == "b" || start.contains("b->id") {
        text += "b = malloc(sizeof(struct box)); b->x = b->y = 0;\n";
    }
    if dice.rarely(3) {
        text += &accesses(dice, &IN_MAIN, usual, 1);
    }
    text += &start;
    text += "\n";
    if dice.rarely(4) {
        text += &accesses(dice, &IN_MAIN, usual, 1);
    }
    if dice.rarely(12) {
        text += "pthread_mutex_init(&m, 0);\n";
    }
    if dice.rarely(12) {
        text += "sem_post(&sem);\n";
    }
    text += "}\n";
    if start.contains("&ids[i]") {
        if dice.rarely(10) {
            text += "ids[0] = ids[n - 1];\n";
        } else {
            text += JOINS[dice.index(JOINS.len())];
        }
    } else if start.contains("kept") && !dice.rarely(3) {
        text += "for (i = 0; i < n; i++) { pthread_join(kept[i]->id, 0); }";
    }
    text + "\nif (i > 5) i = 5;\n"
}

/// An assertion that may hold.
fn check(dice: &mut Dice) -> String {
    let what = dice.of(&["g > 3", "mine > 3", "g == 2", "flag > 1", "h < 0", "mine == 1"]);
    match dice.rarely(2) {
        true => format!("if ({what}) reach_error();\n"),
        false => String::new(),
    }
}

fn accesses(dice: &mut Dice, from: &[&str], usual: (&str, &str), some: u32) -> String {
    let mut text = String::new();
    for _ in 0..some {
        let (before, after) = if dice.rarely(4) { dice.of(&PROTECTIONS) } else { usual };
        let access = from[dice.index(from.len())];
        text += &format!("{before} {access} {after}\n");
    }
    text
}
