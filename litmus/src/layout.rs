//! Memory as cells: the largest pieces that no access of the test divides.
//!
//! In most tests each variable is one cell. Where accesses of different sizes overlap, an access of
//! several cells makes one event for each of them, tied by `si` (same instruction); rf and co are
//! per cell. The sizes of accesses are known only once threads are run, and which runs there are
//! depends on the cells: so the layout is refined and everything run again until no access divides
//! a cell.

use crate::ir::{Arch, Test};
use crate::value::{Location, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Where a piece of memory starts and how many bytes it has.
pub type MemoryPiece = (Location, u8);

/// A variable without a type is an `int`, or larger if it is accessed so.
const INT: u8 = 4;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct MemoryLayout {
    /// Variables and elements of arrays; 0 bytes: as many as the accesses have.
    elements: BTreeMap<Location, u8>,
    cells: BTreeMap<Location, u8>,
}

impl MemoryLayout {
    /// Every element one cell.
    pub fn new(test: &Test) -> Self {
        // In C every access is of a whole variable, whatever its type.
        let whole = matches!(test.arch, Arch::C | Arch::Lkmm | Arch::Msg);
        let size = |location: &Location| match whole {
            true => 0,
            false => test.symbols[location.symbol as usize].bytes,
        };
        let elements: BTreeMap<_, _> = test.memory.iter().map(|(l, _)| (*l, size(l))).collect();
        Self { cells: elements.clone(), elements }
    }

    /// The cells of an access; `None` if it does not consist of whole ones.
    pub fn cells(&self, (location, bytes): MemoryPiece) -> Option<Vec<MemoryPiece>> {
        if self.cells.get(&location) == Some(&0) {
            return Some(vec![(location, bytes)]);
        }
        let mut cells = Vec::new();
        let (mut at, end) = (location.offset, location.offset.saturating_add(i64::from(bytes)));
        while at < end {
            let here = Location { offset: at, ..location };
            let size = *self.cells.get(&here)?;
            at = at.saturating_add(i64::from(size));
            if size == 0 || at > end {
                return None;
            }
            cells.push((here, size));
        }
        Some(cells)
    }

    /// The cells of a variable or element.
    pub(crate) fn cells_of_element(&self, location: Location) -> Vec<MemoryPiece> {
        match self.elements.get(&location) {
            Some(&bytes) if bytes > 0 => self.cells((location, bytes)).unwrap_or_default(),
            _ => vec![(location, self.cells.get(&location).copied().unwrap_or(0))],
        }
    }

    /// Is some variable or element divided?
    pub fn has_parts(&self) -> bool {
        self.elements.keys().any(|&element| self.cells_of_element(element).len() > 1)
    }

    /// Makes cells of what accesses divide. Gives: whether there was anything to do.
    pub fn refine(&mut self, accesses: &BTreeSet<MemoryPiece>) -> bool {
        let before = self.cells.clone();
        let divided = |layout: &Self, access: &MemoryPiece| {
            let several = |l: &Location| accesses.range((*l, 0)..=(*l, u8::MAX)).count() > 1;
            match layout.cells.get(&access.0) {
                Some(0) => several(&access.0) || access.1 < INT,
                _ => layout.cells(*access).is_none(),
            }
        };
        let symbols: BTreeSet<u32> =
            accesses.iter().filter(|a| divided(self, a)).map(|(l, _)| l.symbol).collect();
        for symbol in symbols {
            self.divide(symbol, accesses);
        }
        self.cells != before
    }

    fn divide(&mut self, symbol: u32, accesses: &BTreeSet<MemoryPiece>) {
        let at = |offset: i64| Location { symbol, offset };
        let own: Vec<MemoryPiece> =
            accesses.iter().filter(|(l, _)| l.symbol == symbol).copied().collect();
        let range = at(i64::MIN)..=at(i64::MAX);
        let elements: Vec<Location> = self.elements.range(range.clone()).map(|(l, _)| *l).collect();
        let old: Vec<Location> = self.cells.range(range).map(|(l, _)| *l).collect();
        old.iter().for_each(|l| {
            self.cells.remove(l);
        });
        for element in elements {
            let widest = own.iter().filter(|(l, _)| *l == element).map(|(_, bytes)| *bytes).max();
            let size = self.elements.entry(element).or_default();
            if *size == 0 {
                *size = widest.unwrap_or(INT).max(INT);
            }
            let (start, end) = (element.offset, element.offset.saturating_add(i64::from(*size)));
            let ends =
                own.iter().flat_map(|(l, b)| [l.offset, l.offset.saturating_add(i64::from(*b))]);
            let cuts: BTreeSet<i64> =
                ends.filter(|cut| (start..end).contains(cut)).chain([start, end]).collect();
            let cuts: Vec<i64> = cuts.into_iter().collect();
            for pair in cuts.windows(2) {
                self.cells.insert(at(pair[0]), (pair[1] - pair[0]) as u8);
            }
        }
    }

    /// The initial value of each cell. `None`: an address would have to be divided.
    pub fn initial(&self, test: &Test) -> Option<BTreeMap<Location, Value>> {
        let mut values = BTreeMap::new();
        for &(element, value) in &test.memory {
            let cells = self.cells_of_element(element);
            for (location, bytes) in &cells {
                let part = match cells.len() {
                    1 => value,
                    _ => part(value, location.offset.wrapping_sub(element.offset), *bytes)?,
                };
                values.insert(*location, part);
            }
        }
        Some(values)
    }
}

/// The bytes of a number from `from`, as a cell of `bytes` bytes holds them.
pub fn part(value: Value, from: i64, bytes: u8) -> Option<Value> {
    match value {
        Value::Int(i) => Some(Value::Int(i >> from.saturating_mul(8).clamp(0, 63)).truncate(bytes)),
        Value::Address(_) => None,
    }
}

/// The number whose bytes are these parts, lowest first.
pub fn whole(parts: &[(Value, u8)]) -> Option<Value> {
    if let [(value, _)] = parts {
        return Some(*value);
    }
    let (mut all, mut at) = (0u64, 0u32);
    for (value, bytes) in parts {
        let Value::Int(i) = value.truncate_unsigned(*bytes) else { return None };
        all |= (i as u64).checked_shl(at).unwrap_or(0);
        at += 8 * u32::from(*bytes);
    }
    Some(Value::Int(all as i64).truncate((at / 8) as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_the_whole() {
        let value = Value::Int(0x0102_0304_0506_0708);
        let low = part(value, 0, 4).unwrap();
        let high = part(value, 4, 4).unwrap();
        assert_eq!((low, high), (Value::Int(0x0506_0708), Value::Int(0x0102_0304)));
        assert_eq!(whole(&[(low, 4), (high, 4)]), Some(value));
        let minus = Value::Int(-1);
        assert_eq!(whole(&[(part(minus, 0, 2).unwrap(), 2), (minus, 2)]), Some(minus));
    }
}
