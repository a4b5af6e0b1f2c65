//! Small programs for tests, built by hand.

use crate::choice::{Choice, Inputs};
use crate::step::{Config, Interp, StepResult};
use crate::value::Tid;
use ir::types::{Machine, Rank, Scalar, Type, Types};
use ir::*;

pub fn int(v: i32) -> Operand {
    Operand::Const { bits: u64::from(v as u32), ty: Scalar::I32 }
}

pub fn long(v: u64) -> Operand {
    Operand::Const { bits: v, ty: Scalar::U64 }
}

pub fn obj(i: u32) -> Operand {
    Operand::Object { object: ObjectId(i), offset: 0 }
}

pub fn slot(i: u32) -> Operand {
    Operand::Slot { slot: SlotId(i), offset: 0 }
}

pub fn reg(r: Reg) -> Operand {
    Operand::Reg(r)
}

/// Instructions go to the current block; each gets a line of its own.
pub struct FunctionBuilder {
    function: Function,
    current: BlockId,
    line: u32,
}

impl FunctionBuilder {
    pub fn new(name: &str) -> FunctionBuilder {
        let function = Function {
            name: name.into(),
            span: Span::NONE,
            origin: Origin::User,
            ret: Some(Scalar::I32),
            params: vec![],
            regs: vec![],
            slots: vec![],
            atomic: false,
            blocks: vec![],
        };
        let mut builder = FunctionBuilder { function, current: BlockId(0), line: 0 };
        builder.block();
        builder
    }

    pub fn reg(&mut self) -> Reg {
        self.typed(Scalar::I32)
    }

    pub fn typed(&mut self, ty: Scalar) -> Reg {
        self.function.regs.push(RegInfo { of: None, name: None, ty, span: Span::NONE });
        Reg(self.function.regs.len() as u32 - 1)
    }

    pub fn named(&mut self, name: &str) -> Reg {
        let reg = self.reg();
        self.function.regs[reg.index()].name = Some(name.into());
        reg
    }

    pub fn param(&mut self, ty: Scalar) -> Reg {
        let reg = self.typed(ty);
        self.function.params.push(reg);
        reg
    }

    pub fn slot(&mut self, size: u64, ty: ir::types::TypeId) -> SlotId {
        let name = Some(format!("s{}", self.function.slots.len()));
        self.function.slots.push(SlotInfo { name, ty, size, align: 8, span: Span::NONE });
        SlotId(self.function.slots.len() as u32 - 1)
    }

    pub fn block(&mut self) -> BlockId {
        let end = Terminator::Stop(Stop::Unreachable);
        self.function.blocks.push(Block::new(vec![], end, Span::NONE));
        BlockId(self.function.blocks.len() as u32 - 1)
    }

    pub fn at(&mut self, block: BlockId) -> &mut Self {
        self.current = block;
        self
    }

    pub fn span(&mut self) -> Span {
        self.line += 1;
        Span { file: FileId(0), line: self.line, column: 1 }
    }

    pub fn inst(&mut self, kind: InstKind) -> &mut Self {
        let span = self.span();
        self.function.blocks[self.current.index()].insts.push(Inst::new(kind, span));
        self
    }

    pub fn end(&mut self, end: Terminator) -> &mut Self {
        let span = self.span();
        let block = &mut self.function.blocks[self.current.index()];
        block.end = end;
        block.end_span = span;
        self
    }

    pub fn assign(&mut self, dst: Reg, value: Rvalue) -> &mut Self {
        self.inst(InstKind::Assign { dst, value })
    }

    pub fn set(&mut self, dst: Reg, value: Operand) -> &mut Self {
        self.assign(dst, Rvalue::Use(value))
    }

    pub fn binary(&mut self, dst: Reg, op: BinOp, a: Operand, b: Operand) -> &mut Self {
        self.assign(dst, Rvalue::Binary { op, ty: Scalar::I32, a, b, checked: true })
    }

    pub fn load(&mut self, dst: Reg, addr: Operand) -> &mut Self {
        self.load_as(dst, addr, Scalar::I32, MemoryOrder::Plain)
    }

    pub fn load_as(
        &mut self,
        dst: Reg,
        addr: Operand,
        ty: Scalar,
        order: MemoryOrder,
    ) -> &mut Self {
        self.inst(InstKind::Load { dst, addr, ty, order })
    }

    pub fn store(&mut self, addr: Operand, value: Operand) -> &mut Self {
        self.store_as(addr, value, Scalar::I32, MemoryOrder::Plain)
    }

    pub fn store_as(
        &mut self,
        addr: Operand,
        value: Operand,
        ty: Scalar,
        order: MemoryOrder,
    ) -> &mut Self {
        self.inst(InstKind::Store { addr, value, ty, order })
    }

    pub fn nondet(&mut self, dst: Reg, ty: Scalar) -> &mut Self {
        let bits = ty.bits(Machine::Lp64);
        self.inst(InstKind::Nondet { dst, ty, bits, name: "nondet".into() })
    }

    pub fn alloc(&mut self, dst: Reg, size: u64) -> &mut Self {
        let size = long(size);
        self.inst(InstKind::Alloc { dst, size, zeroed: false, storage: Storage::Heap })
    }

    pub fn spawn(&mut self, dst: Reg, func: u32, arg: Operand) -> &mut Self {
        let function = Operand::Function(FuncId(func));
        self.inst(InstKind::Spawn { dst, place: None, function, arg })
    }

    pub fn join(&mut self, dst: Reg, thread: Operand) -> &mut Self {
        self.inst(InstKind::Join { dst, thread })
    }

    pub fn begin(&mut self, kind: AtomicKind) -> &mut Self {
        self.inst(InstKind::AtomicBegin { kind })
    }

    pub fn finish(&mut self) -> &mut Self {
        self.inst(InstKind::AtomicEnd)
    }

    pub fn error(&mut self) -> &mut Self {
        self.inst(InstKind::Error { what: "bad".into() })
    }

    pub fn goto(&mut self, to: BlockId) -> &mut Self {
        self.end(Terminator::Goto(to))
    }

    pub fn branch(&mut self, cond: Operand, then: BlockId, otherwise: BlockId) -> &mut Self {
        self.end(Terminator::Branch { cond, then, otherwise })
    }

    pub fn ret(&mut self, value: Option<Operand>) -> &mut Self {
        self.end(Terminator::Return(value))
    }

    pub fn build(&self) -> Function {
        self.function.clone()
    }
}

/// A program with `ints` global ints (`g0`, `g1`, ...); function 0 is the entry.
pub fn program(machine: Machine, ints: u32, functions: &[&FunctionBuilder]) -> Program {
    let mut types = Types::new(machine);
    let ty = types.intern(Type::Int { rank: Rank::Int, signed: true });
    let objects = (0..ints).map(|i| Object {
        name: format!("g{i}"),
        ty,
        size: 8,
        align: 8,
        span: Span::NONE,
        kind: ObjectKind::Global,
        bytes: vec![],
        relocations: vec![],
    });
    let mut program = Program {
        machine,
        files: vec!["t.c".into()],
        objects: objects.collect(),
        functions: functions.iter().map(|f| f.build()).collect(),
        entry: FuncId(0),
        kinds: Vec::new(),
        ignored: vec![],
        tolerated: Vec::new(),
        volatile: Vec::new(),
        numbered: 0,
        loops: Vec::new(),
        types,
    };
    program.number();
    program
}

/// Answers with the given indices, then with 0; notes how many answers there were.
#[derive(Default)]
pub struct Script {
    pub indices: Vec<u128>,
    pub asked: Vec<u128>,
}

impl Inputs for Script {
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64> {
        let n = self.indices.get(self.asked.len()).copied().unwrap_or(0);
        self.asked.push(choice.answers());
        (n < choice.answers()).then(|| choice.answer(n))
    }
}

/// Runs only the first thread, to whatever stops it.
pub fn run_first(
    program: &Program,
    config: Config,
    inputs: &mut dyn Inputs,
) -> (StepResult, crate::state::State) {
    let interp = Interp::new(program, config).unwrap();
    let mut state = interp.initial();
    for _ in 0..100_000 {
        match interp.step(&mut state, Tid::FIRST, inputs, &mut ()) {
            StepResult::Ran => {}
            other => return (other, state),
        }
    }
    panic!("does not end")
}

/// All results of the first thread over all choices, with their exit values.
pub fn all_results(program: &Program, config: Config) -> Vec<(StepResult, Option<u64>)> {
    let mut results = Vec::new();
    let mut pending = vec![vec![]];
    while let Some(indices) = pending.pop() {
        let mut script = Script { indices: indices.clone(), asked: vec![] };
        let (result, state) = run_first(program, config.clone(), &mut script);
        results.push((result, state.exit_value().and_then(|v| v.int())));
        for (i, &answers) in script.asked.iter().enumerate().skip(indices.len()) {
            assert!(answers < 1000, "too many answers");
            for n in 1..answers {
                let mut longer = indices.clone();
                longer.resize(i, 0);
                longer.push(n);
                pending.push(longer);
            }
        }
    }
    results
}
