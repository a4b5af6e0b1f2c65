//! C text to IR. The door is `load`.

pub mod error;
pub mod ir;
pub mod normalise;
pub mod parse;
pub mod source;
pub mod stack;
pub mod types;
