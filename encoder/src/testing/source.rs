//! From C text to an encoding, as the engine does it.

use crate::{Config, Encoding, Unencodable, encode};
use analysis::inline::Limits;
use analysis::unroll::Bounds;
use frontend::{LoadOptions, Source, load};
use ir::Program;
use ir::types::Machine;

/// What a C compiler's headers would declare.
pub const DECLARATIONS: &str = "
typedef unsigned long pthread_t;
typedef struct { int s[10]; } pthread_mutex_t;
typedef unsigned long size_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void pthread_exit(void *);
extern pthread_t pthread_self(void);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void free(void *);
extern void *memcpy(void *, const void *, size_t);
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
";

/// The program before it is unrolled. The text must be good C.
pub fn program(text: &str, machine: Machine) -> Program {
    let source = Source { name: "test.c", text: text.as_bytes(), moved: &[] };
    match load(&[source], machine, &LoadOptions::default()) {
        Ok(program) => analysis::prepare(program),
        Err(e) => panic!("{e:?}"),
    }
}

/// How deep recursion goes.
const DEPTH: u32 = 7;

/// Each loop whose end is not known has `bound` iterations.
pub fn unrolled(program: Program, bound: u32) -> Program {
    let calls = Limits { depth: DEPTH, max_blocks: 200_000 };
    match analysis::unrolled(program, &Bounds::all(bound), 1000, &calls) {
        Ok((program, _)) => program,
        Err(e) => panic!("{e:?}"),
    }
}

pub fn try_encoded(text: &str, bound: u32, config: &Config) -> Result<Encoding, Unencodable> {
    let text = format!("{DECLARATIONS}{text}");
    encode(&unrolled(program(&text, Machine::Lp64), bound), config)
}

/// The encoding of C text behind `DECLARATIONS`, loops three times, without candidates.
pub fn encoded(text: &str) -> Encoding {
    match try_encoded(text, 3, &Config::default()) {
        Ok(encoding) => encoding,
        Err(e) => panic!("{e:?}"),
    }
}
