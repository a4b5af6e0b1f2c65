//! Small programs: what is proven, under which assumptions, and what stops a proof.

use crate::contract::{Answer, Engine, Limits, Property, Query, Reason, Settings};
use crate::engine::modular::{Modular, prove};
use frontend::{LoadOptions, Source};
use ir::Program;
use ir::types::Machine;

const HEAD: &str = "typedef unsigned long pthread_t;
    typedef struct { int words[10]; } pthread_mutex_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_join(pthread_t, void **);
    int pthread_mutex_lock(pthread_mutex_t *);
    int pthread_mutex_unlock(pthread_mutex_t *);
    int __VERIFIER_nondet_int(void);
    void reach_error(void);
    void *malloc(unsigned long);
    pthread_mutex_t m; int g; pthread_t t;
    ";

fn prepared(text: &str) -> Program {
    let text = format!("{HEAD}{text}");
    let unit = Source { name: "test.c", text: text.as_bytes(), moved: &[] };
    let program = frontend::load(&[unit], Machine::Lp64, &LoadOptions::default());
    analysis::prepare(program.expect("valid C"))
}

/// What the proof assumes, or what stops it.
fn proof(property: Property, text: &str) -> Result<Vec<String>, String> {
    let (program, settings, limits) = (&prepared(text), &Settings::default(), &Limits::default());
    let found = prove(Query { program, property, settings, limits });
    let words =
        |remarks: Vec<crate::contract::Remark>| remarks.into_iter().map(|r| r.text).collect();
    found.map(words).map_err(|unclear| unclear.why)
}

fn races(text: &str) -> Result<Vec<String>, String> {
    proof(Property::NoDataRace, text)
}

const TWO: &str = "int main(void) { pthread_create(&t, 0, f, 0); f(0); return 0; }";

#[test]
fn globals_under_a_lock_need_no_assumption() {
    let text =
        "void *f(void *p) { pthread_mutex_lock(&m); g++; pthread_mutex_unlock(&m); return 0; }";
    assert_eq!(races(&format!("{text}{TWO}")), Ok(vec![]));
    let without = text.replace("pthread_mutex_lock(&m);", "");
    assert_eq!(races(&format!("{without}{TWO}")), Err("accesses that may race".into()));
}

#[test]
fn pointers_that_may_leave_their_object_are_an_assumption() {
    let text = "int a[4]; void *f(void *p) { int i = __VERIFIER_nondet_int();
        pthread_mutex_lock(&m); a[i] = 1; pthread_mutex_unlock(&m); return 0; }";
    let assumed = "accesses through pointers stay inside of objects that are alive";
    assert_eq!(races(&format!("{text}{TWO}")), Ok(vec![assumed.into()]));
    let inside = text.replace("a[i]", "a[i & 3]");
    assert_eq!(races(&format!("{inside}{TWO}")), Ok(vec![]));
}

#[test]
fn functions_without_a_body_are_an_assumption() {
    let text = "void log_it(int); void *f(void *p) { log_it(1); return 0; }";
    let found = races(&format!("{text}{TWO}")).unwrap();
    assert!(matches!(&found[..], [one] if one.contains("`log_it` has no body")), "{found:?}");
}

#[test]
fn what_is_not_understood_stops_the_proof() {
    let stops = |text: &str| races(&format!("{text}{TWO}")).unwrap_err();
    let number = "void *f(void *p) { *(int *)(long)__VERIFIER_nondet_int() = 1; return 0; }";
    assert_eq!(stops(number), "an address that is made of a number");
    let recursion = "void *f(void *p) { if (__VERIFIER_nondet_int()) f(p); return 0; }";
    assert_eq!(stops(recursion), "recursion");
    let foreign = "int *where(void); void *f(void *p) { *where() = 1; return 0; }";
    assert!(stops(foreign).starts_with("an address"), "{}", stops(foreign));
}

#[test]
fn a_write_through_null_ends_the_thread() {
    let text = "int *q; void *f(void *p) { *q = 1; g = 1; return 0; }";
    assert_eq!(races(&format!("{text}{TWO}")), Ok(vec![]));
}

#[test]
fn values_that_others_store_are_seen() {
    let text = "void *f(void *p) { if (g > 1) reach_error(); g = BOUND; return 0; }";
    let ask = |n: &str| proof(Property::UnreachCall, &format!("{}{TWO}", text.replace("BOUND", n)));
    assert_eq!(ask("1"), Ok(vec![]));
    assert!(ask("2").is_err());
}

#[test]
fn counters_that_wrap_tell_nothing() {
    let text = "int *a; void *f(void *p) { a[(int)(long)p] = 1; return 0; }
        int main(void) { a = malloc(4000);
        for (int i = 0; COND; i++) pthread_create(&t, 0, f, (void *)(long)i); return 0; }";
    assert!(races(&text.replace("COND", "i < 9")).is_ok());
    assert!(races(&text.replace("COND", "1")).is_err());
}

#[test]
fn it_knows_some_properties_and_never_says_unsafe() {
    let program = prepared(&format!("void *f(void *p) {{ g++; return 0; }}{TWO}"));
    for property in Property::ALL {
        let (settings, limits) = (Settings::default(), Limits::default());
        let query = Query { program: &program, property, settings: &settings, limits: &limits };
        let verdict = Modular.check(query);
        let expected = matches!(
            property,
            Property::UnreachCall | Property::ValidMemsafety | Property::NoDeadlock
        );
        assert_eq!(matches!(verdict.answer, Answer::Safe), expected, "{property:?}");
        let unknown = matches!(verdict.answer, Answer::Unknown(Reason::Other(_)));
        assert!(expected || unknown, "{property:?}");
    }
}

#[test]
fn conditions_of_several_parts_are_understood() {
    let text = "void *f(void *p) { int n = __VERIFIER_nondet_int();
        if (COND) g = n; if (g > 9 || g < 0) reach_error(); return 0; }";
    let ask = |c: &str| proof(Property::UnreachCall, &format!("{}{TWO}", text.replace("COND", c)));
    assert_eq!(ask("n >= 0 && n < 10"), Ok(vec![]));
    assert!(ask("n >= 0 || n < 10").is_err());
    assert!(ask("n >= 0 && n < 11").is_err());
}
