//! Declarations that are not needed are not shown to the parser.
//!
//! A preprocessed program is mostly headers: a thousand lines of prototypes and types, of which it
//! uses ten. Parsing and lowering them takes longer than all that follows. So the tokens are cut into
//! the declarations at file scope, and those that only give names to things (prototypes, `extern`
//! objects, `typedef`s, tags, static inline functions) are left out unless something that stays
//! mentions one of the names.
//!
//! Invariant: whatever stays finds all that it mentions. "Mentions" is generous: every word counts,
//! whatever it stands for there. "Gives names to" is strict: a shape that is not recognised stays,
//! and so does everything that makes an object, a function or an alias. What is left out is not
//! checked either; it could not change an answer.
//!
//! Of a library model only some functions are asked for. Then all others are like prototypes: gone, or
//! without their bodies if what stays calls them (`DeclarationPart::Functions`). A model that makes objects has
//! to stay in one piece, since they must be made once.
//!
//! Cost: linear, a hash per word.
//!
//! - `inspect.rs`: what shaking sees and leaves, for tests of others

#[cfg(test)]
pub mod inspect;

use super::Edit;
use super::lex::{Lexeme, LexemeKind};
use super::view::TokenView;
use super::words::{is_asm, is_attribute, is_specifier, is_type_word};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::ops::Range;

/// Shorter texts have nothing to gain.
const FEW_TOKENS: usize = 200;

/// What of a text is asked for.
#[derive(Clone, Copy)]
pub enum DeclarationPart<'p> {
    All,
    /// Only these functions, and what they need.
    Functions(&'p [&'p str]),
}

pub(crate) fn eliminate(
    input: &[u8],
    tokens: &[Lexeme],
    part: DeclarationPart,
    edits: &mut Vec<Edit>,
) {
    if tokens.len() < FEW_TOKENS && matches!(part, DeclarationPart::All) {
        return;
    }
    for (range, text) in unused(TokenView { input, tokens, edits }, part) {
        let (first, last) = (tokens[range.start], tokens[range.end - 1]);
        let (start, end) = (first.start as usize, last.end as usize);
        edits.push(Edit { start, end, rank: i64::MIN, text: Cow::Borrowed(text) });
    }
}

/// The tokens that are not needed, and what stands for them.
fn unused(view: TokenView, part: DeclarationPart) -> Vec<(Range<usize>, &'static str)> {
    let shaken = Shaken(view);
    let mut items = shaken.items();
    if let DeclarationPart::Functions(wanted) = part {
        if items.iter().all(|item| shaken.can_be_repeated(item)) {
            items.iter_mut().for_each(|item| shaken.only(wanted, item));
        }
    }
    let kept = shaken.kept(&items);
    let unused = items.into_iter().zip(kept).filter_map(|(item, kept)| match kept {
        false => Some((item.range, "")),
        true => item.body.map(|body| (body, ";")),
    });
    unused.collect()
}

struct DeclaredItem<'a> {
    range: Range<usize>,
    /// The names that it gives, if that is all it does.
    gives: Option<Vec<&'a [u8]>>,
    /// The body that is not wanted, of a function that may be called.
    body: Option<Range<usize>>,
}

impl DeclaredItem<'_> {
    /// What counts if it stays.
    fn mentions(&self) -> Range<usize> {
        self.range.start..self.body.as_ref().map_or(self.range.end, |body| body.start)
    }
}

pub struct Shaken<'a>(pub TokenView<'a>);

impl<'a> Shaken<'a> {
    pub fn text(&self, i: usize) -> &'a [u8] {
        self.0.text(i)
    }

    /// The declarations that something needs, or that make something.
    pub(crate) fn kept_items(&self) -> impl Iterator<Item = Range<usize>> {
        let items = self.items();
        let kept = self.kept(&items);
        let kept = items.into_iter().zip(kept).filter(|(_, kept)| *kept);
        kept.map(|(item, _)| item.range)
    }

    fn items(&self) -> Vec<DeclaredItem<'a>> {
        let mut items = Vec::new();
        let mut start = 0;
        while start < self.0.tokens.len() {
            let end = self.item_end(start);
            items.push(DeclaredItem {
                range: start..end,
                gives: self.gives(start..end),
                body: None,
            });
            start = end;
        }
        items
    }

    /// Two units with it are as good as one: functions and types, but no objects.
    fn can_be_repeated(&self, item: &DeclaredItem<'a>) -> bool {
        item.gives.is_some()
            || matches!(self.text(item.range.start), b"typedef" | b"_Static_assert")
            || self.function_body(item).is_some()
    }

    /// Where the body is, if the item is the definition of a function.
    fn function_body(&self, item: &DeclaredItem<'a>) -> Option<Range<usize>> {
        let last = item.range.end - 1;
        self.function(item.range.clone()).filter(|_| self.text(last) == b"}")?;
        Some(self.0.partner(last)..item.range.end)
    }

    /// Functions stay if they are wanted; others become what a prototype is.
    fn only(&self, wanted: &[&str], item: &mut DeclaredItem<'a>) {
        let Some(body) = self.function_body(item) else { return };
        let Some(name) = self.function(item.range.clone()) else { return };
        if !wanted.iter().any(|w| w.as_bytes() == name) {
            item.gives = Some(vec![name]);
            let is_static = item.range.clone().take(3).any(|i| self.text(i) == b"static");
            item.body = (!is_static).then_some(body);
        }
    }

    /// An item ends with a `;`, or with the `}` of a function's body.
    fn item_end(&self, start: usize) -> usize {
        let mut i = start;
        let mut parameters = false;
        while i < self.0.tokens.len() {
            match self.text(i) {
                b";" => return i + 1,
                b"{" if parameters => return self.0.skip(i),
                b"=" => parameters = false,
                b"(" => parameters = true,
                b"struct" | b"union" | b"enum" => {
                    i = self.tag_body(i).unwrap_or(i);
                }
                _ => {}
            }
            i = if matches!(self.text(i), b"(" | b"[" | b"{") { self.0.skip(i) } else { i + 1 };
        }
        self.0.tokens.len()
    }

    /// The `{` that belongs to the `struct` at `i`.
    fn tag_body(&self, i: usize) -> Option<usize> {
        let mut at = i + 1;
        loop {
            match self.text(at) {
                word if is_attribute(word) && self.text(at + 1) == b"(" => at = self.0.skip(at + 1),
                b"{" => return Some(at),
                b"[" if self.text(at + 1) == b"[" => at = self.0.skip(at),
                // C23's `enum e : unsigned char { ... }`
                b":" if self.text(i) == b"enum" => at += 1,
                word if is_type_word(word) && self.text(i) == b"enum" => at += 1,
                _ if self.0.is_name(at) && at < i + 64 => at += 1,
                _ => return None,
            }
        }
    }

    /// What the item gives names to; `None` if it does more than that.
    fn gives(&self, range: Range<usize>) -> Option<Vec<&'a [u8]>> {
        if range.clone().any(|i| makes_more(self.text(i))) {
            return None;
        }
        let shape = self.shape(range.clone())?;
        let mut names = self.tags(range);
        names.extend(shape);
        Some(names)
    }

    /// The name that stands where a declaration of a known shape has it.
    fn shape(&self, range: Range<usize>) -> Option<Option<&'a [u8]>> {
        let last = self.before_attributes(range.clone())?;
        let first = range.clone().find(|&i| self.text(i) != b"__extension__")?;
        if self.text(range.end - 1) == b"}" {
            return if self.leaves_no_code(range.clone()) {
                self.function(range).map(Some)
            } else {
                None
            };
        }
        let one =
            !self.outside_brackets(range.clone()).any(|i| matches!(self.text(i), b"," | b"="));
        match self.text(first) {
            _ if !one => None,
            b"typedef" | b"extern" if self.0.is_name(last) => Some(Some(self.text(last))),
            b"struct" | b"union" | b"enum" if self.text(last) == b"}" => Some(None),
            b"struct" | b"union" | b"enum" if last == first + 1 && self.0.is_name(last) => {
                Some(None)
            }
            b"typedef" => None,
            _ => self.function(range).map(Some),
        }
    }

    /// A function that is only there where it is called: `static inline`, or GNU's `extern inline`.
    fn leaves_no_code(&self, range: Range<usize>) -> bool {
        let words = range.take(24).map(|i| self.text(i)).take_while(|word| *word != b"{");
        let has = |wanted: &[&[u8]]| words.clone().any(|word| wanted.contains(&word));
        let inline = has(&[b"inline", b"__inline", b"__inline__"]);
        let gnu = has(&[b"extern"]) && has(&[b"gnu_inline", b"__gnu_inline__"]);
        inline && (has(&[b"static"]) || gnu)
    }

    /// The last token before the `;` and the attributes in front of it.
    fn before_attributes(&self, range: Range<usize>) -> Option<usize> {
        let mut last = range.end.checked_sub(2)?;
        while last > range.start && self.text(last) == b")" {
            let open = self.0.partner(last);
            if open <= range.start || !self.is_note(open - 1) {
                break;
            }
            last = open.checked_sub(2)?;
        }
        (last >= range.start).then_some(last)
    }

    /// A word whose parentheses say nothing about the type.
    fn is_note(&self, i: usize) -> bool {
        is_attribute(self.text(i)) || is_asm(self.text(i))
    }

    /// The name of the function that a prototype or a definition declares: specifiers, a type, the
    /// name, its parameters, attributes.
    pub fn function(&self, range: Range<usize>) -> Option<&'a [u8]> {
        let mut i = range.start;
        while i < range.end {
            match self.text(i) {
                b"(" if i > range.start && self.0.is_name(i - 1) => break,
                _ if self.is_note(i) && self.text(i + 1) == b"(" => i = self.0.skip(i + 1),
                b"*" => i += 1,
                _ if self.0.kind(i) == Some(LexemeKind::Word) => i += 1,
                _ => return None,
            }
        }
        let name = i.checked_sub(1).filter(|_| i < range.end)?;
        let at = self.0.skip_attributes(self.0.skip(i));
        let ends = match self.text(at) {
            b";" => at + 1 == range.end,
            b"{" => self.0.skip(at) == range.end,
            _ => false,
        };
        // `name(...)` alone may be anything; a declaration has a word before the name.
        let declared = name > range.start && !is_specifier_only(self, range.start..name);
        (ends && declared).then(|| self.text(name))
    }

    pub fn outside_brackets(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let mut at = range.start;
        std::iter::from_fn(move || {
            let i = at;
            let inside = i < range.end && matches!(self.text(i), b"(" | b"[" | b"{");
            at = if inside { self.0.skip(i) } else { i + 1 };
            (i < range.end).then_some(i)
        })
    }

    /// Tags and enumerators, wherever they are in the item.
    fn tags(&self, range: Range<usize>) -> Vec<&'a [u8]> {
        let mut names = Vec::new();
        for i in range {
            if !matches!(self.text(i), b"struct" | b"union" | b"enum") {
                continue;
            }
            let body = self.tag_body(i);
            let end = body.unwrap_or(i + 2);
            names.extend((i + 1..end).filter(|&i| self.0.is_name(i)).map(|i| self.text(i)));
            if let (b"enum", Some(body)) = (self.text(i), body) {
                let inside = body..self.0.skip(body);
                names.extend(inside.filter(|&i| self.0.is_name(i)).map(|i| self.text(i)));
            }
        }
        names
    }

    /// Which items are asked for, by those that must stay and by what these ask for.
    fn kept(&self, items: &[DeclaredItem<'a>]) -> Vec<bool> {
        let mut givers: FxHashMap<&[u8], Vec<usize>> = FxHashMap::default();
        for (index, item) in items.iter().enumerate() {
            for name in item.gives.iter().flatten() {
                givers.entry(name).or_default().push(index);
            }
        }
        let mut kept: Vec<bool> = items.iter().map(|item| item.gives.is_none()).collect();
        let mut open: Vec<usize> = (0..items.len()).filter(|&index| kept[index]).collect();
        let mut seen: FxHashSet<&[u8]> = FxHashSet::default();
        while let Some(index) = open.pop() {
            for i in items[index].mentions() {
                if self.0.kind(i) != Some(LexemeKind::Word) || !seen.insert(self.text(i)) {
                    continue;
                }
                for &giver in givers.get(self.text(i)).into_iter().flatten() {
                    if !std::mem::replace(&mut kept[giver], true) {
                        open.push(giver);
                    }
                }
            }
        }
        kept
    }
}

/// `static inline name(...)`: the type is implied, and which word is the name is not so clear.
fn is_specifier_only(view: &Shaken, range: Range<usize>) -> bool {
    range.clone().all(|i| is_specifier(view.text(i)))
}

/// Words with which a declaration does more than give a name.
fn makes_more(word: &[u8]) -> bool {
    matches!(
        word,
        b"alias"
            | b"__alias__"
            | b"ifunc"
            | b"__ifunc__"
            | b"constructor"
            | b"__constructor__"
            | b"destructor"
            | b"__destructor__"
            | b"weakref"
            | b"__weakref__"
            | b"used"
            | b"__used__"
            | b"_Static_assert"
            | b"static_assert"
    )
}

#[cfg(test)]
mod tests {
    use super::DeclarationPart;
    use crate::normalise::{PRELUDE, normalise, normalise_part};
    use crate::source::Files;

    #[test]
    fn of_a_model_only_what_is_wanted() {
        let text = "enum { N = 3 }; static int help(void) { return N; } static int other(void) { return 4; } \
            int f(void) { return help() + g(); } int g(void) { return 2; } int h(void) { return other(); }";
        let only = |wanted: &[&str], text: &str| {
            let part = DeclarationPart::Functions(wanted);
            let normalised = normalise_part(text.as_bytes(), "m.c", part, &mut Files::default());
            let text = normalised.unwrap().text[PRELUDE.len()..].to_string();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let want = "enum { N = 3 }; static int help(void) { return N; } \
            int f(void) { return help() + g(); } int g(void) ;";
        assert_eq!(only(&["f"], text), want);
        let whole = format!("static int object; {text}");
        assert_eq!(only(&["f"], &whole), whole.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    /// What is left of `text`, which is made long enough to be worth it.
    fn left(text: &str) -> String {
        let long = format!("{text}\nint last[] = {{ {} }};", "1, ".repeat(200));
        let normalised = normalise(long.as_bytes(), "a.i", &mut Files::default()).unwrap();
        let text = &normalised.text[PRELUDE.len()..];
        let text = text.split("int last").next().unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn declarations_without_a_use_go() {
        for text in [
            "extern int f (int __x) __attribute__ ((__nothrow__)) __asm__(\"g\");",
            "int f(void);",
            "const char *f(const char *, ...);",
            "__attribute__((noreturn)) void f(void);",
            "typedef unsigned long size_t;",
            "typedef struct s { int a; struct { enum { A, B } e; } in; } t __attribute__((packed));",
            "struct s { int a; };",
            "struct s;",
            "enum e { A, B = 2 };",
            "extern int x;",
            "extern struct s x __attribute__((weak));",
            "static inline int f(int a) { return a; }",
            "extern __inline int __attribute__((__gnu_inline__)) f(int a) { return a; }",
            "__extension__ typedef long long ll;",
        ] {
            assert_eq!(left(text), "", "{text}");
        }
    }

    #[test]
    fn what_makes_something_stays() {
        for text in [
            "int x;",
            "int f(void) { return 1; }",
            "static int f(void) { return 1; }",
            "inline int f(void) { return 1; }",
            "__inline int __attribute__((gnu_inline)) f(void) { return 1; }",
            "struct s { int a; } x;",
            "struct s x;",
            "extern int x = 1;",
            "int f(void), y;",
            "int f(a) int a; { return a; }",
            "f(1);",
            "void f(void) __attribute__((alias(\"g\")));",
            "void f(void) __attribute__((constructor));",
        ] {
            assert!(left(text).contains(text.split(' ').next().unwrap()), "{text}: {}", left(text));
        }
    }

    #[test]
    fn what_is_mentioned_stays_with_all_that_it_needs() {
        let text = "typedef int a; typedef a b; typedef b unused; struct s { b x; }; struct t; \
            b f(struct s *); int g(struct t *); enum { X, Y }; static inline int h(void) { return Y; } \
            int main(void) { return f(0) + h(); }";
        let got = left(text);
        let stay =
            ["typedef int a;", "typedef a b;", "struct s { b x; };", "b f(", "enum", "inline"];
        let go = ["unused", "struct t", "int g("];
        assert!(stay.iter().all(|word| got.contains(word)), "{got}");
        assert!(go.iter().all(|word| !got.contains(word)), "{got}");
    }

    #[test]
    fn odd_shapes_are_left_alone() {
        for text in [
            "{ } extern int x;",
            ";;;",
            "typedef int (*f)(int);",
            "extern int (*p)(int);",
            "int f(x) int x; {}",
        ] {
            assert_eq!(left(text).replace(' ', ""), text.replace(' ', ""));
        }
    }
}
