//! Which of our headers a file can include.
//!
//! Unpacking all of them costs more than preprocessing does: a file system does not like to make
//! and delete sixty files per run. Most programs name what they include, and it is few.
//!
//! Invariant: what is left out cannot be asked for. Each place that says `include` (or `import`, or
//! `embed`) must be a plain `#include <name>` of ours; anything else (a header of the user, a name
//! in quotes, `__has_include`, a macro, a word in a comment) gives all of them.

use frontend::headers::HEADERS;

pub type Header = (&'static str, &'static str);

/// Forced in front of every file.
const MACHINE: &str = "obmc-machine.h";

/// The headers that preprocessing this text can open.
pub fn headers(text: &[u8]) -> Vec<Header> {
    some(text).unwrap_or_else(|| HEADERS.to_vec())
}

fn some(text: &[u8]) -> Option<Vec<Header>> {
    let mut found: Vec<Header> = Vec::new();
    let mut names = included(&String::from_utf8_lossy(text))?;
    names.push(MACHINE.to_string());
    while let Some(name) = names.pop() {
        let &header = HEADERS.iter().find(|(known, _)| *known == name)?;
        if !found.contains(&header) {
            found.push(header);
            names.extend(included(header.1)?);
        }
    }
    Some(found)
}

/// The names in `#include <name>`; `None` if the text speaks of including in another way.
fn included(text: &str) -> Option<Vec<String>> {
    // A directive may be broken anywhere.
    let text = text.replace("\\\r\n", "").replace("\\\n", "");
    let speaks =
        |line: &&str| ["include", "import", "embed"].iter().any(|word| line.contains(word));
    text.lines().filter(speaks).map(|line| plain_name(line).map(str::to_string)).collect()
}

/// The name if the line is `#include <name>` and nothing else.
fn plain_name(line: &str) -> Option<&str> {
    let directive = line.trim().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    let name = directive.trim_start().strip_prefix('<')?.strip_suffix('>')?;
    (!name.contains(['<', '>', ' '])).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Option<Vec<&'static str>> {
        let mut names: Vec<_> = some(text.as_bytes())?.iter().map(|(name, _)| *name).collect();
        names.sort();
        Some(names)
    }

    #[test]
    fn what_is_named_and_what_that_includes() {
        assert_eq!(names("int x;\n"), Some(vec![MACHINE]));
        let got = names("# include <assert.h>\n#inc\\\nlude <pthread.h>\r\n").unwrap();
        assert!(got.contains(&"assert.h") && got.contains(&"pthread.h"), "{got:?}");
        assert!(got.contains(&"bits/obmc-threads.h"), "{got:?}");
        assert!(got.len() < HEADERS.len() / 2, "{got:?}");
    }

    #[test]
    fn whatever_is_not_plain_gets_all() {
        for text in [
            "#include \"pthread.h\"\n",
            "#include <mine.h>\n",
            "#include HEADER\n",
            "%:include <pthread.h>\n",
            "#if __has_include(<pthread.h>)\n",
            "#include <assert.h> /* and so on */\n",
            "#include_next <assert.h>\n",
            "#import <assert.h>\n",
        ] {
            assert_eq!(names(text), None, "{text}");
            assert_eq!(headers(text.as_bytes()).len(), HEADERS.len());
        }
    }

    #[test]
    fn every_header_of_ours_is_plain() {
        for (name, text) in HEADERS {
            assert!(included(text).is_some(), "{name}");
        }
    }
}
