//! The engines. Each is one folder that knows the contract (`crate::contract`) and no other engine.

pub mod bmc;
pub mod explore;
pub mod modular;
