//! Operands that nothing sequences: C evaluates them in any order (C11 6.5p3).
//!
//! We evaluate them from left to right, and look at the instructions that each of them has become.
//! - Two unsequenced side effects on one scalar, or one and a read of it, are undefined (`x++ + x`):
//!   not modelled, where it is reached.
//! - If calls or atomic accesses may meet, the pair is recorded. `pass/order.rs` decides when
//!   the whole program is known: the order does not matter, or it is an assumption. If just two operands
//!   call functions of the program, both orders are there, and an input chooses (`CHOICE`).
//!
//! Accesses that are written down are compared by where they start: the same variable, member, or
//! pointer. Those through different pointers may meet, which is recorded as well.
//!
//! Cost: a counter tells whether operands do anything; only then their instructions are looked at.

use super::builder::Builder;
use super::place::Place;
use super::{Result, Unit, Value};
use crate::ir::*;
use crate::pass::order::{CHOICE, Touched, UnsequencedPair};
use crate::pass::walk;
use crate::types::{Machine, Scalar};
use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as Bytes};
use lang_c::visit::{self, Visit};

/// Operands that call functions are lowered twice, so not in each other for ever.
const MOST_NESTED: u32 = 2;

/// What is wanted of an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Value,
    /// Where something will be written.
    Place,
    /// The same, and what is there is read first.
    Updated,
}

#[derive(Clone, Copy)]
pub(crate) enum Got {
    Value(Value),
    Place(Place),
}

pub(crate) type Part<'n> = (Wanted, &'n Node<Expression>);

/// A point in the code of a function.
#[derive(Clone, Copy)]
struct Mark {
    block: BlockId,
    inst: usize,
    blocks: usize,
    regs: usize,
    slots: usize,
    deeds: usize,
}

/// What the instructions of an operand do themselves.
#[derive(Default)]
struct Segment {
    reads: Vec<Reg>,
    writes: Vec<Reg>,
    accesses: Vec<Access>,
    calls: Vec<Callee>,
    synchronises: bool,
}

#[derive(Clone)]
struct Access {
    addr: Operand,
    write: bool,
    atomic: bool,
    /// What it starts from, and how far from there, if that is known.
    from: String,
    offset: Option<i64>,
    bytes: u64,
}

/// How two accesses are related.
#[derive(PartialEq, Eq)]
enum Meeting {
    Never,
    Perhaps,
    Always,
}

impl Unit<'_> {
    /// Two values of an operator.
    pub fn two_values(
        &mut self,
        lhs: &Node<Expression>,
        rhs: &Node<Expression>,
    ) -> Result<(Value, Value)> {
        let got = self.unsequenced(&[(Wanted::Value, lhs), (Wanted::Value, rhs)])?;
        match got[..] {
            [Got::Value(a), Got::Value(b)] => Ok((a, b)),
            _ => Ok((Value::Void, Value::Void)),
        }
    }

    /// Both sides of an assignment.
    pub fn place_and_value(
        &mut self,
        wanted: Wanted,
        lhs: &Node<Expression>,
        rhs: &Node<Expression>,
    ) -> Result<(Place, Value)> {
        let got = self.unsequenced(&[(wanted, lhs), (Wanted::Value, rhs)])?;
        match got[..] {
            [Got::Place(place), Got::Value(value)] => {
                if let Expression::Identifier(id) = &lhs.node
                    && has_side_effect_on(rhs, &id.node.name)
                {
                    self.undefined(&id.node.name);
                }
                Ok((place, value))
            }
            _ => Err(self.error("cannot assign to this")),
        }
    }

    /// Evaluates operands whose order C leaves open.
    pub fn unsequenced(&mut self, parts: &[Part]) -> Result<Vec<Got>> {
        let order: Vec<usize> = (0..parts.len()).collect();
        let Some((first, last)) = self.two_that_call(parts) else {
            return self.in_order(parts, &order, None);
        };
        let at = self.at;
        let choice = self.f.temp(Scalar::I32, at);
        let name = CHOICE.to_owned();
        self.emit(InstKind::Nondet { dst: choice, ty: Scalar::I32, bits: 1, name });
        let (turned, usual, end) = (self.f.new_block(), self.f.new_block(), self.f.new_block());
        let cond = Operand::Reg(choice);
        self.f.end(Terminator::Branch { cond, then: turned, otherwise: usual }, at);
        self.nested += 1;
        self.f.continue_at(usual);
        let a = self.in_order(parts, &order, Some(choice));
        let a_end = self.f.current;
        self.f.continue_at(turned);
        let mut other = order;
        other.retain(|&i| i != last);
        let before = other.iter().position(|&i| i == first).unwrap_or(0);
        other.insert(before, last);
        let asked = self.f.unsequenced.len();
        let b = self.in_order(parts, &other, Some(choice));
        self.f.unsequenced.truncate(asked);
        let b_end = self.f.current;
        self.nested -= 1;
        let merged = a?.into_iter().zip(b?).map(|pair| self.merge(pair, (a_end, b_end))).collect();
        for from in [a_end, b_end] {
            self.f.continue_at(from);
            self.f.goto(end, at);
        }
        self.f.continue_at(end);
        self.at = at;
        Ok(merged)
    }

    /// One value that came by either of two ways.
    fn merge(&mut self, pair: (Got, Got), ends: (BlockId, BlockId)) -> Got {
        let (Got::Value(a), Got::Value(b)) = pair else { return pair.0 };
        if self.type_of_value(a) != self.type_of_value(b) {
            // Arrays of variable length, with sizes that only one of the ways knows.
            for end in [ends.0, ends.1] {
                self.f.continue_at(end);
                self.emit(InstKind::Unsupported { what: "operands of variable size".into() });
            }
        }
        if let (Value::Wide { lo, hi, ty }, Value::Wide { lo: other_lo, hi: other_hi, .. }) = (a, b)
        {
            let lo = self.merge_words([(lo, ends.0), (other_lo, ends.1)]);
            let hi = self.merge_words([(hi, ends.0), (other_hi, ends.1)]);
            return Got::Value(Value::Wide { lo, hi, ty });
        }
        let ((a, b), scalar) = match (a, b) {
            (Value::Scalar { op: x, ty }, Value::Scalar { op: y, .. }) => {
                ((x, y), self.link.types.scalar(ty).unwrap_or(Scalar::I32))
            }
            (Value::Memory { addr: x, .. }, Value::Memory { addr: y, .. }) => ((x, y), Scalar::Ptr),
            _ => return Got::Value(a),
        };
        if a == b {
            return pair.0;
        }
        let reg = self.f.temp(scalar, self.at);
        for (op, end) in [(a, ends.0), (b, ends.1)] {
            self.f.continue_at(end);
            self.set(reg, op);
        }
        let op = Operand::Reg(reg);
        Got::Value(match pair.0 {
            Got::Value(Value::Scalar { ty, .. }) => Value::Scalar { op, ty },
            Got::Value(Value::Memory { ty, .. }) => Value::Memory { addr: op, ty },
            Got::Value(Value::Wide { .. } | Value::Void) | Got::Place(_) => Value::Void,
        })
    }

    fn merge_words(&mut self, ways: [(Operand, BlockId); 2]) -> Operand {
        let reg = self.f.temp(Scalar::U64, self.at);
        for (op, end) in ways {
            self.f.continue_at(end);
            self.set(reg, op);
        }
        Operand::Reg(reg)
    }

    /// The two operands that call functions of the program, if just two do.
    fn two_that_call(&self, parts: &[Part]) -> Option<(usize, usize)> {
        let values = parts.iter().all(|(wanted, _)| *wanted == Wanted::Value);
        if self.origin != Origin::User || self.nested >= MOST_NESTED || !values {
            return None;
        }
        let mut calling = Vec::new();
        for (i, (_, node)) in parts.iter().enumerate() {
            let mut calls = Calls { defined: &self.defined, found: 0, once: false };
            if !is_leaf(node) {
                calls.visit_expression(&node.node, &node.span);
            }
            if calls.once {
                return None;
            }
            calling.extend((calls.found > 0).then_some(i));
        }
        match calling[..] {
            [first, last] => Some((first, last)),
            _ => None,
        }
    }

    fn in_order(
        &mut self,
        parts: &[Part],
        order: &[usize],
        choice: Option<Reg>,
    ) -> Result<Vec<Got>> {
        let mut got: Vec<(usize, Got)> = Vec::with_capacity(parts.len());
        let mut marks = vec![self.f.mark_here()];
        for &i in order {
            let (wanted, node) = parts[i];
            let value = match wanted {
                Wanted::Value => Got::Value(self.expr(node)?),
                Wanted::Place | Wanted::Updated => Got::Place(self.place(node)?),
            };
            got.push((i, value));
            marks.push(self.f.mark_here());
        }
        let busy = marks[0].deeds != marks[marks.len() - 1].deeds;
        if busy && parts.len() > 1 && self.origin == Origin::User {
            self.compare_all(parts, &got, &marks, choice);
        }
        got.sort_by_key(|(i, _)| *i);
        Ok(got.into_iter().map(|(_, got)| got).collect())
    }

    fn compare_all(
        &mut self,
        parts: &[Part],
        got: &[(usize, Got)],
        marks: &[Mark],
        choice: Option<Reg>,
    ) {
        let machine = self.link.types.machine;
        let mut segments = Vec::new();
        for (n, (i, got)) in got.iter().enumerate() {
            let mut segment = self.f.segment(marks[0], marks[n], marks[n + 1], machine);
            let updated = parts[*i].0 == Wanted::Updated;
            let operand = match got {
                Got::Value(Value::Scalar { op, .. }) => Some(*op),
                // It is copied by whoever wants it.
                Got::Value(Value::Memory { addr, ty }) => {
                    let bytes = self.link.types.size(*ty).unwrap_or(0);
                    segment.add(&self.f, (marks[0], marks[n + 1]), *addr, bytes, false, false);
                    Some(*addr)
                }
                // Two words that are loaded already.
                Got::Value(Value::Wide { .. } | Value::Void) => None,
                Got::Place(Place::Register { reg, .. }) => updated.then_some(Operand::Reg(*reg)),
                Got::Place(Place::Memory { addr, ty }) => {
                    let bytes = self.link.types.size(*ty).unwrap_or(0);
                    let atomic = self.order_of(*ty) != Order::Plain;
                    if updated {
                        segment.add(&self.f, (marks[0], marks[n + 1]), *addr, bytes, false, atomic);
                    }
                    Some(*addr)
                }
                Got::Place(Place::Bits { addr, .. }) => Some(*addr),
            };
            if let Some(Operand::Reg(reg)) = operand {
                segment.reads.extend(self.f.is_variable(reg, marks[0]).then_some(reg));
            }
            segments.push(segment);
        }
        self.mark(parts[0].1.span);
        let assumption = match parts[0].0 {
            Wanted::Updated => "the left side of an update is read last",
            _ => "operands are evaluated from left to right",
        };
        for (j, b) in segments.iter().enumerate() {
            for a in &segments[..j] {
                self.hold_against(a, b, marks[0], assumption, choice);
            }
        }
    }

    fn hold_against(
        &mut self,
        a: &Segment,
        b: &Segment,
        start: Mark,
        assumption: &'static str,
        choice: Option<Reg>,
    ) {
        let clash = |x: &Segment, y: &Segment| {
            x.writes.iter().copied().find(|r| y.reads.contains(r) || y.writes.contains(r))
        };
        if let Some(reg) = clash(a, b).or_else(|| clash(b, a)) {
            let name = self.f.regs[reg.index()].name.clone().unwrap_or_default();
            return self.undefined(&name);
        }
        let mut perhaps = Vec::new();
        for x in &a.accesses {
            for y in b.accesses.iter().filter(|y| x.write || y.write) {
                match x.meets(y) {
                    Meeting::Never => {}
                    Meeting::Always if !(x.atomic && y.atomic) => {
                        return self.undefined("one object");
                    }
                    _ => perhaps.push((x.addr, y.addr)),
                }
            }
        }
        let (a, b) = (a.touched(), b.touched());
        if !perhaps.is_empty() || a.may_matter(&b) {
            let (span, old) = (self.at, start.slots);
            self.f.unsequenced.push(UnsequencedPair {
                span,
                a,
                b,
                old,
                perhaps,
                assumption,
                choice,
            });
        }
    }

    fn undefined(&mut self, name: &str) {
        let name = crate::normalise::names::decode(name).into_owned();
        let what = format!("unsequenced side effects on `{name}`");
        self.emit(InstKind::Unsupported { what });
    }
}

impl Segment {
    fn touched(&self) -> Touched {
        Touched {
            accesses: self.accesses.iter().map(|a| (a.addr, a.write)).collect(),
            calls: self.calls.clone(),
            synchronises: self.synchronises,
        }
    }

    fn add(
        &mut self,
        f: &Builder,
        (start, end): (Mark, Mark),
        addr: Operand,
        bytes: u64,
        write: bool,
        atomic: bool,
    ) {
        let (from, offset) = f.origin(start, end, addr, 8);
        self.synchronises |= atomic;
        self.accesses.push(Access { addr, write, atomic, from, offset, bytes });
    }
}

impl Access {
    fn meets(&self, other: &Access) -> Meeting {
        let is_static = |a: &Access| a.from.starts_with(['@', '$']);
        if self.from != other.from {
            let apart = is_static(self) && is_static(other);
            return if apart { Meeting::Never } else { Meeting::Perhaps };
        }
        let (Some(x), Some(y)) = (self.offset, other.offset) else { return Meeting::Perhaps };
        let overlap = x < y + other.bytes as i64 && y < x + self.bytes as i64;
        if overlap { Meeting::Always } else { Meeting::Never }
    }
}

impl Builder {
    fn mark_here(&self) -> Mark {
        Mark {
            block: self.current,
            inst: self.blocks[self.current.index()].insts.len(),
            blocks: self.blocks.len(),
            regs: self.regs.len(),
            slots: self.slots.len(),
            deeds: self.deeds,
        }
    }

    /// Is it a variable of the program that was there at the mark?
    fn is_variable(&self, reg: Reg, at: Mark) -> bool {
        reg.index() < at.regs && self.regs[reg.index()].name.is_some()
    }

    /// The instructions between two marks.
    fn between(&self, from: Mark, to: Mark) -> impl Iterator<Item = &InstKind> {
        let blocks = std::iter::once(from.block.index()).chain(from.blocks..to.blocks);
        let part = move |b: usize| {
            let insts = &self.blocks[b].insts;
            let start = if b == from.block.index() { from.inst } else { 0 };
            let end = if b == to.block.index() { to.inst } else { insts.len() };
            insts.get(start..end).unwrap_or_default()
        };
        blocks.flat_map(part).map(|inst| &inst.kind)
    }

    fn segment(&self, start: Mark, from: Mark, to: Mark, machine: Machine) -> Segment {
        let mut segment = Segment::default();
        for kind in self.between(from, to) {
            let read = walk::operands(kind).into_iter().filter_map(|o| match o {
                Operand::Reg(r) if self.is_variable(*r, start) => Some(*r),
                _ => None,
            });
            segment.reads.extend(read);
            segment.writes.extend(walk::defined(kind).filter(|r| self.is_variable(*r, start)));
            match kind {
                InstKind::Load { addr, ty, order, .. } => {
                    let (bytes, atomic) = (ty.bytes(machine), *order != Order::Plain);
                    segment.add(self, (start, to), *addr, bytes, false, atomic);
                }
                InstKind::Store { addr, ty, order, .. } => {
                    let (bytes, atomic) = (ty.bytes(machine), *order != Order::Plain);
                    segment.add(self, (start, to), *addr, bytes, true, atomic);
                }
                InstKind::Call { callee, .. } => segment.calls.push(*callee),
                InstKind::AtomicBegin { .. } | InstKind::Fence { .. } => {
                    segment.synchronises = true;
                }
                _ => {}
            }
        }
        segment
    }

    /// What an address starts from, in a form that can be compared, and the offset from there.
    fn origin(&self, start: Mark, end: Mark, addr: Operand, depth: u32) -> (String, Option<i64>) {
        let reg = match addr {
            Operand::Object { object, offset } => return (format!("@{}", object.0), Some(offset)),
            Operand::Slot { slot, offset } => return (format!("${}", slot.0), Some(offset)),
            Operand::Reg(reg) => reg,
            Operand::Const { .. } | Operand::Function(_) => return (String::new(), None),
        };
        let unknown = (format!("r{}", reg.0), Some(0));
        if self.regs[reg.index()].name.is_some() || depth == 0 {
            return unknown;
        }
        let made = self.between(start, end).find(|kind| walk::defined(kind) == Some(reg));
        match made {
            Some(InstKind::Assign { value: Rvalue::PtrAdd { base, index, scale }, .. }) => {
                let (from, offset) = self.origin(start, end, *base, depth - 1);
                let known = match index {
                    Operand::Const { bits, .. } => {
                        offset.map(|o| o.wrapping_add((*bits as i64).wrapping_mul(*scale as i64)))
                    }
                    _ => None,
                };
                (from, known)
            }
            Some(InstKind::Assign { value: Rvalue::Use(op), .. }) => {
                self.origin(start, end, *op, depth - 1)
            }
            Some(InstKind::Load { addr, .. }) => {
                let (from, offset) = self.origin(start, end, *addr, depth - 1);
                match offset {
                    Some(offset) => (format!("[{from}+{offset}]"), Some(0)),
                    None => unknown,
                }
            }
            _ => unknown,
        }
    }
}

/// Functions of the program that an expression calls, and what must not be lowered twice.
struct Calls<'a> {
    defined: &'a rustc_hash::FxHashSet<String>,
    found: u32,
    once: bool,
}

impl<'ast> Visit<'ast> for Calls<'_> {
    fn visit_call_expression(&mut self, call: &'ast ast::CallExpression, span: &'ast Bytes) {
        let known = match &call.callee.node {
            Expression::Identifier(id) => self.defined.contains(&id.node.name),
            _ => false,
        };
        self.found += u32::from(known);
        visit::visit_call_expression(self, call, span);
    }

    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Bytes) {
        self.once |= matches!(expression, Expression::Statement(_));
        visit::visit_expression(self, expression, span);
    }
}

fn is_leaf(node: &Node<Expression>) -> bool {
    use Expression as E;
    matches!(&node.node, E::Identifier(_) | E::Constant(_) | E::StringLiteral(_))
}

/// Does the expression assign to the variable, with no sequence point before its value?
fn has_side_effect_on(node: &Node<Expression>, name: &str) -> bool {
    use ast::{BinaryOperator as B, UnaryOperator as U};
    let is = |e: &Node<Expression>| matches!(&e.node, Expression::Identifier(id) if id.node.name == name);
    match &node.node {
        Expression::UnaryOperator(unary) => {
            let unary = &unary.node;
            let steps = matches!(
                unary.operator.node,
                U::PostIncrement | U::PostDecrement | U::PreIncrement | U::PreDecrement
            );
            steps && is(&unary.operand) || has_side_effect_on(&unary.operand, name)
        }
        Expression::Cast(cast) => has_side_effect_on(&cast.node.expression, name),
        Expression::BinaryOperator(binary) => {
            let binary = &binary.node;
            let operator = &binary.operator.node;
            if matches!(operator, B::LogicalAnd | B::LogicalOr) {
                return false;
            }
            let assigns = !matches!(
                operator,
                B::Index
                    | B::Multiply
                    | B::Divide
                    | B::Modulo
                    | B::Plus
                    | B::Minus
                    | B::ShiftLeft
                    | B::ShiftRight
                    | B::Less
                    | B::Greater
                    | B::LessOrEqual
                    | B::GreaterOrEqual
                    | B::Equals
                    | B::NotEquals
                    | B::BitwiseAnd
                    | B::BitwiseXor
                    | B::BitwiseOr
            );
            assigns && is(&binary.lhs)
                || has_side_effect_on(&binary.lhs, name)
                || has_side_effect_on(&binary.rhs, name)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::program;
    use crate::pass::order::CHOICE;
    use crate::print;

    const BEFORE: &str = "int x, y, a[9]; struct s { int top, v[9], *q; } *p; struct s g;
        int sets(void) { x = 1; return 0; } int looks(void) { return x; }
        int pure(int n) { return n + 1; } int other(void) { y = 1; return 0; }
        int stops(void) { __builtin_abort(); } int fails(void) { reach_error(); return 0; }
        void reach_error(void); void two(int, int);";

    /// What becomes of a statement: undefined, both orders, an assumption, or nothing.
    fn verdict(statement: &str) -> &'static str {
        let p = program(&format!("{BEFORE} void f(int i, int *r) {{ {statement}; }}"));
        let text = print::program(&p);
        match (text.contains("unsequenced"), text.contains(CHOICE), p.ignored.is_empty()) {
            (true, ..) => "undefined",
            (_, true, _) => "both",
            (_, _, false) => "assumed",
            _ => "fine",
        }
    }

    #[test]
    fn side_effects_that_nothing_sequences_are_undefined() {
        for e in [
            "i = i++",
            "i = i++ + 1",
            "i = (i = 3)",
            "i++ + i++",
            "i + i++",
            "a[i] = i++",
            "i += i++",
            "two(i++, i)",
            "two(x++, x)",
            "x = x++",
            "g.top = g.top++ + g.top",
            "*r = (r = a, 1)",
            "p->v[p->top++] = p->top",
            "two(pure(i++), i)",
        ] {
            assert_eq!(verdict(e), "undefined", "{e}");
        }
    }

    #[test]
    fn what_does_not_meet_is_fine() {
        for e in [
            "i = i + 1",
            "i = (i++, i + 1)",
            "i++ && i++",
            "i ? i++ : i--",
            "i = pure(i++)",
            "x = x + 1",
            "a[i++] = x",
            "p->v[p->top++] = i",
            "p->q[p->top++] = i",
            "pure(1) + pure(2)",
            "looks() + looks()",
            "sets() + other()",
            "sets() + i",
            "x = sets()",
            "two(pure(i), looks())",
            "*r++ = *p->q++",
            "i = i == 3 && i++",
            "sets() + y",
            "g.v[g.top++] = i",
            "sizeof(i++) + i++",
            "i = r[i]",
        ] {
            assert_eq!(verdict(e), "fine", "{e}");
        }
    }

    #[test]
    fn two_calls_that_meet_are_tried_in_both_orders() {
        for e in [
            "sets() + looks()",
            "two(sets(), looks())",
            "sets() - pure(looks())",
            "i = sets() == looks()",
            "stops() + fails()",
            "a[sets() + looks()] = 1",
        ] {
            assert_eq!(verdict(e), "both", "{e}");
        }
    }

    #[test]
    fn what_else_may_meet_is_assumed() {
        for e in [
            "sets() + x",
            "x + sets()",
            "x += sets()",
            "r = &x; p = &g; g.q = &x; (*r)++ + *p->q",
            "a[x] = sets()",
        ] {
            assert_eq!(verdict(e), "assumed", "{e}");
        }
    }
}
