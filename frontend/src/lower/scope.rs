//! Names in scope: C's ordinary identifiers and its tags, which live apart.

use super::{Result, Unit};
use ir::types::{RecordId, TypeId};
use ir::{FuncId, ObjectId, Reg, SlotId};
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
    /// C23's `constexpr`: an object, and what its value is.
    Constexpr {
        object: ObjectId,
        bits: u64,
        ty: TypeId,
    },
    /// Its `FuncId` is made on first use, so that a header's unused prototypes cost nothing.
    Function {
        ty: TypeId,
        is_static: bool,
    },
    /// A function inside of another one.
    Nested {
        function: FuncId,
        ty: TypeId,
    },
    Register {
        reg: Reg,
        ty: TypeId,
    },
    Slot {
        slot: SlotId,
        ty: TypeId,
    },
    /// A variable-length array: where it lies.
    Vla {
        addr: Reg,
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

    /// Is it a variable of a function around the one that is built?
    pub(crate) fn is_outer_local(&self, name: &str) -> bool {
        let holds = |scope: &Scope| scope.names.contains_key(name);
        let Some(at) = self.scopes.iter().rposition(holds) else { return false };
        let local = matches!(
            self.scopes[at].names.get(name),
            Some(Symbol::Register { .. } | Symbol::Slot { .. } | Symbol::Vla { .. })
        );
        local && at < self.frame
    }

    pub fn bind(&mut self, name: &str, symbol: Symbol) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name.to_owned(), symbol);
        }
    }

    /// Variables and enumerators may be declared once per block.
    pub(crate) fn check_redefinition(&self, name: &str) -> Result<()> {
        match self.scopes.last().and_then(|s| s.names.get(name)) {
            Some(_) => {
                let shown = ir::names::decode(name);
                Err(self.error(format!("`{shown}` is declared twice")))
            }
            None => Ok(()),
        }
    }

    pub(crate) fn bind_global(&mut self, name: &str, symbol: Symbol) {
        self.scopes[0].names.insert(name.to_owned(), symbol);
    }

    pub(crate) fn lookup_tag(&self, tag: &str) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|s| s.tags.get(tag).copied())
    }

    /// Only the innermost scope: `struct s { ... }` there is a new type even if an outer one exists.
    pub(crate) fn own_tag(&self, tag: &str) -> Option<Tag> {
        self.scopes.last().and_then(|s| s.tags.get(tag).copied())
    }

    pub(crate) fn bind_tag(&mut self, tag: &str, meaning: Tag) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.tags.insert(tag.to_owned(), meaning);
        }
    }

    pub(crate) fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{error, has, ir, program};

    #[test]
    fn inner_names_hide_outer_ones() {
        let text = "int x; int f(int x) { { int x = 1; x++; } return x; }";
        has(&ir(text), &["x.1 = 1", "return x.0"]);
        let text = "typedef int t; int f(void) { t t = 1; return t; }";
        has(&ir(text), &["t.0 = 1", "return t.0"]);
        let text = "typedef char t; int f(void) { typedef int t; { t x = 1; return sizeof x; } }";
        has(&ir(text), &["return 4"]);
        let text = "enum { A = 1 }; int f(void) { enum { A = 2 }; return A; }";
        has(&ir(text), &["return 2"]);
        has(
            &ir("int f(int n) { for (int i = 0; i < n; i++) { int i = 5; n = i; } return n; }"),
            &["i.1 = 0", "i.3 = 5"],
        );
    }

    #[test]
    fn tags_have_scopes_too() {
        let outer = "struct s { char c; };";
        let in_f = |body: &str| ir(&format!("{outer} int f(void) {{ {body} }}"));
        has(&in_f("struct s { int i; }; return sizeof(struct s);"), &["return 4"]);
        has(&in_f("struct s *p; return sizeof *p;"), &["return 1"]);
        // Alone, it declares a new type.
        has(
            &in_f(
                "struct s; struct t { struct s *p; }; struct s { int a[3]; }; struct t *p; return sizeof *p->p;",
            ),
            &["return 12"],
        );
        has(&in_f("{ struct s { int i; }; } return sizeof(struct s);"), &["return 1"]);
        // Tags and names live apart.
        has(&in_f("int s = 3; struct s x; return s + sizeof x;"), &["s.0 = 3"]);
        assert_eq!(
            error("struct s { int a; }; struct s { int b; };"),
            "1:22: `s` is defined twice"
        );
        assert_eq!(error("struct s { int a; }; union s x;"), "1:22: `s` is another kind of type");
        assert_eq!(error("enum s { A }; struct s x;"), "1:15: `s` is another kind of type");
    }

    #[test]
    fn a_block_declares_a_name_once() {
        assert_eq!(error("void f(void) { int x; int x; }"), "1:27: `x` is declared twice");
        assert_eq!(
            error("void f(void) { int x; { int x; } char *x; }"),
            "1:39: `x` is declared twice"
        );
        assert_eq!(error("void f(void) { int x; static int x; }"), "1:34: `x` is declared twice");
        program("void f(void) { int x; { int x; } { int x; } } typedef int t; typedef int t;");
    }
}
