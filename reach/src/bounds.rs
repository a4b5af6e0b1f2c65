//! What global variables hold at any time, by a proof.
//!
//! A proof says what holds where threads are between actions. What a variable holds inside of one, for
//! the thread itself, is known from what is stored meanwhile: if each store, from each state of the proof
//! in which its thread is where it comes from, stores a number within bounds, and the first value is, then
//! the variable is within them whenever it is read. Bounds are at thresholds (`domain/intervals.rs`).
//! Needs a proof that is closed under all actions, and a system that keeps stores.

use crate::answer::Proof;
use crate::ask::{Asker, Budget, Stop};
use crate::domain::intervals::Thresholds;
use crate::flow::{components, conditions, finite};
use crate::system::{CellId, LocId, Stored, System};
use encoder::Term;
use encoder::term::{mask, signed};

/// A variable, and whether its numbers have a sign.
#[derive(Clone, Copy, Debug)]
pub struct Global {
    pub cell: CellId,
    pub signed: bool,
}

/// The tightest bounds of a variable that a proof gives, with the limits of its type where it gives none.
pub fn bounds(
    system: &mut System,
    proof: &Proof,
    globals: &[Global],
    budget: &Budget,
) -> Result<Vec<(CellId, i128, i128)>, Stop> {
    let finite = finite(system);
    let component = components(system, &finite);
    let mut thresholds = Thresholds::new(system, &conditions(system), &component);
    for stored in &system.stores {
        thresholds.learn_for(system, stored.cell, stored.value);
    }
    let mut states: Vec<(Vec<LocId>, Term)> = Vec::new();
    for (vector, all) in &proof.invariant {
        let mut any = Vec::new();
        for state in all {
            any.push(system.pool.and_all(state.iter().copied()));
        }
        states.push((vector.to_vec(), system.pool.or_all(any)));
    }
    let mut finder = Finder { system, states, asker: Asker::new(budget.clone()) };
    let mut found = Vec::new();
    for global in globals {
        let numbers = thresholds.numbers(global.cell).collect();
        if let Some((low, high)) = finder.bounds_of(*global, numbers)? {
            found.push((global.cell, low, high));
        }
    }
    Ok(found)
}

/// At least, or at most, a number.
#[derive(Clone, Copy)]
enum Bound {
    Least(i128),
    Most(i128),
}

struct Finder<'a> {
    system: &'a mut System,
    states: Vec<(Vec<LocId>, Term)>,
    asker: Asker,
}

impl Finder<'_> {
    fn bounds_of(
        &mut self,
        global: Global,
        numbers: Vec<i64>,
    ) -> Result<Option<(i128, i128)>, Stop> {
        let cell = self.system.cell(global.cell).clone();
        let width = self.system.pool.width(cell.var);
        let Some(first) = cell.initial.map(|bits| read(bits, width, global.signed)) else {
            return Ok(None);
        };
        let (lowest, highest) = limits(width, global.signed);
        let numbers =
            numbers.into_iter().map(|n| read(n as u64 & mask(width), width, global.signed));
        let mut kept = Vec::new();
        for number in numbers {
            kept.extend((number <= first).then_some(Bound::Least(number)));
            kept.extend((first <= number).then_some(Bound::Most(number)));
        }
        let stores: Vec<Stored> =
            self.system.stores.iter().filter(|s| s.cell == global.cell).copied().collect();
        for stored in stores {
            kept = self.kept_by(stored, kept, global.signed)?;
        }
        let least =
            kept.iter().filter_map(|b| if let Bound::Least(n) = b { Some(*n) } else { None });
        let most = kept.iter().filter_map(|b| if let Bound::Most(n) = b { Some(*n) } else { None });
        let (low, high) = (least.max().unwrap_or(lowest), most.min().unwrap_or(highest));
        Ok(((low, high) != (lowest, highest)).then_some((low, high)))
    }

    /// The bounds that hold of what is stored.
    fn kept_by(
        &mut self,
        stored: Stored,
        mut kept: Vec<Bound>,
        signed: bool,
    ) -> Result<Vec<Bound>, Stop> {
        for at in 0..self.states.len() {
            let (vector, here) = &self.states[at];
            if kept.is_empty() || vector[stored.thread.index()] != stored.from {
                continue;
            }
            let facts = [*here, stored.guard];
            let terms: Vec<Term> =
                kept.iter().map(|bound| self.holds(*bound, stored.value, signed)).collect();
            if let Some(hold) = self.asker.implied(&mut self.system.pool, &facts, &terms)? {
                kept = kept
                    .into_iter()
                    .zip(hold)
                    .filter(|(_, holds)| *holds)
                    .map(|(b, _)| b)
                    .collect();
            }
        }
        Ok(kept)
    }

    fn holds(&mut self, bound: Bound, value: Term, signed: bool) -> Term {
        let pool = &mut self.system.pool;
        let (Bound::Least(number) | Bound::Most(number)) = bound;
        let number = pool.bits(number as u64 & mask(pool.width(value)), pool.width(value));
        let (low, high) = match bound {
            Bound::Least(_) => (number, value),
            Bound::Most(_) => (value, number),
        };
        if signed { pool.sle(low, high) } else { pool.ule(low, high) }
    }
}

fn read(bits: u64, width: u8, is_signed: bool) -> i128 {
    if is_signed { i128::from(signed(bits, width)) } else { i128::from(bits) }
}

fn limits(width: u8, signed: bool) -> (i128, i128) {
    match signed {
        true => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        false => (0, i128::from(mask(width))),
    }
}
