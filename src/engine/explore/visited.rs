//! The visited set: which states were seen, and with which threads asleep.
//!
//! A state is remembered by 128 bits of hash; two states with equal hashes count as equal (for a
//! billion states the chance of one such accident is below 2^-68). Open addressing with linear
//! probing in two parallel arrays, so that an entry is 16 + 4 bytes and the table 23 to 46 bytes per
//! state. The all-zero key marks a free place.
//!
//! There are many small tables, chosen by the hash, and each grows by itself: one that doubles needs
//! little memory beside what is there, so a limit of memory is noticed before an allocation fails.
//! They begin without places: most programs have fewer states than there are tables.
//!
//! Invariant: `sleep` of a stored state is the intersection of the sleep sets of all its visits, so
//! exactly the threads outside of it were explored from there (Godefroid 1996, figure 5.2).

use super::sleep::ThreadSet;

/// What a visit has to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visit {
    New,
    /// Seen before. `missing` slept on every earlier visit and are awake now; `asleep` slept on
    /// all visits, this one included.
    Again {
        missing: ThreadSet,
        asleep: ThreadSet,
    },
}

pub struct Visited {
    tables: Vec<Table>,
    len: usize,
    /// Of all tables, free ones included.
    places: usize,
}

/// Open addressing; `keys` and `sleeps` are parallel.
#[derive(Default)]
struct Table {
    keys: Vec<[u64; 2]>,
    sleeps: Vec<ThreadSet>,
    len: usize,
}

const FREE: [u64; 2] = [0, 0];
const TABLES: usize = 1 << 8;
const FIRST_CAPACITY: usize = 1 << 4;

impl Visited {
    pub fn new() -> Visited {
        let tables = (0..TABLES).map(|_| Table::default()).collect();
        Visited { tables, len: 0, places: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn bytes(&self) -> usize {
        self.places * (size_of::<[u64; 2]>() + size_of::<ThreadSet>())
    }

    pub fn visit(&mut self, hash: u128, sleep: ThreadSet) -> Visit {
        let key = key_of(hash);
        // Places in a table are chosen by the low bits of the first word.
        let table = &mut self.tables[key[1] as usize % TABLES];
        let places = table.keys.len();
        let visit = table.visit(key, sleep);
        if visit == Visit::New {
            self.len += 1;
            self.places += table.keys.len() - places;
        }
        visit
    }
}

impl Table {
    fn visit(&mut self, key: [u64; 2], sleep: ThreadSet) -> Visit {
        if self.keys.is_empty() {
            self.grow();
        }
        let at = self.find(key);
        if self.keys[at] == FREE {
            self.insert(at, key, sleep);
            return Visit::New;
        }
        let missing = self.sleeps[at].minus(sleep);
        self.sleeps[at] = self.sleeps[at].and(sleep);
        Visit::Again { missing, asleep: self.sleeps[at] }
    }

    fn insert(&mut self, at: usize, key: [u64; 2], sleep: ThreadSet) {
        self.keys[at] = key;
        self.sleeps[at] = sleep;
        self.len += 1;
        if self.len * 8 > self.keys.len() * 7 {
            self.grow();
        }
    }

    fn find(&self, key: [u64; 2]) -> usize {
        let mask = self.keys.len() - 1;
        let mut at = key[0] as usize & mask;
        while self.keys[at] != key && self.keys[at] != FREE {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let capacity = FIRST_CAPACITY.max(self.keys.len() * 2);
        let keys = std::mem::replace(&mut self.keys, vec![FREE; capacity]);
        let sleeps = std::mem::replace(&mut self.sleeps, vec![ThreadSet::EMPTY; capacity]);
        for (key, sleep) in keys.into_iter().zip(sleeps) {
            if key != FREE {
                let at = self.find(key);
                self.keys[at] = key;
                self.sleeps[at] = sleep;
            }
        }
    }
}

fn key_of(hash: u128) -> [u64; 2] {
    let key = [hash as u64, (hash >> 64) as u64];
    if key == FREE { [1, 0] } else { key }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_new_once() {
        let mut seen = Visited::new();
        assert_eq!(seen.visit(7, ThreadSet::EMPTY), Visit::New);
        let again = Visit::Again { missing: ThreadSet::EMPTY, asleep: ThreadSet::EMPTY };
        assert_eq!(seen.visit(7, ThreadSet::EMPTY), again);
        assert_eq!(seen.len(), 1);
    }

    #[test]
    fn who_slept_before_and_is_awake_now_is_missing() {
        let mut seen = Visited::new();
        let both = ThreadSet::EMPTY.with(1).with(2);
        seen.visit(7, both);
        let one = ThreadSet::EMPTY.with(1);
        let missing = ThreadSet::EMPTY.with(2);
        assert_eq!(seen.visit(7, one), Visit::Again { missing, asleep: one });
        let again = Visit::Again { missing: ThreadSet::EMPTY, asleep: one };
        assert_eq!(seen.visit(7, one), again);
    }

    #[test]
    fn it_grows_and_forgets_nothing() {
        let mut seen = Visited::new();
        let hash = |i: u128| (i << 64) | (i * 0x1_0000_0001);
        for i in 0..50_000u128 {
            assert_eq!(seen.visit(hash(i), ThreadSet::EMPTY), Visit::New);
        }
        for i in 0..50_000u128 {
            assert_ne!(seen.visit(hash(i), ThreadSet::EMPTY), Visit::New);
        }
        assert_eq!(seen.len(), 50_000);
        assert!(seen.bytes() / seen.len() < 46);
    }
}
