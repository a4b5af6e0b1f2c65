//! Declarations: specifiers and declarators to types, and what a name then means.

use super::attribute::Attributes;
use super::scan::declared_name;
use super::scope::Symbol;
use super::{Hint, Result, Unit, Value};
use crate::ir::Operand;
use crate::types::{FunctionType, Qualifiers, Rank, Type, TypeId};
use lang_c::ast;
use lang_c::span::{Node, Span as Bytes};

/// The specifiers of a declaration, understood.
#[derive(Clone, Debug)]
pub(crate) struct Specifiers {
    pub ty: TypeId,
    pub storage: Option<ast::StorageClassSpecifier>,
    pub thread_local: bool,
    pub inline: bool,
    pub attributes: Attributes,
    /// `__auto_type`: the initialiser gives the type.
    pub auto_type: bool,
}

/// A declarator, understood.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub name: Option<String>,
    pub ty: TypeId,
    pub attributes: Attributes,
    /// Number of elements if this is a variable-length array.
    pub vla: Option<Operand>,
}

/// How often each word occurred in a list of type specifiers.
#[derive(Default)]
struct Words {
    char: u8,
    short: u8,
    int: u8,
    long: u8,
    signed: u8,
    unsigned: u8,
    float: u8,
    double: u8,
    complex: u8,
    other: Option<TypeId>,
    atomic: bool,
    qualifiers: Qualifiers,
    auto_type: bool,
}

impl Unit<'_> {
    pub fn declaration(&mut self, node: &Node<ast::Declaration>) -> Result<()> {
        self.mark(node.span);
        if node.node.declarators.is_empty() {
            self.declare_tag(&node.node.specifiers)?;
        }
        let specifiers = self.specifiers(&node.node.specifiers, node.span)?;
        for item in &node.node.declarators {
            self.init_declarator(&specifiers, item)?;
        }
        Ok(())
    }

    fn init_declarator(
        &mut self,
        specifiers: &Specifiers,
        item: &Node<ast::InitDeclarator>,
    ) -> Result<()> {
        let span = self.mark(item.span);
        let mut base = specifiers.ty;
        if specifiers.auto_type {
            base = self.auto_type(item)?;
        }
        let mut declared = self.declarator(&item.node.declarator, base)?;
        declared.attributes = declared.attributes.and(specifiers.attributes.clone());
        declared.ty = self.shaped(declared.ty, &declared.attributes);
        self.at = span;
        let Some(name) = declared.name.clone() else {
            return Err(self.error("this declares nothing"));
        };
        use ast::StorageClassSpecifier as S;
        if matches!(specifiers.storage, Some(S::Typedef)) {
            let ty = self.typedef_type(&declared);
            self.bind(&name, Symbol::Typedef(ty));
            return Ok(());
        }
        if matches!(self.link.types.get(declared.ty), Type::Function(_)) {
            self.function_declaration(&name, declared.ty, specifiers)?;
            self.note_constructor(&name, &declared.attributes);
            self.note_binding(&name, &declared.attributes);
            return Ok(());
        }
        let is_static = matches!(specifiers.storage, Some(S::Static));
        let is_extern = matches!(specifiers.storage, Some(S::Extern));
        if self.at_file_scope() || is_static || is_extern {
            self.static_object(&name, declared, specifiers, item.node.initializer.as_ref())
        } else {
            self.local(&name, declared, item.node.initializer.as_ref())
        }
    }

    /// The alignment of a typedef is its own; a transparent union may be made by naming it.
    fn typedef_type(&mut self, declared: &Declared) -> TypeId {
        if let (true, Type::Record(r)) =
            (declared.attributes.transparent, self.link.types.get(declared.ty))
        {
            let r = *r;
            self.link.types.record_mut(r).transparent = true;
        }
        match declared.attributes.align {
            Some(align) if align != self.link.types.align(declared.ty) => {
                self.link.types.aligned(declared.ty, align)
            }
            _ => declared.ty,
        }
    }

    fn auto_type(&mut self, item: &Node<ast::InitDeclarator>) -> Result<TypeId> {
        match &item.node.initializer {
            Some(Node { node: ast::Initializer::Expression(e), .. }) => {
                let ty = self.type_of(e)?;
                Ok(self.link.types.strip_atomic(ty))
            }
            _ => Err(self.error("`__auto_type` needs an initialiser")),
        }
    }

    fn function_declaration(&mut self, name: &str, ty: TypeId, s: &Specifiers) -> Result<()> {
        let is_static = matches!(s.storage, Some(ast::StorageClassSpecifier::Static));
        let known = match self.scopes[0].names.get(name) {
            Some(Symbol::Function { ty, is_static }) => Some((*ty, *is_static)),
            _ => None,
        };
        let is_static = is_static || known.is_some_and(|k| k.1);
        // `int f();` after a full prototype says nothing new.
        let ty = match (known, self.link.types.get(ty)) {
            (Some((old, _)), Type::Function(f)) if !f.prototyped => old,
            _ => ty,
        };
        self.bind_global(name, Symbol::Function { ty, is_static });
        self.bind(name, Symbol::Function { ty, is_static });
        Ok(())
    }

    pub fn specifiers(
        &mut self,
        list: &[Node<ast::DeclarationSpecifier>],
        span: Bytes,
    ) -> Result<Specifiers> {
        let mut words = Words::default();
        let mut storage = None;
        let mut thread_local = false;
        let mut inline = false;
        let mut attributes = Attributes::default();
        // Behind the type, they are the type's.
        let mut behind = Vec::new();
        for item in list.iter().rev() {
            behind.push(attributes.clone());
            if let ast::DeclarationSpecifier::Extension(e) = &item.node {
                attributes = self.attributes(e)?.and(attributes);
            }
        }
        for (item, behind) in list.iter().zip(behind.into_iter().rev()) {
            use ast::DeclarationSpecifier as D;
            match &item.node {
                D::StorageClass(s) if s.node == ast::StorageClassSpecifier::ThreadLocal => {
                    thread_local = true;
                }
                D::StorageClass(s) => storage = Some(s.node.clone()),
                D::TypeSpecifier(t) => self.type_specifier(t, behind, &mut words)?,
                D::TypeQualifier(q) => {
                    words.atomic |= q.node == ast::TypeQualifier::Atomic;
                    words.qualifiers = words.qualifiers.and(qualifier(&q.node));
                }
                D::Function(f) => {
                    inline |= f.node == ast::FunctionSpecifier::Inline;
                    attributes.noreturn |= f.node == ast::FunctionSpecifier::Noreturn;
                }
                D::Alignment(a) => {
                    let align = self.alignment(&a.node)?;
                    attributes.align = attributes.align.max(align);
                }
                D::Extension(_) => {}
            }
        }
        self.mark(span);
        let auto_type = words.auto_type;
        let ty = self.base_type(words)?;
        Ok(Specifiers { ty, storage, thread_local, inline, attributes, auto_type })
    }

    pub fn specifier_qualifiers(
        &mut self,
        list: &[Node<ast::SpecifierQualifier>],
        span: Bytes,
    ) -> Result<Specifiers> {
        use ast::{DeclarationSpecifier as D, SpecifierQualifier as Q};
        let lift = |item: &Node<Q>| {
            let node = match item.node.clone() {
                Q::TypeSpecifier(t) => D::TypeSpecifier(t),
                Q::TypeQualifier(q) => D::TypeQualifier(q),
                Q::Extension(e) => D::Extension(e),
            };
            Node::new(node, item.span)
        };
        let lifted: Vec<_> = list.iter().map(lift).collect();
        self.specifiers(&lifted, span)
    }

    fn alignment(&mut self, node: &ast::AlignmentSpecifier) -> Result<Option<u64>> {
        Ok(Some(match node {
            ast::AlignmentSpecifier::Type(t) => {
                let ty = self.type_name(t)?;
                self.link.types.align(ty)
            }
            ast::AlignmentSpecifier::Constant(e) => self.constant_u64(e)?,
        }))
    }

    fn type_specifier(
        &mut self,
        node: &Node<ast::TypeSpecifier>,
        attributes: Attributes,
        words: &mut Words,
    ) -> Result<()> {
        use ast::TypeSpecifier as T;
        match &node.node {
            T::Char => words.char += 1,
            T::Short => words.short += 1,
            T::Int => words.int += 1,
            T::Long => words.long += 1,
            T::Signed => words.signed += 1,
            T::Unsigned => words.unsigned += 1,
            T::Float => words.float += 1,
            T::Double => words.double += 1,
            T::Complex => words.complex += 1,
            T::Void => words.other = Some(self.link.types.intern(Type::Void)),
            T::Bool => words.other = Some(self.link.types.intern(Type::Bool)),
            T::Atomic(inner) => {
                words.other = Some(self.type_name(inner)?);
                words.atomic = true;
            }
            T::Struct(s) => words.other = Some(self.record_type(s, attributes)?),
            T::Enum(e) => words.other = Some(self.enum_type(e, &attributes)?),
            T::TypedefName(id) => self.typedef_name(id, words)?,
            T::TypeOf(of) => {
                words.other = Some(match &of.node {
                    ast::TypeOf::Expression(e) => self.type_of(e)?,
                    ast::TypeOf::Type(t) => self.type_name(t)?,
                });
            }
            T::TS18661Float(f) => match f.width {
                32 => words.float += 1,
                64 => words.double += 1,
                _ => words.other = Some(self.link.types.intern(Type::LongDouble)),
            },
        }
        Ok(())
    }

    fn typedef_name(&mut self, id: &Node<ast::Identifier>, words: &mut Words) -> Result<()> {
        let int128 = |signed| Type::Int { rank: Rank::Int128, signed };
        let ty = match id.node.name.as_str() {
            "__obmc_auto" => {
                words.auto_type = true;
                Type::Int { rank: Rank::Int, signed: true }
            }
            "__obmc_float128" => Type::Opaque { name: "_Float128", size: 16, align: 16 },
            "__obmc_int128" => int128(true),
            "__obmc_uint128" => int128(false),
            "__builtin_va_list" => {
                words.other = Some(self.va_list_type());
                return Ok(());
            }
            name => {
                let Some(Symbol::Typedef(ty)) = self.lookup(name) else {
                    self.mark(id.span);
                    return Err(self.error(format!("`{name}` is not a type")));
                };
                words.other = Some(*ty);
                return Ok(());
            }
        };
        words.other = Some(self.link.types.intern(ty));
        Ok(())
    }

    fn base_type(&mut self, words: Words) -> Result<TypeId> {
        let signed = words.unsigned == 0;
        let int = |rank| Type::Int { rank, signed };
        let basic = words.char
            + words.short
            + words.int
            + words.long
            + words.signed
            + words.unsigned
            + words.float
            + words.double;
        if words.other.is_some() && basic > 0 {
            return Err(self
                .error("two types in one declaration")
                .hint("is a `;` missing before?"));
        }
        let ty = if let Some(ty) = words.other {
            ty
        } else {
            let ty = match (words.float, words.double, words.char, words.short, words.long) {
                (1, 0, 0, 0, 0) => Type::Float,
                (0, 1, 0, 0, 0) => Type::Double,
                (0, 1, 0, 0, 1) => Type::LongDouble,
                (0, 0, 1, 0, 0) => int(Rank::Char),
                (0, 0, 0, 1, 0) => int(Rank::Short),
                (0, 0, 0, 0, 0) => int(Rank::Int),
                (0, 0, 0, 0, 1) => int(Rank::Long),
                (0, 0, 0, 0, 2) => int(Rank::LongLong),
                _ => return Err(self.error("these type specifiers do not go together")),
            };
            let ty = if words.complex > 0 { complex_type(&ty) } else { ty };
            self.link.types.intern(ty)
        };
        let ty = if words.atomic { self.atomic_type(ty) } else { ty };
        Ok(self.link.types.qualified(ty, words.qualifiers))
    }

    fn atomic_type(&mut self, ty: TypeId) -> TypeId {
        match self.link.types.get(ty) {
            Type::Atomic(_) => ty,
            _ => self.link.types.intern(Type::Atomic(ty.bare())),
        }
    }

    pub fn type_name(&mut self, node: &Node<ast::TypeName>) -> Result<TypeId> {
        Ok(self.type_name_declared(node)?.ty)
    }

    pub fn type_name_declared(&mut self, node: &Node<ast::TypeName>) -> Result<Declared> {
        let base = self.specifier_qualifiers(&node.node.specifiers, node.span)?;
        match &node.node.declarator {
            None => {
                let attributes = Attributes::default();
                Ok(Declared { name: None, ty: base.ty, attributes, vla: None })
            }
            Some(declarator) => self.declarator(declarator, base.ty),
        }
    }

    /// Applies a declarator to its base type: pointers first, then suffixes from the right, then
    /// whatever stands in parentheses.
    pub fn declarator(&mut self, node: &Node<ast::Declarator>, base: TypeId) -> Result<Declared> {
        let mut attributes = self.attributes(&node.node.extensions)?;
        let mut ty = base;
        let is_pointer = |d: &&Node<ast::DerivedDeclarator>| {
            matches!(d.node, ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Block(_))
        };
        for derived in node.node.derived.iter().filter(is_pointer) {
            if let ast::DerivedDeclarator::Pointer(qualifiers) = &derived.node {
                ty = self.link.types.intern(Type::Pointer(ty));
                let atomic = |q: &Node<ast::PointerQualifier>| {
                    matches!(&q.node, ast::PointerQualifier::TypeQualifier(t)
                        if t.node == ast::TypeQualifier::Atomic)
                };
                if qualifiers.iter().any(atomic) {
                    ty = self.atomic_type(ty);
                }
                for q in qualifiers {
                    match &q.node {
                        ast::PointerQualifier::TypeQualifier(q) => {
                            ty = self.link.types.qualified(ty, qualifier(&q.node));
                        }
                        ast::PointerQualifier::Extension(e) => {
                            attributes = attributes.and(self.attributes(e)?);
                        }
                    }
                }
            }
        }
        let mut vla = None;
        for derived in node.node.derived.iter().rev().filter(|d| !is_pointer(d)) {
            self.mark(derived.span);
            if vla.is_some() {
                return Err(self.error("this use of a variable-length array is not supported"));
            }
            (ty, vla) = self.suffix(&derived.node, ty)?;
        }
        let name = match &node.node.kind.node {
            ast::DeclaratorKind::Abstract => None,
            ast::DeclaratorKind::Identifier(id) => Some(id.node.name.clone()),
            ast::DeclaratorKind::Declarator(inner) => {
                let mut declared = self.declarator(inner, ty)?;
                declared.attributes = declared.attributes.and(attributes);
                declared.vla = declared.vla.or(vla);
                return Ok(declared);
            }
        };
        Ok(Declared { name, ty, attributes, vla })
    }

    fn suffix(
        &mut self,
        derived: &ast::DerivedDeclarator,
        ty: TypeId,
    ) -> Result<(TypeId, Option<Operand>)> {
        match derived {
            ast::DerivedDeclarator::Array(array) => self.array_suffix(&array.node.size, ty),
            ast::DerivedDeclarator::Function(f) => Ok((self.function_suffix(&f.node, ty)?, None)),
            ast::DerivedDeclarator::KRFunction(_) => {
                let f =
                    FunctionType { ret: ty, params: vec![], variadic: false, prototyped: false };
                Ok((self.link.types.intern(Type::Function(f)), None))
            }
            ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Block(_) => Ok((ty, None)),
        }
    }

    fn array_suffix(
        &mut self,
        size: &ast::ArraySize,
        elem: TypeId,
    ) -> Result<(TypeId, Option<Operand>)> {
        if matches!(self.link.types.get(elem), Type::Function(_)) {
            return Err(self.error("an array of functions"));
        }
        let array = |len| Type::Array { elem, len };
        use ast::ArraySize as S;
        let (S::VariableExpression(e) | S::StaticExpression(e)) = size else {
            return Ok((self.link.types.intern(array(None)), None));
        };
        let at = self.at;
        if let Some(len) = self.try_constant(e)? {
            self.at = at;
            if !(0..=1 << 40).contains(&len) {
                return Err(self.error("the size of this array is out of range"));
            }
            return Ok((self.link.types.intern(array(Some(len as u64))), None));
        }
        self.at = at;
        if self.at_file_scope() {
            return Err(self.error("the size of this array is not a constant"));
        }
        let count = self.expr(e)?;
        let size_type = self.size_type();
        let count = self.convert(count, size_type)?;
        Ok((self.link.types.intern(array(None)), self.operand_of(count)))
    }

    fn function_suffix(&mut self, f: &ast::FunctionDeclarator, ret: TypeId) -> Result<TypeId> {
        let params: Vec<TypeId> = self.parameters(f)?.into_iter().map(|p| p.1.bare()).collect();
        let variadic = f.ellipsis == ast::Ellipsis::Some;
        let prototyped = !f.parameters.is_empty() || variadic;
        let params = match params.as_slice() {
            [only] if *self.link.types.get(*only) == Type::Void => Vec::new(),
            _ => params,
        };
        let ty = FunctionType { ret: ret.bare(), params, variadic, prototyped };
        Ok(self.link.types.intern(Type::Function(ty)))
    }

    /// Names and adjusted types of parameters. In `int n, int a[n]` the first is in scope in the
    /// second, but `a` is a pointer and evaluating `n` would be of no use.
    pub fn parameters(
        &mut self,
        f: &ast::FunctionDeclarator,
    ) -> Result<Vec<(Option<String>, TypeId)>> {
        self.scopes.push(super::Scope::default());
        let params = self.aside(|unit| f.parameters.iter().map(|p| unit.parameter(p)).collect());
        self.scopes.pop();
        params
    }

    fn parameter(
        &mut self,
        node: &Node<ast::ParameterDeclaration>,
    ) -> Result<(Option<String>, TypeId)> {
        let base = self.specifiers(&node.node.specifiers, node.span)?;
        let Some(declarator) = &node.node.declarator else {
            return Ok((None, self.adjust_parameter(base.ty)));
        };
        let declared = self.declarator(declarator, base.ty)?;
        let behind = self.attributes(&node.node.extensions)?;
        let attributes = declared.attributes.and(base.attributes).and(behind);
        let ty = self.adjust_parameter(declared.ty);
        let ty = self.shaped(ty, &attributes);
        let name = declared_name(&declarator.node);
        if let (Some(name), Some(scalar)) = (&name, self.link.types.scalar(ty)) {
            let reg = self.f.temp(scalar, self.at);
            self.bind(name, Symbol::Register { reg, ty });
        }
        Ok((name, ty))
    }

    pub fn adjust_parameter(&mut self, ty: TypeId) -> TypeId {
        match *self.link.types.get(ty) {
            Type::Array { elem, .. } => self.link.types.intern(Type::Pointer(elem)),
            Type::Function(_) => self.link.types.intern(Type::Pointer(ty)),
            _ => ty,
        }
    }

    pub fn static_assert(&mut self, node: &Node<ast::StaticAssert>) -> Result<()> {
        if self.constant_int(&node.node.expression)? == 0 {
            self.mark(node.span);
            let text = node.node.message.node.concat();
            return Err(self.error(format!("static assertion failed: {text}")));
        }
        Ok(())
    }

    pub fn operand_of(&self, value: Value) -> Option<Operand> {
        match value {
            Value::Scalar { op, .. } => Some(op),
            _ => None,
        }
    }
}

fn qualifier(node: &ast::TypeQualifier) -> Qualifiers {
    match node {
        ast::TypeQualifier::Const => Qualifiers::CONST,
        ast::TypeQualifier::Volatile => Qualifiers::VOLATILE,
        ast::TypeQualifier::Restrict => Qualifiers::RESTRICT,
        _ => Qualifiers::default(),
    }
}

fn complex_type(part: &Type) -> Type {
    match part {
        Type::Float => Type::Opaque { name: "float _Complex", size: 8, align: 4 },
        _ => Type::Opaque { name: "double _Complex", size: 16, align: 8 },
    }
}

pub(crate) fn fits(value: i128, bits: u32, signed: bool) -> bool {
    if signed {
        (-(1i128 << (bits - 1))..1i128 << (bits - 1)).contains(&value)
    } else {
        (0..1i128 << bits).contains(&value)
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{error, function, has, ir, program, value};

    #[test]
    fn declarators_read_inside_out() {
        for (declaration, name) in [
            ("int *x[3]", "int * [3]"),
            ("int (*x)[3]", "int [3] *"),
            ("int (*x)(char)", "int (*)(char)"),
            ("int (*x[2])(void)", "int (*)() [2]"),
            ("int *(*x)(int (*)(void))", "int * (*)(int (*)())"),
            ("unsigned long int long x", "unsigned long long"),
            ("long unsigned x", "unsigned long"),
            ("short signed int x", "short"),
            ("const volatile x", "int"),
            ("_Atomic(int) *x", "_Atomic int *"),
            ("int *_Atomic x", "_Atomic int *"),
            ("__typeof__(1L) x", "long"),
            ("typedef short t; __typeof__(t) x", "short"),
            ("typedef int t[3]; int (*x)(t)", "int (*)(int *)"),
        ] {
            let p = program(&format!("{declaration};"));
            assert_eq!(p.types.name(p.objects[0].ty), name, "{declaration}");
        }
        assert_eq!(error("short long x;"), "1:1: these type specifiers do not go together");
    }

    #[test]
    fn parameters_are_adjusted() {
        let p = program("void g(int a[3], int h(char), int n, int b[n]) {} void f(void) {}");
        has(&function(&p, "g"), &["fn g(a.0: ptr, h.1: ptr, n.2: i32, b.3: ptr)"]);
        has(&ir("int f(int n, int a[n][4]) { return sizeof *a; }"), &["return 16"]);
        has(&ir("void g(int n, int a[n]); void f(void) { g(1, 0); }"), &["call g(1, null)"]);
    }

    #[test]
    fn static_assertions() {
        program(
            "_Static_assert(sizeof(int) == 4, \"four\"); struct s { _Static_assert(1, \"\"); int a; };",
        );
        assert_eq!(error("_Static_assert(0, \"no\");"), "1:1: static assertion failed: \"no\"");
        assert_eq!(
            error("void f(int n) { _Static_assert(n, \"\"); }"),
            "1:32: this must be an integer constant"
        );
    }

    #[test]
    fn auto_type_takes_the_value_type() {
        has(&ir("long f(short s) { __auto_type x = s + 1L; return x; }"), &["reg x.1: i64"]);
    }

    #[test]
    fn array_sizes() {
        assert_eq!(value("enum { N = 3 }; int a[N * 2 + sizeof(char)];", "sizeof a"), 28);
        assert_eq!(value("int a[1 ? 2 : -1];", "sizeof a"), 8);
        for (text, message) in [
            ("int a[-1];", "1:6: the size of this array is out of range"),
            ("int n; int a[n];", "1:13: the size of this array is not a constant"),
        ] {
            assert!(error(text).starts_with(message), "{text}: {}", error(text));
        }
    }
}
