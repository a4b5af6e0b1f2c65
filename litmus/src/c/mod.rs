//! C tests: a function per thread, lowered while it is read.
//!
//! Parameters are the shared variables of the same name; every other name is a register of the thread.
//! A plain access (`*x`) is not atomic whatever the type says, as in herd7. Control dependencies reach
//! from a condition to the statements that it controls and no further.
//!
//! In message tests (`MSG`) parameters are topics, and the functions are `send` and `receive`.
//!
//! This file has threads and expressions, `statement.rs` statements; `primitive.rs` knows the
//! functions of C11 and of the Linux kernel.
//!
//! - `token.rs`: tokens of the C that litmus tests are written in

mod primitive;
mod statement;
mod token;

use crate::error::Error;
use crate::format::Function;
use crate::ir::{AccessMode, Arch, Expr, Inst, Reg, Thread};
use crate::state::InitialState;
use crate::value::{BinOp, Value};
use token::{Token, tokens};

/// Nesting of statements and expressions.
const MAX_DEPTH: usize = 60;
/// Every access counts as one of this size: C tests do not mix sizes.
const BYTES: u8 = 8;
/// What a pointer points to, in pointer arithmetic, if no type says otherwise.
const ELEMENT: i64 = 4;

/// C11 or the kernel's C?
pub(crate) fn dialect(functions: &[Function]) -> Arch {
    const KERNEL: &[&str] = &[
        "READ_ONCE",
        "WRITE_ONCE",
        "smp_",
        "rcu_",
        "spin_",
        "srcu_",
        "atomic_read",
        "atomic_set",
        "xchg",
        "atomic_t",
        "spinlock_t",
        "synchronize_",
        "atomic_inc",
        "atomic_dec",
        "atomic_add",
        "atomic_cmpxchg",
    ];
    let has = |f: &Function, w: &str| f.body.text.contains(w) || f.params.text.contains(w);
    let is = |words: &[&str]| functions.iter().any(|f| words.iter().any(|w| has(f, w)));
    if is(&[
        "memory_order_",
        "atomic_thread_fence",
        "atomic_compare_exchange",
        "atomic_load",
        "atomic_store",
    ]) {
        Arch::C
    } else if is(KERNEL) {
        Arch::Lkmm
    } else {
        Arch::C
    }
}

pub fn threads(state: &mut InitialState, functions: &[Function]) -> Result<Vec<Thread>, Error> {
    functions.iter().map(|f| thread(state, f)).collect()
}

fn thread(state: &mut InitialState, function: &Function) -> Result<Thread, Error> {
    let tokens = tokens(&function.body.text, function.body.line)?;
    let mut lower = CLowering {
        state,
        tokens,
        at: 0,
        last_line: function.body.line,
        params: Vec::new(),
        names: Vec::new(),
        pointees: Vec::new(),
        code: Vec::new(),
        depth: 0,
        branches: 0,
        returns: Vec::new(),
    };
    lower.read_params(function)?;
    while lower.at < lower.tokens.len() {
        lower.statement()?;
    }
    let end = lower.code.len();
    for at in lower.returns.clone() {
        lower.code[at] = Inst::Jump(end);
    }
    let mut init = Vec::new();
    for (thread, name, value) in lower.state.registers.clone() {
        if let (true, Some(value)) = (thread == function.thread, value) {
            let reg = lower.local(&name);
            init.push((reg, value));
        }
    }
    Ok(Thread { code: lower.code, registers: lower.names, init })
}

/// A value and, for a pointer, the size of what it points to (0: no pointer).
struct Typed {
    expr: Expr,
    pointee: i64,
}

impl Typed {
    fn plain(expr: Expr) -> Typed {
        Typed { expr, pointee: 0 }
    }
}

struct CLowering<'a> {
    state: &'a mut InitialState,
    tokens: Vec<(Token, usize)>,
    at: usize,
    last_line: usize,
    /// Shared variables and the size of an element.
    params: Vec<(String, i64)>,
    /// Of registers.
    names: Vec<Option<String>>,
    pointees: Vec<i64>,
    code: Vec<Inst>,
    depth: usize,
    /// Branches that are open here.
    branches: usize,
    /// Jumps to the end of the thread.
    returns: Vec<usize>,
}

type Lowered<T> = Result<T, Error>;

impl CLowering<'_> {
    fn read_params(&mut self, function: &Function) -> Lowered<()> {
        for param in function.params.text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let name = param.rsplit(|c: char| c.is_whitespace() || c == '*').next().unwrap_or("");
            let kind = param[..param.len() - name.len()].trim();
            let topic = self.state.arch == Arch::Msg && kind == "topic";
            if name.is_empty() || !(kind.contains('*') || topic) {
                let message = format!("the parameter `{param}` is not a pointer");
                return Err(Error::new(function.params.line, message));
            }
            let location = self.state.symbol(name);
            let symbol = &mut self.state.symbols[location.symbol as usize];
            let atomic = kind.contains("atomic") || kind.contains("_Atomic");
            symbol.atomic = Some(symbol.atomic.unwrap_or(false) || atomic);
            let size = match symbol.bytes {
                0 => ELEMENT,
                bytes => i64::from(bytes),
            };
            self.params.push((name.to_string(), size));
        }
        Ok(())
    }

    // Tokens

    fn line(&self) -> usize {
        self.tokens.get(self.at).map_or(self.last_line, |(_, line)| *line)
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn peek_at(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead).map(|(token, _)| token)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(s)) if *s == sign)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    fn want(&mut self, sign: &str) -> Lowered<()> {
        match self.eat(sign) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{sign}`"))),
        }
    }

    fn eat_name(&mut self, name: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Name(n)) if n == name);
        self.at += usize::from(found);
        found
    }

    fn error(&self, message: impl Into<String>) -> Error {
        Error::new(self.line(), message)
    }

    fn unexpected(&self, wanted: &str) -> Error {
        let found = match self.peek() {
            None => "the end".into(),
            Some(Token::Name(name)) => format!("`{name}`"),
            Some(Token::Number(n)) => format!("`{n}`"),
            Some(Token::Sign(sign)) => format!("`{sign}`"),
        };
        self.error(format!("expected {wanted}, found {found}"))
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error("this is nested too deeply"));
        }
        self.depth += 1;
        let done = read(self);
        self.depth -= 1;
        done
    }

    // Registers

    fn local(&mut self, name: &str) -> Reg {
        let known = self.names.iter().position(|n| n.as_deref() == Some(name));
        let index = known.unwrap_or_else(|| {
            self.names.push(Some(name.to_string()));
            self.pointees.push(0);
            self.names.len() - 1
        });
        Reg(index as u32)
    }

    fn hidden(&mut self) -> Reg {
        self.names.push(None);
        self.pointees.push(0);
        Reg(self.names.len() as u32 - 1)
    }

    fn push(&mut self, inst: Inst) {
        self.code.push(inst);
    }

    /// The value in a register of its own, so that later writes do not change it.
    fn keep(&mut self, expr: Expr) -> Expr {
        let to = self.hidden();
        self.push(Inst::Set { to, expr });
        Expr::Reg(to)
    }

    fn load(&mut self, address: Expr, tags: &[&'static str]) -> Expr {
        let to = self.hidden();
        let access = AccessMode::new(BYTES, tags);
        self.push(Inst::Load { to, address, access, signed: true, exclusive: false });
        Expr::Reg(to)
    }

    fn store(&mut self, address: Expr, value: Expr, tags: &[&'static str]) {
        let access = AccessMode::new(BYTES, tags);
        self.push(Inst::Store { address, value, access });
    }

    // Expressions, from loose to tight

    fn expr(&mut self) -> Lowered<Typed> {
        self.nested(Self::assignment)
    }

    fn assignment(&mut self) -> Lowered<Typed> {
        // name = e
        if let (Some(Token::Name(name)), Some(Token::Sign("="))) = (self.peek(), self.peek_at(1)) {
            let name = name.clone();
            if self.params.iter().any(|(p, _)| *p == name) {
                return Err(self.error(format!("the parameter `{name}` is assigned to")));
            }
            self.at += 2;
            let value = self.expr()?;
            let to = self.local(&name);
            self.push(Inst::Set { to, expr: value.expr });
            return Ok(Typed::plain(Expr::Reg(to)));
        }
        // *e = e
        if self.is_sign("*") {
            let start = self.at;
            let code = self.code.len();
            self.at += 1;
            let address = self.unary()?;
            if self.eat("=") {
                let address = self.keep_if_code(address.expr);
                let value = self.expr()?.expr;
                self.store(address, value.clone(), &["NA"]);
                return Ok(Typed::plain(value));
            }
            self.at = start;
            self.code.truncate(code);
        }
        self.ternary()
    }

    fn keep_if_code(&mut self, expr: Expr) -> Expr {
        match expr {
            Expr::Const(_) => expr,
            other => self.keep(other),
        }
    }

    fn ternary(&mut self) -> Lowered<Typed> {
        let first = self.binary(0)?;
        if self.is_sign("?") {
            return Err(self.error("`?:` is not supported"));
        }
        Ok(first)
    }

    fn binary(&mut self, level: usize) -> Lowered<Typed> {
        const LEVELS: &[&[(&str, BinOp)]] = &[
            &[("||", BinOp::LogicalOr)],
            &[("&&", BinOp::LogicalAnd)],
            &[("|", BinOp::Or)],
            &[("^", BinOp::Xor)],
            &[("&", BinOp::And)],
            &[("==", BinOp::Eq), ("!=", BinOp::Ne)],
            &[("<=", BinOp::Le), (">=", BinOp::Ge), ("<", BinOp::Lt), (">", BinOp::Gt)],
            &[("<<", BinOp::Shl), (">>", BinOp::Sar)],
            &[("+", BinOp::Add), ("-", BinOp::Sub)],
            &[("*", BinOp::Mul), ("/", BinOp::Div), ("%", BinOp::Rem)],
        ];
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        loop {
            let found = operators.iter().find(|(sign, _)| self.is_sign(sign));
            let Some((sign, op)) = found else { return Ok(left) };
            self.at += 1;
            let before = self.code.len();
            let right = self.binary(level + 1)?;
            let lazy = matches!(op, BinOp::LogicalAnd | BinOp::LogicalOr);
            if lazy && self.code.len() > before {
                let message =
                    format!("an access of memory on the right of `{sign}` is not supported");
                return Err(self.error(message));
            }
            left = combine(*op, left, right);
        }
    }

    fn unary(&mut self) -> Lowered<Typed> {
        self.nested(Self::unary_here)
    }

    fn unary_here(&mut self) -> Lowered<Typed> {
        if self.eat("!") {
            let inner = self.unary()?.expr;
            return Ok(Typed::plain(Expr::binary(BinOp::Eq, inner, Expr::int(0))));
        }
        if self.eat("-") {
            let inner = self.unary()?.expr;
            return Ok(Typed::plain(Expr::binary(BinOp::Sub, Expr::int(0), inner)));
        }
        if self.eat("~") {
            let inner = self.unary()?.expr;
            return Ok(Typed::plain(Expr::binary(BinOp::Xor, inner, Expr::int(-1))));
        }
        if self.eat("+") {
            return self.unary();
        }
        if self.eat("&") {
            return self.place();
        }
        if self.eat("*") {
            let address = self.unary()?;
            return Ok(Typed::plain(self.load(address.expr, &["NA"])));
        }
        self.primary()
    }

    /// What `&` may stand before: `*p`, `p[i]`, or a shared variable.
    fn place(&mut self) -> Lowered<Typed> {
        if self.eat("*") {
            return self.unary();
        }
        Err(self.error("`&` of this is not supported"))
    }

    fn primary(&mut self) -> Lowered<Typed> {
        if self.eat("(") {
            if self.starts_type() {
                let stars = self.type_name();
                self.want(")")?;
                let inner = self.unary()?;
                let pointee = if stars > 0 { ELEMENT } else { 0 };
                return Ok(Typed { pointee, ..inner });
            }
            let inner = self.expr()?;
            self.want(")")?;
            return self.postfix(inner);
        }
        match self.peek().cloned() {
            Some(Token::Number(n)) => {
                self.at += 1;
                Ok(Typed::plain(Expr::int(n)))
            }
            Some(Token::Name(name)) => {
                self.at += 1;
                if self.eat("(") {
                    return self.call(&name).map(Typed::plain);
                }
                let typed = self.name(&name);
                self.postfix(typed)
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn postfix(&mut self, base: Typed) -> Lowered<Typed> {
        if self.eat("[") {
            let index = self.expr()?;
            self.want("]")?;
            let address = combine(BinOp::Add, base, index);
            if self.eat("=") {
                let value = self.expr()?.expr;
                self.store(address.expr, value.clone(), &["NA"]);
                return Ok(Typed::plain(value));
            }
            return Ok(Typed::plain(self.load(address.expr, &["NA"])));
        }
        for sign in ["->", ".", "++", "--", "+=", "-="] {
            if self.is_sign(sign) {
                return Err(self.error(format!("`{sign}` is not supported")));
            }
        }
        Ok(base)
    }

    fn name(&mut self, name: &str) -> Typed {
        let declared = self.names.iter().any(|n| n.as_deref() == Some(name));
        match self.params.iter().find(|(param, _)| param == name) {
            Some((_, size)) if !declared => {
                let pointee = *size;
                let address = self.state.symbol(name);
                Typed { expr: Expr::Const(Value::Address(address)), pointee }
            }
            _ => {
                let reg = self.local(name);
                Typed { expr: Expr::Reg(reg), pointee: self.pointees[reg.0 as usize] }
            }
        }
    }
}

/// Pointer arithmetic counts elements.
fn combine(op: BinOp, left: Typed, right: Typed) -> Typed {
    let scaled = |expr: Expr, by: i64| Expr::binary(BinOp::Mul, expr, Expr::int(by));
    let (pointee, left, right) = match (op, left.pointee, right.pointee) {
        (BinOp::Add | BinOp::Sub, by, 0) if by > 0 => (by, left.expr, scaled(right.expr, by)),
        (BinOp::Add, 0, by) if by > 0 => (by, scaled(left.expr, by), right.expr),
        _ => (0, left.expr, right.expr),
    };
    Typed { expr: Expr::binary(op, left, right), pointee }
}
