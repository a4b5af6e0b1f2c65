//! A state of the interpreter together with the race clocks, where they matter.

use interp::{Interp, RaceMonitor, State};

#[derive(Clone)]
pub struct Monitored {
    pub state: State,
    pub monitor: Option<RaceMonitor>,
}

impl Monitored {
    pub fn digest(&mut self, interp: &Interp<'_>) -> u128 {
        let state = interp.digest(&mut self.state);
        match &mut self.monitor {
            None => state,
            Some(monitor) => state ^ monitor.digest().rotate_left(59),
        }
    }
}
