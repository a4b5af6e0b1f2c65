//! The first guess of what is eager: what no random execution of the reduced search refutes.
//!
//! A bad guess costs time and nothing else: the search checks it.

use super::eager::{Eager, Refuted, Windows};
use super::sleep::Sleep;
use super::transition::{Events, Runner, TransitionEnd, World};
use crate::contract::inputs::{Choices, Sampling};
use interp::Tid;

/// So many executions in a row without a refutation are enough.
const CALM: u32 = 20;
const EXECUTIONS: u64 = 300;
const TRANSITIONS: u32 = 300;

/// `runner` knows everything but the guess.
pub fn train(guess: &mut Eager, runner: Runner<'_>, sampling: &Sampling) {
    let mut calm = 0;
    for seed in 0..EXECUTIONS {
        let refuted = run(Runner { eager: Some(guess), ..runner }, sampling, seed);
        match refuted {
            Some(refuted) => {
                guess.refute(&refuted);
                calm = 0;
            }
            None => calm += 1,
        }
        if calm >= CALM || guess.is_empty() {
            break;
        }
    }
}

/// One execution, with the first answer to every choice.
fn run(runner: Runner<'_>, sampling: &Sampling, seed: u64) -> Option<Refuted> {
    let mut dice = fastrand::Rng::with_seed(seed);
    let (mut sleep, mut events) = (Sleep::default(), Events::default());
    let state = runner.interp.initial();
    let initial = World { state, monitor: None, windows: Some(Windows::default()) };
    let (mut world, mut transition) =
        runner.start(&initial, &mut Choices::new(sampling), &mut events);
    let mut thread = Tid::FIRST;
    for _ in 0..TRANSITIONS {
        match transition.end {
            TransitionEnd::Refuted(refuted) => return Some(refuted),
            TransitionEnd::Goes | TransitionEnd::Cut | TransitionEnd::Blocked => {}
            _ => return None,
        }
        let running: Vec<Tid> = world.state.running().collect();
        if running.is_empty() || world.state.ended() {
            return None;
        }
        if dice.bool()
            || !running.contains(&thread)
            || matches!(transition.end, TransitionEnd::Blocked)
        {
            thread = running[dice.usize(..running.len())];
        }
        let mut choices = Choices::new(sampling);
        let (next, made) = runner.run(&world, thread, &mut choices, &mut sleep, &mut events);
        if !matches!(made.end, TransitionEnd::Blocked) {
            world = next;
        }
        transition = made;
    }
    None
}
