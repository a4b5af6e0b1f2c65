//! Locks, condition variables, semaphores and barriers that no thread ever initialises.
//!
//! POSIX leaves the use of such an object undefined. Static ones are zero at first, which on Linux is what
//! `PTHREAD_MUTEX_INITIALIZER` and its kin are (docs/unspecified.md), but of spin locks: they have no initialiser, and
//! one that is zero is held for ever by glibc's code for x86. Of a local one, or one in a fresh heap block, the bytes
//! are arbitrary, and what the models (`frontend/models`) make of arbitrary bytes is no execution of C. So a use gets an
//! `InstKind::Undefined` in front if all that it may be about are slots and blocks that are not zeroed, and nothing in
//! the program may write there but the functions that use or destroy such objects.
//!
//! The answer to "may it write there" comes from points-to sets, made finer by offsets: of a register of the user's the
//! one offset from the start of an object that its addresses have, if there is one. Both are of the whole program, so an
//! initialisation that comes too late, or only on some path, counts as one; of that, the models see what is left
//! (a kind that no mutex has).
//!
//! Invariant: where an `Undefined` was put, no execution has an initialised object, as far as objects are told apart
//! without paths. If it is put wrongly (a pointer that is made up of single bytes), the answer is UNKNOWN, never wrong.
//!
//! Cost: nothing if all such objects are named static ones; else a points-to analysis and a few passes over the user's
//! instructions.

use analysis::points_to::{Context, Instance, Pointee, PointsTo, address_taken};
use frontend::library::sync::{self, LockFamily, Synchroniser};
use ir::types::Scalar;
use ir::*;
use rustc_hash::FxHashMap;

/// A call by the user of a function that uses such an object.
struct Use {
    function: FuncId,
    block: BlockId,
    inst: usize,
    object: Operand,
    kind: Synchroniser,
    bytes: i64,
}

impl Use {
    fn needs_no_look(&self) -> bool {
        match self.object {
            Operand::Object { .. } => !is_spin(self.kind),
            Operand::Const { .. } => true,
            _ => false,
        }
    }
}

fn is_spin(kind: Synchroniser) -> bool {
    kind == Synchroniser::Lock(LockFamily::Spin)
}

/// Puts an `Undefined` before each use of what is never initialised.
pub fn refuse(program: &mut Program) {
    let uses = uses(program);
    if uses.iter().all(Use::needs_no_look) {
        return;
    }
    let points_to = PointsTo::new(program, Context::ModelCalls);
    let offsets = Offsets::new(program);
    let writes = writes(program, &points_to, &offsets);
    let never = |u: &&Use| is_never_made(u, program, &points_to, &offsets, &writes);
    let found: Vec<(FuncId, BlockId, usize)> =
        uses.iter().filter(never).map(|u| (u.function, u.block, u.inst)).collect();
    for (function, block, inst) in found.into_iter().rev() {
        let insts = &mut program.functions[function.index()].blocks[block.index()].insts;
        let undefined = InstKind::Undefined { misuse: Misuse::NeverInitialised };
        insts.insert(inst, Inst::new(undefined, insts[inst].at()));
    }
}

/// In the order of the program; a wait with a condition variable and a mutex is two.
fn uses(program: &Program) -> Vec<Use> {
    let mut found = Vec::new();
    for (function, block, inst, kind) in user_instructions(program) {
        let InstKind::Call { callee: Callee::Direct(to), args, .. } = kind else { continue };
        for &(argument, kind) in used(program, *to) {
            let Some(&object) = args.get(argument) else { continue };
            let bytes = kind.bytes(program.machine) as i64;
            found.push(Use { function, block, inst, object, kind, bytes });
        }
    }
    found.dedup_by_key(|u| (u.function, u.block, u.inst, u.object));
    found
}

/// Which arguments of a library function must be initialised.
fn used(program: &Program, function: FuncId) -> &'static [(usize, Synchroniser)] {
    let function = &program.functions[function.index()];
    if function.origin == Origin::User { &[] } else { sync::uses(&function.name) }
}

fn user_instructions(
    program: &Program,
) -> impl Iterator<Item = (FuncId, BlockId, usize, &InstKind)> {
    let functions = program.functions.iter().zip(0..).filter(|(f, _)| f.origin == Origin::User);
    functions.flat_map(|(f, i)| {
        f.blocks.iter().zip(0..).flat_map(move |(block, b)| {
            let insts = block.insts.iter().enumerate();
            insts.map(move |(at, inst)| (FuncId(i), BlockId(b), at, &inst.kind))
        })
    })
}

/// What is written where: a range of bytes of a place, `None` for all of it.
type Writes = FxHashMap<Pointee, Vec<Option<(i64, i64)>>>;

fn writes(program: &Program, points_to: &PointsTo, offsets: &Offsets) -> Writes {
    let mut writes = Writes::default();
    for (id, _, _, kind) in user_instructions(program) {
        match kind {
            InstKind::Store { addr, ty, .. } => {
                let bytes = ty.bytes(program.machine) as i64;
                let range = offsets.of(id, addr).map(|at| (at, bytes));
                for place in points_to.targets(id, addr) {
                    writes.entry(place).or_default().push(range);
                }
            }
            // An initialisation of a condition variable need not write anything.
            InstKind::Call { callee: Callee::Direct(f), args, .. }
                if is_library(program, *f, "_init") =>
            {
                let Some(object) = args.first() else { continue };
                let range = offsets.of(id, object).map(|at| (at, 1));
                for place in points_to.targets(id, object) {
                    writes.entry(place).or_default().push(range);
                }
            }
            // What nobody has the code of may be what initialises it.
            InstKind::Call { callee, args, .. } if !is_known(program, *callee) => {
                for place in args.iter().flat_map(|a| points_to.targets(id, a)) {
                    writes.entry(place).or_default().push(None);
                }
            }
            _ => {}
        }
    }
    for instance in points_to.instances() {
        let id = points_to.function(instance);
        let function = &program.functions[id.index()];
        if function.origin == Origin::User || serves_a_use(program, points_to, instance) {
            continue;
        }
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            if let InstKind::Store { addr, .. } = &inst.kind {
                for place in points_to.places_in(instance, addr) {
                    writes.entry(place).or_default().push(None);
                }
            }
        }
    }
    writes
}

/// Functions that initialise or destroy, by their names.
fn is_birth_or_end(name: &str) -> bool {
    name.ends_with("_init") || name.ends_with("_destroy")
}

/// Is it a function of the library with such a name?
fn is_library(program: &Program, function: FuncId, end: &str) -> bool {
    let function = &program.functions[function.index()];
    function.origin != Origin::User && function.name.ends_with(end)
}

fn is_known(program: &Program, callee: Callee) -> bool {
    match callee {
        Callee::Direct(f) => program.functions[f.index()].has_body(),
        Callee::Indirect(_) => false,
    }
}

/// Is it part of a call by the user that uses, initialises or destroys such an object?
fn serves_a_use(program: &Program, points_to: &PointsTo, instance: Instance) -> bool {
    let Some(site) = points_to.served(instance) else { return false };
    let caller = points_to.function(site.instance);
    let inst = &program.functions[caller.index()].blocks[site.block.index()].insts[site.inst];
    let InstKind::Call { callee: Callee::Direct(f), .. } = inst.kind else { return false };
    let name = &program.functions[f.index()].name;
    !sync::uses(name).is_empty() || is_birth_or_end(name)
}

fn is_never_made(
    u: &Use,
    program: &Program,
    points_to: &PointsTo,
    offsets: &Offsets,
    writes: &Writes,
) -> bool {
    let targets = points_to.targets(u.function, &u.object);
    let at = offsets.of(u.function, &u.object);
    let meets = |range: &Option<(i64, i64)>| match (at, range) {
        (Some(at), Some((from, bytes))) => at < from + bytes && *from < at + u.bytes,
        _ => true,
    };
    let is_fresh = |place: &Pointee| {
        is_no_object_at_first(u.kind, program, points_to, *place)
            && !writes.get(place).is_some_and(|all| all.iter().any(meets))
    };
    !targets.is_empty() && targets.iter().all(is_fresh)
}

fn is_no_object_at_first(
    kind: Synchroniser,
    program: &Program,
    points_to: &PointsTo,
    place: Pointee,
) -> bool {
    match place {
        Pointee::Object(id) if is_spin(kind) => {
            program.objects[id.index()].bytes.iter().all(|&byte| byte == 0)
        }
        Pointee::Slot(..) => true,
        Pointee::Heap(instance, n) => {
            let function = &program.functions[points_to.function(instance).index()];
            let insts = function.blocks.iter().flat_map(|b| &b.insts);
            let mut zeroed = insts.filter_map(|inst| match inst.kind {
                InstKind::Alloc { zeroed, .. } => Some(zeroed),
                _ => None,
            });
            zeroed.nth(n as usize).is_some_and(|zeroed| !zeroed || is_spin(kind))
        }
        Pointee::Object(_) | Pointee::Function(_) | Pointee::Unknown => false,
    }
}

/// How far from the start of its object an address is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Offset {
    At(i64),
    Any,
}

/// The offsets of addresses in registers of the user's; a register without one holds none, as far as is seen.
struct Offsets {
    registers: FxHashMap<(FuncId, Reg), Offset>,
    returned: FxHashMap<FuncId, Offset>,
    /// Of all addresses in memory.
    stored: Option<Offset>,
    changed: bool,
}

/// Passes until nothing changes, at most.
const PASSES: usize = 50;

impl Offsets {
    fn new(program: &Program) -> Offsets {
        let (registers, returned) = (FxHashMap::default(), FxHashMap::default());
        let mut offsets = Offsets { registers, returned, stored: None, changed: false };
        for (_, address) in program.objects.iter().flat_map(|o| &o.relocations) {
            let address = offsets.operand(FuncId(0), address);
            offsets.store(address);
        }
        let taken = address_taken(program);
        for pass in 0..=PASSES {
            offsets.changed = false;
            for (f, _, _, kind) in user_instructions(program) {
                offsets.instruction(program, &taken, f, kind);
            }
            for (f, i) in
                program.functions.iter().zip(0..).filter(|(f, _)| f.origin == Origin::User)
            {
                for block in &f.blocks {
                    if let Terminator::Return(Some(value)) = &block.end {
                        let value = offsets.operand(FuncId(i), value);
                        join_in(&mut offsets.returned, FuncId(i), value, &mut offsets.changed);
                    }
                }
            }
            if !offsets.changed {
                break;
            }
            if pass == PASSES {
                offsets.registers.values_mut().for_each(|o| *o = Offset::Any);
            }
        }
        offsets
    }

    /// The one offset, if there is one.
    fn of(&self, function: FuncId, operand: &Operand) -> Option<i64> {
        match self.operand(function, operand) {
            Some(Offset::At(at)) => Some(at),
            Some(Offset::Any) | None => None,
        }
    }

    fn operand(&self, function: FuncId, operand: &Operand) -> Option<Offset> {
        match operand {
            Operand::Reg(r) => self.registers.get(&(function, *r)).copied(),
            Operand::Object { offset, .. } | Operand::Slot { offset, .. } => {
                Some(Offset::At(*offset))
            }
            Operand::Const { .. } | Operand::Function(_) => None,
        }
    }

    fn set(&mut self, function: FuncId, reg: Reg, offset: Option<Offset>) {
        join_in(&mut self.registers, (function, reg), offset, &mut self.changed);
    }

    fn store(&mut self, offset: Option<Offset>) {
        let joined = join(self.stored, offset);
        self.changed |= joined != self.stored;
        self.stored = joined;
    }

    fn instruction(&mut self, program: &Program, taken: &[FuncId], f: FuncId, kind: &InstKind) {
        match kind {
            InstKind::Assign { dst, value } => {
                let value = self.value(f, value);
                self.set(f, *dst, value);
            }
            InstKind::Store { value, .. } => {
                let value = self.operand(f, value);
                self.store(value);
            }
            InstKind::Load { dst, ty: Scalar::Ptr, .. } => self.set(f, *dst, self.stored),
            InstKind::Load { dst, .. } => self.set(f, *dst, self.stored.map(|_| Offset::Any)),
            InstKind::Alloc { dst, .. } => self.set(f, *dst, Some(Offset::At(0))),
            InstKind::Call { dst, callee, args } => {
                self.call(program, taken, f, *dst, *callee, args)
            }
            _ => {}
        }
    }

    fn value(&self, f: FuncId, value: &Rvalue) -> Option<Offset> {
        match value {
            Rvalue::Use(a) | Rvalue::Cast { a, .. } => self.operand(f, a),
            Rvalue::PtrAdd { base, index: Operand::Const { bits, ty }, scale } => {
                let index = if *ty == Scalar::I32 { *bits as i32 as i64 } else { *bits as i64 };
                let far = index.wrapping_mul(*scale as i64);
                self.operand(f, base).map(|base| match base {
                    Offset::At(at) => Offset::At(at.wrapping_add(far)),
                    Offset::Any => Offset::Any,
                })
            }
            Rvalue::PtrAdd { base, .. } => self.operand(f, base).map(|_| Offset::Any),
            Rvalue::Unary { a, .. } => self.operand(f, a).map(|_| Offset::Any),
            Rvalue::Binary { a, b, .. } => {
                self.operand(f, a).or(self.operand(f, b)).map(|_| Offset::Any)
            }
            Rvalue::Undef(_) => None,
        }
    }

    fn call(
        &mut self,
        program: &Program,
        taken: &[FuncId],
        f: FuncId,
        dst: Option<Reg>,
        callee: Callee,
        args: &[Operand],
    ) {
        let Callee::Direct(to) = callee else {
            taken.iter().for_each(|&to| self.pass(program, f, dst, to, args));
            return;
        };
        let called = &program.functions[to.index()];
        if called.origin == Origin::User {
            return self.pass(program, f, dst, to, args);
        }
        if let Some(at) = sync::started_argument(&called.name)
            && let Some(function) = args.get(at)
        {
            let started: Vec<FuncId> = match function {
                Operand::Function(one) => vec![*one],
                _ => taken.to_vec(),
            };
            started.iter().for_each(|&to| self.pass(program, f, None, to, &args[at + 1..]));
        } else if sync::uses(&called.name).is_empty() && !is_birth_or_end(&called.name) {
            // A model may give the address on: to a function that it calls, or to memory.
            for offset in args.iter().map(|a| self.operand(f, a)).collect::<Vec<_>>() {
                self.store(offset);
            }
        }
        if let Some(dst) = dst {
            let fresh = matches!(called.name.as_str(), "malloc" | "calloc" | "aligned_alloc");
            self.set(f, dst, Some(if fresh { Offset::At(0) } else { Offset::Any }));
        }
    }

    fn pass(
        &mut self,
        program: &Program,
        f: FuncId,
        dst: Option<Reg>,
        to: FuncId,
        args: &[Operand],
    ) {
        let params = &program.functions[to.index()].params;
        for (&param, arg) in params.iter().zip(args) {
            let arg = self.operand(f, arg);
            self.set(to, param, arg);
        }
        if let Some(dst) = dst {
            self.set(f, dst, self.returned.get(&to).copied());
        }
    }
}

fn join(a: Option<Offset>, b: Option<Offset>) -> Option<Offset> {
    match (a, b) {
        (None, one) | (one, None) => one,
        (Some(a), Some(b)) => Some(if a == b { a } else { Offset::Any }),
    }
}

fn join_in<K: std::hash::Hash + Eq>(
    map: &mut FxHashMap<K, Offset>,
    key: K,
    offset: Option<Offset>,
    changed: &mut bool,
) {
    let Some(offset) = offset else { return };
    let old = map.get(&key).copied();
    let new = join(old, Some(offset));
    if let Some(joined) = new.filter(|_| new != old) {
        map.insert(key, joined);
        *changed = true;
    }
}
