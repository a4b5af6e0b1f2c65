//! Who answers, when, and for how long.
//!
//! The explorer is exact and quick where the states are few; the symbolic engine sees through many
//! schedules and large inputs but needs bounds; it cannot prove a loop for which there is none. So
//! `auto` lets them take turns, beginning with a moment for the explorer. When both have had a first
//! turn, the modular proof is tried, once: it takes milliseconds, and it is the only one that can prove
//! loops without a bound over many states. Other models than SC are the symbolic engine's alone.

use super::bmc::Bmc;
use super::deepen::{Deepen, bounded};
use super::explore::Explorer;
use super::minimize::minimize;
use super::modular::Modular;
use super::{Answer, Engine, Limits, Property, Reason, Settings, Verdict};
use crate::stats::timed;
use frontend::ir::Program;
use solver::Model;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    Explore,
    Bmc,
    Modular,
    Auto,
}

/// The first turns of the explorer and of the symbolic engine: enough for what is easy.
const FIRST: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(600)];
/// By how much turns grow. A turn begins afresh, so all the turns before one cost a quarter of it.
const GROWTH: u32 = 5;
/// With less time left, a turn gets all of it.
const LAST: Duration = Duration::from_secs(1);

/// The engines, with bounds by the names of loops in the program to check.
pub struct Portfolio {
    pub who: Who,
    pub bmc: Bmc,
    /// A modular proof that assumes something is none.
    pub strict: bool,
}

impl Engine for Portfolio {
    fn check(
        &mut self,
        program: &Program,
        property: Property,
        settings: &Settings,
        limits: &Limits,
    ) -> Verdict {
        let mut verdict = self.ask(program, property, settings, limits);
        if let Answer::Unsafe(violation) = verdict.answer {
            limits.progress.begin("minimize");
            let violation = minimize(program, property, settings, *violation);
            verdict.answer = Answer::Unsafe(Box::new(violation));
        }
        verdict
    }
}

impl Portfolio {
    fn ask(
        &mut self,
        program: &Program,
        property: Property,
        settings: &Settings,
        limits: &Limits,
    ) -> Verdict {
        match self.who {
            Who::Auto if self.bmc.config.model == Model::Sc => {
                self.both(program, property, settings, limits)
            }
            Who::Auto | Who::Bmc => self.bmc.check(program, property, settings, limits),
            Who::Modular => Modular.check(program, property, settings, limits),
            Who::Explore => self.explore(program, property, settings, limits),
        }
    }

    /// In turns, each longer than the one before; whoever has said all it can is not asked again.
    fn both(
        &mut self,
        program: &Program,
        property: Property,
        settings: &Settings,
        limits: &Limits,
    ) -> Verdict {
        let mut best: Option<Verdict> = None;
        let mut done = [false; 2];
        let mut lengths = FIRST;
        // Whoever sets bounds wants an answer within them.
        let bounded = self.bmc.everywhere.is_some() || !self.bmc.fixed.is_empty();
        let mut untried = !bounded && Modular::knows(property);
        for turn in [0, 1].into_iter().cycle() {
            let left = limits.deadline.map(|d| d - Instant::now());
            if done == [true; 2] || left == Some(Duration::ZERO) {
                break;
            }
            if done[turn] {
                continue;
            }
            // Whoever is left alone gets all the time, but not before the modular proof was tried.
            let last = done[1 - turn] && !untried;
            let time = if last { left } else { Some(share(lengths[turn], left)) };
            lengths[turn] *= GROWTH;
            let slice = time.map_or(limits.clone(), |time| limits.shortened(time));
            let verdict = match turn {
                0 => self.explore(program, property, settings, &slice),
                _ => self.bmc.check(program, property, settings, &slice),
            };
            let settled = settled(&verdict.answer);
            done[turn] = !ran_out(&verdict.answer);
            best = Some(match best {
                Some(older) if !settled => better(older, verdict),
                _ => verdict,
            });
            if settled {
                break;
            }
            if turn == 1
                && std::mem::take(&mut untried)
                && !best.as_ref().is_some_and(|b| is_undefined(&b.answer))
                && let Some(proof) = self.modular(program, property, settings, limits)
            {
                best = Some(proof);
                break;
            }
        }
        best.unwrap_or_else(|| Verdict::new(property, Answer::Unknown(Reason::Time)))
    }

    /// A proof for any number of threads, if there is one.
    fn modular(
        &mut self,
        program: &Program,
        property: Property,
        settings: &Settings,
        limits: &Limits,
    ) -> Option<Verdict> {
        let mut spent = Duration::ZERO;
        let ask = || Modular.check(program, property, settings, limits);
        let mut verdict = timed(|time| spent = time, ask);
        verdict.times.add("modular", spent);
        let good = verdict.assumptions.is_empty() || !self.strict;
        (good && matches!(verdict.answer, Answer::Safe)).then_some(verdict)
    }

    fn explore(
        &mut self,
        program: &Program,
        property: Property,
        settings: &Settings,
        limits: &Limits,
    ) -> Verdict {
        let Bmc { fixed, everywhere, .. } = &self.bmc;
        let bounded = match bounded(program, &|info| fixed.get(&info.name).copied()) {
            Ok(program) => program,
            Err(large) => {
                let why =
                    format!("unwinding loop {} that often makes the program too large", large.name);
                return Verdict::new(property, Answer::Unknown(Reason::Other(why)));
            }
        };
        let mut spent = Duration::ZERO;
        let mut engine = Explorer::default();
        let mut verdict = timed(
            |time| spent = time,
            || match everywhere {
                None => Deepen(engine).check(&bounded, property, settings, limits),
                Some(_) => engine.check(&bounded, property, settings, limits),
            },
        );
        verdict.times.add("explore", spent);
        verdict
    }
}

/// A turn of this length, but half of what is left must remain for the other engine.
fn share(length: Duration, left: Option<Duration>) -> Duration {
    match left {
        None => length,
        Some(left) if left < LAST => left,
        Some(left) => length.min(left / 2),
    }
}

/// It would say more with more time.
fn ran_out(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(Reason::Time))
}

/// An invalid access was met, so a proof must not assume that there is none.
fn is_undefined(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(Reason::Undefined { .. }))
}

/// The more useful of two verdicts that settle nothing, with what was counted for both.
fn better(mut older: Verdict, mut newer: Verdict) -> Verdict {
    let use_older = match (&older.answer, &newer.answer) {
        (Answer::Bounded { .. }, _) => true,
        (_, Answer::Bounded { .. }) => false,
        (old, new) => !ran_out(old) || ran_out(new),
    };
    if use_older {
        std::mem::swap(&mut older, &mut newer);
    }
    newer.stats.append(&mut older.stats);
    newer.notes.append(&mut older.notes);
    newer
}

/// Nobody can say more.
fn settled(answer: &Answer) -> bool {
    match answer {
        Answer::Safe | Answer::Unsafe(_) | Answer::Unknown(Reason::Internal(_)) => true,
        Answer::Bounded { .. } | Answer::Unknown(_) => false,
    }
}
