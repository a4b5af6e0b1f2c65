//! Variables by the names that C has for them: what an outsider's condition about a state needs.

use crate::memory::Object;
use crate::state::{Frame, Home, State};
use crate::step::Interp;
use crate::value::{Tid, Value};
use ir::types::{Scalar, TypeId};
use ir::{ObjectKind, Origin};

/// Larger objects are searched for a member up to here.
const LONGEST_SEARCH: u64 = 1 << 14;

/// What a variable holds.
#[derive(Clone, Copy, Debug)]
pub struct VariableView {
    pub value: Value,
    pub ty: Scalar,
    /// It is dead, so that it may be out of date.
    pub stale: bool,
}

impl Interp<'_> {
    /// What may be meant by `name` and a path such as `[2].next` in a function of a thread (the
    /// running one if `scope` is empty): its local variables of that name, else the global one.
    pub fn variable(
        &self,
        state: &State,
        thread: Tid,
        scope: &str,
        name: &str,
        path: &str,
    ) -> Vec<VariableView> {
        let frame = state.status_of(thread).and_then(|_| self.frame_of(state, thread, scope));
        let mut seen: Vec<VariableView> =
            frame.map_or(Vec::new(), |f| self.locals(state, f, name, path));
        if seen.is_empty() {
            let globals = self.program.objects.iter().enumerate();
            let named = globals.filter(|(_, o)| o.name == name && o.kind != ObjectKind::Constant);
            seen.extend(
                named.filter_map(|(i, o)| self.member(state.object(Home::Static(i))?, o.ty, path)),
            );
        }
        seen
    }

    fn frame_of<'s>(&self, state: &'s State, thread: Tid, scope: &str) -> Option<&'s Frame> {
        let wanted = |frame: &&Frame| {
            let function = &self.program.functions[frame.func.index()];
            if scope.is_empty() { function.origin == Origin::User } else { function.name == scope }
        };
        state.thread(thread).frames.iter().rev().map(|f| &**f).find(wanted)
    }

    fn locals(&self, state: &State, frame: &Frame, name: &str, path: &str) -> Vec<VariableView> {
        let function = &self.program.functions[frame.func.index()];
        let is_named = |n: &Option<String>| n.as_deref() == Some(name);
        let live: Vec<usize> = self.live_registers(frame, true).map(|reg| reg.index()).collect();
        let registers = function.regs.iter().enumerate().filter(|(_, r)| is_named(&r.name));
        let registers = registers.filter(|_| path.is_empty()).map(|(i, r)| VariableView {
            value: frame.regs[i],
            ty: r.ty,
            stale: !live.contains(&i),
        });
        let slots = function.slots.iter().enumerate().filter(|(_, s)| is_named(&s.name));
        let slots = slots.filter_map(|(i, slot)| {
            let object = state.object_of(&self.space, frame.slots[i]?)?;
            self.member(object, slot.ty, path)
        });
        registers.chain(slots).collect()
    }

    fn member(&self, object: &Object, ty: TypeId, path: &str) -> Option<VariableView> {
        let types = &self.program.types;
        let places = 0..object.size().min(LONGEST_SEARCH);
        let (offset, ty) = places
            .map(|at| (at, types.path_at(ty, at)))
            .find_map(|(at, found)| (found.0 == path).then_some((at, found.1)))?;
        let ty = types.scalar(ty)?;
        let size = ty.bytes(self.space.machine());
        let plain = object.holds(offset, size) && object.is_plain(offset, size);
        let value = match object.sym_bytes(offset, size) {
            _ if plain => Value::Int(object.read(offset, size)),
            [first, ..] if object.sym_bytes(offset, size).len() as u64 == size => {
                Value::Sym { id: first.id, shift: first.part, add: first.add }
            }
            _ => return None,
        };
        Some(VariableView { value, ty, stale: false })
    }

    /// Makes an open value this one, if that says all about it.
    pub fn settle(&self, state: &mut State, value: Value, ty: Scalar, wanted: i128) -> Settled {
        let (Value::Sym { id, shift: 0, add: 0 }, Scalar::Int { bits, signed }) = (value, ty)
        else {
            return Settled::Open;
        };
        let Some(symbol) = state.symbol(id) else { return Settled::Open };
        let serial = symbol.about.serial;
        let part = symbol.domain.part(bits, signed, &[(wanted, wanted)]);
        match part.map(|part| (part.single(), part)) {
            Some((_, part)) if part.is_empty() => Settled::Impossible,
            Some((Some(value), part)) => {
                self.narrow_in(state, id, &part);
                Settled::Known { serial, value }
            }
            _ => Settled::Open,
        }
    }
}

/// What became of a wish about a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settled {
    /// The symbol with this serial number has this value now.
    Known {
        serial: u64,
        value: i128,
    },
    Impossible,
    /// As before.
    Open,
}
