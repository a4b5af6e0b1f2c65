//! The C preprocessor, in the process: files to one text for the parser.
//!
//! Starting the system's compiler only to read a few headers takes longer than most proofs, and its
//! macros are those of the host. Here the compiler is always the same (`compiler.h`, beside this
//! file: a gcc on Linux), and the headers are ours.
//!
//! What this does not do (`_Pragma`, `__VA_OPT__`, directives within macro arguments, ...) and
//! all that is wrong in the input ends with `PreprocessStop`: the driver then asks the system's
//! preprocessor, whose messages users know. So nothing is ever skipped or guessed. The exception is
//! a line that breaks a rule of C where compilers only warn: it is an error here, with a hint.
//!
//! Of our headers only what the program can need is read: `shipped/needs.rs` says why that is enough.
//!
//! `lex.rs` makes tokens, `macros.rs` and `expand.rs` expand macros, `condition.rs` judges `#if`,
//! `write.rs` writes. This file has the directives and the stack of files.
//!
//! - `questions.rs`: `__has_include`, `__has_attribute`, `__has_builtin` and their kin
//! - `shelf.rs`: the files that a program may include: each is looked for and read once

mod condition;
mod expand;
#[cfg(test)]
mod extent_tests;
mod macros;
mod questions;
mod shelf;
#[cfg(test)]
pub(crate) mod tests;
mod write;

use crate::normalise::is_reserved;
use crate::shipped::needs::Needs;
use crate::shipped::{self, Shipped};
use crate::source::Moved;
use crate::tokens::lex::{Lexer, Text};
use crate::tokens::token::{Kind, Token};
use expand::Expander;
use ir::types::Machine;
use macros::Macro;
use rustc_hash::FxHashSet;
use shelf::{Book, Page, Shelf, Whose};
use std::rc::Rc;
use write::{Move, TextWriter};

/// Why this preprocessor did not come to the end.
#[derive(Debug, PartialEq, Eq)]
pub struct PreprocessStop {
    pub file: String,
    pub line: u32,
    pub message: String,
    /// What is wrong for sure has a hint, and no other preprocessor need be asked.
    pub hint: Option<String>,
}

impl PreprocessStop {
    /// In the file and line that are being read, which the caller adds.
    fn here(message: String) -> PreprocessStop {
        PreprocessStop { file: String::new(), line: 0, message, hint: None }
    }
}

/// A file that `#include` has found.
pub struct FoundFile {
    /// What it is called in messages and in `__FILE__`.
    pub name: String,
    pub body: Body,
}

pub enum Body {
    User(Vec<u8>),
    /// A header of the host's system.
    Host(Vec<u8>),
    /// One of the headers that the tool brings along.
    Ours(&'static Shipped),
}

/// How `#include` names a file.
pub enum IncludeName<'a> {
    /// `<name>`
    Angle(&'a str),
    /// `"name"`, in the file of that name.
    Quoted(&'a str, &'a str),
}

/// Looks for files; frontend reads none by itself.
pub type FileFinder<'a> = dyn FnMut(IncludeName) -> Option<FoundFile> + 'a;

pub struct Options<'a> {
    pub machine: Machine,
    /// What the command line defines, as directives.
    pub definitions: &'a str,
    /// What is read before the program, as directives.
    pub first: &'a str,
    pub extent: Extent,
}

/// How much of our headers is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// What the program can need.
    Needed,
    Whole,
}

const COMMAND_LINE: &str = "<command-line>";
const MACHINE_HEADER: &str = "obmc-machine.h";
const MAX_FILES_DEEP: usize = 100;

/// The text that the parser shall read, and the tokens in it that macros have moved.
#[derive(Clone, Default, Debug)]
pub struct Preprocessed {
    pub text: Vec<u8>,
    pub moved: Vec<Moved>,
}

pub fn preprocess(
    name: &str,
    text: &[u8],
    options: &Options,
    find: &mut FileFinder,
) -> Result<Preprocessed, PreprocessStop> {
    let program = Program {
        definitions: Text::new(definitions(options).as_bytes()).into(),
        first: Text::new(options.first.as_bytes()).into(),
        name: name.into(),
        text: Text::new(text).into(),
    };
    let mut shelf = Shelf::new(find);
    let needs = match options.extent {
        Extent::Whole => Needs::everything(),
        Extent::Needed => {
            let told = [&program.definitions, &program.first];
            let told = told.map(|text| (COMMAND_LINE.into(), text.clone()));
            let own = (program.name.clone(), program.text.clone());
            shelf.needs(told.into_iter().chain([own]).collect())
        }
    };
    let mut run = FileRun::new(shelf, needs);
    let mut done = run.program(&program);
    if run.doubt {
        run = FileRun::new(run.shelf, Needs::everything());
        done = run.program(&program);
    }
    done.map(|()| Preprocessed { text: run.writer.out, moved: run.writer.moved })
}

/// What the options define, as text.
fn definitions(options: &Options) -> String {
    let machine = match options.machine {
        Machine::Ilp32 => "#define __OBMC_ILP32__ 1\n",
        Machine::Lp64 => "#define __OBMC_LP64__ 1\n",
    };
    format!("{machine}{}", options.definitions)
}

/// The file that everything starts with, and what comes before it.
struct Program {
    definitions: Rc<Text>,
    first: Rc<Text>,
    name: Rc<str>,
    text: Rc<Text>,
}

struct FileRun<'a, 'f> {
    expander: Expander,
    writer: TextWriter,
    files: Vec<File>,
    /// Names of files with `#pragma once`.
    once: FxHashSet<Rc<str>>,
    shelf: Shelf<'a, 'f>,
    needs: Needs,
    /// It cannot be told what of our headers is needed: the run ends, and another reads all.
    doubt: bool,
}

struct File {
    /// The real name, for the search of files beside it.
    path: Rc<str>,
    /// What `#line` calls it.
    name: Rc<str>,
    whose: Whose,
    lexer: Lexer,
    conditions: Vec<Condition>,
}

impl File {
    fn is_system(&self) -> bool {
        self.whose != Whose::User
    }
}

/// One `#if` that is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Condition {
    /// This branch is read.
    Taken,
    /// None was so far, and what is around it is read.
    Waiting,
    /// An earlier one was, or what is around it is not read.
    Done,
}

impl<'a, 'f> FileRun<'a, 'f> {
    fn new(shelf: Shelf<'a, 'f>, needs: Needs) -> FileRun<'a, 'f> {
        FileRun {
            expander: Expander::new(),
            writer: TextWriter::default(),
            files: Vec::new(),
            once: FxHashSet::default(),
            shelf,
            needs,
            doubt: false,
        }
    }

    /// Reads what the compiler and the options define, the header of the machine, and the program.
    fn program(&mut self, program: &Program) -> Result<(), PreprocessStop> {
        let compiler = self.text(&Page::Ours(shipped::compiler()));
        self.file("<built-in>".into(), compiler, Whose::Ours)?;
        self.file(COMMAND_LINE.into(), program.definitions.clone(), Whose::User)?;
        let machine = self.shelf.find(&program.name, MACHINE_HEADER, false);
        let machine =
            machine.ok_or_else(|| PreprocessStop::here(format!("{MACHINE_HEADER} is missing")))?;
        self.writer.mark(1, &program.name, false, Move::Stay);
        self.book(&machine)?;
        self.file(COMMAND_LINE.into(), program.first.clone(), Whose::User)?;
        self.writer.mark(1, &program.name, false, Move::Stay);
        self.file(program.name.clone(), program.text.clone(), Whose::User)
    }

    fn book(&mut self, book: &Book) -> Result<(), PreprocessStop> {
        if book.whose != Whose::Ours && !self.shelf.was_seen(&book.name) {
            self.may_doubt(format!("`{}` was not foreseen", book.name))?;
        }
        self.file(book.name.clone(), self.text(&book.page), book.whose)
    }

    fn text(&self, page: &Page) -> Rc<Text> {
        match page {
            Page::User(text) => text.clone(),
            Page::Ours(header) => Text::of_pieces(self.needs.pieces(header)).into(),
        }
    }

    fn may_doubt(&mut self, why: String) -> Result<(), PreprocessStop> {
        if self.needs.is_everything() {
            return Ok(());
        }
        self.doubt = true;
        Err(PreprocessStop::here(why))
    }

    /// Reads a file to its end.
    fn file(&mut self, name: Rc<str>, text: Rc<Text>, whose: Whose) -> Result<(), PreprocessStop> {
        self.files.push(File {
            path: name.clone(),
            name,
            whose,
            lexer: Lexer::of(text),
            conditions: Vec::new(),
        });
        let done = self.tokens();
        let at = self.files.last().map(|f| (f.name.to_string(), f.lexer.line()));
        self.files.pop();
        done.map_err(|stop| match at {
            Some((file, line)) if stop.file.is_empty() => PreprocessStop { file, line, ..stop },
            _ => stop,
        })
    }

    fn tokens(&mut self) -> Result<(), PreprocessStop> {
        loop {
            let Some(file) = self.files.last_mut() else { return Ok(()) };
            let reading = file.conditions.iter().all(|c| *c == Condition::Taken);
            let token = if reading {
                let name = file.name.clone();
                self.expander.next(&mut file.lexer, &name)?
            } else {
                file.lexer.next(&mut self.expander.symbols)
            };
            let Some(token) = token else { return self.check_end() };
            if token.first && self.is(token, b"#") {
                self.directive(token.line, reading)?;
            } else if reading && self.is(token, b"%:") {
                return Err(PreprocessStop::here("`%:` is not supported".into()));
            } else if reading {
                if token.kind == Kind::Other {
                    let text = self.expander.symbols.string(token.text);
                    return Err(PreprocessStop::here(format!("stray `{text}`")));
                }
                self.writer.token(token, &self.expander.symbols);
            }
        }
    }

    fn check_end(&self) -> Result<(), PreprocessStop> {
        match self.files.last() {
            Some(file) if !file.conditions.is_empty() => {
                Err(PreprocessStop::here("an `#if` is never closed".into()))
            }
            Some(file) if file.lexer.open_comment => {
                Err(PreprocessStop::here("a comment is never closed".into()))
            }
            _ => Ok(()),
        }
    }

    fn is(&self, token: Token, text: &[u8]) -> bool {
        self.expander.symbols.text(token.text) == text
    }

    /// What stands behind the `#` of `line`.
    fn directive(&mut self, line: u32, reading: bool) -> Result<(), PreprocessStop> {
        let Some(word) = self.in_line() else { return Ok(()) };
        let name = self.expander.symbols.text(word.text).to_vec();
        match name.as_slice() {
            b"if" | b"ifdef" | b"ifndef" | b"elif" | b"elifdef" | b"elifndef" | b"else"
            | b"endif" => self.conditional(&name, reading),
            _ if !reading => self.skip_line(),
            b"include" => self.include(),
            b"define" => self.define(),
            b"undef" => self.undefine(),
            b"pragma" => self.pragma(line),
            b"line" => self.renumber(None),
            b"ident" | b"sccs" | b"warning" => self.skip_line(),
            _ if word.kind == Kind::Number => self.renumber(Some(word)),
            _ => {
                let name = String::from_utf8_lossy(&name).into_owned();
                Err(PreprocessStop::here(format!("`#{name}`")))
            }
        }
    }

    fn in_line(&mut self) -> Option<Token> {
        self.files.last_mut()?.lexer.next_in_line(&mut self.expander.symbols)
    }

    fn line_tokens(&mut self) -> Vec<Token> {
        std::iter::from_fn(|| self.in_line()).collect()
    }

    fn skip_line(&mut self) -> Result<(), PreprocessStop> {
        while self.in_line().is_some() {}
        Ok(())
    }

    fn conditional(&mut self, name: &[u8], reading: bool) -> Result<(), PreprocessStop> {
        let Some(last) = self.files.last().map(|f| f.conditions.last().copied()) else {
            return Ok(());
        };
        let goes_on = name.starts_with(b"el");
        let next = match (name, last) {
            (b"endif", Some(_)) => None,
            (b"else", Some(Condition::Waiting)) => Some(Condition::Taken),
            (_, Some(Condition::Waiting)) if name.starts_with(b"elif") => {
                Some(self.judge(&name[2..])?)
            }
            (_, Some(_)) if goes_on => Some(Condition::Done),
            (_, None) if goes_on || name == b"endif" => {
                let name = String::from_utf8_lossy(name);
                return Err(PreprocessStop::here(format!("`#{name}` without `#if`")));
            }
            _ if !reading => Some(Condition::Done),
            _ => Some(self.judge(name)?),
        };
        self.skip_line()?;
        let Some(file) = self.files.last_mut() else { return Ok(()) };
        if goes_on || name == b"endif" {
            file.conditions.pop();
        }
        file.conditions.extend(next);
        Ok(())
    }

    fn judge(&mut self, name: &[u8]) -> Result<Condition, PreprocessStop> {
        let line = self.line_tokens();
        let holds = if name == b"if" {
            self.condition_holds(line)?
        } else {
            let Some(tested) = line.first().filter(|t| t.kind == Kind::Name && line.len() == 1)
            else {
                return Err(PreprocessStop::here("a macro's name was expected".into()));
            };
            self.expander.is_defined(tested.text)? == (name == b"ifdef")
        };
        Ok(if holds { Condition::Taken } else { Condition::Waiting })
    }

    fn condition_holds(&mut self, line: Vec<Token>) -> Result<bool, PreprocessStop> {
        let line = self.answer_defined(line)?;
        let line = self.answer_questions(line)?;
        let Some(file) = self.files.last_mut() else { return Ok(false) };
        let name = file.name.clone();
        let line = self.expander.expand_all(line, &mut file.lexer, &name)?;
        let line = self.answer_questions(line)?;
        if line.iter().any(|t| self.is(*t, b"defined")) {
            return Err(PreprocessStop::here("`defined` made by a macro".into()));
        }
        let line = self.answer_true(line);
        condition::holds(&line, &self.expander.symbols).map_err(PreprocessStop::here)
    }

    /// C23 knows `true`; before it, it is a name like any other, so 0.
    fn answer_true(&mut self, mut line: Vec<Token>) -> Vec<Token> {
        if line.iter().any(|t| self.is(*t, b"true")) && self.expander.is_c23() {
            let text = self.expander.symbols.intern(b"1");
            for token in &mut line {
                if self.is(*token, b"true") {
                    *token = Token { kind: Kind::Number, text, ..*token };
                }
            }
        }
        line
    }

    /// `defined X` and `defined(X)` as 0 and 1.
    fn answer_defined(&mut self, line: Vec<Token>) -> Result<Vec<Token>, PreprocessStop> {
        let mut answered = Vec::with_capacity(line.len());
        let mut i = 0;
        while let Some(&token) = line.get(i) {
            i += 1;
            if !self.is(token, b"defined") {
                answered.push(token);
                continue;
            }
            let is = |at: usize, text: &[u8]| line.get(at).is_some_and(|t| self.is(*t, text));
            let (at, end) =
                if is(i, b"(") && is(i + 2, b")") { (i + 1, i + 3) } else { (i, i + 1) };
            let Some(name) = line.get(at).filter(|t| t.kind == Kind::Name) else {
                return Err(PreprocessStop::here(
                    "a macro's name was expected behind `defined`".into(),
                ));
            };
            let answer = if self.expander.is_defined(name.text)? { b"1" } else { b"0" };
            let text = self.expander.symbols.intern(answer);
            answered.push(Token { kind: Kind::Number, text, ..token });
            i = end;
        }
        Ok(answered)
    }

    fn define(&mut self) -> Result<(), PreprocessStop> {
        let Some(name) = self.in_line().filter(|t| t.kind == Kind::Name) else {
            return Err(PreprocessStop::here("a macro's name was expected".into()));
        };
        if self.is(name, b"defined") {
            return Err(PreprocessStop::here("`defined` cannot be a macro".into()));
        }
        let ours = self.files.last().is_some_and(|file| file.whose == Whose::Ours);
        if !ours && is_reserved(self.expander.symbols.text(name.text)) {
            self.may_doubt("a keyword becomes a macro".into())?;
        }
        let line = self.line_tokens();
        if line.iter().any(|token| self.is(*token, b"%:")) {
            return Err(PreprocessStop::here("`%:` is not supported".into()));
        }
        self.refuse_touching(name, line.first())?;
        let expander = &mut self.expander;
        let parsed = Macro::parse(&line, &expander.words, &expander.symbols);
        expander.define(name.text, parsed.map_err(PreprocessStop::here)?);
        Ok(())
    }

    /// `#define USE-FAST 1` would make a macro `USE` that stands for `-FAST 1` (C11 6.10.3, 3).
    fn refuse_touching(&self, name: Token, next: Option<&Token>) -> Result<(), PreprocessStop> {
        let Some(next) = next.filter(|t| !t.space && !self.is(**t, b"(")) else { return Ok(()) };
        let name = self.expander.symbols.string(name.text);
        let next = self.expander.symbols.string(next.text);
        let hint = format!(
            "a name has letters, digits and `_` only; if `{name}` is the name, put a blank behind it"
        );
        let message = format!("white space is missing between the macro `{name}` and `{next}`");
        Err(PreprocessStop { hint: Some(hint), ..PreprocessStop::here(message) })
    }

    fn undefine(&mut self) -> Result<(), PreprocessStop> {
        let Some(name) = self.in_line().filter(|t| t.kind == Kind::Name) else {
            return Err(PreprocessStop::here("a macro's name was expected".into()));
        };
        self.expander.undefine(name.text);
        self.skip_line()
    }

    fn pragma(&mut self, line: u32) -> Result<(), PreprocessStop> {
        let Some(file) = self.files.last_mut() else { return Ok(()) };
        let rest = rest_of_line(file)?;
        if rest == b"once" {
            self.once.insert(file.path.clone());
        } else if rest.starts_with(b"push_macro") || rest.starts_with(b"pop_macro") {
            return Err(PreprocessStop::here(
                "`push_macro` and `pop_macro` are not supported".into(),
            ));
        } else {
            self.writer.directive(line, &[b"#pragma ", rest.as_slice()].concat());
        }
        Ok(())
    }

    /// `#line 12 "file"` and `# 12 "file" 1`.
    fn renumber(&mut self, number: Option<Token>) -> Result<(), PreprocessStop> {
        let Some(number) = number.or_else(|| self.in_line()) else {
            return Err(PreprocessStop::here("a number was expected behind `#line`".into()));
        };
        let digits = self.expander.symbols.string(number.text);
        let line =
            digits.parse().map_err(|_| PreprocessStop::here(format!("`{digits}` is no line")))?;
        let name = self.in_line().filter(|t| t.kind == Kind::Text);
        let name = name.map(|t| self.expander.symbols.string(t.text));
        self.skip_line()?;
        let Some(file) = self.files.last_mut() else { return Ok(()) };
        if let Some(name) = name {
            let name = name.trim_matches('"');
            if name.contains('\\') {
                return Err(PreprocessStop::here("a backslash in the name of a file".into()));
            }
            file.name = name.into();
        }
        file.lexer.next_line_is(line);
        self.writer.mark(line, &file.name, file.is_system(), Move::Stay);
        Ok(())
    }

    fn include(&mut self) -> Result<(), PreprocessStop> {
        if self.files.len() > MAX_FILES_DEEP {
            return Err(PreprocessStop::here("`#include` is nested too deeply".into()));
        }
        let (name, quoted) = self.header_name()?;
        let Some(file) = self.files.last_mut() else { return Ok(()) };
        let line = file.lexer.line();
        let (within, path, system) = (file.name.clone(), file.path.clone(), file.is_system());
        let Some(book) = self.shelf.find(&path, &name, quoted) else {
            return Err(PreprocessStop::here(format!("header `{name}` not found")));
        };
        if self.once.contains(&book.name) {
            return Ok(());
        }
        self.writer.mark(1, &book.name, book.whose != Whose::User, Move::Enter);
        self.book(&book)?;
        self.writer.mark(line + 1, &within, system, Move::Return);
        Ok(())
    }

    /// `<name>` or `"name"`, perhaps out of a macro.
    fn header_name(&mut self) -> Result<(String, bool), PreprocessStop> {
        let Some(file) = self.files.last_mut() else {
            return Err(PreprocessStop::here(String::new()));
        };
        let rest = rest_of_line(file)?;
        if let Some(named) = named_header(&rest) {
            return Ok(named);
        }
        let tokens = {
            let mut lexer = Lexer::new(&rest);
            std::iter::from_fn(|| lexer.next(&mut self.expander.symbols)).collect()
        };
        let Some(file) = self.files.last_mut() else {
            return Err(PreprocessStop::here(String::new()));
        };
        let name = file.name.clone();
        let tokens = self.expander.expand_all(tokens, &mut file.lexer, &name)?;
        let mut text = Vec::new();
        for (i, token) in tokens.iter().enumerate() {
            if i > 0 && token.space {
                text.push(b' ');
            }
            text.extend_from_slice(self.expander.symbols.text(token.text));
        }
        named_header(&text)
            .ok_or_else(|| PreprocessStop::here("`#include` without the name of a file".into()))
    }
}

fn rest_of_line(file: &mut File) -> Result<Vec<u8>, PreprocessStop> {
    let rest = file.lexer.rest_of_line().map(<[u8]>::to_vec);
    rest.ok_or_else(|| PreprocessStop::here("a comment that goes on behind a directive".into()))
}

fn named_header(text: &[u8]) -> Option<(String, bool)> {
    let (close, quoted) = match text.first()? {
        b'<' => (b'>', false),
        b'"' => (b'"', true),
        _ => return None,
    };
    let len = text[1..].iter().position(|&b| b == close)?;
    let rest = text[len + 2..].trim_ascii();
    let blank = rest.is_empty() || rest.starts_with(b"//") || rest.starts_with(b"/*");
    let name = std::str::from_utf8(&text[1..len + 1]).ok()?;
    (blank && !name.is_empty()).then(|| (name.to_string(), quoted))
}
