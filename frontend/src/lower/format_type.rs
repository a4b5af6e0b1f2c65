//! Arguments of `printf`, `scanf` and their kin, held against the conversions of a literal format.
//!
//! An argument of another type than its conversion asks for is undefined (C11 7.21.6.1p9, 7.21.6.2p10). What the machine
//! does depends on it:
//! - Printing whose result is not used reads a register or eight bytes of the stack, and nothing that the program sees
//!   depends on what is printed: an assumption of the verdict.
//! - A text or a count that the program gets, and what `scanf` stores through a pointer to something else: not modelled.
//! - A conversion without an argument: not modelled.
//!
//! Signs do not count (the values that both types have are printed alike), nor does what a pointer points to that is
//! printed. Positions (`%2$d`) and conversions that are not known are left to the models.

use super::Unit;
use super::call::Args;
use ir::InstKind;
use ir::types::{Machine, Type, TypeId};
use lang_c::ast;

const PRINTED: &str = "an argument that has another type than its conversion is printed in some way (C leaves it undefined)";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Direction {
    Print,
    Scan,
}

/// Where the format is.
fn format_of(name: &str) -> Option<(Direction, usize)> {
    let bare = ["__isoc99_", "__isoc23_", "__builtin_"].iter().find_map(|p| name.strip_prefix(p));
    Some(match bare.unwrap_or(name) {
        "printf" | "wprintf" | "warn" | "warnx" => (Direction::Print, 0),
        "fprintf" | "dprintf" | "sprintf" | "asprintf" | "syslog" | "err" | "errx" | "fwprintf"
        | "__printf_chk" => (Direction::Print, 1),
        "snprintf" | "swprintf" | "__fprintf_chk" | "__dprintf_chk" => (Direction::Print, 2),
        "__sprintf_chk" => (Direction::Print, 3),
        "__snprintf_chk" => (Direction::Print, 4),
        "scanf" => (Direction::Scan, 0),
        "fscanf" | "sscanf" => (Direction::Scan, 1),
        _ => return None,
    })
}

/// What an argument, or what it points to, is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ArgumentKind {
    /// An integer of so many bytes.
    Number(u64),
    Float,
    Double,
    LongDouble,
    Pointer,
    Other,
}

/// What a conversion asks for, with its words.
struct Conversion {
    wanted: ArgumentKind,
    text: String,
}

impl Unit<'_> {
    /// Of a call by name; `discarded`: its result is not used.
    pub fn note_format(&mut self, name: &str, args: Args, discarded: bool) -> super::Result<()> {
        let Some((direction, at)) = format_of(name).filter(|_| !self.defined.contains(name)) else {
            return Ok(());
        };
        let Some(ast::Expression::StringLiteral(literal)) = args.get(at).map(|a| &a.node) else {
            return Ok(());
        };
        let (_, units) = self.string_units(&literal.node);
        let text: String = units.iter().map(|&c| char::from_u32(c).unwrap_or('?')).collect();
        let Some(conversions) = conversions(&text, direction, self.link.types.machine) else {
            return Ok(());
        };
        let given = &args[at + 1..];
        let unseen = discarded
            && !["sprintf", "snprintf", "asprintf", "swprintf"].iter().any(|f| name.contains(f));
        let start = self.at;
        for (i, conversion) in conversions.iter().enumerate() {
            let Some(arg) = given.get(i) else {
                let what = format!("`{}` without an argument", conversion.text);
                self.emit(InstKind::Unsupported { what });
                break;
            };
            let ty = self.type_of(arg)?;
            let kind = match direction {
                Direction::Print => self.printed_kind(ty),
                Direction::Scan => self.scanned_kind(ty, conversion.wanted),
            };
            // Strings are looked at where they are read.
            if kind == conversion.wanted
                || direction == Direction::Print && conversion.text.ends_with('s')
            {
                continue;
            }
            self.mark(arg.span);
            if direction == Direction::Print && unseen {
                let known =
                    self.link.ignored.iter().any(|(text, at)| text == PRINTED && *at == self.at);
                if !known {
                    self.link.ignored.push((PRINTED.to_owned(), self.at));
                }
            } else {
                let what = format!("an argument of another type than `{}`", conversion.text);
                self.emit(InstKind::Unsupported { what });
            }
        }
        self.at = start;
        Ok(())
    }

    fn printed_kind(&self, ty: TypeId) -> ArgumentKind {
        match self.kind_of(ty) {
            ArgumentKind::Number(bytes) => ArgumentKind::Number(bytes.max(4)),
            ArgumentKind::Float => ArgumentKind::Double,
            kind => kind,
        }
    }

    /// Of what a pointer points to, where that is known.
    fn scanned_kind(&self, ty: TypeId, wanted: ArgumentKind) -> ArgumentKind {
        match self.link.types.get(self.link.types.strip_atomic(ty)) {
            Type::Pointer(to)
            | Type::Array { elem: to, .. }
            | Type::VariableArray { elem: to, .. } => match self.link.types.get(to.bare()) {
                Type::Void => wanted,
                _ => self.kind_of(*to),
            },
            _ => ArgumentKind::Other,
        }
    }

    fn kind_of(&self, ty: TypeId) -> ArgumentKind {
        let types = &self.link.types;
        match types.get(types.strip_atomic(ty)) {
            Type::Bool => ArgumentKind::Number(1),
            Type::Int { .. } => types.size(ty).map_or(ArgumentKind::Other, ArgumentKind::Number),
            Type::Float => ArgumentKind::Float,
            Type::Double => ArgumentKind::Double,
            Type::LongDouble => ArgumentKind::LongDouble,
            Type::Pointer(_)
            | Type::Array { .. }
            | Type::VariableArray { .. }
            | Type::Function(_) => ArgumentKind::Pointer,
            _ => ArgumentKind::Other,
        }
    }
}

/// One for each argument that the format asks for; `None` if it has a conversion that is not known.
fn conversions(format: &str, direction: Direction, machine: Machine) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut rest = format.split('\0').next().unwrap_or("");
    while let Some((_, after)) = rest.split_once('%') {
        let mut text = after;
        let mut suppressed = false;
        let int =
            |text: &str| Conversion { wanted: ArgumentKind::Number(4), text: text.to_owned() };
        match direction {
            Direction::Print => {
                text = text.trim_start_matches(['-', '0', '+', ' ', '#', '\'', 'I']);
                text = count(text, || found.push(int("*")));
                if let Some(precision) = text.strip_prefix('.') {
                    text = count(precision, || found.push(int("*")));
                }
            }
            Direction::Scan => {
                if let Some(more) = text.strip_prefix('*') {
                    (text, suppressed) = (more, true);
                }
                text = text.trim_start_matches(|c: char| c.is_ascii_digit());
            }
        }
        let end = text.trim_start_matches(['h', 'l', 'q', 'j', 'z', 't', 'L', 'Z']);
        let length = &text[..text.len() - end.len()];
        let letter = end.chars().next()?;
        rest = &end[letter.len_utf8()..];
        if letter == '[' {
            let set = rest.strip_prefix('^').unwrap_or(rest);
            let set = set.strip_prefix(']').unwrap_or(set);
            rest = set.split_once(']')?.1;
        }
        if letter == '%' || letter == 'm' && direction == Direction::Print {
            continue;
        }
        let wanted = wanted(length, letter, direction, machine)?;
        if !suppressed {
            found.push(Conversion { wanted, text: format!("%{length}{letter}") });
        }
    }
    Some(found)
}

/// A number, or a star that asks for an argument.
fn count(text: &str, star: impl FnOnce()) -> &str {
    match text.strip_prefix('*') {
        Some(rest) => {
            star();
            rest
        }
        None => text.trim_start_matches(|c: char| c.is_ascii_digit()),
    }
}

fn wanted(
    length: &str,
    letter: char,
    direction: Direction,
    machine: Machine,
) -> Option<ArgumentKind> {
    use ArgumentKind::{Double, Float, LongDouble, Number, Pointer};
    let print = direction == Direction::Print;
    let number = match length {
        "" => 4,
        "h" => 2,
        "hh" => 1,
        "l" | "z" | "t" | "Z" => machine.pointer_bytes(),
        "ll" | "q" | "j" | "L" => 8,
        _ => return None,
    };
    Some(match (letter, length) {
        ('d' | 'i' | 'u' | 'x' | 'X' | 'o', _) if print => Number(number.max(4)),
        ('d' | 'i' | 'u' | 'x' | 'X' | 'o' | 'n', _) if !print => Number(number),
        ('c' | 'C', _) if print => Number(4),
        ('c' | 's' | '[', "") if !print => Number(1),
        ('c' | 's' | '[', "l") if !print => Number(4),
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', "L") => LongDouble,
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', "l") => Double,
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', "") => {
            if print {
                Double
            } else {
                Float
            }
        }
        ('p' | 's' | 'S' | 'n', _) => Pointer,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{has, hasnt, ir};

    fn f(body: &str) -> String {
        let declared = "int printf(const char *, ...); int sprintf(char *, const char *, ...); \
                        int scanf(const char *, ...); int sscanf(const char *, const char *, ...);";
        ir(&format!(
            "{declared} void f(char *s, int n, long l, unsigned u, double d, float x, short h, void *p, \
             long *q) {{ {body} }}"
        ))
    }

    #[test]
    fn the_types_of_a_text_that_is_used_must_fit() {
        has(
            &f("sprintf(s, \"%ld\", n);"),
            &["unsupported \"an argument of another type than `%ld`\""],
        );
        has(&f("sprintf(s, \"%d\", d);"), &["unsupported"]);
        has(&f("sprintf(s, \"%d %d\", n);"), &["unsupported \"`%d` without an argument\""]);
        has(&f("printf(\"%d %d\", n);"), &["unsupported \"`%d` without an argument\""]);
        hasnt(
            &f(
                "sprintf(s, \"%5.*f %d%% %u %hhd %c %s %p %ld %zu\", n, x, u, n, h, 'c', s, q, l, l);",
            ),
            &["unsupported"],
        );
    }

    #[test]
    fn what_scanf_stores_must_fit() {
        has(&f("scanf(\"%ld\", &n);"), &["unsupported \"an argument of another type than `%ld`\""]);
        has(&f("scanf(\"%d\", q);"), &["unsupported"]);
        has(&f("scanf(\"%f\", &d);"), &["unsupported"]);
        hasnt(&f("scanf(\"%d %u %lf %f %hd %ld\", &u, &n, &d, &x, &h, q);"), &["unsupported"]);
        hasnt(&f("sscanf(s, \"%*d %[^]x] %d\", s, p);"), &["unsupported"]);
    }
}
