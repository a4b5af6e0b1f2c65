//! Rvalues, and what to do when an operand is a symbol.
//!
//! Copies keep a symbol, and so does adding a number, as long as no value of it wraps around. A comparison with a number, a branch or a switch *splits* its domain: the
//! alternatives are asked for, the rest of the domain is gone. Everything else *forces* it: one value
//! is asked for and put in its place everywhere. Both only when there is something to choose. So the
//! executions are exactly those in which every value is chosen when it appears, but most are never
//! told apart.

use crate::address::{POISON, Region};
use crate::choice::{About, Choice, ChoiceKind, ChoiceSource, Inputs};
use crate::escape::RegisterOf;
use crate::exec::{Exec, ExecResult, Halt};
use crate::observe::Observer;
use crate::state::{Home, State};
use crate::step::{Cut, Interp, ViolationKind};
use crate::symbol::{Domain, Interval, SymbolEntry, complement, points, solutions};
use crate::value::{Part, SymId, Value};
use analysis::address_bits::{self, Peek};
use ir::arith::{self, DivisionByZero, mask, number};
use ir::types::Scalar;
use ir::{BinOp, BlockId, Operand, Rvalue, UnOp};
use triomphe::Arc;

impl<I: Inputs + ?Sized, O: Observer + ?Sized> Exec<'_, '_, I, O> {
    pub fn rvalue(&mut self, value: &Rvalue) -> ExecResult<Value> {
        for peek in address_bits::peeks(value, self.machine()) {
            self.peek(peek);
        }
        match value {
            Rvalue::Use(a) => Ok(self.operand(a)),
            Rvalue::Undef(ty) => {
                self.fresh(self.interp.all_values(*ty), ChoiceSource::Uninitialised)
            }
            Rvalue::Unary { op, ty, a, checked } => self.unary(*op, *ty, a, *checked),
            Rvalue::Binary { op, ty, a, b, checked } if op.is_comparison() => {
                let (a, b) = (self.operand(a), self.operand(b));
                if *checked && *ty == Scalar::Ptr {
                    self.check_callee(a)?;
                }
                Ok(Value::Int(u64::from(self.compare(*op, *ty, a, b)?)))
            }
            Rvalue::Binary { op, ty, a, b, checked } => self.binary(*op, *ty, a, b, *checked),
            Rvalue::Cast { from, to, a } => {
                let a = self.operand(a);
                self.cast(*from, *to, a)
            }
            Rvalue::PtrAdd { base, index, scale } => {
                let index = self.forced(index)?;
                let offset = number(index, self.signed_word(), self.machine()) * i128::from(*scale);
                let base = self.operand(base);
                self.ptr_add(base, offset as u64)
            }
        }
    }

    fn peek(&mut self, peek: Peek) {
        let Value::Int(address) = self.operand(&peek.operand) else { return };
        if let (true, Some(frame)) = (self.is_taken(address), self.state.top(self.thread)) {
            self.observer.peek(frame.func, peek, self.span);
        }
    }

    fn is_taken(&self, address: u64) -> bool {
        let space = &self.interp.space;
        space.region(address) == Region::Functions || self.state.entry_at(space, address).is_some()
    }

    fn machine(&self) -> ir::types::Machine {
        self.interp.space.machine()
    }

    fn signed_word(&self) -> Scalar {
        Scalar::Int { bits: self.machine().pointer_bits(), signed: true }
    }

    fn unary(&mut self, op: UnOp, ty: Scalar, a: &Operand, checked: bool) -> ExecResult<Value> {
        let a = self.operand(a);
        let a = self.force_value(a, ty)?;
        let result = arith::unary(op, ty, self.machine(), a);
        self.checked(result, checked, "-")
    }

    fn binary(
        &mut self,
        op: BinOp,
        ty: Scalar,
        a: &Operand,
        b: &Operand,
        checked: bool,
    ) -> ExecResult<Value> {
        let is_shift = matches!(op, BinOp::Shl | BinOp::Shr);
        let b_ty = if is_shift { self.type_of(b) } else { ty };
        let a = self.operand(a);
        if let Some(sum) = self.sum(op, ty, a, self.operand(b)) {
            return Ok(sum);
        }
        let a = self.force_value(a, ty)?;
        let b = self.operand(b);
        let b = self.force_value(b, b_ty)?;
        match arith::binary(op, ty, b_ty, self.machine(), a, b) {
            Ok(result) => self.checked(result, checked, symbol_of(op)),
            Err(DivisionByZero) => Err(Halt::Cut(Cut::Trap("division by zero".into()))),
        }
    }

    /// A symbol plus or minus a number, if no value of it leaves the type before or after: then the sum of the
    /// bit patterns is that of the numbers, and nothing overflows.
    fn sum(&self, op: BinOp, ty: Scalar, a: Value, b: Value) -> Option<Value> {
        let Scalar::Int { bits, signed } = ty else { return None };
        let (id, add, number_of) = match (op, a, b) {
            (BinOp::Add | BinOp::Sub, Value::Sym { id, shift: 0, add }, Value::Int(c))
            | (BinOp::Add, Value::Int(c), Value::Sym { id, shift: 0, add }) => (id, add, c),
            _ => return None,
        };
        let number = number(number_of, ty, self.machine());
        let by = if op == BinOp::Sub { -number } else { number };
        let domain = self.state.domain(id)?;
        let fits = |by: i128| domain.fits(i128::from(add) + by, bits, signed);
        // An unsigned number may stand for a negative one.
        let turned = by - by.signum() * (1i128 << bits);
        let candidates = if signed { &[by][..] } else { &[by, turned][..] };
        let by = *candidates.iter().find(|&&by| fits(0) && fits(by))?;
        let add = i64::try_from(i128::from(add) + by).ok()?;
        Some(Value::Sym { id, shift: 0, add })
    }

    fn checked(&self, result: arith::Computed, checked: bool, op: &str) -> ExecResult<Value> {
        if result.overflow && checked && self.interp.config.overflow {
            let what = format!("signed overflow in `{op}`");
            return Err(Halt::Violation(ViolationKind::NoOverflow, what));
        }
        Ok(Value::Int(result.bits))
    }

    /// An address outside of the object that `base` points into never aliases another object.
    fn ptr_add(&mut self, base: Value, offset: u64) -> ExecResult<Value> {
        if offset == 0 {
            return Ok(base);
        }
        if let Some(source) = self.indeterminate(base) {
            return self.fresh(self.interp.all_values(Scalar::Ptr), source);
        }
        let base = self.force_pointer(base)?;
        let result = self.interp.to_pointer(base.wrapping_add(offset));
        let space = &self.interp.space;
        let home = |addr| self.state.entry_at(space, addr).map(|(home, _)| home);
        let foreign = home(result).is_some_and(|to| home(base) != Some(to));
        Ok(Value::Int(if foreign { POISON } else { result }))
    }

    fn cast(&mut self, from: Scalar, to: Scalar, a: Value) -> ExecResult<Value> {
        if let Value::Sym { id, shift, add } = a {
            let part = Part { shift, add };
            if !from.is_float() && !to.is_float() && self.stays_symbolic(from, to, id, part)? {
                return Ok(a);
            }
        }
        let a = self.reread(a);
        let a = self.force_value(a, from)?;
        Ok(Value::Int(arith::cast(from, to, self.machine(), a)))
    }

    /// Is the symbol's value at the wider type that at the narrower one, extended? Narrowing always
    /// keeps it; widening keeps the values in the range of `from`, the others are split off.
    fn stays_symbolic(
        &mut self,
        from: Scalar,
        to: Scalar,
        id: SymId,
        Part { shift, add }: Part,
    ) -> ExecResult<bool> {
        let m = self.machine();
        if to.bits(m) <= from.bits(m) {
            return Ok(true);
        }
        let Some(domain) = self.state.domain(id).filter(|_| shift == 0) else { return Ok(false) };
        let (bits, signed) = (from.bits(m), from.is_signed());
        let (seen, Some(back)) = (domain.plus(add), add.checked_neg()) else { return Ok(false) };
        let parts = [seen.within(bits, signed), seen.outside(bits, signed)];
        let parts = parts.iter().map(|part| part.plus(back)).collect();
        Ok(self.split(id, parts)? == 0)
    }

    /// Symbols that a split has left one value are numbers now.
    pub(crate) fn reread(&self, value: Value) -> Value {
        match value {
            Value::Sym { id, shift, add } => match self.decided.iter().rev().find(|d| d.0 == id) {
                Some(&(_, number)) if self.state.symbol(id).is_none() => {
                    Value::Int(part_of(number, Part { shift, add }, 64))
                }
                _ => value,
            },
            Value::Int(_) => value,
        }
    }

    /// Is the operand not zero?
    pub fn truth(&mut self, cond: &Operand) -> ExecResult<bool> {
        let (value, ty) = (self.operand(cond), self.type_of(cond));
        self.compare(BinOp::Ne, ty, value, Value::ZERO)
    }

    fn compare(&mut self, op: BinOp, ty: Scalar, a: Value, b: Value) -> ExecResult<bool> {
        match (a, b) {
            (Value::Sym { id, shift: 0, add }, Value::Int(c)) if !ty.is_float() => {
                self.compare_symbol(op, ty, (id, add), c)
            }
            (Value::Int(c), Value::Sym { id, shift: 0, add }) if !ty.is_float() => {
                self.compare_symbol(op.mirrored(), ty, (id, add), c)
            }
            (Value::Sym { .. }, Value::Sym { .. }) if a == b && !ty.is_float() => {
                Ok(matches!(op, BinOp::Eq | BinOp::Le | BinOp::Ge))
            }
            (Value::Sym { id, shift: 0, add }, Value::Sym { id: other, shift: 0, add: more })
                if id == other && self.fit(id, [add, more], ty) =>
            {
                let order = add.cmp(&more);
                Ok(match op {
                    BinOp::Eq => order.is_eq(),
                    BinOp::Ne => order.is_ne(),
                    BinOp::Lt => order.is_lt(),
                    BinOp::Le => order.is_le(),
                    BinOp::Gt => order.is_gt(),
                    _ => order.is_ge(),
                })
            }
            (Value::Sym { id, .. }, Value::Sym { id: other, .. }) => {
                let size = |id| self.state.domain(id).map_or(0, Domain::len);
                let smaller = if size(other) < size(id) { other } else { id };
                self.force(smaller)?;
                let (a, b) = (self.reread_at(a, ty), self.reread_at(b, ty));
                self.compare(op, ty, a, b)
            }
            _ => {
                let (a, b) = (self.force_value(a, ty)?, self.force_value(b, ty)?);
                let result = arith::binary(op, ty, ty, self.machine(), a, b);
                Ok(result.is_ok_and(|r| r.bits != 0))
            }
        }
    }

    /// Does no value of the symbol leave the type with one of these added?
    fn fit(&self, id: SymId, adds: [i64; 2], ty: Scalar) -> bool {
        let Scalar::Int { bits, signed } = ty else { return false };
        let domain = self.state.domain(id);
        domain.is_some_and(|d| adds.iter().all(|&add| d.fits(i128::from(add), bits, signed)))
    }

    fn reread_at(&self, value: Value, ty: Scalar) -> Value {
        match self.reread(value) {
            Value::Int(bits) => Value::Int(bits & mask(ty.bits(self.machine()))),
            symbolic => symbolic,
        }
    }

    fn compare_symbol(
        &mut self,
        op: BinOp,
        ty: Scalar,
        (id, add): (SymId, i64),
        c: u64,
    ) -> ExecResult<bool> {
        let (bits, signed) = (ty.bits(self.machine()), ty.is_signed());
        let c = number(c, ty, self.machine());
        let sets = [solutions(op, bits, signed, c), solutions(op.negated(), bits, signed, c)];
        match self.parts((id, add), bits, signed, &sets) {
            Some(parts) => Ok(self.split(id, parts)? == 0),
            None => {
                let value = self.force(id)? + i128::from(add);
                let a = Value::Int(value as u64 & mask(bits));
                self.compare(op, ty, a, Value::Int(c as u64 & mask(bits)))
            }
        }
    }

    fn parts(
        &self,
        (id, add): (SymId, i64),
        bits: u8,
        signed: bool,
        sets: &[Vec<Interval>],
    ) -> Option<Vec<Domain>> {
        let domain = self.state.domain(id)?;
        sets.iter().map(|set| domain.part_plus(add, bits, signed, set)).collect()
    }

    /// One alternative per target block.
    pub fn switch(
        &mut self,
        value: &Operand,
        cases: &[(u64, BlockId)],
        default: BlockId,
    ) -> ExecResult<BlockId> {
        let ty = self.type_of(value);
        let operand = self.operand(value);
        if let Value::Sym { id, shift: 0, add } = operand {
            let (bits, signed) = (ty.bits(self.machine()), ty.is_signed());
            let value_of = |&(bits, _): &(u64, BlockId)| number(bits, ty, self.machine());
            let mut targets: Vec<BlockId> = Vec::new();
            for &(_, block) in cases {
                if !targets.contains(&block) {
                    targets.push(block);
                }
            }
            let mut sets: Vec<Vec<Interval>> = targets
                .iter()
                .map(|t| points(cases.iter().filter(|c| c.1 == *t).map(value_of)))
                .collect();
            let mut all: Vec<i128> = cases.iter().map(value_of).collect();
            all.sort_unstable();
            sets.push(complement(bits, signed, &all));
            targets.push(default);
            if let Some(parts) = self.parts((id, add), bits, signed, &sets) {
                return Ok(targets[self.split(id, parts)?]);
            }
        }
        let bits = self.force_value(operand, ty)?;
        Ok(cases.iter().find(|c| c.0 == bits).map_or(default, |c| c.1))
    }

    /// The value of a `Nondet` instruction.
    pub fn input(&mut self, ty: Scalar, bits: u8, name: &str) -> ExecResult<Value> {
        let width = ty.bits(self.machine());
        let domain = if bits >= width {
            self.interp.all_values(ty)
        } else {
            Domain::new(width, &[(0, (1 << bits) - 1)])
        };
        self.fresh(domain, ChoiceSource::Input(name.into()))
    }

    /// A new symbol (or, in eager mode, its value).
    pub fn fresh(&mut self, domain: Domain, source: ChoiceSource) -> ExecResult<Value> {
        let about = Arc::new(About { serial: self.state.created, at: self.at(), source });
        self.observer.symbol(self.thread, &about, &domain);
        let foreseen = self.inputs.foresee(self.thread, &about, &domain);
        let foreseen = foreseen.filter(|&value| domain.contains(value));
        if foreseen.is_some() || self.interp.config.eager_inputs {
            self.state.created += 1;
            let value = match foreseen {
                Some(value) => value,
                None => self.ask_value(&about, &domain)?,
            };
            let decided = domain.intersect(&[(value, value)]);
            self.observer.narrowed(self.thread, &about, &decided);
            return Ok(Value::Int(value as u64 & mask(domain.bits())));
        }
        Ok(Value::sym(self.state.add_symbol(SymbolEntry { domain, about })))
    }

    /// The value at a type, deciding it if it is a symbol.
    pub(crate) fn force_value(&mut self, value: Value, ty: Scalar) -> ExecResult<u64> {
        let width = ty.bits(self.machine());
        match self.reread(value) {
            Value::Int(bits) => Ok(bits & mask(width)),
            Value::Sym { id, shift, add } => {
                Ok(part_of(self.force(id)?, Part { shift, add }, width))
            }
        }
    }

    /// Like `force_value` for a pointer. Null is asked for first: it shows an invalid access without
    /// going through all addresses.
    pub(crate) fn force_pointer(&mut self, value: Value) -> ExecResult<u64> {
        if let Value::Sym { id, shift: 0, add } = value {
            self.refuse_foreign_pointer(id)?;
            if let Some(domain) = self.state.domain(id).filter(|_| add == 0) {
                let null = domain.intersect(&[(0, 0)]);
                let other = domain.intersect(&[(i128::MIN, -1), (1, i128::MAX)]);
                self.split(id, vec![null, other])?;
            }
        }
        self.force_value(value, Scalar::Ptr)
    }

    /// Leaves null out of what a symbol can be, unless it is all.
    pub(crate) fn take_for_not_null(&mut self, value: Value) {
        let Value::Sym { id, shift: 0, add: 0 } = value else { return };
        let Some(domain) = self.state.domain(id) else { return };
        let other = domain.intersect(&[(i128::MIN, -1), (1, i128::MAX)]);
        if !other.is_empty() {
            self.decide(id, other);
        }
    }

    /// Whether a pointer from outside is valid cannot be told: neither violation nor proof.
    fn refuse_foreign_pointer(&self, id: SymId) -> ExecResult {
        let foreign =
            self.state.symbol(id).is_some_and(|s| s.about.source == ChoiceSource::Unknown);
        match foreign && self.interp.config.memsafety {
            true => Err(Halt::Unsupported(
                "use of a pointer that a function without a body gave".into(),
            )),
            false => Ok(()),
        }
    }

    /// A pointer in fresh heap memory that a harness has compared before it uses it: there, such a
    /// block often stands for data from elsewhere, and whether it is valid cannot be told.
    pub(crate) fn refuse_examined_pointer(&self, value: Value) -> ExecResult {
        let Value::Sym { id, .. } = self.reread(value) else { return Ok(()) };
        let Some(symbol) = self.state.symbol(id) else { return Ok(()) };
        let examined = symbol.about.source == ChoiceSource::UninitialisedHeap
            && symbol.domain != self.interp.all_values(Scalar::Ptr);
        match examined && self.interp.is_harness {
            true => Err(Halt::Unsupported(
                "use of a pointer that a harness has compared and never set".into(),
            )),
            false => Ok(()),
        }
    }

    /// Is this an indeterminate value that no comparison has pinned down?
    pub(crate) fn is_indeterminate(&self, value: Value) -> bool {
        self.indeterminate(value).is_some()
    }

    fn indeterminate(&self, value: Value) -> Option<ChoiceSource> {
        let Value::Sym { id, .. } = self.reread(value) else { return None };
        let source = &self.state.symbol(id)?.about.source;
        let indeterminate =
            matches!(source, ChoiceSource::Uninitialised | ChoiceSource::UninitialisedHeap);
        indeterminate.then(|| source.clone())
    }

    /// Decides a symbol and puts its value in its place everywhere.
    pub fn force(&mut self, id: SymId) -> ExecResult<i128> {
        let Some(symbol) = self.state.symbol(id).cloned() else { return Ok(0) };
        let value = self.ask_value(&symbol.about, &symbol.domain)?;
        self.decide(id, symbol.domain.intersect(&[(value, value)]));
        Ok(value)
    }

    fn ask_value(&mut self, symbol: &About, domain: &Domain) -> ExecResult<i128> {
        if let Some(value) = domain.single() {
            return Ok(value);
        }
        let bits = self.ask(ChoiceKind::Value { symbol, domain })?;
        // An answer that is no member can only come from a list for another execution.
        Ok(domain.value_of(bits).or(domain.first()).unwrap_or(0))
    }

    /// Which of the parts (a partition of its domain) is the symbol in?
    fn split(&mut self, id: SymId, parts: Vec<Domain>) -> ExecResult<usize> {
        let Some(symbol) = self.state.symbol(id).cloned() else { return Ok(0) };
        let open: Vec<usize> = (0..parts.len()).filter(|&i| !parts[i].is_empty()).collect();
        if let [only] = open[..] {
            return Ok(only);
        }
        let choices: Vec<Domain> = open.iter().map(|&i| parts[i].clone()).collect();
        let answer = self.ask(ChoiceKind::Split { symbol: &symbol.about, parts: &choices })?;
        let chosen = (answer as usize).min(choices.len().saturating_sub(1));
        let Some(part) = open.get(chosen) else { return Ok(0) };
        self.decide(id, choices[chosen].clone());
        Ok(*part)
    }

    fn ask(&mut self, kind: ChoiceKind<'_>) -> ExecResult<u64> {
        let choice = Choice { thread: self.thread, span: self.span, kind };
        let answer = self.inputs.choose(&choice);
        answer
            .ok_or_else(|| Halt::Refused(format!("one of {} values of an input", choice.answers())))
    }

    fn decide(&mut self, id: SymId, domain: Domain) {
        if let Some(symbol) = self.state.symbol(id) {
            let about = symbol.about.clone();
            self.narrowed.push((id, about.serial, domain.clone()));
            self.observer.narrowed(self.thread, &about, &domain);
        }
        if let Some(value) = domain.single() {
            self.decided.push((id, value));
        }
        self.interp.narrow_in(self.state, id, &domain);
    }
}

impl Interp<'_> {
    /// Notes what is known about a symbol; one value left replaces it.
    pub(crate) fn narrow_in(&self, state: &mut State, id: SymId, domain: &Domain) {
        match domain.single() {
            Some(value) => self.substitute(state, id, value),
            None => state.narrow(id, domain.clone()),
        }
    }

    fn substitute(&self, state: &mut State, id: SymId, value: i128) {
        let machine = self.space.machine();
        state.replace_in_registers(id, |register, part| match register {
            RegisterOf::Result => Value::Int(part_of(value, part, machine.pointer_bits())),
            RegisterOf::Frame { func, reg } => {
                let ty = self.program.functions[func.index()].regs[reg.index()].ty;
                Value::Int(part_of(value, part, ty.bits(machine)))
            }
        });
        let homes: Vec<Home> =
            state.homes().filter(|(_, o)| o.mentions(id)).map(|(home, _)| home).collect();
        for home in homes {
            let Some(object) = state.object_mut(home) else { continue };
            object.substitute(id, value);
            let size = object.size();
            self.note_store(state, home, 0, size);
        }
        state.forget_symbol(id);
    }
}

/// A view of the value at a width.
fn part_of(value: i128, Part { shift, add }: Part, bits: u8) -> u64 {
    ((value + i128::from(add)) >> (8 * u32::from(shift)).min(127)) as u64 & mask(bits)
}

fn symbol_of(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
    }
}
