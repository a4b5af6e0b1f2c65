//! The contract of engines: what they are asked, what they answer, and how a violation is confirmed.
//!
//! Every engine uses this room, and this room uses no engine. A caller makes a `Query` and gets a
//! `Verdict`; the caller need not know which engine answered.
//!
//! - `settings.rs`, `limits.rs` and `ir::Property`: the question
//! - `verdict.rs`, `violation.rs`, `weak_execution.rs`, `phases.rs`: the answer
//! - `progress.rs`: how far an engine is, for a user who waits
//! - `confirm.rs`: the interpreter replays a violation before it is told
//! - `lifetime.rs`: who ended an object that is used after its end
//! - `hang.rs`: what a livelock is; `components.rs`: sets of states that are never left
//! - `inputs.rs`: all answers to the choices of a step; `monitored.rs`: a state with its race clocks;
//!   `lockstep.rs`: one execution in two forms of a program; `lift.rs`: from an unrolled program back to
//!   the one before; `turns.rs`: an execution by how far threads go in turn
//! - `interleaving.rs`: a schedule as an execution graph of a memory model
//! - `race_mode.rs`: what a data race is, and when no clocks are needed to find one
//!
//! Invariant: an UNSAFE carries an execution that the interpreter has replayed; a SAFE was said without
//! any cut, and names what it assumes.

pub mod components;
pub mod confirm;
pub mod hang;
pub mod inputs;
pub mod interleaving;
mod lifetime;
pub mod lift;
mod limits;
pub mod lockstep;
mod monitored;
mod phases;
mod progress;
pub mod race_mode;
mod settings;
pub mod turns;
mod verdict;
mod violation;
mod weak_execution;

pub use interp::{TraceEvent, TraceStep};
pub use ir::{MemoryModel, Property};
pub use limits::Limits;
pub use monitored::Monitored;
pub use phases::{Phases, Recorder, timed};
pub use progress::{NotModelled, Progress};
pub use settings::{Bounds, Minimize, Settings, Undefined};
pub use verdict::{Answer, ForbiddenOrder, OrderedBy, ProofCore, Reason, Remark, Verdict};
pub use violation::{Form, Goal, Run, Violation};
pub use weak_execution::{WeakAccess, WeakEvent, WeakExecution, unchecked_ends};

use ir::{Program, Span};

/// What an engine can say something about: properties by memory model.
pub type Coverage = &'static [(MemoryModel, &'static [Property])];

pub fn covers(coverage: Coverage, property: Property, model: MemoryModel) -> bool {
    coverage.iter().any(|(known, properties)| *known == model && properties.contains(&property))
}

/// One property of one program, within limits.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    pub program: &'a Program,
    pub property: Property,
    pub settings: &'a Settings,
    pub limits: &'a Limits,
}

impl Query<'_> {
    /// The answer of an engine that knows nothing of such a property or memory model.
    pub fn uncovered(&self, coverage: Coverage) -> Option<Verdict> {
        let (property, model) = (self.property, self.settings.model);
        let name = self.settings.weak.as_ref().map_or(model.name(), |weak| &weak.name);
        let what = format!("{} under --mm {name} with this engine", property.name());
        let reason = Reason::Unsupported { what, span: Span::NONE };
        let known = covers(coverage, property, model);
        (!known).then(|| Verdict::new(property, Answer::Unknown(reason)))
    }

    /// What the interpreter must watch for.
    pub fn interp_config(&self) -> interp::Config {
        interp::Config {
            unreach: self.property == Property::UnreachCall,
            memsafety: self.property == Property::ValidMemsafety,
            overflow: self.property == Property::NoOverflow,
            malloc_may_fail: self.settings.malloc_may_fail,
            undefined_ends: self.settings.undefined.ends(),
            ..interp::Config::default()
        }
    }
}

pub trait Engine {
    fn check(&self, query: Query<'_>) -> Verdict;
}
