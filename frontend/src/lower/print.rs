//! `printf` and its kin with a literal format, whose result is not used.
//!
//! Printing changes nothing that a program can see, but it reads: the stream, and each `%s` argument
//! up to its end or precision. The format is known here, so that is all that is left of the call: a
//! program that prints numbers gets nothing from it. (A format that is not literal, `%n` and a result
//! that is used are for `models/print.c`, which goes through the format at run time.)
//!
//! A null pointer for `%s` is an invalid access, as C has it; glibc prints `(null)`.

use super::call::Args;
use super::sequence::{Got, Part, Wanted};
use super::{Result, Unit, Value};
use ir::types::{Rank, Type};
use ir::*;
use lang_c::ast;
use lang_c::span::Node;

/// The model that reads a string up to its end or a limit, and that of a wide string.
const READ: &str = "__obmc_read_string";
const READ_WIDE: &str = "__obmc_read_wide_string";
/// The model that knows what a null pointer is for both.
const IS_THERE: &str = "__obmc_text_is_there";
/// The models that use a stream or a file, and that are only a place where a thread may be cancelled.
const USE_STREAM: &str = "__obmc_print_to";
const USE_FILE: &str = "__obmc_print_to_file";
const PRINT: &str = "__obmc_print";

/// What a printing function has for arguments, by position.
struct Printer {
    /// What it prints to, if that is an argument: the first one. By the model that uses it.
    uses: Option<&'static str>,
    format: usize,
}

fn printer(name: &str) -> Option<Printer> {
    let (uses, format) = match name {
        "printf" | "wprintf" | "warn" | "warnx" => (None, 0),
        "syslog" | "__printf_chk" | "__wprintf_chk" => (None, 1),
        "__syslog_chk" => (None, 2),
        "dprintf" => (Some(USE_FILE), 1),
        "__dprintf_chk" => (Some(USE_FILE), 2),
        "fprintf" | "fwprintf" => (Some(USE_STREAM), 1),
        "__fprintf_chk" | "__fwprintf_chk" => (Some(USE_STREAM), 2),
        _ => return None,
    };
    Some(Printer { uses, format })
}

/// An argument that a format asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FormatArgument {
    /// A number, or anything else that is not looked into.
    Value,
    /// A precision, for the string that comes next.
    Limit,
    String {
        wide: bool,
        limit: Limit,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Limit {
    None,
    Chars(i64),
    /// The argument before; a negative one is none.
    Argument,
}

impl Unit<'_> {
    /// A call whose result is not used. `None` if it is no printing that is decided here.
    pub fn print(&mut self, name: &str, args: Args, at: Span) -> Result<Option<Value>> {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        let Some(printer) = printer(name).filter(|_| !self.defined.contains(name)) else {
            return Ok(None);
        };
        let format = args.get(printer.format).map(|format| &format.node);
        let Some(ast::Expression::StringLiteral(literal)) = format else { return Ok(None) };
        let (_, units) = self.string_units(&literal.node);
        let rest = &args[printer.format + 1..];
        let Some(wanted) = wanted(&units).filter(|wanted| wanted.len() <= rest.len()) else {
            return Ok(None);
        };
        let parts = args.iter().enumerate().filter(|(i, _)| *i != printer.format);
        let parts: Vec<Part> = parts.map(|(_, arg)| (Wanted::Value, arg)).collect();
        let mut values = self.unsequenced(&parts)?.into_iter().map(|got| match got {
            Got::Value(value) => value,
            Got::Place(_) | Got::Updated(..) => Value::Void,
        });
        let front: Vec<Value> = values.by_ref().take(printer.format).collect();
        let target = match (printer.uses, front.first()) {
            (Some(model), Some(value)) => {
                let value = self.promote_argument(*value)?;
                Some((model, self.scalar(value, "a stream or a file")?.0))
            }
            _ => None,
        };
        self.at = at;
        let mut limit = Value::Void;
        for (wanted, (value, arg)) in wanted.into_iter().zip(values.zip(rest)) {
            match wanted {
                FormatArgument::Value => {}
                FormatArgument::Limit => limit = value,
                FormatArgument::String { wide, limit: most } => {
                    self.read_string(wide, value, arg, (most, limit))?;
                }
            }
        }
        self.at = at;
        match target {
            Some((model, target)) => self.call_model(model, vec![target]),
            None => self.call_model(PRINT, Vec::new()),
        }
        Ok(Some(Value::Void))
    }

    fn read_string(
        &mut self,
        wide: bool,
        value: Value,
        arg: &Node<ast::Expression>,
        (most, given): (Limit, Value),
    ) -> Result<()> {
        let value = self.promote_argument(value)?;
        let (string, ty, _) = self.scalar(value, "the argument of `%s`")?;
        self.mark(arg.span);
        if self.pointee(ty).is_none() {
            let what = "a number as the argument of `%s`".into();
            self.emit(InstKind::Unsupported { what });
            return Ok(());
        }
        if !wide && self.is_known_string(string) {
            return Ok(());
        }
        let long = self.link.types.intern(Type::Int { rank: Rank::Long, signed: true });
        let limit = match most {
            Limit::None => self.bits(u64::MAX, long),
            Limit::Chars(n) => self.bits(n as u64, long),
            Limit::Argument => {
                let limit = self.convert(given, long)?;
                self.scalar(limit, "a precision")?.0
            }
        };
        self.call_model(IS_THERE, vec![string]);
        self.call_model(if wide { READ_WIDE } else { READ }, vec![string, limit]);
        Ok(())
    }

    /// A constant that ends: reading it can go wrong in no way.
    fn is_known_string(&self, string: Operand) -> bool {
        let Operand::Object { object, offset } = string else { return false };
        let object = &self.link.objects[object.index()];
        let rest = usize::try_from(offset).ok().and_then(|offset| object.bytes.get(offset..));
        object.kind == ObjectKind::Constant && rest.is_some_and(|rest| rest.contains(&0))
    }

    pub(crate) fn call_model(&mut self, name: &str, args: Vec<Operand>) {
        let callee = Callee::Direct(self.function_named(name));
        self.emit(InstKind::Call { dst: None, callee, args });
    }
}

/// Is this a call, with nothing around it but parentheses and `(void)`?
pub(crate) fn is_call(mut node: &ast::Expression) -> bool {
    while let ast::Expression::Cast(cast) = node {
        let specifiers = &cast.node.type_name.node.specifiers;
        let is_void = |s: &Node<ast::SpecifierQualifier>| {
            matches!(&s.node, ast::SpecifierQualifier::TypeSpecifier(t)
                if t.node == ast::TypeSpecifier::Void)
        };
        if !matches!(specifiers.as_slice(), [only] if is_void(only))
            || cast.node.type_name.node.declarator.is_some()
        {
            return false;
        }
        node = &cast.node.expression.node;
    }
    matches!(node, ast::Expression::Call(_))
}

/// The arguments that a format asks for; `None` if it has a conversion that is not decided here.
fn wanted(format: &[u32]) -> Option<Vec<FormatArgument>> {
    let format: String = format.iter().map(|&c| char::from_u32(c).unwrap_or('?')).collect();
    let mut found = Vec::new();
    let mut rest = format.split('\0').next().unwrap_or("");
    while let Some((_, after)) = rest.split_once('%') {
        let (conversion, after) = conversion(after)?;
        found.extend(conversion);
        rest = after;
    }
    Some(found)
}

/// What the conversion at the beginning of the text asks for, and the text behind it.
fn conversion(text: &str) -> Option<(Vec<FormatArgument>, &str)> {
    let mut found = Vec::new();
    let mut rest = text.trim_start_matches(['-', '0', '+', ' ', '#', '\'']);
    rest = number_or_star(rest, &mut found, FormatArgument::Value).1;
    let mut limit = Limit::None;
    if let Some(precision) = rest.strip_prefix('.') {
        let starred = precision.starts_with('*');
        let (number, after) = number_or_star(precision, &mut found, FormatArgument::Limit);
        limit = if starred { Limit::Argument } else { Limit::Chars(number) };
        rest = after;
    }
    let long = rest.starts_with('l');
    rest = rest.trim_start_matches(['h', 'l', 'q', 'j', 'z', 't', 'L', 'Z']);
    let letter = rest.chars().next()?;
    match letter {
        '%' | 'm' => {}
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'c' | 'C' | 'f' | 'F' | 'g' | 'G' | 'e' | 'E' | 'a'
        | 'A' | 'p' => found.push(FormatArgument::Value),
        's' | 'S' => found.push(FormatArgument::String { wide: long || letter == 'S', limit }),
        _ => return None,
    }
    Some((found, &rest[1..]))
}

fn number_or_star<'t>(
    text: &'t str,
    found: &mut Vec<FormatArgument>,
    star: FormatArgument,
) -> (i64, &'t str) {
    if let Some(rest) = text.strip_prefix('*') {
        found.push(star);
        return (0, rest);
    }
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (text[..text.len() - rest.len()].parse().unwrap_or(0), rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::testing::{has, hasnt, ir};

    const DECLARED: &str = "int printf(const char *, ...);";

    fn body(text: &str) -> String {
        ir(&format!("{DECLARED} void f(int n, char *s, int *p) {{ {text} }}"))
    }

    fn asked(format: &str) -> Option<Vec<FormatArgument>> {
        wanted(&format.chars().map(u32::from).chain([0]).collect::<Vec<u32>>())
    }

    #[test]
    fn numbers_cost_nothing() {
        for text in ["printf(\"%d %5.2f%%\\n\", n, 1.5);", "(void)printf(\"%s\", \"literal\");"] {
            hasnt(&body(text), &["call"]);
        }
    }

    #[test]
    fn strings_are_read() {
        has(&body("printf(\"%s\", s);"), &["call __obmc_read_string(s.1, -1)"]);
        has(&body("printf(\"%d%-10.3s\", n, s);"), &["call __obmc_read_string(s.1, 3)"]);
        has(
            &body("printf(\"%*.*s\", 4, n, s);"),
            &["cast i32 to i64 n.0", "call __obmc_read_string(s.1, %"],
        );
        has(&body("printf(\"%s\", n);"), &["unsupported"]);
    }

    #[test]
    fn the_model_does_the_rest() {
        for text in [
            "printf(s);",
            "printf(\"%n\", p);",
            "printf(\"%1$s\", s);",
            "printf(\"%d\");",
            "n = printf(\"x\");",
            "if (printf(\"x\")) n = 1;",
        ] {
            has(&body(text), &["call printf("]);
        }
    }

    #[test]
    fn what_formats_ask_for() {
        let string = |limit| FormatArgument::String { wide: false, limit };
        assert_eq!(asked("no"), Some(vec![]));
        assert_eq!(asked("%%%d%m"), Some(vec![FormatArgument::Value]));
        assert_eq!(asked("%.s"), Some(vec![string(Limit::Chars(0))]));
        assert_eq!(asked("%.*s"), Some(vec![FormatArgument::Limit, string(Limit::Argument)]));
        assert_eq!(
            asked("%ls"),
            Some(vec![FormatArgument::String { wide: true, limit: Limit::None }])
        );
        assert_eq!(asked("%"), None);
        assert_eq!(asked("%n"), None);
    }
}
