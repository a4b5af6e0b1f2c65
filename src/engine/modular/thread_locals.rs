//! Numbers in thread-local variables, as registers.
//!
//! `_Thread_local int n; while (n < 10) n++`: each access loads or stores memory, so a comparison says nothing of
//! the next load. Where nothing but loads and stores of the whole number mentions the variable, no other
//! thread can have its address, and it is a register that begins with the initial value.
//!
//! Needs: calls are inlined, so the code of a thread is one function. Variables of our models are left alone:
//! functions that lock have no bodies here.

use ir::types::Scalar;
use ir::walk::{self, operands};
use ir::*;
use rustc_hash::FxHashMap;

/// Replaces such variables; gives how many.
pub fn localise_thread_locals(program: &mut Program, roots: &[FuncId]) -> usize {
    let own = own(program, roots);
    for root in roots {
        for (object, ty) in &own {
            localise(program, *root, *object, *ty);
        }
    }
    own.len()
}

/// Thread-local numbers of the user that are only loaded and stored.
fn own(program: &Program, roots: &[FuncId]) -> Vec<(ObjectId, Scalar)> {
    let is_own = |object: &Object| {
        object.kind == ObjectKind::ThreadLocal
            && object.relocations.is_empty()
            && !program.is_in_model(object.span)
    };
    let mut types: FxHashMap<ObjectId, Option<Scalar>> = FxHashMap::default();
    let mut mention = |operand: &Operand, ty: Option<Scalar>| {
        if let Operand::Object { object, .. } = operand {
            let known = types.entry(*object).or_insert(ty);
            *known = known.filter(|known| Some(*known) == ty);
        }
    };
    let relocated = program.objects.iter().flat_map(|object| &object.relocations);
    relocated.for_each(|(_, address)| mention(address, None));
    for block in roots.iter().flat_map(|root| &program.functions[root.index()].blocks) {
        walk::end_operand(&block.end).into_iter().for_each(|operand| mention(operand, None));
        for inst in &block.insts {
            let whole = whole(&inst.kind, program);
            let mut all = operands(&inst.kind);
            if let Some(ty) = whole {
                mention(all.remove(0), Some(ty));
            }
            all.into_iter().for_each(|operand| mention(operand, None));
        }
    }
    let found = types.into_iter().filter_map(|(object, ty)| Some((object, ty?)));
    let mut found: Vec<_> =
        found.filter(|(object, _)| is_own(&program.objects[object.index()])).collect();
    found.sort_unstable_by_key(|(object, _)| *object);
    // What begins in a loop would begin anew.
    let starts_once = |root: &FuncId| {
        let blocks = &program.functions[root.index()].blocks;
        !blocks.iter().any(|block| block.end.successors().contains(&BlockId(0)))
    };
    if roots.iter().all(starts_once) { found } else { Vec::new() }
}

/// A plain access to all of an object, which is its first operand.
fn whole(kind: &InstKind, program: &Program) -> Option<Scalar> {
    let (InstKind::Load { addr, ty, order, .. } | InstKind::Store { addr, ty, order, .. }) = kind
    else {
        return None;
    };
    let (Operand::Object { object, offset: 0 }, Scalar::Int { .. }) = (addr, ty) else {
        return None;
    };
    let size = program.objects[object.index()].size;
    (size == ty.bytes(program.machine) && *order == MemoryOrder::Plain).then_some(*ty)
}

fn localise(program: &mut Program, root: FuncId, object: ObjectId, ty: Scalar) {
    let Object { name, ty: of, span, bytes, .. } = &program.objects[object.index()];
    let function = &mut program.functions[root.index()];
    let number = Reg(function.regs.len() as u32);
    function.regs.push(RegInfo { name: Some(name.clone()), ty, of: Some(*of), span: *span });
    for inst in function.blocks.iter_mut().flat_map(|block| &mut block.insts) {
        let (dst, value) = match inst.kind {
            InstKind::Load { dst, addr: Operand::Object { object: o, .. }, .. } if o == object => {
                (dst, Operand::Reg(number))
            }
            InstKind::Store { addr: Operand::Object { object: o, .. }, value, .. }
                if o == object =>
            {
                (number, value)
            }
            _ => continue,
        };
        inst.kind = InstKind::Assign { dst, value: Rvalue::Use(value) };
    }
    let byte = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
    let bits = bytes.iter().take(8).rev().fold(0, byte);
    let value = Rvalue::Use(Operand::Const { bits, ty });
    let at = function.blocks[0].at(0);
    function.blocks[0].insts.insert(0, Inst::new(InstKind::Assign { dst: number, value }, at));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(text: &str) -> usize {
        let source = frontend::Source { name: "test.c", text: text.as_bytes(), moved: &[] };
        let options = frontend::LoadOptions::default();
        let mut program =
            frontend::load(&[source], ir::types::Machine::Lp64, &options).expect("valid");
        let roots = analysis::roots(&program);
        localise_thread_locals(&mut program, &roots)
    }

    #[test]
    fn a_number_that_is_only_loaded_and_stored_is_a_register() {
        assert_eq!(replaced("_Thread_local int n = 3; int main(void) { return ++n; }"), 1);
        assert_eq!(replaced("int n = 3; int main(void) { return ++n; }"), 0);
        assert_eq!(
            replaced("_Thread_local int n; int *p; int main(void) { p = &n; return ++n; }"),
            0
        );
        assert_eq!(replaced("_Thread_local _Atomic int n; int main(void) { return ++n; }"), 0);
        assert_eq!(replaced("_Thread_local int n[2]; int main(void) { return ++n[1]; }"), 0);
    }
}
