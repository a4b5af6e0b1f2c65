//! Statements: declarations, branches and loops.
//!
//! A condition controls what is inside of its statement: `EndBranch` closes it behind that.

use super::{CLowering, ELEMENT, Lowered, Token};
use crate::ir::{Expr, Inst};
use crate::value::BinOp;

impl CLowering<'_> {
    pub(super) fn statement(&mut self) -> Lowered<()> {
        self.nested(Self::statement_here)
    }

    fn statement_here(&mut self) -> Lowered<()> {
        if self.eat(";") {
            return Ok(());
        }
        if self.eat("{") {
            while !self.eat("}") {
                if self.peek().is_none() {
                    return Err(self.unexpected("`}`"));
                }
                self.statement()?;
            }
            return Ok(());
        }
        if self.eat_name("if") {
            return self.if_statement();
        }
        if self.eat_name("while") {
            return self.while_statement();
        }
        if self.eat_name("do") {
            return self.do_statement();
        }
        if self.eat_name("return") {
            if !self.is_sign(";") {
                self.expr()?;
            }
            self.want(";")?;
            self.returns.push(self.code.len());
            self.push(Inst::Jump(0));
            return Ok(());
        }
        if let Some(Token::Name(name)) = self.peek() {
            // Some tests have a variable of this name.
            let alone = matches!(self.peek_at(1), Some(Token::Sign(";")));
            let jump = matches!(name.as_str(), "break" | "continue") && alone;
            if jump || matches!(name.as_str(), "for" | "goto" | "switch") {
                return Err(self.error(format!("`{name}` is not supported")));
            }
        }
        if self.starts_type() {
            return self.declaration();
        }
        self.expr()?;
        self.want(";")
    }

    fn if_statement(&mut self) -> Lowered<()> {
        self.want("(")?;
        let when = self.expr()?.expr;
        self.want(")")?;
        let branch = self.branch_unless(when);
        self.statement()?;
        if self.eat_name("else") {
            let jump = self.code.len();
            self.push(Inst::Jump(0));
            self.land(branch);
            self.statement()?;
            self.land(jump);
        } else {
            self.land(branch);
        }
        self.end_branch();
        Ok(())
    }

    fn while_statement(&mut self) -> Lowered<()> {
        let head = self.code.len();
        self.want("(")?;
        let when = self.expr()?.expr;
        self.want(")")?;
        let branch = self.branch_unless(when);
        self.statement()?;
        self.push(Inst::Jump(head));
        self.land(branch);
        self.end_branch();
        Ok(())
    }

    fn do_statement(&mut self) -> Lowered<()> {
        let head = self.code.len();
        self.statement()?;
        if !self.eat_name("while") {
            return Err(self.unexpected("`while`"));
        }
        self.want("(")?;
        let when = self.expr()?.expr;
        self.want(")")?;
        self.want(";")?;
        self.push(Inst::Branch { when, target: head });
        self.branches += 1;
        self.end_branch();
        Ok(())
    }

    /// A branch that is taken if the condition does not hold; where it goes is said by `land`.
    fn branch_unless(&mut self, when: Expr) -> usize {
        let when = Expr::binary(BinOp::Eq, when, Expr::int(0));
        self.push(Inst::Branch { when, target: 0 });
        self.branches += 1;
        self.code.len() - 1
    }

    pub(super) fn land(&mut self, at: usize) {
        let here = self.code.len();
        if let Inst::Branch { target, .. } | Inst::Jump(target) = &mut self.code[at] {
            *target = here;
        }
    }

    pub(super) fn end_branch(&mut self) {
        self.branches -= 1;
        self.push(Inst::EndBranch { open: self.branches });
    }

    pub(super) fn starts_type(&self) -> bool {
        const TYPES: &[&str] = &[
            "int",
            "intptr_t",
            "uintptr_t",
            "long",
            "unsigned",
            "char",
            "short",
            "bool",
            "_Bool",
            "void",
            "volatile",
            "const",
            "struct",
            "int8_t",
            "int16_t",
            "int32_t",
            "int64_t",
            "uint8_t",
            "uint16_t",
            "uint32_t",
            "uint64_t",
            "atomic_int",
            "__int128",
            "size_t",
        ];
        matches!(self.peek(), Some(Token::Name(name)) if TYPES.contains(&name.as_str()))
    }

    /// The words of a type. Gives: how many stars.
    pub(super) fn type_name(&mut self) -> usize {
        while self.starts_type() {
            let is_struct = self.eat_name("struct");
            self.at += 1;
            let _ = is_struct;
        }
        let mut stars = 0;
        while self.eat("*") {
            stars += 1;
        }
        stars
    }

    fn declaration(&mut self) -> Lowered<()> {
        let mut stars = self.type_name();
        loop {
            let Some(Token::Name(name)) = self.peek().cloned() else {
                return Err(self.unexpected("a name"));
            };
            self.at += 1;
            let reg = self.local(&name);
            self.pointees[reg.0 as usize] = if stars > 0 { ELEMENT } else { 0 };
            if self.eat("=") {
                let value = self.expr()?;
                self.push(Inst::Set { to: reg, expr: value.expr });
            }
            if !self.eat(",") {
                return self.want(";");
            }
            stars = 0;
            while self.eat("*") {
                stars += 1;
            }
        }
    }
}
