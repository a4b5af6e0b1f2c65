//! GNU attributes: those that say something about types and storage, and calls that are not in the text.
//!
//! `cleanup(f)` calls `f(&x)` whenever the scope of `x` is left (the builder does that), a
//! `constructor` runs before the program's first function, a `destructor` after it. What a name is
//! bound to when the program is linked (`weak`, `alias`) is for `binding.rs`. Attributes that change
//! what a program does and that we do not model make their function or object "not modelled" where
//! it is used. Names that we have never heard of are taken not to be there, and that is told; all
//! others speak to the optimiser or ask for warnings.

use super::{Result, Unit};
use ir::types::{Machine, Rank, Type, TypeId};
use ir::{Callee, FuncId, Inst, InstKind, Origin, Span};
use lang_c::ast;
use lang_c::span::Node;

/// Change what a program does, and we do not know them.
const MEANINGFUL: &[&str] =
    &["hardbool", "ifunc", "ms_struct", "naked", "returns_twice", "weakref"];

/// Change nothing that a verdict could depend on. Sorted.
#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    "abi_tag", "access", "alloc_align", "alloc_size", "always_inline", "artificial", "assume",
    "assume_aligned", "btf_decl_tag", "btf_type_tag", "cdecl", "cold", "common", "const", "copy",
    "counted_by", "deprecated", "designated_init", "error", "expected_throw",
    "externally_visible", "fallthrough", "fastcall", "fd_arg", "fd_arg_read", "fd_arg_write",
    "flag_enum", "flatten", "force_align_arg_pointer", "format", "format_arg", "gcc_struct",
    "gnu_inline", "hot", "leaf", "malloc", "may_alias", "maybe_unused", "minsize", "ms_abi",
    "musttail", "no_address_safety_analysis", "no_icf", "no_instrument_function",
    "no_profile_instrument_function", "no_reorder", "no_sanitize", "no_sanitize_address",
    "no_sanitize_coverage", "no_sanitize_thread", "no_sanitize_undefined", "no_split_stack",
    "no_stack_limit", "no_stack_protector", "noclone", "nocommon", "nodiscard", "noescape",
    "noinline", "noipa", "nonnull", "nonnull_if_nonzero", "nonstring", "noplt", "nothrow",
    "null_terminated_string_arg", "optimize", "optnone", "overloadable",
    "patchable_function_entry", "pure", "regparm", "reproducible", "retain", "returns_nonnull",
    "sentinel", "simd", "stack_protect", "stdcall", "strict_flex_array", "strub",
    "symver", "sysv_abi", "tainted_args", "target", "target_clones", "thread", "tls_model",
    "unavailable", "uninitialized", "unsequenced", "unused", "used", "vector", "visibility",
    "warn_if_not_aligned", "warn_unused_result", "warning", "zero_call_used_regs",
];

/// Of constructors and destructors that do not say when.
const LAST: u64 = 65_535;

#[derive(Clone, Default, Debug)]
pub(crate) struct Attributes {
    pub packed: bool,
    pub align: Option<u64>,
    /// What `#pragma pack` says: no member is aligned to more.
    pub pack: Option<u64>,
    /// By `_Alignas`: of what is declared, not of a type that is defined there.
    pub alignas: Option<u64>,
    /// How many bits a `_BitInt` has.
    pub bits: Option<u64>,
    /// C23's `constexpr`: its value is one.
    pub constexpr: bool,
    /// What an `enum` is made of, if it says so.
    pub underlying: Option<TypeId>,
    /// What is called with the address of the variable at the end of its scope.
    pub cleanup: Option<FuncId>,
    /// Runs before all else; lower numbers first.
    pub constructor: Option<u64>,
    /// Runs after all else; lower numbers last.
    pub destructor: Option<u64>,
    /// Machine mode: another width than the type says.
    mode: Option<String>,
    /// A vector of so many bytes.
    vector: Option<u64>,
    /// An argument of the type of a member is passed as this union.
    pub transparent: bool,
    /// The bytes of members are in the order of another machine.
    pub reversed: bool,
    pub noreturn: bool,
    pub binding: Binding,
}

/// What a name is when the program is linked.
#[derive(Clone, Default, Debug)]
pub(crate) struct Binding {
    /// There may be none, or a strong one instead.
    pub weak: bool,
    /// Another name for this one.
    pub alias: Option<String>,
    /// The same, for the assembler.
    pub label: Option<String>,
    /// Lies where the system looks for functions to run.
    pub runs_by_section: bool,
    /// An attribute that is not modelled.
    pub unclear: Option<&'static str>,
}

impl Attributes {
    pub fn and(self, other: Attributes) -> Attributes {
        Attributes {
            packed: self.packed || other.packed,
            align: self.align.max(other.align),
            pack: self.pack.or(other.pack),
            alignas: self.alignas.max(other.alignas),
            bits: self.bits.or(other.bits),
            constexpr: self.constexpr || other.constexpr,
            underlying: self.underlying.or(other.underlying),
            cleanup: self.cleanup.or(other.cleanup),
            constructor: self.constructor.or(other.constructor),
            destructor: self.destructor.or(other.destructor),
            mode: self.mode.or(other.mode),
            vector: self.vector.or(other.vector),
            transparent: self.transparent || other.transparent,
            reversed: self.reversed || other.reversed,
            noreturn: self.noreturn || other.noreturn,
            binding: Binding {
                weak: self.binding.weak || other.binding.weak,
                alias: self.binding.alias.or(other.binding.alias),
                label: self.binding.label.or(other.binding.label),
                runs_by_section: self.binding.runs_by_section || other.binding.runs_by_section,
                unclear: self.binding.unclear.or(other.binding.unclear),
            },
        }
    }

    /// Of what is declared.
    pub fn alignment(&self) -> Option<u64> {
        self.align.max(self.alignas)
    }
}

/// A function that runs before the program's first one, or after it.
#[derive(Clone, Copy, Debug)]
pub struct Constructor {
    pub priority: u64,
    pub function: FuncId,
    pub span: Span,
}

impl Constructor {
    pub fn call(&self) -> Inst {
        let callee = Callee::Direct(self.function);
        Inst::new(InstKind::Call { dst: None, callee, args: Vec::new() }, self.span)
    }
}

impl Unit<'_> {
    pub fn attributes(&mut self, list: &[Node<ast::Extension>]) -> Result<Attributes> {
        let mut found = Attributes::default();
        for item in list {
            match &item.node {
                ast::Extension::Attribute(attribute) => {
                    self.mark(item.span);
                    self.attribute(attribute, &mut found)?;
                }
                ast::Extension::AsmLabel(text) => {
                    found.binding.label = Some(text_of(&text.node));
                }
                _ => {}
            }
        }
        Ok(found)
    }

    fn attribute(&mut self, attribute: &ast::Attribute, found: &mut Attributes) -> Result<()> {
        let first = attribute.arguments.first();
        let name = attribute.name.node.as_str();
        match name.trim_matches('_') {
            "obmc_pack" => found.pack = first.map(|e| self.constant_u64(e)).transpose()?,
            "packed" => found.packed = true,
            "aligned" => {
                let align = first.map_or(Ok(16), |e| self.constant_u64(e))?;
                found.align = found.align.max(self.checked_alignment(align)?);
            }
            "obmc_alignas" => {
                let align = first.map_or(Ok(0), |e| self.constant_u64(e))?;
                found.alignas = found.alignas.max(self.checked_alignment(align)?);
            }
            "obmc_bits" => found.bits = first.map(|e| self.constant_u64(e)).transpose()?,
            "obmc_constexpr" => found.constexpr = true,
            "obmc_underlying" => {
                found.underlying = first.map(|e| self.type_of(e)).transpose()?;
            }
            "cleanup" => found.cleanup = Some(self.cleaner(first)?),
            "constructor" | "destructor" => {
                let priority = Some(first.map_or(Ok(LAST), |e| self.constant_u64(e))?);
                match name.contains("con") {
                    true => found.constructor = priority,
                    false => found.destructor = priority,
                }
            }
            "mode" => found.mode = first.and_then(|e| word(&e.node)),
            "vector_size" => found.vector = first.map(|e| self.constant_u64(e)).transpose()?,
            "transparent_union" => found.transparent = true,
            "scalar_storage_order" => {
                found.reversed =
                    first.and_then(|e| literal(&e.node)) != Some("little-endian".into());
            }
            "noreturn" | "Noreturn" => found.noreturn = true,
            "section" => {
                let section = first.and_then(|e| literal(&e.node)).unwrap_or_default();
                found.binding.runs_by_section |= runs(&section);
            }
            "weak" | "weak_import" => found.binding.weak = true,
            "alias" => found.binding.alias = first.and_then(|e| literal(&e.node)),
            name => match MEANINGFUL.iter().find(|known| **known == name) {
                Some(known) => found.binding.unclear = Some(known),
                None if HARMLESS.binary_search(&name).is_ok() => {}
                None => self.ignore_attribute(name),
            },
        }
        Ok(())
    }

    /// `alignas(0)` says nothing.
    pub(crate) fn checked_alignment(&self, align: u64) -> Result<Option<u64>> {
        match align {
            0 => Ok(None),
            _ if align.is_power_of_two() && align <= 1 << 28 => Ok(Some(align)),
            _ => Err(self.error("an alignment must be a power of two")),
        }
    }

    fn cleaner(&mut self, function: Option<&Node<ast::Expression>>) -> Result<FuncId> {
        match function.map(|e| &e.node) {
            Some(ast::Expression::Identifier(id)) => Ok(self.function_named(&id.node.name)),
            _ => Err(self.error("`cleanup` needs the name of a function")),
        }
    }

    pub(crate) fn ignore_attribute(&mut self, name: &str) {
        if self.origin == Origin::User {
            let text = format!("attribute `{name}` is not modelled: taken not to be there");
            self.link.ignored.push((text, self.at));
        }
    }

    /// A prototype may say it, or the definition, or both.
    pub(crate) fn note_constructor(&mut self, name: &str, attributes: &Attributes) {
        let span = self.at;
        for before in [true, false] {
            let priority = if before { attributes.constructor } else { attributes.destructor };
            let Some(priority) = priority else { continue };
            let function = self.function_named(name);
            let link = &mut self.link;
            let all = if before { &mut link.constructors } else { &mut link.destructors };
            match all.iter_mut().find(|c| c.function == function) {
                Some(known) => known.priority = known.priority.min(priority),
                None => all.push(Constructor { priority, function, span }),
            }
        }
    }

    /// The declared type as attributes change it: by its mode, or to a vector.
    pub fn shaped(&mut self, ty: TypeId, attributes: &Attributes) -> TypeId {
        if attributes.binding.unclear == Some("hardbool") {
            let (size, align) = (self.link.types.size(ty).unwrap_or(1), self.link.types.align(ty));
            return self.link.types.intern(Type::Opaque {
                name: "a hardened Boolean",
                size,
                align,
            });
        }
        if let Some(bytes) = attributes.vector {
            return self.vector_type(ty, bytes);
        }
        let Some(mode) = &attributes.mode else { return ty };
        let qualifiers = ty.qualifiers();
        let shaped = match (self.link.types.get(ty), mode_bytes(mode, self.link.types.machine)) {
            (Type::Int { signed, .. }, Some(bytes)) => {
                let rank = match (bytes, self.link.types.machine) {
                    (1, _) if *signed => Rank::SignedChar,
                    (1, _) => Rank::Char,
                    (2, _) => Rank::Short,
                    (4, _) => Rank::Int,
                    (8, Machine::Lp64) => Rank::Long,
                    (8, Machine::Ilp32) => Rank::LongLong,
                    _ => Rank::Int128,
                };
                Type::Int { rank, signed: *signed }
            }
            (Type::Pointer(_), Some(_)) => return ty,
            (Type::Float | Type::Double | Type::LongDouble, None) => match mode.as_str() {
                "SF" => Type::Float,
                "DF" => Type::Double,
                "XF" => Type::LongDouble,
                _ => Type::Opaque { name: "a type of another mode", size: 16, align: 16 },
            },
            _ => Type::Opaque { name: "a type of another mode", size: 16, align: 16 },
        };
        let shaped = self.link.types.intern(shaped);
        self.link.types.qualified(shaped, qualifiers)
    }

    /// The innermost type becomes a vector.
    fn vector_type(&mut self, ty: TypeId, bytes: u64) -> TypeId {
        let vector = match *self.link.types.get(ty) {
            Type::Pointer(to) => Type::Pointer(self.vector_type(to, bytes)),
            Type::Array { elem, len } => Type::Array { elem: self.vector_type(elem, bytes), len },
            // Without AVX nothing is aligned to more than 16.
            _ => {
                let align = bytes.next_power_of_two().min(16);
                Type::Opaque { name: "a vector", size: bytes, align }
            }
        };
        let vector = self.link.types.intern(vector);
        self.link.types.qualified(vector, ty.qualifiers())
    }
}

/// How wide the integers of a mode are.
fn mode_bytes(mode: &str, machine: Machine) -> Option<u64> {
    Some(match mode {
        "QI" | "byte" => 1,
        "HI" => 2,
        "SI" => 4,
        "DI" => 8,
        "TI" => 16,
        "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => {
            machine.pointer_bytes()
        }
        _ => return None,
    })
}

/// An argument that is a word, without the underscores around it.
fn word(e: &ast::Expression) -> Option<String> {
    match e {
        ast::Expression::Identifier(id) => Some(id.node.name.trim_matches('_').to_owned()),
        _ => None,
    }
}

fn literal(e: &ast::Expression) -> Option<String> {
    match e {
        ast::Expression::StringLiteral(text) => Some(text_of(&text.node)),
        _ => None,
    }
}

/// Does code run before `main` or at the end because it, or its address, lies there?
fn runs(section: &str) -> bool {
    let sections =
        [".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors", ".init", ".fini"];
    let is = |s: &str| section == s || section.strip_prefix(s).is_some_and(|r| r.starts_with('.'));
    sections.into_iter().any(is)
}

pub(super) fn text_of(parts: &[String]) -> String {
    parts.iter().map(|part| part.trim_matches('"')).collect()
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{error, function, has, program, value};

    #[test]
    fn what_is_ignored_is_noted() {
        let ignored = |text: &str| -> Vec<(String, u32)> {
            let found = program(text).ignored.into_iter();
            found.map(|(text, span)| (text, span.line)).collect()
        };
        let strange = "void g(void) __attribute__((of_our_own));\nvoid g(void) {}";
        let [(text, 1)] = &ignored(strange)[..] else { panic!("{:?}", ignored(strange)) };
        assert!(text.contains("`of_our_own`"), "{text}");
        let weak = "#pragma weak g\nint x;\n#pragma GCC poison\n";
        let [(text, 1)] = &ignored(weak)[..] else { panic!("{:?}", ignored(weak)) };
        assert!(text.contains("`#pragma weak`"), "{text}");
        assert_eq!(ignored("int x __attribute__((unused, aligned(8)));"), []);
    }

    #[test]
    fn lists_are_sorted() {
        assert!(super::HARMLESS.is_sorted() && super::MEANINGFUL.is_sorted());
    }

    #[test]
    fn modes_and_vectors() {
        let sizes = "typedef int qi __attribute__((mode(QI))); unsigned d __attribute__((__mode__(__DI__))); \
                     int __attribute__((mode(word))) w; typedef int v4 __attribute__((vector_size(16)));";
        assert_eq!(
            value(
                sizes,
                "sizeof(qi) * 1000 + sizeof d * 100 + sizeof w * 10 + ((__typeof(d))-1 > 0)"
            ),
            1881
        );
        assert_eq!(value(sizes, "sizeof(v4) + _Alignof(v4)"), 32);
    }

    #[test]
    fn constructors_run_first_in_the_order_of_their_numbers() {
        let p = program(
            "void b(void) __attribute__((constructor));\n\
             void b(void) {}\n\
             static void __attribute__((constructor(101))) a(void) {}\n\
             int x; int f(void) { x = 1; return 0; }",
        );
        has(&function(&p, "f"), &["call a()\ncall b()\nstore"]);
    }

    const LOCK: &str = "typedef int lock; void drop(lock **l) { **l = 0; } lock m; void use(int);";

    #[test]
    fn what_is_cleaned_up_is_so_on_all_ways_out() {
        let f = |body: &str| {
            let p = program(&format!("{LOCK} int f(int n) {{ {body} }}"));
            function(&p, "f")
        };
        let guard = "__attribute__((cleanup(drop))) lock *g = &m;";
        has(&f(&format!("{{ {guard} use(n); }} return 0;")), &["call drop($g.0)\ndead $g.0"]);
        has(&f(&format!("{guard} return n;")), &["call drop($g.0)\nreturn n.0"]);
        let text = f(&format!("while (n) {{ {guard} if (n > 2) break; use(n); }} return 0;"));
        assert_eq!(text.matches("call drop($g.0)\ndead $g.0").count(), 2, "{text}");
        let text = f(&format!("{{ {guard} if (n) goto out; use(n); }} out: return 0;"));
        assert_eq!(text.matches("call drop($g.0)\ndead $g.0").count(), 2, "{text}");
    }

    #[test]
    fn the_last_one_is_cleaned_up_first() {
        let p = program(
            "void drop(int *x) {} int f(int n) {\n\
             int a __attribute__((cleanup(drop))) = 1;\n\
             if (n) goto end;\n\
             int b __attribute__((__cleanup__(drop))) = 2;\n\
             return a; end: return b; }",
        );
        let text = function(&p, "f");
        has(&text, &["call drop($b.1)\ncall drop($a.0)\nreturn"]);
    }

    #[test]
    fn only_functions_clean_up() {
        let text = "void f(void) { int x __attribute__((cleanup(3))); }";
        assert!(error(text).contains("`cleanup` needs the name of a function"), "{}", error(text));
    }
}
