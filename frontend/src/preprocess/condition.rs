//! The conditions of `#if` and `#elif`: integers of 64 bits with the usual operators.
//!
//! The names are gone when this is asked: macros are expanded, `defined` is answered.

use crate::tokens::token::{Kind, Symbols, Token};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ConditionValue {
    bits: u64,
    unsigned: bool,
}

impl ConditionValue {
    fn truth(b: bool) -> ConditionValue {
        ConditionValue { bits: b.into(), unsigned: false }
    }

    fn is_true(self) -> bool {
        self.bits != 0
    }
}

/// Deeper nesting is left to others.
const MAX_DEPTH: u32 = 200;

pub fn holds(tokens: &[Token], symbols: &Symbols) -> Result<bool, String> {
    let mut parser = ConditionParser { tokens, symbols, at: 0, depth: 0, dead: 0 };
    let value = parser.ternary()?;
    match parser.text() {
        b"" => Ok(value.is_true()),
        rest => Err(format!("`{}` was not expected here", String::from_utf8_lossy(rest))),
    }
}

struct ConditionParser<'a> {
    tokens: &'a [Token],
    symbols: &'a Symbols,
    at: usize,
    depth: u32,
    /// How many operators around this place have already decided without it.
    dead: u32,
}

impl ConditionParser<'_> {
    fn text(&self) -> &[u8] {
        self.tokens.get(self.at).map_or(b"", |t| self.symbols.text(t.text))
    }

    fn eat(&mut self, text: &[u8]) -> bool {
        let there = self.text() == text;
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, text: &str) -> Result<(), String> {
        if self.eat(text.as_bytes()) { Ok(()) } else { Err(format!("`{text}` is missing")) }
    }

    fn unless(
        &mut self,
        dead: bool,
        part: impl FnOnce(&mut Self) -> Result<ConditionValue, String>,
    ) -> Result<ConditionValue, String> {
        self.dead += u32::from(dead);
        let value = part(self);
        self.dead -= u32::from(dead);
        value
    }

    fn ternary(&mut self) -> Result<ConditionValue, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the condition is too deeply nested".into());
        }
        let condition = self.binary(0)?;
        let mut value = condition;
        if self.eat(b"?") {
            let first = self.unless(!condition.is_true(), Self::ternary)?;
            self.expect(":")?;
            let second = self.unless(condition.is_true(), Self::ternary)?;
            value = if condition.is_true() { first } else { second };
            value.unsigned = first.unsigned || second.unsigned;
        }
        self.depth -= 1;
        Ok(value)
    }

    /// Operators that bind at least as strongly as `least`.
    fn binary(&mut self, least: u8) -> Result<ConditionValue, String> {
        let mut left = self.unary()?;
        loop {
            let operator = self.text().to_vec();
            let Some(strength) = strength(&operator).filter(|&s| s >= least) else {
                return Ok(left);
            };
            self.at += 1;
            let decided = match operator.as_slice() {
                b"&&" => !left.is_true(),
                b"||" => left.is_true(),
                _ => false,
            };
            let right = self.unless(decided, |p| p.binary(strength + 1))?;
            left = match apply(&operator, left, right) {
                Some(value) => value,
                None if self.dead > 0 => ConditionValue::truth(false),
                None => return Err("division by zero in a condition".into()),
            };
        }
    }

    fn unary(&mut self) -> Result<ConditionValue, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the condition is too deeply nested".into());
        }
        let value = match self.text() {
            b"!" => self.operand(|v| ConditionValue::truth(!v.is_true()))?,
            b"~" => self.operand(|v| ConditionValue { bits: !v.bits, ..v })?,
            b"-" => self.operand(|v| ConditionValue { bits: v.bits.wrapping_neg(), ..v })?,
            b"+" => self.operand(|v| v)?,
            b"(" => {
                self.at += 1;
                let value = self.ternary()?;
                self.expect(")")?;
                value
            }
            _ => self.primary()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn operand(
        &mut self,
        then: impl Fn(ConditionValue) -> ConditionValue,
    ) -> Result<ConditionValue, String> {
        self.at += 1;
        self.unary().map(then)
    }

    fn primary(&mut self) -> Result<ConditionValue, String> {
        let Some(token) = self.tokens.get(self.at) else {
            return Err("the condition ends too early".into());
        };
        let text = self.symbols.text(token.text);
        self.at += 1;
        match token.kind {
            Kind::Name if self.text() == b"(" => {
                Err(format!("`{}(` in a condition", String::from_utf8_lossy(text)))
            }
            Kind::Name => Ok(ConditionValue::truth(false)),
            Kind::Number => number(text),
            Kind::Char => character(text),
            _ => Err(format!("`{}` in a condition", String::from_utf8_lossy(text))),
        }
    }
}

fn strength(operator: &[u8]) -> Option<u8> {
    Some(match operator {
        b"||" => 1,
        b"&&" => 2,
        b"|" => 3,
        b"^" => 4,
        b"&" => 5,
        b"==" | b"!=" => 6,
        b"<" | b">" | b"<=" | b">=" => 7,
        b"<<" | b">>" => 8,
        b"+" | b"-" => 9,
        b"*" | b"/" | b"%" => 10,
        _ => return None,
    })
}

/// `None` for a division by zero.
fn apply(operator: &[u8], left: ConditionValue, right: ConditionValue) -> Option<ConditionValue> {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (sa, sb) = (a as i64, b as i64);
    let less = if unsigned { a < b } else { sa < sb };
    let bits = match operator {
        b"||" => return Some(ConditionValue::truth(a != 0 || b != 0)),
        b"&&" => return Some(ConditionValue::truth(a != 0 && b != 0)),
        b"==" => return Some(ConditionValue::truth(a == b)),
        b"!=" => return Some(ConditionValue::truth(a != b)),
        b"<" => return Some(ConditionValue::truth(less)),
        b">" => return Some(ConditionValue::truth(!less && a != b)),
        b"<=" => return Some(ConditionValue::truth(less || a == b)),
        b">=" => return Some(ConditionValue::truth(!less)),
        b"<<" | b">>" => return Some(shift(operator, left, right)),
        b"|" => a | b,
        b"^" => a ^ b,
        b"&" => a & b,
        b"+" => a.wrapping_add(b),
        b"-" => a.wrapping_sub(b),
        b"*" => a.wrapping_mul(b),
        b"/" if unsigned => a.checked_div(b)?,
        b"%" if unsigned => a.checked_rem(b)?,
        _ if b == 0 => return None,
        b"/" => sa.wrapping_div(sb) as u64,
        _ => sa.wrapping_rem(sb) as u64,
    };
    Some(ConditionValue { bits, unsigned })
}

/// A negative count shifts the other way; too large a count shifts everything out.
fn shift(operator: &[u8], left: ConditionValue, right: ConditionValue) -> ConditionValue {
    let backwards = !right.unsigned && (right.bits as i64) < 0;
    let count = if backwards { right.bits.wrapping_neg() } else { right.bits };
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let bits = if (operator == b"<<") != backwards {
        left.bits.checked_shl(count).unwrap_or(0)
    } else if left.unsigned {
        left.bits.checked_shr(count).unwrap_or(0)
    } else {
        ((left.bits as i64) >> count.min(63)) as u64
    };
    ConditionValue { bits, unsigned: left.unsigned }
}

fn number(text: &[u8]) -> Result<ConditionValue, String> {
    let wrong = || format!("`{}` is no integer", String::from_utf8_lossy(text));
    let mut lower = text.to_ascii_lowercase();
    lower.retain(|b| *b != b'\'');
    let digits_end = match lower.as_slice() {
        [b'0', b'x', ..] => 2 + lower[2..].iter().take_while(|b| b.is_ascii_hexdigit()).count(),
        [b'0', b'b', ..] => 2 + lower[2..].iter().take_while(|b| b.is_ascii_digit()).count(),
        _ => lower.iter().take_while(|b| b.is_ascii_digit()).count(),
    };
    let (digits, suffix) = lower.split_at(digits_end);
    let known = matches!(suffix, b"" | b"u" | b"l" | b"ul" | b"lu" | b"ll" | b"ull" | b"llu");
    let (radix, digits) = match digits {
        [b'0', b'x', rest @ ..] => (16, rest),
        [b'0', b'b', rest @ ..] => (2, rest),
        [b'0', rest @ ..] if !rest.is_empty() => (8, rest),
        all => (10, all),
    };
    let digits = std::str::from_utf8(digits).map_err(|_| wrong())?;
    let bits = u64::from_str_radix(digits, radix).map_err(|_| wrong())?;
    let unsigned = suffix.contains(&b'u') || bits > i64::MAX as u64;
    if known { Ok(ConditionValue { bits, unsigned }) } else { Err(wrong()) }
}

/// Plain characters and the commonest escapes; the rest is left to others.
fn character(text: &[u8]) -> Result<ConditionValue, String> {
    let code = match text {
        [b'\'', b, b'\''] if b.is_ascii() && !matches!(b, b'\\' | b'\'') => *b,
        b"'\\n'" => b'\n',
        b"'\\t'" => b'\t',
        b"'\\0'" => 0,
        b"'\\\\'" => b'\\',
        b"'\\''" => b'\'',
        _ => return Err(format!("`{}` in a condition", String::from_utf8_lossy(text))),
    };
    Ok(ConditionValue { bits: code.into(), unsigned: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::lex::Lexer;

    fn ask(text: &str) -> Result<bool, String> {
        let (mut lexer, mut symbols) = (Lexer::new(text.as_bytes()), Symbols::default());
        let tokens: Vec<_> = std::iter::from_fn(|| lexer.next(&mut symbols)).collect();
        holds(&tokens, &symbols)
    }

    #[test]
    fn what_holds() {
        for text in [
            "1 + 2 * 3 == 7",
            "(1 ? 2 : 3) == 2 && !unknown",
            "-1 < 0 && -1 > 0u",
            "0 && 1 / 0 || 1",
            "1 || 1 % 0",
            "0 ? 1 / 0 : 1",
            "-1 >> 1 == -1 && 1 << 3 == 8 && 8 >> 70 == 0",
            "0x10 == 16 && 010 == 8 && 0b11 == 3 && 10ULL == 10",
            "'a' == 97 && '\\n' == 10",
            "7 - 2 - 1 == 4 && (5 & 3 | 8 ^ 1) == 9",
            "0xffffffffffffffff > 1",
        ] {
            assert_eq!(ask(text), Ok(true), "{text}");
        }
    }

    #[test]
    fn what_does_not_hold() {
        for text in ["0", "unknown", "1 > 2", "~0 == 0", "-9223372036854775807 - 1 > 0"] {
            assert_eq!(ask(text), Ok(false), "{text}");
        }
    }

    #[test]
    fn what_is_no_condition() {
        for text in ["", "1 /0", "f(1)", "1 2", "(1", "1.5", "\"a\"", "1 ? 2", "09", "'ab'"] {
            assert!(ask(text).is_err(), "{text}");
        }
        assert!(ask(&"(".repeat(100_000)).is_err());
        assert!(ask(&"!".repeat(100_000)).is_err());
    }
}
