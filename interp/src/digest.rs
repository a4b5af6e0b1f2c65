//! The identity of a state in 128 bits.
//!
//! A state's future depends on: where its threads stand, their live registers, all memory, which
//! dead objects are still pointed to, and which symbols are where with which domains. Parts cache
//! a `StateDigest`: a hash in which symbols are anonymous, and the list of symbols as they occur. The
//! digest hashes the parts' hashes, then all occurrences with symbols numbered by their first one,
//! then the domains in that numbering. So names of symbols do not matter, but which places hold the
//! same symbol does.
//!
//! Cost: what changed since a relative of the state was hashed, plus the number of threads, objects
//! in changed arenas and symbolic bytes.

use crate::memory::Object;
use crate::state::{Arena, Frame, Life, State, Statics, Thread};
use crate::step::Interp;
use crate::value::{ObjKey, SymId, Value};
use rustc_hash::FxHashMap;
use triomphe::Arc;
use xxhash_rust::xxh3::Xxh3;

/// What the static objects of a state hold.
#[derive(Clone, Debug)]
pub struct StaticContents(Arc<Statics>);

/// Bytes `from..to` of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectBytes {
    pub object: ObjKey,
    pub from: u64,
    pub to: u64,
}

/// A part of a state: hash without symbols' names, and the symbols in order of occurrence.
#[derive(Clone, Debug)]
pub(crate) struct StateDigest {
    hash: u128,
    symbols: Box<[SymId]>,
}

/// Collects a summary.
struct SummaryBuilder {
    hasher: Xxh3,
    symbols: Vec<SymId>,
}

impl SummaryBuilder {
    fn new() -> SummaryBuilder {
        SummaryBuilder { hasher: Xxh3::new(), symbols: Vec::new() }
    }

    fn number(&mut self, n: u64) {
        self.hasher.update(&n.to_le_bytes());
    }

    fn wide(&mut self, n: u128) {
        self.hasher.update(&n.to_le_bytes());
    }

    fn value(&mut self, value: Value) {
        match value {
            Value::Int(bits) => {
                self.number(0);
                self.number(bits);
            }
            Value::Sym { id, shift, add } => {
                self.number(1 + u64::from(shift));
                self.number(add as u64);
                self.symbols.push(id);
            }
        }
    }

    fn part(&mut self, summary: &StateDigest) {
        self.wide(summary.hash);
        self.symbols.extend_from_slice(&summary.symbols);
    }

    fn done(self) -> StateDigest {
        StateDigest { hash: self.hasher.digest128(), symbols: self.symbols.into() }
    }
}

impl Interp<'_> {
    /// A 128-bit hash of all that influences the future of a state, and of nothing else: dead
    /// registers, names of symbols, forgotten objects do not count. Costs what has changed since
    /// the state's ancestors were hashed. Drops what is not needed any more, hence `&mut`.
    pub fn digest(&self, state: &mut State) -> u128 {
        self.drop_forgotten(state);
        let mut all = SummaryBuilder::new();
        all.number(u64::from(state.ended) | u64::from(state.invented.is_some()) << 1);
        for thread in &state.threads {
            all.part(thread.summary.get_or_init(|| self.thread_summary(thread)));
        }
        all.part(state.statics.summary.get_or_init(|| statics_summary(&state.statics)));
        for arena in &state.arenas {
            all.part(arena.summary.get_or_init(|| arena_summary(arena)));
        }
        self.name_symbols(state, all)
    }

    /// The same without what plain static objects hold (see `is_plain_static`). Needs: `digest` was
    /// asked for before.
    pub fn digest_without_statics(&self, state: &mut State) -> u128 {
        let mut all = SummaryBuilder::new();
        all.number(u64::from(state.ended) | u64::from(state.invented.is_some()) << 1);
        for thread in &state.threads {
            all.part(thread.summary.get_or_init(|| self.thread_summary(thread)));
        }
        for object in &state.statics.objects {
            match is_plain_static(object) {
                true => all.number(0),
                false => {
                    all.wide(object.hash());
                    all.symbols.extend(object.all_sym_bytes().iter().map(|s| s.id));
                }
            }
        }
        for arena in &state.arenas {
            all.part(arena.summary.get_or_init(|| arena_summary(arena)));
        }
        self.name_symbols(state, all)
    }

    /// A hash of these bytes, as far as they are in plain static objects.
    pub fn digest_of_statics(&self, contents: &StaticContents, bytes: &[ObjectBytes]) -> u128 {
        let mut hasher = Xxh3::new();
        for range in bytes {
            let object = self.static_of(range.object).map(|id| &contents.0.objects[id.index()]);
            if let Some(object) = object.filter(|object| is_plain_static(object)) {
                hasher.update(object.bytes(range.from, range.to));
            }
        }
        hasher.digest128()
    }

    /// Adds who is who among the symbols, and what they may be.
    fn name_symbols(&self, state: &mut State, mut all: SummaryBuilder) -> u128 {
        let occurrences = std::mem::take(&mut all.symbols);
        let mut names: FxHashMap<SymId, u64> = FxHashMap::default();
        for id in occurrences {
            let next = names.len() as u64;
            let is_new = !names.contains_key(&id);
            all.number(*names.entry(id).or_insert(next));
            let Some(domain) = state.domain(id).filter(|_| is_new) else { continue };
            all.number(domain.intervals().len() as u64);
            for &(lo, hi) in domain.intervals() {
                all.wide(lo as u128);
                all.wide(hi as u128);
            }
        }
        self.forget_unused_symbols(state, |id| names.contains_key(&id));
        all.hasher.digest128()
    }

    /// Symbols that occur nowhere leave the table.
    fn forget_unused_symbols(&self, state: &mut State, used: impl Fn(SymId) -> bool) {
        let count = state.symbols.len() as u32;
        for id in (0..count).map(SymId) {
            if state.symbol(id).is_some() && !used(id) {
                self.bury_symbol(state, id);
            }
        }
    }

    /// Dead registers may still name the symbol, so that its name must not be given away before
    /// they are cleared.
    fn bury_symbol(&self, state: &mut State, id: SymId) {
        state.replace_in_registers(id, |_, _| Value::ZERO);
        state.forget_symbol(id);
    }

    fn thread_summary(&self, thread: &Thread) -> StateDigest {
        let mut b = SummaryBuilder::new();
        b.number(thread.status as u64);
        b.value(thread.result);
        for (i, frame) in thread.frames.iter().enumerate() {
            let top = i + 1 == thread.frames.len();
            if top {
                b.part(frame.summary.get_or_init(|| self.frame_summary(frame, true)));
            } else {
                b.part(frame.summary.get_or_init(|| self.frame_summary(frame, false)));
            }
        }
        b.done()
    }

    fn frame_summary(&self, frame: &Frame, top: bool) -> StateDigest {
        let mut b = SummaryBuilder::new();
        b.number(u64::from(frame.func.0) << 32 | u64::from(frame.block.0));
        b.number(frame.index as u64);
        for reg in self.live_registers(frame, top) {
            b.number(u64::from(reg.0));
            b.value(frame.regs[reg.index()]);
        }
        for slot in &frame.slots {
            b.number(slot.map_or(0, |key| u64::from(key.0)));
        }
        for key in &frame.allocas {
            b.number(u64::from(key.0));
        }
        b.done()
    }
}

impl State {
    pub fn static_contents(&self) -> StaticContents {
        StaticContents(self.statics.clone())
    }
}

/// Nothing but numbers that can be told apart by loads only: no byte belongs to a symbol, and none to the
/// address of an object that can die (such addresses keep the place of a dead object).
fn is_plain_static(object: &Object) -> bool {
    !object.may_point && !object.is_constant() && object.is_plain(0, object.size())
}

fn statics_summary(statics: &Statics) -> StateDigest {
    let mut b = SummaryBuilder::new();
    for object in &statics.objects {
        b.wide(object.hash());
        b.symbols.extend(object.all_sym_bytes().iter().map(|s| s.id));
    }
    b.done()
}

fn arena_summary(arena: &Arena) -> StateDigest {
    let mut b = SummaryBuilder::new();
    for entry in &arena.entries {
        b.number(u64::from(entry.slot) << 32 | u64::from(entry.count));
        match &entry.life {
            Life::Live(object) => {
                b.wide(object.hash());
                b.symbols.extend(object.all_sym_bytes().iter().map(|s| s.id));
            }
            Life::Dead(_) => b.number(0),
        }
    }
    b.done()
}
