//! What instructions do with registers, for models that compute dependencies themselves (`catdep`).
//!
//! A register that is read or written and a branch are events beside those of memory. Within one
//! instruction, `data` leads from what an effect is computed from to the effect, and `ctrl` from what
//! decides to what happens only then (`iico_data` and `iico_ctrl` of herd7, the intrinsic causality
//! order of Arm's manual).
//!
//! | instruction | data | ctrl |
//! |---|---|---|
//! | load | registers of the address to the read, the read to the register | |
//! | store | registers of address and value to the write | |
//! | swap, add, ... | both; the read to the write where the new value needs it | |
//! | compare and swap | the compared register and the read to a branch | the branch to the write |
//! | its result | the read, or if it was equal the compared register: both are tried | both to the register |
//! | selection | the registers of the chosen operand to the result | the condition to these, and to the result |
//! | branch | the registers of the condition to the branch | |
//!
//! Invariant: without the wish for them nothing is recorded.

use super::{ActionKind, Fault, ThreadMachine};
use crate::ir::{Expr, Inst, Reg};

/// Which part of an instruction a register is read for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Port {
    Address,
    Data,
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RegisterAction {
    Read(Reg, Port),
    Write(Reg),
    /// Within an instruction.
    Branch,
    /// To another instruction.
    ConditionalBranch,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RegisterEvent {
    pub action: RegisterAction,
    pub instruction: usize,
}

/// An event of a thread: of memory or of registers, by its number among these.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    Memory(usize),
    Register(usize),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct RegisterEffects {
    pub events: Vec<RegisterEvent>,
    pub data: Vec<(Effect, Effect)>,
    pub ctrl: Vec<(Effect, Effect)>,
}

/// The registers that an instruction reads.
#[derive(Default)]
pub(super) struct Operands {
    address: Vec<Effect>,
    value: Vec<Effect>,
    /// They decide which of the others count, or whether something happens.
    deciding: Vec<Effect>,
}

impl ThreadMachine<'_> {
    /// Before the instruction: what it reads.
    pub(super) fn read_registers(&mut self, inst: &Inst) -> Result<Operands, Fault> {
        let mut operands = Operands::default();
        match inst {
            Inst::Set { expr, .. } => self.sources(expr, Port::Other, None, &mut operands)?,
            Inst::Load { address, .. } => operands.address = self.addressing(address)?,
            Inst::Store { address, value, .. } | Inst::StoreExclusive { address, value, .. } => {
                operands.address = self.addressing(address)?;
                self.sources(value, Port::Data, None, &mut operands)?;
            }
            Inst::Rmw { to, address, value, when, .. } => {
                operands.address = self.addressing(address)?;
                self.sources(value, Port::Data, Some(*to), &mut operands)?;
                let mut compared = Operands::default();
                if let Some(when) = when {
                    self.sources(when, Port::Data, Some(*to), &mut compared)?;
                }
                operands.deciding.extend(compared.value);
            }
            Inst::Branch { when, .. } => self.sources(when, Port::Other, None, &mut operands)?,
            _ => {}
        }
        Ok(operands)
    }

    fn addressing(&mut self, address: &Expr) -> Result<Vec<Effect>, Fault> {
        let mut operands = Operands::default();
        self.sources(address, Port::Address, None, &mut operands)?;
        Ok(operands.value)
    }

    /// The registers of an expression but `except`, which the instruction itself has just set.
    fn sources(
        &mut self,
        expr: &Expr,
        port: Port,
        except: Option<Reg>,
        operands: &mut Operands,
    ) -> Result<(), Fault> {
        match expr {
            Expr::Const(_) => {}
            Expr::Reg(reg) if Some(*reg) == except => {}
            Expr::Reg(reg) => {
                let read = self.register_event(RegisterAction::Read(*reg, port));
                operands.value.push(read);
            }
            Expr::Binary(_, a, b) => {
                self.sources(a, port, except, operands)?;
                self.sources(b, port, except, operands)?;
            }
            Expr::Signed(_, e) | Expr::Unsigned(_, e) => {
                self.sources(e, port, except, operands)?;
            }
            Expr::Select(parts) => {
                for part in parts.iter() {
                    self.sources(part, port, except, operands)?;
                }
            }
            Expr::Pick(parts) => {
                let [when, yes, no] = &**parts;
                let mut deciding = Operands::default();
                self.sources(when, port, except, &mut deciding)?;
                operands.deciding.extend(deciding.value);
                let chosen = if self.eval(when)?.value.is_true() { yes } else { no };
                self.sources(chosen, port, except, operands)?;
            }
            Expr::Either(pair) => {
                let chosen = &pair[self.choices.choose(2)];
                self.sources(chosen, port, except, operands)?;
            }
        }
        Ok(())
    }

    /// After the instruction: what it wrote, and what that comes from. `first`: its first event of
    /// memory.
    pub(super) fn write_registers(&mut self, inst: &Inst, operands: &Operands, first: usize) {
        let (reads, writes) =
            (self.made(ActionKind::Read, first), self.made(ActionKind::Write, first));
        self.data(&operands.address, &reads);
        self.data(&operands.address, &writes);
        match inst {
            Inst::Set { to, .. } => {
                let result = self.register_event(RegisterAction::Write(*to));
                self.data(&operands.value, &[result]);
                self.ctrl(&operands.deciding, &operands.value);
                self.ctrl(&operands.deciding, &[result]);
            }
            Inst::Load { to, .. } => {
                let result = self.register_event(RegisterAction::Write(*to));
                self.data(&reads, &[result]);
            }
            Inst::Store { .. } => self.data(&operands.value, &writes),
            Inst::StoreExclusive { status, .. } => {
                self.data(&operands.value, &writes);
                self.register_event(RegisterAction::Write(status.to));
            }
            Inst::Rmw { to, value, when, .. } => {
                self.data(&operands.value, &writes);
                if mentions(value, *to) {
                    self.data(&reads, &writes);
                }
                if when.is_some() {
                    let branch = self.register_event(RegisterAction::Branch);
                    self.data(&operands.deciding, &[branch]);
                    self.data(&reads, &[branch]);
                    self.ctrl(&[branch], &writes);
                }
                let result = self.register_event(RegisterAction::Write(*to));
                self.data(&reads, &[result]);
            }
            Inst::Branch { .. } => {
                let branch = self.register_event(RegisterAction::ConditionalBranch);
                self.data(&operands.value, &[branch]);
            }
            _ => {}
        }
    }

    fn register_event(&mut self, action: RegisterAction) -> Effect {
        let events = &mut self.trace.effects.events;
        events.push(RegisterEvent { action, instruction: self.steps });
        Effect::Register(events.len() - 1)
    }

    /// The events of memory of this kind that the instruction has made.
    fn made(&self, kind: ActionKind, first: usize) -> Vec<Effect> {
        let events = first..self.trace.shapes.len();
        events.filter(|&e| self.trace.shapes[e].kind == kind).map(Effect::Memory).collect()
    }

    fn data(&mut self, from: &[Effect], to: &[Effect]) {
        self.trace.effects.data.extend(pairs(from, to));
    }

    fn ctrl(&mut self, from: &[Effect], to: &[Effect]) {
        self.trace.effects.ctrl.extend(pairs(from, to));
    }
}

fn pairs<'e>(from: &'e [Effect], to: &'e [Effect]) -> impl Iterator<Item = (Effect, Effect)> + 'e {
    from.iter().flat_map(|&a| to.iter().map(move |&b| (a, b)))
}

fn mentions(expr: &Expr, reg: Reg) -> bool {
    match expr {
        Expr::Const(_) => false,
        Expr::Reg(r) => *r == reg,
        Expr::Binary(_, a, b) => mentions(a, reg) || mentions(b, reg),
        Expr::Signed(_, e) | Expr::Unsigned(_, e) => mentions(e, reg),
        Expr::Select(parts) | Expr::Pick(parts) => parts.iter().any(|part| mentions(part, reg)),
        Expr::Either(pair) => pair.iter().any(|part| mentions(part, reg)),
    }
}
