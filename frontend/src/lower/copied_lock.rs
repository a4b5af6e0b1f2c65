//! Copies of locks and their kin.
//!
//! POSIX (2.9.9) and C11 allow only the object itself to be used: what a copy does is undefined. Models go by bytes, so a
//! copy of a free mutex works as one. That is an assumption of the verdict where a program copies such an object:
//! by assignment, as an argument or a result, with `memcpy` and its kin, or with a block that moves. What is copied from
//! a literal or a constant object is an initialiser's value, and no object that was ever used.
//!
//! Cost: a look at the types of what is copied.

use super::Unit;
use super::Value;
use super::sequence::Got;
use ir::types::{Type, TypeId};
use ir::{ObjectKind, Operand, Origin};

const OBJECTS: [&str; 7] = [
    "pthread_mutex_t",
    "pthread_cond_t",
    "pthread_rwlock_t",
    "pthread_barrier_t",
    "sem_t",
    "mtx_t",
    "cnd_t",
];

impl Unit<'_> {
    /// Notes the assumption if an object of this type is, or contains, a lock.
    pub(super) fn note_copied_lock(&mut self, from: Operand, ty: TypeId) {
        if self.origin != Origin::User || self.is_initial_value(from) {
            return;
        }
        let Some(name) = self.lock_in(ty) else { return };
        let text =
            format!("a copy of a `{name}` works as the original does; POSIX leaves that undefined");
        if self.link.ignored.iter().all(|(other, _)| *other != text) {
            self.link.ignored.push((text, self.at));
        }
    }

    /// The same for a call of a function that copies what an argument points to.
    pub(super) fn note_lock_copied_by(&mut self, function: &str, arguments: &[Got]) {
        let from = match function {
            "memcpy" | "memmove" | "mempcpy" => arguments.get(1),
            "realloc" | "reallocarray" => arguments.first(),
            _ => None,
        };
        let Some(&Got::Value(Value::Scalar { op, ty })) = from else { return };
        if let Some(pointee) = self.pointee(ty) {
            self.note_copied_lock(op, pointee);
        }
    }

    fn is_initial_value(&self, from: Operand) -> bool {
        match from {
            Operand::Slot { slot, .. } => self.f.slots[slot.index()].name.is_none(),
            Operand::Object { object, .. } => {
                self.link.objects[object.index()].kind == ObjectKind::Constant
            }
            _ => false,
        }
    }

    /// The name of such a type that this one is made of.
    fn lock_in(&self, ty: TypeId) -> Option<&'static str> {
        match self.link.types.get(ty) {
            Type::Array { elem, .. } => self.lock_in(*elem),
            Type::Record(record) => {
                let record = self.link.types.record(*record);
                let own = OBJECTS.iter().find(|name| record.alias.as_deref() == Some(**name));
                let fields = record.layout.iter().flat_map(|layout| &layout.fields);
                own.copied().or_else(|| fields.into_iter().find_map(|f| self.lock_in(f.ty)))
            }
            _ => None,
        }
    }
}
