//! C text to IR. The door is `load`.

pub mod error;
pub mod ir;
pub mod types;
