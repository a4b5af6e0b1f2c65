//! Names in scope: C's ordinary identifiers and its tags, which live apart.

use super::Unit;
use crate::ir::{ObjectId, Reg, SlotId};
use crate::types::{RecordId, TypeId};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    Typedef(TypeId),
    /// An enumerator or other named constant.
    Constant {
        value: i128,
        ty: TypeId,
    },
    Object {
        object: ObjectId,
    },
    /// Its `FuncId` is made on first use, so that a header's unused prototypes cost nothing.
    Function {
        ty: TypeId,
        is_static: bool,
    },
    Register {
        reg: Reg,
        ty: TypeId,
    },
    Slot {
        slot: SlotId,
        ty: TypeId,
    },
    /// A variable-length array: where it lies and how many bytes it has.
    Vla {
        addr: Reg,
        bytes: Reg,
        ty: TypeId,
    },
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Tag {
    Record(RecordId),
    Enum(TypeId),
}

#[derive(Default, Debug)]
pub(crate) struct Scope {
    pub names: FxHashMap<String, Symbol>,
    pub tags: FxHashMap<String, Tag>,
}

impl Unit<'_> {
    pub fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().rev().find_map(|s| s.names.get(name))
    }

    pub fn bind(&mut self, name: &str, symbol: Symbol) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name.to_owned(), symbol);
        }
    }

    pub fn bind_global(&mut self, name: &str, symbol: Symbol) {
        self.scopes[0].names.insert(name.to_owned(), symbol);
    }

    pub fn lookup_tag(&self, tag: &str) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|s| s.tags.get(tag).copied())
    }

    /// Only the innermost scope: `struct s { ... }` there is a new type even if an outer one exists.
    pub fn own_tag(&self, tag: &str) -> Option<Tag> {
        self.scopes.last().and_then(|s| s.tags.get(tag).copied())
    }

    pub fn bind_tag(&mut self, tag: &str, meaning: Tag) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.tags.insert(tag.to_owned(), meaning);
        }
    }

    pub fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }
}
