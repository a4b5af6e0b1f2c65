//! For tests: a compact text notation for IR, and an evaluator for sequential programs.
//!
//! Registers are `int`, those whose name starts with `p` are pointers. `@x` is a static object (an
//! `int`, declared by `global x = 3`), `$s` a slot of 8 bytes, `&f` a function. One instruction per
//! line; a block starts with `label:`. The line number becomes the span.

use crate::id::*;
use crate::program::*;
use crate::types::{Machine, Rank, Scalar, Type, TypeId, Types};
use obmc_testing::Dice;
use rustc_hash::FxHashMap;

pub fn parse(text: &str) -> Program {
    let mut types = Types::new(Machine::Lp64);
    let int = types.intern(Type::Int { rank: Rank::Int, signed: true });
    let mut reader = Reader { int, objects: Default::default(), functions: Default::default() };
    let mut program = Program {
        machine: Machine::Lp64,
        types,
        files: vec!["test.c".into()],
        objects: vec![],
        functions: vec![],
        entry: FuncId(0),
        kinds: Vec::new(),
        ignored: vec![],
        tolerated: Vec::new(),
        volatile: Vec::new(),
        numbered: 0,
        loops: Vec::new(),
    };
    let lines: Vec<(u32, Vec<String>)> =
        text.lines().enumerate().map(|(i, l)| (i as u32 + 1, words(l))).collect();
    let starts = |l: &&(u32, Vec<String>), with: &[&str]| {
        l.1.first().is_some_and(|w| with.contains(&w.as_str()))
    };
    for (_, w) in lines.iter().filter(|l| starts(l, &["fn", "model", "extern"])) {
        reader.functions.insert(w[1].clone(), FuncId(reader.functions.len() as u32));
    }
    for (_, w) in lines.iter().filter(|l| starts(l, &["global", "thread_local"])) {
        reader.global(&mut program, w);
    }
    let mut rest = &lines[..];
    while let Some(((line, w), after)) = rest.split_first() {
        rest = after;
        match w.first().map(String::as_str) {
            Some("fn" | "model") => {
                let len = rest.iter().position(|l| l.1 == ["}"]).expect("closing brace");
                program.functions.push(reader.function(*line, w, &rest[..len]));
                rest = &rest[len + 1..];
            }
            Some("extern") => program.functions.push(reader.function(*line, w, &[])),
            _ => {}
        }
    }
    program.entry = reader.functions["main"];
    program.number();
    program
}

/// Splits at blanks, commas and brackets.
fn words(line: &str) -> Vec<String> {
    let line = line.split("//").next().unwrap_or("");
    let spaced = line.replace(':', ": ");
    let split = spaced.split(|c: char| c.is_whitespace() || "(),{".contains(c));
    split.filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

struct Reader {
    int: TypeId,
    objects: FxHashMap<String, ObjectId>,
    functions: FxHashMap<String, FuncId>,
}

impl Reader {
    fn global(&mut self, program: &mut Program, w: &[String]) {
        let kind = if w[0] == "global" { ObjectKind::Global } else { ObjectKind::ThreadLocal };
        self.objects.insert(w[1].clone(), ObjectId(program.objects.len() as u32));
        let value = w.get(3).map_or("0", |v| v.as_str());
        let (bytes, relocations) = match value.strip_prefix(['&', '@']) {
            Some(name) if value.starts_with('&') => {
                (vec![], vec![(0, Operand::Function(self.functions[name]))])
            }
            Some(name) => {
                (vec![], vec![(0, Operand::Object { object: self.objects[name], offset: 0 })])
            }
            None => (value.parse::<i32>().expect("number").to_le_bytes().to_vec(), vec![]),
        };
        program.objects.push(Object {
            name: w[1].clone(),
            ty: self.int,
            size: 8,
            align: 8,
            span: Span::NONE,
            kind,
            bytes,
            relocations,
        });
    }

    fn function(&self, line: u32, w: &[String], body: &[(u32, Vec<String>)]) -> Function {
        let mut f = FunctionReader {
            reader: self,
            labels: Default::default(),
            regs: Default::default(),
            slots: Default::default(),
            out: Function {
                name: w[1].clone(),
                span: at(line),
                origin: if w[0] == "model" { Origin::Model } else { Origin::User },
                ret: Some(Scalar::I32),
                params: vec![],
                regs: vec![],
                slots: vec![],
                atomic: false,
                blocks: vec![],
            },
        };
        f.out.params = w[2..].iter().map(|p| f.reg(p)).collect();
        for (_, w) in body {
            if let Some(label) = w.first().and_then(|l| l.strip_suffix(':')) {
                f.labels.insert(label.into(), BlockId(f.labels.len() as u32));
            }
        }
        for (line, w) in body {
            let mut w: Vec<&str> = w.iter().map(String::as_str).collect();
            if w.first().is_some_and(|l| l.ends_with(':')) {
                f.open_block();
                w.remove(0);
            }
            if !w.is_empty() {
                f.line(*line, &w);
            }
        }
        f.out
    }
}

fn at(line: u32) -> Span {
    Span { file: FileId(0), line, column: 1 }
}

struct FunctionReader<'a> {
    reader: &'a Reader,
    labels: FxHashMap<String, BlockId>,
    regs: FxHashMap<String, Reg>,
    slots: FxHashMap<String, SlotId>,
    out: Function,
}

impl FunctionReader<'_> {
    fn open_block(&mut self) {
        let end = Terminator::Stop(Stop::Unreachable);
        self.out.blocks.push(Block::new(vec![], end, Span::NONE));
    }

    fn reg(&mut self, name: &str) -> Reg {
        let next = Reg(self.out.regs.len() as u32);
        let reg = *self.regs.entry(name.into()).or_insert(next);
        if reg == next {
            let ty = if name.starts_with('p') { Scalar::Ptr } else { Scalar::I32 };
            self.out.regs.push(RegInfo { of: None, name: Some(name.into()), ty, span: Span::NONE });
        }
        reg
    }

    fn slot(&mut self, name: &str) -> SlotId {
        let next = SlotId(self.out.slots.len() as u32);
        let slot = *self.slots.entry(name.into()).or_insert(next);
        if slot == next {
            let ty = self.reader.int;
            let name = Some(name.into());
            self.out.slots.push(SlotInfo { name, ty, size: 8, align: 8, span: Span::NONE });
        }
        slot
    }

    fn operand(&mut self, word: &str) -> Operand {
        if let Ok(n) = word.parse::<i32>() {
            return int(n);
        }
        match word.split_at(1) {
            ("@", name) => Operand::Object { object: self.reader.objects[name], offset: 0 },
            ("$", name) => Operand::Slot { slot: self.slot(name), offset: 0 },
            ("&", name) => Operand::Function(self.reader.functions[name]),
            _ => Operand::Reg(self.reg(word)),
        }
    }

    fn operands(&mut self, words: &[&str]) -> Vec<Operand> {
        words.iter().map(|w| self.operand(w)).collect()
    }

    fn block(&self, label: &str) -> BlockId {
        self.labels[label]
    }

    fn line(&mut self, line: u32, w: &[&str]) {
        if let Some(end) = self.terminator(w) {
            let block = self.out.blocks.last_mut().expect("a label first");
            block.end = end;
            block.end_span = at(line);
            return;
        }
        let kind = match w {
            [dst, "=", rest @ ..] => {
                let dst = self.reg(dst);
                self.assignment(dst, rest)
            }
            _ => self.statement(w),
        };
        let block = self.out.blocks.last_mut().expect("a label first");
        block.insts.push(Inst::new(kind, at(line)));
    }

    fn terminator(&mut self, w: &[&str]) -> Option<Terminator> {
        Some(match w {
            ["goto", to] => Terminator::Goto(self.block(to)),
            ["if", cond, then, otherwise] => Terminator::Branch {
                cond: self.operand(cond),
                then: self.block(then),
                otherwise: self.block(otherwise),
            },
            ["switch", value, cases @ .., default] => Terminator::Switch {
                value: self.operand(value),
                cases: cases
                    .chunks(2)
                    .map(|c| (c[0].trim_end_matches(':').parse().expect("case"), self.block(c[1])))
                    .collect(),
                default: self.block(default),
            },
            ["ret"] => Terminator::Return(None),
            ["ret", value] => Terminator::Return(Some(self.operand(value))),
            ["exit_thread", value] => Terminator::ExitThread(self.operand(value)),
            ["stop", "exit"] => Terminator::Stop(Stop::Exit),
            ["stop", "abort"] => Terminator::Stop(Stop::Abort),
            ["stop", _] => Terminator::Stop(Stop::Unreachable),
            _ => return None,
        })
    }

    fn assignment(&mut self, dst: Reg, w: &[&str]) -> InstKind {
        let ty = self.out.regs[dst.index()].ty;
        match w {
            ["load", addr] => {
                InstKind::Load { dst, addr: self.operand(addr), ty, order: MemoryOrder::Plain }
            }
            ["load_sc", addr] => {
                InstKind::Load { dst, addr: self.operand(addr), ty, order: MemoryOrder::SeqCst }
            }
            ["call", callee, args @ ..] => InstKind::Call {
                dst: Some(dst),
                callee: self.callee(callee),
                args: self.operands(args),
            },
            ["nondet"] => {
                InstKind::Nondet { dst, ty, bits: ty.bits(Machine::Lp64), name: "nondet".into() }
            }
            ["spawn", function, arg, place @ ..] => InstKind::Spawn {
                dst,
                place: place.first().map(|place| self.operand(place)),
                function: self.operand(function),
                arg: self.operand(arg),
            },
            ["join", thread] => InstKind::Join { dst, thread: self.operand(thread) },
            ["alloc", size] => InstKind::Alloc {
                dst,
                size: self.operand(size),
                zeroed: false,
                storage: Storage::Heap,
            },
            _ => InstKind::Assign { dst, value: self.rvalue(ty, w) },
        }
    }

    fn rvalue(&mut self, ty: Scalar, w: &[&str]) -> Rvalue {
        match w {
            ["undef"] => Rvalue::Undef(ty),
            ["cast", a] => {
                let a = self.operand(a);
                Rvalue::Cast { from: crate::walk::operand_type(&self.out, &a), to: ty, a }
            }
            [a] => Rvalue::Use(self.operand(a)),
            ["-", a] => Rvalue::Unary { op: UnOp::Neg, ty, a: self.operand(a), checked: false },
            [a, op, b] => {
                let (a, b) = (self.operand(a), self.operand(b));
                let ty = crate::walk::operand_type(&self.out, &a);
                Rvalue::Binary { op: binop(op), ty, a, b, checked: false }
            }
            _ => panic!("what is {w:?}?"),
        }
    }

    fn callee(&mut self, word: &str) -> Callee {
        match self.reader.functions.get(word) {
            Some(f) => Callee::Direct(*f),
            None => Callee::Indirect(self.operand(word)),
        }
    }

    fn statement(&mut self, w: &[&str]) -> InstKind {
        match w {
            ["store", addr, value] => self.store(addr, value, MemoryOrder::Plain),
            ["store_sc", addr, value] => self.store(addr, value, MemoryOrder::SeqCst),
            ["call", callee, args @ ..] => {
                InstKind::Call { dst: None, callee: self.callee(callee), args: self.operands(args) }
            }
            ["live", s] => InstKind::SlotLive(self.slot(&s[1..])),
            ["dead", s] => InstKind::SlotDead(self.slot(&s[1..])),
            ["assume", c] => InstKind::Assume(self.operand(c)),
            ["wait", c] => InstKind::Wait(self.operand(c)),
            ["error"] => InstKind::Error { what: "error".into() },
            ["begin"] => InstKind::AtomicBegin { kind: AtomicKind::Internal },
            ["end"] => InstKind::AtomicEnd,
            _ => panic!("what is {w:?}?"),
        }
    }

    fn store(&mut self, addr: &str, value: &str, order: MemoryOrder) -> InstKind {
        let (addr, value) = (self.operand(addr), self.operand(value));
        let ty = crate::walk::operand_type(&self.out, &value);
        InstKind::Store { addr, value, ty, order }
    }
}

pub fn int(n: i32) -> Operand {
    Operand::Const { bits: u64::from(n as u32), ty: Scalar::I32 }
}

fn binop(word: &str) -> BinOp {
    match word {
        "+" => BinOp::Add,
        "-" => BinOp::Sub,
        "*" => BinOp::Mul,
        "/" => BinOp::Div,
        "%" => BinOp::Rem,
        "&" => BinOp::And,
        "==" => BinOp::Eq,
        "!=" => BinOp::Ne,
        "<" => BinOp::Lt,
        "<=" => BinOp::Le,
        ">" => BinOp::Gt,
        ">=" => BinOp::Ge,
        _ => panic!("operator {word}"),
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    Return(u64),
    Stop(Stop),
    /// An assumption or a wait failed.
    Blocked,
    Error,
    /// Division by zero, a call of what is no function.
    Trap,
    Steps,
}

/// How a run ended and what it wrote to static objects, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    pub end: End,
    pub stores: Vec<(u64, u64)>,
    /// The blocks of the entry function, in the order in which they were entered.
    pub path: Vec<BlockId>,
}

/// Runs the entry function alone. Inputs come from a fixed sequence that `seed` chooses; `Undef`
/// and contents that are not in the text are 0.
pub fn run(program: &Program, seed: u64, steps: usize) -> Run {
    let mut machine = Evaluator {
        program,
        memory: Default::default(),
        inputs: Dice::new(seed),
        frames: 0,
        path: vec![],
    };
    for (i, o) in program.objects.iter().enumerate() {
        let mut bytes = [0; 8];
        bytes[..o.bytes.len()].copy_from_slice(&o.bytes);
        let contents = match o.relocations.first() {
            Some((_, Operand::Function(f))) => u64::from(f.0) + 16,
            Some((_, Operand::Object { object, .. })) => (u64::from(object.0) + 1) << 32,
            _ => u64::from_le_bytes(bytes),
        };
        machine.memory.insert((i as u64 + 1) << 32, contents);
    }
    let mut out = Run { end: End::Steps, stores: vec![], path: vec![] };
    let mut left = steps;
    let args = [1, 2, 3, 4].map(|n| n * (seed % 5));
    out.end = match machine.call(program.entry, &args, &mut out.stores, &mut left, 0) {
        Ok(value) => End::Return(value),
        Err(end) => end,
    };
    out.path = machine.path;
    out
}

struct Evaluator<'p> {
    program: &'p Program,
    memory: FxHashMap<u64, u64>,
    inputs: Dice,
    frames: u64,
    path: Vec<BlockId>,
}

impl Evaluator<'_> {
    fn input(&mut self) -> u64 {
        self.inputs.below(4).into()
    }

    fn call(
        &mut self,
        id: FuncId,
        args: &[u64],
        stores: &mut Vec<(u64, u64)>,
        left: &mut usize,
        depth: usize,
    ) -> Result<u64, End> {
        let f = &self.program.functions[id.index()];
        if !f.has_body() {
            return Ok(self.input());
        }
        self.frames += 1;
        let frame = self.frames;
        let mut regs = vec![0; f.regs.len()];
        for (p, a) in f.params.iter().zip(args) {
            regs[p.index()] = *a;
        }
        let value = |regs: &[u64], o: &Operand| match o {
            Operand::Const { bits, .. } => *bits,
            Operand::Reg(r) => regs[r.index()],
            Operand::Object { object, offset } => {
                ((u64::from(object.0) + 1) << 32).wrapping_add(*offset as u64)
            }
            Operand::Slot { slot, offset } => {
                ((frame << 8 | u64::from(slot.0)) << 40).wrapping_add(*offset as u64)
            }
            Operand::Function(f) => u64::from(f.0) + 16,
        };
        let mut block = BlockId(0);
        loop {
            let b = &f.blocks[block.index()];
            if depth == 0 {
                self.path.push(block);
            }
            for inst in &b.insts {
                *left = left.checked_sub(1).ok_or(End::Steps)?;
                match &inst.kind {
                    InstKind::Assign { dst, value: rvalue } => {
                        let folded = crate::fold::rvalue(self.program.machine, rvalue, |o| {
                            Some((value(&regs, o), crate::walk::operand_type(f, o)))
                        });
                        regs[dst.index()] = match rvalue {
                            Rvalue::Undef(_) => 0,
                            _ => folded.ok_or(End::Trap)?.bits,
                        };
                    }
                    InstKind::Load { dst, addr, .. } => {
                        let at = value(&regs, addr);
                        regs[dst.index()] = self.memory.get(&at).copied().unwrap_or(0);
                    }
                    InstKind::Store { addr, value: v, .. } => {
                        let (at, v) = (value(&regs, addr), value(&regs, v));
                        self.memory.insert(at, v);
                        if at < 1 << 40 {
                            stores.push((at, v));
                        }
                    }
                    InstKind::Call { dst, callee, args } => {
                        let target = match callee {
                            Callee::Direct(f) => *f,
                            Callee::Indirect(o) => {
                                FuncId(value(&regs, o).checked_sub(16).ok_or(End::Trap)? as u32)
                            }
                        };
                        if depth > 50 {
                            return Err(End::Steps);
                        }
                        let args: Vec<u64> = args.iter().map(|a| value(&regs, a)).collect();
                        let got = self.call(target, &args, stores, left, depth + 1)?;
                        if let Some(dst) = dst {
                            regs[dst.index()] = got;
                        }
                    }
                    InstKind::Nondet { dst, .. } => regs[dst.index()] = self.input(),
                    InstKind::Assume(c) | InstKind::Wait(c) if value(&regs, c) == 0 => {
                        return Err(End::Blocked);
                    }
                    InstKind::Error { .. } => return Err(End::Error),
                    InstKind::SlotLive(s) => {
                        let at = value(&regs, &Operand::Slot { slot: *s, offset: 0 });
                        self.memory.remove(&at);
                    }
                    _ => {}
                }
            }
            *left = left.checked_sub(1).ok_or(End::Steps)?;
            block = match &b.end {
                Terminator::Goto(to) => *to,
                Terminator::Branch { cond, then, otherwise } => match value(&regs, cond) {
                    0 => *otherwise,
                    _ => *then,
                },
                Terminator::Switch { value: v, cases, default } => {
                    let v = value(&regs, v);
                    cases.iter().find(|c| c.0 == v).map_or(*default, |c| c.1)
                }
                Terminator::Return(v) => return Ok(v.map_or(0, |v| value(&regs, &v))),
                Terminator::ExitThread(v) => return Ok(value(&regs, v)),
                Terminator::Stop(stop) => return Err(End::Stop(*stop)),
            };
        }
    }
}

/// A function body with arbitrary jumps (also into loops): text for `parse`.
pub fn random_program(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let mut pick = move |n: u32| dice.below(n);
    let blocks = 3 + pick(6);
    let mut text = String::from("global g = 1\nglobal h\nfn main(a, b) {\n");
    for b in 0..blocks {
        text += &format!("L{b}:\n");
        for _ in 0..pick(3) {
            let regs = ["a", "b", "c", "d"];
            let (x, y) = (regs[pick(4) as usize], regs[pick(4) as usize]);
            text += &match pick(8) {
                0 => format!("{x} = nondet\n"),
                1 => format!("store @g {x}\n"),
                2 => format!("{x} = load @g\n"),
                3 => format!("{x} = {}\n", pick(3)),
                4 => format!("{x} = {y} < {}\n", pick(4)),
                5 => format!("{x} = {y} == {}\n", pick(3)),
                6 => format!("store @h {y}\n"),
                _ => format!("{x} = {y} + 1\n"),
            };
        }
        let regs = ["a", "b", "c", "1"];
        let cond = regs[pick(4) as usize];
        let (x, y) = (pick(blocks), pick(blocks));
        text += &match pick(6) {
            0 => format!("goto L{x}\n"),
            1 => format!("ret {cond}\n"),
            2 => format!("switch {cond} 0: L{x} 1: L{y} L{}\n", pick(blocks)),
            _ => format!("if {cond} L{x} L{y}\n"),
        };
    }
    text + "}\n"
}
