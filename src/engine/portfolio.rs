//! Who answers, when, and for how long.
//!
//! The explorer is exact and quick where the states are few; the symbolic engine sees through many
//! schedules and large inputs but needs bounds; it cannot prove a loop for which there is none. So
//! `auto` lets them take turns, beginning with a moment for the explorer. Properties that the symbolic
//! engine does not know are the explorer's.

use super::bmc::Bmc;
use super::deepen::{Deepen, bounded};
use super::explore::Explorer;
use super::minimize::minimize;
use super::{Answer, Engine, Limits, Property, Reason, Remark, Settings, Verdict};
use crate::stats::timed;
use frontend::ir::{Program, Span};
use solver::Model;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    Explore,
    Bmc,
    Auto,
}

/// Which part of the time that is left each turn gets: the explorer, the symbolic engine, and so on.
const TURNS: [f64; 6] = [0.05, 0.15, 0.2, 0.4, 0.5, 1.0];
/// The first turn at most: enough for what is easy.
const FIRST_TRY: Duration = Duration::from_millis(100);
/// What there is to divide when there is no limit.
const UNLIMITED: Duration = Duration::from_secs(3600);

/// The engines, with bounds by the names of loops in the program to check.
pub struct Portfolio {
    pub who: Who,
    pub bmc: Bmc,
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
        let symbolic = self.who != Who::Explore && Bmc::knows(property);
        if !symbolic && self.who != Who::Explore && self.bmc.config.model != Model::Sc {
            let why = format!("{} under --mm wsc", property.name());
            let reason = Reason::Unsupported { what: why, span: Span::NONE };
            return Verdict::new(property, Answer::Unknown(reason));
        }
        match self.who {
            Who::Bmc if symbolic => self.bmc.check(program, property, settings, limits),
            Who::Auto if symbolic && self.bmc.config.model == Model::Sc => {
                self.both(program, property, settings, limits)
            }
            Who::Auto if symbolic => self.bmc.check(program, property, settings, limits),
            Who::Explore => self.explore(program, property, settings, limits),
            Who::Auto => self.explore(program, property, settings, limits),
            Who::Bmc => {
                let mut verdict = self.explore(program, property, settings, limits);
                let text = format!("{} is the explorer's to answer", property.name());
                verdict.notes.push(Remark { text, span: Span::NONE });
                verdict
            }
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
        for (turn, &share) in TURNS.iter().enumerate() {
            let explores = turn % 2 == 0;
            if std::mem::replace(&mut done[turn % 2], true) {
                continue;
            }
            let alone = done[(turn + 1) % 2] && turn > 0;
            let left = limits.deadline.map_or(UNLIMITED, |d| d - Instant::now());
            let time = if alone { left } else { left.mul_f64(share) };
            let time = if turn == 0 { time.min(FIRST_TRY) } else { time };
            let slice = limits.shortened(time);
            let verdict = match explores {
                true => self.explore(program, property, settings, &slice),
                false => self.bmc.check(program, property, settings, &slice),
            };
            let settled = settled(&verdict.answer);
            done[turn % 2] = !ran_out(&verdict.answer);
            best = Some(match best {
                Some(older) if !settled => better(older, verdict),
                _ => verdict,
            });
            if settled {
                break;
            }
        }
        best.unwrap_or_else(|| Verdict::new(property, Answer::Unknown(Reason::Time)))
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

/// It would say more with more time.
fn ran_out(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(Reason::Time))
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
