//! Two quick looks at the syntax tree before lowering: which functions a unit defines, and which
//! locals of a function need an address.
//!
//! The second is by name only: a local that shares its name with one whose address is taken also
//! gets a slot, which costs a little and is never wrong.

use super::asm::is_memory;
use lang_c::ast::*;
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use rustc_hash::FxHashSet;

pub(crate) fn defined_functions(unit: &TranslationUnit) -> FxHashSet<String> {
    let definition = |item: &Node<ExternalDeclaration>| match &item.node {
        ExternalDeclaration::FunctionDefinition(f) => declared_name(&f.node.declarator.node),
        _ => None,
    };
    unit.0.iter().filter_map(definition).collect()
}

/// Those that units other than this one may call. (Who calls an inline function of another unit calls something else.)
pub(crate) fn external_functions(unit: &TranslationUnit) -> FxHashSet<String> {
    let own = |specifier: &Node<DeclarationSpecifier>| match &specifier.node {
        DeclarationSpecifier::StorageClass(class) => class.node == StorageClassSpecifier::Static,
        DeclarationSpecifier::Function(function) => function.node == FunctionSpecifier::Inline,
        _ => false,
    };
    let definition = |item: &Node<ExternalDeclaration>| match &item.node {
        ExternalDeclaration::FunctionDefinition(f) if !f.node.specifiers.iter().any(own) => {
            declared_name(&f.node.declarator.node)
        }
        _ => None,
    };
    unit.0.iter().filter_map(definition).collect()
}

pub(crate) fn declared_name(declarator: &Declarator) -> Option<String> {
    match &declarator.kind.node {
        DeclaratorKind::Abstract => None,
        DeclaratorKind::Identifier(id) => Some(id.node.name.clone()),
        DeclaratorKind::Declarator(inner) => declared_name(&inner.node),
    }
}

pub(crate) fn addressed_names(body: &Node<Statement>) -> FxHashSet<String> {
    let mut finder = NameFinder(FxHashSet::default());
    finder.visit_statement(&body.node, &body.span);
    finder.0
}

/// Does the name occur, whatever it means there?
pub(crate) fn mentions(body: &Node<Statement>, name: &str) -> bool {
    let mut words = NameSearch { name, found: false };
    words.visit_statement(&body.node, &body.span);
    words.found
}

struct NameSearch<'n> {
    name: &'n str,
    found: bool,
}

impl<'ast> Visit<'ast> for NameSearch<'_> {
    fn visit_identifier(&mut self, identifier: &'ast Identifier, _: &'ast Span) {
        self.found |= identifier.name == self.name;
    }
}

struct NameFinder(FxHashSet<String>);

impl<'ast> Visit<'ast> for NameFinder {
    fn visit_unary_operator_expression(
        &mut self,
        unary: &'ast UnaryOperatorExpression,
        span: &'ast Span,
    ) {
        if unary.operator.node == UnaryOperator::Address
            && let Expression::Identifier(id) = &unary.operand.node
        {
            self.0.insert(id.node.name.clone());
        }
        visit::visit_unary_operator_expression(self, unary, span);
    }

    /// What assembly finds in memory.
    fn visit_gnu_extended_asm_statement(
        &mut self,
        asm: &'ast GnuExtendedAsmStatement,
        span: &'ast Span,
    ) {
        for operand in asm.outputs.iter().chain(&asm.inputs).filter(|o| is_memory(o)) {
            if let Expression::Identifier(id) = &operand.node.variable_name.node {
                self.0.insert(id.node.name.clone());
            }
        }
        visit::visit_gnu_extended_asm_statement(self, asm, span);
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{has, hasnt, ir};

    #[test]
    fn only_locals_whose_address_is_taken_have_slots() {
        let text =
            "void g(int *); void f(void) { int a = 1, b = 2, c = 3; g(&a); g(&(b)); c = a + b; }";
        let ir = ir(text);
        has(&ir, &["reg c.", "slot $a.0", "slot $b.1"]);
        hasnt(&ir, &["slot $c"]);
    }

    #[test]
    fn a_function_defined_later_is_the_programs_own() {
        let text = "void f(void) { exit(1); assert(0); } int exit(int n) { return n; } void assert(int n) {}";
        has(&ir(text), &["call exit(1)", "call assert(0)"]);
        hasnt(&ir(text), &["stop exit", "stop abort"]);
        let text = "void f(void) { (reach)(1); } void (reach)(int n) {}";
        has(&ir(text), &["call reach(1)"]);
    }
}
