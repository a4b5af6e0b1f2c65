//! What a build says about a program: the words of a compiler, and compilation databases.
//!
//! - `words.rs`: the words of a compiler's command line, as gcc and clang read them
//! - `database.rs`: `compile_commands.json`: which files a project compiles, and how
//! - `needed.rs`: which units of a database a program needs, as a linker finds them

mod database;
mod needed;
mod words;

pub use needed::complete;
pub use words::{CommandWords, is_for_the_linker};
