//! `__has_include`, `__has_attribute`, `__has_builtin` and their kin: what the compiler knows.
//!
//! The answers are those of gcc 12 on x86, which `compiler.h` says we are: a program takes the
//! branches that it takes there. Questions stand in `#if` only. They are answered before macros are
//! expanded (`linux` in `<linux/futex.h>` is a macro), and once more behind it, for those that a
//! macro has asked.

use super::{FileRun, PreprocessStop, named_header};
use crate::tokens::token::{Kind, Token};

/// What can be asked. All are defined, as macros are.
pub const NAMES: &[&str] = &[
    "__has_include",
    "__has_attribute",
    "__has_cpp_attribute",
    "__has_c_attribute",
    "__has_builtin",
];

const ATTRIBUTES: &str = " access alias aligned alloc_align alloc_size always_inline artificial \
    assume_aligned callee_pop_aggregate_return cdecl cf_check cleanup cold common const constructor \
    copy deprecated designated_init destructor error externally_visible fallthrough fastcall \
    fentry_name fentry_section flatten force_align_arg_pointer format format_arg gcc_struct \
    gnu_inline hot ifunc indirect_branch indirect_return interrupt leaf malloc may_alias \
    maybe_unused mode ms_abi ms_hook_prologue ms_struct naked no_address_safety_analysis \
    no_caller_saved_registers no_icf no_instrument_function no_profile_instrument_function \
    no_reorder no_sanitize no_sanitize_address no_sanitize_coverage no_sanitize_thread \
    no_sanitize_undefined no_split_stack no_stack_limit no_stack_protector nocf_check noclone \
    nocommon nodirect_extern_access nodiscard noinit noinline noipa nonnull nonstring noplt noreturn \
    nothrow objc_nullability objc_root_class optimize packed patchable_function_entry persistent \
    pure regparm retain returns_nonnull returns_twice scalar_storage_order section sentinel \
    signed_bool_precision simd sseregparm stack_protect stdcall symver sysv_abi tainted_args target \
    target_clones thiscall tls_model transaction_callable transaction_may_cancel_outer \
    transaction_pure transaction_safe_dynamic transaction_unsafe transaction_wrap transparent_union \
    unavailable uninitialized unused used vector_mask vector_size visibility warn_if_not_aligned \
    warn_unused warn_unused_result warning weak weakref zero_call_used_regs ";

/// Builtins that other compilers have, or gcc since, by how they begin.
const STRANGE_BUILTINS: &[&str] = &[
    "__sync_swap",
    "__builtin_assume_separate",
    "__builtin_bitreverse",
    "__builtin_rotate",
    "__builtin_readcyclecounter",
    "__builtin_readsteadycounter",
    "__builtin_debugtrap",
    "__builtin_verbose_trap",
    "__builtin_memcpy_inline",
    "__builtin_memset_inline",
    "__builtin_nontemporal_",
    "__builtin_operator_",
    "__builtin_addressof",
    "__builtin_is_aligned",
    "__builtin_align_",
    "__builtin_canonicalize",
    "__builtin_elementwise_",
    "__builtin_reduce_",
    "__builtin_coro_",
    "__builtin_addc",
    "__builtin_subc",
    "__builtin_stdc_",
    "__builtin_source_location",
    "__builtin_dump_struct",
    "__builtin_unpredictable",
    "__builtin_counted_by_ref",
    "__builtin_available",
    "__builtin_os_log",
    "__builtin_wasm",
    "__builtin_arm_",
    "__builtin_bit_cast",
    "__builtin_ia32_",
    "__atomic_test_and_reset",
];

const ODD_BUILTINS: &[&str] = &[
    "__builtin_assume",
    "__builtin_va_arg",
    "__builtin_popcountg",
    "__builtin_parityg",
    "__builtin_clzg",
    "__builtin_ctzg",
    "__builtin_FILE_NAME",
    "__builtin_COLUMN",
];

const X86_BUILTINS: &[&str] = &[
    "__builtin_ia32_pause",
    "__builtin_ia32_rdtsc",
    "__builtin_ia32_rdtscp",
    "__builtin_ia32_mfence",
    "__builtin_ia32_lfence",
    "__builtin_ia32_sfence",
    "__builtin_ia32_clflush",
];

impl FileRun<'_, '_> {
    /// Questions in a condition as the numbers that answer them.
    pub(crate) fn answer_questions(
        &mut self,
        line: Vec<Token>,
    ) -> Result<Vec<Token>, PreprocessStop> {
        let asks = |t: &Token| self.expander.is_question(t.text);
        if !line.iter().any(asks) {
            return Ok(line);
        }
        let mut answered = Vec::with_capacity(line.len());
        let mut i = 0;
        while let Some(&token) = line.get(i) {
            i += 1;
            if !self.expander.is_question(token.text) || !self.is_at(&line, i, b"(") {
                answered.push(token);
                continue;
            }
            let Some(end) = self.closing(&line, i) else {
                return Err(PreprocessStop::here("a `)` is missing".into()));
            };
            let question = self.expander.symbols.string(token.text);
            let argument = self.text_of(&line[i + 1..end]);
            let answer = self.answer(&question, argument.trim())?.to_string();
            let text = self.expander.symbols.intern(answer.as_bytes());
            answered.push(Token { kind: Kind::Number, text, ..token });
            i = end + 1;
        }
        Ok(answered)
    }

    fn is_at(&self, line: &[Token], at: usize, text: &[u8]) -> bool {
        line.get(at).is_some_and(|t| self.is(*t, text))
    }

    /// The `)` that belongs to the `(` at `open`.
    fn closing(&self, line: &[Token], open: usize) -> Option<usize> {
        let mut depth = 0;
        for at in open..line.len() {
            depth += i32::from(self.is_at(line, at, b"("));
            depth -= i32::from(self.is_at(line, at, b")"));
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    fn text_of(&self, tokens: &[Token]) -> String {
        let text = |(i, t): (usize, &Token)| {
            let space = if i > 0 && t.space { " " } else { "" };
            format!("{space}{}", self.expander.symbols.string(t.text))
        };
        tokens.iter().enumerate().map(text).collect()
    }

    fn answer(&mut self, question: &str, about: &str) -> Result<u32, PreprocessStop> {
        Ok(match question {
            "__has_include" => self.has_include(about)?.into(),
            "__has_builtin" => has_builtin(about).into(),
            "__has_c_attribute" => c_attribute(about),
            _ => has_attribute(about).into(),
        })
    }

    fn has_include(&mut self, header: &str) -> Result<bool, PreprocessStop> {
        let Some((name, quoted)) = named_header(header.as_bytes()) else {
            return Err(PreprocessStop::here("`__has_include` without the name of a file".into()));
        };
        let Some(file) = self.files.last() else { return Ok(false) };
        let path = file.path.clone();
        Ok(self.shelf.find(&path, &name, quoted).is_some())
    }
}

fn has_attribute(name: &str) -> bool {
    let plain = plain(name.strip_prefix("gnu::").unwrap_or(name));
    !plain.is_empty() && ATTRIBUTES.contains(&format!(" {plain} "))
}

/// The date of the standard's attributes, 1 for GNU's own.
fn c_attribute(name: &str) -> u32 {
    match name.split_once("::") {
        Some((scope, name)) if plain(scope.trim()) == "gnu" => has_attribute(name.trim()).into(),
        Some(_) => 0,
        None => match plain(name) {
            "deprecated" | "fallthrough" | "maybe_unused" => 201_904,
            "nodiscard" => 202_003,
            _ => 0,
        },
    }
}

/// `__unused__` is `unused`.
fn plain(name: &str) -> &str {
    let inner = name.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
    inner.unwrap_or(name)
}

fn has_builtin(name: &str) -> bool {
    let kind = ["__builtin_", "__sync_", "__atomic_"].iter().any(|start| name.starts_with(start));
    let strange = || STRANGE_BUILTINS.iter().any(|start| name.starts_with(start));
    X86_BUILTINS.contains(&name) || kind && !strange() && !ODD_BUILTINS.contains(&name)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    /// What gcc 12 says, where there is one.
    #[test]
    fn gcc_says_the_same() {
        let asked = [
            "__has_attribute(unused)",
            "__has_attribute(__cleanup__)",
            "__has_attribute(gnu::weak)",
            "__has_attribute(overloadable)",
            "__has_attribute(guarded_by)",
            "__has_cpp_attribute(nodiscard)",
            "__has_c_attribute(nodiscard) == 202003",
            "__has_c_attribute(fallthrough) == 201904",
            "__has_c_attribute(noreturn)",
            "__has_c_attribute(gnu::unused)",
            "__has_builtin(__builtin_expect)",
            "__has_builtin(__builtin_add_overflow)",
            "__has_builtin(__builtin_assume)",
            "__has_builtin(__builtin_assume_aligned)",
            "__has_builtin(__builtin_ia32_pause)",
            "__has_builtin(__builtin_bitreverse32)",
            "__has_builtin(__atomic_fetch_add)",
            "__has_builtin(__sync_swap)",
            "__has_builtin(__builtin_nontemporal_load)",
            "__has_builtin(frobnicate)",
            "__has_include(<stdio.h>)",
            "__has_include(<linux/futex.h>)",
            "__has_include(\"stdlib.h\")",
            "__has_include(<no/such.h>)",
            "defined(__has_include) && defined __has_builtin",
            "defined(__has_feature)",
            "ASK(packed)",
        ];
        let line = |q: &&str| format!("#if {q}\nyes\n#else\nno\n#endif\n");
        let text: String = asked.iter().map(line).collect();
        let text = format!("#define ASK(x) __has_attribute(x)\n#define linux 1\n{text}");
        let ours = super::super::tests::words(&text);
        assert_eq!(ours.split(' ').filter(|word| *word == "yes").count(), 17, "{ours}");
        let file = std::env::temp_dir().join(format!("obmc-questions-{}.c", std::process::id()));
        std::fs::write(&file, &text).expect("the temporary folder can be written");
        let run = Command::new("gcc").args(["-E", "-P", "-w"]).arg(&file).output();
        let version = Command::new("gcc").arg("-dumpversion").output();
        let _ = std::fs::remove_file(&file);
        let (Ok(run), Ok(version)) = (run, version) else { return };
        if run.status.success() && version.stdout.starts_with(b"12") {
            let theirs = String::from_utf8_lossy(&run.stdout);
            assert_eq!(ours, theirs.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
}
