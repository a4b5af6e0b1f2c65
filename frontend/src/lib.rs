//! C text to IR. The door is `load`.

pub mod error;
pub mod headers;
pub mod ir;
pub mod models;
pub mod types;
