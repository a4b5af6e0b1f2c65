//! The numbers of a check: sizes of the last unwinding, work and time of all unwindings; and what a
//! user who waits shall know of them.

use super::bounds::BoundsPlan;
use crate::contract::{Limits, Phases, Progress};
use encoder::{Encoding, EventKind};
use ir::NamedLoop;
use solver::Permit;
use std::borrow::Cow;
use std::sync::Arc;

type CountRow = (Cow<'static, str>, u64);

#[derive(Default)]
pub struct Count {
    unwindings: u64,
    /// Of the last unwinding, in order.
    sizes: Vec<CountRow>,
    /// Summed up over all unwindings.
    work: Vec<CountRow>,
    bounds: Vec<CountRow>,
    pub times: Phases,
    pub progress: Progress,
    /// Its clock stands still while the engine is paused.
    permit: Arc<Permit>,
}

impl Count {
    pub fn new(limits: &Limits) -> Count {
        let (progress, permit) = (limits.progress.clone(), limits.permit.clone());
        Count { progress, permit, ..Count::default() }
    }

    /// A new unwinding begins.
    pub fn unwinding(&mut self) {
        self.progress.begin("unwind");
        self.unwindings += 1;
        self.sizes.clear();
    }

    pub fn time<T>(&mut self, phase: &'static str, work: impl FnOnce() -> T) -> T {
        log::info!("{phase}");
        self.progress.phase(phase);
        let start = self.permit.now();
        let result = work();
        self.times.add(phase, self.permit.now().saturating_duration_since(start));
        result
    }

    pub fn size(&mut self, name: &'static str, value: usize) {
        self.sizes.push((name.into(), value as u64));
    }

    pub fn add(&mut self, name: &'static str, value: u64) {
        match self.work.iter_mut().find(|(n, _)| *n == name) {
            Some((_, sum)) => *sum += value,
            None => self.work.push((name.into(), value)),
        }
    }

    pub fn encoding(&mut self, encoding: &Encoding) {
        let reads = encoding.events.iter().filter(|e| e.kind == EventKind::Read).count();
        self.progress.events(encoding.events.len() as u64);
        self.size("threads", encoding.threads.len());
        self.size("events", encoding.events.len());
        self.size("reads", reads);
        self.size("writes", encoding.events.len() - reads);
        self.size("nodes", encoding.nodes.len());
        self.size("cells", encoding.cells.len());
        self.size("terms", encoding.pool.len());
    }

    /// The bound of each loop that may matter.
    pub fn bounds(&mut self, loops: &[NamedLoop], plan: &BoundsPlan) {
        let row = |info: &NamedLoop| {
            (Cow::Owned(format!("bound {}", info.name)), u64::from(plan.of(info)))
        };
        self.bounds = loops.iter().map(row).collect();
        self.bounds.sort();
        self.bounds.dedup();
        self.progress.bound(self.bounds.iter().map(|(_, bound)| *bound).max().unwrap_or(0));
    }

    /// All rows in the order in which they are printed.
    pub fn rows(&mut self) -> Vec<CountRow> {
        let mut rows = vec![("unwindings".into(), self.unwindings)];
        rows.append(&mut self.sizes);
        rows.append(&mut self.work);
        rows.append(&mut self.bounds);
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_of_the_last_unwinding_and_work_is_summed_up() {
        let mut count = Count::default();
        for unwinding in 1..=2 {
            count.unwinding();
            count.size("events", 10 * unwinding);
            count.add("conflicts", 3);
        }
        let rows = count.rows();
        let rows: Vec<(&str, u64)> = rows.iter().map(|(n, v)| (&**n, *v)).collect();
        assert_eq!(rows, [("unwindings", 2), ("events", 20), ("conflicts", 6)]);
    }
}
