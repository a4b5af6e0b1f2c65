//! Functions that the lowering itself understands: `__VERIFIER_*`, assertions, ends of the program,
//! gcc's `__builtin_*` and the `__obmc_*` intrinsics that our library models are written in.

use super::call::Args;
use super::{Linkage, Result, Unit, Value};
use ir::types::{Rank, Scalar, Type, TypeId};
use ir::*;
use lang_c::ast;
use lang_c::span::Node;

/// To call one of these is a violation, whatever it does.
const ERRORS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// Borders of atomic blocks, unless the program has its own.
pub(super) const ATOMIC_BEGIN: &str = "__VERIFIER_atomic_begin";
pub(super) const ATOMIC_END: &str = "__VERIFIER_atomic_end";

impl Linkage {
    /// Who calls one of them by another way than by its name gets to its body.
    pub(crate) fn settle_errors(&mut self) {
        let own = |f: &&mut Function| f.origin == Origin::User && f.has_body();
        for f in self.functions.iter_mut().filter(own) {
            if ERRORS.contains(&f.name.as_str()) {
                let error = InstKind::Error { what: format!("{}() is called", f.name) };
                let insts = vec![Inst::new(error, f.span)];
                f.blocks = vec![Block::new(insts, Terminator::Stop(Stop::Abort), f.span)];
            }
        }
    }
}

impl Unit<'_> {
    /// `None`: an ordinary function.
    pub fn builtin(&mut self, name: &str, args: Args, at: Span) -> Result<Option<Value>> {
        if let Some(value) = self.atomic_builtin(name, args, at)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.kernel_builtin(name, args, at)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.property_builtin(name, args, at)? {
            return Ok(Some(value));
        }
        if let Some(rest) = name.strip_prefix("__obmc_") {
            return self.intrinsic(rest, args, at);
        }
        if let Some(rest) = name.strip_prefix("__builtin_") {
            return self.gnu_builtin(rest, args, at);
        }
        if let ("asm", [Node { node: ast::Expression::StringLiteral(s), .. }]) = (name, args) {
            self.asm_text(&s.node);
            return Ok(Some(Value::Void));
        }
        match name {
            "alloca" if !self.defined.contains(name) => self.alloca(args, at).map(Some),
            "syscall" => self.syscall(name, args, at),
            _ => match self.scanf(name, args, at)? {
                Some(value) => Ok(Some(value)),
                None => self.nondet(name, args, at),
            },
        }
    }

    fn property_builtin(&mut self, name: &str, args: Args, at: Span) -> Result<Option<Value>> {
        match name {
            _ if ERRORS.contains(&name) => self.arguments(args)?,
            "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail"
                if !self.defined.contains(name) =>
            {
                let what = assertion_text(args);
                self.at = at;
                return self.violation(what).map(Some);
            }
            "__VERIFIER_assert" | "assert" if !self.defined.contains(name) => {
                return self.assert(args, at).map(Some);
            }
            "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume"
                if !self.defined.contains(name) =>
            {
                let cond = self.one_condition(name, args)?;
                self.at = at;
                self.emit(InstKind::Assume(cond));
                return Ok(Some(Value::Void));
            }
            ATOMIC_BEGIN if !self.defined.contains(name) => {
                self.emit(InstKind::AtomicBegin { kind: AtomicKind::User });
                return Ok(Some(Value::Void));
            }
            ATOMIC_END if !self.defined.contains(name) => {
                self.emit(InstKind::AtomicEnd);
                return Ok(Some(Value::Void));
            }
            "__VERIFIER_tid" if !self.defined.contains(name) => {
                return self.intrinsic("self", args, at);
            }
            // Annotations of other tools that change nothing here.
            "__VERIFIER_loop_bound"
            | "__VERIFIER_loop_begin"
            | "__VERIFIER_spin_start"
            | "__VERIFIER_spin_end"
                if !self.defined.contains(name) =>
            {
                self.arguments(args)?;
                return Ok(Some(Value::Void));
            }
            "abort" if !self.defined.contains(name) => {
                self.arguments(args)?;
                self.at = at;
                return Ok(Some(self.abort(at)));
            }
            "_Exit" | "_exit" if !self.defined.contains(name) => {
                self.arguments(args)?;
                self.at = at;
                return Ok(Some(self.stop(Stop::Abort)));
            }
            "exit" if !self.defined.contains(name) => {
                self.arguments(args)?;
                self.at = at;
                if self.origin == Origin::User {
                    let f = self.link.extern_function(super::binding::AT_EXIT, at);
                    let (callee, args) = (Callee::Direct(f), Vec::new());
                    self.emit(InstKind::Call { dst: None, callee, args });
                }
                return Ok(Some(self.stop(Stop::Exit)));
            }
            _ => return Ok(None),
        }
        self.at = at;
        self.violation(format!("{name}() is called")).map(Some)
    }

    pub fn arguments(&mut self, args: Args) -> Result<()> {
        args.iter().try_for_each(|arg| self.expr(arg).map(|_| ()))
    }

    fn one_condition(&mut self, name: &str, args: Args) -> Result<Operand> {
        match args {
            [] => Err(self.error(format!("`{name}` needs a condition"))),
            [first, rest @ ..] => {
                let cond = self.condition(first)?;
                self.arguments(rest)?;
                Ok(cond)
            }
        }
    }

    fn violation(&mut self, what: String) -> Result<Value> {
        self.emit(InstKind::Error { what });
        Ok(self.stop(Stop::Abort))
    }

    pub(super) fn stop(&mut self, stop: Stop) -> Value {
        let at = self.at;
        self.f.end(Terminator::Stop(stop), at);
        Value::Void
    }

    fn assert(&mut self, args: Args, at: Span) -> Result<Value> {
        let cond = self.one_condition("assert", args)?;
        self.at = at;
        let what = "assertion fails".to_owned();
        let (_, failed) = self.if_else(cond, |_| Ok(Value::Void), |unit| unit.violation(what));
        failed
    }

    /// `__VERIFIER_nondet_T` and the `nondet_T` of other tools, unless the program defines them.
    fn nondet(&mut self, name: &str, args: Args, at: Span) -> Result<Option<Value>> {
        let kind = name.strip_prefix("__VERIFIER_nondet_").or(name.strip_prefix("nondet_"));
        let Some(kind) = kind.filter(|_| !self.defined.contains(name)) else { return Ok(None) };
        self.arguments(args)?;
        self.at = at;
        let Some(ty) = self.nondet_type(name, kind) else { return Ok(None) };
        let Some(scalar) = self.link.types.scalar(ty) else { return Ok(None) };
        let bits = match self.link.types.get(ty) {
            Type::Bool => 1,
            _ => scalar.bits(self.link.types.machine),
        };
        let dst = self.f.temp(scalar, at);
        self.emit(InstKind::Nondet { dst, ty: scalar, bits, name: name.to_owned() });
        Ok(Some(Value::Scalar { op: Operand::Reg(dst), ty }))
    }

    /// By the declaration if there is one, else by the name.
    fn nondet_type(&mut self, name: &str, kind: &str) -> Option<TypeId> {
        if let Some(&super::scope::Symbol::Function { ty, .. }) = self.lookup(name)
            && let Type::Function(f) = self.link.types.get(ty)
        {
            return Some(f.ret);
        }
        let int = |rank, signed| Type::Int { rank, signed };
        let ty = match kind {
            "bool" | "_Bool" => Type::Bool,
            "char" => int(Rank::Char, true),
            "schar" => int(Rank::SignedChar, true),
            "uchar" | "u8" | "unsigned_char" => int(Rank::Char, false),
            "short" => int(Rank::Short, true),
            "ushort" | "u16" => int(Rank::Short, false),
            "uint" | "unsigned" | "u32" | "unsigned_int" => int(Rank::Int, false),
            "long" => int(Rank::Long, true),
            "ulong" | "size_t" | "unsigned_long" => int(Rank::Long, false),
            "longlong" | "loff_t" => int(Rank::LongLong, true),
            "ulonglong" | "u64" => int(Rank::LongLong, false),
            "float" => Type::Float,
            "double" => Type::Double,
            "pointer" | "ptr" => return Some(self.void_pointer()),
            _ => int(Rank::Int, true),
        };
        Some(self.link.types.intern(ty))
    }

    fn alloca(&mut self, args: Args, at: Span) -> Result<Value> {
        let size_type = self.size_type();
        let [size] = self.operands(args, [size_type], at)?;
        let dst = self.f.temp(Scalar::Ptr, at);
        self.emit(InstKind::Alloc { dst, size, zeroed: false, storage: Storage::Frame });
        Ok(self.pointer(dst))
    }

    fn pointer(&mut self, reg: Reg) -> Value {
        Value::Scalar { op: Operand::Reg(reg), ty: self.void_pointer() }
    }

    /// Exactly these arguments, converted.
    fn operands<const N: usize>(
        &mut self,
        args: Args,
        types: [TypeId; N],
        at: Span,
    ) -> Result<[Operand; N]> {
        if args.len() != N {
            return Err(self.error(format!("{} arguments given, {N} wanted", args.len())));
        }
        let mut operands = [Operand::Const { bits: 0, ty: Scalar::I32 }; N];
        for ((slot, arg), ty) in operands.iter_mut().zip(args).zip(types) {
            let value = self.expr(arg)?;
            let value = self.convert(value, ty)?;
            *slot = self.scalar(value, "this argument")?.0;
        }
        self.at = at;
        Ok(operands)
    }

    fn intrinsic(&mut self, name: &str, args: Args, at: Span) -> Result<Option<Value>> {
        let pointer = self.void_pointer();
        let ulong = self.link.types.intern(Type::Int { rank: Rank::Long, signed: false });
        let int = self.int_type();
        let size_type = self.size_type();
        let ulong_scalar = self.link.types.scalar(ulong).unwrap_or(Scalar::U64);
        let as_ulong = |reg| Value::Scalar { op: Operand::Reg(reg), ty: ulong };
        Ok(Some(match name {
            "atomic_begin" => {
                self.emit(InstKind::AtomicBegin { kind: AtomicKind::Internal });
                Value::Void
            }
            "atomic_end" => {
                self.emit(InstKind::AtomicEnd);
                Value::Void
            }
            "wait" => {
                let cond = self.one_condition("__obmc_wait", args)?;
                self.at = at;
                self.emit(InstKind::Wait(cond));
                Value::Void
            }
            "spurious" => self.constant_flag(self.link.property.ask(PropertyKind::ignores_signals)),
            "asked" => {
                let name = literal_text(args.first());
                let is = self.link.property.ask(|kind| kind.name() == name);
                self.constant_flag(is)
            }
            "spawn" => {
                let [place, function, arg] = self.operands(args, [pointer; 3], at)?;
                let dst = self.f.temp(ulong_scalar, at);
                self.emit(InstKind::Spawn { dst, place: Some(place), function, arg });
                as_ulong(dst)
            }
            "join" => {
                let [thread] = self.operands(args, [ulong], at)?;
                let dst = self.f.temp(Scalar::Ptr, at);
                self.emit(InstKind::Join { dst, thread });
                self.pointer(dst)
            }
            "ended" => {
                let [thread] = self.operands(args, [ulong], at)?;
                let dst = self.f.temp(Scalar::I32, at);
                self.emit(InstKind::Ended { dst, thread });
                Value::Scalar { op: Operand::Reg(dst), ty: int }
            }
            "self" => {
                let dst = self.f.temp(ulong_scalar, at);
                self.emit(InstKind::ThreadSelf { dst });
                as_ulong(dst)
            }
            "exit_thread" => {
                let [value] = self.operands(args, [pointer], at)?;
                self.f.end(Terminator::ExitThread(value), at);
                Value::Void
            }
            "alloc" => {
                let [size, zeroed] = self.operands(args, [size_type, int], at)?;
                let zeroed = matches!(zeroed, Operand::Const { bits, .. } if bits != 0);
                let dst = self.f.temp(Scalar::Ptr, at);
                self.emit(InstKind::Alloc { dst, size, zeroed, storage: Storage::Heap });
                self.pointer(dst)
            }
            // Only a compiled program has to care: our objects are aligned as anybody can ask for.
            "aligned_alloc" => {
                let [_, size] = self.operands(args, [size_type, size_type], at)?;
                let dst = self.f.temp(Scalar::Ptr, at);
                self.emit(InstKind::Alloc { dst, size, zeroed: false, storage: Storage::Heap });
                self.pointer(dst)
            }
            "alloca" => self.alloca(args, at)?,
            "free" => {
                let [ptr] = self.operands(args, [pointer], at)?;
                self.emit(InstKind::Free { ptr, storage: Storage::Heap });
                Value::Void
            }
            "object_size" => {
                let [ptr] = self.operands(args, [pointer], at)?;
                let dst = self.f.temp(ulong_scalar, at);
                self.emit(InstKind::ObjectSize { dst, ptr });
                as_ulong(dst)
            }
            "exit" => self.stop(Stop::Exit),
            "abort" => self.stop(Stop::Abort),
            "unsupported" => {
                let what = literal_text(args.first());
                self.emit(InstKind::Unsupported { what });
                self.stop(Stop::Abort)
            }
            "undefined" => {
                let name = literal_text(args.first());
                let Some(misuse) = Misuse::named(&name) else {
                    return Err(self.error("no misuse has this name"));
                };
                self.emit(InstKind::Undefined { misuse });
                self.stop(Stop::Abort)
            }
            "error" => self.violation(literal_text(args.first()))?,
            "roughly" => {
                let f = self.link.assembly(&literal_text(args.first()));
                let (callee, args) = (Callee::Direct(f), Vec::new());
                self.emit(InstKind::Call { dst: None, callee, args });
                Value::Void
            }
            // What the normaliser makes of C that lang-c cannot parse.
            "label" => self.label_address(args)?,
            "goto" => {
                let [target] = self.operands(args, [pointer], at)?;
                let reg = self.f.temp(Scalar::Ptr, at);
                self.set(reg, target);
                self.f.goto_computed(reg, at);
                Value::Void
            }
            "real" | "imag" => {
                self.arguments(args)?;
                let double = self.link.types.intern(Type::Double);
                self.unsupported_value("complex numbers", double)
            }
            "linked" => {
                self.constant_flag(self.link.mentioned.contains(&literal_text(args.first())))
            }
            "repeated" => {
                self.constant_flag(self.link.repeated.contains(&literal_text(args.first())))
            }
            "threads_join" => self.constant_flag(self.link.threads_join()),
            "wakes_counted" => self.constant_flag(self.link.counts_wakes()),
            "mentioned" => self.constant_flag(self.link.own.contains(&literal_text(args.first()))),
            _ => return Ok(None),
        }))
    }

    /// GNU's `&&label`: a byte of an object that stands for the code of the function, so that labels
    /// have differences.
    fn label_address(&mut self, args: Args) -> Result<Value> {
        let Some(Node { node: ast::Expression::Identifier(id), .. }) = args.first() else {
            return Err(self.error("this is no label"));
        };
        let name = &id.node.name;
        let known = self.f.label_addresses.iter().position(|label| label == name);
        let offset = known.unwrap_or(self.f.label_addresses.len()) as i64;
        if known.is_none() {
            self.f.label_addresses.push(name.clone());
        }
        let elem = self.link.types.intern(Type::Int { rank: Rank::Char, signed: true });
        let size = self.f.label_addresses.len() as u64;
        let ty = self.link.types.intern(Type::Array { elem, len: Some(size) });
        let object = match self.f.label_object {
            Some(object) => object,
            None => {
                let name = format!("<labels of {}>", self.f.name);
                let (span, kind) = (self.at, ObjectKind::Constant);
                let (bytes, relocations) = (Vec::new(), Vec::new());
                let object = Object { name, ty, size, align: 1, span, kind, bytes, relocations };
                self.link.add_object(object)
            }
        };
        self.f.label_object = Some(object);
        let entry = &mut self.link.objects[object.index()];
        (entry.ty, entry.size) = (ty, size);
        Ok(Value::Scalar { op: Operand::Object { object, offset }, ty: self.void_pointer() })
    }

    /// A constant of the program that models ask for.
    fn constant_flag(&mut self, holds: bool) -> Value {
        let ty = self.int_type();
        Value::Scalar { op: self.bits(u64::from(holds), ty), ty }
    }

    fn gnu_builtin(&mut self, name: &str, args: Args, at: Span) -> Result<Option<Value>> {
        let int = self.int_type();
        Ok(Some(match name {
            "expect" | "expect_with_probability" | "assume_aligned" if !args.is_empty() => {
                let value = self.expr(&args[0])?;
                self.arguments(&args[1..])?;
                value
            }
            "constant_p" if args.len() == 1 => {
                let text = matches!(args[0].node, ast::Expression::StringLiteral(_));
                let known = text || self.try_constant(&args[0])?.is_some();
                Value::Scalar { op: self.bits(u64::from(known), int), ty: int }
            }
            "types_compatible_p" if args.len() == 2 => {
                let (a, b) = (self.type_of(&args[0])?, self.type_of(&args[1])?);
                let same = self.link.types.compatible(a, b);
                if same && self.link.enums.get(&a.bare()).is_some_and(|&count| count > 1) {
                    let text = "enumerations of one size are taken for one type, where types are \
                                compared; they are different ones";
                    self.link.ignored.push((text.into(), self.at));
                }
                Value::Scalar { op: self.bits(u64::from(same), int), ty: int }
            }
            "choose_expr" if args.len() == 3 => {
                let first = self.constant_int(&args[0])? != 0;
                self.expr(&args[if first { 1 } else { 2 }])?
            }
            "unreachable" => {
                self.emit(InstKind::Undefined { misuse: Misuse::Unreachable });
                self.stop(Stop::Unreachable)
            }
            "abort" => self.abort(at),
            "trap" => self.stop(Stop::Abort),
            "exit" => self.stop(Stop::Exit),
            "alloca" => self.alloca(args, at)?,
            "alloca_with_align" | "alloca_with_align_and_max" if !args.is_empty() => {
                self.arguments(&args[1..])?;
                self.alloca(&args[..1], at)?
            }
            "bswap128" if args.len() == 1 => self.swapped_bytes(&args[0], at)?,
            "clrsb" | "clrsbl" | "clrsbll" if args.len() == 1 => {
                self.sign_bits(name, &args[0], at)?
            }
            "clzg" | "ctzg" | "popcountg" | "parityg" | "ffsg" | "clrsbg" => {
                self.generic_bits(name, args, at)?
            }
            "LINE" => {
                let line = u64::from(at.line);
                Value::Scalar { op: self.bits(line, int), ty: int }
            }
            // Types or attributes are among their arguments, or the caller's arguments.
            "has_attribute" | "convertvector" | "va_arg_pack" | "va_arg_pack_len" => {
                self.at = at;
                self.unsupported_value(&format!("__builtin_{name}"), int)
            }
            "object_size" | "dynamic_object_size" => self.known_size(args)?,
            "prefetch" => {
                self.arguments(args)?;
                Value::Void
            }
            "ia32_pause" | "arm_yield" => Value::Void,
            "ia32_mfence" | "ia32_lfence" | "ia32_sfence" => {
                self.emit(InstKind::Fence { order: MemoryOrder::SeqCst, kernel: None });
                Value::Void
            }
            "return_address" | "frame_address" => {
                let ty = self.void_pointer();
                self.unsupported_value(&format!("__builtin_{name}"), ty)
            }
            "va_start" | "va_end" | "va_copy" => {
                self.va_builtin(name, args)?;
                Value::Void
            }
            "inf" | "huge_val" => self.double(f64::INFINITY),
            "nan" => self.double(f64::NAN),
            "inff" | "huge_valf" => self.float_value(f32::INFINITY),
            "nanf" => self.float_value(f32::NAN),
            _ => {
                if let Some(value) = self.overflow_builtin(name, args, at)? {
                    return Ok(Some(value));
                }
                if let Some(value) = self.float_test(name, args, at)? {
                    return Ok(Some(value));
                }
                return self.library_builtin(name, args, at);
            }
        }))
    }

    /// Both halves swapped, and the bytes of each.
    fn swapped_bytes(&mut self, arg: &Node<ast::Expression>, at: Span) -> Result<Value> {
        let ty = self.link.types.intern(Type::Int { rank: Rank::Int128, signed: false });
        let value = self.expr(arg)?;
        let value = self.convert(value, ty)?;
        self.at = at;
        let Value::Wide { lo, hi, .. } = value else {
            return Ok(self.unsupported_value("__builtin_bswap128", ty));
        };
        let callee = Callee::Direct(self.function_named("__builtin_bswap64"));
        let [lo, hi] = [hi, lo].map(|half| {
            let dst = self.f.temp(Scalar::U64, at);
            self.emit(InstKind::Call { dst: Some(dst), callee, args: vec![half] });
            Operand::Reg(dst)
        });
        Ok(Value::Wide { lo, hi, ty })
    }

    /// How many bits follow the first that are like it: the zeros before `x ^ x >> 63`, less one.
    fn sign_bits(&mut self, name: &str, arg: &Node<ast::Expression>, at: Span) -> Result<Value> {
        let rank = match name {
            "clrsb" => Rank::Int,
            "clrsbl" => Rank::Long,
            _ => Rank::LongLong,
        };
        let ty = self.link.types.intern(Type::Int { rank, signed: true });
        let value = self.expr(arg)?;
        let value = self.convert(value, ty)?;
        self.at = at;
        let (op, _, scalar) = self.scalar(value, "this argument")?;
        let width = scalar.bits(self.link.types.machine);
        let amount = self.scalar_const(u64::from(width - 1), Scalar::I32);
        let sign = self.binary(BinOp::Shr, scalar, op, amount, false);
        let differs = self.binary(BinOp::Xor, scalar, op, sign, false);
        let differs = self.cast(scalar, Scalar::U64, differs);
        // A one at the end, so that there is something to count up to.
        let one = self.scalar_const(1, Scalar::I32);
        let shifted = self.binary(BinOp::Shl, Scalar::U64, differs, one, false);
        let unit = self.scalar_const(1, Scalar::U64);
        let marked = self.binary(BinOp::Or, Scalar::U64, shifted, unit, false);
        let callee = Callee::Direct(self.function_named("__builtin_clzll"));
        let zeros = self.f.temp(Scalar::I32, at);
        self.emit(InstKind::Call { dst: Some(zeros), callee, args: vec![marked] });
        let unused = self.scalar_const(u64::from(64 - width), Scalar::I32);
        let op = self.binary(BinOp::Sub, Scalar::I32, Operand::Reg(zeros), unused, false);
        Ok(Value::Scalar { op, ty: self.int_type() })
    }

    /// `__builtin_clzg(x)`, by the type of its argument; `__builtin_clzg(x, d)` is `d` for zero.
    fn generic_bits(&mut self, name: &str, args: Args, at: Span) -> Result<Value> {
        let int = self.int_type();
        let (Some(arg), short) = (args.first(), name.trim_end_matches('g')) else {
            return Err(self.error(format!("`__builtin_{name}` needs an argument")));
        };
        let value = self.expr(arg)?;
        let fallback = match args.get(1) {
            Some(e) => {
                let value = self.expr(e)?;
                Some(self.convert(value, int)?)
            }
            None => None,
        };
        self.at = at;
        let (Value::Scalar { op, ty }, false) = (value, short == "clrsb") else {
            return Ok(self.unsupported_value(&format!("__builtin_{name}"), int));
        };
        let scalar = self.link.types.scalar(ty).unwrap_or(Scalar::I32);
        let width = scalar.bits(self.link.types.machine);
        let unsigned = Scalar::Int { bits: width, signed: false };
        let bits = self.cast(scalar, unsigned, op);
        let mut wide = self.cast(unsigned, Scalar::U64, bits);
        if fallback.is_some() {
            // What is counted for zero does not matter then, but 0 has no zeros to count.
            let zero = self.scalar_const(0, Scalar::U64);
            let none = self.binary(BinOp::Eq, Scalar::U64, wide, zero, false);
            let none = self.cast(Scalar::I32, Scalar::U64, none);
            wide = self.binary(BinOp::Or, Scalar::U64, wide, none, false);
        }
        let callee = Callee::Direct(self.function_named(&format!("__builtin_{short}ll")));
        let count = self.f.temp(Scalar::I32, at);
        self.emit(InstKind::Call { dst: Some(count), callee, args: vec![wide] });
        let mut result = Operand::Reg(count);
        if short == "clz" {
            let unused = self.scalar_const(u64::from(64 - width), Scalar::I32);
            result = self.binary(BinOp::Sub, Scalar::I32, result, unused, false);
        }
        if let Some(Value::Scalar { op: fallback, .. }) = fallback {
            let chosen = self.f.temp(Scalar::I32, at);
            let some = self.truth(bits, unsigned);
            self.if_else(some, |unit| unit.set(chosen, result), |unit| unit.set(chosen, fallback));
            result = Operand::Reg(chosen);
        }
        Ok(Value::Scalar { op: result, ty: int })
    }

    /// `__builtin_memcpy` and the like are the library's functions; bit counting has models.
    fn library_builtin(&mut self, name: &str, args: Args, at: Span) -> Result<Option<Value>> {
        let full = format!("__builtin_{name}");
        if crate::models::model_of(&full).is_some() {
            return Ok(None);
        }
        if self.known_prototype(name)?.is_some() || crate::models::model_of(name).is_some() {
            return self.call_named(name, args, at).map(Some);
        }
        self.arguments(args)?;
        self.at = at;
        let ty = self.int_type();
        Ok(Some(self.unsupported_value(&full, ty)))
    }
}

/// The condition's text, which `assert` passes as the first string.
fn assertion_text(args: Args) -> String {
    match args.first().map(|a| &a.node) {
        Some(ast::Expression::StringLiteral(s)) => {
            let text: String = s.node.iter().map(|p| p.trim_matches('"')).collect();
            format!("assertion `{}` fails", text.replace("\\\"", "\""))
        }
        _ => "assertion fails".into(),
    }
}

fn literal_text(arg: Option<&Node<ast::Expression>>) -> String {
    match arg.map(|a| &a.node) {
        Some(ast::Expression::StringLiteral(s)) => {
            s.node.iter().map(|p| p.trim_matches('"')).collect()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
