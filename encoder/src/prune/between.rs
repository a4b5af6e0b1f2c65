//! Writes that a read never sees, whatever is read and written.
//!
//! **Order**: the read comes first. **Exclusive**: the two guards cannot both hold. **Overwrite**:
//! `w < w' < r`, and `w'` happens whenever `w` or `r` does. For `r` this is done with the writes of a
//! thread together: going back from `r`, the guards of the writes passed are joined until that of
//! `r` implies the result (the reaching definitions); whatever is before all of these is not seen.
//! For `w`, in each thread the first write after it that it implies is remembered.
//!
//! Cost: `T` steps per candidate; `REACH` questions per thread for each read and for each write.

use super::{Options, PruneState, Rule};
use crate::{EventId, EventKind};

/// How many writes of a thread we join, or ask one by one.
const REACH: usize = 8;

impl PruneState<'_> {
    /// Did any pair go?
    pub(super) fn between(&mut self, options: &Options) -> bool {
        let overwritten = options.has(Rule::Overwrite).then(|| self.overwriters());
        let mut changed = false;
        for read in self.reads() {
            if !(self.go_on)() {
                break;
            }
            let covers = overwritten.as_ref().map(|_| self.covers(read)).unwrap_or_default();
            let mut sources = std::mem::take(&mut self.sources[read.index()]);
            let count = sources.len();
            if options.has(Rule::Order) {
                sources.retain(|&w| !self.before(read, w));
            }
            if let Some(overwriters) = &overwritten {
                sources.retain(|&w| {
                    !covers.iter().any(|&cover| self.before(w, cover))
                        && !overwriters[w.index()].iter().any(|&o| self.before(o, read))
                });
            }
            if options.has(Rule::Exclusive) {
                sources.retain(|&w| !self.exclusive(w, read));
            }
            changed |= sources.len() < count;
            self.sources[read.index()] = sources;
        }
        changed
    }

    /// In each thread, a write before `read` such that it or a later one of its thread (still before
    /// `read`) is enabled whenever `read` is.
    fn covers(&mut self, read: EventId) -> Vec<EventId> {
        let mut covers = Vec::new();
        if self.sources[read.index()].len() < 2 {
            return covers;
        }
        let (node, cell) = (self.node(read), self.encoding.events[read.index()].cell.index());
        for thread in 0..self.order.threads() {
            let end = self.order.count_before(node, thread);
            let lane = self.writes[cell].between(thread, 0, end);
            let nearest: Vec<EventId> = lane.iter().rev().take(REACH).map(|&(_, w)| w).collect();
            covers.extend(self.cover(read, &nearest));
        }
        covers
    }

    fn cover(&mut self, read: EventId, nearest: &[EventId]) -> Option<EventId> {
        let mut either = self.encoding.pool.bool(false);
        for &write in nearest {
            let guard = self.guard(write);
            either = self.encoding.pool.or(either, guard);
            if self.entails(self.guard(read), either) {
                return Some(write);
            }
        }
        None
    }

    /// Of each write, in each thread, the first write after it that is enabled whenever it is.
    fn overwriters(&mut self) -> Vec<Vec<EventId>> {
        let mut overwriters = vec![Vec::new(); self.alive.len()];
        for (i, list) in overwriters.iter_mut().enumerate() {
            let write = EventId::new(i);
            if !self.alive(write) || self.kind(write) != EventKind::Write {
                continue;
            }
            if !(self.go_on)() {
                break;
            }
            let (node, cell) = (self.node(write), self.encoding.events[i].cell.index());
            for thread in 0..self.order.threads() {
                let from = self.order.first_after(node, thread);
                let lane = self.writes[cell].between(thread, from, u32::MAX);
                let next: Vec<EventId> = lane.iter().take(REACH).map(|&(_, w)| w).collect();
                let guard = self.guard(write);
                list.extend(next.into_iter().find(|&w| self.entails(guard, self.guard(w))));
            }
        }
        overwriters
    }
}
