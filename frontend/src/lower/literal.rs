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
        if node.suffix.imaginary {
            return Ok(self.imaginary());
        }
        let parsed = match node.base {
            ast::FloatBase::Decimal => node.number.parse().ok().zip(node.number.parse().ok()),
            ast::FloatBase::Hexadecimal => {
                HexFloat::of(&node.number).map(|number| (number.double(), number.single()))
            }
        };
        let Some((double, single)) = parsed else {
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
            ast::FloatFormat::Float => (Type::Float, u64::from(f32::to_bits(single))),
            ast::FloatFormat::LongDouble => {
                let hexadecimal = node.base == ast::FloatBase::Hexadecimal;
                return Ok(self.long_double(&node.number, hexadecimal));
            }
            _ => (Type::Double, f64::to_bits(double)),
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
            match widest.as_deref() {
                None => units.extend(unescape_bytes(inner)),
                Some("u") => units.extend(unescape_utf16(inner)),
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

/// Units of a literal with the prefix `u`: characters above 0xffff are two.
fn unescape_utf16(text: &str) -> Vec<u32> {
    let mut units = Vec::new();
    for unit in Escapes(text.chars().peekable()) {
        match unit {
            Unescaped::Char(c) => {
                units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| u32::from(*unit)));
            }
            Unescaped::Code(code) => units.push(code & 0xffff),
        }
    }
    units
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

/// A hexadecimal floating constant: `mantissa * 2^power`. Digits that do not fit are told by the lowest bit of
/// the mantissa alone, which is enough to round to any format of less than 63 bits.
pub(super) struct HexFloat {
    mantissa: u64,
    power: i64,
    exact: bool,
}

impl HexFloat {
    /// `1.8p3`, without its `0x`.
    pub(super) fn of(text: &str) -> Option<HexFloat> {
        let (digits, exponent) = text.split_once(['p', 'P'])?;
        let (mut mantissa, mut power) = (0u64, exponent.parse::<i64>().ok()?);
        let (mut exact, mut fraction) = (true, false);
        for digit in digits.chars() {
            if digit == '.' {
                fraction = true;
                continue;
            }
            let digit = u64::from(digit.to_digit(16)?);
            if mantissa >> 60 == 0 {
                mantissa = mantissa << 4 | digit;
                power = power.checked_sub(if fraction { 4 } else { 0 })?;
            } else {
                exact &= digit == 0;
                power = power.checked_add(if fraction { 0 } else { 4 })?;
            }
        }
        Some(HexFloat { mantissa: mantissa | u64::from(!exact), power, exact })
    }

    /// Mantissa and power of two of a number that has no more than 64 bits.
    pub(super) fn exactly(&self) -> Option<(u64, i64)> {
        self.exact.then_some((self.mantissa, self.power))
    }

    fn double(&self) -> f64 {
        self.rounded(53, -1022, 1023)
    }

    fn single(&self) -> f32 {
        self.rounded(24, -126, 127) as f32
    }

    /// To the nearest number of a format with so many bits and exponents, to the even one of two.
    fn rounded(&self, bits: i64, lowest: i64, highest: i64) -> f64 {
        let length = 64 - i64::from(self.mantissa.leading_zeros());
        let Some(exponent) = self.power.checked_add(length - 1) else { return f64::INFINITY };
        if length == 0 || exponent < lowest - bits {
            return 0.0;
        }
        if exponent > highest {
            return f64::INFINITY;
        }
        // Below the lowest exponent there are less bits, down to none.
        let kept = bits - (lowest - exponent).max(0);
        let dropped = (length - kept).max(0);
        let wide = u128::from(self.mantissa);
        let mut mantissa = wide >> dropped;
        let rest = wide - (mantissa << dropped);
        let half = if dropped > 0 { 1 << (dropped - 1) } else { u128::MAX };
        if rest > half || (rest == half && mantissa & 1 == 1) {
            mantissa += 1;
        }
        mantissa as f64 * power_of_two(self.power + dropped)
    }
}

/// Also one that is not normal.
fn power_of_two(power: i64) -> f64 {
    match power {
        -1022.. => f64::from_bits(((power + 1023) as u64) << 52),
        _ => f64::from_bits(1 << (power + 1074)),
    }
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
        assert_eq!(unescape_utf16(r"a\U0001F600\xd83d"), [97, 0xd83d, 0xde00, 0xd83d]);
        assert_eq!(unescape_bytes(r#"\"\\\'"#), [34, 92, 39]);
    }

    #[test]
    fn hexadecimal_floats() {
        let double = |text| HexFloat::of(text).map(|number| number.double());
        assert_eq!(double("1.8p3"), Some(12.0));
        assert_eq!(double("ffp-4"), Some(15.9375));
        assert_eq!(double("0p99999"), Some(0.0));
        assert_eq!(double("1.8"), None);
        for (text, bits) in [
            ("1p-1074", 1),
            ("1p-1075", 0),
            ("1.1p-1075", 1),
            ("1.8p-1074", 2),
            ("1.fffffffffffffp-1023", 1 << 52),
            ("1.00000000000008p0", 0x3ff0_0000_0000_0000),
            ("1.000000000000080000001p0", 0x3ff0_0000_0000_0001),
            ("100000000000000000000000000000000p-128", 0x3ff0_0000_0000_0000),
            ("1.fffffffffffff7p1023", 0x7fef_ffff_ffff_ffff),
            ("1.fffffffffffff8p1023", 0x7ff0_0000_0000_0000),
            ("1p99999999999", 0x7ff0_0000_0000_0000),
        ] {
            assert_eq!(double(text).map(f64::to_bits), Some(bits), "{text}");
        }
        let single = |text| HexFloat::of(text).map(|number| number.single().to_bits());
        assert_eq!(single("1.000001p0"), Some(0x3f80_0000));
        assert_eq!(single("1.000001000000001p0"), Some(0x3f80_0001));
        assert_eq!(single("1.8p-150"), Some(1));
        assert_eq!(single("1p-150"), Some(0));
        assert_eq!(single("1.ffffffp127"), Some(0x7f80_0000));
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
