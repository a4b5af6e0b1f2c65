//! `#pragma pack`: the largest alignment of members, for records that end from here on.
//!
//! The lexer notes the pragmas with their places. The rewriting follows them and writes the number
//! that is in force behind the closing brace of each record, as an attribute of ours. (gcc lays a
//! record out at its closing brace.)

/// A `#pragma pack` and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pragma {
    pub at: usize,
    /// What stands in the parentheses.
    pub arguments: String,
}

/// The number in force, and those that were pushed.
#[derive(Default)]
pub struct Pack {
    now: Option<u64>,
    pushed: Vec<(Option<String>, Option<u64>)>,
    /// How many pragmas lie behind.
    seen: usize,
}

impl Pack {
    /// Takes in what stands before this place.
    pub(crate) fn go_to(&mut self, at: usize, pragmas: &[Pragma]) {
        while let Some(pragma) = pragmas.get(self.seen).filter(|p| p.at < at) {
            self.obey(&pragma.arguments);
            self.seen += 1;
        }
    }

    /// `()`, `(4)`, `(push)`, `(push, 4)`, `(push, name, 4)`, `(pop)`, `(pop, name)`.
    pub(crate) fn obey(&mut self, arguments: &str) {
        let words: Vec<&str> = arguments.split(',').map(str::trim).collect();
        let number = words.iter().find_map(|word| word.parse().ok());
        let is_name = |word: &&&str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let name = words.iter().skip(1).find(is_name).map(|name| (*name).to_owned());
        match words[0] {
            "push" => {
                self.pushed.push((name, self.now));
                self.set(number.or(self.now));
            }
            "pop" => {
                let depth = self.pushed.len().checked_sub(1);
                let named =
                    |name: String| self.pushed.iter().rposition(|p| p.0.as_ref() == Some(&name));
                if let Some(depth) = name.map_or(depth, named) {
                    self.now = self.pushed[depth].1;
                    self.pushed.truncate(depth);
                }
                self.set(number.or(self.now));
            }
            _ => self.set(number),
        }
    }

    fn set(&mut self, number: Option<u64>) {
        self.now = number.filter(|n| *n > 0);
    }

    /// What stands behind the brace of a record that ends here.
    pub fn attribute(&self) -> Option<String> {
        self.now.map(|number| format!(" __attribute__((__obmc_pack({number})))"))
    }
}

/// The arguments of a pragma whose text starts with `pack`.
pub fn arguments(text: &str) -> Option<String> {
    let rest = text.trim().strip_prefix("pack")?.trim().strip_prefix('(')?;
    Some(rest.split(')').next()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_pushed_and_popped() {
        let mut pack = Pack::default();
        for (text, now) in [
            ("pack(4)", Some(4)),
            ("pack(push)", Some(4)),
            ("pack(push, 1)", Some(1)),
            ("pack ( push , here , 2 )", Some(2)),
            ("pack(push, 8)", Some(8)),
            ("pack(pop, here)", Some(1)),
            ("pack(pop)", Some(4)),
            ("pack()", None),
            ("pack(pop)", Some(4)),
            ("pack(pop)", Some(4)),
            ("pack(0)", None),
        ] {
            pack.obey(&arguments(text).expect(text));
            assert_eq!(pack.now, now, "{text}");
        }
    }
}
