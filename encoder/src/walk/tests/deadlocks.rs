//! Threads that wait for ever, by trying all linearizations.

use super::*;
use crate::Config;
use crate::testing::source::try_encoded;
use ir::Property;

fn waiting(text: &str) -> Encoding {
    let config = Config { property: Property::NoDeadlock, ..Config::default() };
    try_encoded(text, 2, &config).unwrap_or_else(|e| panic!("{e:?}"))
}

#[track_caller]
fn deadlocks(text: &str) {
    assert_eq!(reached_in(waiting(text)), ["error"]);
}

#[track_caller]
fn no_deadlock(text: &str) {
    assert_eq!(reached_in(waiting(text)), [""; 0]);
}

/// `take` waits until `x` is not zero, and makes it zero.
const TAKE: &str = "int x; void __obmc_wait(int); void __obmc_atomic_begin(void);
    void __obmc_atomic_end(void);
    void take(void) { __obmc_atomic_begin(); __obmc_wait(x != 0); x = 0; __obmc_atomic_end(); }";

/// Another thread, and the first one, which joins it.
fn with_take(other: &str, main: &str) -> String {
    two(TAKE, other, &format!("{main} pthread_join(id, 0);"))
}

#[test]
fn who_waits_for_what_never_comes() {
    deadlocks(&with_take("take();", ""));
    no_deadlock(&with_take("take();", "x = 1;"));
    deadlocks(&with_take("take();", "x = 1; x = 0;"));
    no_deadlock(&with_take("take();", "x = 0; x = 1;"));
}

#[test]
fn what_one_takes_the_other_misses() {
    deadlocks(&with_take("take(); x = 1;", "take(); x = 1;"));
    let full = |text: String| text.replace("int x;", "int x = 1;");
    no_deadlock(&full(with_take("take(); x = 1;", "take(); x = 1;")));
    deadlocks(&full(with_take("take();", "take();")));
}

#[test]
fn who_is_cut_off_is_not_deadlocked() {
    no_deadlock(&with_take("take();", "__VERIFIER_assume(0);"));
    no_deadlock(&with_take("take();", "__VERIFIER_error();"));
}

#[test]
fn the_end_of_the_process_ends_all() {
    let text = |last: &str| {
        format!(
            "{TAKE} void *t(void *p) {{ take(); return 0; }}
             int main(void) {{ pthread_t id; pthread_create(&id, 0, t, 0); {last} }}"
        )
    };
    no_deadlock(&text("return 0;"));
    deadlocks(&text("pthread_join(id, 0); return 0;"));
    deadlocks(&text("pthread_exit(0);"));
    deadlocks(&text("take(); return 0;"));
}
