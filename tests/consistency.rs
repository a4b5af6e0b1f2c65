//! A proof says if it rests on sequential consistency: weaker atomic accesses, or a race. A program
//! whose threads synchronise, with `seq_cst` atomics only, hears nothing of it. `--strict` makes
//! UNKNOWN of the former and leaves the latter as they are. Where no model is named, rc11 is asked
//! about the former, too.

use std::path::Path;
use std::process::{Command, Stdio};

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n\
    #include <stdatomic.h>\n#include <stdlib.h>\n";
const MAIN: &str = "int main(void) { pthread_t s, t; pthread_create(&s, 0, a, 0);\n\
    pthread_create(&t, 0, b, 0); pthread_join(s, 0); pthread_join(t, 0); CHECK; return 0; }\n";

/// Two threads, what is checked at the end, and what is said.
struct Case {
    name: &'static str,
    text: &'static str,
    check: &'static str,
    says: Option<&'static str>,
    /// What comes out without `--mm`.
    both: Both,
}

/// What is said if no model is named.
#[derive(Clone, Copy, PartialEq)]
enum Both {
    /// Interleavings are all that there is.
    Sc,
    /// SAFE under both.
    Safe,
    /// UNSAFE under rc11.
    Unsafe,
    /// No more than the answer about interleavings, and why.
    Open(&'static str),
}

const WEAKER_4: Option<&str> = Some("4 accesses are weaker, first here");
const RACE: Option<&str> = Some("there is a data race here");

const CASES: &[Case] = &[
    Case {
        name: "store_buffering_relaxed",
        text: "atomic_int x, y; int r, q;
void *a(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed);
    r = atomic_load_explicit(&y, memory_order_relaxed); return p; }
void *b(void *p) { atomic_store_explicit(&y, 1, memory_order_relaxed);
    q = atomic_load_explicit(&x, memory_order_relaxed); return p; }",
        check: "assert(r || q)",
        says: WEAKER_4,
        both: Both::Unsafe,
    },
    Case {
        name: "store_buffering_seq_cst",
        text: "atomic_int x, y; int r, q;
void *a(void *p) { x = 1; r = atomic_load(&y); return p; }
void *b(void *p) { atomic_store(&y, 1); q = x; return p; }",
        check: "assert(r || q)",
        says: None,
        both: Both::Sc,
    },
    Case {
        name: "store_buffering_volatile",
        text: "volatile int x, y; int r, q;
void *a(void *p) { x = 1; r = y; return p; }
void *b(void *p) { y = 1; q = x; return p; }",
        check: "assert(r || q)",
        says: RACE,
        both: Both::Sc,
    },
    Case {
        name: "store_buffering_with_full_fences",
        text: "int x, y, r, q;
void *a(void *p) { x = 1; __sync_synchronize(); r = y; return p; }
void *b(void *p) { y = 1; __sync_synchronize(); q = x; return p; }",
        check: "assert(r || q)",
        says: RACE,
        both: Both::Sc,
    },
    Case {
        name: "peterson_plain",
        text: "int in0, in1, turn, inside;
void *a(void *p) { in0 = 1; turn = 1; while (in1 && turn == 1) ;
    inside++; assert(inside == 1); inside--; in0 = 0; return p; }
void *b(void *p) { in1 = 1; turn = 0; while (in0 && turn == 0) ;
    inside++; assert(inside == 1); inside--; in1 = 0; return p; }",
        check: "",
        says: RACE,
        both: Both::Sc,
    },
    Case {
        name: "peterson_acquire_release",
        text: "atomic_int in0, in1, turn; int inside;
void *a(void *p) { atomic_store_explicit(&in0, 1, memory_order_release);
    atomic_store(&turn, 1);
    while (atomic_load_explicit(&in1, memory_order_acquire) && turn == 1) ;
    inside++; assert(inside == 1); inside--;
    atomic_store_explicit(&in0, 0, memory_order_release); return p; }
void *b(void *p) { atomic_store(&in1, 1); atomic_store(&turn, 0);
    while (atomic_load_explicit(&in0, memory_order_acquire) && turn == 0) ;
    inside++; assert(inside == 1); inside--; atomic_store(&in1, 0); return p; }",
        check: "",
        says: WEAKER_4,
        both: Both::Unsafe,
    },
    Case {
        name: "seqlock_without_fences",
        text: "atomic_int seq, x, y;
void *a(void *p) { atomic_store(&seq, 1); atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed); atomic_store(&seq, 2); return p; }
void *b(void *p) { int s = seq, u = atomic_load_explicit(&x, memory_order_relaxed),
    v = atomic_load_explicit(&y, memory_order_relaxed); if (!(s & 1) && s == seq) assert(u == v);
    return p; }",
        check: "",
        says: WEAKER_4,
        both: Both::Unsafe,
    },
    Case {
        name: "seqlock_of_seq_cst_data",
        text: "atomic_int seq, x, y;
void *a(void *p) { atomic_store_explicit(&seq, 1, memory_order_relaxed); x = 1; y = 1;
    atomic_store_explicit(&seq, 2, memory_order_release); return p; }
void *b(void *p) { int s = atomic_load_explicit(&seq, memory_order_acquire), u = x, v = y;
    if (!(s & 1) && s == atomic_load_explicit(&seq, memory_order_relaxed)) assert(u == v);
    return p; }",
        check: "",
        says: WEAKER_4,
        both: Both::Safe,
    },
    Case {
        name: "a_race_that_only_rc11_shows",
        text: "atomic_int x, y; int n;
void *a(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed);
    if (!atomic_load_explicit(&y, memory_order_relaxed)) n = 1; return p; }
void *b(void *p) { atomic_store_explicit(&y, 1, memory_order_relaxed);
    if (!atomic_load_explicit(&x, memory_order_relaxed)) n = 2; return p; }",
        check: "assert(n < 3)",
        says: WEAKER_4,
        both: Both::Open("there is a data race"),
    },
    Case {
        name: "an_assertion_beside_a_race",
        text: "atomic_int x, y; int n, r = 1, q = 1;
void *a(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed);
    r = atomic_load_explicit(&y, memory_order_relaxed); if (!r) n = 1; return p; }
void *b(void *p) { atomic_store_explicit(&y, 1, memory_order_relaxed);
    q = atomic_load_explicit(&x, memory_order_relaxed); if (!q) n = 2; return p; }",
        check: "assert(r || q)",
        says: WEAKER_4,
        both: Both::Unsafe,
    },
    Case {
        name: "a_race_that_interleavings_show",
        text: "atomic_int x; int n;
void *a(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed); n = 1; return p; }
void *b(void *p) { atomic_store_explicit(&x, 2, memory_order_relaxed); n = 2; return p; }",
        check: "assert(x)",
        says: Some("2 accesses are weaker, first here"),
        both: Both::Open("there is a data race"),
    },
    Case {
        name: "weak_failure_of_an_exchange",
        text: "atomic_int x;
void *a(void *p) { int z = 0; atomic_compare_exchange_strong_explicit(&x, &z, 1,
    memory_order_seq_cst, memory_order_acquire); return p; }
void *b(void *p) { return p; }",
        check: "assert(x == 1)",
        says: Some("1 access is weaker"),
        both: Both::Safe,
    },
    Case {
        name: "a_lock_of_gcc",
        text: "int lock, n;
void *a(void *p) { while (__sync_lock_test_and_set(&lock, 1)) ; n++;
    __sync_lock_release(&lock); return p; }
void *b(void *p) { return a(p); }",
        check: "assert(n == 2)",
        says: Some("2 accesses are weaker, first here"),
        both: Both::Safe,
    },
    Case {
        name: "a_lock_of_flags",
        text: "atomic_flag lock = ATOMIC_FLAG_INIT; int n;
void *a(void *p) { while (atomic_flag_test_and_set(&lock)) ; n++; atomic_flag_clear(&lock);
    return p; }
void *b(void *p) { return a(p); }",
        check: "assert(n == 2)",
        says: None,
        both: Both::Sc,
    },
    Case {
        name: "assembly_is_strong",
        text: "int n;
void *a(void *p) { __asm__ volatile(\"lock; incl %0\" : \"+m\"(n) : : \"memory\"); return p; }
void *b(void *p) { return a(p); }",
        check: "assert(n == 2)",
        says: None,
        both: Both::Sc,
    },
    Case {
        name: "volatile_under_a_lock",
        text: "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; volatile int n;
void *a(void *p) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return p; }
void *b(void *p) { return a(p); }",
        check: "assert(n == 2)",
        says: None,
        both: Both::Sc,
    },
    Case {
        name: "spin_locks_of_the_library",
        text: "pthread_spinlock_t m; int n;
__attribute__((constructor)) void make(void) { pthread_spin_init(&m, 0); }
void *a(void *p) { pthread_spin_lock(&m); n++; pthread_spin_unlock(&m); return p; }
void *b(void *p) { return a(p); }",
        check: "assert(n == 2)",
        says: None,
        both: Both::Sc,
    },
    Case {
        name: "a_job_is_handed_over",
        text: "struct job { int v; atomic_int done; } *q; sem_t ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *a(void *p) { struct job *j = malloc(sizeof *j); if (!j) exit(0); j->v = 7; atomic_init(&j->done, 0);
    pthread_mutex_lock(&m); q = j; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return p; }
void *b(void *p) { pthread_mutex_lock(&m); while (!q) pthread_cond_wait(&c, &m);
    struct job *j = q; pthread_mutex_unlock(&m); assert(j->v == 7 && !j->done); free(j);
    return p; }",
        check: "",
        says: None,
        both: Both::Sc,
    },
    Case {
        name: "weak_where_no_threads_meet",
        text: "atomic_int x;
void never(void) { atomic_store_explicit(&x, 1, memory_order_relaxed); }
void *a(void *p) { atomic_int own; atomic_init(&own, 1);
    atomic_fetch_add_explicit(&own, 1, memory_order_relaxed); assert(own == 2); return p; }
void *b(void *p) { x++; return p; }",
        check: "assert(x == 1)",
        says: None,
        both: Both::Sc,
    },
];

struct Said {
    code: Option<i32>,
    text: String,
}

fn ask(folder: &Path, file: &str, options: &str) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(["check", file, "--timeout", "60s"]).args(options.split_whitespace());
    let output = command.current_dir(folder).stdin(Stdio::null()).output().expect("obmc starts");
    Said { code: output.status.code(), text: String::from_utf8_lossy(&output.stdout).into() }
}

#[test]
fn proofs_say_on_what_they_rest() {
    let folder = tempfile::tempdir().expect("a folder");
    for case in CASES {
        let file = format!("{}.c", case.name);
        let text = format!("{HEAD}{}\n{}", case.text, MAIN.replace("CHECK", case.check));
        std::fs::write(folder.path().join(&file), text).expect("written");
        let said = ask(folder.path(), &file, "--property unreach-call --mm sc");
        assert_eq!(said.code, Some(0), "{file}: {}", said.text);
        let strict =
            ask(folder.path(), &file, "--property unreach-call --mm sc --strict --malloc-may-fail");
        match case.says {
            Some(what) => {
                let words = said.text.split_whitespace().collect::<Vec<_>>().join(" ");
                let wanted = format!("holds under sequential consistency; {what}");
                assert!(words.contains(&wanted), "{file}: {}", said.text);
                assert_eq!(strict.code, Some(5), "{file}: {}", strict.text);
            }
            None => {
                assert!(!said.text.contains("consistency"), "{file}: {}", said.text);
                assert_eq!(strict.code, Some(0), "{file}: {}", strict.text);
            }
        }
    }
}

#[test]
fn without_a_model_both_are_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    for case in CASES {
        let file = format!("{}.c", case.name);
        let text = format!("{HEAD}{}\n{}", case.text, MAIN.replace("CHECK", case.check));
        std::fs::write(folder.path().join(&file), text).expect("written");
        let said = ask(folder.path(), &file, "--property unreach-call");
        let strict =
            ask(folder.path(), &file, "--property unreach-call --strict --malloc-may-fail");
        let rests = if case.says.is_some() { Some(5) } else { Some(0) };
        let (code, strictly, has) = match case.both {
            Both::Sc => (Some(0), rests, "SAFE: no execution violates unreach-call\n"),
            Both::Safe => (Some(0), Some(0), "verdict[unreach-call, rc11]: true\n"),
            Both::Unsafe => (Some(10), Some(10), "verdict[unreach-call, sc]: true\n"),
            Both::Open(why) => (Some(0), Some(5), why),
        };
        assert_eq!((said.code, strict.code), (code, strictly), "{file}: {}", said.text);
        assert!(said.text.contains(has), "{file}: {}", said.text);
        let alone = matches!(case.both, Both::Sc | Both::Open(_));
        assert_eq!(said.text.contains("Under rc11:"), !alone, "{file}: {}", said.text);
    }
}

/// An interleaving is an execution under every memory model.
#[test]
fn violations_need_no_such_word() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n\
        void *f(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed); return p; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);\n\
        assert(!atomic_load_explicit(&x, memory_order_relaxed)); }\n";
    std::fs::write(folder.path().join("a.c"), text).expect("written");
    for options in ["--property unreach-call", "--property unreach-call --strict"] {
        let said = ask(folder.path(), "a.c", options);
        assert_eq!(said.code, Some(10), "{}", said.text);
        assert!(!said.text.contains("consistency"), "{}", said.text);
    }
}

/// A race that only the engines find is a cause for all that was proven before.
#[test]
fn a_race_that_is_found_counts_for_all_properties() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "#include <pthread.h>\nint __VERIFIER_nondet_int(void);\nint x;\n\
        void *f(void *p) { x = 1; return p; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);\n\
        if (__VERIFIER_nondet_int() == 77) x = 2;\n pthread_join(t, 0); return 0; }\n";
    std::fs::write(folder.path().join("a.c"), text).expect("written");
    let said = ask(folder.path(), "a.c", "--property unreach-call,no-data-race");
    assert_eq!(said.code, Some(10), "{}", said.text);
    let words = said.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("consistency; there is a data race here"), "{}", said.text);
    let alone = ask(folder.path(), "a.c", "--property unreach-call");
    assert!(!alone.text.contains("consistency"), "{}", alone.text);
}
