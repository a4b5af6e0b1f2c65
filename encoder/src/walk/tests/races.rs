//! Where threads may halt, and which of them race.

use super::*;
use crate::testing::source::try_encoded;
use crate::{Config, ConflictingAccess};
use ir::Property;

fn racy(text: &str) -> Encoding {
    let config = Config { property: Property::NoDataRace, ..Config::default() };
    try_encoded(text, 3, &config).unwrap_or_else(|e| panic!("{e:?}"))
}

#[track_caller]
fn races(text: &str) {
    assert_eq!(reached_in(racy(text)), ["error"]);
}

#[track_caller]
fn no_races(text: &str) {
    assert_eq!(reached_in(racy(text)), [""; 0]);
}

#[test]
fn stores_and_loads_race_whether_or_not_they_are_events() {
    races(&two("int x;", "x = 1;", "x = 2;"));
    races(&two("int x;", "x = 1;", "int a = x;"));
    races(&two("int x = 1;", "x = 1;", "int a = x;"));
    no_races(&two("int x;", "int a = x;", "int b = x;"));
    let e = racy(&two("int x;", "x = 1;", "x = 2;"));
    assert!(writes(&e, "x").is_empty(), "it is not read");
    assert_eq!(e.coenabled.len(), 2);
}

#[test]
fn while_the_first_thread_is_alone_nothing_races() {
    let before = "int x; void *t(void *p) { x = 1; return 0; }
        int main(void) {
          pthread_t id; x = 2; pthread_create(&id, 0, t, 0); pthread_join(id, 0); x = 3; }";
    let e = racy(before);
    assert!(e.coenabled.is_empty() && goals(&e, "error").is_empty(), "{:?}", e.coenabled);
    let skipped = before.replace("pthread_join", "if (__VERIFIER_nondet_bool()) pthread_join");
    races(&skipped);
}

#[test]
fn what_is_atomic_does_not_race_with_its_like() {
    let block = "__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();";
    assert!(racy(&two("int x;", block, block)).coenabled.is_empty());
    races(&two("int x;", block, "x = 1;"));
    let atomic = "__atomic_store_n(&x, 1, 5);";
    assert!(racy(&two("int x;", atomic, atomic)).coenabled.is_empty());
    races(&two("int x;", atomic, "int a = x;"));
    no_races(&two(
        "int x;",
        atomic.replace("store_n(&x, 1, 5)", "load_n(&x, 5)").as_str(),
        "int a = x;",
    ));
}

#[test]
fn a_block_must_run_where_the_other_has_halted() {
    // The block touches x only before y is set, the other one only after it has set it.
    let block = "__VERIFIER_atomic_begin(); if (!y) x = 1; __VERIFIER_atomic_end();";
    let sets = "__atomic_store_n(&y, 1, 5); x = 2;";
    no_races(&two("int x; _Bool y;", block, &sets.replace("&y", "(char *)&y")));
    let block = block.replace("!y", "y");
    races(&two("int x; _Bool y;", &block, &sets.replace("&y", "(char *)&y")));
}

#[test]
fn overlapping_bytes_and_pointers() {
    let globals = "union { int i; char c[4]; } u;";
    races(&two(globals, "u.i = 1;", "u.c[2] = 1;"));
    no_races(&two(globals, "u.c[1] = 1;", "u.c[2] = 1;"));
    let either = "int *p = __VERIFIER_nondet_bool() ? &x : &y; *p = 1;";
    races(&two("int x, y;", either, "x = 1;"));
    no_races(&two("int x, y, z;", either, "z = 1;"));
}

#[test]
fn the_end_of_an_object_is_a_write() {
    let text = "void *t(void *p) { *(char *)p = 1; return 0; }
        int main(void) {
          pthread_t id; char *p = malloc(1); pthread_create(&id, 0, t, p); free(p); }";
    let e = racy(text);
    assert!(
        e.coenabled.iter().any(|h| h.touches.iter().any(|t| t.access == ConflictingAccess::End))
    );
    let late = text.replace("free(p);", "pthread_join(id, 0); free(p);");
    assert!(racy(&late).coenabled.is_empty());
}
