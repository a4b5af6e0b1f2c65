//! C text to IR. The door is `load`.

pub mod dot;
pub mod error;
pub mod fold;
pub mod ir;
pub mod pass;
pub mod print;
#[cfg(test)]
pub mod testing;
pub mod types;
pub mod verify;
