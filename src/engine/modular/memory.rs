//! Memory as cells: a region's bytes as far as somebody has written them.
//!
//! A store to one known place makes a cell, with its offset and size. A store to somewhere in a
//! region is kept beside the cells as *spread*, for all places. A load of exactly a cell gives its
//! value; one that overlaps cells otherwise gives any number (and any address, if addresses were
//! there); one that meets no cell gives what the region held at first, which the caller knows. Stores and
//! loads of whole elements of an array (`Spot::lane`) meet exactly or not at all.
//!
//! Invariant: a load covers every value that a sequence of the stores could have left there.

use super::grain::Spot;
use super::interval::Interval;
use super::value::{Region, Value};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OffsetRange {
    pub offset: i128,
    pub size: u64,
}

impl OffsetRange {
    fn end(self) -> i128 {
        self.offset + i128::from(self.size)
    }

    fn overlaps(self, other: OffsetRange) -> bool {
        self.offset < other.end() && other.offset < self.end()
    }

    /// May an access of this size somewhere at these offsets meet it?
    fn is_in_reach(self, at: Interval, size: u64) -> bool {
        self.offset < at.hi.saturating_add(i128::from(size)) && at.lo < self.end()
    }

    fn covers(self, other: OffsetRange) -> bool {
        self.offset <= other.offset && other.end() <= self.end()
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Cells {
    at: BTreeMap<OffsetRange, Value>,
    spread: Value,
    /// The size of all stores that were spread; `None` if they differ.
    spread_size: Option<u64>,
    /// They are elements of that size: where the first one begins. Otherwise numbers may be mixed.
    lane: Option<i128>,
}

/// What a place holds before anybody has written there.
pub trait Initial {
    fn at(&self, region: Region, place: OffsetRange) -> Value;
    /// Of any such place of that size in the region.
    fn anywhere(&self, region: Region, at: Spot, size: u64) -> Value;
}

/// How something is added: to what was there at first, in finitely many steps or exactly.
pub struct Adding<'a> {
    pub first: &'a dyn Initial,
    /// Where widening stops on its way.
    pub widen: Option<&'a [i128]>,
}

/// Nothing is there: for memory that only adds to what another one says.
pub struct Nothing;

impl Initial for Nothing {
    fn at(&self, _: Region, _: OffsetRange) -> Value {
        Value::default()
    }

    fn anywhere(&self, _: Region, _: Spot, _: u64) -> Value {
        Value::default()
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    regions: BTreeMap<Region, Cells>,
}

impl Memory {
    pub fn load(&self, region: Region, spot: Spot, size: u64, first: &dyn Initial) -> Value {
        match spot.at.constant() {
            Some(offset) => self.load_place(region, OffsetRange { offset, size }, first),
            None => self.load_somewhere(region, spot, size, first),
        }
    }

    fn load_place(&self, region: Region, place: OffsetRange, first: &dyn Initial) -> Value {
        let Some(cells) = self.regions.get(&region) else { return first.at(region, place) };
        let mut overlapping = cells.at.iter().filter(|(p, _)| p.overlaps(place));
        let value = match (overlapping.next(), overlapping.next()) {
            (None, _) => first.at(region, place),
            (Some((p, value)), None) if *p == place => value.clone(),
            (Some((_, value)), more) => {
                let rest = more.into_iter().chain(overlapping).map(|(_, v)| v.scrambled());
                let all = rest.fold(value.scrambled(), |all, v| all.join(&v));
                all.join(&first.at(region, place).scrambled())
            }
        };
        value.join(&cells.spread_for(Spot::one(place.offset), place.size))
    }

    fn load_somewhere(&self, region: Region, spot: Spot, size: u64, first: &dyn Initial) -> Value {
        let mut all = first.anywhere(region, spot, size);
        if let Some(cells) = self.regions.get(&region) {
            for (place, value) in cells.at.iter().filter(|(p, _)| p.is_in_reach(spot.at, size)) {
                let lane = spot.lane(size);
                let part = match place.size == size {
                    true if lane == Spot::one(place.offset).lane(size) => value.clone(),
                    true => mixed(value.clone()),
                    false => value.scrambled(),
                };
                all = all.join(&part);
            }
            all = all.join(&cells.spread_for(spot, size));
        }
        all.untagged()
    }

    /// Replaces what is there; needs a region that is one object.
    pub fn write(&mut self, region: Region, place: OffsetRange, value: Value) {
        let cells = self.regions.entry(region).or_default();
        cells.at.retain(|p, _| !place.covers(*p));
        for (_, old) in cells.at.iter_mut().filter(|(p, _)| p.overlaps(place)) {
            *old = old.join(&value).scrambled();
        }
        cells.at.insert(place, value);
    }

    /// Adds to what may be there; tells whether that is new.
    pub fn add(
        &mut self,
        region: Region,
        spot: Spot,
        size: u64,
        value: &Value,
        how: &Adding,
    ) -> bool {
        let Some(offset) = spot.at.constant() else {
            return self.spread(region, spot, size, value);
        };
        let place = OffsetRange { offset, size };
        let old = self.load_place(region, place, how.first);
        let cells = self.regions.entry(region).or_default();
        let mut changed = false;
        for (_, other) in cells.at.iter_mut().filter(|(p, _)| p.overlaps(place) && **p != place) {
            let new = other.join(value).scrambled();
            changed |= new != *other;
            *other = new;
        }
        let new = match how.widen {
            Some(stops) => old.widen_to(value, stops),
            None => old.join(value),
        };
        changed |= cells.at.get(&place) != Some(&new);
        cells.at.insert(place, new);
        changed
    }

    fn spread(&mut self, region: Region, spot: Spot, size: u64, value: &Value) -> bool {
        let cells = self.regions.entry(region).or_default();
        let before = cells.clone();
        let new = Cells {
            spread: value.clone().untagged(),
            spread_size: Some(size),
            lane: spot.lane(size),
            ..Cells::default()
        };
        (cells.spread_size, cells.lane) = common_lane(cells, &new);
        cells.spread = cells.spread.widen(&new.spread);
        cells.settle();
        *cells != before
    }

    /// Forgets the region: whatever it holds is what it held at first.
    pub fn forget(&mut self, region: Region) {
        self.regions.remove(&region);
    }

    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.regions.values().flat_map(|c| c.at.values().chain([&c.spread]))
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.regions.values_mut().flat_map(|c| c.at.values_mut().chain([&mut c.spread]))
    }

    pub fn join(&self, other: &Memory, first: &dyn Initial) -> Memory {
        self.merge(other, first, Value::join)
    }

    pub fn widen(&self, newer: &Memory, first: &dyn Initial) -> Memory {
        self.merge(newer, first, Value::widen)
    }

    fn merge(
        &self,
        other: &Memory,
        first: &dyn Initial,
        join: fn(&Value, &Value) -> Value,
    ) -> Memory {
        if self == other {
            return self.clone();
        }
        let mut merged = Memory::default();
        let all = self.regions.keys().chain(other.regions.keys());
        for region in all.copied() {
            if merged.regions.contains_key(&region) {
                continue;
            }
            let none = Cells::default();
            let (a, b) = (self.regions.get(&region), other.regions.get(&region));
            let (a_cells, b_cells) = (a.unwrap_or(&none), b.unwrap_or(&none));
            let (spread_size, lane) = common_lane(a_cells, b_cells);
            let spread = join(&a_cells.spread, &b_cells.spread);
            let mut cells = Cells { at: BTreeMap::new(), spread, spread_size, lane };
            cells.settle();
            for place in a_cells.at.keys().chain(b_cells.at.keys()) {
                let (x, y) = (
                    self.load_place(region, *place, first),
                    other.load_place(region, *place, first),
                );
                cells.at.insert(*place, join(&x, &y));
            }
            merged.regions.insert(region, cells);
        }
        merged
    }
}

/// Size and lane of what is spread in either.
fn common_lane(a: &Cells, b: &Cells) -> (Option<u64>, Option<i128>) {
    match (a.spread.is_bottom(), b.spread.is_bottom()) {
        (_, true) => (a.spread_size, a.lane),
        (true, _) => (b.spread_size, b.lane),
        _ if a.spread_size == b.spread_size => {
            (a.spread_size, a.lane.filter(|l| b.lane == Some(*l)))
        }
        _ => (None, None),
    }
}

/// Parts of several such values side by side.
fn mixed(value: Value) -> Value {
    if value.is_bottom() { value } else { Value { num: Some(Interval::TOP), ..value } }
}

impl Cells {
    /// Numbers that overlap are mixed.
    fn settle(&mut self) {
        if self.lane.is_none() {
            self.spread = mixed(std::mem::take(&mut self.spread));
        }
    }

    fn spread_for(&self, spot: Spot, size: u64) -> Value {
        match (self.spread_size == Some(size), self.lane, spot.lane(size)) {
            (true, Some(stored), Some(read)) if stored == read => self.spread.clone(),
            (true, None, _) | (true, _, None) => mixed(self.spread.clone()),
            _ => self.spread.scrambled(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::modular::grain::Grain;
    use ir::ObjectId;

    const R: Region = Region::Object(ObjectId(0));

    struct Zero;

    const ADD: Adding = Adding { first: &Zero, widen: None };

    impl Initial for Zero {
        fn at(&self, _: Region, _: OffsetRange) -> Value {
            Value::constant(0)
        }

        fn anywhere(&self, _: Region, _: Spot, _: u64) -> Value {
            Value::constant(0)
        }
    }

    fn place(offset: i128, size: u64) -> OffsetRange {
        OffsetRange { offset, size }
    }

    fn number(memory: &Memory, offset: i128, size: u64) -> Interval {
        memory.load(R, Spot::one(offset), size, &Zero).num.unwrap()
    }

    #[test]
    fn writes_replace_and_additions_add() {
        let mut m = Memory::default();
        assert_eq!(number(&m, 0, 4), Interval::ZERO);
        m.write(R, place(0, 4), Value::constant(7));
        assert_eq!(number(&m, 0, 4), Interval::one(7));
        assert_eq!(number(&m, 4, 4), Interval::ZERO);
        m.add(R, Spot::one(0), 4, &Value::constant(9), &ADD);
        assert_eq!(number(&m, 0, 4), Interval { lo: 7, hi: 9 });
        m.add(R, Spot::one(4), 4, &Value::constant(3), &ADD);
        assert_eq!(number(&m, 4, 4), Interval { lo: 0, hi: 3 });
    }

    #[test]
    fn parts_of_cells_are_anything() {
        let mut m = Memory::default();
        m.write(R, place(0, 8), Value::constant(7));
        m.write(R, place(0, 4), Value::constant(1));
        assert_eq!(number(&m, 4, 4), Interval::TOP);
        assert_eq!(number(&m, 0, 8), Interval::TOP);
        assert_eq!(number(&m, 2, 1), Interval::TOP);
        m.write(R, place(0, 8), Value::constant(2));
        assert_eq!(number(&m, 0, 8), Interval::one(2));
    }

    #[test]
    fn a_store_somewhere_is_everywhere() {
        let mut m = Memory::default();
        m.write(R, place(0, 4), Value::constant(7));
        m.add(R, Interval { lo: 0, hi: 8 }.into(), 4, &Value::constant(9), &ADD);
        assert_eq!(number(&m, 0, 4), Interval::TOP);
        assert_eq!(number(&m, 40, 4), Interval::TOP);
    }

    #[test]
    fn elements_are_found_as_they_were_stored() {
        let elements = Spot::new(Interval { lo: 0, hi: 40 }, Grain::one(0).moved(None, 4));
        let between = Spot::new(Interval { lo: 2, hi: 42 }, Grain::one(2).moved(None, 4));
        let mut m = Memory::default();
        m.write(R, place(0, 4), Value::constant(7));
        m.add(R, elements, 4, &Value::constant(9), &ADD);
        assert_eq!(number(&m, 4, 4), Interval { lo: 0, hi: 9 });
        assert_eq!(number(&m, 0, 4), Interval { lo: 7, hi: 9 });
        assert_eq!(number(&m, 2, 4), Interval::TOP);
        assert_eq!(number(&m, 4, 2), Interval::TOP);
        let load = |m: &Memory, spot: Spot| m.load(R, spot, 4, &Zero).num.unwrap();
        assert_eq!(load(&m, elements), Interval { lo: 0, hi: 9 });
        assert_eq!(load(&m, between), Interval::TOP);
        let mut other = Memory::default();
        other.add(R, between, 4, &Value::constant(1), &ADD);
        assert_eq!(load(&m.join(&other, &Zero), elements), Interval::TOP);
        m.add(R, between, 4, &Value::constant(1), &ADD);
        assert_eq!(load(&m, elements), Interval::TOP);
    }

    #[test]
    fn a_merge_knows_what_was_there_at_first() {
        let mut m = Memory::default();
        m.write(R, place(0, 4), Value::constant(7));
        let joined = m.join(&Memory::default(), &Zero);
        assert_eq!(number(&joined, 0, 4), Interval { lo: 0, hi: 7 });
        assert_eq!(joined, Memory::default().join(&m, &Zero));
    }
}
