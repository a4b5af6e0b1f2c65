//! What a transition reads of static objects before it writes it, and what it writes.
//!
//! - `ranges.rs`: sets of bytes

mod ranges;

pub use ranges::Ranges;

use interp::{Access, ObjectBytes};

#[derive(Clone, Default, Debug)]
pub struct TouchedBytes {
    /// The values of these bytes may have decided what the transition did.
    pub reads: Ranges,
    pub writes: Ranges,
    /// Of the step at work, which may still be undone.
    step: Ranges,
}

impl TouchedBytes {
    pub fn access(&mut self, access: &Access) {
        let (from, to) = (access.offset, access.offset + access.size);
        let bytes = ObjectBytes { object: access.object, from, to };
        if access.write {
            self.step.add(bytes);
        } else if !self.writes.covers(bytes) && !self.step.covers(bytes) {
            self.reads.add(bytes);
        }
    }

    /// Nothing of the step at work has happened, but by what it has read it is blocked.
    pub fn undone(&mut self) {
        self.step.clear();
    }

    pub fn step_done(&mut self) {
        if !self.step.is_empty() {
            self.writes.add_all(&self.step);
            self.step.clear();
        }
    }
}
