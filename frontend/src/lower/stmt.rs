//! Statements: structured control flow to blocks and jumps.

use super::builder::{JumpTarget, Switch};
use super::print::is_call;
use super::wide::WidePair;
use super::{Result, Scope, Unit, Value};
use ir::fold;
use ir::types::Scalar;
use ir::*;
use lang_c::ast;
use lang_c::span::{Node, Span as Bytes};

/// A GNU case range with more values than this is a comparison.
const LARGEST_CASE_RANGE: i128 = 4096;

impl Unit<'_> {
    pub fn statement(&mut self, node: &Node<ast::Statement>) -> Result<()> {
        use ast::Statement as S;
        let span = self.mark(node.span);
        match &node.node {
            S::Labeled(l) => self.labeled(l),
            S::Compound(items) => self.compound(items, node.span),
            S::Expression(None) => Ok(()),
            S::Expression(Some(e)) => {
                self.discarded = is_call(&e.node);
                self.may_save_context(e);
                self.expr(e).map(|_| ())
            }
            S::If(s) => self.scoped(node.span, |unit| unit.if_statement(s)),
            S::Switch(s) => self.scoped(node.span, |unit| unit.switch(s)),
            S::While(s) => self.scoped(node.span, |unit| unit.while_loop(s)),
            S::DoWhile(s) => self.scoped(node.span, |unit| unit.do_loop(s)),
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

    pub(crate) fn block_item(&mut self, item: &Node<ast::BlockItem>) -> Result<()> {
        let results = self.f.results();
        match &item.node {
            ast::BlockItem::Declaration(d) => self.declaration(d)?,
            ast::BlockItem::StaticAssert(s) => self.static_assert(s)?,
            ast::BlockItem::Statement(s) => self.statement(s)?,
        }
        let at = self.at;
        self.f.end_results(results, at);
        Ok(())
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

    /// The branches of an `if` and the body of a loop are blocks, with braces and without.
    fn substatement(&mut self, node: &Node<ast::Statement>) -> Result<()> {
        match &node.node {
            ast::Statement::Compound(_) => self.statement(node),
            _ => self.scoped(node.span, |unit| unit.statement(node)),
        }
    }

    fn labeled(&mut self, node: &Node<ast::LabeledStatement>) -> Result<()> {
        self.label(node)?;
        self.statement(&node.node.statement)
    }

    /// Without the statement behind it.
    pub fn label(&mut self, node: &Node<ast::LabeledStatement>) -> Result<()> {
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
                let block = self.switch_label("default")?;
                let second = |s: &mut Switch| s.default.replace(block).is_some();
                if self.f.switches.last_mut().is_some_and(second) {
                    return Err(self.error("a second `default`"));
                }
            }
        }
        Ok(())
    }

    fn fall_into_new_block(&mut self) -> BlockId {
        let block = self.f.new_block();
        let at = self.at;
        self.f.goto(block, at);
        self.f.continue_at(block);
        block
    }

    /// The block that the switch jumps to for a label here.
    fn switch_label(&mut self, word: &str) -> Result<BlockId> {
        let block = self.fall_into_new_block();
        let at = self.at;
        match self.f.switches.last().map(|s| s.scope) {
            Some(scope) => Ok(self.f.case_entry(block, scope, at)),
            None => Err(self.error(format!("`{word}` outside of a switch"))),
        }
    }

    fn case(&mut self, low: i128, high: i128) -> Result<()> {
        let block = self.switch_label("case")?;
        let machine = self.link.types.machine;
        let Some(switch) = self.f.switches.last_mut() else { return Ok(()) };
        let scalar = self.link.types.scalar(switch.ty).unwrap_or(Scalar::I32);
        // C11 6.8.4.2p5: converted to the type of what is switched on, where a range may become empty.
        let convert = |n| fold::number(machine, scalar, fold::truncate(machine, scalar, n as u64));
        let (low, high) = (convert(low), convert(high));
        if high - low > LARGEST_CASE_RANGE {
            let first = fold::truncate(machine, scalar, low as u64);
            let more = fold::truncate(machine, scalar, (high - low) as u64);
            switch.ranges.push((first, more, block));
            return Ok(());
        }
        for value in low..=high {
            let pattern = fold::truncate(machine, scalar, value as u64);
            if !switch.taken.insert(pattern) {
                return Err(self.error(format!("a second `case {value}`")));
            }
            switch.cases.push((pattern, block));
        }
        Ok(())
    }

    fn if_statement(&mut self, node: &Node<ast::IfStatement>) -> Result<()> {
        let s = &node.node;
        let span = self.at;
        self.may_save_context(&s.condition);
        let cond = self.condition(&s.condition)?;
        if let (Origin::Model, Operand::Const { bits, .. }) = (self.origin, cond) {
            return self.known_branch(s, bits != 0);
        }
        let (yes, no, end) = (self.f.new_block(), self.f.new_block(), self.f.new_block());
        self.f.end(Terminator::Branch { cond, then: yes, otherwise: no }, span);
        self.f.continue_at(yes);
        self.substatement(&s.then_statement)?;
        let at = self.at;
        self.f.goto(end, at);
        self.f.continue_at(no);
        if let Some(otherwise) = &s.else_statement {
            self.substatement(otherwise)?;
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
        self.may_save_context(&node.node.expression);
        let value = self.expr(&node.node.expression)?;
        let value = self.promote(value)?;
        let (value, ty, scalar) = self.scalar(value, "the operand of `switch`")?;
        if !matches!(scalar, Scalar::Int { .. }) {
            return Err(self.error("the operand of `switch` must be an integer"));
        }
        let dispatch = self.f.current;
        let end = self.f.new_block();
        let scope = self.f.scope;
        let (cases, taken, ranges) = Default::default();
        self.f.switches.push(Switch { ty, cases, taken, ranges, default: None, scope });
        self.f.breaks.push(JumpTarget { block: end, scope });
        let body = self.f.new_block();
        self.f.continue_at(body);
        let lowered = self.substatement(&node.node.statement);
        self.f.breaks.pop();
        let switch = self.f.switches.pop();
        lowered?;
        let at = self.at;
        self.f.goto(end, at);
        if let Some(Switch { cases, default, ranges, .. }) = switch {
            self.f.continue_at(dispatch);
            self.at = span;
            self.switch_ranges(value, scalar, ranges);
            let default = default.unwrap_or(end);
            self.f.end(Terminator::Switch { value, cases, default }, span);
        }
        self.f.continue_at(end);
        Ok(())
    }

    /// `value - first <= more`, without a sign, for each range.
    fn switch_ranges(&mut self, value: Operand, ty: Scalar, ranges: Vec<(u64, u64, BlockId)>) {
        let unsigned = Scalar::Int { bits: ty.bits(self.link.types.machine), signed: false };
        for (first, more, block) in ranges {
            let value = self.cast(ty, unsigned, value);
            let first = self.scalar_const(first, unsigned);
            let more = self.scalar_const(more, unsigned);
            let above = self.binary(BinOp::Sub, unsigned, value, first, false);
            let cond = self.binary(BinOp::Le, unsigned, above, more, false);
            let next = self.f.new_block();
            let at = self.at;
            self.f.end(Terminator::Branch { cond, then: block, otherwise: next }, at);
            self.f.continue_at(next);
        }
    }

    fn while_loop(&mut self, node: &Node<ast::WhileStatement>) -> Result<()> {
        let span = self.at;
        self.f.repeats();
        let head = self.fall_into_new_block();
        let (body, end) = (self.f.new_block(), self.f.new_block());
        self.may_save_context(&node.node.expression);
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
        self.f.repeats();
        let head = self.fall_into_new_block();
        let (test, end) = (self.f.new_block(), self.f.new_block());
        self.loop_body(&node.node.statement, test, end)?;
        self.f.goto(test, span);
        self.f.continue_at(test);
        self.may_save_context(&node.node.expression);
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
        self.f.repeats();
        let head = self.fall_into_new_block();
        let (body, step, end) = (self.f.new_block(), self.f.new_block(), self.f.new_block());
        match &s.condition {
            Some(e) => {
                self.may_save_context(e);
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
        let result = self.substatement(body);
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
    pub(crate) fn return_value(&mut self, value: Option<Value>) -> Result<()> {
        let result = match (value, self.f.ret_addr) {
            (Some(Value::Memory { addr, ty }), Some(to)) => {
                self.copy(Operand::Reg(to), addr, ty)?;
                None
            }
            (Some(Value::Wide { lo, hi, .. }), Some(to)) => {
                self.store_pair(Operand::Reg(to), WidePair { lo, hi }, MemoryOrder::Plain);
                None
            }
            (Some(Value::Scalar { op, .. }), _) => Some(op),
            (None, _) => self.missing_result(),
            _ => None,
        };
        let at = self.at;
        if self.origin == Origin::User && self.is_noreturn(&self.f.name) {
            let what = format!("a return from `{}`, which should not", self.f.name);
            self.emit(InstKind::Unsupported { what });
        }
        self.f.clean_up_all(at);
        if self.f.atomic {
            self.emit(InstKind::AtomicEnd);
        }
        self.f.end(Terminator::Return(result), at);
        Ok(())
    }

    /// Falling off the end of a function gives an arbitrary value.
    fn missing_result(&mut self) -> Option<Operand> {
        let scalar = self.f.ret.and_then(|ty| self.link.types.scalar(ty))?;
        Some(self.assign(scalar, Rvalue::Undef(scalar)))
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{LP64, error, function, has, ir, program, units};
    use ir::print::inst;
    use ir::{BlockId, Inst, InstKind, Terminator};

    #[test]
    fn case_values_are_converted_to_the_type_of_the_operand() {
        has(
            &ir("int f(unsigned u) { switch (u) { case -1: return 1; } return 0; }"),
            &["switch u.0 [4294967295: b"],
        );
        has(
            &ir("int f(long long x) { switch (x) { case 1LL << 40: return 1; } return 0; }"),
            &["switch x.0 [1099511627776: b"],
        );
        has(
            &ir("int f(char c) { switch (c) { case \'a\': return 1; } return 0; }"),
            &["cast i8 to i32", "switch %1 [97: b"],
        );
        has(
            &ir("int f(int x) { switch (x) { case 1 << 31: return 1; } return 0; }"),
            &["switch x.0 [2147483648: b"],
        );
        assert_eq!(
            error("void f(double d) { switch (d) {} }"),
            "1:28: the operand of `switch` must be an integer"
        );
    }

    #[test]
    fn case_ranges_and_fallthrough() {
        let text = "int f(int x) { switch (x) { case 1 ... 3: x = 7; case 5: return x; default: x = 9; } return x; }";
        let ir = ir(text);
        has(&ir, &["switch x.0 [1: b", "2: b", "3: b", "5: b", "else b"]);
        has(&ir, &["x.0 = 7", "goto", "return x.0", "x.0 = 9"]);
        has(
            &crate::lower::testing::ir("void f(int x) { switch (x) { case 5 ... 99999: ; } }"),
            &["sub u32", ", 5", "le u32", ", 99994", "if "],
        );
        let empty = "void f(unsigned long x) { switch (x) { case -4 ... 0: case 7: ; } }";
        has(&crate::lower::testing::ir(empty), &["switch x.0 [7: b", ", else b"]);
    }

    #[test]
    fn duffs_device() {
        let text = "void g(int); void f(int n) { switch (n) { case 0: do { g(0); case 1: g(1); } while (--n); } }";
        let p = program(text);
        let f = p.functions.iter().find(|f| f.name == "f").expect("f");
        let Some(Terminator::Switch { cases, .. }) =
            f.blocks.iter().map(|b| &b.end).find(|e| matches!(e, Terminator::Switch { .. }))
        else {
            panic!("no switch")
        };
        let Terminator::Goto(label) = f.blocks[cases[1].1.index()].end else { panic!("no entry") };
        let first_call = |b: BlockId| inst(&p, f, &f.blocks[b.index()].insts[0].kind);
        assert_eq!(first_call(label), "call g(1)");
    }

    /// The declaration is jumped over, but the variable lives.
    #[test]
    fn a_switch_enters_the_scopes_of_its_labels() {
        let text = "void g(int *); void f(int n) { switch (n) { int x; case 1: g(&x); } }";
        let p = program(text);
        let f = p.functions.iter().find(|f| f.name == "f").expect("f");
        let target = f.blocks.iter().find_map(|b| match &b.end {
            Terminator::Switch { cases, .. } => Some(cases[0].1),
            _ => None,
        });
        let entry = &f.blocks[target.expect("a switch").index()];
        assert!(matches!(entry.insts[..], [Inst { kind: InstKind::SlotLive(_), .. }]));
    }

    #[test]
    fn misplaced_labels_and_jumps() {
        for (text, message) in [
            ("void f(int x) { switch (x) { case 1: case 1: ; } }", "1:38: a second `case 1`"),
            (
                "void f(unsigned x) { switch (x) { case -1: case 4294967295: ; } }",
                "1:44: a second `case 4294967295`",
            ),
            ("void f(int x) { switch (x) { default: default: ; } }", "1:39: a second `default`"),
            (
                "void f(int x) { switch (x) { case x: ; } }",
                "1:35: this must be an integer constant",
            ),
            ("void f(void) { case 1: ; }", "1:16: `case` outside of a switch"),
            ("void f(void) { default: ; }", "1:16: `default` outside of a switch"),
            ("void f(void) { break; }", "1:16: `break` outside of a loop or switch"),
            (
                "void f(int x) { switch (x) { case 1: continue; } }",
                "1:38: `continue` outside of a loop",
            ),
            ("void f(void) { l: ; l: ; }", "1:21: label `l` is defined twice"),
            ("void f(void) { goto l; }", "1:16: label `l` is not defined"),
        ] {
            assert_eq!(error(text), message, "{text}");
        }
    }

    #[test]
    fn loops_test_where_they_should() {
        has(
            &ir("void g(void); void f(int n) { while (n) g(); }"),
            &["b1:", "if n.0 goto b", "call g()", "goto b1"],
        );
        has(
            &ir("void g(void); void f(int n) { do g(); while (n); }"),
            &["call g()", "if n.0 goto b1 else"],
        );
        has(&ir("void g(void); void f(int n) { for (;;) { if (n) break; g(); } }"), &["if n.0"]);
        let text = "void g(int); void f(void) { for (int i = 0; i < 3; i++) { if (i == 1) continue; g(i); } }";
        has(&ir(text), &["i.0 = 0", "lt i32 i.0, 3", "eq i32 i.0, 1", "goto b4", "call g(i.0)"]);
    }

    #[test]
    fn leaving_scopes_ends_lifetimes() {
        let text = "void g(int *); void f(int n) { while (n) { int x; g(&x); if (n == 1) break; if (n == 2) continue; g(0); } }";
        let ir = ir(text);
        assert_eq!(ir.matches("dead $x.0").count(), 3, "{ir}");
        assert_eq!(ir.matches("live $x.0").count(), 1, "{ir}");
    }

    #[test]
    fn falling_off_the_end() {
        has(&ir("int f(void) {}"), &["undef i32", "return %0"]);
        has(&ir("int f(int n) { if (n) return; return 3; }"), &["undef i32", "return 3"]);
        let p = units(LP64, &["int main(void) {}"]);
        has(&function(&p, "main"), &["return 0"]);
        let p = units(LP64, &["void main() {}"]);
        has(&function(&p, "main"), &["-> void", "return"]);
        has(&ir("int g(void); void f(void) { return (void)g(); }"), &["call g()", "return"]);
    }
}
