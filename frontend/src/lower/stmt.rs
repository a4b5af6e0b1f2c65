//! Statements: structured control flow to blocks and jumps.

use super::builder::{JumpTarget, Switch};
use super::{Result, Scope, Unit, Value};
use crate::fold;
use crate::ir::*;
use crate::types::Scalar;
use lang_c::ast;
use lang_c::span::{Node, Span as Bytes};

/// A GNU case range with more values than this is not expanded.
const LARGEST_CASE_RANGE: i128 = 4096;

impl Unit<'_> {
    pub fn statement(&mut self, node: &Node<ast::Statement>) -> Result<()> {
        use ast::Statement as S;
        let span = self.mark(node.span);
        match &node.node {
            S::Labeled(l) => self.labeled(l),
            S::Compound(items) => self.compound(items, node.span),
            S::Expression(None) => Ok(()),
            S::Expression(Some(e)) => self.expr(e).map(|_| ()),
            S::If(s) => self.if_statement(s),
            S::Switch(s) => self.switch(s),
            S::While(s) => self.while_loop(s),
            S::DoWhile(s) => self.do_loop(s),
            S::For(s) => self.for_loop(s),
            S::Goto(label) => {
                self.f.goto_label(&label.node.name, span);
                Ok(())
            }
            S::Continue => match self.f.continues.last().copied() {
                Some(target) => self.jump(target),
                None => Err(self.error("`continue` outside of a loop")),
            },
            S::Break => match self.f.breaks.last().copied() {
                Some(target) => self.jump(target),
                None => Err(self.error("`break` outside of a loop or switch")),
            },
            S::Return(value) => self.return_statement(value.as_deref()),
            S::Asm(asm) => self.asm(&asm.node),
        }
    }

    fn jump(&mut self, target: JumpTarget) -> Result<()> {
        let at = self.at;
        self.f.jump(target, at);
        Ok(())
    }

    pub fn block_item(&mut self, item: &Node<ast::BlockItem>) -> Result<()> {
        match &item.node {
            ast::BlockItem::Declaration(d) => self.declaration(d),
            ast::BlockItem::StaticAssert(s) => self.static_assert(s),
            ast::BlockItem::Statement(s) => self.statement(s),
        }
    }

    fn compound(&mut self, items: &[Node<ast::BlockItem>], at: Bytes) -> Result<()> {
        self.scoped(at, |unit| items.iter().try_for_each(|item| unit.block_item(item)))
    }

    /// Runs `body` in a scope of its own, of names and of storage.
    fn scoped(&mut self, at: Bytes, body: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.scopes.push(Scope::default());
        self.f.enter_scope();
        let result = body(self);
        self.scopes.pop();
        let end = self.map.span(at.end.saturating_sub(1));
        self.f.leave_scope(end);
        result
    }

    fn labeled(&mut self, node: &Node<ast::LabeledStatement>) -> Result<()> {
        let span = self.mark(node.span);
        match &node.node.label.node {
            ast::Label::Identifier(id) => {
                if !self.f.define_label(&id.node.name, span) {
                    return Err(self.error(format!("label `{}` is defined twice", id.node.name)));
                }
            }
            ast::Label::Case(e) => {
                let value = self.constant_int(e)?;
                self.case(value, value)?;
            }
            ast::Label::CaseRange(range) => {
                let low = self.constant_int(&range.node.low)?;
                let high = self.constant_int(&range.node.high)?;
                self.case(low, high)?;
            }
            ast::Label::Default => {
                let block = self.fall_into_new_block();
                let Some(switch) = self.f.switches.last_mut() else {
                    return Err(self.error("`default` outside of a switch"));
                };
                if switch.default.replace(block).is_some() {
                    return Err(self.error("a second `default`"));
                }
            }
        }
        self.statement(&node.node.statement)
    }

    fn fall_into_new_block(&mut self) -> BlockId {
        let block = self.f.new_block();
        let at = self.at;
        self.f.goto(block, at);
        self.f.continue_at(block);
        block
    }

    fn case(&mut self, low: i128, high: i128) -> Result<()> {
        let block = self.fall_into_new_block();
        let machine = self.link.types.machine;
        let Some(switch) = self.f.switches.last() else {
            return Err(self.error("`case` outside of a switch"));
        };
        if high - low > LARGEST_CASE_RANGE {
            return Err(self.error("this case range is too large"));
        }
        let scalar = self.link.types.scalar(switch.ty).unwrap_or(Scalar::I32);
        for value in low..=high {
            let pattern = fold::truncate(machine, scalar, value as u64);
            let taken = |s: &Switch| s.cases.iter().any(|c| c.0 == pattern);
            match self.f.switches.last_mut() {
                Some(switch) if !taken(switch) => switch.cases.push((pattern, block)),
                _ => return Err(self.error(format!("a second `case {value}`"))),
            }
        }
        Ok(())
    }

    fn if_statement(&mut self, node: &Node<ast::IfStatement>) -> Result<()> {
        let s = &node.node;
        let span = self.at;
        let cond = self.condition(&s.condition)?;
        if let (Origin::Model, Operand::Const { bits, .. }) = (self.origin, cond) {
            return self.known_branch(s, bits != 0);
        }
        let (yes, no, end) = (self.f.new_block(), self.f.new_block(), self.f.new_block());
        self.f.end(Terminator::Branch { cond, then: yes, otherwise: no }, span);
        self.f.continue_at(yes);
        self.statement(&s.then_statement)?;
        let at = self.at;
        self.f.goto(end, at);
        self.f.continue_at(no);
        if let Some(otherwise) = &s.else_statement {
            self.statement(otherwise)?;
        }
        let at = self.at;
        self.f.goto(end, at);
        self.f.continue_at(end);
        Ok(())
    }

    /// Models ask `__obmc_linked`; what they then do not need must not be linked.
    fn known_branch(&mut self, s: &ast::IfStatement, taken: bool) -> Result<()> {
        match (taken, &s.else_statement) {
            (true, _) => self.statement(&s.then_statement),
            (false, Some(otherwise)) => self.statement(otherwise),
            (false, None) => Ok(()),
        }
    }

    fn switch(&mut self, node: &Node<ast::SwitchStatement>) -> Result<()> {
        let span = self.at;
        let value = self.expr(&node.node.expression)?;
        let value = self.promote(value)?;
        let (value, ty, scalar) = self.scalar(value, "the operand of `switch`")?;
        if !matches!(scalar, Scalar::Int { .. }) {
            return Err(self.error("the operand of `switch` must be an integer"));
        }
        let dispatch = self.f.current;
        let end = self.f.new_block();
        self.f.switches.push(Switch { ty, cases: Vec::new(), default: None });
        self.f.breaks.push(JumpTarget { block: end, scope: self.f.scope });
        let body = self.f.new_block();
        self.f.continue_at(body);
        let lowered = self.statement(&node.node.statement);
        self.f.breaks.pop();
        let switch = self.f.switches.pop();
        lowered?;
        let at = self.at;
        self.f.goto(end, at);
        if let Some(Switch { cases, default, .. }) = switch {
            self.f.continue_at(dispatch);
            let default = default.unwrap_or(end);
            self.f.end(Terminator::Switch { value, cases, default }, span);
        }
        self.f.continue_at(end);
        Ok(())
    }

    fn while_loop(&mut self, node: &Node<ast::WhileStatement>) -> Result<()> {
        let span = self.at;
        let head = self.fall_into_new_block();
        let (body, end) = (self.f.new_block(), self.f.new_block());
        let cond = self.condition(&node.node.expression)?;
        self.f.end(Terminator::Branch { cond, then: body, otherwise: end }, span);
        self.f.continue_at(body);
        self.loop_body(&node.node.statement, head, end)?;
        self.at = span;
        self.f.goto(head, span);
        self.f.continue_at(end);
        Ok(())
    }

    fn do_loop(&mut self, node: &Node<ast::DoWhileStatement>) -> Result<()> {
        let span = self.at;
        let head = self.fall_into_new_block();
        let (test, end) = (self.f.new_block(), self.f.new_block());
        self.loop_body(&node.node.statement, test, end)?;
        self.f.goto(test, span);
        self.f.continue_at(test);
        let cond = self.condition(&node.node.expression)?;
        if matches!(cond, Operand::Const { bits: 0, .. }) {
            self.f.goto(end, span);
        } else {
            self.f.end(Terminator::Branch { cond, then: head, otherwise: end }, span);
        }
        self.f.continue_at(end);
        Ok(())
    }

    fn for_loop(&mut self, node: &Node<ast::ForStatement>) -> Result<()> {
        let at = node.span;
        self.scoped(at, |unit| unit.for_loop_inner(&node.node))
    }

    fn for_loop_inner(&mut self, s: &ast::ForStatement) -> Result<()> {
        let span = self.at;
        match &s.initializer.node {
            ast::ForInitializer::Empty => {}
            ast::ForInitializer::Expression(e) => {
                self.expr(e)?;
            }
            ast::ForInitializer::Declaration(d) => self.declaration(d)?,
            ast::ForInitializer::StaticAssert(a) => self.static_assert(a)?,
        }
        self.at = span;
        let head = self.fall_into_new_block();
        let (body, step, end) = (self.f.new_block(), self.f.new_block(), self.f.new_block());
        match &s.condition {
            Some(e) => {
                let cond = self.condition(e)?;
                self.f.end(Terminator::Branch { cond, then: body, otherwise: end }, span);
            }
            None => self.f.goto(body, span),
        }
        self.f.continue_at(body);
        self.loop_body(&s.statement, step, end)?;
        self.f.goto(step, span);
        self.f.continue_at(step);
        if let Some(e) = &s.step {
            self.expr(e)?;
        }
        self.f.goto(head, span);
        self.f.continue_at(end);
        Ok(())
    }

    fn loop_body(
        &mut self,
        body: &Node<ast::Statement>,
        again: BlockId,
        end: BlockId,
    ) -> Result<()> {
        let scope = self.f.scope;
        self.f.continues.push(JumpTarget { block: again, scope });
        self.f.breaks.push(JumpTarget { block: end, scope });
        let result = self.statement(body);
        self.f.continues.pop();
        self.f.breaks.pop();
        result
    }

    fn return_statement(&mut self, value: Option<&Node<ast::Expression>>) -> Result<()> {
        let span = self.at;
        let result = match value {
            Some(e) => Some(self.expr(e)?),
            None => None,
        };
        self.at = span;
        let result = match (result, self.f.ret) {
            (Some(value), Some(ty)) if !self.is_void(ty) => Some(self.convert(value, ty)?),
            (Some(Value::Void) | None, _) => None,
            (Some(_), _) => None,
        };
        self.return_value(result)
    }

    /// Leaves the function: closes its atomic block, hands over a struct result.
    pub fn return_value(&mut self, value: Option<Value>) -> Result<()> {
        let result = match (value, self.f.ret_addr) {
            (Some(Value::Memory { addr, ty }), Some(to)) => {
                self.copy(Operand::Reg(to), addr, ty)?;
                None
            }
            (Some(Value::Scalar { op, .. }), _) => Some(op),
            (None, _) => self.missing_result(),
            _ => None,
        };
        if self.f.atomic {
            self.emit(InstKind::AtomicEnd);
        }
        let at = self.at;
        self.f.end(Terminator::Return(result), at);
        Ok(())
    }

    /// Falling off the end of a function gives an arbitrary value.
    fn missing_result(&mut self) -> Option<Operand> {
        let scalar = self.f.ret.and_then(|ty| self.link.types.scalar(ty))?;
        Some(self.assign(scalar, Rvalue::Undef(scalar)))
    }
}
