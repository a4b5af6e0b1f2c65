//! What the words of C and GNU C are, as far as the rewriting needs to know.

/// Storage classes, qualifiers and function specifiers: they say "a declaration", but not which type.
pub(crate) fn is_specifier(word: &[u8]) -> bool {
    matches!(
        word,
        b"static"
            | b"extern"
            | b"register"
            | b"auto"
            | b"const"
            | b"__const"
            | b"__const__"
            | b"volatile"
            | b"__volatile"
            | b"__volatile__"
            | b"inline"
            | b"__inline"
            | b"__inline__"
            | b"_Noreturn"
            | b"_Thread_local"
            | b"thread_local"
            | b"__thread"
            | b"__extension__"
    )
}

/// Words that start a type, or are followed by parentheses that do.
pub(crate) fn is_type_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"void"
            | b"char"
            | b"short"
            | b"int"
            | b"long"
            | b"float"
            | b"double"
            | b"signed"
            | b"__signed"
            | b"__signed__"
            | b"unsigned"
            | b"_Bool"
            | b"_Complex"
            | b"__complex"
            | b"__complex__"
            | b"struct"
            | b"union"
            | b"enum"
            | b"typedef"
            | b"typeof"
            | b"__typeof"
            | b"__typeof__"
            | b"_Atomic"
            | b"_Alignas"
            | b"alignas"
            | b"restrict"
            | b"__restrict"
            | b"__restrict__"
            | b"__auto_type"
            | b"__int128"
            | b"__int128_t"
            | b"__uint128_t"
            | b"__float128"
            | b"__float80"
            | b"_BitInt"
            | b"__builtin_va_list"
            | b"_Static_assert"
    ) || word.starts_with(b"_Float")
        || word.starts_with(b"_Decimal")
}

pub fn is_attribute(word: &[u8]) -> bool {
    matches!(word, b"__attribute__" | b"__attribute")
}

pub fn is_asm(word: &[u8]) -> bool {
    matches!(word, b"asm" | b"__asm" | b"__asm__")
}

/// Any other reserved word: neither a name nor the start of a declaration.
fn is_statement_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"break"
            | b"case"
            | b"continue"
            | b"default"
            | b"do"
            | b"else"
            | b"for"
            | b"goto"
            | b"if"
            | b"return"
            | b"sizeof"
            | b"switch"
            | b"while"
            | b"_Alignof"
            | b"__alignof"
            | b"__alignof__"
            | b"_Generic"
            | b"__label__"
            | b"_Pragma"
            | b"__real"
            | b"__real__"
            | b"__imag"
            | b"__imag__"
            | b"static_assert"
    )
}

pub fn is_reserved(word: &[u8]) -> bool {
    is_specifier(word)
        || is_type_word(word)
        || is_statement_word(word)
        || is_attribute(word)
        || is_asm(word)
}
