//! Who answers, when, and for how long.
//!
//! The explorer is exact and quick where the states are few; the symbolic engine sees through many
//! schedules and large inputs but needs bounds. So `auto` gives the explorer a short first try, then
//! the symbolic engine half of what is left, and the explorer the rest: it may prove loops for which
//! there is no bound. Properties that the symbolic engine does not know are the explorer's.

use super::bmc::Bmc;
use super::deepen::{Deepen, bounded};
use super::explore::Explorer;
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

/// The first try, and how time is divided when there is no limit.
const FIRST_TRY: Duration = Duration::from_secs(2);
const UNLIMITED: Duration = Duration::from_secs(600);

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
        let symbolic = self.who != Who::Explore && property == Property::UnreachCall;
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
            Who::Bmc | Who::Auto => {
                let mut verdict = self.explore(program, property, settings, limits);
                let text = format!("{} is the explorer's to answer", property.name());
                verdict.notes.push(Remark { text, span: Span::NONE });
                verdict
            }
        }
    }
}

impl Portfolio {
    fn both(
        &mut self,
        program: &Program,
        property: Property,
        settings: &Settings,
        limits: &Limits,
    ) -> Verdict {
        let within = |time: Duration| {
            let end = Instant::now() + time;
            let deadline = Some(limits.deadline.map_or(end, |d| d.min(end)));
            Limits { deadline, ..limits.clone() }
        };
        let left = || limits.deadline.map_or(UNLIMITED, |d| d - Instant::now());
        let first = within(FIRST_TRY.min(left() / 8));
        let tried = self.explore(program, property, settings, &first);
        if settled(&tried.answer) {
            return tried;
        }
        let mut solved = self.bmc.check(program, property, settings, &within(left() / 2));
        if settled(&solved.answer) {
            return solved;
        }
        let mut last = self.explore(program, property, settings, limits);
        let better = settled(&last.answer) || matches!(solved.answer, Answer::Unknown(_));
        if !better {
            return solved;
        }
        last.stats.append(&mut solved.stats);
        last.notes.append(&mut solved.notes);
        last
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

/// Nobody can say more.
fn settled(answer: &Answer) -> bool {
    match answer {
        Answer::Safe | Answer::Unsafe(_) | Answer::Unknown(Reason::Internal(_)) => true,
        Answer::Bounded { .. } | Answer::Unknown(_) => false,
    }
}
