//! The parts of a litmus file: head, initial state, threads, and what to ask.
//!
//! ```text
//! ARCH NAME
//! "comment"  Key=value ...
//! { x=1; 0:r1=x; }
//!  P0 | P1 ;  instructions...      or for C and MSG:  P0(int *x) { ... }
//! locations [x; 0:r1;]  filter (...)  exists (...)
//! ```
//!
//! `(* ... *)` is a comment everywhere but in C functions, where `(*x)` is an expression.

use crate::error::Error;

/// A piece of text that knows the line it starts on.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    pub line: usize,
    pub text: String,
}

/// A function of a C test.
#[derive(Clone, Debug)]
pub struct Function {
    pub thread: usize,
    pub params: Piece,
    pub body: Piece,
}

#[derive(Clone, Debug)]
pub enum Code {
    /// One list of instructions per thread.
    Table(Vec<Vec<Piece>>),
    Functions(Vec<Function>),
}

#[derive(Clone, Debug)]
pub struct RawTest {
    pub arch: String,
    pub name: String,
    pub init: Piece,
    pub code: Code,
    pub tail: Piece,
}

pub fn split(text: &str) -> Result<RawTest, Error> {
    let text = text.replace('\r', "");
    let head_end = text.find('\n').unwrap_or(text.len());
    let mut words = text[..head_end].split_whitespace();
    let (Some(arch), name) = (words.next(), words.next().unwrap_or("").to_string()) else {
        return Err(Error::new(1, "expected a line such as `X86 SB`"));
    };
    let is_c = matches!(arch, "C" | "MSG");
    let blank = if is_c { blank_head(&text) } else { blank_comments(&text, 0..text.len()) };
    let open = blank[head_end..].find('{').map(|i| head_end + i);
    let open = open.ok_or_else(|| Error::new(1, "there is no initial state in braces"))?;
    let close = matching(&blank, open)
        .ok_or_else(|| Error::new(line_of(&text, open), "this brace is not closed"))?;
    let init = piece(&blank, open + 1, close);
    let (code, tail) = match is_c {
        true => functions(&blank, close + 1)?,
        false => table(&blank, close + 1)?,
    };
    Ok(RawTest { arch: arch.into(), name, init, code, tail })
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

fn piece(text: &str, from: usize, to: usize) -> Piece {
    Piece { line: line_of(text, from), text: text[from..to].to_string() }
}

/// The closing brace of the one at `open`.
fn matching(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (i, c) in text[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return Some(open + i),
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Comments `(* *)` become blanks, line breaks stay.
fn blank_comments(text: &str, range: std::ops::Range<usize>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let (mut depth, mut at) = (0usize, range.start);
    while at < range.end {
        let two = &text.as_bytes()[at..(at + 2).min(range.end)];
        let step = match two {
            b"(*" => {
                depth += 1;
                2
            }
            b"*)" if depth > 0 => 2,
            _ => 1,
        };
        if depth > 0 {
            for byte in &mut bytes[at..at + step] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
        if two == b"*)" && depth > 0 {
            depth -= 1;
        }
        at += step;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Of a C test: only up to the first thread and behind the last one.
fn blank_head(text: &str) -> String {
    let threads = thread_heads(text);
    let first = threads.first().copied().unwrap_or(text.len());
    let text = blank_comments(text, 0..first);
    // Behind the last function: where its braces end.
    let end = thread_heads(&text)
        .last()
        .and_then(|&at| text[at..].find('{').map(|i| at + i))
        .and_then(|open| matching(&text, open));
    match end {
        Some(end) => blank_comments(&text, end..text.len()),
        None => text,
    }
}

/// Where lines start with `P0(`.
fn thread_heads(text: &str) -> Vec<usize> {
    let mut heads = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        // herd7 also takes a type before the name.
        let word = start.strip_prefix("void ").or(start.strip_prefix("static ")).unwrap_or(start);
        let digits = word
            .strip_prefix('P')
            .map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
        if let Some(rest) = digits {
            if word.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
                && rest.trim_start().starts_with('(')
            {
                heads.push(at + line.len() - start.len() + (start.len() - word.len()));
            }
        }
        at += line.len();
    }
    heads
}

fn functions(text: &str, from: usize) -> Result<(Code, Piece), Error> {
    let mut functions = Vec::new();
    let mut end = from;
    for start in thread_heads(text).into_iter().filter(|&at| at >= from) {
        if start < end {
            continue; // inside of the function before
        }
        let line = line_of(text, start);
        let bad = |what: &str| Error::new(line, what.to_string());
        let open = text[start..].find('(').map(|i| start + i).ok_or_else(|| bad("expected `(`"))?;
        let thread =
            text[start + 1..open].trim().parse().map_err(|_| bad("expected a thread's number"))?;
        let close = text[open..].find(')').map(|i| open + i).ok_or_else(|| bad("expected `)`"))?;
        let brace =
            text[close..].find('{').map(|i| close + i).ok_or_else(|| bad("expected `{`"))?;
        let brace_end = matching(text, brace).ok_or_else(|| bad("this function does not end"))?;
        functions.push(Function {
            thread,
            params: piece(text, open + 1, close),
            body: piece(text, brace + 1, brace_end),
        });
        end = brace_end + 1;
    }
    if functions.is_empty() {
        return Err(Error::new(line_of(text, from), "there is no thread `P0(...) { ... }`"));
    }
    let numbered = functions.iter().enumerate().all(|(i, f)| f.thread == i);
    match numbered {
        true => Ok((Code::Functions(functions), piece(text, end, text.len()))),
        false => Err(Error::new(1, "threads must be P0, P1, ... in order")),
    }
}

/// Words that end the table of instructions.
const TAIL: &[&str] = &[
    "exists",
    "~exists",
    "~ exists",
    "not exists",
    "forall",
    "locations",
    "filter",
    "final",
    "observed",
    "cases",
];

fn table(text: &str, from: usize) -> Result<(Code, Piece), Error> {
    let mut threads: Vec<Vec<Piece>> = Vec::new();
    let mut at = from;
    let mut line = line_of(text, from);
    let mut pending = String::new();
    for row in text[from..].split_inclusive('\n') {
        let word = row.trim_start();
        let ends = |t: &str| {
            word.strip_prefix(t)
                .is_some_and(|r| !r.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        if TAIL.iter().any(|t| ends(t)) {
            break;
        }
        at += row.len();
        pending.push_str(row.trim_end_matches('\n'));
        if row.trim_end().ends_with(';') || row.contains(';') {
            for part in pending.split_inclusive(';') {
                if let Some(cells) = part.trim_end().strip_suffix(';') {
                    cells_of(cells, line, &mut threads)?;
                }
            }
            pending.clear();
        } else if pending.trim().is_empty() {
            pending.clear();
        }
        line += 1;
    }
    if threads.is_empty() {
        return Err(Error::new(line, "there is no row `P0 | P1 ;`"));
    }
    // Old files have commands for a tool that drew pictures behind the condition.
    let end = text[at..].find("<<").map_or(text.len(), |i| at + i);
    Ok((Code::Table(threads), piece(text, at, end)))
}

/// One row; the first one names the threads.
fn cells_of(cells: &str, line: usize, threads: &mut Vec<Vec<Piece>>) -> Result<(), Error> {
    let cells: Vec<&str> = cells.split('|').map(str::trim).collect();
    if cells.iter().all(|cell| cell.is_empty()) {
        return Ok(());
    }
    if threads.is_empty() {
        for (i, cell) in cells.iter().enumerate() {
            let name = cell.split([':', '@']).next().unwrap_or("").trim();
            if name != format!("P{i}") {
                return Err(Error::new(line, format!("expected P{i}, found `{cell}`")));
            }
            if cell.contains(':') || cell.contains('@') {
                return Err(Error::new(line, format!("`{cell}` is not supported")));
            }
            threads.push(Vec::new());
        }
        return Ok(());
    }
    if cells.len() > threads.len() {
        return Err(Error::new(line, "this row has more columns than there are threads"));
    }
    for (cell, thread) in cells.iter().zip(threads) {
        if !cell.is_empty() {
            thread.push(Piece { line, text: cell.to_string() });
        }
    }
    Ok(())
}
