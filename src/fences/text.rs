//! C text as its author wrote it: statements, the gaps between them, and words for memory orders.
//!
//! A scanner, not a parser: comments, strings and directives are blanked out, parentheses and braces are
//! counted. What it takes for a statement may be none (in a macro, say); then the changed text does
//! not compile or is not safe, and is not printed.

use ir::MemoryOrder;
use std::ops::Range;

/// A file.
#[derive(Clone, Debug)]
pub struct CodeText {
    pub raw: String,
    /// The same length; blanks for all that is no code.
    code: Vec<u8>,
    /// Where lines begin.
    lines: Vec<usize>,
    pub statements: Vec<Range<usize>>,
    pub arms: Vec<Arm>,
}

/// A statement without braces that an `if`, an `else` or a loop controls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arm {
    pub statement: Range<usize>,
    /// Where what controls it ends.
    pub head: usize,
}

/// `memory_order_relaxed` or `__ATOMIC_RELAXED`, in a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderWord {
    pub word: Range<usize>,
    pub order: MemoryOrder,
    pub call: Range<usize>,
    pub name: String,
}

const ORDERS: [(&str, MemoryOrder); 6] = [
    ("relaxed", MemoryOrder::Relaxed),
    ("consume", MemoryOrder::Acquire),
    ("acquire", MemoryOrder::Acquire),
    ("release", MemoryOrder::Release),
    ("acq_rel", MemoryOrder::AcqRel),
    ("seq_cst", MemoryOrder::SeqCst),
];

/// As programs with C11's header, or with gcc's functions, write it.
pub fn order_word(order: MemoryOrder, gcc: bool) -> String {
    let name = ORDERS.iter().rev().find(|(_, o)| *o == order).map_or("seq_cst", |(name, _)| name);
    if gcc {
        format!("__ATOMIC_{}", name.to_ascii_uppercase())
    } else {
        format!("memory_order_{name}")
    }
}

impl CodeText {
    pub fn new(raw: String) -> CodeText {
        let code = blanked(raw.as_bytes());
        let newline = |(i, b): (usize, &u8)| (*b == b'\n').then_some(i + 1);
        let lines = std::iter::once(0).chain(code.iter().enumerate().filter_map(newline)).collect();
        let statements = statements(&code);
        let arms = statements.iter().filter_map(|s| arm(&code, s)).collect();
        CodeText { raw, code, lines, statements, arms }
    }

    /// Counted from 1.
    pub fn line(&self, offset: usize) -> u32 {
        self.lines.partition_point(|&start| start <= offset) as u32
    }

    /// The first and the last line of a range.
    pub fn lines_of(&self, range: &Range<usize>) -> (u32, u32) {
        (self.line(range.start), self.line(range.end.saturating_sub(1)))
    }

    pub fn code(&self, range: Range<usize>) -> &str {
        self.code.get(range).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// Where the line of an offset begins, if only blanks stand between.
    pub fn begins_line(&self, offset: usize) -> Option<usize> {
        let start = *self.lines.get(self.line(offset) as usize - 1)?;
        self.raw.get(start..offset)?.bytes().all(|b| b == b' ' || b == b'\t').then_some(start)
    }

    /// Where the line behind an offset begins, if no code stands between.
    pub fn ends_line(&self, offset: usize) -> Option<usize> {
        let next = *self.lines.get(self.line(offset) as usize)?;
        self.code.get(offset..next)?.iter().all(u8::is_ascii_whitespace).then_some(next)
    }

    /// The blanks that the line of an offset begins with.
    pub fn margin(&self, offset: usize) -> &str {
        let start = self.lines.get(self.line(offset) as usize - 1).copied().unwrap_or(0);
        let line = self.raw.get(start..).unwrap_or_default();
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Does it use the Linux kernel's primitives?
    pub fn is_kernel(&self) -> bool {
        self.raw.contains("lkmm.h")
    }

    pub fn uses_c11(&self) -> bool {
        self.raw.contains("stdatomic.h") || self.raw.contains("memory_order_")
    }

    /// The next code at or behind an offset, if a statement may stand before it.
    pub fn gap(&self, offset: usize) -> Option<usize> {
        let next = (offset..self.code.len()).find(|&i| !self.code[i].is_ascii_whitespace())?;
        let word = self.word_at(next);
        (word != "else").then_some(next)
    }

    fn word_at(&self, offset: usize) -> &str {
        let end = (offset..self.code.len()).find(|&i| !is_word(self.code[i]));
        self.code(offset..end.unwrap_or(self.code.len()))
    }

    /// Orders that are written out in calls, but those for the failure of an exchange.
    pub fn order_words(&self) -> Vec<OrderWord> {
        let mut words: Vec<OrderWord> = Vec::new();
        let mut at = 0;
        while at < self.code.len() {
            if !is_word(self.code[at]) {
                at += 1;
                continue;
            }
            let word = self.word_at(at).to_string();
            let range = at..at + word.len();
            at += word.len().max(1);
            let Some(order) = order_named(&word) else { continue };
            let Some((name, call)) = self.call_around(range.start) else { continue };
            let failure = name.contains("compare_exchange")
                && words.last().is_some_and(|last| last.call == call);
            if !failure {
                words.push(OrderWord { word: range, order, call, name });
            }
        }
        words
    }

    /// The innermost call around an offset: its name and its extent.
    fn call_around(&self, offset: usize) -> Option<(String, Range<usize>)> {
        let mut depth = 0;
        let open = (0..offset).rev().find(|&i| match self.code[i] {
            b')' => {
                depth += 1;
                false
            }
            b'(' if depth == 0 => true,
            b'(' => {
                depth -= 1;
                false
            }
            _ => false,
        })?;
        let end = (0..open).rev().find(|&i| !self.code[i].is_ascii_whitespace())? + 1;
        let start = (0..end).rev().take_while(|&i| is_word(self.code[i])).last()?;
        let mut depth = 0;
        let close = (open..self.code.len()).find(|&i| {
            match self.code[i] {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        Some((self.code(start..end).to_string(), start..close + 1))
    }

    /// Does this piece of code mention a word?
    pub fn mentions(&self, range: &Range<usize>, word: &str) -> bool {
        self.code(range.clone())
            .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .any(|w| w == word)
    }
}

fn order_named(word: &str) -> Option<MemoryOrder> {
    let name = match word.strip_prefix("memory_order_") {
        Some(name) => name.to_string(),
        None => word.strip_prefix("__ATOMIC_")?.to_ascii_lowercase(),
    };
    ORDERS.iter().find(|(known, _)| *known == name).map(|(_, order)| *order)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Blanks instead of comments, strings, characters and directives.
fn blanked(raw: &[u8]) -> Vec<u8> {
    let mut code = raw.to_vec();
    let mut at = 0;
    let mut fresh = true; // nothing but blanks in this line so far
    while at < raw.len() {
        let rest = &raw[at..];
        let length = match rest[0] {
            b'/' if rest.starts_with(b"//") => until(rest, b"\n", 2),
            b'/' if rest.starts_with(b"/*") => until(rest, b"*/", 2) + 2,
            b'"' | b'\'' => quoted(rest),
            b'#' if fresh => directive(rest),
            byte => {
                fresh = byte == b'\n' || fresh && byte.is_ascii_whitespace();
                at += 1;
                continue;
            }
        };
        let end = (at + length.max(1)).min(raw.len());
        code[at..end].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
        at = end;
    }
    code
}

fn until(text: &[u8], end: &[u8], from: usize) -> usize {
    let found = (from..text.len()).find(|&i| text[i..].starts_with(end));
    found.unwrap_or(text.len())
}

fn quoted(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != text[0] && text[at] != b'\n' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

fn directive(text: &[u8]) -> usize {
    let ends = |&i: &usize| text[i] == b'\n' && (i == 0 || text[i - 1] != b'\\');
    (0..text.len()).find(ends).unwrap_or(text.len())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Brace {
    Block,
    /// The body of `do`: what follows belongs to it.
    Do,
    /// An initialiser.
    Value,
}

/// Inside of blocks. Of an `if`, a loop or a function with a block, the part up to the brace.
fn statements(code: &[u8]) -> Vec<Range<usize>> {
    let (mut found, mut stack, mut parens) = (Vec::new(), Vec::new(), 0usize);
    let mut start: Option<usize> = None;
    let mut before = b' ';
    for (i, &byte) in code.iter().enumerate() {
        if byte.is_ascii_whitespace() {
            continue;
        }
        let inside = stack.last() == Some(&Brace::Value) || parens > 0;
        match byte {
            b'(' => parens += 1,
            b')' => parens = parens.saturating_sub(1),
            b'{' if before == b'=' || inside => stack.push(Brace::Value),
            b'{' => {
                let from = start.take().unwrap_or(i);
                if !stack.is_empty() && from < i {
                    found.push(from..i + 1);
                }
                let is_do = code[from..i].trim_ascii() == b"do";
                stack.push(if is_do { Brace::Do } else { Brace::Block });
                before = byte;
                continue;
            }
            b'}' => {
                match stack.pop() {
                    Some(Brace::Do) => start = Some(i),
                    Some(Brace::Block) | None => start = None,
                    Some(Brace::Value) => {}
                }
                before = byte;
                continue;
            }
            b';' if !inside => {
                let from = start.take().unwrap_or(i);
                if !stack.is_empty() {
                    found.push(from..i + 1);
                }
                before = byte;
                continue;
            }
            _ => {}
        }
        start.get_or_insert(i);
        before = byte;
    }
    found
}

/// The innermost one of a statement that begins with what controls it.
fn arm(code: &[u8], statement: &Range<usize>) -> Option<Arm> {
    let skip = |from: usize| (from..statement.end).find(|&i| !code[i].is_ascii_whitespace());
    let (mut at, mut head) = (statement.start, None);
    loop {
        let end = (at..statement.end).find(|&i| !is_word(code[i]))?;
        let behind = match &code[at..end] {
            b"else" | b"do" => end,
            b"if" | b"while" | b"for" => closing(code, skip(end)?..statement.end)? + 1,
            _ => break,
        };
        (at, head) = (skip(behind)?, Some(behind));
    }
    // An empty one may be the end of `do`; what has a block is none.
    let is_arm = code[at] != b';' && code[statement.end - 1] == b';';
    let found = head.map(|head| Arm { statement: at..statement.end, head });
    found.filter(|_| is_arm)
}

/// The end of what the parenthesis at the beginning of a range opens.
fn closing(code: &[u8], range: Range<usize>) -> Option<usize> {
    let mut depth = 0usize;
    if code[range.start] != b'(' {
        return None;
    }
    range.into_iter().find(|&i| {
        match code[i] {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let text = CodeText::new(text.into());
        text.statements.iter().map(|s| text.raw[s.clone()].to_string()).collect()
    }

    #[test]
    fn statements_are_found() {
        let got = shown("int x = 1; void f(void) { a(1); if (b) { c(); } else d(); e(); }");
        assert_eq!(got, ["a(1);", "if (b) {", "c();", "else d();", "e();"]);
        let got =
            shown("void f(void) { for (int i = 0; i < 2; i++) g(); do { h(); } while (k()); }");
        assert_eq!(got, ["for (int i = 0; i < 2; i++) g();", "do {", "h();", "} while (k());"]);
        let got = shown(
            "void f(void) { int a[] = {1, 2}; /* x(); */ p(\";\"); // q();\n#define R r();\n}",
        );
        assert_eq!(got, ["int a[] = {1, 2};", "p(\";\");"]);
    }

    #[test]
    fn gaps_are_not_before_else() {
        let text = CodeText::new("void f(void) { if (a) b(); else c(); }".into());
        let ends: Vec<bool> = text.statements.iter().map(|s| text.gap(s.end).is_some()).collect();
        assert_eq!(ends, [false, true]);
    }

    #[test]
    fn arms_without_braces_are_found() {
        let arms = |text: &str| -> Vec<String> {
            let text = CodeText::new(format!("void f(void) {{ {text} }}"));
            text.arms.iter().map(|arm| text.raw[arm.statement.clone()].to_string()).collect()
        };
        assert_eq!(arms("if (a) b(); else c(1, 2);"), ["b();", "c(1, 2);"]);
        assert_eq!(
            arms("for (int i = 0; i < g(1); i++) if (a) b(); else if (d) e();"),
            ["b();", "e();"]
        );
        assert_eq!(arms("do b(); while (a); while (a);"), ["b();"]);
        assert!(arms("if (a) { b(); } else { c(); } while (a) { } iffy(1); x = 1;").is_empty());
    }

    #[test]
    fn orders_belong_to_calls() {
        let text = CodeText::new(
            "void f(void) { s(&x, g(1), memory_order_relaxed);\n c(atomic_compare_exchange_weak_explicit(&x, &e, 1,\n memory_order_acquire, memory_order_relaxed)); __atomic_load_n(&x, __ATOMIC_SEQ_CST); }"
                .into(),
        );
        let words = text.order_words();
        let got: Vec<_> =
            words.iter().map(|w| (w.name.as_str(), w.order, text.line(w.call.start))).collect();
        let want = [
            ("s", MemoryOrder::Relaxed, 1),
            ("atomic_compare_exchange_weak_explicit", MemoryOrder::Acquire, 2),
            ("__atomic_load_n", MemoryOrder::SeqCst, 3),
        ];
        assert_eq!(got, want);
        assert!(text.mentions(&words[0].call, "x") && !text.mentions(&words[0].call, "e"));
    }
}
