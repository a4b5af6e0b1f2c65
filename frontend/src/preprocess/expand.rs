//! Macro expansion: a stack of token lists over a file.
//!
//! The name of a macro pushes its body, and tokens are read from the top of the stack. While a body
//! is on the stack its macro is busy, and its name, if met, is fixed: it stays a name for ever. An
//! argument is expanded on its own, behind a wall that nothing reads over.
//!
//! Invariant: a macro is busy if and only if its body is on the stack. Cost: linear in what is
//! produced, which a program can make exponential in its own size; `Fuel` bounds it.

use super::PreprocessStop;
use super::macros::{Argument, Macro, Words};
use super::questions::NAMES;
use crate::tokens::lex::Lexer;
use crate::tokens::token::{Kind, Spelling, Symbols, Token};
use std::rc::Rc;

struct ExpansionFrame {
    tokens: Rc<[Token]>,
    at: usize,
    end: End,
}

#[derive(Clone, Copy)]
enum End {
    /// Go on below; this macro is no longer busy.
    Of(Spelling),
    /// Nothing is read from below.
    Wall,
}

/// Arguments within arguments: more are left to others.
const MAX_DEPTH: u32 = 100;

pub struct Expander {
    pub symbols: Symbols,
    pub words: Words,
    macros: Vec<Option<Macro>>,
    frames: Vec<ExpansionFrame>,
    /// Where the macro was named whose expansion is read.
    place: (u32, u32),
    depth: u32,
    /// How many more tokens may be made.
    fuel: u32,
    counter: u32,
    line: Spelling,
    file: Spelling,
    count: Spelling,
    open: Spelling,
    close: Spelling,
    /// Macros of other preprocessors whose value we cannot know.
    strange: Vec<Spelling>,
    /// `__has_include` and its kin.
    questions: Vec<Spelling>,
}

const FUEL: u32 = 5_000_000;

const STRANGE: &[&str] = &[
    "__DATE__",
    "__TIME__",
    "__TIMESTAMP__",
    "__BASE_FILE__",
    "__INCLUDE_LEVEL__",
    "_Pragma",
    "__has_include_next",
];

impl Expander {
    pub fn new() -> Expander {
        let mut symbols = Symbols::default();
        let mut word = |text: &str| symbols.intern(text.as_bytes());
        let words = Words {
            hash: word("#"),
            hash_hash: word("##"),
            comma: word(","),
            va_args: word("__VA_ARGS__"),
        };
        let (line, file, count) = (word("__LINE__"), word("__FILE__"), word("__COUNTER__"));
        let (open, close) = (word("("), word(")"));
        let strange = STRANGE.iter().map(|name| word(name)).collect();
        let questions = NAMES.iter().map(|name| word(name)).collect();
        Expander {
            symbols,
            words,
            macros: Vec::new(),
            frames: Vec::new(),
            place: (0, 0),
            depth: 0,
            fuel: FUEL,
            counter: 0,
            line,
            file,
            count,
            open,
            close,
            strange,
            questions,
        }
    }

    /// Something that only a condition can ask, and that no macro has taken the name of.
    pub(crate) fn is_question(&self, name: Spelling) -> bool {
        self.questions.contains(&name) && self.definition(name).is_none()
    }

    pub fn define(&mut self, name: Spelling, definition: Macro) {
        if self.macros.len() <= name.index() {
            self.macros.resize_with(name.index() + 1, || None);
        }
        self.macros[name.index()] = Some(definition);
    }

    pub fn undefine(&mut self, name: Spelling) {
        if let Some(definition) = self.macros.get_mut(name.index()) {
            *definition = None;
        }
    }

    pub(crate) fn is_defined(&self, name: Spelling) -> Result<bool, PreprocessStop> {
        self.refuse_strange(name)?;
        let known = [self.line, self.file, self.count].contains(&name) || self.is_question(name);
        Ok(known || self.definition(name).is_some())
    }

    fn refuse_strange(&self, name: Spelling) -> Result<(), PreprocessStop> {
        if self.strange.contains(&name) {
            return Err(PreprocessStop::here(format!(
                "`{}` is not supported",
                self.symbols.string(name)
            )));
        }
        Ok(())
    }

    fn definition(&self, name: Spelling) -> Option<&Macro> {
        self.macros.get(name.index())?.as_ref()
    }

    /// Does `__STDC_VERSION__` say so?
    pub(crate) fn is_c23(&mut self) -> bool {
        let name = self.symbols.intern(b"__STDC_VERSION__");
        let version = match self.definition(name).map(|definition| &*definition.body) {
            Some([number]) => self.symbols.string(number.text),
            _ => return false,
        };
        version.trim_end_matches('L').parse::<u64>().is_ok_and(|number| number > 201_710)
    }

    fn set_busy(&mut self, name: Spelling, busy: bool) {
        if let Some(Some(definition)) = self.macros.get_mut(name.index()) {
            definition.busy = busy;
        }
    }

    /// The next token that no macro changes any more; `None` at the end of the file.
    pub fn next(&mut self, lexer: &mut Lexer, file: &str) -> Result<Option<Token>, PreprocessStop> {
        loop {
            let Some(token) = self.read(lexer) else { return Ok(None) };
            if token.kind != Kind::Name || token.fixed {
                return Ok(Some(token));
            }
            if let Some(made) = self.built_in(token, file)? {
                return Ok(Some(made));
            }
            match self.definition(token.text) {
                None => return Ok(Some(token)),
                Some(definition) if definition.busy => {
                    return Ok(Some(Token { fixed: true, ..token }));
                }
                Some(definition) => {
                    let takes = definition.parameters.is_some();
                    if takes && !self.arguments_follow(lexer) {
                        return Ok(Some(token));
                    }
                    self.enter(token, takes, lexer, file)?;
                }
            }
        }
    }

    /// Are there tokens of a macro left to read?
    pub(crate) fn within_macro(&self) -> bool {
        !self.frames.is_empty()
    }

    /// All of `tokens` expanded, with nothing behind them.
    pub fn expand_all(
        &mut self,
        tokens: Vec<Token>,
        lexer: &mut Lexer,
        file: &str,
    ) -> Result<Vec<Token>, PreprocessStop> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(PreprocessStop::here("macro arguments are too deeply nested".into()));
        }
        self.frames.push(ExpansionFrame { tokens: tokens.into(), at: 0, end: End::Wall });
        let height = self.frames.len();
        let mut expanded = Vec::new();
        while let Some(token) = self.next(lexer, file)? {
            expanded.push(token);
        }
        debug_assert_eq!(self.frames.len(), height);
        self.frames.pop();
        self.depth -= 1;
        Ok(expanded)
    }

    fn read(&mut self, lexer: &mut Lexer) -> Option<Token> {
        loop {
            let Some(frame) = self.frames.last_mut() else {
                return lexer.next(&mut self.symbols);
            };
            if let Some(&token) = frame.tokens.get(frame.at) {
                frame.at += 1;
                return Some(token);
            }
            let End::Of(name) = frame.end else { return None };
            self.frames.pop();
            self.set_busy(name, false);
        }
    }

    fn arguments_follow(&mut self, lexer: &mut Lexer) -> bool {
        while let Some(frame) = self.frames.last() {
            if let Some(token) = frame.tokens.get(frame.at) {
                return token.text == self.open;
            }
            let End::Of(name) = frame.end else { return false };
            self.frames.pop();
            self.set_busy(name, false);
        }
        lexer.peek(&mut self.symbols).is_some_and(|token| token.text == self.open)
    }

    fn built_in(&mut self, token: Token, file: &str) -> Result<Option<Token>, PreprocessStop> {
        let place = if token.made { self.place } else { (token.line, token.column) };
        let (kind, text) = if token.text == self.line {
            (Kind::Number, place.0.to_string())
        } else if token.text == self.file {
            let file = file.replace('\\', "\\\\").replace('"', "\\\"");
            (Kind::Text, format!("\"{file}\""))
        } else if token.text == self.count {
            self.counter += 1;
            (Kind::Number, (self.counter - 1).to_string())
        } else {
            self.refuse_strange(token.text)?;
            return Ok(None);
        };
        let text = self.symbols.intern(text.as_bytes());
        Ok(Some(Token { kind, text, line: place.0, column: place.1, made: true, ..token }))
    }

    /// Puts the expansion of the macro that `name` names on the stack.
    fn enter(
        &mut self,
        name: Token,
        takes: bool,
        lexer: &mut Lexer,
        file: &str,
    ) -> Result<(), PreprocessStop> {
        if !name.made {
            self.place = (name.line, name.column);
        }
        let place = self.place;
        let arguments = if takes { self.arguments(name, lexer, file)? } else { Vec::new() };
        self.place = place;
        let Some(Some(definition)) = self.macros.get_mut(name.text.index()) else { return Ok(()) };
        let body = definition.substitute(&arguments, &self.words, &mut self.symbols);
        let mut body = body.map_err(PreprocessStop::here)?;
        definition.busy = true;
        let made = u32::try_from(body.len()).unwrap_or(u32::MAX);
        self.fuel = self.fuel.checked_sub(made.saturating_add(1)).ok_or_else(|| {
            PreprocessStop::here("the macros of this file expand to too much text".into())
        })?;
        for token in &mut body {
            (token.line, token.column) = place;
            token.made = true;
            token.first = false;
        }
        if let Some(first) = body.first_mut() {
            first.space = name.space;
        }
        self.frames.push(ExpansionFrame { tokens: body.into(), at: 0, end: End::Of(name.text) });
        Ok(())
    }

    /// Reads `( ... )` and expands what stands between the commas.
    fn arguments(
        &mut self,
        name: Token,
        lexer: &mut Lexer,
        file: &str,
    ) -> Result<Vec<Argument>, PreprocessStop> {
        let mut lists = self.raw_arguments(name, lexer)?;
        let parameters = self.definition(name.text).and_then(|m| m.parameters.as_ref());
        let (wanted, variadic) = parameters.map_or((0, false), |p| (p.names.len(), p.variadic));
        if wanted == 0 && lists.len() == 1 && lists[0].is_empty() {
            lists.clear();
        }
        if variadic && lists.len() + 1 == wanted {
            lists.push(Vec::new());
        }
        if lists.len() != wanted {
            let name = self.symbols.string(name.text);
            let message = format!("macro `{name}` takes {wanted} arguments, not {}", lists.len());
            return Err(PreprocessStop::here(message));
        }
        let expand = |raw: Vec<Token>| {
            let expanded = self.expand_all(raw.clone(), lexer, file)?;
            Ok(Argument { raw, expanded })
        };
        lists.into_iter().map(expand).collect()
    }

    fn raw_arguments(
        &mut self,
        name: Token,
        lexer: &mut Lexer,
    ) -> Result<Vec<Vec<Token>>, PreprocessStop> {
        let parameters = self.definition(name.text).and_then(|m| m.parameters.as_ref());
        let rest = parameters.filter(|p| p.variadic).map(|p| p.names.len());
        let mut lists = vec![Vec::new()];
        let mut depth = 0;
        loop {
            let Some(mut token) = self.read(lexer) else {
                let name = self.symbols.string(name.text);
                return Err(PreprocessStop::here(format!(
                    "the arguments of macro `{name}` never end"
                )));
            };
            if token.first && token.text == self.words.hash && !self.within_macro() {
                return Err(PreprocessStop::here(
                    "a directive within the arguments of a macro".into(),
                ));
            }
            if token.kind == Kind::Name {
                token.fixed |= self.definition(token.text).is_some_and(|m| m.busy);
            }
            if token.text == self.open {
                depth += 1;
                if depth == 1 {
                    continue;
                }
            } else if token.text == self.close {
                depth -= 1;
                if depth == 0 {
                    return Ok(lists);
                }
            }
            let splits = depth == 1 && token.text == self.words.comma && rest != Some(lists.len());
            match lists.last_mut() {
                Some(list) if !splits => list.push(token),
                _ => lists.push(Vec::new()),
            }
        }
    }
}
