//! Small programs by hand: every variable is an `int`, every instruction has its own line.

use ir::types::{Machine, Rank, Scalar, Type, Types};
use ir::*;

pub const INT: Scalar = Scalar::I32;
const LONG: Scalar = Scalar::U64;

pub struct Build {
    program: Program,
}

impl Build {
    /// A program whose entry is the first function that is added.
    pub fn new() -> Build {
        let machine = Machine::Lp64;
        let types = Types::new(machine);
        let (objects, functions) = (Vec::new(), Vec::new());
        let files = vec!["test.c".into()];
        let entry = FuncId(0);
        Build {
            program: Program {
                machine,
                types,
                files,
                objects,
                functions,
                entry,
                kinds: Vec::new(),
                ignored: Vec::new(),
                tolerated: Vec::new(),
                volatile: Vec::new(),
                numbered: 0,
                loops: Vec::new(),
            },
        }
    }

    pub fn global(&mut self, name: &str) -> ObjectId {
        let ty = self.program.types.intern(Type::Int { rank: Rank::Int, signed: true });
        self.program.objects.push(Object {
            name: name.into(),
            ty,
            size: 4,
            align: 4,
            span: Span::NONE,
            kind: ObjectKind::Global,
            bytes: Vec::new(),
            relocations: Vec::new(),
        });
        ObjectId(self.program.objects.len() as u32 - 1)
    }

    /// Functions are numbered in the order in which they are added.
    pub fn function(&mut self, name: &str, write: impl FnOnce(&mut Body)) -> FuncId {
        let id = FuncId(self.program.functions.len() as u32);
        let mut body = Body {
            regs: Vec::new(),
            slots: Vec::new(),
            int: self.program.types.intern(Type::Int { rank: Rank::Int, signed: true }),
            blocks: vec![Block::new(vec![], return_zero(), Span::NONE)],
            line: id.0 * 1000,
            params: Vec::new(),
        };
        let param = body.reg(LONG);
        body.params.push(param);
        write(&mut body);
        self.program.functions.push(Function {
            name: name.into(),
            span: Span::NONE,
            origin: Origin::User,
            ret: Some(LONG),
            params: body.params,
            regs: body.regs,
            slots: body.slots,
            atomic: false,
            blocks: body.blocks,
        });
        id
    }

    pub fn done(mut self) -> Program {
        self.program.number();
        self.program
    }
}

fn return_zero() -> Terminator {
    Terminator::Return(Some(Operand::Const { bits: 0, ty: LONG }))
}

pub fn int(value: i32) -> Operand {
    Operand::Const { bits: u64::from(value as u32), ty: INT }
}

fn at(object: ObjectId) -> Operand {
    Operand::Object { object, offset: 0 }
}

/// Instructions go to the last block; control flow opens new ones.
pub struct Body {
    regs: Vec<RegInfo>,
    slots: Vec<SlotInfo>,
    int: ir::types::TypeId,
    blocks: Vec<Block>,
    line: u32,
    params: Vec<Reg>,
}

impl Body {
    pub fn reg(&mut self, ty: Scalar) -> Reg {
        self.regs.push(RegInfo { of: None, name: None, ty, span: Span::NONE });
        Reg(self.regs.len() as u32 - 1)
    }

    fn span(&mut self) -> Span {
        self.line += 1;
        Span { file: FileId(0), line: self.line, column: 1 }
    }

    pub fn inst(&mut self, kind: InstKind) {
        let span = self.span();
        if let Some(block) = self.blocks.last_mut() {
            block.insts.push(Inst::new(kind, span));
        }
    }

    pub fn argument(&self) -> Operand {
        Operand::Reg(self.params[0])
    }

    pub fn load_as(&mut self, object: ObjectId, order: MemoryOrder) -> Operand {
        let dst = self.reg(INT);
        self.inst(InstKind::Load { dst, addr: at(object), ty: INT, order });
        Operand::Reg(dst)
    }

    pub fn load(&mut self, object: ObjectId) -> Operand {
        self.load_as(object, MemoryOrder::Plain)
    }

    pub fn load_through(&mut self, addr: Operand) -> Operand {
        let dst = self.reg(INT);
        self.inst(InstKind::Load { dst, addr, ty: INT, order: MemoryOrder::Plain });
        Operand::Reg(dst)
    }

    pub fn store_as(&mut self, object: ObjectId, value: Operand, order: MemoryOrder) {
        self.inst(InstKind::Store { addr: at(object), value, ty: INT, order });
    }

    pub fn store(&mut self, object: ObjectId, value: Operand) {
        self.store_as(object, value, MemoryOrder::Plain);
    }

    pub fn store_through(&mut self, addr: Operand, value: Operand) {
        self.inst(InstKind::Store { addr, value, ty: INT, order: MemoryOrder::Plain });
    }

    pub fn binary(&mut self, op: BinOp, a: Operand, b: Operand) -> Operand {
        let dst = self.reg(INT);
        let value = Rvalue::Binary { op, ty: INT, a, b, checked: false };
        self.inst(InstKind::Assign { dst, value });
        Operand::Reg(dst)
    }

    pub fn increment(&mut self, object: ObjectId) {
        let old = self.load(object);
        let new = self.binary(BinOp::Add, old, int(1));
        self.store(object, new);
    }

    pub fn nondet(&mut self, bits: u8) -> Operand {
        let dst = self.reg(INT);
        self.inst(InstKind::Nondet { dst, ty: INT, bits, name: "input".into() });
        Operand::Reg(dst)
    }

    pub fn slot(&mut self) -> Operand {
        let (ty, span) = (self.int, Span::NONE);
        self.slots.push(SlotInfo { name: Some("local".into()), ty, size: 4, align: 4, span });
        let slot = SlotId(self.slots.len() as u32 - 1);
        self.inst(InstKind::SlotLive(slot));
        Operand::Slot { slot, offset: 0 }
    }

    pub fn slot_dead(&mut self, operand: Operand) {
        if let Operand::Slot { slot, .. } = operand {
            self.inst(InstKind::SlotDead(slot));
        }
    }

    pub fn atomic(&mut self, kind: AtomicKind, inside: impl FnOnce(&mut Body)) {
        self.inst(InstKind::AtomicBegin { kind });
        inside(self);
        self.inst(InstKind::AtomicEnd);
    }

    /// As the model of a mutex does it.
    pub fn lock(&mut self, mutex: ObjectId) {
        self.atomic(AtomicKind::Internal, |b| {
            let held = b.load_as(mutex, MemoryOrder::Acquire);
            let free = b.binary(BinOp::Eq, held, int(0));
            b.inst(InstKind::Wait(free));
            b.store_as(mutex, int(1), MemoryOrder::Release);
        });
    }

    pub fn unlock(&mut self, mutex: ObjectId) {
        self.store_as(mutex, int(0), MemoryOrder::Release);
    }

    pub fn spawn(&mut self, function: u32, arg: Operand) -> Operand {
        let dst = self.reg(LONG);
        let function = Operand::Function(FuncId(function));
        self.inst(InstKind::Spawn { dst, place: None, function, arg });
        Operand::Reg(dst)
    }

    pub fn join(&mut self, thread: Operand) {
        let dst = self.reg(LONG);
        self.inst(InstKind::Join { dst, thread });
    }

    pub fn ended(&mut self, thread: Operand) -> Operand {
        let dst = self.reg(INT);
        self.inst(InstKind::Ended { dst, thread });
        Operand::Reg(dst)
    }

    fn new_block(&mut self) -> BlockId {
        self.blocks.push(Block::new(vec![], return_zero(), Span::NONE));
        BlockId(self.blocks.len() as u32 - 1)
    }

    fn end(&mut self, block: BlockId, end: Terminator) {
        let span = self.span();
        self.blocks[block.index()].end = end;
        self.blocks[block.index()].end_span = span;
    }

    fn here(&self) -> BlockId {
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// `if (cond) inside`.
    pub fn when(&mut self, cond: Operand, inside: impl FnOnce(&mut Body)) {
        let before = self.here();
        let then = self.new_block();
        inside(self);
        let last = self.here();
        let otherwise = self.new_block();
        self.end(before, Terminator::Branch { cond, then, otherwise });
        if self.blocks[last.index()].end == return_zero() {
            self.end(last, Terminator::Goto(otherwise));
        }
    }

    /// `do inside while (cond)`.
    pub fn do_while(&mut self, inside: impl FnOnce(&mut Body) -> Operand) {
        let before = self.here();
        let start = self.new_block();
        self.end(before, Terminator::Goto(start));
        let cond = inside(self);
        let last = self.here();
        let after = self.new_block();
        self.end(last, Terminator::Branch { cond, then: start, otherwise: after });
    }

    /// Ends the block in this way; what follows cannot be reached.
    pub fn stop(&mut self, end: Terminator) {
        let here = self.here();
        self.end(here, end);
    }

    pub fn assert(&mut self, op: BinOp, a: Operand, b: Operand) {
        let good = self.binary(op, a, b);
        let bad = self.binary(BinOp::Eq, good, int(0));
        self.when(bad, |b| b.inst(InstKind::Error { what: "assertion".into() }));
    }
}
