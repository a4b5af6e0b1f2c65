//! Declarations: specifiers to types, and what a name then means. (Declarators: `declarator.rs`.)

use super::attribute::Attributes;
use super::declarator::Declared;
use super::scope::Symbol;
use super::{Hint, Result, Unit, Value};
use ir::Operand;
use ir::types::{Qualifiers, Rank, Type, TypeId};
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

/// How often each word occurred in a list of type specifiers.
#[derive(Default)]
struct SpecifierCounts {
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
            if let Type::Record(r) = *self.link.types.get(declared.ty) {
                self.link.types.record_mut(r).alias.get_or_insert_with(|| name.clone());
            }
            self.bind(&name, Symbol::Typedef(ty));
            return Ok(());
        }
        if matches!(self.link.types.get(declared.ty), Type::Function(_)) {
            let body = item.node.initializer.as_ref().and_then(nested_body);
            let automatic = matches!(specifiers.storage, Some(S::Auto));
            if !self.at_file_scope() && (body.is_some() || automatic) {
                return self.nested_function(&name, declared.ty, &item.node.declarator, body);
            }
            self.function_declaration(&name, declared.ty, specifiers)?;
            self.note_constructor(&name, &declared.attributes);
            self.note_binding(&name, &declared.attributes);
            return Ok(());
        }
        if declared.attributes.constexpr && !specifiers.thread_local {
            let storage = Some(S::Static);
            let specifiers = Specifiers { storage, ..specifiers.clone() };
            self.static_object(&name, declared, &specifiers, item.node.initializer.as_ref())?;
            self.know_value(&name);
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

    /// Of a `constexpr` that is a number: it counts as a constant wherever one is needed.
    fn know_value(&mut self, name: &str) {
        let Some(&Symbol::Object { object }) = self.lookup(name) else { return };
        let entry = &mut self.link.objects[object.index()];
        entry.kind = ir::ObjectKind::Constant;
        let (ty, known) = (entry.ty, entry.relocations.is_empty());
        let mut bytes = [0; 8];
        for (byte, value) in bytes.iter_mut().zip(&entry.bytes) {
            *byte = *value;
        }
        if known && self.link.types.scalar(ty).is_some() {
            let bits = u64::from_le_bytes(bytes);
            self.bind(name, Symbol::Constexpr { object, bits, ty });
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

    pub(crate) fn specifiers(
        &mut self,
        list: &[Node<ast::DeclarationSpecifier>],
        span: Bytes,
    ) -> Result<Specifiers> {
        let mut words = SpecifierCounts::default();
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
            if defines_record(&item.node) {
                // And not also of what is declared with it.
                (attributes.packed, attributes.align) = (false, None);
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
                    attributes.alignas = attributes.alignas.max(align);
                }
                D::Extension(_) => {}
            }
        }
        self.mark(span);
        let auto_type = words.auto_type;
        let ty = self.base_type(words)?;
        Ok(Specifiers { ty, storage, thread_local, inline, attributes, auto_type })
    }

    pub(crate) fn specifier_qualifiers(
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
        let align = match node {
            ast::AlignmentSpecifier::Type(t) => self.align_of_type(t)?,
            ast::AlignmentSpecifier::Constant(e) => self.constant_u64(e)?,
        };
        self.checked_alignment(align)
    }

    fn type_specifier(
        &mut self,
        node: &Node<ast::TypeSpecifier>,
        attributes: Attributes,
        words: &mut SpecifierCounts,
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
            T::TypedefName(id) => self.typedef_name(id, &attributes, words)?,
            T::TypeOf(of) => {
                match &of.node {
                    // The parser takes a lone name for an expression.
                    ast::TypeOf::Expression(e) => match self.named_type(e) {
                        Some(id) => self.typedef_name(id, &attributes, words)?,
                        None => words.other = Some(self.evaluated_type(e)?),
                    },
                    ast::TypeOf::Type(t) => words.other = Some(self.type_name(t)?),
                }
            }
            T::TS18661Float(f) => match self.sized_float(f) {
                Type::Float => words.float += 1,
                Type::Double => words.double += 1,
                other => words.other = Some(self.link.types.intern(other)),
            },
        }
        Ok(())
    }

    /// `_Float64`, `_Float32x`, `_Decimal64` and their kin, as gcc has them on x86.
    pub(crate) fn sized_float(&self, f: &ast::TS18661FloatType) -> Type {
        use ast::TS18661FloatFormat as F;
        let opaque = |name, size| Type::Opaque { name, size, align: size };
        match (&f.format, f.width) {
            (F::BinaryInterchange, 32) => Type::Float,
            (F::BinaryInterchange, 64) | (F::BinaryExtended, 32) => Type::Double,
            (F::BinaryExtended, 64) => Type::LongDouble,
            (F::BinaryInterchange, 16) => opaque("_Float16", 2),
            (F::DecimalInterchange, 32) => opaque("_Decimal32", 4),
            (F::DecimalInterchange, 64) => opaque("_Decimal64", 8),
            (F::DecimalInterchange, _) => opaque("_Decimal128", 16),
            _ => opaque("_Float128", 16),
        }
    }

    fn named_type<'n>(&self, e: &'n Node<ast::Expression>) -> Option<&'n Node<ast::Identifier>> {
        match &e.node {
            ast::Expression::Identifier(id) => {
                let typedef = matches!(self.lookup(&id.node.name), Some(Symbol::Typedef(_)));
                let ours = id.node.name.starts_with("__obmc_");
                (typedef || ours).then_some(&**id)
            }
            _ => None,
        }
    }

    fn typedef_name(
        &mut self,
        id: &Node<ast::Identifier>,
        attributes: &Attributes,
        words: &mut SpecifierCounts,
    ) -> Result<()> {
        let int128 = |signed| Type::Int { rank: Rank::Int128, signed };
        let ty = match id.node.name.as_str() {
            "__obmc_auto" => {
                words.auto_type = true;
                Type::Int { rank: Rank::Int, signed: true }
            }
            "__obmc_bitint" => {
                words.other = Some(self.bit_int_type(attributes.bits.unwrap_or(64)));
                return Ok(());
            }
            "__obmc_float128" => Type::Opaque { name: "_Float128", size: 16, align: 16 },
            "__obmc_int128" => int128(true),
            "__obmc_uint128" => int128(false),
            "__builtin_va_list" => {
                words.other = Some(self.va_list_type());
                return Ok(());
            }
            name => {
                let Some(&Symbol::Typedef(ty)) = self.lookup(name) else {
                    self.mark(id.span);
                    return Err(self.error(format!("`{name}` is not a type")));
                };
                words.other = Some(ty);
                return Ok(());
            }
        };
        words.other = Some(self.link.types.intern(ty));
        Ok(())
    }

    fn base_type(&mut self, words: SpecifierCounts) -> Result<TypeId> {
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
                (0, 0, 1, 0, 0) if words.signed > 0 => int(Rank::SignedChar),
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

    pub(crate) fn atomic_type(&mut self, ty: TypeId) -> TypeId {
        match self.link.types.get(ty) {
            Type::Atomic(_) => ty,
            _ => self.link.types.intern(Type::Atomic(ty.bare())),
        }
    }

    pub fn type_name(&mut self, node: &Node<ast::TypeName>) -> Result<TypeId> {
        let base = self.specifier_qualifiers(&node.node.specifiers, node.span)?;
        let ty = self.shaped(base.ty, &base.attributes);
        match &node.node.declarator {
            None => Ok(ty),
            Some(declarator) => {
                let declared = self.declarator(declarator, ty)?;
                Ok(self.shaped(declared.ty, &declared.attributes))
            }
        }
    }

    /// `_Alignof(T)`; of GNU's `__alignof__ e` the normaliser makes `_Alignof(__typeof(e))`.
    pub(crate) fn align_of_type(&mut self, node: &Node<ast::TypeName>) -> Result<u64> {
        use ast::{SpecifierQualifier as Q, TypeSpecifier as T};
        if let ([Node { node: Q::TypeSpecifier(specifier), .. }], None) =
            (&node.node.specifiers[..], &node.node.declarator)
            && let T::TypeOf(of) = &specifier.node
        {
            match &of.node {
                ast::TypeOf::Type(inner) => return self.align_of_type(inner),
                ast::TypeOf::Expression(e) if self.named_type(e).is_none() => {
                    return self.align_of_value(e);
                }
                ast::TypeOf::Expression(_) => {}
            }
        }
        let ty = self.aside(|unit| unit.type_name(node))?;
        Ok(self.link.types.align(ty))
    }

    /// Of a variable or member as it is declared, else of the type.
    fn align_of_value(&mut self, node: &Node<ast::Expression>) -> Result<u64> {
        let declared = match &node.node {
            ast::Expression::Identifier(id) => match self.lookup(&id.node.name) {
                Some(Symbol::Function { .. }) => {
                    let text = "functions are aligned to 1 byte, where that is asked";
                    self.link.ignored.push((text.into(), self.at));
                    None
                }
                Some(Symbol::Object { object } | Symbol::Constexpr { object, .. }) => {
                    Some(self.link.objects[object.index()].align)
                }
                Some(Symbol::Slot { slot, .. }) => self.f.slots.get(slot.index()).map(|s| s.align),
                _ => None,
            },
            ast::Expression::Member(member) => self.align_of_member(&member.node)?,
            _ => None,
        };
        let ty = self.type_of(node)?;
        Ok(declared.unwrap_or_else(|| self.link.types.align(ty)))
    }

    fn align_of_member(&mut self, member: &ast::MemberExpression) -> Result<Option<u64>> {
        let record = self.type_of(&member.expression)?;
        let record = self.pointee(record).unwrap_or(record);
        match *self.link.types.get(self.link.types.strip_atomic(record)) {
            Type::Record(record) => Ok(self.field_align(record, &member.identifier.node.name)),
            _ => Ok(None),
        }
    }

    pub(crate) fn static_assert(&mut self, node: &Node<ast::StaticAssert>) -> Result<()> {
        if self.constant_int(&node.node.expression)? == 0 {
            self.mark(node.span);
            let text = node.node.message.node.concat();
            return Err(self.error(format!("static assertion failed: {text}")));
        }
        Ok(())
    }

    pub(crate) fn operand_of(&self, value: Value) -> Option<Operand> {
        match value {
            Value::Scalar { op, .. } => Some(op),
            _ => None,
        }
    }
}

/// `struct { ... }`, in a declaration.
fn defines_record(specifier: &ast::DeclarationSpecifier) -> bool {
    use ast::{DeclarationSpecifier, TypeSpecifier};
    let DeclarationSpecifier::TypeSpecifier(ty) = specifier else { return false };
    matches!(&ty.node, TypeSpecifier::Struct(s) if s.node.declarations.is_some())
}

pub fn qualifier(node: &ast::TypeQualifier) -> Qualifiers {
    match node {
        ast::TypeQualifier::Const => Qualifiers::CONST,
        ast::TypeQualifier::Volatile => Qualifiers::VOLATILE,
        ast::TypeQualifier::Restrict => Qualifiers::RESTRICT,
        _ => Qualifiers::default(),
    }
}

/// Of a function inside of another one: the parser hands it over as if it were a value.
fn nested_body(init: &Node<ast::Initializer>) -> Option<&Node<ast::Statement>> {
    match &init.node {
        ast::Initializer::Expression(e) => match &e.node {
            ast::Expression::Statement(body) => Some(body),
            _ => None,
        },
        ast::Initializer::List(_) => None,
    }
}

pub(super) fn complex_type(part: &Type) -> Type {
    match part {
        Type::LongDouble => Type::Opaque { name: "long double _Complex", size: 32, align: 16 },
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
mod tests;
