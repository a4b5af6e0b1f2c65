//! What was added, in order: the only way back.
//!
//! Every change of the search state is one entry; going back pops entries until the mark of the
//! level, and nothing else remembers time. Literals that the host assigned form a second stack that
//! is also a queue: `head` splits it into looked-at and waiting. A mark remembers `head` too, so a
//! literal that was assigned before a `push` but looked at after it is looked at again when that
//! level is undone: its consequences were undone, the literal was not.
//!
//! Cost: `O(1)` per change, in both directions.

use crate::types::{Chain, Lit, Node, RfId};

/// One change, with what is needed to take it back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Undo {
    /// `first[node][chain]` was this.
    First(Node, Chain, u32),
    /// `last[node][chain]` was this.
    Last(Node, Chain, u32),
    /// The newest edge was added.
    Edge,
    /// The candidate joined the active ones of its read and of its write.
    Active(RfId),
    /// The newest implied literal was added.
    Implied,
}

/// The state of the stacks when a level was opened.
#[derive(Clone, Copy, Debug)]
struct LevelMark {
    changes: usize,
    assigned: usize,
    head: usize,
    told: usize,
}

/// The stacks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trail {
    changes: Vec<Undo>,
    assigned: Vec<Lit>,       // true now, in the order of arrival
    head: usize,              // the first that waits
    marks: Vec<LevelMark>,    // one per open level
    position: Vec<u32>,       // of each variable's literal in `assigned`
    value: Vec<Option<bool>>, // of each literal
}

impl Trail {
    pub fn level(&self) -> usize {
        self.marks.len()
    }

    /// The literals of level 0.
    pub fn fixed(&self) -> &[Lit] {
        let end = self.marks.first().map_or(self.assigned.len(), |mark| mark.assigned);
        &self.assigned[..end]
    }

    /// Opens a level. `told` is how many implied literals the host knows; `close` gives it back.
    pub fn push(&mut self, told: usize) {
        let (changes, assigned, head) = (self.changes.len(), self.assigned.len(), self.head);
        self.marks.push(LevelMark { changes, assigned, head, told });
    }

    pub fn record(&mut self, change: Undo) {
        self.changes.push(change);
    }

    /// The next change to take back on the way to `level`, if any is left.
    pub(crate) fn pop_change(&mut self, level: usize) -> Option<Undo> {
        let mark = self.marks.get(level)?;
        if self.changes.len() > mark.changes { self.changes.pop() } else { None }
    }

    /// Closes the levels above `level` and says what the host knew when the first was opened.
    ///
    /// Needs: `level` is below the current one, and the changes above it were popped.
    pub fn close(&mut self, level: usize) -> usize {
        let mark = self.marks[level];
        debug_assert_eq!(self.changes.len(), mark.changes);
        for lit in self.assigned.drain(mark.assigned..) {
            self.value[lit.index()] = None;
            self.value[(!lit).index()] = None;
        }
        self.head = mark.head;
        self.marks.truncate(level);
        mark.told
    }

    /// Forgets the changes but not the literals: they wait again. Needs: level 0.
    pub(crate) fn restart(&mut self) {
        debug_assert!(self.marks.is_empty());
        self.changes.clear();
        self.head = 0;
    }

    /// Needs: the variable has no value.
    pub fn assign(&mut self, lit: Lit) {
        let size = (lit.index() | 1) + 1;
        if self.value.len() < size {
            self.value.resize(size, None);
            self.position.resize(size / 2, 0);
        }
        self.value[lit.index()] = Some(true);
        self.value[(!lit).index()] = Some(false);
        self.position[lit.var() as usize] = self.assigned.len() as u32;
        self.assigned.push(lit);
    }

    /// The next literal to look at.
    pub fn next(&mut self) -> Option<Lit> {
        let lit = self.assigned.get(self.head).copied()?;
        self.head += 1;
        Some(lit)
    }

    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.value.get(lit.index()).copied().flatten()
    }

    pub fn is_true(&self, lit: Lit) -> bool {
        self.value(lit) == Some(true)
    }

    /// True at level 0, hence for ever.
    pub fn is_root(&self, lit: Lit) -> bool {
        let root = self.marks.first().map_or(self.assigned.len(), |mark| mark.assigned);
        self.is_true(lit) && self.position(lit) < root
    }

    /// When an assigned literal arrived. A later arrival is never of an earlier level.
    pub fn position(&self, lit: Lit) -> usize {
        self.position[lit.var() as usize] as usize
    }

    pub fn assigned(&self) -> &[Lit] {
        &self.assigned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_a_level_forgets_its_literals_and_looks_again_at_the_late_ones() {
        let [a, b] = [Lit::from_dimacs(1), Lit::from_dimacs(-2)];
        let mut trail = Trail::default();
        trail.assign(a);
        trail.push(3);
        trail.assign(b);
        assert_eq!([trail.next(), trail.next(), trail.next()], [Some(a), Some(b), None]);
        assert_eq!(
            (trail.value(!b), trail.is_root(a), trail.is_root(b)),
            (Some(false), true, false)
        );
        assert_eq!(trail.close(0), 3);
        assert_eq!((trail.value(a), trail.value(b)), (Some(true), None));
        assert_eq!([trail.next(), trail.next()], [Some(a), None]);
    }
}
