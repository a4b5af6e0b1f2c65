//! The Linux kernel's fences under memory models that do not know them.
//!
//! Interleavings need no fence, but RCU's grace periods wait for readers, which only lkmm says. Other
//! models have no such fences as the kernel's weaker ones, and what orders accesses for the kernel is
//! not what C calls free of races. All that is not modelled then, where it is reached.

use crate::contract::{MemoryModel, Property};
use crate::request::{Check, ModelChoice};
use ir::{InstKind, Kernel, Program};
use solver::weak::target::Target;

/// Does the first model speak about the kernel's annotations?
pub fn known(check: &Check) -> bool {
    check.weak().is_some_and(|weak| match (&weak.target, &weak.model) {
        (Some(target), _) => *target == Target::Linux,
        (None, ModelChoice::Builtin(name)) => Target::of_model(name) == Some(Target::Linux),
        (None, _) => false,
    })
}

/// Takes out what is not modelled.
pub fn take_out(program: &mut Program, check: &Check, property: Property) {
    let known = known(check);
    let blocks = program.functions.iter_mut().flat_map(|f| &mut f.blocks);
    for inst in blocks.flat_map(|b| &mut b.insts) {
        if let InstKind::Fence { kernel: Some(kernel), .. } = inst.kind {
            if known && kernel != Kernel::Instruction {
                continue;
            }
            if let Some(what) = unmodelled(kernel, check.model(), property) {
                inst.kind = InstKind::Unsupported { what: what.into() };
            }
        }
    }
}

/// What is said where a model other than lkmm reaches it; `None` if that model has a meaning for it.
fn unmodelled(kernel: Kernel, model: MemoryModel, property: Property) -> Option<&'static str> {
    if kernel == Kernel::Instruction {
        let weak = model == MemoryModel::Cat;
        return weak.then_some("a machine's fence that is none of C's under a memory model");
    }
    if kernel.is_rcu() {
        return Some("RCU under another memory model than lkmm");
    }
    let fence = kernel.set().is_some() && kernel != Kernel::Mb;
    if fence && model == MemoryModel::Cat {
        return Some("a fence of the kernel's under another model than lkmm");
    }
    let races = property == Property::NoDataRace;
    races.then_some("the kernel's accesses in a question about races (--mm lkmm has an answer)")
}
