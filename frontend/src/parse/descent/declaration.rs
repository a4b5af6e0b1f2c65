//! Declarations, in blocks and at file scope, and function definitions.

use super::Parser;
use super::specifier::ParsedSpecifiers;
use super::token::Kind;
use lang_c::ast::*;
use lang_c::span::Node;

/// Of a function that is defined.
struct FunctionParts {
    specifiers: Vec<Node<DeclarationSpecifier>>,
    declarator: Node<Declarator>,
    /// Those of its parameters, in the old style.
    declarations: Vec<Node<Declaration>>,
    statement: Node<Statement>,
}

impl Parser<'_> {
    pub(super) fn external_declaration(&mut self) -> Option<Node<ExternalDeclaration>> {
        let start = self.start();
        let declaration = if self.kind() == Kind::StaticAssert {
            ExternalDeclaration::StaticAssert(self.static_assert()?)
        } else {
            self.declaration_or_function()?
        };
        while self.eat(Kind::Semicolon) {}
        Some(self.node(start, declaration))
    }

    fn declaration_or_function(&mut self) -> Option<ExternalDeclaration> {
        let start = self.start();
        let specifiers = self.specifiers()?;
        let mut first = None;
        if self.kind() != Kind::Semicolon {
            let declarator = self.declarator()?;
            let old_style = has_names(&declarator.node) && self.declaration_starts();
            if (self.kind() == Kind::OpenBrace || old_style) && !specifiers.typedef {
                return self.function_definition(start, specifiers, declarator);
            }
            first = Some(self.init_declarator(declarator, specifiers.typedef)?);
        }
        let declaration = self.declarators(specifiers, first)?;
        Some(ExternalDeclaration::Declaration(self.node(start, declaration)))
    }

    fn function_definition(
        &mut self,
        start: usize,
        specifiers: ParsedSpecifiers,
        declarator: Node<Declarator>,
    ) -> Option<ExternalDeclaration> {
        let FunctionParts { specifiers, declarator, declarations, statement } =
            self.function_parts(specifiers, declarator)?;
        let function = FunctionDefinition { specifiers, declarator, declarations, statement };
        Some(ExternalDeclaration::FunctionDefinition(self.node(start, function)))
    }

    fn function_parts(
        &mut self,
        specifiers: ParsedSpecifiers,
        declarator: Node<Declarator>,
    ) -> Option<FunctionParts> {
        self.declare_other(&declarator.node);
        let (declarations, statement) = self.in_scope(|parser| {
            parser.declare_parameters(&declarator.node);
            let mut declarations = Vec::new();
            while parser.kind() != Kind::OpenBrace {
                declarations.push(parser.declaration()?);
            }
            let brace = parser.start();
            let body = parser.compound()?;
            Some((declarations, parser.node(brace, body)))
        })?;
        Some(FunctionParts { specifiers: specifiers.list, declarator, declarations, statement })
    }

    pub(super) fn declaration(&mut self) -> Option<Node<Declaration>> {
        let start = self.start();
        let specifiers = self.specifiers()?;
        let mut first = None;
        if self.kind() != Kind::Semicolon {
            let declarator = self.declarator()?;
            if self.kind() == Kind::OpenBrace && !specifiers.typedef {
                return self.nested_function(start, specifiers, declarator);
            }
            first = Some(self.init_declarator(declarator, specifiers.typedef)?);
        }
        let declaration = self.declarators(specifiers, first)?;
        Some(self.node(start, declaration))
    }

    /// GNU's function inside of another one. lang-c's tree has no place for it: its body becomes a
    /// statement expression that it is initialised with, which no function can be.
    fn nested_function(
        &mut self,
        start: usize,
        specifiers: ParsedSpecifiers,
        declarator: Node<Declarator>,
    ) -> Option<Node<Declaration>> {
        let at = declarator.span.start;
        let FunctionParts { specifiers, declarator, statement: body, .. } =
            self.function_parts(specifiers, declarator)?;
        let brace = body.span.start;
        let value = self.node(brace, Expression::Statement(Box::new(body)));
        let initializer = Some(self.node(brace, Initializer::Expression(Box::new(value))));
        let declarators = vec![self.node(at, InitDeclarator { declarator, initializer })];
        Some(self.node(start, Declaration { specifiers, declarators }))
    }

    /// Up to the semicolon; the first one may have been read already.
    fn declarators(
        &mut self,
        specifiers: ParsedSpecifiers,
        first: Option<Node<InitDeclarator>>,
    ) -> Option<Declaration> {
        let mut declarators = Vec::from_iter(first);
        while !self.eat(Kind::Semicolon) {
            if !declarators.is_empty() {
                self.expect(Kind::Comma)?;
            }
            let declarator = self.declarator()?;
            declarators.push(self.init_declarator(declarator, specifiers.typedef)?);
        }
        Some(Declaration { specifiers: specifiers.list, declarators })
    }

    /// A declarator with what follows it.
    fn init_declarator(
        &mut self,
        mut declarator: Node<Declarator>,
        typedef: bool,
    ) -> Option<Node<InitDeclarator>> {
        let start = declarator.span.start;
        if self.kind() == Kind::Asm {
            declarator.node.extensions.push(self.asm_label()?);
        }
        let attributes = self.attributes()?;
        declarator.node.extensions.extend(attributes);
        let mut initializer = None;
        if typedef {
            self.declare_type(&declarator.node);
        } else {
            self.declare_other(&declarator.node);
            let at = self.start();
            if self.eat(Kind::Assign) {
                let value = self.initializer()?;
                initializer = Some(self.node(at, value));
            }
        }
        Some(self.node(start, InitDeclarator { declarator, initializer }))
    }

    pub(super) fn static_assert(&mut self) -> Option<Node<StaticAssert>> {
        let start = self.start();
        self.advance();
        self.expect(Kind::Open)?;
        let expression = Box::new(self.conditional()?);
        self.expect(Kind::Comma)?;
        let message = self.string()?;
        self.expect(Kind::Close)?;
        self.expect(Kind::Semicolon)?;
        Some(self.node(start, StaticAssert { expression, message }))
    }
}

/// Does it name parameters without their types?
fn has_names(declarator: &Declarator) -> bool {
    let inner =
        matches!(&declarator.kind.node, DeclaratorKind::Declarator(d) if has_names(&d.node));
    inner
        || declarator.derived.iter().any(
            |part| matches!(&part.node, DerivedDeclarator::KRFunction(names) if !names.is_empty()),
        )
}
