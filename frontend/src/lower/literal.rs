//! Integer, floating, character and string literals: their values and types.

use super::decl::fits;
use super::{Result, Unit, Value};
use ir::Operand;
use ir::types::{Rank, Scalar, Type, TypeId};
use lang_c::ast;

impl Unit<'_> {
    pub fn constant(&mut self, node: &ast::Constant) -> Result<Value> {
        match node {
            ast::Constant::Integer(i) => self.integer(i),
            ast::Constant::Float(f) => self.float(f),
            ast::Constant::Character(text) => self.character(text),
        }
    }

    fn integer(&mut self, node: &ast::Integer) -> Result<Value> {
        if node.suffix.imaginary {
            return Ok(self.imaginary());
        }
        let radix = match node.base {
            ast::IntegerBase::Decimal => 10,
            ast::IntegerBase::Octal => 8,
            ast::IntegerBase::Hexadecimal => 16,
            ast::IntegerBase::Binary => 2,
        };
        let digits = if node.number.is_empty() { "0" } else { &node.number };
        let Ok(value) = u64::from_str_radix(digits, radix) else {
            return Err(self.error("this integer constant is too large"));
        };
        let ty = self.integer_type(value, &node.suffix, radix != 10);
        Ok(Value::Scalar { op: self.bits(value, ty), ty })
    }

    /// C11 6.4.4.1: the first type of the list that can hold the value.
    fn integer_type(&mut self, value: u64, suffix: &ast::IntegerSuffix, any_sign: bool) -> TypeId {
        let first = match suffix.size {
            ast::IntegerSize::Int => Rank::Int,
            ast::IntegerSize::Long => Rank::Long,
            ast::IntegerSize::LongLong => Rank::LongLong,
        };
        let ranks = [Rank::Int, Rank::Long, Rank::LongLong];
        for rank in ranks.into_iter().filter(|&r| r >= first) {
            let bits = self.link.types.rank_bytes(rank) as u32 * 8;
            for signed in [true, false] {
                let allowed = if signed { !suffix.unsigned } else { suffix.unsigned || any_sign };
                if allowed && fits(i128::from(value), bits, signed) {
                    return self.link.types.intern(Type::Int { rank, signed });
                }
            }
        }
        self.link.types.intern(Type::Int { rank: Rank::LongLong, signed: false })
    }

    fn float(&mut self, node: &ast::Float) -> Result<Value> {
        let parsed = match node.base {
            ast::FloatBase::Decimal => node.number.parse::<f64>().ok(),
            ast::FloatBase::Hexadecimal => hex_float(&node.number),
        };
        if node.suffix.imaginary {
            return Ok(self.imaginary());
        }
        let Some(value) = parsed else {
            let double = self.link.types.intern(Type::Double);
            return Ok(self.unsupported_value("this floating constant", double));
        };
        let format = match &node.suffix.format {
            ast::FloatFormat::TS18661Format(sized) => match self.sized_float(sized) {
                Type::Float => ast::FloatFormat::Float,
                Type::Double => ast::FloatFormat::Double,
                Type::LongDouble => ast::FloatFormat::LongDouble,
                other => {
                    let ty = self.link.types.intern(other);
                    let what = format!("a constant of type `{}`", self.link.types.name(ty));
                    return Ok(self.unsupported_value(&what, ty));
                }
            },
            format => format.clone(),
        };
        let (ty, bits) = match format {
            ast::FloatFormat::Float => {
                let single = match node.base {
                    ast::FloatBase::Decimal => node.number.parse().unwrap_or(value as f32),
                    ast::FloatBase::Hexadecimal => value as f32,
                };
                (Type::Float, u64::from(single.to_bits()))
            }
            ast::FloatFormat::LongDouble => {
                let hexadecimal = node.base == ast::FloatBase::Hexadecimal;
                return Ok(self.long_double(&node.number, hexadecimal.then_some(value)));
            }
            _ => (Type::Double, value.to_bits()),
        };
        let ty = self.link.types.intern(ty);
        Ok(Value::Scalar { op: self.bits(bits, ty), ty })
    }

    fn imaginary(&mut self) -> Value {
        let ty = self.link.types.intern(super::decl::complex_type(&Type::Double));
        self.unsupported_value("complex numbers", ty)
    }

    fn character(&mut self, text: &str) -> Result<Value> {
        let quoted = text.trim_start_matches(['L', 'u', 'U', '8']);
        let wide = quoted.len() < text.len();
        let inner = quoted.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).unwrap_or(quoted);
        let units = if wide { unescape(inner) } else { unescape_bytes(inner) };
        let value = match (wide, units.as_slice()) {
            (_, []) => return Err(self.error("empty character constant")),
            (true, [c, ..]) => i64::from(*c),
            (false, [c]) if *c < 256 => i64::from(*c as u8 as i8),
            (false, many) => many.iter().fold(0, |v, c| (v << 8) | i64::from(*c & 0xff)),
        };
        let (rank, signed) = match text.split('\'').next() {
            Some("u") => (Rank::Short, false),
            Some("U") => (Rank::Int, false),
            Some("u8") => (Rank::Char, false),
            _ => (Rank::Int, true),
        };
        let ty = self.link.types.intern(Type::Int { rank, signed });
        Ok(Value::Scalar { op: self.bits(value as u64, ty), ty })
    }

    /// Element type and elements of adjacent string literals, with the closing zero.
    pub(crate) fn string_units(&mut self, literal: &ast::StringLiteral) -> (TypeId, Vec<u32>) {
        let prefix = |s: &String| s.split('"').next().unwrap_or("").to_owned();
        let widest = literal.iter().map(prefix).find(|p| !p.is_empty() && p != "u8");
        let mut units = Vec::new();
        for part in literal {
            let inner = part.split_once('"').map_or("", |p| p.1);
            let inner = inner.strip_suffix('"').unwrap_or(inner);
            match widest {
                None => units.extend(unescape_bytes(inner)),
                Some(_) => units.extend(unescape(inner)),
            }
        }
        units.push(0);
        let (rank, signed) = match widest.as_deref() {
            Some("L") => (Rank::Int, true),
            Some("U") => (Rank::Int, false),
            Some("u") => (Rank::Short, false),
            _ => (Rank::Char, true),
        };
        (self.link.types.intern(Type::Int { rank, signed }), units)
    }

    /// A string literal as an object.
    pub fn string(&mut self, literal: &ast::StringLiteral) -> Value {
        let (elem, units) = self.string_units(literal);
        let width = self.link.types.size(elem).unwrap_or(1);
        let len = Some(units.len() as u64);
        let ty = self.link.types.intern(Type::Array { elem, len });
        let bytes: Vec<u8> =
            units.iter().flat_map(|u| u.to_le_bytes()[..width as usize].to_vec()).collect();
        let name = literal.concat();
        let object = self.link.constant_object(name, ty, bytes);
        self.link.literals.push(object);
        Value::Memory { addr: Operand::Object { object, offset: 0 }, ty }
    }

    /// A constant operand of scalar type `ty`, cut to its width.
    pub fn bits(&self, bits: u64, ty: TypeId) -> Operand {
        let scalar = self.link.types.scalar(ty).unwrap_or(Scalar::I32);
        self.scalar_const(bits, scalar)
    }

    pub(crate) fn scalar_const(&self, bits: u64, ty: Scalar) -> Operand {
        Operand::Const { bits: ir::fold::truncate(self.link.types.machine, ty, bits), ty }
    }
}

/// Bytes of a narrow literal; characters outside ASCII are UTF-8.
fn unescape_bytes(text: &str) -> Vec<u32> {
    let mut bytes = Vec::new();
    for unit in Escapes(text.chars().peekable()) {
        match unit {
            Unescaped::Char(c) => {
                bytes.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
            }
            Unescaped::Code(code) => bytes.push(code & 0xff),
        }
    }
    bytes
}

fn unescape(text: &str) -> Vec<u32> {
    let unit = |u| match u {
        Unescaped::Char(c) => c as u32,
        Unescaped::Code(code) => code,
    };
    Escapes(text.chars().peekable()).map(unit).collect()
}

enum Unescaped {
    Char(char),
    /// A numeric escape: one unit, whatever it means as a character.
    Code(u32),
}

struct Escapes<'t>(std::iter::Peekable<std::str::Chars<'t>>);

impl Iterator for Escapes<'_> {
    type Item = Unescaped;

    fn next(&mut self) -> Option<Unescaped> {
        let c = self.0.next()?;
        if c != '\\' {
            return Some(Unescaped::Char(c));
        }
        let code = match self.0.next()? {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            'x' => self.digits(16, usize::MAX, 0),
            'u' => return Some(self.universal(4)),
            'U' => return Some(self.universal(8)),
            d @ '0'..='7' => {
                let first = d as u32 - '0' as u32;
                self.digits(8, 2, first)
            }
            other => return Some(Unescaped::Char(other)),
        };
        Some(Unescaped::Code(code))
    }
}

impl Escapes<'_> {
    fn digits(&mut self, radix: u32, most: usize, first: u32) -> u32 {
        let mut value = first;
        for _ in 0..most {
            let Some(digit) = self.0.peek().and_then(|c| c.to_digit(radix)) else { break };
            value = value.wrapping_mul(radix).wrapping_add(digit);
            self.0.next();
        }
        value
    }

    fn universal(&mut self, digits: usize) -> Unescaped {
        let code = self.digits(16, digits, 0);
        char::from_u32(code).map_or(Unescaped::Code(code), Unescaped::Char)
    }
}

/// `1.8p3` without its `0x`; exact as long as the digits fit 64 bits.
fn hex_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let value = u64::from_str_radix(&digits, 16).ok()?;
    Some(value as f64 * 2f64.powi(exponent - 4 * fraction.len() as i32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::testing::{ILP32, LP64, error, has, ir, object, program, type_on, value};

    #[test]
    fn escapes() {
        assert_eq!(unescape_bytes(r"a\n\x41\101\0z"), [97, 10, 65, 65, 0, 122]);
        assert_eq!(unescape_bytes(r"\u00e9"), [0xc3, 0xa9]);
        assert_eq!(unescape(r"\u00e9"), [0xe9]);
        assert_eq!(unescape_bytes(r#"\"\\\'"#), [34, 92, 39]);
    }

    #[test]
    fn hexadecimal_floats() {
        assert_eq!(hex_float("1.8p3"), Some(12.0));
        assert_eq!(hex_float("ffp-4"), Some(15.9375));
        assert_eq!(hex_float("1.8"), None);
    }

    #[test]
    fn the_first_type_that_holds_an_integer() {
        for (text, lp64, ilp32) in [
            ("2147483647", "int", "int"),
            ("2147483648", "long", "long long"),
            ("0x7fffffff", "int", "int"),
            ("0x80000000", "unsigned int", "unsigned int"),
            ("0x100000000", "long", "long long"),
            ("0x8000000000000000", "unsigned long", "unsigned long long"),
            ("037777777777", "unsigned int", "unsigned int"),
            ("1u", "unsigned int", "unsigned int"),
            ("4294967296u", "unsigned long", "unsigned long long"),
            ("1l", "long", "long"),
            ("4294967295l", "long", "long long"),
            ("1ul", "unsigned long", "unsigned long"),
            ("1ll", "long long", "long long"),
            ("1ull", "unsigned long long", "unsigned long long"),
            ("\'a\'", "int", "int"),
            ("1.0", "double", "double"),
            ("1.0f", "float", "float"),
        ] {
            assert_eq!(type_on(LP64, "", text), lp64, "{text}");
            assert_eq!(type_on(ILP32, "", text), ilp32, "{text}");
        }
        assert_eq!(
            error("int x = 0x10000000000000000;"),
            "1:9: this integer constant is too large"
        );
    }

    #[test]
    fn characters() {
        for (text, number) in [
            ("\'a\'", 97),
            (r"'\377'", -1),
            (r"'\xff'", -1),
            (r"'\0'", 0),
            ("\'ab\'", 24930),
            (r"'\\'", 92),
            (r"L'\xff'", 255),
            ("\'é\'", 0xc3a9),
            ("L\'é\'", 0xe9),
        ] {
            assert_eq!(value("", text), number, "{text}");
        }
    }

    #[test]
    fn floating_constants_keep_their_precision() {
        has(&ir("double f(void) { return 0.1; }"), &["return 0.1"]);
        has(&ir("float f(void) { return 16777217.0f; }"), &["return 16777216.0f"]);
        has(&ir("double f(void) { return 0x1.8p1; }"), &["return 3.0"]);
    }

    #[test]
    fn adjacent_strings_are_one_and_wide_ones_are_wider() {
        let p = program(r#"char a[] = "x" "yz"; unsigned short u[] = u"ab"; int w[] = L"é";"#);
        assert_eq!(object(&p, "a"), r#"global char [4], 4 bytes = "xyz""#);
        assert_eq!(object(&p, "u"), "global unsigned short [3], 6 bytes = [61 00 62]");
        assert_eq!(object(&p, "w"), "global int [2], 8 bytes = [e9]");
        assert_eq!(value("", r#"sizeof("a\0b" "c")"#), 5);
    }
}
