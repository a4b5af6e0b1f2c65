//! The slow reference implementation: breadth first, every single step of every thread, no
//! reduction at all, races by clocks only. Says whether there is a violation, and gives up on large
//! programs.

use crate::contract::Monitored;
use crate::contract::inputs::{Choices, Sampling};
use crate::contract::{Limits, Property, Query, Settings};
use interp::{Interp, RaceMonitor, StepResult, Tid};
use ir::Program;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// `None`: more states than this.
pub fn has_violation(program: &Program, property: Property, max_states: usize) -> Option<bool> {
    let (settings, limits) = (&Settings::default(), &Limits::default());
    let query = Query { program, property, settings, limits };
    let interp = Interp::new(program, query.interp_config()).ok()?;
    let sampling = Sampling::of(program, 256);
    let races = property == Property::NoDataRace;
    let monitor = races.then(RaceMonitor::new);
    let mut open = VecDeque::from([Monitored { state: interp.initial(), monitor }]);
    let mut seen = FxHashSet::default();
    while let Some(mut world) = open.pop_front() {
        if !seen.insert(world.digest(&interp)) {
            continue;
        }
        if seen.len() > max_states {
            return None;
        }
        if property == Property::NoDeadlock && interp.deadlocked(&world.state) {
            return Some(true);
        }
        let threads: Vec<Tid> = match world.state.ended() {
            true => vec![],
            false => world.state.running().collect(),
        };
        for thread in threads {
            if step_all(&interp, &sampling, &world, thread, &mut open) {
                return Some(true);
            }
        }
    }
    Some(false)
}

/// All steps of one thread; true if one violates.
fn step_all(
    interp: &Interp<'_>,
    sampling: &Sampling,
    world: &Monitored,
    thread: Tid,
    open: &mut VecDeque<Monitored>,
) -> bool {
    let mut choices = Choices::new(sampling);
    loop {
        choices.rewind();
        let mut after = world.clone();
        let Monitored { state, monitor } = &mut after;
        let result = match monitor {
            Some(monitor) => interp.step(state, thread, &mut choices, monitor),
            None => interp.step(state, thread, &mut choices, &mut ()),
        };
        let race = monitor.as_ref().is_some_and(|monitor| monitor.race().is_some());
        match result {
            _ if race => return true,
            StepResult::Violation(_) => return true,
            StepResult::Blocked => {}
            StepResult::Unsupported { .. } | StepResult::Refused { .. } => {}
            _ => open.push_back(after),
        }
        if !choices.advance() {
            return false;
        }
    }
}
