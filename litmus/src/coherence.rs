//! Per place: every reads-from and coherence order of its accesses.
//!
//! Values are known, so a read may only read from writes of its value. If the model is SC per location
//! (`cat::Model::is_coherent` decides that from its axioms), only choices without a cycle in
//! `po-loc | rf | co | fr` are made: within a thread, the writes that are read or made at one place
//! never go back in coherence order. Otherwise all choices are.
//!
//! Cost: linear extensions of the writes times sources of the reads, for one place at a time.

use crate::error::Error;
use crate::execution::{LocationAccesses, Skeleton};
use crate::trace::WorkBudget;
use crate::value::Value;

/// A choice for one place.
#[derive(Clone, Debug)]
pub struct CoherenceChoice {
    /// Write and read.
    pub rf: Vec<(usize, usize)>,
    /// The writes in coherence order.
    pub co: Vec<usize>,
}

pub fn choices(
    skeleton: &Skeleton,
    place: &LocationAccesses,
    values: &[Value],
    coherent: bool,
    budget: &mut WorkBudget,
) -> Result<Vec<CoherenceChoice>, Error> {
    let mut search = CoherenceSearch { skeleton, place, values, coherent, found: Vec::new() };
    let mut order = vec![place.writes[0]];
    search.orders(&mut order, budget)?;
    Ok(search.found)
}

struct CoherenceSearch<'a> {
    skeleton: &'a Skeleton,
    place: &'a LocationAccesses,
    values: &'a [Value],
    coherent: bool,
    found: Vec<CoherenceChoice>,
}

impl CoherenceSearch<'_> {
    fn orders(&mut self, order: &mut Vec<usize>, budget: &mut WorkBudget) -> Result<(), Error> {
        if order.len() == self.place.writes.len() {
            return self.sources(order, &mut Vec::new(), budget);
        }
        for i in 0..self.place.writes.len() {
            let write = self.place.writes[i];
            if order.contains(&write) || (self.coherent && self.waits(write, order)) {
                continue;
            }
            order.push(write);
            self.orders(order, budget)?;
            order.pop();
        }
        Ok(())
    }

    /// Is an earlier write of the thread not yet in the order?
    fn waits(&self, write: usize, order: &[usize]) -> bool {
        let thread = self.skeleton.thread[write];
        let mut earlier = self.place.writes.iter().filter(|&&w| w < write);
        earlier.any(|w| self.skeleton.thread[*w] == thread && !order.contains(w))
    }

    fn sources(
        &mut self,
        order: &[usize],
        chosen: &mut Vec<(usize, usize)>,
        budget: &mut WorkBudget,
    ) -> Result<(), Error> {
        let Some(&read) = self.place.reads.get(chosen.len()) else {
            budget.spend(1)?;
            let nothing = self.skeleton.starts_empty.then_some(order[0]);
            let rf = chosen.iter().copied().filter(|(write, _)| Some(*write) != nothing).collect();
            self.found.push(CoherenceChoice { rf, co: order.to_vec() });
            return Ok(());
        };
        for (position, &write) in order.iter().enumerate() {
            let fits = self.values[write] == self.values[read];
            if fits && (!self.coherent || self.in_order(order, chosen, read, position)) {
                chosen.push((write, read));
                self.sources(order, chosen, budget)?;
                chosen.pop();
            }
        }
        Ok(())
    }

    /// May `read` see the write at `position`, after what its thread has seen and written here?
    fn in_order(
        &self,
        order: &[usize],
        chosen: &[(usize, usize)],
        read: usize,
        position: usize,
    ) -> bool {
        let thread = self.skeleton.thread[read];
        let own = |event: usize| self.skeleton.thread[event] == thread;
        let place_of = |write: usize| order.iter().position(|&w| w == write);
        let writes = order.iter().enumerate().all(|(other, &w)| {
            !own(w) || if w < read { other <= position } else { other > position }
        });
        let reads = chosen.iter().all(|&(w, r)| !own(r) || place_of(w) <= Some(position));
        writes && reads
    }
}
