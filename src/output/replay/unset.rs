//! Values of local variables that a program leaves without an initial one.
//!
//! C lets such a variable be anything; in the compiled program it would be zero. Where the execution needs
//! another value, the declaration in the text that is compiled gets an initialiser that asks the scheduler
//! for it: `int y;` becomes `int y = (__typeof__(y)) obmc_unset(0);`. That is done for declarations whose line
//! names the variable once, in programs and in our models (whose open results are such variables); what is
//! declared in another way stays as it is, and a note says so.

use super::script::quoted;
use crate::preprocess::Unit;
use frontend::models::MODELS;

/// A local variable where it is declared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Declared {
    pub function: String,
    pub file: String,
    pub line: u32,
    pub name: String,
}

/// What a thread found in it when it came to the declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnsetValue {
    pub thread: u32,
    pub of: Declared,
    pub bits: u64,
}

/// All such values, in order, and the variables that get them.
#[derive(Clone, Default, Debug)]
pub struct Unset {
    pub values: Vec<UnsetValue>,
    /// By number. None before `settle`.
    places: Vec<Declared>,
}

impl Unset {
    /// Numbers the variables that need another value than zero. Gives those that cannot have it, with the value.
    pub fn settle(&mut self, units: &[Unit]) -> Vec<(Declared, u64)> {
        let mut unable = Vec::new();
        for value in self.values.iter().filter(|value| value.bits != 0) {
            let known = self.places.contains(&value.of)
                || unable.iter().any(|(of, _): &(Declared, u64)| *of == value.of);
            if known {
                continue;
            }
            let one = std::slice::from_ref(&value.of);
            let in_units = || units.iter().any(|unit| edited(&unit.text, None, one).is_some());
            let in_models = || {
                let model = MODELS.iter().find(|model| model.file == value.of.file);
                model.is_some_and(|m| edited(m.text.as_bytes(), Some(m.file), one).is_some())
            };
            match in_units() || in_models() {
                true => self.places.push(value.of.clone()),
                false => unable.push((value.of.clone(), value.bits)),
            }
        }
        unable
    }

    /// The text with initialisers; `file` is its name if it has no line markers.
    pub fn edit(&self, text: &[u8], file: Option<&str>) -> Vec<u8> {
        edited(text, file, &self.places).unwrap_or_else(|| text.to_vec())
    }

    /// Rows of the table `obmc_unsets`.
    pub fn rows(&self) -> Vec<String> {
        let row = |value: &UnsetValue| {
            let place = self.places.iter().position(|place| *place == value.of)?;
            let function = quoted(&value.of.function);
            Some(format!("{{ {}, {place}, {function}, {}ull }}", value.thread, value.bits))
        };
        self.values.iter().filter_map(row).collect()
    }
}

/// `None`: none of the places is in the text.
fn edited(text: &[u8], file: Option<&str>, places: &[Declared]) -> Option<Vec<u8>> {
    if places.is_empty() {
        return None;
    }
    let mut found = false;
    let mut at = (file.unwrap_or_default().to_owned(), 1);
    let mut result = Vec::with_capacity(text.len() + 100);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let words = String::from_utf8_lossy(line);
        if let Some(marker) = line_marker(&words) {
            at = marker;
            result.extend_from_slice(line);
            continue;
        }
        let mut given = words.into_owned();
        let here = places.iter().enumerate().filter(|(_, p)| (&p.file, p.line) == (&at.0, at.1));
        for (number, place) in here {
            if let Some(text) = with_value(&given, &place.name, number) {
                given = text;
                found = true;
            }
        }
        match given.as_bytes() == line || !found {
            true => result.extend_from_slice(line),
            false => result.extend_from_slice(given.as_bytes()),
        }
        at.1 += 1;
    }
    found.then_some(result)
}

/// `# 12 "a.c" 1 3`: the next line is line 12 of a.c.
pub fn line_marker(line: &str) -> Option<(String, u32)> {
    let rest = line.strip_prefix("# ").or_else(|| line.strip_prefix("#line "))?;
    let (number, rest) = rest.split_once(' ')?;
    let name = rest.trim_start().strip_prefix('"')?.split('"').next()?;
    Some((name.to_owned(), number.parse().ok()?))
}

/// A line that declares the variable, with a value for it.
fn with_value(line: &str, name: &str, number: usize) -> Option<String> {
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_word = |&at: &usize| {
        !line[..at].ends_with(in_word) && !line[at + name.len()..].starts_with(in_word)
    };
    let mut all = line.match_indices(name).map(|(at, _)| at).filter(is_word);
    let (at, None) = (all.next()?, all.next()) else { return None };
    let (before, after) = (&line[..at], &line[at + name.len()..]);
    let declares = before.trim_end().ends_with(|c| in_word(c) || c == '*' || c == ',');
    if !declares || !after.trim_start().starts_with([';', ',']) {
        return None;
    }
    Some(format!("{before}{name} = (__typeof__({name})) obmc_unset({number}){after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(file: &str, line: u32, name: &str) -> Declared {
        Declared { function: "f".into(), file: file.into(), line, name: name.into() }
    }

    #[test]
    fn declarations_get_values() {
        let given = |line, name| with_value(line, name, 3);
        assert_eq!(
            given("  int x, *y;\n", "y").as_deref(),
            Some("  int x, *y = (__typeof__(y)) obmc_unset(3);\n")
        );
        assert_eq!(
            given("long xy, x, z;", "x").as_deref(),
            Some("long xy, x = (__typeof__(x)) obmc_unset(3), z;")
        );
        for line in ["int x = 1;", "int x[2];", "int x; use(x);", "x;", "int (x);", "int xy;"] {
            assert_eq!(given(line, "x"), None, "{line}");
        }
    }

    #[test]
    fn places_are_found_by_line_markers() {
        let text = b"# 1 \"a.c\"\nint f() {\n# 7 \"b.c\" 2\nint x;\nint x;\n}\n";
        let places = [declared("b.c", 8, "x")];
        let edited = edited(text, None, &places).expect("found");
        let edited = String::from_utf8(edited).expect("text");
        assert!(edited.contains("int x;\nint x = (__typeof__(x)) obmc_unset(0);\n}"), "{edited}");
        assert!(super::edited(text, None, &[declared("a.c", 8, "x")]).is_none());
    }

    #[test]
    fn only_what_is_not_zero_is_forced() {
        let text = b"# 1 \"a.c\"\nint x;\nint y;\nint z[2];\n".to_vec();
        let unit = Unit { name: "a.c".into(), text, moved: Vec::new() };
        let value =
            |line, name, bits| UnsetValue { thread: 1, of: declared("a.c", line, name), bits };
        let values = vec![value(1, "x", 0), value(2, "y", 5), value(3, "z", 6), value(2, "y", 0)];
        let mut unset = Unset { values, ..Unset::default() };
        let unable = unset.settle(&[unit]);
        assert_eq!(unable, [(declared("a.c", 3, "z"), 6)]);
        assert_eq!(unset.rows(), ["{ 1, 0, \"f\", 5ull }", "{ 1, 0, \"f\", 0ull }"]);
    }
}
