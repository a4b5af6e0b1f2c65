//! Random programs whose threads wait for each other in loops, for livelocks.
//!
//! Two or three threads with a few statements each over two or three small variables: they set them,
//! spin on them with and without side effects, take locks and try to, and assume. Every loop has a way
//! out, and the states are few. Many of these programs hang.

use crate::Dice;

const HEAD: &str = "\
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void pthread_exit(void *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int sched_yield(void);
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);
_Atomic int x, y, z;
int plain;
pthread_mutex_t m, n;
static int looks(int wanted) { return x == wanted; }
";

/// The program for a seed.
pub fn program(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let threads = 1 + dice.below(2);
    let mut text = HEAD.to_owned();
    for id in 0..threads {
        let body = body(&mut dice, 4);
        text += &format!("void *f{id}(void *arg)\n{{\n{body}    return 0;\n}}\n");
    }
    text += "int main(void)\n{\n    pthread_t t[2];\n";
    for id in 0..threads {
        text += &format!("    pthread_create(&t[{id}], 0, f{id}, 0);\n");
    }
    text += &body(&mut dice, 3);
    for id in 0..threads {
        if dice.chance(70) {
            text += &format!("    pthread_join(t[{id}], 0);\n");
        }
    }
    text += if dice.rarely(4) { "    pthread_exit(0);\n}\n" } else { "    return 0;\n}\n" };
    text
}

fn body(dice: &mut Dice, most: u32) -> String {
    let count = 1 + dice.below(most);
    (0..count).map(|_| format!("    {}\n", statement(dice))).collect()
}

fn statement(dice: &mut Dice) -> String {
    let (a, b) = (variable(dice), variable(dice));
    let (k, l) = (dice.below(3), dice.below(3));
    let lock = dice.of(&["m", "n"]);
    match dice.below(20) {
        0..6 => format!("{a} = {k};"),
        6 => format!("while ({a} != {k}) ;"),
        7 => format!("while ({a} == {k}) sched_yield();"),
        8 => format!("while (!looks({k})) ;"),
        9 => format!("while ({a} == {k} || {b} == {l}) ;"),
        10 => format!("while ({a} != {k}) {b} = {l};"),
        11 => format!("while ({a} == {k}) {{ if ({b} == {l}) break; {b} = {k}; }}"),
        12 => format!(
            "{{ int e = {k}; while (!__atomic_compare_exchange_n(&{a}, &e, {l}, 0, 5, 5)) e = {k}; }}"
        ),
        13 => format!("while (plain == {k}) ;"),
        14 => format!("plain = {k};"),
        15 => format!("pthread_mutex_lock(&{lock}); {a} = {k}; pthread_mutex_unlock(&{lock});"),
        16 => format!("pthread_mutex_lock(&{lock});"),
        17 => format!("while (pthread_mutex_trylock(&{lock})) {a} = {k};"),
        18 if dice.rarely(2) => format!("__VERIFIER_assume({a} != {k});"),
        18 => format!("if (__VERIFIER_nondet_bool()) {a} = {k};"),
        _ => format!("if ({a} == {k}) {b} = {l};"),
    }
}

fn variable(dice: &mut Dice) -> &'static str {
    dice.of(&["x", "y", "z"])
}
