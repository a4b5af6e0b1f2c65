//! Syntax tree to IR: name lookup, C's type rules, and one walk per function that emits blocks.
//!
//! `Unit` lowers one translation unit into a `Linkage`, the program under construction that all
//! units share. Expressions of every kind go through the same code: a constant expression is one
//! whose lowering emits nothing and ends in a constant operand, so enumerators, array sizes and
//! static initialisers need no evaluator of their own; `sizeof` and `typeof` lower into a scratch
//! block that is thrown away.
//!
//! C that breaks a rule is an `Error`. C that is fine but not modelled becomes an `Unsupported`
//! instruction, so that only a program that reaches it gets UNKNOWN.

mod arguments;
mod asm;
mod asm_x86;
mod atomic;
mod atomic_block;
mod attribute;
mod binding;
mod brace;
mod builder;
mod builtin;
mod call;
mod constant;
mod convert;
mod copy;
mod decl;
mod effects;
mod expr;
mod extended;
mod float;
mod function;
mod init;
mod input;
mod layout;
mod linkage;
mod literal;
mod literals;
mod merge;
mod object;
pub(crate) mod open;
mod operator;
mod overflow;
mod place;
mod print;
mod prototype;
mod record;
mod scan;
mod scope;
mod sequence;
mod sign;
mod signal;
mod stmt;
mod syscall;
#[cfg(test)]
pub(crate) mod testing;
mod variadic;
mod vla;
mod wide;

pub use linkage::Linkage;

use crate::error::Error;
use crate::parse::Parsed;
use crate::source::{Files, SourceMap};
use builder::Builder;
use ir::types::TypeId;
use ir::{ObjectId, Operand, Origin, Span};
use lang_c::ast;
use lang_c::span::{Node, Span as Bytes};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Scope;

pub(crate) type Result<T> = std::result::Result<T, Error>;

/// What an expression evaluates to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Value {
    Scalar {
        op: Operand,
        ty: TypeId,
    },
    /// Of 128 bits.
    Wide {
        lo: Operand,
        hi: Operand,
        ty: TypeId,
    },
    /// A struct, union or otherwise unregistered value: where it lies.
    Memory {
        addr: Operand,
        ty: TypeId,
    },
    Void,
}

/// One translation unit on its way into the program.
pub(crate) struct Unit<'a> {
    pub link: &'a mut Linkage,
    pub files: &'a Files,
    pub map: &'a SourceMap,
    pub origin: Origin,
    /// Names and tags, innermost scope last; the first is file scope.
    pub scopes: Vec<Scope>,
    /// How many scopes are around the function being built.
    pub frame: usize,
    /// The function being built; at file scope a scratch one.
    pub f: Builder,
    /// Functions that this unit defines, known before the first call is lowered.
    pub defined: FxHashSet<String>,
    /// `static` functions of this unit by name.
    pub statics: FxHashMap<String, ir::FuncId>,
    /// Objects whose type is not complete yet, and where they were declared.
    pub incomplete: Vec<(ObjectId, Span)>,
    /// Prototypes of library functions that were needed without a declaration.
    pub prototypes: FxHashMap<&'static str, TypeId>,
    /// Nobody wants the value of the call that is lowered next.
    pub discarded: bool,
    /// How many operands around this one are lowered in both orders.
    pub nested: u32,
    /// How many types of variable size there are (`vla`).
    pub variable_types: u32,
    /// Span of the node being lowered: where emitted instructions point to.
    pub at: Span,
    pub bindings: binding::UnitBindings,
}

/// Adds one parsed unit to the program under construction.
pub fn lower(link: &mut Linkage, parsed: &Parsed, files: &Files, origin: Origin) -> Result<()> {
    let mut unit = Unit {
        link,
        files,
        map: &parsed.map,
        origin,
        scopes: vec![Scope::default()],
        frame: 1,
        f: Builder::scratch(),
        defined: scan::defined_functions(&parsed.unit),
        statics: FxHashMap::default(),
        incomplete: Vec::new(),
        prototypes: FxHashMap::default(),
        discarded: false,
        nested: 0,
        variable_types: 0,
        at: Span::NONE,
        bindings: Default::default(),
    };
    parsed.unit.0.iter().try_for_each(|item| unit.external(item))?;
    unit.settle_names();
    unit.complete_objects()
}

impl Unit<'_> {
    fn external(&mut self, item: &Node<ast::ExternalDeclaration>) -> Result<()> {
        match &item.node {
            ast::ExternalDeclaration::Declaration(d) => self.declaration(d),
            ast::ExternalDeclaration::StaticAssert(s) => self.static_assert(s),
            ast::ExternalDeclaration::FunctionDefinition(f) => self.function_definition(f),
        }
    }

    pub(crate) fn span(&self, bytes: Bytes) -> Span {
        self.map.span(bytes.start)
    }

    /// Points following instructions and errors at this node.
    pub(crate) fn mark(&mut self, bytes: Bytes) -> Span {
        self.at = self.span(bytes);
        self.at
    }

    pub(crate) fn error(&self, message: impl Into<String>) -> Error {
        self.error_at(self.at, message)
    }

    pub(crate) fn error_at(&self, span: Span, message: impl Into<String>) -> Error {
        let file = self.files.names.get(span.file.index()).cloned().unwrap_or_default();
        Error { file, span, message: message.into(), hint: None }
    }
}

pub(crate) trait Hint {
    fn hint(self, hint: impl Into<String>) -> Self;
}

impl Hint for Error {
    fn hint(mut self, hint: impl Into<String>) -> Error {
        self.hint = Some(hint.into());
        self
    }
}
