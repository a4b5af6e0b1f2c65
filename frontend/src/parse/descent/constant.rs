//! Numbers, characters and strings.

use super::Parser;
use super::token::Kind;
use lang_c::ast::*;
use lang_c::span::Node;

impl Parser<'_> {
    pub(super) fn number(&mut self) -> Option<Node<Constant>> {
        let word = self.word();
        let constant = match float(word) {
            Some(float) => Constant::Float(float),
            None => Constant::Integer(integer(word)?),
        };
        Some(self.take(constant))
    }

    pub(super) fn character(&mut self) -> Node<Constant> {
        let text = self.word().to_owned();
        self.take(Constant::Character(text))
    }

    /// Strings in a row are one.
    pub(super) fn string(&mut self) -> Option<Node<StringLiteral>> {
        let start = self.start();
        let mut parts = Vec::new();
        while self.kind() == Kind::Text {
            parts.push(self.word().to_owned());
            self.advance();
        }
        (!parts.is_empty()).then(|| self.node(start, parts))
    }
}

/// Splits a word behind its leading bytes of some kind.
fn split(word: &str, take: impl Fn(u8) -> bool) -> (&str, &str) {
    word.split_at(word.bytes().take_while(|&b| take(b)).count())
}

fn integer(word: &str) -> Option<Integer> {
    let (base, rest) = match word.as_bytes() {
        [b'0', b'x' | b'X', ..] => (IntegerBase::Hexadecimal, &word[2..]),
        [b'0', b'b' | b'B', ..] => (IntegerBase::Binary, &word[2..]),
        [b'0', b'0'..=b'9', ..] => (IntegerBase::Octal, &word[1..]),
        _ => (IntegerBase::Decimal, word),
    };
    let (number, suffix) = match base {
        IntegerBase::Hexadecimal => split(rest, |b| b.is_ascii_hexdigit()),
        IntegerBase::Binary => split(rest, |b| matches!(b, b'0' | b'1')),
        IntegerBase::Octal => split(rest, |b| matches!(b, b'0'..=b'7')),
        IntegerBase::Decimal => split(rest, |b| b.is_ascii_digit()),
    };
    let suffix = integer_suffix(suffix)?;
    (!number.is_empty()).then(|| Integer { base, number: number.into(), suffix })
}

fn integer_suffix(suffix: &str) -> Option<IntegerSuffix> {
    let (size, unsigned) = match suffix {
        "" => (IntegerSize::Int, false),
        "u" | "U" => (IntegerSize::Int, true),
        "l" | "L" => (IntegerSize::Long, false),
        "ll" | "LL" => (IntegerSize::LongLong, false),
        "ul" | "uL" | "Ul" | "UL" | "lu" | "lU" | "Lu" | "LU" => (IntegerSize::Long, true),
        "ull" | "uLL" | "Ull" | "ULL" | "llu" | "llU" | "LLu" | "LLU" => {
            (IntegerSize::LongLong, true)
        }
        _ => return None,
    };
    Some(IntegerSuffix { size, unsigned, imaginary: false })
}

/// With a point or an exponent; suffixes beyond C11's are left to lang-c.
fn float(word: &str) -> Option<Float> {
    let hexadecimal = word.starts_with("0x") || word.starts_with("0X");
    let base = if hexadecimal { FloatBase::Hexadecimal } else { FloatBase::Decimal };
    let digits = if hexadecimal { &word[2..] } else { word };
    let is_digit = |b: u8| if hexadecimal { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    let (whole, rest) = split(digits, is_digit);
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => {
            let (fraction, rest) = split(rest, is_digit);
            (Some(fraction), rest)
        }
        None => (None, rest),
    };
    let has_digits = !whole.is_empty() || fraction.is_some_and(|f| !f.is_empty());
    let (exponent, suffix) = exponent(rest, if hexadecimal { b'p' } else { b'e' })?;
    let needs_exponent = hexadecimal || fraction.is_none();
    if !has_digits || (needs_exponent && exponent == 0) {
        return None;
    }
    let format = match suffix {
        "" => FloatFormat::Double,
        "f" | "F" => FloatFormat::Float,
        "l" | "L" => FloatFormat::LongDouble,
        _ => return None,
    };
    let number = &digits[..digits.len() - suffix.len()];
    let suffix = FloatSuffix { format, imaginary: false };
    Some(Float { base, number: number.into(), suffix })
}

/// The length of an exponent at the start, and what stands behind it.
fn exponent(text: &str, letter: u8) -> Option<(usize, &str)> {
    let bytes = text.as_bytes();
    if bytes.first().is_none_or(|b| b | 0x20 != letter) {
        return Some((0, text));
    }
    let sign = usize::from(matches!(bytes.get(1), Some(b'+' | b'-')));
    let (digits, suffix) = split(&text[1 + sign..], |b| b.is_ascii_digit());
    (!digits.is_empty()).then_some((1 + sign + digits.len(), suffix))
}
