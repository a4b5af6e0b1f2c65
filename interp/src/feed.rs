//! Bytes that an outsider looks at or replaces: a thread that runs alone is fed what the others wrote.

use crate::state::State;
use crate::step::Interp;
use crate::value::{ObjKey, Tid};
use ir::ObjectId;

impl Interp<'_> {
    pub fn static_key(&self, id: ObjectId) -> ObjKey {
        self.space.static_key(id)
    }

    /// Of a thread-local variable, the thread's own.
    pub fn thread_local_key(&self, thread: Tid, id: ObjectId) -> ObjKey {
        self.space.arena_key(thread, self.space.thread_local_slot(id))
    }

    /// What these bytes hold, if they are all known.
    pub fn peek(&self, state: &State, key: ObjKey, offset: u64, size: u64) -> Option<u64> {
        let object = state.object_of(&self.space, key)?;
        let known = object.holds(offset, size) && object.is_plain(offset, size);
        known.then(|| object.read(offset, size))
    }

    /// Replaces these bytes. False if the object is not there.
    pub fn poke(&self, state: &mut State, key: ObjKey, offset: u64, size: u64, bits: u64) -> bool {
        let home = state.entry_at(&self.space, self.space.base(key)).map(|(home, _)| home);
        let Some(object) = home.and_then(|home| state.object_mut(home)) else { return false };
        if !object.holds(offset, size) {
            return false;
        }
        object.may_point = true;
        object.write(offset, size, bits);
        true
    }

    /// Can no other thread know the address of the object?
    pub fn is_private(&self, state: &State, key: ObjKey, thread: Tid) -> bool {
        state.object_of(&self.space, key).is_some_and(|object| object.owner == Some(thread))
    }

    /// Does the object hold what is not chosen yet?
    pub fn has_symbols(&self, state: &State, key: ObjKey) -> bool {
        let object = state.object_of(&self.space, key);
        object.is_some_and(|object| !object.all_sym_bytes().is_empty())
    }

    /// Gives an object the contents that it has in another state. Nothing happens if it is not in both.
    pub fn copy_bytes(&self, from: &State, to: &mut State, key: ObjKey) {
        let home = to.entry_at(&self.space, self.space.base(key)).map(|(home, _)| home);
        let source = from.object_of(&self.space, key);
        let target = home.and_then(|home| to.object_mut(home));
        if let (Some(source), Some(target)) = (source, target) {
            target.take_contents(source);
        }
    }
}
