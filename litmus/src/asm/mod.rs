//! Assembly tests: a table of instructions, one module per architecture.
//!
//! An architecture knows its registers and lowers one instruction at a time into `ir::Inst`; labels,
//! registers and threads are the same for all.
//!
//! - `aarch64.rs`: AArch64: moves and arithmetic, loads and stores, barriers
//! - `aarch64_atomic.rs`: its atomic instructions: `SWP`, `LDADD` and their kin, `CAS`
//! - `aarch64_flags.rs`: its comparisons into `NZCV`, conditions, `CSEL` and its kin
//! - `arm.rs`: ARMv7: loads and stores of words, moves, barriers
//! - `bpf.rs`: BPF: the disassembler's notation, `r1 = *(u32 *)(r10 + 0)`
//! - `mips.rs`: MIPS: loads and stores of words, arithmetic, `sync`
//! - `ppc.rs`: power: loads, stores, `lwarx`/`stwcx.`, barriers, comparisons into `CR0`
//! - `riscv.rs`: RISC-V: loads and stores of all sizes, `lr`/`sc`, AMOs, fences, branches
//! - `x86.rs`: x86: plain loads and stores, fences, and `XCHG`, which is locked
//! - `x86_64.rs`: x86-64 in AT&T's notation: moves, arithmetic in registers, `xchg`, fences

mod aarch64;
mod aarch64_atomic;
mod aarch64_flags;
mod arm;
mod bpf;
mod mips;
mod ppc;
mod riscv;
mod x86;
mod x86_64;

use crate::error::Error;
use crate::format::Piece;
use crate::ir::{Arch, Expr, Inst, Reg, Thread};
use crate::state::{EVERY_THREAD, InitialState};
use crate::value::{BinOp, Value};
use std::collections::HashMap;

/// The canonical name of a register: `W3` and `X3` are one.
pub fn register(arch: Arch, name: &str) -> Option<String> {
    if name.starts_with('%') && arch != Arch::X86_64 {
        return Some(name.to_string()); // symbolic: the test leaves its number open
    }
    match arch {
        Arch::X86 => x86::register(name),
        Arch::AArch64 => aarch64::register(name),
        Arch::Arm => arm::register(name),
        Arch::Ppc => ppc::register(name),
        Arch::RiscV => riscv::register(name),
        Arch::Mips => mips::register(name),
        Arch::X86_64 => x86_64::register(name),
        Arch::Bpf => bpf::register(name),
        Arch::C | Arch::Lkmm | Arch::Msg => None,
    }
}

/// Lowers the columns of the table.
pub fn threads(state: &mut InitialState, columns: &[Vec<Piece>]) -> Result<Vec<Thread>, Error> {
    let mut threads = Vec::new();
    for (number, column) in columns.iter().enumerate() {
        let mut lowering = AsmLowering { state, names: Vec::new(), code: Vec::new(), line: 0 };
        threads.push(lowering.thread(number, column)?);
    }
    Ok(threads)
}

/// A thread that is being lowered.
struct AsmLowering<'a> {
    state: &'a mut InitialState,
    names: Vec<Option<String>>,
    code: Vec<Inst>,
    line: usize,
}

impl AsmLowering<'_> {
    fn thread(&mut self, number: usize, column: &[Piece]) -> Result<Thread, Error> {
        let mut labels: HashMap<String, usize> = HashMap::new();
        let mut jumps: Vec<(usize, String, usize)> = Vec::new(); // instruction, label, line
        for cell in column {
            let mut text = cell.text.trim();
            self.line = cell.line;
            while let Some((label, rest)) = split_label(text) {
                labels.insert(label.to_string(), self.code.len());
                text = rest.trim();
            }
            if text.is_empty() {
                continue;
            }
            if let Some(label) = self.instruction(text)? {
                let at = self.code.len() - 1;
                jumps.push((at, label, cell.line));
            }
        }
        let end = self.code.len();
        for (at, label, line) in jumps {
            let known = labels.get(&label).copied();
            let target = known.ok_or_else(|| Error::new(line, format!("no label `{label}`")))?;
            match &mut self.code[at.min(end - 1)] {
                Inst::Jump(to) | Inst::Branch { target: to, .. } => *to = target,
                _ => return Err(Error::new(line, "a label in a place where none belongs")),
            }
        }
        let mut init = Vec::new();
        for (thread, name, value) in self.state.registers.clone() {
            let used = self.names.iter().any(|n| n.as_deref() == Some(&name));
            if thread != number && !(thread == EVERY_THREAD && used) {
                continue;
            }
            let name = register(self.state.arch, &name)
                .ok_or_else(|| Error::whole(format!("`{name}` is not a register")))?;
            let reg = self.reg_named(&name);
            init.extend(value.map(|value| (reg, value)));
        }
        Ok(Thread { code: std::mem::take(&mut self.code), registers: self.names.clone(), init })
    }

    /// Gives: the label that the last instruction jumps to.
    fn instruction(&mut self, text: &str) -> Result<Option<String>, Error> {
        match self.state.arch {
            Arch::X86 => x86::instruction(self, text).map(|()| None),
            Arch::AArch64 => aarch64::instruction(self, text),
            Arch::Arm => arm::instruction(self, text),
            Arch::Ppc => ppc::instruction(self, text),
            Arch::RiscV => riscv::instruction(self, text),
            Arch::Mips => mips::instruction(self, text),
            Arch::X86_64 => x86_64::instruction(self, text).map(|()| None),
            Arch::Bpf => bpf::instruction(self, text),
            arch => Err(self.error(format!("{arch:?} is not supported"))),
        }
    }

    fn error(&self, message: impl Into<String>) -> Error {
        Error::new(self.line, message)
    }

    fn unsupported(&self, text: &str) -> Error {
        self.error(format!("the instruction `{text}` is not supported"))
    }

    /// The register with a canonical name.
    fn reg_named(&mut self, name: &str) -> Reg {
        let known = self.names.iter().position(|n| n.as_deref() == Some(name));
        let index = known.unwrap_or_else(|| {
            self.names.push(Some(name.to_string()));
            self.names.len() - 1
        });
        Reg(index as u32)
    }

    /// A register as the test writes it.
    fn reg_operand(&mut self, name: &str) -> Result<Reg, Error> {
        match register(self.state.arch, name) {
            Some(name) => Ok(self.reg_named(&name)),
            None => Err(self.error(format!("`{name}` is not a register"))),
        }
    }

    fn reg(&mut self, name: &str) -> Result<Expr, Error> {
        self.reg_operand(name).map(Expr::Reg)
    }

    fn set(&mut self, to: &str, expr: Expr) -> Result<(), Error> {
        let to = self.reg_operand(to)?;
        self.push(Inst::Set { to, expr });
        Ok(())
    }

    fn fence(&mut self, tags: &[&'static str]) {
        self.push(Inst::Fence { tags: tags.to_vec(), address: None });
    }

    /// A register that no one sees.
    fn hidden(&mut self) -> Reg {
        self.names.push(None);
        Reg(self.names.len() as u32 - 1)
    }

    fn push(&mut self, inst: Inst) {
        self.code.push(inst);
    }

    fn symbol(&mut self, name: &str) -> Expr {
        Expr::Const(Value::Address(self.state.symbol(name)))
    }
}

/// `L0: rest`.
fn split_label(text: &str) -> Option<(&str, &str)> {
    let (label, rest) = text.split_once(':')?;
    let name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    (!label.is_empty() && label.trim().chars().all(name)).then(|| (label.trim(), rest))
}

/// The mnemonic and its operands, divided at commas outside of brackets.
fn operands(text: &str) -> (&str, Vec<&str>) {
    let (mnemonic, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (i, c) in rest.char_indices() {
        match c {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(rest[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    let last = rest[start..].trim();
    if !last.is_empty() || !parts.is_empty() {
        parts.push(last);
    }
    (mnemonic, parts)
}

/// `12`, `-1`, `0x10`.
fn immediate(text: &str) -> Option<i64> {
    let text = text.trim();
    match text.strip_prefix('-') {
        Some(digits) => crate::words::number(digits).map(i64::wrapping_neg),
        None if text.starts_with(|c: char| c.is_ascii_digit()) => crate::words::number(text),
        None => None,
    }
}

/// `4(r2)`: a register and an offset.
fn base_and_offset(lower: &mut AsmLowering<'_>, text: &str) -> Result<Expr, Error> {
    let parts = text.strip_suffix(')').and_then(|t| t.split_once('('));
    let (offset, base) =
        parts.ok_or_else(|| lower.error(format!("the address `{text}` is not supported")))?;
    let base = lower.reg(base.trim())?;
    match offset.trim() {
        "" | "0" => Ok(base),
        offset => match immediate(offset) {
            Some(n) => Ok(Expr::binary(BinOp::Add, base, Expr::int(n))),
            None => Err(lower.error(format!("the offset `{offset}` is not supported"))),
        },
    }
}

/// Flags of a comparison as one number: negative, zero or positive.
fn ordering(a: Expr, b: Expr) -> Expr {
    let below = Expr::binary(BinOp::Lt, a.clone(), b.clone());
    let unequal = Expr::Select(Box::new([below, Expr::int(-1), Expr::int(1)]));
    Expr::Select(Box::new([Expr::binary(BinOp::Eq, a, b), Expr::int(0), unequal]))
}
