//! Preprocessing tokens: what they are and how text is cut into them. The build script reads headers with
//! the same code.

pub mod lex;
pub mod token;
