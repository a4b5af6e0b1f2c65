//! All answers to all choices of a transition, by counting.
//!
//! A transition is a function of the state and its answers, so all its outcomes are found by running
//! it again and again: the first time every choice gets its first answer; `advance` then moves the
//! last choice that has another answer and forgets the later ones, like the wheels of an odometer.
//!
//! A value with more than `limit` candidates is only sampled, and the input is remembered in
//! `sampled`: then the exploration can find violations but prove nothing.

use interp::{Choice, ChoiceKind, ChoiceSource, Domain, Inputs};
use ir::{InstKind, Operand, Origin, Program, Span};
use std::rc::Rc;

/// Answers for one transition.
pub struct Choices<'s> {
    settings: &'s Sampling,
    wheels: Vec<Wheel>,
    /// How many choices the current run has asked.
    asked: usize,
    pub sampled: Option<(String, Span)>,
    /// Picks the first answer; else it is the first one.
    dice: Option<fastrand::Rng>,
}

/// Which values to try when there are too many.
pub struct Sampling {
    /// Domains up to this size are enumerated.
    pub limit: u128,
    /// Constants of the program and their neighbours, sorted.
    constants: Vec<u64>,
}

#[derive(Clone)]
struct Wheel {
    /// Position, of `total`.
    at: u128,
    total: u128,
    samples: Option<Rc<[u64]>>,
    answer: u64,
}

const SAMPLES: usize = 24;
const CONSTANTS: usize = 64;

impl Sampling {
    /// An input with more values than this is only sampled, and nothing is proven.
    pub const MAX_DOMAIN: u128 = 256;
}

impl<'s> Choices<'s> {
    pub fn new(settings: &'s Sampling) -> Choices<'s> {
        Choices { settings, wheels: Vec::new(), asked: 0, sampled: None, dice: None }
    }

    /// One run, with answers by chance.
    pub fn by_chance(settings: &'s Sampling, dice: fastrand::Rng) -> Choices<'s> {
        Choices { dice: Some(dice), ..Choices::new(settings) }
    }

    /// Starts a run: the answers come from the beginning again.
    pub fn rewind(&mut self) {
        self.asked = 0;
    }

    pub fn asked(&self) -> usize {
        self.asked
    }

    /// The answers of the current run, in order.
    pub fn answers(&self) -> impl Iterator<Item = u64> + '_ {
        self.wheels[..self.asked].iter().map(|wheel| wheel.answer)
    }

    /// To the next run; false if all are done.
    pub fn advance(&mut self) -> bool {
        self.wheels.truncate(self.asked);
        while let Some(wheel) = self.wheels.last_mut() {
            if wheel.at + 1 < wheel.total {
                wheel.at += 1;
                return true;
            }
            self.wheels.pop();
        }
        false
    }

    fn first_time(&mut self, choice: &Choice<'_>) -> Wheel {
        let total = choice.answers();
        if let ChoiceKind::Value { symbol, domain } = &choice.kind {
            if total > self.settings.limit {
                self.sampled.get_or_insert_with(|| (name_of(&symbol.source), symbol.at.span));
                let samples: Rc<[u64]> = self.settings.samples(domain).into();
                let total = samples.len() as u128;
                return Wheel { at: 0, total, samples: Some(samples), answer: 0 };
            }
        }
        Wheel { at: 0, total, samples: None, answer: 0 }
    }
}

impl Inputs for Choices<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64> {
        if self.asked == self.wheels.len() {
            let mut wheel = self.first_time(choice);
            if let Some(dice) = self.dice.as_mut().filter(|_| wheel.total > 1) {
                wheel.at = dice.u128(..wheel.total);
            }
            self.wheels.push(wheel);
        }
        let wheel = &mut self.wheels[self.asked];
        self.asked += 1;
        wheel.answer = match &wheel.samples {
            Some(samples) => *samples.get(wheel.at as usize)?,
            None => choice.answer(wheel.at),
        };
        Some(wheel.answer)
    }
}

pub fn name_of(source: &ChoiceSource) -> String {
    match source {
        ChoiceSource::Input(name) => name.clone(),
        ChoiceSource::Uninitialised | ChoiceSource::UninitialisedHeap => {
            "an uninitialised value".into()
        }
        ChoiceSource::Unknown => "the result of a function without a body".into(),
    }
}

impl Sampling {
    /// Numbers of library models say nothing about the program's inputs.
    pub fn of(program: &Program, limit: u128) -> Sampling {
        let mut constants: Vec<u64> = Vec::new();
        for function in program.functions.iter().filter(|f| f.origin == Origin::User) {
            for inst in function.blocks.iter().flat_map(|block| &block.insts) {
                for_each_constant(&inst.kind, &mut |bits| constants.push(bits));
            }
        }
        constants.sort_unstable();
        constants.dedup();
        constants.truncate(CONSTANTS);
        Sampling { limit, constants }
    }

    /// The ends, numbers around zero and the program's constants, as far as the domain has them.
    fn samples(&self, domain: &Domain) -> Vec<u64> {
        let last = domain.len().saturating_sub(1);
        // The middle of a signed domain is -1 and 0.
        let ends = [0, last, 1, last.saturating_sub(1), last / 2];
        let mut samples: Vec<u64> = Vec::new();
        let mut add = |bits: u64| {
            if !samples.contains(&bits) && samples.len() < SAMPLES {
                samples.push(bits);
            }
        };
        for bits in [0, 1, 2, 3].into_iter().filter(|&bits| domain.contains_bits(bits)) {
            add(bits);
        }
        ends.into_iter().filter_map(|n| domain.nth(n)).for_each(&mut add);
        let near = |&c: &u64| [c, c.wrapping_add(1), c.wrapping_sub(1)];
        let constants = self.constants.iter().flat_map(near);
        constants.filter(|&bits| domain.contains_bits(bits)).for_each(&mut add);
        samples
    }
}

fn for_each_constant(kind: &InstKind, found: &mut impl FnMut(u64)) {
    use ir::Rvalue;
    let mut operand = |operand: &Operand| {
        if let Operand::Const { bits, .. } = operand {
            found(*bits);
        }
    };
    match kind {
        InstKind::Assign { value: Rvalue::Binary { a, b, .. }, .. } => {
            operand(a);
            operand(b);
        }
        InstKind::Store { value, .. } => operand(value),
        InstKind::Call { args, .. } => args.iter().for_each(operand),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use interp::{About, Tid};

    fn ask(choices: &mut Choices<'_>, domain: &Domain) -> u64 {
        let source = ChoiceSource::Input("input".into());
        let symbol = About { serial: 0, at: ir::At::NOWHERE, source };
        let kind = ChoiceKind::Value { symbol: &symbol, domain };
        choices.choose(&Choice { thread: Tid::FIRST, span: Span::NONE, kind }).unwrap_or(u64::MAX)
    }

    fn sampling(limit: u128) -> Sampling {
        Sampling { limit, constants: vec![1000] }
    }

    #[test]
    fn all_combinations_come_once() {
        let (sampling, bit) = (sampling(256), Domain::full(1, false));
        let mut choices = Choices::new(&sampling);
        let mut seen = Vec::new();
        loop {
            choices.rewind();
            let first = ask(&mut choices, &bit);
            // The second question depends on the first answer.
            let second = if first == 1 { ask(&mut choices, &bit) } else { 9 };
            seen.push((first, second));
            if !choices.advance() {
                break;
            }
        }
        assert_eq!(seen, [(0, 9), (1, 0), (1, 1)]);
        assert!(choices.sampled.is_none());
    }

    #[test]
    fn large_domains_are_sampled_and_that_is_remembered() {
        let (sampling, word) = (sampling(256), Domain::full(32, true));
        let mut choices = Choices::new(&sampling);
        let mut seen = Vec::new();
        loop {
            choices.rewind();
            seen.push(ask(&mut choices, &word));
            if !choices.advance() {
                break;
            }
        }
        for expected in [0, 1, 0xffff_ffff, 0x8000_0000, 0x7fff_ffff, 1000, 999, 1001] {
            assert!(seen.contains(&expected), "{expected:#x} is missing in {seen:x?}");
        }
        assert_eq!(choices.sampled, Some(("input".into(), Span::NONE)));
    }
}
