//! The IR as text, for readers and for tests: `obmc show --ir`.
//!
//! Registers are `name.7` or `%7`, slots `$name.2`, objects `@name`, functions `&name`, blocks `b3`.
//! Each line ends with the place in the source that it comes from. Equal programs give equal text.

use crate::id::*;
use crate::program::*;
use crate::types::{Machine, Scalar};
use std::fmt::Write;

/// The whole program.
pub fn program(program: &Program) -> String {
    let mut out = String::new();
    let machine = match program.machine {
        Machine::Ilp32 => "ilp32",
        Machine::Lp64 => "lp64",
    };
    let entry = function_name(program, program.entry);
    line(&mut out, format_args!("machine {machine}, entry {entry}"));
    for o in &program.objects {
        object(&mut out, program, o);
    }
    for f in &program.functions {
        out.push('\n');
        function(&mut out, program, f);
    }
    out
}

fn line(out: &mut String, text: std::fmt::Arguments) {
    // Writing to a string does not fail.
    let _ = out.write_fmt(text);
    out.push('\n');
}

/// `file:line`, or nothing for code that stands nowhere.
pub fn place(program: &Program, span: Span) -> String {
    match program.files.get(span.file.index()) {
        Some(file) if span.line > 0 => format!("{file}:{}", span.line),
        _ => String::new(),
    }
}

fn placed(out: &mut String, program: &Program, text: &str, span: Span) {
    match place(program, span) {
        p if p.is_empty() => line(out, format_args!("{text}")),
        p => line(out, format_args!("{text:<56} ; {p}")),
    }
}

fn object(out: &mut String, program: &Program, o: &Object) {
    let kind = match o.kind {
        ObjectKind::Global => "global",
        ObjectKind::ThreadLocal => "thread_local",
        ObjectKind::Constant => "constant",
        ObjectKind::External => "external",
    };
    let ty = program.types.name(o.ty);
    let init = match o.kind {
        ObjectKind::External => "anything".into(),
        _ => bytes(&o.bytes),
    };
    let text = format!("{kind} @{}: {ty}, {} bytes = {init}", o.name, o.size);
    placed(out, program, &text, o.span);
    for (offset, address) in &o.relocations {
        let namer = Namer { program, function: None };
        line(out, format_args!("  +{offset}: {}", namer.operand(address)));
    }
}

/// Text if it is text, else hexadecimal; zeros at the end say nothing.
fn bytes(bytes: &[u8]) -> String {
    let used = bytes.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1);
    let used = &bytes[..used];
    let is_text = |b: &u8| (b' '..=b'~').contains(b) || *b == b'\n' || *b == b'\t';
    if used.is_empty() {
        "zero".into()
    } else if used.len() > 1 && used.iter().all(is_text) {
        format!("{:?}", String::from_utf8_lossy(used))
    } else {
        let hex: Vec<String> = used.iter().map(|b| format!("{b:02x}")).collect();
        format!("[{}]", hex.join(" "))
    }
}

fn function_name(program: &Program, id: FuncId) -> &str {
    program.functions.get(id.index()).map_or("?", |f| &f.name)
}

fn function(out: &mut String, program: &Program, f: &Function) {
    let namer = Namer { program, function: Some(f) };
    let param = |r: &Reg| format!("{}: {}", namer.reg(*r), namer.reg_type(*r));
    let params: Vec<String> = f.params.iter().map(param).collect();
    let ret = f.ret.map_or("void".into(), scalar);
    let origin = if f.origin == Origin::Model { "model " } else { "" };
    let atomic = if f.atomic { "atomic " } else { "" };
    let head = format!("{origin}{atomic}fn {}({}) -> {ret}", f.name, params.join(", "));
    placed(out, program, &head, f.span);
    if !f.has_body() {
        return line(out, format_args!("  no body"));
    }
    for (i, info) in f.regs.iter().enumerate() {
        let reg = Reg(i as u32);
        if info.name.is_some() && !f.params.contains(&reg) {
            let text = format!("  reg {}: {}", namer.reg(reg), scalar(info.ty));
            placed(out, program, &text, info.span);
        }
    }
    for (i, info) in f.slots.iter().enumerate() {
        let ty = program.types.name(info.ty);
        let slot = namer.slot(SlotId(i as u32));
        let text = format!("  slot {slot}: {ty}, {} bytes", info.size);
        placed(out, program, &text, info.span);
    }
    for (i, block) in f.blocks.iter().enumerate() {
        line(out, format_args!("b{i}:"));
        for inst in &block.insts {
            placed(out, program, &format!("  {}", namer.inst(&inst.kind)), inst.span);
        }
        placed(out, program, &format!("  {}", namer.end(&block.end)), block.end_span);
    }
}

/// One instruction as text.
pub fn inst(program: &Program, function: &Function, kind: &InstKind) -> String {
    Namer { program, function: Some(function) }.inst(kind)
}

/// One terminator as text.
pub fn end(program: &Program, function: &Function, end: &Terminator) -> String {
    Namer { program, function: Some(function) }.end(end)
}

pub fn scalar(ty: Scalar) -> String {
    match ty {
        Scalar::Int { bits, signed: true } => format!("i{bits}"),
        Scalar::Int { bits, signed: false } => format!("u{bits}"),
        Scalar::F32 => "f32".into(),
        Scalar::F64 => "f64".into(),
        Scalar::Ptr => "ptr".into(),
    }
}

/// Knows the names of what operands refer to. Ids out of range print as numbers.
struct Namer<'a> {
    program: &'a Program,
    function: Option<&'a Function>,
}

impl Namer<'_> {
    fn reg(&self, reg: Reg) -> String {
        let info = self.function.and_then(|f| f.regs.get(reg.index()));
        match info.and_then(|i| i.name.as_ref()) {
            Some(name) => format!("{name}.{}", reg.0),
            None => format!("%{}", reg.0),
        }
    }

    fn reg_type(&self, reg: Reg) -> String {
        let info = self.function.and_then(|f| f.regs.get(reg.index()));
        info.map_or("?".into(), |i| scalar(i.ty))
    }

    fn slot(&self, slot: SlotId) -> String {
        let info = self.function.and_then(|f| f.slots.get(slot.index()));
        match info.and_then(|i| i.name.as_ref()) {
            Some(name) => format!("${name}.{}", slot.0),
            None => format!("${}", slot.0),
        }
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Const { bits, ty } if ty.is_float() => real(*ty, *bits),
            Operand::Const { bits, ty: Scalar::Ptr } if *bits == 0 => "null".into(),
            Operand::Const { bits, ty: Scalar::Ptr } => format!("{bits:#x}"),
            Operand::Const { bits, ty } => {
                crate::fold::number(self.program.machine, *ty, *bits).to_string()
            }
            Operand::Reg(r) => self.reg(*r),
            Operand::Object { object, offset } => {
                let name = self.program.objects.get(object.index()).map_or("?", |o| &o.name);
                format!("@{name}{}", plus(*offset))
            }
            Operand::Slot { slot, offset } => format!("{}{}", self.slot(*slot), plus(*offset)),
            Operand::Function(f) => format!("&{}", function_name(self.program, *f)),
        }
    }

    fn list(&self, operands: &[Operand]) -> String {
        operands.iter().map(|o| self.operand(o)).collect::<Vec<_>>().join(", ")
    }

    fn inst(&self, kind: &InstKind) -> String {
        let op = |o: &Operand| self.operand(o);
        let reg = |r: &Reg| self.reg(*r);
        match kind {
            InstKind::Assign { dst, value } => format!("{} = {}", reg(dst), self.rvalue(value)),
            InstKind::Load { dst, addr, ty, order } => {
                format!("{} = load {} {}{}", reg(dst), scalar(*ty), op(addr), ordered(*order))
            }
            InstKind::Store { addr, value, ty, order } => {
                format!("store {} {}, {}{}", scalar(*ty), op(addr), op(value), ordered(*order))
            }
            InstKind::SlotLive(s) => format!("live {}", self.slot(*s)),
            InstKind::SlotDead(s) => format!("dead {}", self.slot(*s)),
            InstKind::SlotConst { slot, constant: true } => format!("const {}", self.slot(*slot)),
            InstKind::SlotConst { slot, constant: false } => format!("init {}", self.slot(*slot)),
            InstKind::Call { dst, callee, args } => {
                let callee = match callee {
                    Callee::Direct(f) => function_name(self.program, *f).to_owned(),
                    Callee::Indirect(pointer) => format!("*{}", op(pointer)),
                };
                let call = format!("call {callee}({})", self.list(args));
                dst.map_or(call.clone(), |dst| format!("{} = {call}", reg(&dst)))
            }
            InstKind::Nondet { dst, ty, bits, name } => {
                format!("{} = nondet {} bits {bits} {name}", reg(dst), scalar(*ty))
            }
            InstKind::Assume(c) => format!("assume {}", op(c)),
            InstKind::Wait(c) => format!("wait {}", op(c)),
            InstKind::Error { what } => format!("error {what:?}"),
            InstKind::AtomicBegin { kind: AtomicKind::User } => "atomic_begin user".into(),
            InstKind::AtomicBegin { kind: AtomicKind::Internal } => "atomic_begin".into(),
            InstKind::AtomicEnd => "atomic_end".into(),
            InstKind::Fence { order, kernel: None } => format!("fence{}", ordered(*order)),
            InstKind::Fence { kernel: Some(kernel), .. } => format!("fence kernel {kernel:?}"),
            InstKind::Spawn { dst, place, function, arg } => {
                let place = place.as_ref().map(|p| format!(" at {}", op(p))).unwrap_or_default();
                format!("{} = spawn {}({}){place}", reg(dst), op(function), op(arg))
            }
            InstKind::Join { dst, thread } => format!("{} = join {}", reg(dst), op(thread)),
            InstKind::Ended { dst, thread } => format!("{} = ended {}", reg(dst), op(thread)),
            InstKind::ThreadSelf { dst } => format!("{} = self", reg(dst)),
            InstKind::Alloc { dst, size, zeroed, storage } => {
                let zeroed = if *zeroed { " zeroed" } else { "" };
                let what = match storage {
                    Storage::Heap => "alloc",
                    Storage::Frame => "alloca",
                };
                format!("{} = {what} {}{zeroed}", reg(dst), op(size))
            }
            InstKind::Free { ptr, storage: Storage::Heap } => format!("free {}", op(ptr)),
            InstKind::Free { ptr, storage: Storage::Frame } => format!("freea {}", op(ptr)),
            InstKind::ObjectSize { dst, ptr } => {
                format!("{} = object_size {}", reg(dst), op(ptr))
            }
            InstKind::Unsupported { what } => format!("unsupported {what:?}"),
            InstKind::Undefined { misuse } => format!("undefined {:?}", misuse.words()),
        }
    }

    fn rvalue(&self, value: &Rvalue) -> String {
        let op = |o: &Operand| self.operand(o);
        let mark = |checked: bool| if checked { " checked" } else { "" };
        match value {
            Rvalue::Use(a) => op(a),
            Rvalue::Undef(ty) => format!("undef {}", scalar(*ty)),
            Rvalue::Unary { op: o, ty, a, checked } => {
                let name = if *o == UnOp::Neg { "neg" } else { "not" };
                format!("{name} {} {}{}", scalar(*ty), op(a), mark(*checked))
            }
            Rvalue::Binary { op: o, ty, a, b, checked } => {
                let name = format!("{o:?}").to_lowercase();
                format!("{name} {} {}, {}{}", scalar(*ty), op(a), op(b), mark(*checked))
            }
            Rvalue::Cast { from, to, a } => {
                format!("cast {} to {} {}", scalar(*from), scalar(*to), op(a))
            }
            Rvalue::PtrAdd { base, index, scale } => {
                format!("ptradd {}, {} * {scale}", op(base), op(index))
            }
        }
    }

    fn end(&self, end: &Terminator) -> String {
        match end {
            Terminator::Goto(b) => format!("goto b{}", b.0),
            Terminator::Branch { cond, then, otherwise } => {
                format!("if {} goto b{} else b{}", self.operand(cond), then.0, otherwise.0)
            }
            Terminator::Switch { value, cases, default } => {
                let case = |(bits, b): &(u64, BlockId)| format!("{bits}: b{}, ", b.0);
                let cases: String = cases.iter().map(case).collect();
                format!("switch {} [{cases}else b{}]", self.operand(value), default.0)
            }
            Terminator::Return(None) => "return".into(),
            Terminator::Return(Some(value)) => format!("return {}", self.operand(value)),
            Terminator::ExitThread(value) => format!("exit_thread {}", self.operand(value)),
            Terminator::Stop(Stop::Exit) => "stop exit".into(),
            Terminator::Stop(Stop::Abort) => "stop abort".into(),
            Terminator::Stop(Stop::Bound(id)) => format!("stop bound {}", id.0),
            Terminator::Stop(Stop::Unreachable) => "stop unreachable".into(),
        }
    }
}

fn plus(offset: i64) -> String {
    if offset == 0 { String::new() } else { format!("{offset:+}") }
}

fn ordered(order: MemoryOrder) -> String {
    match order {
        MemoryOrder::Plain => String::new(),
        MemoryOrder::Relaxed => " relaxed".into(),
        MemoryOrder::Acquire => " acquire".into(),
        MemoryOrder::Release => " release".into(),
        MemoryOrder::AcqRel => " acq_rel".into(),
        MemoryOrder::SeqCst => " seq_cst".into(),
    }
}

fn real(ty: Scalar, bits: u64) -> String {
    match ty {
        Scalar::F32 => format!("{:?}f", f32::from_bits(bits as u32)),
        _ => format!("{:?}", f64::from_bits(bits)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::parse;

    #[test]
    fn a_small_program() {
        let p = parse(
            "global x = 258
             global f = &worker
             extern worker(pa)
             fn main(n) {
             a: live $s
             store_sc @x n
             t = n < -1
             if t a b
             b: t = call worker(@x, $s)
             ret t
             }",
        );
        let expected = "\
machine lp64, entry main
global @x: int, 8 bytes = [02 01]
global @f: int, 8 bytes = zero
  +0: &worker

fn worker(pa.0: ptr) -> i32                              ; test.c:3
  no body

fn main(n.0: i32) -> i32                                 ; test.c:4
  reg t.1: i32
  slot $s.0: int, 8 bytes
b0:
  live $s.0                                              ; test.c:5
  store i32 @x, n.0 seq_cst                              ; test.c:6
  t.1 = lt i32 n.0, -1                                   ; test.c:7
  if t.1 goto b0 else b1                                 ; test.c:8
b1:
  t.1 = call worker(@x, $s.0)                            ; test.c:9
  return t.1                                             ; test.c:10
";
        assert_eq!(program(&p), expected);
    }

    #[test]
    fn initial_bytes() {
        assert_eq!(bytes(b"hi\n\0"), r#""hi\n""#);
        assert_eq!(bytes(&[0, 0]), "zero");
        assert_eq!(bytes(&[0, 255, 0]), "[00 ff]");
        assert_eq!(real(Scalar::F32, u64::from(1.5f32.to_bits())), "1.5f");
    }
}
