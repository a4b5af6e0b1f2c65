//! When all executions of a weaker memory model are interleavings: the DRF-SC theorem.
//!
//! If every two conflicting accesses that happens-before leaves unordered, in any interleaving, are both
//! `seq_cst`, then a program has no other executions under rc11 than its interleavings (Lahav, Vafeiadis,
//! Kang, Hur, Dreyer: Repairing sequential consistency in C/C++11, PLDI 2017, theorem 4), and none on a machine
//! for which it is compiled by a correct scheme. The condition is about interleavings only, so engines that
//! know nothing of weak memory check it.
//!
//! - The user's accesses are plain or `seq_cst` (`consistency::weaker` finds no other that meets another
//!   thread's), so races of plain ones are all there is to look for.
//! - A mutex is no `seq_cst` object. That its operations are ordered is asked, too: each one writes a *mark*
//!   plainly, behind it if it acquires, before it if not. A path of happens-before into a mark behind an
//!   operation comes through the operation, one out of a mark before it goes through it; so where no two marks
//!   race, any two operations are ordered. (Who unlocks what another thread holds makes a race.)
//! - What else synchronises (`trylock`, semaphores, barriers, atomic blocks of the user, the kernel's) is
//!   not for this theorem, and neither is assembly.
//!
//! Invariant: the marked program differs by writes to marks, which are never read; it has a race where the
//! program has one.
//! Cost: a scan, and an analysis of pointers.

use analysis::points_to::{Context, PointsTo};
use ir::types::Scalar;
use ir::{
    AtomicKind, Callee, FuncId, Function, Inst, InstKind, MemoryOrder, Object, ObjectId,
    ObjectKind, Operand, Origin, Program, Reg, RegInfo, Rvalue,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where an operation has its mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MarkSide {
    Before,
    After,
    Around,
}

/// Operations of locks: name, mark, which argument is the lock, has it a spare word?
const OPERATIONS: &[(&str, MarkSide, usize, bool)] = &[
    ("pthread_mutex_lock", MarkSide::After, 0, true),
    ("pthread_mutex_unlock", MarkSide::Before, 0, true),
    ("pthread_mutex_init", MarkSide::Before, 0, true),
    ("pthread_mutex_destroy", MarkSide::Before, 0, true),
    ("mtx_lock", MarkSide::After, 0, true),
    ("mtx_unlock", MarkSide::Before, 0, true),
    ("mtx_init", MarkSide::Before, 0, true),
    ("mtx_destroy", MarkSide::Before, 0, true),
    ("pthread_cond_wait", MarkSide::Around, 1, true),
    ("cnd_wait", MarkSide::Around, 1, true),
    ("pthread_spin_lock", MarkSide::After, 0, false),
    ("pthread_spin_unlock", MarkSide::Before, 0, false),
    ("pthread_spin_init", MarkSide::Before, 0, false),
    ("pthread_spin_destroy", MarkSide::Before, 0, false),
];

/// Operations that tell a thread nothing: a wait may end at any time.
const SILENT: [&str; 8] = [
    "pthread_cond_init",
    "pthread_cond_destroy",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "cnd_init",
    "cnd_destroy",
    "cnd_signal",
    "cnd_broadcast",
];

/// The marked program, whose races are all that is left to ask about; `None` if the theorem is not for it.
/// Needs: it is prepared for a question about races, and none of the user's accesses is weaker.
pub fn marked(program: &Program) -> Option<Program> {
    let points_to = PointsTo::new(program, Context::Insensitive);
    let calls = Scan { program, points_to: &points_to }.calls()?;
    let mut marked = program.clone();
    let constant = |call: &OperationCall| matches!(call.lock, Operand::Object { .. });
    let place = match calls.iter().all(constant) {
        true => MarkPlace::Beside(FxHashMap::default()),
        false if calls.iter().all(|call| call.spare) => MarkPlace::Inside,
        false => return None,
    };
    Marker { program: &mut marked, place }.mark(calls);
    Some(marked)
}

/// A call of an operation: where, and of which lock.
#[derive(Clone, Copy, Debug)]
struct OperationCall {
    function: FuncId,
    block: usize,
    inst: usize,
    mark: MarkSide,
    lock: Operand,
    spare: bool,
}

struct Scan<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
}

impl Scan<'_> {
    /// All operations of locks, if threads synchronise by nothing else.
    fn calls(&self) -> Option<Vec<OperationCall>> {
        let mut calls = Vec::new();
        let is_user = |f: &FuncId| self.function(*f).origin == Origin::User;
        let all = (0..self.program.functions.len() as u32).map(FuncId);
        let mut open: Vec<FuncId> =
            all.filter(|f| self.points_to.reaches(*f)).filter(is_user).collect();
        let mut seen: FxHashSet<FuncId> = open.iter().copied().collect();
        while let Some(id) = open.pop() {
            let function = self.function(id);
            for (block, b) in function.blocks.iter().enumerate() {
                for (inst, i) in b.insts.iter().enumerate() {
                    if !fits(function, &i.kind) {
                        return None;
                    }
                    if let InstKind::Spawn { function, .. } = &i.kind {
                        let started = self.callees(id, Callee::Indirect(*function))?;
                        started.iter().all(is_user).then_some(())?;
                    }
                    let InstKind::Call { callee, args, .. } = &i.kind else { continue };
                    for called in self.callees(id, *callee)? {
                        match self.operation(called) {
                            Some(&(_, mark, at, spare)) => {
                                let direct = matches!(callee, Callee::Direct(_));
                                let lock = *args.get(at).filter(|_| direct)?;
                                calls.push(OperationCall {
                                    function: id,
                                    block,
                                    inst,
                                    mark,
                                    lock,
                                    spare,
                                });
                            }
                            None if self.is_silent(called) => {}
                            None if seen.insert(called) => open.push(called),
                            None => {}
                        }
                    }
                }
            }
        }
        Some(calls)
    }

    fn function(&self, id: FuncId) -> &Function {
        &self.program.functions[id.index()]
    }

    /// The functions called; unknown if one of them is assembly.
    fn callees(&self, caller: FuncId, callee: Callee) -> Option<Vec<FuncId>> {
        let callees = match callee {
            Callee::Direct(id) => vec![id],
            Callee::Indirect(pointer) => {
                analysis::callgraph::functions(self.program, self.points_to, caller, &pointer)
            }
        };
        let known = |id: &FuncId| self.function(*id).origin != Origin::Assembly;
        callees.iter().all(known).then_some(callees)
    }

    fn operation(&self, id: FuncId) -> Option<&'static (&'static str, MarkSide, usize, bool)> {
        let function = self.function(id);
        let model = function.origin == Origin::Model;
        OPERATIONS.iter().find(|(name, ..)| model && *name == function.name)
    }

    fn is_silent(&self, id: FuncId) -> bool {
        let function = self.function(id);
        function.origin == Origin::Model && SILENT.contains(&function.name.as_str())
    }
}

/// Does the theorem know such an instruction? (Of the user's accesses it is known that they are plain or
/// `seq_cst`, or thread-local.)
fn fits(function: &Function, kind: &InstKind) -> bool {
    let user = function.origin == Origin::User;
    match kind {
        InstKind::Store { order, .. } => {
            user || matches!(order, MemoryOrder::Plain | MemoryOrder::SeqCst)
        }
        InstKind::AtomicBegin { kind } => user && *kind != AtomicKind::User,
        InstKind::Fence { kernel, .. } => user && kernel.is_none(),
        InstKind::Wait(_) => user,
        InstKind::Ended { .. } | InstKind::Unsupported { .. } | InstKind::Undefined { .. } => false,
        _ => true,
    }
}

/// Where marks are.
enum MarkPlace {
    /// An object for each lock that a constant names.
    Beside(FxHashMap<(ObjectId, i64), ObjectId>),
    /// In the lock: a word that neither the library's models nor its initialisers use.
    Inside,
}

struct Marker<'a> {
    program: &'a mut Program,
    place: MarkPlace,
}

impl Marker<'_> {
    fn mark(&mut self, mut calls: Vec<OperationCall>) {
        // From behind, so that the places of the others stay.
        calls.sort_by_key(|call| std::cmp::Reverse((call.function, call.block, call.inst)));
        for call in calls {
            let stores = self.stores(call);
            let block = &mut self.program.functions[call.function.index()].blocks[call.block];
            if call.mark != MarkSide::Before {
                block.insts.splice(call.inst + 1..call.inst + 1, stores.clone());
            }
            if call.mark != MarkSide::After {
                block.insts.splice(call.inst..call.inst, stores);
            }
        }
    }

    fn stores(&mut self, call: OperationCall) -> Vec<Inst> {
        let at = self.program.functions[call.function.index()].blocks[call.block].at(call.inst);
        let span = at.span;
        let (address, addr) = match (&mut self.place, call.lock) {
            (MarkPlace::Beside(known), Operand::Object { object, offset }) => {
                let objects = &mut self.program.objects;
                let mark =
                    *known.entry((object, offset)).or_insert_with(|| beside(objects, object));
                (None, Operand::Object { object: mark, offset: 0 })
            }
            (_, lock) => {
                let offset = if self.program.machine.pointer_bytes() == 8 { 12 } else { 16 };
                let function = &mut self.program.functions[call.function.index()];
                let dst = Reg(function.regs.len() as u32);
                let ty = Scalar::Ptr;
                function.regs.push(RegInfo { name: None, ty, of: None, span });
                let bits = self.program.machine.pointer_bits();
                let ty = Scalar::Int { bits, signed: true };
                let index = Operand::Const { bits: offset, ty };
                let value = Rvalue::PtrAdd { base: lock, index, scale: 1 };
                (Some(InstKind::Assign { dst, value }), Operand::Reg(dst))
            }
        };
        let value = Operand::Const { bits: 0, ty: Scalar::I32 };
        let store = InstKind::Store { addr, value, ty: Scalar::I32, order: MemoryOrder::Plain };
        address.into_iter().chain([store]).map(|kind| Inst::new(kind, at)).collect()
    }
}

fn beside(objects: &mut Vec<Object>, lock: ObjectId) -> ObjectId {
    let of = &objects[lock.index()];
    let name = format!("the operations of {}", of.name);
    let (bytes, relocations, kind) = (Vec::new(), Vec::new(), ObjectKind::Global);
    let mark = Object { name, size: 4, align: 4, kind, bytes, relocations, ..of.clone() };
    objects.push(mark);
    ObjectId(objects.len() as u32 - 1)
}
