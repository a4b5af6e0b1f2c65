//! Operands that nothing sequences: C evaluates them in any order (C11 6.5p3).
//!
//! We evaluate them from left to right, and look at the instructions that each of them has become.
//! - Two unsequenced side effects on one scalar, or one and a read of it, are undefined (`x++ + x`):
//!   not modelled, where it is reached. Initialisers of one list are in some order, though (6.7.9p23).
//! - If calls or atomic accesses may meet, the pair is recorded. `pass/order.rs` decides when
//!   the whole program is known: the order does not matter, or it is an assumption. If up to three
//!   operands call functions of the program, or read what is called may write, all their orders are
//!   there: an input for each pair chooses which comes first (`CHOICE`).
//!
//! Accesses that are written down are compared by where they start: the same variable, member, or
//! pointer. Those through different pointers may meet, which is recorded as well.
//!
//! Cost: a counter tells whether operands do anything; only then their instructions are looked at.

use super::builder::Builder;
use super::call::Args;
use super::effects::{Effects, has_side_effect_on};
use super::merge::Ends;
use super::place::Lvalue;
use super::{Result, Unit, Value};
use analysis::order::{CHOICE, OperandEffects, UnsequencedPair, may_overflow};
use ir::types::{Machine, Scalar};
use ir::walk;
use ir::*;
use lang_c::ast::Expression;
use lang_c::span::Node;
use std::collections::BTreeMap;

/// Operands that call functions are lowered once for each order, so not in each other for ever.
const MOST_NESTED: u32 = 2;

/// More operands than this are not tried in every order.
const MOST_MOVERS: usize = 3;

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
    Place(Lvalue),
    /// What is updated was read in its turn.
    Updated(Lvalue, Value),
}

pub(crate) type Part<'n> = (Wanted, &'n Node<Expression>);

/// A point in the code of a function.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    block: BlockId,
    inst: usize,
    blocks: usize,
    regs: usize,
    slots: usize,
    effects: usize,
}

/// What the instructions of an operand do themselves.
#[derive(Default)]
struct Segment {
    reads: Vec<Reg>,
    writes: Vec<Reg>,
    accesses: Vec<OperandAccess>,
    calls: Vec<Callee>,
    synchronises: bool,
    /// It computes what may overflow.
    computes: bool,
}

#[derive(Clone)]
struct OperandAccess {
    addr: Operand,
    write: bool,
    atomic: bool,
    /// What it starts from, and how far from there, if that is known.
    from: String,
    offset: Option<i64>,
    bytes: u64,
}

/// An operand that was evaluated, and its instructions.
#[derive(Clone, Copy)]
pub(crate) struct EvaluatedOperand {
    pub wanted: Wanted,
    pub got: Got,
    pub from: Mark,
    pub to: Mark,
}

/// Two operands of which either may come first: an input chooses.
#[derive(Clone, Copy)]
struct OperandOrder {
    choice: Reg,
    first: usize,
    last: usize,
}

/// The block for each order of the operands that are turned.
type OrderBlocks = BTreeMap<Vec<usize>, BlockId>;

/// The order in which the answers put these operands; the last pair's answer is the lowest bit.
/// Answers that go in a circle are taken for the order as it is written.
fn order(movers: &[usize], answers: u32) -> Vec<usize> {
    let n = movers.len();
    let pairs: Vec<(usize, usize)> = (0..n).flat_map(|j| (0..j).map(move |i| (i, j))).collect();
    let mut before = vec![0; n];
    for (bit, &(i, j)) in pairs.iter().rev().enumerate() {
        before[if answers >> bit & 1 == 1 { i } else { j }] += 1;
    }
    let mut places: Vec<usize> = (0..n).collect();
    places.sort_by_key(|&i| before[i]);
    places.into_iter().map(|i| movers[i]).collect()
}

/// All operands: those that are turned take each other's places, the others stay.
fn with_moved(parts: usize, moved: &[usize]) -> Vec<usize> {
    let mut next = moved.iter().copied();
    let turned = |i: usize| moved.contains(&i);
    (0..parts).map(|i| if turned(i) { next.next().unwrap_or(i) } else { i }).collect()
}

/// What C says of the order of two operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sequencing {
    /// They may even overlap.
    None,
    /// One comes before the other one.
    Indeterminate,
}

const FROM_LEFT: &str = "operands are evaluated from left to right";
const READ_LAST: &str = "the left side of an update is read last";
const AS_LISTED: &str = "initialisers are evaluated in the order of what they initialise";

/// How two accesses are related.
#[derive(PartialEq, Eq)]
enum Meeting {
    Never,
    Perhaps,
    Always,
}

impl Unit<'_> {
    /// Two values of an operator.
    pub(crate) fn two_values(
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
    pub(crate) fn place_and_value(
        &mut self,
        lhs: &Node<Expression>,
        rhs: &Node<Expression>,
    ) -> Result<(Lvalue, Value)> {
        let (place, _, value) = self.both_sides(Wanted::Place, lhs, rhs)?;
        Ok((place, value))
    }

    /// Both sides of an update; and what was there before, if it was read already.
    pub(crate) fn updated_and_value(
        &mut self,
        lhs: &Node<Expression>,
        rhs: &Node<Expression>,
    ) -> Result<(Lvalue, Option<Value>, Value)> {
        self.both_sides(Wanted::Updated, lhs, rhs)
    }

    fn both_sides(
        &mut self,
        wanted: Wanted,
        lhs: &Node<Expression>,
        rhs: &Node<Expression>,
    ) -> Result<(Lvalue, Option<Value>, Value)> {
        let got = self.unsequenced(&[(wanted, lhs), (Wanted::Value, rhs)])?;
        let (place, old, value) = match got[..] {
            [Got::Place(place), Got::Value(value)] => (place, None, value),
            [Got::Updated(place, old), Got::Value(value)] => (place, Some(old), value),
            _ => return Err(self.error("cannot assign to this")),
        };
        if let Expression::Identifier(id) = &lhs.node
            && has_side_effect_on(rhs, &id.node.name)
        {
            self.undefined(&id.node.name);
        }
        Ok((place, old, value))
    }

    /// Evaluates operands whose order C leaves open.
    pub(crate) fn unsequenced(&mut self, parts: &[Part]) -> Result<Vec<Got>> {
        let movers = self.movers(parts);
        if movers.len() < 2 {
            let order: Vec<usize> = (0..parts.len()).collect();
            return self.in_order(parts, &order, &[]);
        }
        let at = self.at;
        let turns = self.choices(&movers);
        let mut paths = BTreeMap::new();
        self.decide(&turns, 0, &movers, &mut paths);
        let end = self.f.new_block();
        self.nested += turns.len() as u32;
        let merged = self.by_all_paths(parts, &paths, &turns, end);
        self.nested -= turns.len() as u32;
        self.f.continue_at(end);
        self.at = at;
        merged
    }

    /// An input for each pair of these operands: which of the two comes first.
    fn choices(&mut self, movers: &[usize]) -> Vec<OperandOrder> {
        let pairs = (0..movers.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        let turns: Vec<OperandOrder> = pairs
            .map(|(i, j)| {
                let choice = self.f.temp(Scalar::I32, self.at);
                OperandOrder { choice, first: movers[i], last: movers[j] }
            })
            .collect();
        for OperandOrder { choice: dst, .. } in &turns {
            let name = CHOICE.to_owned();
            self.emit(InstKind::Nondet { dst: *dst, ty: Scalar::I32, bits: 1, name });
        }
        turns
    }

    /// Branches from here by what is still to be chosen, and gives each order a block.
    fn decide(
        &mut self,
        turns: &[OperandOrder],
        turned: u32,
        movers: &[usize],
        paths: &mut OrderBlocks,
    ) {
        let Some((turn, rest)) = turns.split_first() else { return };
        let (at, here) = (self.at, self.f.current);
        let answers = [turned << 1 | 1, turned << 1];
        let blocks = answers.map(|answers| match rest {
            [] => *paths.entry(order(movers, answers)).or_insert_with(|| self.f.new_block()),
            _ => self.f.new_block(),
        });
        let [then, otherwise] = blocks;
        self.f.continue_at(here);
        let cond = Operand::Reg(turn.choice);
        self.f.end(Terminator::Branch { cond, then, otherwise }, at);
        for (block, answers) in blocks.into_iter().zip(answers).filter(|_| !rest.is_empty()) {
            self.f.continue_at(block);
            self.decide(rest, answers, movers, paths);
        }
    }

    /// The operands in each of these orders; every path goes on at `end`.
    fn by_all_paths(
        &mut self,
        parts: &[Part],
        paths: &OrderBlocks,
        turns: &[OperandOrder],
        end: BlockId,
    ) -> Result<Vec<Got>> {
        let at = self.at;
        let mut ends: Vec<BlockId> = Vec::new();
        let mut merged: Vec<Got> = Vec::new();
        for (moved, &block) in paths {
            self.at = at;
            self.f.continue_at(block);
            let got = self.in_order(parts, &with_moved(parts.len(), moved), turns)?;
            let last = self.f.current;
            merged = match ends.is_empty() {
                true => got,
                false => {
                    let ends = Ends { before: &ends, last };
                    merged.into_iter().zip(got).map(|pair| self.merge(pair, ends)).collect()
                }
            };
            ends.push(last);
        }
        for from in ends {
            self.f.continue_at(from);
            self.f.goto(end, at);
        }
        Ok(merged)
    }

    /// The operands that are tried in every order: those that call functions of the program, and
    /// those that read memory, if they are few.
    fn movers(&self, parts: &[Part]) -> Vec<usize> {
        if self.origin != Origin::User || self.nested >= MOST_NESTED || parts.len() < 2 {
            return Vec::new();
        }
        let effects: Vec<Effects> = parts.iter().map(|part| self.effects(*part)).collect();
        let those = |f: fn(&Effects) -> bool| -> Vec<usize> {
            (0..parts.len()).filter(|&i| f(&effects[i])).collect()
        };
        let most = if self.nested == 0 { MOST_MOVERS } else { 2 };
        let calls = those(|e| e.calls);
        let all = those(|e| e.calls || e.touches);
        match (calls.len(), all.len()) {
            _ if effects.iter().any(|e| e.once) => Vec::new(),
            (1.., n) if n <= most => all,
            (n, _) if n <= most => calls,
            _ => Vec::new(),
        }
    }

    fn in_order(
        &mut self,
        parts: &[Part],
        order: &[usize],
        turns: &[OperandOrder],
    ) -> Result<Vec<Got>> {
        let mut done: Vec<(usize, EvaluatedOperand)> = Vec::with_capacity(parts.len());
        for &i in order {
            let (wanted, node) = parts[i];
            let from = self.f.mark_here();
            let got = match wanted {
                Wanted::Value => Got::Value(self.expr(node)?),
                Wanted::Place | Wanted::Updated => Got::Place(self.place(node)?),
            };
            let got = match got {
                Got::Place(place) if !turns.is_empty() && wanted == Wanted::Updated => {
                    self.mark(node.span);
                    self.old_value(place)?.map_or(got, |old| Got::Updated(place, old))
                }
                got => got,
            };
            done.push((i, EvaluatedOperand { wanted, got, from, to: self.f.mark_here() }));
        }
        let busy = match &done[..] {
            [(_, first), .., (_, last)] => first.from.effects != last.to.effects,
            _ => false,
        };
        if busy && self.origin == Origin::User {
            self.mark(parts[0].1.span);
            self.compare_all(&done, Sequencing::None, turns);
        }
        done.sort_by_key(|(i, _)| *i);
        Ok(done.into_iter().map(|(_, done)| done.got).collect())
    }

    /// Holds the initialisers of a list against each other.
    pub(crate) fn compare_initialisers(&mut self, done: &[EvaluatedOperand]) {
        if let ([first, .., last], Origin::User) = (done, self.origin)
            && first.from.effects != last.to.effects
        {
            let done: Vec<(usize, EvaluatedOperand)> = done.iter().copied().enumerate().collect();
            self.compare_all(&done, Sequencing::Indeterminate, &[]);
        }
    }

    /// Arguments of something built in, which evaluates them by itself: they are evaluated once more
    /// in unreachable code, to see whether they meet.
    pub(crate) fn compare_arguments(&mut self, args: Args) {
        let effects: Vec<Effects> =
            args.iter().map(|arg| self.effects((Wanted::Value, arg))).collect();
        let calls = effects.iter().any(|e| e.calls);
        let several = effects.iter().filter(|e| e.calls || e.touches).nth(1).is_some();
        let once = effects.iter().any(|e| e.once);
        if self.origin != Origin::User || !calls || !several || once {
            return;
        }
        let (at, here, nowhere) = (self.at, self.f.current, self.f.new_block());
        self.f.continue_at(nowhere);
        let parts: Vec<Part> = args.iter().map(|arg| (Wanted::Value, arg)).collect();
        let order: Vec<usize> = (0..parts.len()).collect();
        // Not all of them need be expressions that can be evaluated.
        let _ = self.in_order(&parts, &order, &[]);
        self.f.end(Terminator::Stop(Stop::Unreachable), at);
        self.f.continue_at(here);
        self.at = at;
    }

    /// What is called may be changed by the arguments.
    pub(crate) fn compare_callee(&mut self, from: Mark, to: Mark) {
        let end = self.f.mark_here();
        if self.origin == Origin::User && to.effects != end.effects {
            let done = |from, to| EvaluatedOperand {
                wanted: Wanted::Value,
                got: Got::Value(Value::Void),
                from,
                to,
            };
            self.compare_all(&[(0, done(from, to)), (1, done(to, end))], Sequencing::None, &[]);
        }
    }

    fn compare_all(
        &mut self,
        done: &[(usize, EvaluatedOperand)],
        sequencing: Sequencing,
        turns: &[OperandOrder],
    ) {
        let Some(&(_, EvaluatedOperand { from: start, .. })) = done.first() else { return };
        let segments: Vec<Segment> =
            done.iter().map(|(_, done)| self.segment_of(start, done)).collect();
        let updates = done.iter().any(|(_, d)| d.wanted == Wanted::Updated);
        let assumption = match sequencing {
            Sequencing::Indeterminate => AS_LISTED,
            Sequencing::None if updates => READ_LAST,
            Sequencing::None => FROM_LEFT,
        };
        for (j, b) in segments.iter().enumerate() {
            for (i, a) in segments[..j].iter().enumerate() {
                let pair = [done[i].0, done[j].0];
                let both = |t: &&OperandOrder| pair.contains(&t.first) && pair.contains(&t.last);
                let choice = turns.iter().find(both).map(|t| t.choice);
                self.hold_against(a, b, start, (sequencing, assumption), choice);
            }
        }
    }

    fn segment_of(&self, start: Mark, done: &EvaluatedOperand) -> Segment {
        let machine = self.link.types.machine;
        let mut segment = self.f.segment(start, done.from, done.to, machine);
        let updated = done.wanted == Wanted::Updated;
        let span = (start, done.to);
        let operand = match done.got {
            Got::Value(Value::Scalar { op, .. }) => Some(op),
            // It is copied at its use.
            Got::Value(Value::Memory { addr, ty }) => {
                let bytes = self.link.types.size(ty).unwrap_or(0);
                segment.add(&self.f, span, addr, bytes, false, false);
                Some(addr)
            }
            // Two words that are loaded already.
            Got::Value(Value::Wide { .. } | Value::Void) => None,
            Got::Place(Lvalue::Register { reg, .. }) => updated.then_some(Operand::Reg(reg)),
            Got::Place(Lvalue::Memory { addr, ty }) => {
                let bytes = self.link.types.size(ty).unwrap_or(0);
                // An atomic update reads when it writes, behind all operands.
                if updated && self.order_of(ty) == MemoryOrder::Plain {
                    segment.add(&self.f, span, addr, bytes, false, false);
                }
                Some(addr)
            }
            Got::Place(Lvalue::Bits { addr, bits, .. }) => {
                if updated {
                    segment.add(&self.f, span, addr, u64::from(bits.bytes), false, false);
                }
                Some(addr)
            }
            Got::Updated(Lvalue::Register { reg, .. }, _) => Some(Operand::Reg(reg)),
            Got::Updated(Lvalue::Memory { addr, .. } | Lvalue::Bits { addr, .. }, _) => Some(addr),
        };
        if let Some(Operand::Reg(reg)) = operand {
            segment.reads.extend(self.f.is_variable(reg, start).then_some(reg));
        }
        segment
    }

    fn hold_against(
        &mut self,
        a: &Segment,
        b: &Segment,
        start: Mark,
        (sequencing, assumption): (Sequencing, &'static str),
        choice: Option<Reg>,
    ) {
        let clash = |x: &Segment, y: &Segment| {
            x.writes.iter().copied().find(|r| y.reads.contains(r) || y.writes.contains(r))
        };
        if let Some(reg) = clash(a, b).or_else(|| clash(b, a)) {
            if sequencing == Sequencing::Indeterminate {
                return self.link.ignored.push((assumption.into(), self.at));
            }
            let name = self.f.regs[reg.index()].name.clone().unwrap_or_default();
            return self.undefined(&name);
        }
        let mut perhaps = Vec::new();
        for x in &a.accesses {
            for y in b.accesses.iter().filter(|y| x.write || y.write) {
                match x.meets(y) {
                    Meeting::Never => {}
                    Meeting::Always
                        if !(x.atomic && y.atomic) && sequencing == Sequencing::None =>
                    {
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
        let name = ir::names::decode(name).into_owned();
        let what = format!("unsequenced side effects on `{name}`");
        self.emit(InstKind::Unsupported { what });
    }
}

impl Segment {
    fn touched(&self) -> OperandEffects {
        OperandEffects {
            accesses: self.accesses.iter().map(|a| (a.addr, a.write)).collect(),
            calls: self.calls.clone(),
            synchronises: self.synchronises,
            assigns: !self.writes.is_empty(),
            computes: self.computes,
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
        self.accesses.push(OperandAccess { addr, write, atomic, from, offset, bytes });
    }
}

impl OperandAccess {
    fn meets(&self, other: &OperandAccess) -> Meeting {
        let is_static = |a: &OperandAccess| a.from.starts_with(['@', '$']);
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
    pub(crate) fn mark_here(&self) -> Mark {
        Mark {
            block: self.current,
            inst: self.blocks[self.current.index()].insts.len(),
            blocks: self.blocks.len(),
            regs: self.regs.len(),
            slots: self.slots.len(),
            effects: self.effects,
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

    /// What the blocks that end between two marks branch on.
    fn conditions(&self, from: Mark, to: Mark) -> impl Iterator<Item = &Operand> {
        let blocks = std::iter::once(from.block.index()).chain(from.blocks..to.blocks);
        let ended = blocks.filter(move |&b| b != to.block.index());
        ended.filter_map(|b| walk::end_operand(&self.blocks[b].end))
    }

    fn segment(&self, start: Mark, from: Mark, to: Mark, machine: Machine) -> Segment {
        let mut segment = Segment::default();
        let variable = |o: &Operand| match o {
            Operand::Reg(r) if self.is_variable(*r, start) => Some(*r),
            _ => None,
        };
        segment.reads.extend(self.conditions(from, to).filter_map(variable));
        for kind in self.between(from, to) {
            segment.reads.extend(walk::operands(kind).into_iter().filter_map(variable));
            segment.writes.extend(walk::defined(kind).filter(|r| self.is_variable(*r, start)));
            match kind {
                InstKind::Load { addr, ty, order, .. } => {
                    let (bytes, atomic) = (ty.bytes(machine), *order != MemoryOrder::Plain);
                    segment.add(self, (start, to), *addr, bytes, false, atomic);
                }
                InstKind::Store { addr, ty, order, .. } => {
                    let (bytes, atomic) = (ty.bytes(machine), *order != MemoryOrder::Plain);
                    segment.add(self, (start, to), *addr, bytes, true, atomic);
                }
                InstKind::Assign { value, .. } => segment.computes |= may_overflow(value),
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

#[cfg(test)]
mod tests;
