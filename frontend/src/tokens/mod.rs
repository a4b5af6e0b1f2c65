//! Preprocessing tokens: what they are and how text is cut into them. The build script reads
//! headers with the same code.
//!
//! - `lex.rs`: bytes of a file to preprocessing tokens, one at a time
//! - `token.rs`: preprocessing tokens: small, copied freely, their spelling interned

pub mod lex;
pub mod token;
