//! Bytes that an outsider looks at or replaces: a thread that runs alone is fed what the others wrote.

use crate::state::State;
use crate::step::Interp;
use crate::value::ObjKey;
use ir::ObjectId;

impl Interp<'_> {
    pub fn static_key(&self, id: ObjectId) -> ObjKey {
        self.space.static_key(id)
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
}
