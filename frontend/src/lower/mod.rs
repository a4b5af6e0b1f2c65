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
//!
//! - `arguments.rs`: what `main` is given: any number of arguments, from none (C11 5.1.2.2.1)
//! - `asm.rs`: inline assembly
//! - `asm_x86`: the x86 assembly that atomic operations are written in, exactly
//! - `atomic.rs`: GCC's `__atomic_*` and `__sync_*` builtins, which `<stdatomic.h>` is made of
//! - `atomic_block.rs`: atomic operations on what no register holds: structs and `__int128`
//! - `atomic_order.rs`: orders of atomic operations that are known at run time only
//! - `attribute.rs`: GNU attributes: those that say something about types and storage, and calls
//!   that are not in the text
//! - `binding.rs`: what names are bound to when all units are there: weak definitions, aliases,
//!   destructors
//! - `brace.rs`: the brace rules of initialisers (C11 6.7.9): which expression initialises which
//!   subobject
//! - `builder.rs`: the function being built: blocks, registers, slots, scopes of storage, jump
//!   targets
//! - `builtin.rs`: functions that the lowering itself understands: `__VERIFIER_*`, assertions,
//!   ends of the program, gcc's `__builtin_*` and the `__obmc_*` intrinsics that our library
//!   models are written in
//! - `call.rs`: calls: who is called, what the arguments become, where the result goes
//! - `called_as.rs`: calls of a function as one of another type
//! - `convert.rs`: C's conversions (C11 6.3) and the small emitters that everything else is made
//!   of
//! - `copied_lock.rs`: copies of locks, which are an assumption
//! - `copy.rs`: copies of whole objects: one rule for assignment, `memcpy` and `memset`
//! - `decl.rs`: declarations: specifiers to types, and what a name then means
//! - `declarator.rs`: declarators: pointers, arrays, functions and parameters around a base type
//! - `effects.rs`: what evaluating an expression may do, seen from its text: before it is
//!   lowered, and without types
//! - `expr.rs`: expressions: one arm per kind of the syntax tree; the rules live in the
//!   neighbouring files
//! - `extended.rs`: types that are carried around and not computed with: `long double`,
//!   `_Float128`, decimal floats, `_Complex`, vectors, `_BitInt`
//! - `float.rs`: GNU's builtins on floating numbers: constants, and questions that comparisons
//!   answer
//! - `leaves.rs`: the subobjects that an initialiser names; later ones override earlier ones.
//! - `format_type.rs`: arguments of `printf`, `scanf` and their kin, held against a literal format
//! - `fresh.rs`: functions without a body that return new objects, if the user says so
//! - `glibc.rs`: what glibc's and gcc's own headers leave of a function in preprocessed text
//! - `init.rs`: initialisers: the flat list of leaves that `brace` makes of them, to stores or to
//!   bytes
//! - `inline.rs`: an inline function with another definition beside it
//! - `input.rs`: `scanf` and `fscanf` with a literal format: what is read is any value of the
//!   target's type
//! - `jump.rs`: where `setjmp` may stand
//! - `kernel.rs`: the Linux kernel's primitives, as `<linux/lkmm.h>` writes them
//! - `layout.rs`: record layout by the System V psABI, as gcc does it on i386 and x86-64
//! - `linkage.rs`: the program under construction: what translation units share, and the last
//!   touches
//! - `literal.rs`: integer, floating, character and string literals: their values and types
//! - `literals.rs`: whether two string literals are one object is for the compiler to say (C11
//!   6.4.5p7), and equal ones mostly are, or one is the tail of another
//! - `live_functions.rs`: which functions can run: those that the first one leads to
//! - `merge.rs`: an operand that was evaluated on two paths, in another order on each: one
//!   operand behind both
//! - `model_parts.rs`: static functions of library models become part of those that call them
//! - `object.rs`: objects of static storage duration: linkage, tentative definitions, types
//!   completed later
//! - `open.rs`: what POSIX leaves open and our thread models decide: assumptions of the verdict,
//!   found in the calls of the program
//! - `open_bytes.rs`: bytes that hold no member's value: padding, and the rest of a union
//! - `operator.rs`: operators: arithmetic with C's conversions, pointer arithmetic, comparison,
//!   assignment
//! - `overflow.rs`: GNU's overflow-checking arithmetic: `__builtin_add_overflow` and its typed
//!   relatives
//! - `place.rs`: places: what an lvalue designates, how it is read, written and copied
//! - `print.rs`: `printf` and its kin with a literal format, whose result is not used
//! - `prototype.rs`: types of library functions that a program may use without declaring them, as
//!   gcc knows them too
//! - `record.rs`: structs, unions and enums: what their tags mean and what their members are
//! - `scan.rs`: two quick looks at the syntax tree before lowering: which functions a unit
//!   defines, and which locals of a function need an address
//! - `scope.rs`: Names in scope: C's ordinary identifiers and its tags, which live apart
//! - `sequence.rs`: operands that nothing sequences: C evaluates them in any order (C11 6.5p3)
//! - `sign.rs`: results of which C defines only the sign (`strcmp`), or only whether they are 0
//!   (`isalpha`)
//! - `signal.rs`: handlers of signals and of the end of the process
//! - `stmt.rs`: statements: structured control flow to blocks and jumps
//! - `subscript.rs`: subscripts of arrays inside of larger objects
//! - `syscall.rs`: `syscall` with a number that is known here: system calls that programs make
//!   without the library
//! - `variadic.rs`: functions with `...`: arguments without a parameter lie in memory of the
//!   caller
//! - `vla.rs`: arrays of variable length, and the types that are made of them
//! - `volatile.rs`: volatile accesses, where the user wants them to count as atomic ones
//! - `wide.rs`: `__int128`: two registers of 64 bits each, the low half first

mod arguments;
mod asm;
mod asm_x86;
mod atomic;
mod atomic_block;
mod atomic_order;
mod attribute;
mod binding;
mod brace;
mod builder;
mod builtin;
mod call;
mod called_as;
mod constant;
mod convert;
mod copied_lock;
mod copy;
mod decl;
mod declarator;
mod effects;
mod expr;
mod extended;
mod float;
mod format_type;
mod fresh;
mod function;
mod glibc;
mod init;
mod inline;
mod input;
mod jump;
mod kernel;
mod layout;
mod leaves;
mod linkage;
mod literal;
mod literals;
mod live_functions;
mod merge;
mod model_parts;
mod object;
pub(crate) mod open;
mod open_bytes;
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
mod subscript;
mod syscall;
#[cfg(test)]
pub(crate) mod testing;
mod variadic;
mod vla;
mod volatile;
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
    /// Functions that this unit defines, or another one for all of them, known before the first call is lowered.
    pub defined: FxHashSet<String>,
    /// `static` functions of this unit by name.
    pub statics: FxHashMap<String, ir::FuncId>,
    /// Objects whose type is not complete yet, and where they were declared.
    pub incomplete: Vec<(ObjectId, Span)>,
    /// Prototypes of library functions that were needed without a declaration.
    pub prototypes: FxHashMap<&'static str, TypeId>,
    /// The value of the call that is lowered next is not used.
    pub discarded: bool,
    /// The last expression that was tried as a constant computes what does not fit.
    pub overflown: bool,
    /// The call of `setjmp` that stands where it may.
    pub saves: Option<Bytes>,
    /// How many operands around this one are lowered in both orders.
    pub nested: u32,
    /// How many types of variable size there are (`vla`).
    pub variable_types: u32,
    /// Span of the node being lowered: where emitted instructions point to.
    pub at: Span,
    pub bindings: binding::UnitBindings,
}

/// Adds one parsed unit to the program under construction.
/// The functions that other units may call.
pub fn external_functions(parsed: &Parsed) -> FxHashSet<String> {
    scan::external_functions(&parsed.unit)
}

pub fn lower(link: &mut Linkage, parsed: &Parsed, files: &Files, origin: Origin) -> Result<()> {
    let mut defined = scan::defined_functions(&parsed.unit);
    if origin == Origin::User {
        defined.extend(link.defined.iter().cloned());
    }
    let mut unit = Unit {
        link,
        files,
        map: &parsed.map,
        origin,
        scopes: vec![Scope::default()],
        frame: 1,
        f: Builder::scratch(),
        defined,
        statics: FxHashMap::default(),
        incomplete: Vec::new(),
        prototypes: FxHashMap::default(),
        discarded: false,
        overflown: false,
        saves: None,
        nested: 0,
        variable_types: 0,
        at: Span::NONE,
        bindings: Default::default(),
    };
    if origin == Origin::User {
        unit.bindings.labels = scan::labels(&parsed.unit);
        let own = unit.bindings.labels.iter().filter(|(_, l)| unit.link.defined.contains(*l));
        unit.defined.extend(own.map(|(name, _)| name.clone()));
    }
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
