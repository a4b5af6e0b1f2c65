//! The program as a user meets it: exit codes, the verdict line, messages, and bad input.
//!
//! What a case prints is held against `tests/golden/NAME.expected`; `scripts/bless` rewrites those
//! files. Every case also checks what must never happen: a panic, a signal, an undocumented exit
//! code, stdout without its verdict line (`place`).

mod bad_input;
mod bench;
mod engines;
mod limits;
mod models;
mod place;
mod usage;
mod verdicts;
