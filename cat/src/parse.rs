//! Tokens to a tree: recursive descent, one function per level of precedence.
//!
//! From loose to tight: `|`, `;`, `\` (left), `&`, prefix `~`, infix `*` (product), postfix
//! `+ * ? ^-1`. A `*` is a product if an operand can start after it, otherwise a closure.

use crate::ast::*;
use crate::error::{Complaint, Span};
use crate::lex::{Tok, Token, tokens};

type Parsed<T> = Result<T, Complaint>;

const ITEMS: &[&str] = &[
    "let",
    "include",
    "acyclic",
    "irreflexive",
    "empty",
    "flag",
    "undefined_unless",
    "show",
    "unshow",
    "procedure",
    "call",
    "with",
    "if",
    "catdep",
    "assert",
];
/// Deeper than any model, shallow enough for the stack of a thread.
const MAX_DEPTH: usize = 60;
const RESERVED: &[&str] = &["in", "and", "as", "rec", "from", "end", "else", "then", "try"];
/// Parts of the language that are known and not supported.
const LATER: &[&str] =
    &["match", "fun", "forall", "enum", "instructions", "variant", "debug", "events", "default"];

pub(crate) fn file(text: &str, file: usize) -> Parsed<File> {
    let mut parser = Parser { tokens: tokens(text, file)?, at: 0, depth: 0 };
    let title = parser.title()?;
    let items = parser.items()?;
    match parser.peek() {
        Tok::End => Ok(File { title, items }),
        _ => Err(parser.unexpected("an item such as `let` or `acyclic`")),
    }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize, // of expressions and items inside of each other
}

impl Parser {
    fn peek(&self) -> &Tok {
        &self.tokens[self.at].tok
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Tok::Sign(s) if *s == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Tok::Name(name) if name == word)
    }

    fn eat_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.next();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    fn want_sign(&mut self, sign: &'static str) -> Parsed<()> {
        match self.eat_sign(sign) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{sign}`"))),
        }
    }

    fn want_word(&mut self, word: &'static str) -> Parsed<()> {
        match self.eat_word(word) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{word}`"))),
        }
    }

    fn unexpected(&self, wanted: &str) -> Complaint {
        let found = match self.peek() {
            Tok::Name(name) if LATER.contains(&name.as_str()) => {
                return Complaint::new(self.span(), format!("`{name}` is not supported"))
                    .hint("docs/cat.md lists the part of cat that is");
            }
            Tok::Name(name) => format!("`{name}`"),
            Tok::Text(text) => format!("\"{text}\""),
            Tok::Zero => "`0`".into(),
            Tok::Sign(sign) => format!("`{sign}`"),
            Tok::End => "the end of the file".into(),
        };
        Complaint::new(self.span(), format!("expected {wanted}, found {found}"))
    }

    /// The words and strings before the first item.
    fn title(&mut self) -> Parsed<Option<String>> {
        let mut title = None;
        loop {
            match self.peek() {
                Tok::Name(name) if LATER.contains(&name.as_str()) => {
                    return Err(self.unexpected("an item"));
                }
                Tok::Name(name) if !ITEMS.contains(&name.as_str()) => {
                    title.get_or_insert(name.clone());
                }
                Tok::Text(text) => title = Some(text.clone()),
                _ => return Ok(title),
            }
            self.next();
        }
    }

    fn items(&mut self) -> Parsed<Vec<Item>> {
        let mut items = Vec::new();
        while let Tok::Name(word) = self.peek() {
            let word = word.clone();
            match word.as_str() {
                "let" => {
                    self.next();
                    items.push(Item::Let(self.lets()?));
                }
                "include" => items.push(self.include()?),
                "acyclic" | "irreflexive" | "empty" | "flag" | "undefined_unless" | "assert" => {
                    items.push(self.axiom()?);
                }
                "catdep" => {
                    self.next();
                    items.push(Item::Catdep);
                }
                "show" | "unshow" => self.show()?,
                "procedure" => items.push(self.procedure()?),
                "call" => items.push(self.call()?),
                "with" => items.extend(self.enumerated_order()?),
                "if" => {
                    self.next();
                    let condition = self.condition()?;
                    self.eat_word("then");
                    let yes = self.nested(Self::items)?;
                    let no =
                        if self.eat_word("else") { self.nested(Self::items)? } else { Vec::new() };
                    self.want_word("end")?;
                    items.push(Item::If(condition, yes, no));
                }
                _ => break,
            }
        }
        if self.is_sign("~") {
            items.push(self.axiom()?);
            items.extend(self.items()?);
        }
        Ok(items)
    }

    fn name(&mut self) -> Parsed<(String, Span)> {
        match self.peek().clone() {
            Tok::Name(name)
                if !ITEMS.contains(&name.as_str()) && !RESERVED.contains(&name.as_str()) =>
            {
                Ok((name, self.next().span))
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    fn lets(&mut self) -> Parsed<Lets> {
        let recursive = self.eat_word("rec");
        let mut bindings = vec![self.binding()?];
        while self.eat_word("and") {
            bindings.push(self.binding()?);
        }
        Ok(Lets { recursive, bindings })
    }

    fn binding(&mut self) -> Parsed<Binding> {
        let (name, span) = self.name()?;
        let params = if self.is_sign("(") {
            Some(self.params()?)
        } else if let Tok::Name(_) = self.peek() {
            Some(vec![self.name()?.0])
        } else {
            None
        };
        self.want_sign("=")?;
        Ok(Binding { name, span, params, body: self.expr()? })
    }

    fn params(&mut self) -> Parsed<Vec<String>> {
        self.want_sign("(")?;
        let mut params = Vec::new();
        while !self.eat_sign(")") {
            if !params.is_empty() {
                self.want_sign(",")?;
            }
            params.push(self.name()?.0);
        }
        Ok(params)
    }

    fn include(&mut self) -> Parsed<Item> {
        let span = self.next().span;
        match self.peek().clone() {
            Tok::Text(file) => {
                let end = self.next().span;
                Ok(Item::Include { file, span: span.to(end) })
            }
            _ => Err(self.unexpected("a file name in quotes")),
        }
    }

    fn axiom(&mut self) -> Parsed<Item> {
        let span = self.span();
        let mut flag = self.eat_word("flag");
        // The program is undefined, or the model wrong, unless the check holds: a flag where it
        // does not.
        let inverted = self.eat_word("undefined_unless") || self.eat_word("assert");
        flag |= inverted;
        let negated = self.eat_sign("~");
        let check = match self.peek() {
            Tok::Name(name) if name == "acyclic" => Check::Acyclic,
            Tok::Name(name) if name == "irreflexive" => Check::Irreflexive,
            Tok::Name(name) if name == "empty" => Check::Empty,
            _ => return Err(self.unexpected("`acyclic`, `irreflexive` or `empty`")),
        };
        self.next();
        let expr = self.expr()?;
        let name = self.as_name()?;
        let span = span.to(self.last_span());
        Ok(Item::Axiom { check, negated: negated != inverted, flag, expr, name, span })
    }

    fn as_name(&mut self) -> Parsed<Option<String>> {
        match self.eat_word("as") {
            true => match self.peek().clone() {
                Tok::Name(name) => {
                    self.next();
                    Ok(Some(name))
                }
                _ => Err(self.unexpected("a name")),
            },
            false => Ok(None),
        }
    }

    /// What herd draws: read and dropped.
    fn show(&mut self) -> Parsed<()> {
        self.next();
        loop {
            self.expr()?;
            self.as_name()?;
            if !self.eat_sign(",") {
                return Ok(());
            }
        }
    }

    fn procedure(&mut self) -> Parsed<Item> {
        self.next();
        let (name, _) = self.name()?;
        let params = self.params()?;
        self.want_sign("=")?;
        let items = self.nested(Self::items)?;
        self.want_word("end")?;
        Ok(Item::Procedure { name, params, items })
    }

    fn call(&mut self) -> Parsed<Item> {
        let span = self.next().span;
        let (name, _) = self.name()?;
        let args = self.args()?;
        self.as_name()?;
        Ok(Item::Call { name, args, span: span.to(self.last_span()) })
    }

    /// `with co from generate_cos(...)`: the code that enumerates executions gives `co`. Other
    /// orders are those of a function with one argument.
    fn enumerated_order(&mut self) -> Parsed<Option<Item>> {
        let span = self.next().span;
        let (order, _) = self.name()?;
        self.want_word("from")?;
        if order == "co" {
            self.expr()?;
            return Ok(None);
        }
        let bracket = self.eat_sign("(");
        let (function, _) = self.name()?;
        self.nested(Self::atom)?;
        if bracket {
            self.want_sign(")")?;
        }
        Ok(Some(Item::Enumerated { order, function, span: span.to(self.last_span()) }))
    }

    fn condition(&mut self) -> Parsed<Condition> {
        let mut left = self.condition_and()?;
        while self.eat_sign("||") {
            left = Condition::Or(Box::new(left), Box::new(self.condition_and()?));
        }
        Ok(left)
    }

    fn condition_and(&mut self) -> Parsed<Condition> {
        let mut left = self.condition_not()?;
        while self.eat_sign("&&") {
            left = Condition::And(Box::new(left), Box::new(self.condition_not()?));
        }
        Ok(left)
    }

    fn condition_not(&mut self) -> Parsed<Condition> {
        if self.eat_word("not") {
            return Ok(Condition::Not(Box::new(self.nested(Self::condition_not)?)));
        }
        if self.eat_sign("(") {
            let inner = self.nested(Self::condition)?;
            self.want_sign(")")?;
            return Ok(inner);
        }
        match self.peek().clone() {
            Tok::Text(_) => {
                self.next();
                Ok(Condition::Variant)
            }
            _ => Err(self.unexpected("a variant in quotes")),
        }
    }

    /// One level deeper, while the stack has room.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Complaint::new(self.span(), "this is nested too deeply"));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn expr(&mut self) -> Parsed<Expr> {
        self.nested(Self::expr_here)
    }

    fn expr_here(&mut self) -> Parsed<Expr> {
        if self.eat_word("let") {
            let start = self.last_span();
            let lets = self.lets()?;
            self.want_word("in")?;
            let body = self.expr()?;
            let span = start.to(body.span);
            return Ok(Expr { span, kind: ExprKind::Let(lets, Box::new(body)) });
        }
        if self.eat_word("try") {
            let start = self.last_span();
            let first = self.expr()?;
            self.want_word("with")?;
            let second = self.expr()?;
            let span = start.to(second.span);
            return Ok(Expr { span, kind: ExprKind::Try(Box::new(first), Box::new(second)) });
        }
        if self.eat_word("if") {
            let start = self.last_span();
            let condition = self.condition()?;
            self.want_word("then")?;
            let yes = self.expr()?;
            self.want_word("else")?;
            let no = self.expr()?;
            let span = start.to(no.span);
            return Ok(Expr { span, kind: ExprKind::If(condition, Box::new(yes), Box::new(no)) });
        }
        self.eat_sign("|"); // a leading bar is allowed
        self.binary_level(0)
    }

    fn binary_level(&mut self, level: usize) -> Parsed<Expr> {
        const LEVELS: [(&str, Binary); 4] =
            [("|", Binary::Union), (";", Binary::Seq), ("\\", Binary::Diff), ("&", Binary::Inter)];
        let Some((sign, op)) = LEVELS.get(level) else { return self.prefix() };
        let mut left = self.binary_level(level + 1)?;
        while self.eat_sign(sign) {
            left = binary(*op, left, self.binary_level(level + 1)?);
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Parsed<Expr> {
        if self.eat_sign("~") || self.eat_sign("!") {
            let start = self.last_span();
            let inner = self.nested(Self::prefix)?;
            return Ok(unary(Unary::Complement, start.to(inner.span), inner));
        }
        let mut left = self.postfix()?;
        while self.is_sign("*") {
            // `postfix` has left it there, so an operand follows.
            self.next();
            left = binary(Binary::Product, left, self.factor()?);
        }
        Ok(left)
    }

    /// The right side of a product may be a complement.
    fn factor(&mut self) -> Parsed<Expr> {
        if self.eat_sign("~") {
            let start = self.last_span();
            let inner = self.nested(Self::factor)?;
            return Ok(unary(Unary::Complement, start.to(inner.span), inner));
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut inner = self.atom()?;
        loop {
            let op = match self.peek() {
                Tok::Sign("+" | "^+") => Unary::Plus,
                Tok::Sign("?" | "^?") => Unary::Opt,
                Tok::Sign("^*") => Unary::Star,
                Tok::Sign("^-1") => Unary::Inverse,
                Tok::Sign("*") if !self.operand_after() => Unary::Star,
                _ => return Ok(inner),
            };
            let end = self.next().span;
            inner = unary(op, inner.span.to(end), inner);
        }
    }

    /// Can the token after this one start an operand?
    fn operand_after(&self) -> bool {
        match &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].tok {
            Tok::Name(name) => {
                !ITEMS.contains(&name.as_str()) && !RESERVED.contains(&name.as_str())
            }
            Tok::Zero => true,
            Tok::Sign(sign) => matches!(*sign, "(" | "[" | "{" | "_" | "~"),
            Tok::Text(_) | Tok::End => false,
        }
    }

    fn atom(&mut self) -> Parsed<Expr> {
        let span = self.span();
        match self.peek().clone() {
            Tok::Zero => {
                self.next();
                Ok(Expr { span, kind: ExprKind::Zero })
            }
            Tok::Sign("_") => {
                self.next();
                Ok(Expr { span, kind: ExprKind::All })
            }
            Tok::Sign("{") => {
                self.next();
                self.want_sign("}")?;
                Ok(Expr { span: span.to(self.last_span()), kind: ExprKind::Zero })
            }
            Tok::Sign("[") => {
                self.next();
                let inner = self.expr()?;
                self.want_sign("]")?;
                Ok(unary(Unary::Identity, span.to(self.last_span()), inner))
            }
            Tok::Sign("(") => {
                self.next();
                let inner = self.expr()?;
                self.want_sign(")")?;
                Ok(inner)
            }
            Tok::Name(name) if matches!(name.as_str(), "domain" | "range" | "toid") => {
                self.next();
                let inner = self.nested(Self::atom)?;
                let op = match name.as_str() {
                    "domain" => Unary::Domain,
                    "range" => Unary::Range,
                    _ => Unary::Identity,
                };
                Ok(unary(op, span.to(inner.span), inner))
            }
            Tok::Name(name) if LATER.contains(&name.as_str()) => {
                Err(self.unexpected("an expression"))
            }
            Tok::Name(_) => {
                let (name, _) = self.name()?;
                if !self.is_sign("(") {
                    return Ok(Expr { span, kind: ExprKind::Name(name) });
                }
                let args = self.args()?;
                Ok(Expr { span: span.to(self.last_span()), kind: ExprKind::Call(name, args) })
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn args(&mut self) -> Parsed<Vec<Expr>> {
        self.want_sign("(")?;
        let mut args = Vec::new();
        while !self.eat_sign(")") {
            if !args.is_empty() {
                self.want_sign(",")?;
            }
            args.push(self.expr()?);
        }
        Ok(args)
    }
}

fn unary(op: Unary, span: Span, inner: Expr) -> Expr {
    Expr { span, kind: ExprKind::Unary(op, Box::new(inner)) }
}

fn binary(op: Binary, left: Expr, right: Expr) -> Expr {
    Expr {
        span: left.span.to(right.span),
        kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
    }
}
