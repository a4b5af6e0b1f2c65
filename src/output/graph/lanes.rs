//! Threads in the order in which they start, and what comes before the next event of each.

use super::model::{EdgeKind, Lane};
use interp::Tid;
use rustc_hash::FxHashMap;

pub struct Lanes {
    lanes: Vec<Lane>,
    by_thread: FxHashMap<Tid, usize>,
    last: Vec<Option<usize>>,
    /// The event that starts a thread.
    starts: FxHashMap<Tid, usize>,
    entry: String,
}

impl Lanes {
    pub fn new(entry: &str) -> Lanes {
        let entry = entry.to_string();
        let (lanes, by_thread, last, starts) = Default::default();
        Lanes { lanes, by_thread, last, starts, entry }
    }

    pub fn started(&mut self, thread: Tid, function: &str, event: usize) {
        let lane = self.lane(thread);
        self.lanes[lane].function = function.to_string();
        self.starts.insert(thread, event);
    }

    fn lane(&mut self, thread: Tid) -> usize {
        let next = self.lanes.len();
        let lane = *self.by_thread.entry(thread).or_insert(next);
        if lane == next {
            let function = if next == 0 { self.entry.clone() } else { String::new() };
            self.lanes.push(Lane { thread: thread.0, function });
            self.last.push(None);
        }
        lane
    }

    pub fn last_event(&self, thread: Tid) -> Option<usize> {
        self.by_thread.get(&thread).and_then(|&lane| self.last[lane])
    }

    /// The lane of the next event of a thread, and the edge that leads to it.
    pub fn push(&mut self, thread: Tid, event: usize) -> (usize, Option<(EdgeKind, usize)>) {
        let lane = self.lane(thread);
        let before = match self.last[lane].replace(event) {
            Some(last) => Some((EdgeKind::Po, last)),
            None => self.starts.get(&thread).map(|&start| (EdgeKind::Create, start)),
        };
        (lane, before)
    }

    pub fn finish(self) -> Vec<Lane> {
        self.lanes
    }
}
