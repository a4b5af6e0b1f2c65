//! Two quick looks at the syntax tree before lowering: which functions a unit defines, and which
//! locals of a function need an address.
//!
//! The second is by name only: a local that shares its name with one whose address is taken also
//! gets a slot, which costs a little and is never wrong.

use super::asm::is_memory;
use super::attribute::text_of;
use super::builtin::{ATOMIC_BEGIN, ATOMIC_END};
use lang_c::ast::*;
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) fn defined_functions(unit: &TranslationUnit) -> FxHashSet<String> {
    let definition = |item: &Node<ExternalDeclaration>| match &item.node {
        ExternalDeclaration::FunctionDefinition(f) => defined_name(&f.node),
        _ => None,
    };
    unit.0.iter().filter_map(definition).collect()
}

/// Those that units other than this one may call, by all their names. (Who calls an inline function of another unit
/// calls something else.)
pub(crate) fn external_functions(unit: &TranslationUnit) -> FxHashSet<String> {
    let own = |specifier: &Node<DeclarationSpecifier>| match &specifier.node {
        DeclarationSpecifier::StorageClass(class) => class.node == StorageClassSpecifier::Static,
        DeclarationSpecifier::Function(function) => function.node == FunctionSpecifier::Inline,
        _ => false,
    };
    let definition = |item: &Node<ExternalDeclaration>| match &item.node {
        ExternalDeclaration::FunctionDefinition(f) if !f.node.specifiers.iter().any(own) => {
            defined_name(&f.node)
        }
        _ => None,
    };
    let mut found: FxHashSet<String> = unit.0.iter().filter_map(definition).collect();
    let labels = labels(unit);
    let other_names: Vec<String> = found.iter().filter_map(|f| labels.get(f).cloned()).collect();
    found.extend(other_names);
    found.extend(aliases(unit));
    found
}

/// Borders of atomic blocks that do nothing are there for the linker: they mean what verifiers have them mean.
fn defined_name(f: &FunctionDefinition) -> Option<String> {
    let name = declared_name(&f.declarator.node)?;
    let empty = matches!(&f.statement.node, Statement::Compound(items) if items.is_empty());
    let border = name == ATOMIC_BEGIN || name == ATOMIC_END;
    (!(border && empty)).then_some(name)
}

/// What the assembler calls the unit's names, where it is told.
pub(crate) fn labels(unit: &TranslationUnit) -> FxHashMap<String, String> {
    let label = |d: &Declarator| {
        d.extensions.iter().find_map(|item| match &item.node {
            Extension::AsmLabel(text) => Some(text_of(&text.node)),
            _ => None,
        })
    };
    let named = |d: &Declarator| Some((declared_name(d)?, label(d)?));
    declarators(unit).filter_map(named).collect()
}

/// Names that are declared as aliases of others.
fn aliases(unit: &TranslationUnit) -> impl Iterator<Item = String> {
    let is_alias = |item: &Node<Extension>| matches!(&item.node, Extension::Attribute(a) if a.name.node.trim_matches('_') == "alias");
    let is_one = move |d: &&Declarator| d.extensions.iter().any(is_alias);
    declarators(unit).filter(is_one).filter_map(declared_name)
}

/// What is declared for the whole unit and lies in memory.
fn declarators(unit: &TranslationUnit) -> impl Iterator<Item = &Declarator> {
    let register = |specifier: &Node<DeclarationSpecifier>| {
        matches!(&specifier.node, DeclarationSpecifier::StorageClass(class)
            if class.node == StorageClassSpecifier::Register)
    };
    let declarations = unit.0.iter().filter_map(|item| match &item.node {
        ExternalDeclaration::Declaration(d) => Some(&d.node),
        _ => None,
    });
    let in_memory = declarations.filter(move |d| !d.specifiers.iter().any(register));
    in_memory.flat_map(|d| &d.declarators).map(|d| &d.node.declarator.node)
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
