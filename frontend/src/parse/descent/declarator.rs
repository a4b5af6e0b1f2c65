//! Declarators: the name in the middle, pointers before it, arrays and functions behind it; and
//! those without a name, in types.

use super::Parser;
use super::token::Kind;
use lang_c::ast::*;
use lang_c::span::{Node, Span};

impl<'a> Parser<'a> {
    /// With a name.
    pub(super) fn declarator(&mut self) -> Option<Node<Declarator>> {
        self.any_declarator().filter(|d| name(&d.node).is_some())
    }

    /// A declared name means no type from here on.
    pub(super) fn declare_other(&mut self, declarator: &Declarator) {
        if let Some(span) = name(declarator) {
            self.names.declare_other(&self.text[span.start..span.end]);
        }
    }

    pub(super) fn declare_type(&mut self, declarator: &Declarator) {
        if let Some(span) = name(declarator) {
            self.names.declare_type(&self.text[span.start..span.end]);
        }
    }

    pub(super) fn type_name(&mut self) -> Option<Node<TypeName>> {
        let start = self.start();
        let specifiers = self.specifier_qualifiers()?;
        let mut declarator = None;
        if matches!(self.kind(), Kind::Star | Kind::Open | Kind::OpenSquare) {
            let found = self.any_declarator()?;
            if name(&found.node).is_some() {
                return None;
            }
            declarator = Some(found);
        }
        Some(self.node(start, TypeName { specifiers, declarator }))
    }

    /// With or without a name, but not empty.
    fn any_declarator(&mut self) -> Option<Node<Declarator>> {
        let start = self.start();
        let extensions = self.attributes()?;
        let mut derived = Vec::new();
        let mut middle = self.start();
        while self.kind() == Kind::Star {
            let (pointer, bare) = self.pointer()?;
            derived.push(pointer);
            middle = if bare { self.start() } else { self.end() };
        }
        let kind = if self.kind() == Kind::Name {
            let name = self.identifier()?;
            let span = name.span;
            Node::new(DeclaratorKind::Identifier(name), span)
        } else if self.kind() == Kind::Open && !self.parameters_start() {
            let open = self.start();
            self.advance();
            let inner = self.any_declarator()?;
            self.expect(Kind::Close)?;
            self.node(open, DeclaratorKind::Declarator(Box::new(inner)))
        } else {
            Node::new(DeclaratorKind::Abstract, Span::span(middle, middle))
        };
        let mut declarator = Declarator { kind, derived, extensions };
        let named = name(&declarator).is_some();
        while let Some(part) = self.array_or_function(named)? {
            declarator.derived.push(part);
        }
        let empty = matches!(declarator.kind.node, DeclaratorKind::Abstract)
            && declarator.derived.is_empty();
        if empty || (!named && !declarator.extensions.is_empty()) {
            return None;
        }
        Some(self.node(start, declarator))
    }

    /// Also tells whether nothing but the `*` was there.
    fn pointer(&mut self) -> Option<(Node<DerivedDeclarator>, bool)> {
        let start = self.start();
        self.advance();
        let mut qualifiers = Vec::new();
        loop {
            let start = self.start();
            let qualifier = if let Some(qualifier) = self.qualifier() {
                PointerQualifier::TypeQualifier(qualifier)
            } else if self.kind() == Kind::Attribute {
                PointerQualifier::Extension(self.attribute_specifier()?)
            } else {
                break;
            };
            qualifiers.push(self.node(start, qualifier));
        }
        let bare = qualifiers.is_empty();
        Some((self.node(start, DerivedDeclarator::Pointer(qualifiers)), bare))
    }

    /// Does the `(` here open parameters, and not a declarator in brackets?
    fn parameters_start(&self) -> bool {
        match self.kind_ahead(1) {
            Kind::Close => true,
            // `(__attribute__((x)) *f)` is a declarator.
            Kind::Attribute => false,
            Kind::Register => true,
            _ => self.type_starts(1),
        }
    }

    fn array_or_function(&mut self, named: bool) -> Option<Option<Node<DerivedDeclarator>>> {
        let start = self.start();
        let part = match self.kind() {
            Kind::OpenSquare => DerivedDeclarator::Array(self.array()?),
            Kind::Open => self.function(named)?,
            _ => return Some(None),
        };
        Some(Some(self.node(start, part)))
    }

    fn array(&mut self) -> Option<Node<ArrayDeclarator>> {
        self.advance();
        let start = self.start();
        let mut fixed = self.eat(Kind::Static);
        let mut qualifiers = Vec::new();
        while let Some(qualifier) = self.qualifier() {
            qualifiers.push(qualifier);
        }
        fixed |= !fixed && !qualifiers.is_empty() && self.eat(Kind::Static);
        let star = self.kind() == Kind::Star && self.kind_ahead(1) == Kind::CloseSquare;
        let size = match self.kind() {
            Kind::CloseSquare if !fixed => ArraySize::Unknown,
            Kind::Star if star && !fixed => {
                self.advance();
                ArraySize::VariableUnknown
            }
            _ if fixed => ArraySize::StaticExpression(Box::new(self.assignment()?)),
            _ => ArraySize::VariableExpression(Box::new(self.assignment()?)),
        };
        self.expect(Kind::CloseSquare)?;
        Some(self.node(start, ArrayDeclarator { qualifiers, size }))
    }

    fn function(&mut self, named: bool) -> Option<DerivedDeclarator> {
        self.advance();
        let start = self.start();
        if named && (self.kind() == Kind::Close || !self.declaration_starts()) {
            let names = match self.kind() {
                Kind::Close => Vec::new(),
                _ => self.list(Self::identifier)?,
            };
            self.expect(Kind::Close)?;
            return Some(DerivedDeclarator::KRFunction(names));
        }
        if self.kind() == Kind::Close {
            let none = FunctionDeclarator { parameters: Vec::new(), ellipsis: Ellipsis::None };
            let function = Node::new(none, Span::span(start, start));
            self.advance();
            return Some(DerivedDeclarator::Function(function));
        }
        let function = self.in_scope(Self::parameters)?;
        let function = self.node(start, function);
        self.expect(Kind::Close)?;
        Some(DerivedDeclarator::Function(function))
    }

    fn parameters(&mut self) -> Option<FunctionDeclarator> {
        let mut parameters = vec![self.parameter()?];
        let mut ellipsis = Ellipsis::None;
        while self.eat(Kind::Comma) {
            if self.eat(Kind::Ellipsis) {
                ellipsis = Ellipsis::Some;
                break;
            }
            parameters.push(self.parameter()?);
        }
        Some(FunctionDeclarator { parameters, ellipsis })
    }

    fn parameter(&mut self) -> Option<Node<ParameterDeclaration>> {
        let start = self.start();
        let specifiers = self.specifiers().filter(|s| !s.typedef)?.list;
        let mut declarator = None;
        if matches!(self.kind(), Kind::Star | Kind::Open | Kind::OpenSquare | Kind::Name) {
            let found = self.any_declarator()?;
            self.declare_other(&found.node);
            declarator = Some(found);
        }
        let extensions = self.attributes()?;
        Some(self.node(start, ParameterDeclaration { specifiers, declarator, extensions }))
    }

    /// The parameters of a function that is defined are declared in its body.
    pub(super) fn declare_parameters(&mut self, declarator: &Declarator) {
        if let DeclaratorKind::Declarator(inner) = &declarator.kind.node {
            self.declare_parameters(&inner.node);
        }
        for part in &declarator.derived {
            if let DerivedDeclarator::Function(function) = &part.node {
                for parameter in &function.node.parameters {
                    if let Some(declarator) = &parameter.node.declarator {
                        self.declare_other(&declarator.node);
                    }
                }
            }
        }
    }
}

/// Where the declared name stands.
fn name(declarator: &Declarator) -> Option<Span> {
    match &declarator.kind.node {
        DeclaratorKind::Abstract => None,
        DeclaratorKind::Identifier(name) => Some(name.span),
        DeclaratorKind::Declarator(inner) => name(&inner.node),
    }
}
