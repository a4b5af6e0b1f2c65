//! `--extern-pointers fresh`: what functions without a body return are new objects.
//!
//! A function that the program calls, that has no body and returns a pointer to a complete type gets one: it
//! makes a block of that size. Numbers in it may be any, as in every new block; pointers in it come from
//! elsewhere, as the function's result did before, so nothing is proven of what they lead to. The body
//! begins like inline assembly (`Origin::Assembly`): no violation that follows is told, so UNSAFE never
//! rests on this. SAFE does, and lists each function. Calls that disagree about the arguments, and results
//! without a known size (`void *`), are left as they are.

use super::linkage::Linkage;
use ir::types::{Scalar, Type, TypeId, Types};
use ir::walk::operand_type;
use ir::*;
use rustc_hash::FxHashMap;

/// Larger objects and objects with more pointers are left as they are.
const MAX_BYTES: u64 = 1 << 16;
const MAX_POINTERS: usize = 64;

/// What is known of a function.
struct FreshShape {
    size: u64,
    pointers: Vec<u64>,
    params: Vec<Scalar>,
}

impl Linkage {
    pub(crate) fn return_new_objects(&mut self) {
        let params = self.arguments();
        let mut found: Vec<(FuncId, FreshShape)> = Vec::new();
        for (id, pointee) in &self.pointees {
            let function = &self.functions[id.index()];
            let open = !function.has_body() && function.origin == Origin::User;
            if let (true, Some(Some(params))) = (open, params.get(id)) {
                found.extend(shape(&self.types, *pointee, params).map(|shape| (*id, shape)));
            }
        }
        found.sort_by_key(|(id, _)| *id);
        if found.is_empty() {
            return;
        }
        let begins = self.add_function("functions without a body return new objects", Span::NONE);
        self.functions[begins.index()].origin = Origin::Assembly;
        let elsewhere = self.add_function("a pointer from elsewhere", Span::NONE);
        for (id, shape) in found {
            let function = &mut self.functions[id.index()];
            let text = format!(
                "`{}` returns a pointer to a new object of {} bytes (--extern-pointers fresh)",
                function.name, shape.size
            );
            self.ignored.push((text, function.span));
            give_body(function, &shape, self.types.machine, begins, elsewhere);
        }
    }

    /// The types of the arguments of each function, if all calls have the same.
    fn arguments(&self) -> FxHashMap<FuncId, Option<Vec<Scalar>>> {
        let mut found: FxHashMap<FuncId, Option<Vec<Scalar>>> = FxHashMap::default();
        for function in &self.functions {
            for inst in function.blocks.iter().flat_map(|b| &b.insts) {
                let InstKind::Call { callee: Callee::Direct(id), args, .. } = &inst.kind else {
                    continue;
                };
                let types: Vec<Scalar> = args.iter().map(|a| operand_type(function, a)).collect();
                let known = found.entry(*id).or_insert_with(|| Some(types.clone()));
                if known.as_ref() != Some(&types) {
                    *known = None;
                }
            }
        }
        found
    }
}

fn shape(types: &Types, pointee: TypeId, params: &[Scalar]) -> Option<FreshShape> {
    let size = types.size(pointee).filter(|size| (1..=MAX_BYTES).contains(size))?;
    let mut pointers = Vec::new();
    if matches!(types.get(pointee), Type::Void | Type::Function(_)) {
        return None;
    }
    find_pointers(types, pointee, 0, &mut pointers)?;
    Some(FreshShape { size, pointers, params: params.to_vec() })
}

/// Where pointers are in a type. Any union may hold one.
fn find_pointers(types: &Types, ty: TypeId, at: u64, found: &mut Vec<u64>) -> Option<()> {
    match types.get(ty) {
        Type::Pointer(_) => found.push(at),
        Type::Atomic(inner) => find_pointers(types, *inner, at, found)?,
        Type::Array { elem, len } => {
            let size = types.size(*elem)?;
            for i in 0..len.unwrap_or(0).min(MAX_BYTES) {
                find_pointers(types, *elem, at + i * size, found)?;
            }
        }
        Type::Record(record) => {
            for field in &types.record(*record).layout.as_ref()?.fields {
                find_pointers(types, field.ty, at + field.offset, found)?;
            }
        }
        Type::Opaque { .. } | Type::VariableArray { .. } => return None,
        _ => {}
    }
    found.dedup();
    (found.len() <= MAX_POINTERS).then_some(())
}

fn give_body(
    function: &mut Function,
    shape: &FreshShape,
    machine: types::Machine,
    begins: FuncId,
    elsewhere: FuncId,
) {
    let span = function.span;
    let mut reg = |ty: Scalar| {
        function.regs.push(RegInfo { of: None, name: None, ty, span });
        Reg(function.regs.len() as u32 - 1)
    };
    let params: Vec<Reg> = shape.params.iter().map(|ty| reg(*ty)).collect();
    let (block, is_null) = (reg(Scalar::Ptr), reg(Scalar::I32));
    let (inner, place) = (reg(Scalar::Ptr), reg(Scalar::Ptr));
    let word = Scalar::Int { bits: machine.pointer_bits(), signed: false };
    let number = |bits: u64| Operand::Const { bits, ty: word };
    let begin = InstKind::Call { dst: None, callee: Callee::Direct(begins), args: vec![] };
    let size = number(shape.size);
    let make = InstKind::Alloc { dst: block, size, zeroed: false, storage: Storage::Heap };
    let null = Operand::Const { bits: 0, ty: Scalar::Ptr };
    let a = Operand::Reg(block);
    let compare = Rvalue::Binary { op: BinOp::Eq, ty: Scalar::Ptr, a, b: null, checked: false };
    let look = InstKind::Assign { dst: is_null, value: compare };
    let mut fill = Vec::new();
    for offset in &shape.pointers {
        let callee = Callee::Direct(elsewhere);
        fill.push(InstKind::Call { dst: Some(inner), callee, args: vec![] });
        let to = Rvalue::PtrAdd { base: a, index: number(*offset), scale: 1 };
        fill.push(InstKind::Assign { dst: place, value: to });
        let (addr, value) = (Operand::Reg(place), Operand::Reg(inner));
        fill.push(InstKind::Store { addr, value, ty: Scalar::Ptr, order: MemoryOrder::Plain });
    }
    let code = |kinds: Vec<InstKind>, end: Terminator| {
        Block::new(kinds.into_iter().map(|kind| Inst::new(kind, span)).collect(), end, span)
    };
    let (then, otherwise) = (BlockId(2), BlockId(1));
    let branch = Terminator::Branch { cond: Operand::Reg(is_null), then, otherwise };
    function.blocks = vec![
        code(vec![begin, make, look], branch),
        code(fill, Terminator::Return(Some(a))),
        code(vec![], Terminator::Return(Some(a))),
    ];
    function.params = params;
    function.ret = Some(Scalar::Ptr);
}

#[cfg(test)]
mod tests {
    use crate::{ExternPointers, LoadOptions, Source, load};
    use ir::types::Machine;

    fn text(c: &str, extern_pointers: ExternPointers) -> String {
        let options = LoadOptions { extern_pointers, ..LoadOptions::default() };
        let source = Source { name: "a.c", text: c.as_bytes(), moved: &[] };
        let program = load(&[source], Machine::Lp64, &options).unwrap();
        assert_eq!(ir::verify::program(&program), []);
        ir::print::program(&program)
    }

    #[test]
    fn what_has_a_size_is_made() {
        let c = "struct s { int n; struct s *next; }; struct s *get(int); void *raw(void);
            int main(void) { return get(1) == raw(); }";
        let made = text(c, ExternPointers::Fresh);
        assert_eq!(made.matches("alloc").count(), 1, "{made}");
        assert_eq!(made.matches("call a pointer from elsewhere").count(), 1, "{made}");
        assert!(!text(c, ExternPointers::Any).contains("alloc"));
    }
}
