//! Text to tokens, for the parser by descent.
//!
//! The text comes from `normalise`: no comments, no directives, brackets in pairs, names in ASCII.
//! Whatever else stands there ends the attempt.

/// What a token is. Words that mean the same are one kind; `Reserved` are those that C or GNU C
/// keep for themselves and that this parser does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    End,
    Name,
    Number,
    Char,
    Text,
    Reserved,
    // Types
    Void,
    Bool,
    CharType,
    Short,
    Int,
    Long,
    Float,
    Double,
    Signed,
    Unsigned,
    Complex,
    Struct,
    Union,
    Enum,
    TypeOf,
    SizedFloat,
    // Storage, qualifiers and what else stands before a type
    Typedef,
    Extern,
    Static,
    ThreadLocal,
    Auto,
    Register,
    Const,
    Restrict,
    Volatile,
    Atomic,
    Inline,
    Noreturn,
    Alignas,
    Attribute,
    StaticAssert,
    // Statements
    If,
    Else,
    Switch,
    Case,
    Default,
    While,
    Do,
    For,
    Goto,
    Continue,
    Break,
    Return,
    Asm,
    // Expressions
    Sizeof,
    Alignof,
    Generic,
    FunctionName,
    OffsetOf,
    VaArg,
    // Brackets and other punctuation
    Open,
    Close,
    OpenSquare,
    CloseSquare,
    OpenBrace,
    CloseBrace,
    Semicolon,
    Comma,
    Colon,
    Question,
    Dot,
    Ellipsis,
    Arrow,
    // Operators
    Increment,
    Decrement,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    And,
    Or,
    Caret,
    Tilde,
    Not,
    AndAnd,
    OrOr,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    ShiftLeft,
    ShiftRight,
    Assign,
    StarAssign,
    SlashAssign,
    PercentAssign,
    PlusAssign,
    MinusAssign,
    ShiftLeftAssign,
    ShiftRightAssign,
    AndAssign,
    CaretAssign,
    OrAssign,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
}

/// All tokens, and one `End` behind them.
pub fn lex(text: &[u8]) -> Option<Vec<Token>> {
    u32::try_from(text.len()).ok()?;
    let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
    let mut at = 0;
    while let Some(&first) = text.get(at) {
        if matches!(first, b' ' | b'\t' | b'\n' | b'\r') {
            at += 1;
            continue;
        }
        let (kind, len) = token(&text[at..])?;
        tokens.push(Token { kind, start: at as u32, end: (at + len) as u32 });
        at += len;
    }
    tokens.push(Token { kind: Kind::End, start: at as u32, end: at as u32 });
    Some(tokens)
}

/// The token that the text starts with, and its length.
fn token(text: &[u8]) -> Option<(Kind, usize)> {
    match text[0] {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
            let len = text.iter().take_while(|&&b| is_word_byte(b)).count();
            let prefix = matches!(&text[..len], b"L" | b"u" | b"U" | b"u8");
            match text.get(len) {
                Some(b'"') if prefix => Some((Kind::Text, len + quoted(&text[len..])?)),
                Some(b'\'') if prefix && len == 1 => {
                    Some((Kind::Char, len + quoted(&text[len..])?))
                }
                _ => Some((word(&text[..len]), len)),
            }
        }
        b'0'..=b'9' => Some((Kind::Number, number(text))),
        b'.' if text.get(1).is_some_and(u8::is_ascii_digit) => Some((Kind::Number, number(text))),
        b'"' => Some((Kind::Text, quoted(text)?)),
        b'\'' => Some((Kind::Char, quoted(text)?)),
        _ => punctuation(text),
    }
}

fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// The length of a number as the preprocessor sees it.
fn number(text: &[u8]) -> usize {
    let mut len = 1;
    while let Some(&b) = text.get(len) {
        let sign = matches!(b, b'+' | b'-')
            && matches!(text[len - 1], b'e' | b'E' | b'p' | b'P')
            && !(text[len - 1] | 0x20 == b'e' && text[..len].starts_with(b"0x"));
        if !(is_word_byte(b) || b == b'.' || sign) {
            break;
        }
        len += 1;
    }
    len
}

/// The length of what stands in quotes, with escapes that everybody knows.
fn quoted(text: &[u8]) -> Option<usize> {
    let quote = text[0];
    let mut at = 1;
    loop {
        match *text.get(at)? {
            b if b == quote => return (quote == b'"' || at > 1).then_some(at + 1),
            b'\n' => return None,
            b'\\' => {
                let known = match *text.get(at + 1)? {
                    b'x' => text.get(at + 2)?.is_ascii_hexdigit(),
                    b => b"'\"?\\abcfnrtv01234567".contains(&b),
                };
                if !known {
                    return None;
                }
                at += 2;
            }
            _ => at += 1,
        }
    }
}

fn punctuation(text: &[u8]) -> Option<(Kind, usize)> {
    use Kind::*;
    let second = text.get(1).copied().unwrap_or(0);
    let third = text.get(2).copied().unwrap_or(0);
    let two = match (text[0], second) {
        (b'.', b'.') if third == b'.' => return Some((Ellipsis, 3)),
        (b'<', b'<') if third == b'=' => return Some((ShiftLeftAssign, 3)),
        (b'>', b'>') if third == b'=' => return Some((ShiftRightAssign, 3)),
        (b'<', b'<') => ShiftLeft,
        (b'>', b'>') => ShiftRight,
        (b'-', b'>') => Arrow,
        (b'+', b'+') => Increment,
        (b'-', b'-') => Decrement,
        (b'&', b'&') => AndAnd,
        (b'|', b'|') => OrOr,
        (b'<', b'=') => LessEqual,
        (b'>', b'=') => GreaterEqual,
        (b'=', b'=') => Equal,
        (b'!', b'=') => NotEqual,
        (b'*', b'=') => StarAssign,
        (b'/', b'=') => SlashAssign,
        (b'%', b'=') => PercentAssign,
        (b'+', b'=') => PlusAssign,
        (b'-', b'=') => MinusAssign,
        (b'&', b'=') => AndAssign,
        (b'^', b'=') => CaretAssign,
        (b'|', b'=') => OrAssign,
        (first, _) => return Some((single(first)?, 1)),
    };
    Some((two, 2))
}

fn single(byte: u8) -> Option<Kind> {
    use Kind::*;
    Some(match byte {
        b'(' => Open,
        b')' => Close,
        b'[' => OpenSquare,
        b']' => CloseSquare,
        b'{' => OpenBrace,
        b'}' => CloseBrace,
        b';' => Semicolon,
        b',' => Comma,
        b':' => Colon,
        b'?' => Question,
        b'.' => Dot,
        b'+' => Plus,
        b'-' => Minus,
        b'*' => Star,
        b'/' => Slash,
        b'%' => Percent,
        b'&' => And,
        b'|' => Or,
        b'^' => Caret,
        b'~' => Tilde,
        b'!' => Not,
        b'<' => Less,
        b'>' => Greater,
        b'=' => Assign,
        _ => return None,
    })
}

fn word(word: &[u8]) -> Kind {
    use Kind::*;
    match word {
        b"void" => Void,
        b"_Bool" => Bool,
        b"char" => CharType,
        b"short" => Short,
        b"int" => Int,
        b"long" => Long,
        b"float" => Float,
        b"double" => Double,
        b"signed" | b"__signed" | b"__signed__" => Signed,
        b"unsigned" => Unsigned,
        b"_Complex" | b"__complex" | b"__complex__" => Complex,
        b"struct" => Struct,
        b"union" => Union,
        b"enum" => Enum,
        b"__typeof" => TypeOf,
        b"_Float16" | b"_Float32" | b"_Float64" | b"_Float128" | b"_Float16x" | b"_Float32x"
        | b"_Float64x" | b"_Float128x" => SizedFloat,
        b"typedef" => Typedef,
        b"extern" => Extern,
        b"static" => Static,
        b"_Thread_local" => ThreadLocal,
        b"auto" => Auto,
        b"register" => Register,
        b"const" | b"__const" => Const,
        b"restrict" | b"__restrict" | b"__restrict__" => Restrict,
        b"volatile" | b"__volatile" | b"__volatile__" => Volatile,
        b"_Atomic" => Atomic,
        b"inline" | b"__inline" | b"__inline__" => Inline,
        b"_Noreturn" => Noreturn,
        b"_Alignas" => Alignas,
        b"__attribute" | b"__attribute__" => Attribute,
        b"_Static_assert" => StaticAssert,
        b"if" => If,
        b"else" => Else,
        b"switch" => Switch,
        b"case" => Case,
        b"default" => Default,
        b"while" => While,
        b"do" => Do,
        b"for" => For,
        b"goto" => Goto,
        b"continue" => Continue,
        b"break" => Break,
        b"return" => Return,
        b"asm" | b"__asm" | b"__asm__" => Asm,
        b"sizeof" => Sizeof,
        b"_Alignof" | b"__alignof" | b"__alignof__" => Alignof,
        b"_Generic" => Generic,
        b"__func__" | b"__FUNCTION__" | b"__PRETTY_FUNCTION__" => FunctionName,
        b"__builtin_offsetof" => OffsetOf,
        b"__builtin_va_arg" => VaArg,
        b"typeof" | b"__typeof__" | b"__extension__" | b"__imag" | b"__imag__" | b"__label__"
        | b"__null" | b"__real" | b"__real__" | b"__thread" | b"_Imaginary" => Reserved,
        _ if word.starts_with(b"_Decimal") => Reserved,
        _ => Name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        lex(text.as_bytes()).expect("these are tokens").iter().map(|t| t.kind).collect()
    }

    #[test]
    fn the_longest_token_wins() {
        use Kind::*;
        assert_eq!(kinds("a+++b"), [Name, Increment, Plus, Name, End]);
        assert_eq!(kinds("a<<=b>>c"), [Name, ShiftLeftAssign, Name, ShiftRight, Name, End]);
        assert_eq!(kinds("f(...)..1"), [Name, Open, Ellipsis, Close, Dot, Number, End]);
        assert_eq!(kinds("1.e+5-2"), [Number, Minus, Number, End]);
        assert_eq!(kinds("0xe+1"), [Number, Plus, Number, End]);
    }

    #[test]
    fn prefixes_belong_to_their_literals() {
        use Kind::*;
        assert_eq!(kinds(r#"L"a" u8"b" U'c' L x"d""#), [Text, Text, Char, Name, Name, Text, End]);
        assert_eq!(kinds(r#""\"" '\'' "\x41""#), [Text, Char, Text, End]);
    }

    #[test]
    fn what_is_not_known_ends_the_attempt() {
        for text in ["@", "\"a", "'", "''", r#""\q""#, "a # b", "\u{e4}"] {
            assert!(lex(text.as_bytes()).is_none(), "{text}");
        }
    }
}
