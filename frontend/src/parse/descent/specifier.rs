//! What stands before declarators: storage, qualifiers, types.
//!
//! `int`, `unsigned` and their like may come together; any other type stands alone. That tells a
//! type from a declared name: behind a type, the name of a type is just a name.

use super::Parser;
use super::token::Kind;
use lang_c::ast::*;
use lang_c::span::Node;

/// Which types a list of specifiers has so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TypeSoFar {
    Nothing,
    /// `int` and the like: more of them may follow.
    Arithmetic,
    /// One that stands alone.
    Whole,
}

pub(super) struct ParsedSpecifiers {
    pub list: Vec<Node<DeclarationSpecifier>>,
    pub typedef: bool,
}

impl Parser<'_> {
    /// Could the token at distance `n` be the first one of a type name?
    pub(super) fn type_starts(&self, n: usize) -> bool {
        let kind = self.kind_ahead(n);
        match kind {
            Kind::Name => self.names.is_type(self.word_ahead(n)),
            Kind::Atomic | Kind::Attribute => true,
            _ => type_class(kind).is_some() || qualifier(kind).is_some(),
        }
    }

    /// Does a declaration start here? A label can have the name of a type.
    pub(super) fn declaration_starts(&self) -> bool {
        match self.kind() {
            Kind::Typedef | Kind::Inline | Kind::Noreturn | Kind::Alignas => true,
            Kind::Name if self.kind_ahead(1) == Kind::Colon => false,
            kind => storage(kind).is_some() || self.type_starts(0),
        }
    }

    /// With exactly one type.
    pub(super) fn specifiers(&mut self) -> Option<ParsedSpecifiers> {
        let mut list = Vec::with_capacity(2);
        let mut seen = TypeSoFar::Nothing;
        let mut typedef = false;
        loop {
            let start = self.start();
            let specifier = if let Some(class) = storage(self.kind()) {
                DeclarationSpecifier::StorageClass(self.take(class))
            } else if self.kind() == Kind::Typedef {
                if typedef {
                    return None;
                }
                typedef = true;
                DeclarationSpecifier::StorageClass(self.take(StorageClassSpecifier::Typedef))
            } else if let Some(qualifier) = self.qualifier() {
                DeclarationSpecifier::TypeQualifier(qualifier)
            } else if self.kind() == Kind::Inline {
                DeclarationSpecifier::Function(self.take(FunctionSpecifier::Inline))
            } else if self.kind() == Kind::Noreturn {
                DeclarationSpecifier::Function(self.take(FunctionSpecifier::Noreturn))
            } else if self.kind() == Kind::Alignas {
                DeclarationSpecifier::Alignment(self.alignas()?)
            } else if self.kind() == Kind::Attribute {
                DeclarationSpecifier::Extension(self.attribute_specifier()?)
            } else if self.type_follows(seen) {
                DeclarationSpecifier::TypeSpecifier(self.type_specifier(&mut seen)?)
            } else {
                break;
            };
            list.push(self.node(start, specifier));
        }
        (seen != TypeSoFar::Nothing).then_some(ParsedSpecifiers { list, typedef })
    }

    /// The same for type names and members: only types, qualifiers and attributes.
    pub(super) fn specifier_qualifiers(&mut self) -> Option<Vec<Node<SpecifierQualifier>>> {
        let mut list = Vec::with_capacity(1);
        let mut seen = TypeSoFar::Nothing;
        loop {
            let start = self.start();
            let specifier = if let Some(qualifier) = self.qualifier() {
                SpecifierQualifier::TypeQualifier(qualifier)
            } else if self.kind() == Kind::Attribute {
                SpecifierQualifier::Extension(self.attribute_specifier()?)
            } else if self.kind() == Kind::Alignas {
                SpecifierQualifier::Extension(vec![self.alignas_attribute()?])
            } else if self.type_follows(seen) {
                SpecifierQualifier::TypeSpecifier(self.type_specifier(&mut seen)?)
            } else {
                break;
            };
            list.push(self.node(start, specifier));
        }
        (seen != TypeSoFar::Nothing).then_some(list)
    }

    pub(super) fn qualifier(&mut self) -> Option<Node<TypeQualifier>> {
        let found = match self.kind() {
            Kind::Atomic if self.kind_ahead(1) != Kind::Open => TypeQualifier::Atomic,
            kind => qualifier(kind)?,
        };
        Some(self.take(found))
    }

    fn type_follows(&self, seen: TypeSoFar) -> bool {
        let class = match self.kind() {
            Kind::Name if self.names.is_type(self.word()) => Some(TypeSoFar::Whole),
            Kind::Atomic => Some(TypeSoFar::Whole),
            kind => type_class(kind),
        };
        match class {
            Some(TypeSoFar::Whole) => seen == TypeSoFar::Nothing,
            Some(_) => seen != TypeSoFar::Whole,
            None => false,
        }
    }

    fn type_specifier(&mut self, seen: &mut TypeSoFar) -> Option<Node<TypeSpecifier>> {
        let start = self.start();
        *seen = type_class(self.kind()).unwrap_or(TypeSoFar::Whole);
        let simple = match self.kind() {
            Kind::Void => TypeSpecifier::Void,
            Kind::Bool => TypeSpecifier::Bool,
            Kind::CharType => TypeSpecifier::Char,
            Kind::Short => TypeSpecifier::Short,
            Kind::Int => TypeSpecifier::Int,
            Kind::Long => TypeSpecifier::Long,
            Kind::Float => TypeSpecifier::Float,
            Kind::Double => TypeSpecifier::Double,
            Kind::Signed => TypeSpecifier::Signed,
            Kind::Unsigned => TypeSpecifier::Unsigned,
            Kind::Complex => TypeSpecifier::Complex,
            Kind::SizedFloat => TypeSpecifier::TS18661Float(sized_float(self.word())?),
            _ => {
                let specifier = self.structured_type()?;
                return Some(self.node(start, specifier));
            }
        };
        Some(self.take(simple))
    }

    fn structured_type(&mut self) -> Option<TypeSpecifier> {
        match self.kind() {
            Kind::Name => Some(TypeSpecifier::TypedefName(self.identifier()?)),
            Kind::Struct => Some(TypeSpecifier::Struct(self.record(StructKind::Struct)?)),
            Kind::Union => Some(TypeSpecifier::Struct(self.record(StructKind::Union)?)),
            Kind::Enum => Some(TypeSpecifier::Enum(self.enumeration()?)),
            Kind::TypeOf => Some(TypeSpecifier::TypeOf(self.type_of()?)),
            Kind::Atomic => {
                self.advance();
                Some(TypeSpecifier::Atomic(self.type_in_brackets()?))
            }
            _ => None,
        }
    }

    fn record(&mut self, kind: StructKind) -> Option<Node<StructType>> {
        let start = self.start();
        let kind = self.take(kind);
        let identifier = self.identifier();
        if identifier.is_none() && self.kind() != Kind::OpenBrace {
            return None;
        }
        let mut declarations = None;
        if self.eat(Kind::OpenBrace) {
            let mut members = Vec::new();
            while !self.eat(Kind::CloseBrace) {
                members.push(self.member_declaration()?);
            }
            declarations = Some(members);
        }
        Some(self.node(start, StructType { kind, identifier, declarations }))
    }

    fn member_declaration(&mut self) -> Option<Node<StructDeclaration>> {
        let start = self.start();
        if self.kind() == Kind::StaticAssert {
            let assertion = self.static_assert()?;
            return Some(self.node(start, StructDeclaration::StaticAssert(assertion)));
        }
        let specifiers = self.specifier_qualifiers()?;
        let mut declarators = Vec::new();
        if self.kind() != Kind::Semicolon {
            declarators = self.list(Self::member_declarator)?;
        }
        self.expect(Kind::Semicolon)?;
        let field = self.node(start, StructField { specifiers, declarators });
        while self.eat(Kind::Semicolon) {}
        Some(self.node(start, StructDeclaration::Field(field)))
    }

    fn member_declarator(&mut self) -> Option<Node<StructDeclarator>> {
        let start = self.start();
        let mut declarator = None;
        if self.kind() != Kind::Colon {
            declarator = Some(self.declarator()?);
        }
        let mut bit_width = None;
        if self.eat(Kind::Colon) {
            bit_width = Some(Box::new(self.conditional()?));
        }
        let attributes = self.attributes()?;
        if let Some(declarator) = &mut declarator {
            declarator.node.extensions.extend(attributes);
        }
        Some(self.node(start, StructDeclarator { declarator, bit_width }))
    }

    fn enumeration(&mut self) -> Option<Node<EnumType>> {
        let start = self.start();
        self.advance();
        let identifier = self.identifier();
        let mut enumerators = Vec::new();
        if self.eat(Kind::OpenBrace) {
            while !self.eat(Kind::CloseBrace) {
                enumerators.push(self.enumerator()?);
                if !self.eat(Kind::Comma) && self.kind() != Kind::CloseBrace {
                    return None;
                }
            }
            if enumerators.is_empty() {
                return None;
            }
        } else if identifier.is_none() {
            return None;
        }
        Some(self.node(start, EnumType { identifier, enumerators }))
    }

    fn enumerator(&mut self) -> Option<Node<Enumerator>> {
        let start = self.start();
        let name = self.word();
        let identifier = self.identifier()?;
        let extensions = self.attributes()?;
        let mut expression = None;
        if self.eat(Kind::Assign) {
            expression = Some(Box::new(self.conditional()?));
        }
        self.names.declare_other(name);
        Some(self.node(start, Enumerator { identifier, expression, extensions }))
    }

    /// Of a member, for which lang-c's tree has no place: an attribute that the lowering knows.
    fn alignas_attribute(&mut self) -> Option<Node<Extension>> {
        let start = self.start();
        let alignment = self.alignas()?;
        let argument = match alignment.node {
            AlignmentSpecifier::Constant(constant) => *constant,
            AlignmentSpecifier::Type(ty) => {
                let align = self.node(start, AlignOf(Box::new(ty)));
                self.node(start, Expression::AlignOf(Box::new(align)))
            }
        };
        let name = self.node(start, "obmc_alignas".to_owned());
        let attribute = Attribute { name, arguments: vec![argument] };
        Some(self.node(start, Extension::Attribute(attribute)))
    }

    fn alignas(&mut self) -> Option<Node<AlignmentSpecifier>> {
        let start = self.start();
        self.advance();
        let alignment = if self.kind() == Kind::Open && self.type_starts(1) {
            AlignmentSpecifier::Type(self.type_in_brackets()?)
        } else {
            self.expect(Kind::Open)?;
            let constant = self.conditional()?;
            self.expect(Kind::Close)?;
            AlignmentSpecifier::Constant(Box::new(constant))
        };
        Some(self.node(start, alignment))
    }
}

fn storage(kind: Kind) -> Option<StorageClassSpecifier> {
    Some(match kind {
        Kind::Extern => StorageClassSpecifier::Extern,
        Kind::Static => StorageClassSpecifier::Static,
        Kind::ThreadLocal => StorageClassSpecifier::ThreadLocal,
        Kind::Auto => StorageClassSpecifier::Auto,
        Kind::Register => StorageClassSpecifier::Register,
        _ => return None,
    })
}

fn qualifier(kind: Kind) -> Option<TypeQualifier> {
    Some(match kind {
        Kind::Const => TypeQualifier::Const,
        Kind::Restrict => TypeQualifier::Restrict,
        Kind::Volatile => TypeQualifier::Volatile,
        _ => return None,
    })
}

fn type_class(kind: Kind) -> Option<TypeSoFar> {
    use Kind::*;
    match kind {
        Void | Bool | Struct | Union | Enum => Some(TypeSoFar::Whole),
        CharType | Short | Int | Long | Float | Double | Signed | Unsigned | Complex | TypeOf
        | SizedFloat => Some(TypeSoFar::Arithmetic),
        _ => None,
    }
}

/// `_Float64`, `_Float64x` and the like.
fn sized_float(word: &str) -> Option<TS18661FloatType> {
    let width = word.strip_prefix("_Float")?;
    let (width, format) = match width.strip_suffix('x') {
        Some(width) => (width, TS18661FloatFormat::BinaryExtended),
        None => (width, TS18661FloatFormat::BinaryInterchange),
    };
    Some(TS18661FloatType { format, width: width.parse().ok()? })
}
