//! States that differ only in what is never read again count as one.
//!
//! A stack's node that was popped keeps its old `next`, a queue its old cells, an array the results of
//! threads that have ended: a trace of the past that multiplies states and decides nothing. Which bytes
//! decide something is not known when a state is reached, but when all that follows it was explored:
//! then its *relevant* bytes are those (of static objects) that were read there before they were written.
//! A state that agrees with an explored one in its relevant bytes, and in everything that is no static
//! memory, needs no search of its own.
//!
//! Why. Transitions are deterministic, given thread and answers, and what they do depends on the rest of
//! the state and on the bytes that they read. Let s be explored, with relevant bytes R, and t agree with
//! s. By induction over its length, every execution from t is one from s, the two agree after it in
//! everything but bytes that are outside of R and not written yet, and every byte of static memory that
//! it reads is in R or was written before: the next transition from s has this property by the
//! construction of R, so it reads the same values and does the same, from t. So violations, deadlocks and
//! whatever else is noted of executions from t were noted of those from s; R serves for t, too. R is made from the end: for each
//! transition what it reads, and what is relevant behind it without what it writes; a blocked attempt
//! reads, too. Where states form a cycle, all of a component get what is relevant for any of them.
//! Sleep sets would leave out executions from s that matter from t, so there are none.
//!
//! What a state is besides static memory has to be the same, eager windows included, and so have static
//! objects with symbols in them or with addresses of objects that can die: these keep a dead object's place
//! from being used again, whether or not they are read. (Bytes beside each other can look like such an
//! address by chance; that moves where a later object lies, and nothing else.)
//! Where the end looks at all memory (leaks), or edges count (livelocks), this is not used.

use super::touched::{Ranges, TouchedBytes};
use super::transition::World;
use interp::{Interp, StaticContents};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// After so many states it must have spared one of so many.
const TRIAL: usize = 10_000;
const WORTH: usize = 10;

/// A set of bytes by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct RangesId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Exploration {
    /// On the stack, at this depth.
    Open(usize),
    /// Left, but it leads to states on the stack.
    Pending,
    Explored(RangesId),
}

/// A state that is not explored to its end.
pub struct OpenState {
    hash: u128,
    /// Of all but static memory.
    rest: u128,
    contents: StaticContents,
    /// So far.
    relevant: Ranges,
    /// What the transition to here has written.
    written: Ranges,
    /// The lowest depth that is known to follow it.
    low: usize,
    /// Pending states before it.
    pending: usize,
}

impl OpenState {
    /// A transition from here has read this.
    pub fn read(&mut self, touched: &TouchedBytes) {
        self.relevant.add_all(&touched.reads);
    }
}

/// A state that waits for the first of its component.
struct PendingState {
    state: OpenState,
    /// The lowest depth that any pending state up to here leads to.
    low: usize,
}

#[derive(Default)]
pub struct Explored {
    states: FxHashMap<u128, Exploration>,
    sets: Vec<Rc<Ranges>>,
    numbers: FxHashMap<Rc<Ranges>, RangesId>,
    /// Which bytes were relevant, by the hash of the rest.
    relevant: FxHashMap<u128, Vec<RangesId>>,
    /// Hashes of rest and relevant bytes.
    seen: FxHashSet<u128>,
    pending: Vec<PendingState>,
    /// States that were not explored since another one stands for them.
    pub spared: u64,
}

/// What to do with a state.
pub enum Arrival {
    Known,
    New(OpenState),
}

impl Explored {
    pub fn bytes(&self) -> usize {
        let per_state = size_of::<(u128, Exploration)>() + size_of::<u128>() * 2;
        self.states.capacity() * per_state
    }

    /// Is there nothing to gain?
    pub fn is_useless(&self) -> bool {
        self.states.len() >= TRIAL && self.spared < (self.states.len() / WORTH) as u64
    }

    /// A transition from the state `from`, if any, has led to a state.
    pub fn arrive(
        &mut self,
        interp: &Interp<'_>,
        world: &mut World,
        hash: u128,
        touched: &TouchedBytes,
        from: Option<&mut OpenState>,
        depth: usize,
    ) -> Arrival {
        let found = match self.states.get(&hash) {
            Some(Exploration::Explored(set)) => Ok(*set),
            Some(Exploration::Open(at)) => Err(*at),
            Some(Exploration::Pending) => Err(self.pending.last().map_or(0, |pending| pending.low)),
            None => {
                let rest = world.digest_without_statics(interp);
                let contents = world.state.static_contents();
                match self.stand_in(interp, rest, &contents) {
                    Some(set) => Ok(set),
                    None => {
                        self.states.insert(hash, Exploration::Open(depth));
                        let (relevant, written) = (Ranges::default(), touched.writes.clone());
                        let (low, pending) = (depth, self.pending.len());
                        let open =
                            OpenState { hash, rest, contents, relevant, written, low, pending };
                        return Arrival::New(open);
                    }
                }
            }
        };
        if let Some(from) = from {
            match found {
                Ok(set) => {
                    from.relevant.add_difference(&self.sets[set.0 as usize], &touched.writes)
                }
                Err(low) => from.low = from.low.min(low),
            }
        }
        Arrival::Known
    }

    /// The relevant bytes of an explored state that agrees with this one.
    fn stand_in(
        &mut self,
        interp: &Interp<'_>,
        rest: u128,
        contents: &StaticContents,
    ) -> Option<RangesId> {
        let sets = self.relevant.get(&rest)?;
        let agrees = |set: &&RangesId| self.seen.contains(&self.key(interp, rest, contents, **set));
        let found = sets.iter().find(agrees).copied();
        self.spared += u64::from(found.is_some());
        found
    }

    fn key(
        &self,
        interp: &Interp<'_>,
        rest: u128,
        contents: &StaticContents,
        set: RangesId,
    ) -> u128 {
        let bytes = interp.digest_of_statics(contents, self.sets[set.0 as usize].as_slice());
        // Different sets of one state's rest must not be mixed up.
        let salt = u128::from(set.0).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        rest.rotate_left(17) ^ bytes ^ salt
    }

    /// All that follows a state was tried; `below` is the one that has led to it.
    pub fn leave(
        &mut self,
        interp: &Interp<'_>,
        state: OpenState,
        depth: usize,
        below: Option<&mut OpenState>,
    ) {
        if state.low < depth {
            self.states.insert(state.hash, Exploration::Pending);
            if let Some(below) = below {
                below.low = below.low.min(state.low);
            }
            let before = self.pending.last().map_or(usize::MAX, |pending| pending.low);
            let low = before.min(state.low);
            self.pending.push(PendingState { state, low });
            return;
        }
        let members: Vec<PendingState> = self.pending.drain(state.pending..).collect();
        let mut relevant = state.relevant.clone();
        members.iter().for_each(|member| relevant.add_all(&member.state.relevant));
        let set = self.number(relevant);
        if let Some(below) = below {
            below.relevant.add_difference(&self.sets[set.0 as usize], &state.written);
        }
        self.explored(interp, &state, set);
        members.iter().for_each(|member| self.explored(interp, &member.state, set));
    }

    fn number(&mut self, set: Ranges) -> RangesId {
        if let Some(&id) = self.numbers.get(&set) {
            return id;
        }
        let (id, set) = (RangesId(self.sets.len() as u32), Rc::new(set));
        self.sets.push(set.clone());
        self.numbers.insert(set, id);
        id
    }

    fn explored(&mut self, interp: &Interp<'_>, state: &OpenState, set: RangesId) {
        self.states.insert(state.hash, Exploration::Explored(set));
        let key = self.key(interp, state.rest, &state.contents, set);
        let sets = self.relevant.entry(state.rest).or_default();
        if !sets.contains(&set) {
            sets.push(set);
        }
        self.seen.insert(key);
    }
}
