//! `lock cmpxchg16b`: a compare-exchange of two words, with operands in registers of their own names.
//!
//! The expected words are in `rax` and `rdx`, the new ones in `rbx` and `rcx`. Where the new ones are
//! copies of the expected ones, the instruction only reads: it writes what is there.

use super::parse::{Arg, Line};
use super::{AsmRun, AtomicTarget, constraint};
use crate::lower::{Result, Unit, Value};
use ir::types::Scalar;
use ir::{AtomicKind, BinOp, InstKind, MemoryOrder, Operand};

/// Registers that a template may name, in the order in which they stand behind those of the operands.
pub(super) const OWN: [char; 4] = ['a', 'b', 'c', 'd'];

impl Unit<'_> {
    pub(super) fn cmpxchg16b(&mut self, line: &Line, run: &mut AsmRun<'_>) -> Result<Option<()>> {
        let [arg] = line.args[..] else { return Ok(None) };
        if !line.locked || !run.is_in_memory(arg) {
            return Ok(None);
        }
        let word = Line { bytes: Some(8), ..line.clone() };
        let Some(low) = self.target_of(&word, arg, None, run) else { return Ok(None) };
        let ty = self.unsigned(8);
        let low = AtomicTarget { addr: low.addr, ty, scalar: Scalar::U64 };
        let high = AtomicTarget { addr: self.offset(low.addr, 8), ..low };
        let [a, b, c, d] = OWN.map(|letter| run.named(letter));
        let only_reads = run.is_copy(a, b) && run.is_copy(d, c);
        let held = [a, b, c, d].map(|register| run.registers[register]);
        self.emit(InstKind::AtomicBegin { kind: AtomicKind::Internal });
        let [old_low, old_high] = [low, high].map(|word| self.load_from(word, MemoryOrder::SeqCst));
        if let [Some(a), Some(b), Some(c), Some(d)] = held {
            self.link.pointer_exchanges.push(self.at);
            let equal = self.equals(old_low, a, low)?;
            let other = self.equals(old_high, d, high)?;
            let both = self.binary(BinOp::And, Scalar::I32, equal, other, false);
            let swap = |unit: &mut Self| {
                unit.store_to(low, b, MemoryOrder::SeqCst)?;
                unit.store_to(high, c, MemoryOrder::SeqCst)
            };
            self.if_else(both, swap, |_| Ok(())).0?;
            run.zero = Some(both);
        } else if only_reads {
            run.zero = None;
        } else {
            return Ok(None);
        }
        self.emit(InstKind::AtomicEnd);
        if let Arg::Operand(i) = arg {
            run.written[i] = true;
        }
        (run.registers[a], run.registers[d]) = (Some(old_low), Some(old_high));
        Ok(Some(()))
    }

    fn equals(&mut self, old: Value, expected: Value, word: AtomicTarget) -> Result<Operand> {
        let expected = self.convert(expected, word.ty)?;
        let (expected, ..) = self.scalar(expected, "an operand")?;
        let (old, ..) = self.scalar(old, "an operand")?;
        Ok(self.binary(BinOp::Eq, word.scalar, old, expected, false))
    }
}

impl AsmRun<'_> {
    /// The register of this letter: an operand's, or one of the template's own.
    pub(super) fn named(&self, letter: char) -> usize {
        let is_it = |i: &usize| {
            let text = constraint(self.operands[*i].0);
            text.trim_start_matches(['=', '+', '&']).chars().eq([letter])
        };
        match (0..self.operands.len()).find(is_it) {
            Some(i) => self.home(i),
            None => {
                let own = OWN.iter().position(|own| *own == letter);
                self.operands.len() + own.unwrap_or_default()
            }
        }
    }

    pub(super) fn is_between_registers(&self, line: &Line) -> bool {
        matches!(line.args[..], [Arg::Register(_), Arg::Register(_)])
    }

    /// A `mov` of a whole register.
    pub(super) fn copy(&mut self, line: &Line) -> Option<()> {
        let [Arg::Register(from), Arg::Register(to)] = line.args[..] else { return None };
        let (from, to) = (self.named(from), self.named(to));
        let whole = line.bytes.is_none_or(|bytes| bytes == 8);
        if line.locked || !whole || !self.may_change(to) {
            return None;
        }
        self.registers[to] = self.registers[from];
        self.copies.push((from, to));
        Some(())
    }

    /// Does the second hold what the first one held at the start, whatever that is?
    fn is_copy(&self, from: usize, to: usize) -> bool {
        let last_into = |register| self.copies.iter().rfind(|(_, to)| *to == register);
        let unknown = self.registers[from].is_none() && self.registers[to].is_none();
        unknown && last_into(to) == Some(&(from, to)) && last_into(from).is_none()
    }
}
