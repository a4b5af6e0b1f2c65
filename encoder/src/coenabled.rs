//! Data races: two threads that have halted before accesses that conflict.
//!
//! Where all atomic accesses synchronise, a program has a race iff in some state two threads are
//! about to do conflicting accesses, not both atomic (see `src/contract/race_mode.rs` for why). To
//! ask for that state, a thread may *halt* before any access that could be half of a race: a free
//! choice, the negation of which is part of all that the thread does afterwards. Then a race is a
//! term over choices and guards, and needs no order at all: nodes up to the coenabled happen, and what
//! is left is the state. (He who coenabled reads nothing, so a racing read has no source: it is what
//! Deagle calls dirty.) Who does not take part in the race may always go on, so nothing is lost.
//!
//! An atomic block touches what it touches only if it can run. So it coenabled at its *end*: it reads,
//! but publishes nothing. It must run in the state in which the other one has halted: the order says
//! that what the other one has done comes before the block (`orders`). For two blocks that is less
//! than needed, as others may come between; then the replay decides.
//!
//! A block of the user that decides by a value that the other one is about to write may touch that
//! only *behind* the write. There is no such halt: nothing is proven then (`decides`).
//!
//! `free` is a write of all of the block; two of them are a double free and no race. The end of a
//! local's life is no access.
//! Nor do two atomic blocks of the user race, whatever they do.
//!
//! Cost: one variable per place, terms linear in the touches, one order per pair of a place and a
//! block that conflict.

use crate::event::{NodeId, ProgramPoint, ThreadId};
use crate::term::{Pool, Term};
use ir::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// A place where a thread may stop for good.
#[derive(Clone, Debug)]
pub struct CoEnabled {
    pub thread: ThreadId,
    /// The instruction that is next: an access, or the beginning of an atomic block.
    pub at: ProgramPoint,
    pub span: Span,
    /// The last node before it, of its thread or the one that starts it.
    pub after: NodeId,
    /// The atomic block that is next.
    pub block: Option<NodeId>,
    /// The variable.
    pub choice: Term,
    /// The thread stands here for good.
    pub guard: Term,
    pub touches: Vec<NextAccess>,
}

/// What a thread is about to touch.
#[derive(Clone, Copy, Debug)]
pub struct NextAccess {
    /// Any number that names a piece of memory.
    pub cell: u32,
    pub access: ConflictingAccess,
    /// It is, if its thread has halted here; implied by the guard of the halt unless it is a block.
    pub guard: Term,
}

/// What is done to a piece of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ConflictingAccess {
    Read,
    Write,
    AtomicRead,
    AtomicWrite,
    /// It is freed.
    End,
    /// The same in atomic blocks of the user, which are as if under one lock.
    BlockRead,
    BlockWrite,
    BlockEnd,
}

/// How something is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    Plain,
    Atomic,
    /// In an atomic block of the user.
    Block,
}

impl ConflictingAccess {
    pub const COUNT: usize = 8;
    pub const ALL: [ConflictingAccess; ConflictingAccess::COUNT] = [
        ConflictingAccess::Read,
        ConflictingAccess::Write,
        ConflictingAccess::AtomicRead,
        ConflictingAccess::AtomicWrite,
        ConflictingAccess::End,
        ConflictingAccess::BlockRead,
        ConflictingAccess::BlockWrite,
        ConflictingAccess::BlockEnd,
    ];

    pub fn access(write: bool, manner: Manner) -> ConflictingAccess {
        match (write, manner) {
            (false, Manner::Plain) => ConflictingAccess::Read,
            (true, Manner::Plain) => ConflictingAccess::Write,
            (false, Manner::Atomic) => ConflictingAccess::AtomicRead,
            (true, Manner::Atomic) => ConflictingAccess::AtomicWrite,
            (false, Manner::Block) => ConflictingAccess::BlockRead,
            (true, Manner::Block) => ConflictingAccess::BlockWrite,
        }
    }

    pub fn end(in_block: bool) -> ConflictingAccess {
        if in_block { ConflictingAccess::BlockEnd } else { ConflictingAccess::End }
    }

    fn in_block(self) -> bool {
        matches!(
            self,
            ConflictingAccess::BlockRead
                | ConflictingAccess::BlockWrite
                | ConflictingAccess::BlockEnd
        )
    }

    fn ends(self) -> bool {
        matches!(self, ConflictingAccess::End | ConflictingAccess::BlockEnd)
    }

    fn reads(self) -> bool {
        matches!(
            self,
            ConflictingAccess::Read | ConflictingAccess::AtomicRead | ConflictingAccess::BlockRead
        )
    }

    fn is_plain(self) -> bool {
        matches!(self, ConflictingAccess::Read | ConflictingAccess::Write) || self.ends()
    }

    /// Do two threads race that do this?
    pub fn races(self, other: ConflictingAccess) -> bool {
        let both = |is: fn(ConflictingAccess) -> bool| is(self) && is(other);
        let harmless = both(ConflictingAccess::in_block)
            || both(ConflictingAccess::ends)
            || both(ConflictingAccess::reads);
        !harmless && (self.is_plain() || other.is_plain())
    }
}

/// When two threads race.
pub fn race(pool: &mut Pool, coenabled: &[CoEnabled]) -> Term {
    let mut cells: Vec<_> = by_cell(coenabled).into_iter().collect();
    cells.sort_unstable_by_key(|&(cell, _)| cell);
    let mut races = Vec::new();
    for (_, mut touches) in cells {
        touches.sort_by_key(|&(halt, _)| coenabled[halt].thread);
        let same_thread = |a: &(usize, NextAccess), b: &(usize, NextAccess)| {
            coenabled[a.0].thread == coenabled[b.0].thread
        };
        // What threads before this one are about to do, by access.
        let mut before = [pool.bool(false); ConflictingAccess::COUNT];
        for touches in touches.chunk_by(same_thread) {
            let mine = ConflictingAccess::ALL.map(|access| {
                let of_access = touches.iter().filter(|(_, touch)| touch.access == access);
                let terms: Vec<Term> = of_access
                    .map(|&(halt, touch)| pool.and(coenabled[halt].guard, touch.guard))
                    .collect();
                pool.or_all(terms)
            });
            for (access, now) in ConflictingAccess::ALL.into_iter().zip(mine) {
                let rivals =
                    ConflictingAccess::ALL.into_iter().zip(before).filter(|(d, _)| d.races(access));
                let rivals: Vec<Term> = rivals.map(|(_, term)| term).collect();
                let some = pool.or_all(rivals);
                races.push(pool.and(now, some));
            }
            for (sum, now) in before.iter_mut().zip(mine) {
                *sum = pool.or(*sum, now);
            }
        }
    }
    pool.or_all(races)
}

fn by_cell(coenabled: &[CoEnabled]) -> FxHashMap<u32, Vec<(usize, NextAccess)>> {
    let mut cells: FxHashMap<u32, Vec<(usize, NextAccess)>> = FxHashMap::default();
    for (i, halt) in coenabled.iter().enumerate() {
        for &touch in &halt.touches {
            cells.entry(touch.cell).or_default().push((i, touch));
        }
    }
    cells
}

/// What must come before a block that coenabled: if the term holds, the first before the second.
/// `None` if that would be more than `most`.
pub fn orders(
    pool: &mut Pool,
    coenabled: &[CoEnabled],
    most: usize,
) -> Option<Vec<(Term, NodeId, NodeId)>> {
    let mut pairs: FxHashSet<(usize, usize)> = FxHashSet::default();
    for touches in by_cell(coenabled).values() {
        for &(b, of_block) in touches.iter().filter(|t| coenabled[t.0].block.is_some()) {
            for &(a, touch) in touches {
                if coenabled[a].thread != coenabled[b].thread && touch.access.races(of_block.access)
                {
                    pairs.insert((a, b));
                }
            }
            if pairs.len() > most {
                return None;
            }
        }
    }
    let mut pairs: Vec<(usize, usize)> = pairs.into_iter().collect();
    pairs.sort_unstable();
    let order = |(a, b): (usize, usize)| {
        let (a, b) = (&coenabled[a], &coenabled[b]);
        Some((pool.and(a.guard, b.guard), a.after, b.block?))
    };
    Some(pairs.into_iter().filter_map(order).collect())
}

/// Two coenabled that race, in a model.
pub fn racing(
    coenabled: &[CoEnabled],
    mut holds: impl FnMut(Term) -> bool,
) -> Option<[&CoEnabled; 2]> {
    let halted: Vec<&CoEnabled> = coenabled.iter().filter(|h| holds(h.guard)).collect();
    let mut done: Vec<(&CoEnabled, NextAccess)> = Vec::new();
    for halt in halted {
        for &touch in halt.touches.iter().filter(|t| holds(t.guard)) {
            let rival = done.iter().find(|(other, t)| {
                other.thread != halt.thread && t.cell == touch.cell && t.access.races(touch.access)
            });
            if let Some(&(other, _)) = rival {
                return Some([other, halt]);
            }
            done.push((halt, touch));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;
    use crate::eval::Evaluator;
    use ir::BlockId;
    use obmc_testing::Dice;

    #[test]
    fn what_races() {
        use ConflictingAccess::*;
        for (a, b, expected) in [
            (Read, Read, false),
            (Read, Write, true),
            (Write, Write, true),
            (Read, AtomicWrite, true),
            (Read, AtomicRead, false),
            (AtomicRead, Write, true),
            (AtomicWrite, AtomicWrite, false),
            (End, End, false),
            (End, AtomicRead, true),
            (BlockRead, Write, true),
            (BlockWrite, AtomicWrite, false),
            (BlockEnd, BlockRead, false),
            (BlockEnd, AtomicRead, true),
            (BlockEnd, End, false),
        ] {
            assert_eq!((a.races(b), b.races(a)), (expected, expected), "{a:?} {b:?}");
        }
    }

    fn halt(pool: &mut Pool, thread: u32, touches: &[(u32, ConflictingAccess)]) -> CoEnabled {
        let choice = pool.fresh(Sort::Bool);
        let touch = |&(cell, access): &(u32, ConflictingAccess)| NextAccess {
            cell,
            access,
            guard: pool.fresh(Sort::Bool),
        };
        CoEnabled {
            thread: ThreadId(thread),
            at: ProgramPoint { block: BlockId(0), index: 0 },
            span: Span::NONE,
            after: NodeId(0),
            block: None,
            choice,
            guard: choice,
            touches: touches.iter().map(touch).collect(),
        }
    }

    /// The term is true in exactly those models in which a pair is found.
    #[test]
    fn the_term_says_what_the_search_finds() {
        for seed in 0..100 {
            let mut random = Dice::new(seed);
            let mut pool = Pool::new();
            let coenabled: Vec<CoEnabled> = (0..4)
                .map(|_| {
                    let touches: Vec<(u32, ConflictingAccess)> = (0..1 + random.below(2))
                        .map(|_| {
                            (
                                random.below(2),
                                ConflictingAccess::ALL
                                    [random.below(ConflictingAccess::COUNT as u32) as usize],
                            )
                        })
                        .collect();
                    halt(&mut pool, random.below(3), &touches)
                })
                .collect();
            let race = race(&mut pool, &coenabled);
            for _ in 0..200 {
                let bits = random.below(1 << 16);
                let mut e = Evaluator::new(&pool, |v| u64::from(bits >> (v.0 % 16) & 1));
                let found = racing(&coenabled, |t| e.holds(t)).is_some();
                assert_eq!(e.holds(race), found);
            }
        }
    }

    #[test]
    fn a_block_runs_after_what_the_other_has_done() {
        let mut pool = Pool::new();
        let mut coenabled = vec![
            halt(&mut pool, 0, &[(0, ConflictingAccess::Write)]),
            halt(&mut pool, 1, &[(0, ConflictingAccess::AtomicRead)]),
            halt(&mut pool, 2, &[(0, ConflictingAccess::AtomicRead)]),
        ];
        coenabled[0].after = NodeId(3);
        coenabled[1].block = Some(NodeId(5));
        let both = pool.and(coenabled[0].guard, coenabled[1].guard);
        let orders_ = orders(&mut pool, &coenabled, 10);
        assert_eq!(orders_, Some(vec![(both, NodeId(3), NodeId(5))]));
        assert_eq!(orders(&mut pool, &coenabled, 0), None);
    }
}
