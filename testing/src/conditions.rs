//! Random programs whose threads wait for condition variables, in loops and not, in all the ways that
//! people write that, and in some that they should not.
//!
//! Two or three threads over three small variables, so that there are few states although a wait may end
//! as often as it likes. Iterations of some loops leave something behind: a count, a value from before
//! the wait, another variable.

use crate::Dice;

const HEAD: &str = "\
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
typedef union { char size[48]; long long align; } pthread_cond_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
extern int pthread_cond_signal(pthread_cond_t *);
extern int pthread_cond_broadcast(pthread_cond_t *);
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
int x, y, z;
_Atomic int free_to_read;
pthread_mutex_t m, n;
pthread_cond_t c, d;
static void wait_or_stop(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    if (pthread_cond_wait(cond, mutex))
        abort();
}
static void wait_and_look(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    pthread_cond_wait(cond, mutex);
    if (y == 2)
        x = 0;
}
";

/// The program for a seed.
pub fn program(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let threads = 1 + dice.below(2);
    let mut text = HEAD.to_owned();
    for id in 0..threads {
        let body = body(&mut dice, 3);
        text +=
            &format!("void *f{id}(void *arg)\n{{\n    int local = 0;\n{body}    return 0;\n}}\n");
    }
    text += "int main(void)\n{\n    int local = 0;\n    pthread_t t[2];\n";
    for id in 0..threads {
        text += &format!("    pthread_create(&t[{id}], 0, f{id}, 0);\n");
    }
    text += &body(&mut dice, 2);
    for id in 0..threads {
        text += &format!("    pthread_join(t[{id}], 0);\n");
    }
    let (a, k) = (variable(&mut dice), dice.below(4));
    text + &format!("    if ({a} == {k}) __assert_fail(\"\", \"\", 0, \"\");\n    return 0;\n}}\n")
}

fn body(dice: &mut Dice, most: u32) -> String {
    let count = 1 + dice.below(most);
    (0..count).map(|_| format!("    {}\n", statement(dice))).collect()
}

fn statement(dice: &mut Dice) -> String {
    let a = variable(dice);
    let k = dice.below(3);
    match dice.below(12) {
        0 => format!("{a} = {k};"),
        1 => format!("free_to_read = {k};"),
        2 if dice.rarely(6) => {
            format!("if (!pthread_mutex_trylock(&m)) {{ {a} = {k}; pthread_mutex_unlock(&m); }}")
        }
        2..5 => format!(
            "pthread_mutex_lock(&m); {} pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
            simple(dice)
        ),
        _ => {
            let (wait, before, behind) = (waiting(dice), simple(dice), simple(dice));
            let before = if dice.rarely(3) { before } else { String::new() };
            format!("pthread_mutex_lock(&m); {before} {wait} {behind} pthread_mutex_unlock(&m);")
        }
    }
}

/// With the mutex held.
fn waiting(dice: &mut Dice) -> String {
    let (a, b) = (variable(dice), variable(dice));
    let (k, l) = (dice.below(3), dice.below(3));
    let while_ = match dice.below(4) {
        0 => format!("while ({a} != {k})"),
        1 => format!("while ({a} == {k})"),
        2 => format!("while ({a} == {k} && {b} != {l})"),
        _ => format!("while (free_to_read != {k})"),
    };
    if dice.rarely(6) {
        return leaving_something(dice, &while_, (a, k), (b, l));
    }
    match dice.below(8) {
        0..4 => format!("{while_} pthread_cond_wait(&c, &m);"),
        4 => format!("{while_} wait_or_stop(&c, &m);"),
        5 => format!(
            "for (;;) {{ if ({a} == {k}) break; pthread_cond_wait(&c, &m); \
             if ({b} == {l}) {{ {b} = {k}; break; }} }}"
        ),
        6 => format!("do pthread_cond_wait(&c, &m); while ({a} == {k});"),
        _ => format!("if ({a} != {k}) pthread_cond_wait(&c, &m);"),
    }
}

/// Iterations are not all alike.
fn leaving_something(
    dice: &mut Dice,
    while_: &str,
    (a, k): (&str, u32),
    (b, l): (&str, u32),
) -> String {
    let wait = "pthread_cond_wait(&c, &m);";
    match dice.below(5) {
        0 => format!("{while_} wait_and_look(&c, &m);"),
        1 => format!("{while_} {{ local = local < 2 ? local + 1 : 2; {wait} }} {b} = local;"),
        2 => {
            format!("{while_} {{ int old = {b}; {wait} if (old != {b}) {{ {a} = old; break; }} }}")
        }
        3 => format!("{while_} {{ if ({b} == {l}) pthread_cond_wait(&d, &m); else {wait} }}"),
        _ => format!("{while_} {{ {wait} if ({a} == {k}) {b} = {l}; }}"),
    }
}

fn simple(dice: &mut Dice) -> String {
    let (a, b) = (variable(dice), variable(dice));
    let k = dice.below(3);
    match dice.below(4) {
        0 => format!("{a} = {k};"),
        1 => format!("{a} = ({a} + 1) % 3;"),
        2 => format!("{a} = {b};"),
        _ => format!("if ({a} == {k}) {b} = {k};"),
    }
}

fn variable(dice: &mut Dice) -> &'static str {
    dice.of(&["x", "y", "z"])
}
