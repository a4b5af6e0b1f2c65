//! Conditions of witnesses: C expressions over variables and numbers.
//!
//! What is not understood (a pointer that is followed, a cast, a call) is no condition at all: the
//! search then allows more than the witness does, which costs time and never a right answer.

use ir::arith::wrap;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    Number(i128),
    /// A variable, and the path to a part of it such as `[2].next`.
    Variable(String, String),
    /// `\result`
    Result,
    Not(Box<Expression>),
    Minus(Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
}

/// A number, and the width and sign of the variable that it comes from.
pub type Number = (i128, Option<(u8, bool)>);

/// Longest first, by how tightly they bind.
const OPERATORS: &[&[&str]] =
    &[&["||"], &["&&"], &["==", "!="], &["<=", ">=", "<", ">"], &["+", "-"], &["*", "%"]];

/// Conditions separated by `;` or `&&`. `None` for each that is not understood.
pub fn conditions(text: &str) -> Vec<Option<Expression>> {
    let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
    parts.flat_map(conjuncts).map(parse).collect()
}

/// The parts of `a && b && c`. A single one can say which value an open variable is to have.
fn conjuncts(text: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut parts) = (0_i32, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ if depth > 0 => {}
            // Binds less tightly: this is no conjunction.
            '?' => return vec![text],
            '|' if text[i..].starts_with("||") => return vec![text],
            '&' if i >= begin && text[i..].starts_with("&&") => {
                parts.push(&text[begin..i]);
                begin = i + 2;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}

pub fn parse(text: &str) -> Option<Expression> {
    let mut parser = Parser { rest: text.trim() };
    let expression = parser.level(0)?;
    parser.rest.is_empty().then_some(expression)
}

impl Expression {
    /// `None`: cannot be told.
    pub fn value(&self, look: &mut impl FnMut(&Expression) -> Option<Number>) -> Option<Number> {
        match self {
            Expression::Number(n) => Some((*n, None)),
            Expression::Variable(..) | Expression::Result => look(self),
            Expression::Not(a) => Some((i128::from(a.value(look)?.0 == 0), None)),
            Expression::Minus(a) => Some((a.value(look)?.0.checked_neg()?, None)),
            Expression::Binary("&&", a, b) => truth(a.value(look), b.value(look), false),
            Expression::Binary("||", a, b) => truth(a.value(look), b.value(look), true),
            Expression::Binary(op, a, b) => binary(op, a.value(look)?, b.value(look)?),
        }
    }

    /// `x == 5`: what must be, and which value.
    pub fn equation(&self) -> Option<(&Expression, i128)> {
        let Expression::Binary("==", a, b) = self else { return None };
        match (a.constant(), b.constant()) {
            (None, Some(n)) => Some((a, n)),
            (Some(n), None) => Some((b, n)),
            _ => None,
        }
    }

    fn constant(&self) -> Option<i128> {
        self.value(&mut |_| None).map(|(n, _)| n)
    }
}

/// One side can decide although the other is not known.
fn truth(a: Option<Number>, b: Option<Number>, decides: bool) -> Option<Number> {
    let known = |n: Option<Number>| n.map(|(n, _)| n != 0);
    let (a, b) = (known(a), known(b));
    if a == Some(decides) || b == Some(decides) {
        return Some((i128::from(decides), None));
    }
    (a.is_some() && b.is_some()).then_some((i128::from(!decides), None))
}

fn binary(op: &str, (a, left): Number, (b, right): Number) -> Option<Number> {
    // A number that is compared with a variable means what it becomes in that variable.
    let fit =
        |n: i128, ty: Option<(u8, bool)>| ty.map_or(n, |(bits, signed)| wrap(n, bits, signed));
    let (x, y) = (
        if left.is_none() { fit(a, right) } else { a },
        if right.is_none() { fit(b, left) } else { b },
    );
    let number = match op {
        "==" => i128::from(x == y),
        "!=" => i128::from(x != y),
        "<" => i128::from(a < b),
        ">" => i128::from(a > b),
        "<=" => i128::from(a <= b),
        ">=" => i128::from(a >= b),
        "+" => a.checked_add(b)?,
        "-" => a.checked_sub(b)?,
        "*" => a.checked_mul(b)?,
        "%" => a.checked_rem(b)?,
        _ => return None,
    };
    Some((number, None))
}

/// Names as the front-end has them.
fn encoded(name: &str) -> String {
    ir::names::encode(name).into_owned()
}

struct Parser<'t> {
    rest: &'t str,
}

impl Parser<'_> {
    fn level(&mut self, level: usize) -> Option<Expression> {
        let Some(operators) = OPERATORS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        while let Some(op) = operators.iter().find(|op| self.rest.starts_with(**op)) {
            self.skip(op.len());
            let right = self.level(level + 1)?;
            left = Expression::Binary(op, Box::new(left), Box::new(right));
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Expression> {
        let first = self.rest.chars().next()?;
        match first {
            '(' => {
                self.skip(1);
                let inside = self.level(0)?;
                self.rest.starts_with(')').then(|| self.skip(1))?;
                Some(inside)
            }
            '!' => {
                self.skip(1);
                Some(Expression::Not(Box::new(self.unary()?)))
            }
            '-' => {
                self.skip(1);
                Some(Expression::Minus(Box::new(self.unary()?)))
            }
            '\\' => {
                self.rest.starts_with("\\result").then(|| self.skip("\\result".len()))?;
                Some(Expression::Result)
            }
            '0'..='9' => self.number(),
            'a'..='z' | 'A'..='Z' | '_' => self.variable(),
            _ => None,
        }
    }

    fn number(&mut self) -> Option<Expression> {
        let word = self.word(|c| c.is_ascii_alphanumeric());
        let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
        let number = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
            Some(hex) => i128::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        Some(Expression::Number(number.ok()?))
    }

    fn variable(&mut self) -> Option<Expression> {
        let name = self.word(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
        let mut path = String::new();
        loop {
            let next = self.rest.chars().next();
            match next {
                Some('.') => {
                    self.skip(1);
                    let member = self.word(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
                    path += &format!(".{}", encoded(&member));
                }
                Some('[') => {
                    self.skip(1);
                    path += &format!("[{}]", self.word(|c| c.is_ascii_digit()));
                    self.rest.starts_with(']').then(|| self.skip(1))?;
                }
                // A call, or a pointer that is followed.
                Some('(') => return None,
                _ if self.rest.starts_with("->") => return None,
                _ => return Some(Expression::Variable(encoded(&name), path)),
            }
        }
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let word = self.rest[..end].to_string();
        self.skip(end);
        word
    }

    fn skip(&mut self, count: usize) {
        self.rest = self.rest[count..].trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x` is an int that is 5, `c` a char that is -1, `y` is not known.
    fn value(text: &str) -> Option<i128> {
        let mut look = |e: &Expression| match e {
            Expression::Variable(name, path) if name == "x" && path.is_empty() => {
                Some((5, Some((32, true))))
            }
            Expression::Variable(name, _) if name == "c" => Some((-1, Some((8, true)))),
            Expression::Result => Some((7, None)),
            _ => None,
        };
        parse(text).and_then(|e| e.value(&mut look)).map(|(n, _)| n)
    }

    #[test]
    fn conditions_are_evaluated() {
        for text in [
            "x == 5",
            "(x >= 5) && !(x == 6)",
            "x + 1 == 3 * 2",
            "x == 5 || y",
            "c == 255",
            "-1 == c",
            "\\result == 7",
            "x==0x5",
            "x == 4294967301",
            "1",
        ] {
            assert_eq!(value(text), Some(1), "{text}");
        }
        for text in ["x == 6", "x < 5", "y && 0", "!x", "c == 254"] {
            assert_eq!(value(text), Some(0), "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_no_condition() {
        for text in
            ["y == 1", "y && x", "*x == 5", "f(x)", "p->x == 1", "(int)x == 5", "", "x ==", "ü"]
        {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn conjunctions_are_taken_apart() {
        let parts = |text| conditions(text).into_iter().collect::<Vec<_>>();
        assert_eq!(parts("x == 1 && (y || z); w"), ["x == 1", "y || z", "w"].map(parse));
        assert_eq!(parts("*p == 1 && x == 2"), [None, parse("x == 2")]);
        assert_eq!(parts("x && y || z"), [parse("x && y || z")]);
        assert_eq!(parts("a[1] == 1&&b"), ["a[1] == 1", "b"].map(parse));
        assert_eq!(parts("x &&"), [parse("x"), None]);
    }

    #[test]
    fn parts_of_variables() {
        let want = Expression::Variable("s".into(), ".a[1].b".into());
        assert_eq!(parse("s . a [ 1 ].b"), Some(want));
    }

    #[test]
    fn equations() {
        let e = parse("x == -3").expect("an expression");
        assert_eq!(e.equation(), Some((&Expression::Variable("x".into(), String::new()), -3)));
        assert_eq!(parse("x < 3").expect("an expression").equation(), None);
    }
}
