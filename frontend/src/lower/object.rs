//! Objects of static storage duration: linkage, tentative definitions, types completed later.

use super::decl::Specifiers;
use super::declarator::Declared;
use super::scope::Symbol;
use super::{Result, Unit};
use ir::types::{Scalar, Type, TypeId};
use ir::{Object, ObjectId, ObjectKind, Span};
use lang_c::ast;
use lang_c::span::Node;

impl Unit<'_> {
    pub fn static_object(
        &mut self,
        name: &str,
        declared: Declared,
        specifiers: &Specifiers,
        initializer: Option<&Node<ast::Initializer>>,
    ) -> Result<()> {
        if self.is_variable_array(declared.ty) {
            return Err(self.error(format!("the size of `{name}` is not a constant")));
        }
        let span = self.at;
        let is_extern = matches!(specifiers.storage, Some(ast::StorageClassSpecifier::Extern));
        let is_static = matches!(specifiers.storage, Some(ast::StorageClassSpecifier::Static));
        let defines = !is_extern || initializer.is_some();
        let external_linkage = is_extern || (self.at_file_scope() && !is_static);
        self.check_object(name, declared.ty, external_linkage)?;
        let object = match self.known_object(name, external_linkage) {
            Some(object) => {
                let before = self.link.objects[object.index()].kind == ObjectKind::ThreadLocal;
                if before != specifiers.thread_local {
                    let text = format!("`{name}` is declared with and without `_Thread_local`");
                    return Err(self.error(text));
                }
                object
            }
            None => self.new_object(name, &declared, external_linkage, span),
        };
        let is_defined = self.link.objects[object.index()].kind != ObjectKind::External;
        if specifiers.thread_local {
            self.link.objects[object.index()].kind = ObjectKind::ThreadLocal;
        } else if defines && self.link.objects[object.index()].kind == ObjectKind::External {
            self.link.objects[object.index()].kind = ObjectKind::Global;
            self.link.objects[object.index()].span = span;
        }
        self.note_binding(name, &declared.attributes);
        let ty = self.merge_object_type(object, declared.ty);
        let entry = &mut self.link.objects[object.index()];
        if entry.kind == ObjectKind::Global && self.link.types.is_constant(ty) {
            // In memory that cannot be written to.
            entry.kind = ObjectKind::Constant;
        }
        self.bind(name, Symbol::Object { object });
        let counts = !defines || self.object_counts(object, name, is_defined);
        if let Some(init) = initializer.filter(|_| counts) {
            if !self.link.objects[object.index()].bytes.is_empty() {
                return Err(self.error(format!("`{name}` is initialised twice")));
            }
            self.static_initializer(object, ty, init.into())?;
        }
        if self.link.types.size(self.link.objects[object.index()].ty).is_none() {
            if !self.at_file_scope() && !is_extern {
                return Err(self.error(format!("`{name}` has an incomplete type")));
            }
            self.incomplete.push((object, self.at));
        }
        Ok(())
    }

    /// What this scope already says about the name must go with an object of type `ty`.
    fn check_object(&self, name: &str, ty: TypeId, external_linkage: bool) -> Result<()> {
        let object = match self.scopes.last().and_then(|s| s.names.get(name)) {
            None if external_linkage => return self.check_other_units(name, ty),
            None => return Ok(()),
            Some(Symbol::Object { object }) if external_linkage || self.at_file_scope() => *object,
            Some(_) => return self.check_redefinition(name),
        };
        let known = self.link.objects[object.index()].ty;
        let open = |ty| self.link.types.size(ty).is_none();
        if self.link.types.alike(known, ty) || open(known) || open(ty) {
            return Ok(());
        }
        let (old, new) = (self.link.types.name(known), self.link.types.name(ty));
        Err(self.error(format!("`{name}` is declared as `{old}` and as `{new}`")))
    }

    /// Types of several units that differ are undefined (C11 6.2.7p2), which is told where one of them has more bytes than
    /// the object, or only one is a floating number; else the bytes are read as each unit has it.
    fn check_other_units(&self, name: &str, ty: TypeId) -> Result<()> {
        let Some(object) = self.link.extern_objects.get(self.linked_object(name)) else {
            return Ok(());
        };
        let known = self.link.objects[object.index()].ty;
        let sizes = self.link.types.size(known).zip(self.link.types.size(ty));
        let float = |ty| self.link.types.scalar(ty).is_some_and(Scalar::is_float);
        // An array of any size and a pointer, say.
        let array = |ty| matches!(self.link.types.get(ty), Type::Array { .. });
        let fits = match sizes {
            Some((old, new)) => old == new && float(known) == float(ty),
            None => array(known) == array(ty),
        };
        if fits {
            return Ok(());
        }
        let (old, new) = (self.link.types.name(known), self.link.types.name(ty));
        Err(self.error(format!("`{name}` is declared as `{old}` elsewhere, and as `{new}`")))
    }

    fn known_object(&self, name: &str, external_linkage: bool) -> Option<ObjectId> {
        let own = match self.scopes.last().and_then(|s| s.names.get(name)) {
            Some(Symbol::Object { object }) => Some(*object),
            _ => None,
        };
        let file = match self.scopes[0].names.get(name) {
            Some(Symbol::Object { object }) if external_linkage => Some(*object),
            _ => None,
        };
        let linked = self.link.extern_objects.get(self.linked_object(name)).copied();
        let linked = linked.filter(|_| external_linkage);
        own.or(file).or(linked)
    }

    fn new_object(
        &mut self,
        name: &str,
        declared: &Declared,
        external_linkage: bool,
        span: Span,
    ) -> ObjectId {
        let shown = if self.at_file_scope() {
            self.linked_object(name).to_owned()
        } else {
            format!("{}::{name}", self.f.name)
        };
        let object = self.link.add_object(Object {
            name: shown,
            ty: declared.ty,
            size: self.link.types.size(declared.ty).unwrap_or(0),
            align: self
                .link
                .types
                .align(declared.ty)
                .max(declared.attributes.alignment().unwrap_or(1)),
            span,
            kind: if external_linkage { ObjectKind::External } else { ObjectKind::Global },
            bytes: Vec::new(),
            relocations: Vec::new(),
        });
        if external_linkage {
            let linked = self.linked_object(name).to_owned();
            self.link.extern_objects.insert(linked, object);
        }
        object
    }

    /// A redeclaration may complete an array type.
    pub(crate) fn merge_object_type(&mut self, object: ObjectId, ty: TypeId) -> TypeId {
        let known = self.link.objects[object.index()].ty;
        let ty = if self.link.types.size(ty).is_some() { ty } else { known };
        let size = self.link.types.size(ty).unwrap_or(0);
        let align = self.link.types.align(ty);
        let entry = &mut self.link.objects[object.index()];
        entry.ty = ty;
        entry.size = entry.size.max(size);
        entry.align = entry.align.max(align);
        ty
    }

    /// At the end of the unit: types that were completed since, and `int a[];`, which alone means
    /// one element.
    pub(crate) fn complete_objects(&mut self) -> Result<()> {
        for (object, span) in std::mem::take(&mut self.incomplete) {
            let entry = &self.link.objects[object.index()];
            let (mut ty, defined) = (entry.ty, entry.kind != ObjectKind::External);
            if let (Type::Array { elem, len: None }, true) = (self.link.types.get(ty), defined) {
                let one = Type::Array { elem: *elem, len: Some(1) };
                ty = self.link.types.intern(one);
            }
            if self.link.types.size(ty).is_none() && defined {
                let name = &self.link.objects[object.index()].name;
                return Err(self.error_at(span, format!("`{name}` has an incomplete type")));
            }
            self.merge_object_type(object, ty);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{LP64, error, function, has, kind, object, program, try_units};
    use ir::ObjectKind;

    #[test]
    fn tentative_definitions_become_one_object() {
        let p =
            program("int x; int x; int x = 3; int x; int a[]; extern int a[]; int b[]; int b[2];");
        assert_eq!(object(&p, "x"), "global int, 4 bytes = [03]");
        assert_eq!(object(&p, "a"), "global int [1], 4 bytes = zero");
        assert_eq!(object(&p, "b"), "global int [2], 8 bytes = zero");
        assert_eq!(p.objects.len(), 3);
        assert_eq!(error("int x = 1; int x = 2;"), "1:16: `x` is initialised twice");
        assert_eq!(error("int x; long x;"), "1:13: `x` is declared as `int` and as `long`");
        assert_eq!(error("int g(void) { return 0; } int g;"), "1:31: `g` is declared twice");
    }

    #[test]
    fn static_locals_are_apart() {
        let text = "int f(void) { static int n = 1; { static int n = 2; n++; } return n; } int g(void) { static int n; return n; }";
        let p = program(text);
        assert_eq!(p.objects.len(), 3);
        assert_eq!(p.objects[0].name, "f::n");
        assert_eq!((p.objects[0].bytes[0], p.objects[1].bytes[0]), (1, 2));
        assert_eq!(
            error("void f(int n) { static int x = n; }"),
            "1:32: this initialiser is not a constant"
        );
    }

    #[test]
    fn extern_in_a_block_means_the_global() {
        let p = program("int f(void) { int x = 1; { extern int x; return x; } } int x = 7;");
        assert_eq!(p.objects.len(), 1);
        has(&function(&p, "f"), &["load i32 @"]);
        assert_eq!(p.objects[0].bytes, [7, 0, 0, 0]);
        let p = program("static int x = 3; int f(void) { extern int x; return x; }");
        assert_eq!(p.objects.len(), 1);
        let p = program("extern int y; int f(void) { return y; }");
        assert_eq!(kind(&p, "y"), Some(ObjectKind::External));
    }

    #[test]
    fn thread_local_objects() {
        let p = program(
            "__thread int a = 1; _Thread_local int b; extern __thread int c; __thread int c; int f(void) { static __thread int d; return d; }",
        );
        for name in ["a", "b", "c", "f::d"] {
            assert_eq!(kind(&p, name), Some(ObjectKind::ThreadLocal), "{name}");
        }
    }

    /// Each thread has one, or all have the same (C11 6.7.1p3).
    #[test]
    fn all_declarations_say_whether_it_is_thread_local() {
        let both = "`x` is declared with and without `_Thread_local`";
        for text in ["extern int x; __thread int x;", "_Thread_local int x; extern int x;"] {
            assert!(error(text).ends_with(both), "{text}: {}", error(text));
        }
        program(
            "static __thread int x; static __thread int x; int f(void) { int x = 1; return x; }",
        );
    }

    /// Not a matter of sizes where one of them has none.
    #[test]
    fn an_array_in_one_unit_is_no_pointer_in_another() {
        let asks = |declared: &str, defined: &str| {
            try_units(LP64, &[&format!("{declared} int main(void) {{ return s[0]; }}"), defined])
        };
        assert!(asks("extern char *s;", "char s[] = \"x\";").is_err());
        assert!(asks("extern char s[];", "char *s = \"x\";").is_err());
        assert!(asks("extern char s[];", "char s[] = \"x\";").is_ok());
        assert!(asks("extern const char s[];", "const char s[] = \"x\";").is_ok());
        assert!(asks("extern const char s[2];", "const char s[] = \"x\";").is_ok());
    }

    #[test]
    fn incomplete_objects() {
        assert_eq!(
            error("struct s x; void f(void) { struct s y; }"),
            "1:37: `y` has an incomplete type"
        );
        assert_eq!(error("void f(void) { void x; }"), "1:21: `x` has an incomplete type");
        assert_eq!(error("void f(void) { int a[]; }"), "1:20: `a` has an incomplete type");
        assert_eq!(error("struct s x;"), "1:10: `x` has an incomplete type");
        let p =
            program("struct s x; struct s { int a; }; extern struct t y; struct t { int a[2]; };");
        assert_eq!((p.objects[0].size, p.objects[1].size), (4, 8));
    }
}
