//! Macro definitions, and what becomes of a body when its parameters get values.

use crate::tokens::lex::scan;
use crate::tokens::token::{Kind, Spelling, Symbols, Token};
use std::rc::Rc;

pub struct Macro {
    /// `None`: not followed by arguments.
    pub parameters: Option<Parameters>,
    pub body: Rc<[Token]>,
    /// Its expansion is being read: its name is not expanded again.
    pub busy: bool,
}

pub struct Parameters {
    pub names: Vec<Spelling>,
    /// The last one takes all that is left.
    pub variadic: bool,
}

/// An argument as it was written, and as it is after expansion (made on demand).
pub struct Argument {
    pub raw: Vec<Token>,
    pub expanded: Vec<Token>,
}

/// Texts that this file compares with.
pub struct Words {
    pub hash: Spelling,
    pub hash_hash: Spelling,
    pub comma: Spelling,
    pub va_args: Spelling,
}

impl Macro {
    /// Reads what stands behind `#define NAME`.
    pub fn parse(line: &[Token], words: &Words, symbols: &Symbols) -> Result<Macro, String> {
        let is = |i: usize, text: &[u8]| line.get(i).is_some_and(|t| symbols.text(t.text) == text);
        let with_arguments = is(0, b"(") && !line[0].space;
        let (parameters, body) = if with_arguments {
            let (parameters, len) = parse_parameters(line, words, symbols)?;
            (Some(parameters), &line[len..])
        } else {
            (None, line)
        };
        let pastes = |t: Option<&Token>| t.is_some_and(|t| t.text == words.hash_hash);
        if pastes(body.first()) || pastes(body.last()) {
            return Err("'##' cannot appear at either end of a macro expansion".into());
        }
        if body.iter().any(|t| symbols.text(t.text) == b"__VA_OPT__") {
            return Err("`__VA_OPT__` is not supported".into());
        }
        Ok(Macro { parameters, body: body.into(), busy: false })
    }

    /// The body with the arguments in place of the parameters.
    pub fn substitute(
        &self,
        arguments: &[Argument],
        words: &Words,
        symbols: &mut Symbols,
    ) -> Result<Vec<Token>, String> {
        let mut out: Vec<Token> = Vec::with_capacity(self.body.len());
        let mut paste = false;
        let mut i = 0;
        while let Some(&token) = self.body.get(i) {
            let next = self.body.get(i + 1);
            let paste_next = next.is_some_and(|t| t.text == words.hash_hash);
            let stringified =
                (token.text == words.hash).then(|| next.and_then(|t| self.parameter(t))).flatten();
            let before = out.len();
            if token.text == words.hash_hash && token.kind == Kind::Punct && i > 0 {
                paste = true;
                i += 1;
                continue;
            } else if let Some(index) = stringified {
                out.push(stringify(&arguments[index].raw, token, symbols));
                i += 1;
            } else if let Some(index) = self.parameter(&token) {
                let argument = &arguments[index];
                let raw = paste || paste_next;
                out.extend_from_slice(if raw { &argument.raw } else { &argument.expanded });
                match out.get_mut(before) {
                    Some(first) => first.space = token.space,
                    None if raw => out.push(Token { kind: Kind::Nothing, ..token }),
                    None => {}
                }
            } else if token.text == words.comma && paste_next && self.is_rest(i + 2) {
                let rest = arguments.last().map_or(&[][..], |a| &a.raw);
                if !rest.is_empty() {
                    out.push(token);
                    out.extend_from_slice(rest);
                }
                i += 3;
                continue;
            } else {
                out.push(token);
            }
            if paste {
                paste_at(&mut out, before, symbols)?;
                paste = false;
            }
            i += 1;
        }
        out.retain(|t| t.kind != Kind::Nothing);
        Ok(out)
    }

    fn parameter(&self, token: &Token) -> Option<usize> {
        let names = &self.parameters.as_ref()?.names;
        names.iter().position(|&name| name == token.text)
    }

    /// Is the token at `i` of the body the parameter that takes the rest?
    fn is_rest(&self, i: usize) -> bool {
        let variadic = self.parameters.as_ref().filter(|p| p.variadic);
        let index = self.body.get(i).and_then(|token| self.parameter(token));
        variadic.is_some_and(|p| index == Some(p.names.len() - 1))
    }
}

/// Reads `(a, b, ...)`; also tells how many tokens that is.
fn parse_parameters(
    line: &[Token],
    words: &Words,
    symbols: &Symbols,
) -> Result<(Parameters, usize), String> {
    let mut parameters = Parameters { names: Vec::new(), variadic: false };
    let text = |i: usize| line.get(i).map_or(&b""[..], |t| symbols.text(t.text));
    let mut i = 1;
    if text(1) == b")" {
        return Ok((parameters, 2));
    }
    loop {
        match line.get(i) {
            Some(t) if t.kind == Kind::Name => {
                parameters.names.push(t.text);
                i += 1;
                if text(i) == b"..." {
                    parameters.variadic = true;
                    i += 1;
                }
            }
            Some(_) if text(i) == b"..." => {
                parameters.names.push(words.va_args);
                parameters.variadic = true;
                i += 1;
            }
            _ => return Err("a parameter's name was expected in the macro's list".into()),
        }
        match text(i) {
            b")" => return Ok((parameters, i + 1)),
            b"," if !parameters.variadic => i += 1,
            _ => return Err("the macro's list of parameters is not closed".into()),
        }
    }
}

/// Joins the tokens at `at - 1` and `at`.
fn paste_at(out: &mut Vec<Token>, at: usize, symbols: &mut Symbols) -> Result<(), String> {
    if at == 0 || at >= out.len() {
        return Ok(());
    }
    let (left, right) = (out[at - 1], out[at]);
    let joined = if right.kind == Kind::Nothing {
        left
    } else if left.kind == Kind::Nothing {
        Token { space: left.space, ..right }
    } else {
        let text = [symbols.text(left.text), symbols.text(right.text)].concat();
        let (kind, len) = scan(&text, text[0]);
        if len != text.len() || kind == Kind::Other || text.starts_with(b"//") {
            let text = String::from_utf8_lossy(&text);
            return Err(format!("`{text}`, made by `##`, is not one token"));
        }
        Token { kind, text: symbols.intern(&text), fixed: false, ..left }
    };
    out[at - 1] = joined;
    out.remove(at);
    Ok(())
}

/// What `#parameter` gives.
fn stringify(raw: &[Token], place: Token, symbols: &mut Symbols) -> Token {
    let mut text = vec![b'"'];
    for (i, token) in raw.iter().enumerate() {
        if i > 0 && (token.space || token.first) {
            text.push(b' ');
        }
        let quoted = matches!(token.kind, Kind::Text | Kind::Char);
        for &b in symbols.text(token.text) {
            if quoted && matches!(b, b'"' | b'\\') {
                text.push(b'\\');
            }
            text.push(b);
        }
    }
    text.push(b'"');
    Token { kind: Kind::Text, text: symbols.intern(&text), ..place }
}
