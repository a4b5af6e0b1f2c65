//! Test support: random numbers and random concurrent C programs, the same for a seed every time.
//!
//! - `check.rs`: what a run of the program says;
//! - `dice.rs`: the one source of random numbers of all tests;
//! - `small.rs`: programs with few states and much synchronisation;
//! - `rich.rs`: less control and more of C;
//! - `parameterised.rs`, `lock_invariant.rs`, `counting.rs`, `protocol.rs`: the patterns that modular proofs are
//!   made for, and programs that miss them by a little;
//! - `jumping.rs`: sequential programs with `setjmp` and `longjmp`, for the C compiler to judge;
//! - `search.rs`: loops with iterations that do nothing, for loop acceleration;
//! - `waiting.rs`: threads that wait for each other in loops, for livelocks;
//! - `conditions.rs`: threads that wait for condition variables;
//! - `elements.rs`: elements of an array by index, for steps that commute where indices differ.
//!
//! Nothing here knows more of the verifier than its exit codes: it is a dev-dependency, or optional behind a feature `testing`.
//!
//! ```
//! use obmc_testing::{Pattern, Topic, program};
//!
//! let text = program(Pattern::Small, 7);
//! assert!(text.contains("int main(void)"));
//! assert_eq!(text, program(Pattern::Small, 7));
//! assert_ne!(text, program(Pattern::Small, 8));
//! assert_ne!(text, program(Pattern::Rich(Topic::Limits), 7));
//! ```

mod check;
mod conditions;
mod counting;
mod dice;
mod elements;
mod jumping;
mod lock_invariant;
mod parameterised;
mod protocol;
mod rich;
mod search;
mod small;
mod waiting;

pub use check::{holds, number};
pub use dice::Dice;
pub use jumping::program as jumping;
pub use rich::Topic;

/// What kind of program a seed stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Few states, much synchronisation.
    Small,
    /// All that C has for sharing memory.
    Rich(Topic),
    /// Loops that start threads.
    Parameterised,
    /// A relation between globals that holds whenever a lock is free.
    LockInvariant,
    /// It matters how many threads have done something.
    Counting,
    /// Threads that keep each other out by flags of their own.
    Protocol,
    /// Loops that look for something in arrays.
    Search,
    /// Loops that wait for other threads.
    Waiting,
    /// Loops that wait for condition variables.
    Conditions,
    /// Elements of an array by index.
    Elements,
}

/// The preprocessed C program of a seed; it declares what it uses.
pub fn program(pattern: Pattern, seed: u64) -> String {
    match pattern {
        Pattern::Small => small::program(seed),
        Pattern::Rich(topic) => rich::program(topic, seed),
        Pattern::Parameterised => parameterised::program(seed),
        Pattern::LockInvariant => lock_invariant::program(seed),
        Pattern::Counting => counting::program(seed),
        Pattern::Protocol => protocol::program(seed),
        Pattern::Search => search::program(seed),
        Pattern::Waiting => waiting::program(seed),
        Pattern::Conditions => conditions::program(seed),
        Pattern::Elements => elements::program(seed),
    }
}
