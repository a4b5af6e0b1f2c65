//! Small programs that an engine once got wrong, shrunk from random ones.

use super::random::agree;
use crate::contract::Property;

const HEAD: &str = "typedef unsigned long pthread_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_join(pthread_t, void **);
    void *malloc(unsigned long);
    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
    void pthread_exit(void *); void __VERIFIER_assume(int);
    void reach_error(void);
    ";

fn check(text: &str, expected: &str) {
    agree(Property::UnreachCall, &format!("{HEAD}{text}"), expected);
}

/// The id might have been that of `main`, which waits for who waits for it: a circle for good.
#[test]
fn threads_that_might_wait_for_each_other() {
    check(
        "pthread_t ids[2];
         int x;
         void *errs(void *p) { if (x == 0) reach_error(); return 0; }
         void *joins(void *p) { pthread_join(ids[0], 0); return 0; }
         int main(void) {
           pthread_create(&ids[0], 0, errs, 0);
           pthread_create(&ids[1], 0, joins, 0);
           pthread_join(ids[1], 0);
         }",
        "Unsafe",
    );
}

/// Whether the join happens is pruned, since the error comes in any case: a replay gets there.
#[test]
fn a_join_that_changes_nothing() {
    check(
        "pthread_t a, b;
         int x, y = 1;
         void *ends(void *p) { return 0; }
         void *writes(void *p) { y = 2; return 0; }
         int main(void) {
           pthread_create(&a, 0, ends, 0);
           pthread_create(&b, 0, writes, 0);
           if (y) pthread_join(a, 0);
           if (x == 0) reach_error();
         }",
        "Unsafe",
    );
}

/// So is whether the joined thread ends, which it need not.
#[test]
fn a_join_of_a_thread_that_may_stop() {
    check(
        "pthread_t a, b;
         _Bool __VERIFIER_nondet_bool(void);
         int u = 1, x = 2;
         void *stops(void *p) {
           if (__VERIFIER_nondet_bool()) x = 0;
           else __VERIFIER_assume(u == 0);
           return 0;
         }
         void *lets(void *p) { u -= 1; return 0; }
         int main(void) {
           pthread_create(&a, 0, stops, 0);
           pthread_create(&b, 0, lets, 0);
           pthread_join(a, 0);
           pthread_join(b, 0);
           if (x == 0) reach_error();
         }",
        "Unsafe",
    );
}

/// The block is born where it is used: there was nothing to read before.
#[test]
fn memory_from_an_atomic_block() {
    check(
        "int *h;
         void *makes(void *p) {
           __VERIFIER_atomic_begin();
           int *new = malloc(sizeof(int));
           *new = 1;
           h = new;
           __VERIFIER_atomic_end();
           return 0;
         }
         int main(void) {
           pthread_t t;
           h = malloc(sizeof *h);
           *h = 2;
           pthread_create(&t, 0, makes, 0);
           if (*h == 1) reach_error();
         }",
        "Unsafe",
    );
}

/// What a thread has left when it was joined is not its locals.
#[test]
fn a_local_of_a_joined_thread() {
    check(
        "int x, *p = &x;
         void *lends(void *arg) { int local = 1; p = &local; return 0; }
         int main(void) {
           pthread_t t;
           pthread_create(&t, 0, lends, 0);
           pthread_join(t, 0);
           if (*p == 3) reach_error();
         }",
        "Doubt",
    );
}

/// The first thread ends by `pthread_exit` without the process, and so do its locals.
#[test]
fn a_local_of_the_first_thread() {
    check(
        "void *writes(void *arg) { *(int *)arg = 1; return 0; }
         int main(void) {
           int local = 0;
           pthread_t t;
           pthread_create(&t, 0, writes, &local);
           pthread_exit(0);
         }",
        "Doubt",
    );
}

/// A value grows in a block that never comes to its end.
#[test]
fn counting_in_vain() {
    check(
        "int n;
         void *counts(void *arg) {
           __VERIFIER_atomic_begin();
           n++;
           if (n == 2) reach_error();
           __VERIFIER_assume(0);
           return 0;
         }
         int main(void) {
           pthread_t t, u;
           pthread_create(&t, 0, counts, 0);
           pthread_create(&u, 0, counts, 0);
         }",
        "Safe",
    );
}

/// In a first walk the index is nothing yet; with 32 bits it was then taken for a pointer for good.
#[test]
fn an_index_that_is_written_later() {
    check(
        "int x = 2, all[2] = { 0, 1 };
         unsigned char few[4];
         void *writes(void *arg) { x = 2; return 0; }
         void *reads(void *arg) { int one[2] = { 0, (all[(x + 1) & 1] + (x & -2)) & 3 }; x = one[1]; return 0; }
         int main(void) {
           pthread_t t, u;
           pthread_create(&t, 0, writes, 0);
           if (few[x & 3] == 2) return 0;
           pthread_create(&u, 0, reads, 0);
           pthread_join(u, 0);
           if (x == 3) reach_error();
         }",
        "Unsafe",
    );
}

/// The race is with a thread that has done nothing yet, and main started it last.
#[test]
fn who_has_done_nothing_must_be_started_to_race() {
    let text = "int x, y;
        void *first(void *p) { x = 1; return 0; }
        void *second(void *p) { if (y) x = 2; return 0; }
        int main(void) {
          pthread_t t; y = 1;
          pthread_create(&t, 0, first, 0);
          pthread_create(&t, 0, second, 0);
        }";
    agree(Property::NoDataRace, &format!("{HEAD}{text}"), "Unsafe");
}
