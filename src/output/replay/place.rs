//! The statement that a violation is in, as lines of the program's text.
//!
//! A compiler may give an operation another line of its statement than our parser does. So the place to
//! look for is all lines from the end of the statement before to the end of this one, found in the
//! preprocessed text, which has no comments: a statement ends with a line that ends in `;`, `{` or `}`.

use super::script::Statement;
use super::unset::line_marker;
use crate::preprocess::Unit;
use std::collections::BTreeMap;

/// Lines above and below that are looked at.
const REACH: u32 = 40;

/// The statement around a line.
pub fn statement(units: &[Unit], file: &str, line: u32) -> Statement {
    let lines = lines_of(units, file, line);
    let ends = |number: u32| match lines.get(&number) {
        Some(text) => text.ends_with([';', '{', '}']),
        None => true,
    };
    let first = (line.saturating_sub(REACH)..line).rev().find(|&above| ends(above));
    let last = (line..line + REACH).find(|&below| ends(below));
    Statement {
        file: file.to_owned(),
        line,
        first: first.map_or(line, |above| above + 1),
        last: last.unwrap_or(line),
    }
}

/// The trimmed text of the lines near this one; a line that the text has several times (a macro of several
/// lines) is all of it.
fn lines_of(units: &[Unit], file: &str, line: u32) -> BTreeMap<u32, String> {
    let near = line.saturating_sub(REACH)..=line + REACH;
    let mut lines: BTreeMap<u32, String> = BTreeMap::new();
    for unit in units {
        let mut at = (unit.name.clone(), 1);
        for bytes in unit.text.split(|&byte| byte == b'\n') {
            let text = String::from_utf8_lossy(bytes);
            if let Some(marker) = line_marker(&text) {
                at = marker;
                continue;
            }
            if at.0 == file && near.contains(&at.1) {
                let known = lines.entry(at.1).or_default();
                let text = text.trim();
                if !text.is_empty() {
                    *known = text.to_owned();
                }
            }
            at.1 += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_all_its_lines() {
        let text =
            b"# 1 \"a.c\"\nint main(void) {\n  x =\n\n    a + b;\n  f(a,\n    b); y++;\n  if (z)\n\
            # 20 \"b.h\"\n  if (q)\n    z = 2;\n}\n";
        let unit = Unit { name: "a.c".into(), text: text.to_vec(), moved: Vec::new() };
        let lines = |file, line| {
            let found = statement(std::slice::from_ref(&unit), file, line);
            (found.first, found.last)
        };
        assert_eq!(lines("a.c", 1), (1, 1));
        assert_eq!(lines("a.c", 2), (2, 4));
        assert_eq!(lines("a.c", 4), (2, 4));
        assert_eq!(lines("a.c", 5), (5, 6));
        assert_eq!(lines("b.h", 20), (20, 21));
        assert_eq!(lines("elsewhere.c", 20), (20, 20));
    }
}
