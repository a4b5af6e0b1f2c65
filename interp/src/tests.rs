//! What the interpreter promises, on small programs.

use crate::choice::First;
use crate::observe::{InvalidAccess, Observer};
use crate::state::Status;
use crate::step::*;
use crate::testing::*;
use crate::value::{Tid, Value};
use ir::types::{Machine, Scalar, TypeId};
use ir::*;

const M: Machine = Machine::Lp64;
const INT: TypeId = TypeId(0);
const I8: Scalar = Scalar::Int { bits: 8, signed: true };

fn memsafe() -> Config {
    Config { memsafety: true, ..Config::default() }
}

fn violation(result: &StepResult) -> Option<ViolationKind> {
    match result {
        StepResult::Violation(v) => Some(v.kind),
        _ => None,
    }
}

fn exit(f: &FunctionBuilder, machine: Machine) -> u64 {
    let program = program(machine, 4, &[f]);
    let (result, state) = run_first(&program, memsafe(), &mut First);
    assert_eq!(result, StepResult::ProcessEnded);
    state.exit_value().and_then(Value::int).unwrap()
}

#[test]
fn a_loop_sums_through_memory() {
    let mut f = FunctionBuilder::new("main");
    let (i, c, s) = (f.reg(), f.reg(), f.reg());
    let (head, body, done) = (f.block(), f.block(), f.block());
    f.set(i, int(0)).goto(head);
    f.at(head).binary(c, BinOp::Lt, reg(i), int(10)).branch(reg(c), body, done);
    f.at(body).load(s, obj(0)).binary(s, BinOp::Add, reg(s), reg(i)).store(obj(0), reg(s));
    f.binary(i, BinOp::Add, reg(i), int(1)).goto(head);
    f.at(done).load(s, obj(0)).ret(Some(reg(s)));
    assert_eq!(exit(&f, M), 45);
    assert_eq!(exit(&f, Machine::Ilp32), 45);
}

#[test]
fn a_compared_input_splits_instead_of_enumerating() {
    let mut f = FunctionBuilder::new("main");
    let (x, c) = (f.reg(), f.reg());
    let (yes, no) = (f.block(), f.block());
    f.nondet(x, Scalar::I32).store(obj(0), reg(x)).load(x, obj(0));
    f.binary(c, BinOp::Gt, reg(x), int(5)).branch(reg(c), yes, no);
    // The second comparison follows from the first.
    f.at(yes).binary(c, BinOp::Le, reg(x), int(5)).ret(Some(reg(c)));
    f.at(no).binary(c, BinOp::Eq, int(5), reg(x)).ret(Some(reg(c)));
    let results = all_results(&program(M, 1, &[&f]), Config::default());
    let mut exits: Vec<_> = results.iter().map(|r| r.1.unwrap()).collect();
    exits.sort_unstable();
    assert_eq!(exits, [0, 0, 1]);
}

#[test]
fn lazy_choices_give_the_behaviours_of_eager_ones() {
    // x is any i8, y = (unsigned) x as 32 bits, z = y as 64 bits; compared and computed with.
    let mut f = FunctionBuilder::new("main");
    let (x, y) = (f.typed(I8), f.typed(Scalar::U32));
    let (z, c) = (f.typed(Scalar::U64), f.reg());
    let (yes, no) = (f.block(), f.block());
    f.nondet(x, I8);
    f.assign(y, Rvalue::Cast { from: I8, to: Scalar::U32, a: reg(x) });
    f.assign(z, Rvalue::Cast { from: Scalar::U32, to: Scalar::U64, a: reg(y) });
    let big = Operand::Const { bits: 0xffff_fff0, ty: Scalar::U64 };
    let compare = |op, b| Rvalue::Binary { op, ty: Scalar::U64, a: reg(z), b, checked: false };
    f.assign(c, compare(BinOp::Lt, big)).branch(reg(c), yes, no);
    f.at(yes).assign(c, compare(BinOp::Gt, long(100))).ret(Some(reg(c)));
    f.at(no).assign(
        y,
        Rvalue::Binary { op: BinOp::And, ty: Scalar::U32, a: reg(y), b: int(7), checked: false },
    );
    f.ret(Some(reg(y)));
    let program = program(M, 0, &[&f]);
    let outcomes = |eager_inputs| {
        let results = all_results(&program, Config { eager_inputs, ..Config::default() });
        let mut exits: Vec<_> = results.iter().map(|r| r.1.unwrap()).collect();
        exits.sort_unstable();
        exits.dedup();
        (results.len(), exits)
    };
    let (lazy, eager) = (outcomes(false), outcomes(true));
    assert_eq!(lazy.1, eager.1);
    assert_eq!(eager.0, 256);
    assert!(lazy.0 < eager.0);
}

/// A number is added to any i8, in both orders, taken away again, stored, compared, narrowed and widened: as if
/// the input had been chosen at once. (`numbers` have to fit, wrap around, or stand for negative ones.)
#[test]
fn sums_with_numbers_stay_open_and_are_exact() {
    let outcomes = |f: &FunctionBuilder, eager_inputs| {
        let program = program(M, 4, &[f]);
        let results = all_results(&program, Config { eager_inputs, ..Config::default() });
        let mut exits: Vec<_> = results.iter().map(|r| r.1.unwrap()).collect();
        exits.sort_unstable();
        exits.dedup();
        (results.len(), exits)
    };
    // What is returned has to be a number.
    let decided = |ty, a| Rvalue::Binary {
        op: BinOp::Or,
        ty,
        a: reg(a),
        b: Operand::Const { bits: 0, ty },
        checked: false,
    };
    let numbers = [1, 100, 127, 300, 0xffff_ffff, 0xffff_ff80, 0x7fff_ffff, 0x8000_0000];
    for ty in [Scalar::I32, Scalar::U32] {
        let binary = |op, a, b| Rvalue::Binary { op, ty, a, b, checked: false };
        for (add, sub) in numbers.iter().flat_map(|a| numbers.map(|b| (*a, b))) {
            let [add, sub] = [add, sub].map(|bits| Operand::Const { bits, ty });
            let mut f = FunctionBuilder::new("main");
            let (x, y, z, c) = (f.typed(I8), f.typed(ty), f.typed(ty), f.typed(Scalar::I32));
            let (low, wide) = (f.typed(Scalar::U8), f.typed(Scalar::U64));
            let (yes, no, equal, other) = (f.block(), f.block(), f.block(), f.block());
            f.nondet(x, I8).assign(y, Rvalue::Cast { from: I8, to: ty, a: reg(x) });
            f.assign(z, binary(BinOp::Add, add, reg(y))).store_as(
                obj(0),
                reg(z),
                ty,
                MemoryOrder::Plain,
            );
            f.assign(z, binary(BinOp::Sub, reg(z), sub));
            f.assign(c, binary(BinOp::Gt, reg(z), int(30))).branch(reg(c), yes, no);
            f.at(yes).load_as(low, obj(0), Scalar::U8, MemoryOrder::Plain);
            f.assign(low, decided(Scalar::U8, low)).ret(Some(reg(low)));
            f.at(no).assign(c, binary(BinOp::Le, reg(y), reg(z))).branch(reg(c), equal, other);
            f.at(equal).assign(wide, Rvalue::Cast { from: ty, to: Scalar::U64, a: reg(z) });
            f.assign(wide, decided(Scalar::U64, wide)).ret(Some(reg(wide)));
            f.at(other).assign(c, binary(BinOp::Lt, reg(z), int(5))).ret(Some(reg(c)));
            let (lazy, eager) = (outcomes(&f, false), outcomes(&f, true));
            assert_eq!(lazy.1, eager.1, "{add:?} {sub:?} {ty:?}");
            assert_eq!(eager.0, 256);
        }
    }
    let mut f = FunctionBuilder::new("main");
    let (x, y, c) = (f.typed(I8), f.reg(), f.reg());
    f.nondet(x, I8).assign(y, Rvalue::Cast { from: I8, to: Scalar::I32, a: reg(x) });
    f.binary(y, BinOp::Add, reg(y), int(100)).store(obj(0), reg(y)).load(y, obj(0));
    f.binary(c, BinOp::Gt, reg(y), int(30)).ret(Some(reg(c)));
    assert_eq!(outcomes(&f, false), (2, vec![0, 1]));
}

#[test]
fn uninitialised_memory_keeps_its_value_and_copies_by_bytes() {
    let mut f = FunctionBuilder::new("main");
    let s = f.slot(8, INT);
    let (a, b, c) = (f.reg(), f.typed(Scalar::U8), f.reg());
    f.inst(InstKind::SlotLive(s)).load(a, slot(0));
    for i in 0..4 {
        let at = |offset| Operand::Slot { slot: s, offset };
        f.load_as(b, at(i), Scalar::U8, MemoryOrder::Plain);
        f.store_as(at(i + 4), reg(b), Scalar::U8, MemoryOrder::Plain);
    }
    f.load(c, Operand::Slot { slot: s, offset: 4 });
    f.binary(c, BinOp::Eq, reg(a), reg(c)).ret(Some(reg(c)));
    let results = all_results(&program(M, 0, &[&f]), Config::default());
    assert_eq!(results, [(StepResult::ProcessEnded, Some(1))]);
}

#[test]
fn switch_asks_once_per_target() {
    let mut f = FunctionBuilder::new("main");
    let x = f.reg();
    let (a, b, c) = (f.block(), f.block(), f.block());
    f.nondet(x, Scalar::I32);
    let cases = vec![(1, a), (2, a), (0xffff_ffff, b)];
    f.end(Terminator::Switch { value: reg(x), cases, default: c });
    f.at(a).ret(Some(int(10)));
    f.at(b).ret(Some(reg(x)));
    f.at(c).ret(Some(int(30)));
    let results = all_results(&program(M, 0, &[&f]), Config::default());
    let mut exits: Vec<_> = results.iter().map(|r| r.1.unwrap()).collect();
    exits.sort_unstable();
    assert_eq!(exits, [10, 30, 0xffff_ffff]);
}

#[test]
fn invalid_accesses_are_found() {
    let null = Operand::Const { bits: 0, ty: Scalar::Ptr };
    let past = Operand::Object { object: ObjectId(0), offset: 5 };
    let before = Operand::Object { object: ObjectId(1), offset: -1 };
    for addr in [null, past, before] {
        let mut f = FunctionBuilder::new("main");
        let x = f.reg();
        f.load(x, addr).ret(None);
        let p = program(M, 3, &[&f]);
        let result = run_first(&p, memsafe(), &mut First).0;
        assert_eq!(violation(&result), Some(ViolationKind::ValidDeref));
        // Without the check the thread is cut, and what need not crash is told apart.
        let (result, state) = run_first(&p, Config::default(), &mut First);
        let StepResult::Stopped { why, .. } = result else { panic!("{result:?}") };
        assert_eq!(matches!(why, Cut::Trap(_)), addr == null);
        assert_eq!(matches!(why, Cut::InvalidAccess(_)), addr != null);
        assert!(state.is_cut());
    }
}

/// What `Observer::invalid_access` was told.
#[derive(Default)]
struct InvalidAccesses(Vec<InvalidAccess>);

impl Observer for InvalidAccesses {
    fn invalid_access(&mut self, _: Tid, _: &str, access: InvalidAccess, _: Span) {
        self.0.push(access);
    }
}

#[test]
fn freed_blocks_keep_their_contents_without_memory_checks() {
    let mut f = FunctionBuilder::new("main");
    let (p, x) = (f.typed(Scalar::Ptr), f.reg());
    let (size, storage) = (int(4), Storage::Heap);
    f.inst(InstKind::Alloc { dst: p, size, zeroed: false, storage });
    f.store(reg(p), int(7)).inst(InstKind::Free { ptr: reg(p), storage: Storage::Heap });
    f.load(x, reg(p))
        .inst(InstKind::Free { ptr: reg(p), storage: Storage::Heap })
        .ret(Some(reg(x)));
    let program = program(M, 0, &[&f]);
    let mut invalid = InvalidAccesses::default();
    let outcome = crate::run(&program, &Config::default(), 100, &mut invalid);
    assert_eq!(outcome, crate::Outcome::Finished(Some(7)));
    assert_eq!(
        invalid.0,
        [InvalidAccess::FreedRead, InvalidAccess::Write],
        "a read and a second free"
    );
}

#[test]
fn use_of_an_indeterminate_pointer_is_invalid() {
    let mut f = FunctionBuilder::new("main");
    let (p, q, x) = (f.typed(Scalar::Ptr), f.typed(Scalar::Ptr), f.reg());
    let (size, storage) = (int(8), Storage::Heap);
    f.inst(InstKind::Alloc { dst: p, size, zeroed: false, storage });
    f.load_as(q, reg(p), Scalar::Ptr, MemoryOrder::Plain).load(x, reg(q)).ret(None);
    let run = |config| run_first(&program(M, 0, &[&f]), config, &mut First).0;
    assert_eq!(violation(&run(memsafe())), Some(ViolationKind::ValidDeref));
    let result = run(Config::default());
    assert!(matches!(result, StepResult::Stopped { why: Cut::InvalidAccess(_), .. }), "{result:?}");
}

#[test]
fn frees_and_leaks_are_judged() {
    let run = |make: &dyn Fn(&mut FunctionBuilder, Reg)| {
        let mut f = FunctionBuilder::new("main");
        let p = f.typed(Scalar::Ptr);
        f.alloc(p, 16);
        make(&mut f, p);
        f.ret(Some(int(0)));
        violation(&run_first(&program(M, 1, &[&f]), memsafe(), &mut First).0)
    };
    let free = |f: &mut FunctionBuilder, op| {
        f.inst(InstKind::Free { ptr: op, storage: Storage::Heap });
    };
    assert_eq!(run(&|f, p| free(f, reg(p))), None);
    assert_eq!(run(&|_, _| ()), Some(ViolationKind::ValidMemtrack));
    let keep = |f: &mut FunctionBuilder, p| {
        f.store_as(obj(0), reg(p), Scalar::Ptr, MemoryOrder::Plain);
    };
    assert_eq!(run(&keep), None);
    assert_eq!(
        run(&|f, p| {
            free(f, reg(p));
            free(f, reg(p))
        }),
        Some(ViolationKind::ValidFree)
    );
    assert_eq!(run(&|f, _| free(f, obj(0))), Some(ViolationKind::ValidFree));
    let dangling = |f: &mut FunctionBuilder, p| {
        let (q, x) = (f.typed(Scalar::Ptr), f.reg());
        free(f, reg(p));
        f.alloc(q, 16).load(x, reg(p)).inst(InstKind::Free { ptr: reg(q), storage: Storage::Heap });
    };
    assert_eq!(run(&dangling), Some(ViolationKind::ValidDeref));
}

#[test]
fn leaving_an_object_never_reaches_another() {
    let mut f = FunctionBuilder::new("main");
    let (p, x) = (f.typed(Scalar::Ptr), f.reg());
    // From g0 to where g1 is.
    let add = |base, n| Rvalue::PtrAdd { base, index: long(n), scale: 1 };
    f.assign(p, add(obj(0), 1 << 20)).load(x, reg(p)).ret(None);
    let result = run_first(&program(M, 2, &[&f]), memsafe(), &mut First).0;
    assert_eq!(violation(&result), Some(ViolationKind::ValidDeref));
    let mut f = FunctionBuilder::new("main");
    let (p, x) = (f.typed(Scalar::Ptr), f.reg());
    f.assign(p, add(obj(0), (-4i64) as u64))
        .assign(p, add(reg(p), 4))
        .load(x, reg(p))
        .ret(Some(reg(x)));
    assert_eq!(exit(&f, M), 0);
}

#[test]
fn overflow_is_a_violation_only_when_asked() {
    let mut f = FunctionBuilder::new("main");
    let x = f.reg();
    f.binary(x, BinOp::Add, int(i32::MAX), int(1)).ret(Some(reg(x)));
    let p = program(M, 0, &[&f]);
    assert_eq!(exit(&f, M), 0x8000_0000);
    let config = Config { overflow: true, ..Config::default() };
    assert_eq!(violation(&run_first(&p, config, &mut First).0), Some(ViolationKind::NoOverflow));
}

/// A child that stores 1 to g0, and a first thread that waits for it.
fn waiting() -> Program {
    let (mut main, mut child) = (FunctionBuilder::new("main"), FunctionBuilder::new("child"));
    let (t, x) = (main.typed(Scalar::U64), main.reg());
    main.spawn(t, 1, int(0));
    main.begin(AtomicKind::Internal).store(obj(1), int(7)).load(x, obj(0));
    main.inst(InstKind::Wait(reg(x))).finish().join(t, reg(t)).load(x, obj(1)).ret(Some(reg(x)));
    child.store(obj(0), int(1)).ret(Some(int(0)));
    program(M, 2, &[&main, &child])
}

#[test]
fn a_blocked_atomic_block_has_not_happened() {
    let p = waiting();
    let interp = Interp::new(&p, Config::default()).unwrap();
    let mut state = interp.initial();
    let child = Tid(2);
    let step = |s: &mut _, t| interp.step(s, t, &mut First, &mut ());
    assert_eq!(step(&mut state, Tid::FIRST), StepResult::Ran);
    let before = interp.digest(&mut state);
    assert_eq!(step(&mut state, Tid::FIRST), StepResult::Blocked);
    assert_eq!(interp.digest(&mut state), before);
    assert!(!interp.deadlocked(&state));
    assert!(matches!(interp.next(&state, child), Next::Access(a) if a.write));
    assert_eq!(step(&mut state, child), StepResult::Ran);
    assert_eq!(step(&mut state, Tid::FIRST), StepResult::Ran);
    assert_eq!(step(&mut state, Tid::FIRST), StepResult::Blocked);
    assert_eq!(
        interp.next(&state, Tid::FIRST),
        Next::Join { thread: child, waits: true, span: interp.span(&state, Tid::FIRST) }
    );
    assert!(matches!(interp.next(&state, child), Next::Exit { .. }));
    assert_eq!(step(&mut state, child), StepResult::Ended);
    assert_eq!(state.status(child), Status::Ended);
    assert_eq!(step(&mut state, Tid::FIRST), StepResult::Ran);
    step(&mut state, Tid::FIRST);
    assert_eq!(step(&mut state, Tid::FIRST), StepResult::ProcessEnded);
    assert_eq!(state.exit_value(), Some(Value::Int(7)));
}

#[test]
fn waiting_for_ever_is_a_deadlock_unless_cut() {
    for cut in [false, true] {
        let (mut main, mut child) = (FunctionBuilder::new("main"), FunctionBuilder::new("child"));
        let t = main.typed(Scalar::U64);
        main.spawn(t, 1, int(0)).inst(InstKind::Wait(int(0))).ret(None);
        if cut {
            child.inst(InstKind::Assume(int(0)));
        }
        child.inst(InstKind::Wait(int(0))).ret(None);
        let p = program(M, 0, &[&main, &child]);
        let interp = Interp::new(&p, Config::default()).unwrap();
        let mut state = interp.initial();
        interp.step(&mut state, Tid(1), &mut First, &mut ());
        interp.step(&mut state, Tid(2), &mut First, &mut ());
        assert_eq!(interp.deadlocked(&state), !cut);
    }
}

#[test]
fn dead_registers_and_symbol_names_do_not_tell_states_apart() {
    let digest_after = |first: i32, order: bool| {
        let mut f = FunctionBuilder::new("main");
        let (x, a, b) = (f.reg(), f.reg(), f.reg());
        f.set(x, int(first));
        let (one, two) = if order { (a, b) } else { (b, a) };
        f.nondet(one, Scalar::I32).nondet(two, Scalar::I32);
        f.store(obj(0), reg(a)).store(obj(1), reg(b));
        f.inst(InstKind::Fence { order: MemoryOrder::SeqCst, kernel: None }).ret(None);
        let p = program(M, 2, &[&f]);
        let interp = Interp::new(&p, Config::default()).unwrap();
        let mut state = interp.initial();
        for _ in 0..5 {
            interp.step(&mut state, Tid::FIRST, &mut First, &mut ());
        }
        interp.digest(&mut state)
    };
    assert_eq!(digest_after(1, true), digest_after(2, true));
    assert_eq!(digest_after(1, true), digest_after(1, false));
}

#[test]
fn same_symbol_twice_differs_from_two_symbols() {
    let digest = |same: bool| {
        let mut f = FunctionBuilder::new("main");
        let (a, b) = (f.reg(), f.reg());
        f.nondet(a, Scalar::I32).nondet(b, Scalar::I32);
        f.store(obj(0), reg(a)).store(obj(1), reg(if same { a } else { b })).ret(None);
        let p = program(M, 2, &[&f]);
        let interp = Interp::new(&p, Config::default()).unwrap();
        let mut state = interp.initial();
        for _ in 0..4 {
            interp.step(&mut state, Tid::FIRST, &mut First, &mut ());
        }
        interp.digest(&mut state)
    };
    assert_ne!(digest(true), digest(false));
}

#[test]
fn block_scope_objects_reuse_their_address_unless_pointed_to() {
    for keep in [false, true] {
        let mut f = FunctionBuilder::new("main");
        let s = f.slot(4, INT);
        let p = f.typed(Scalar::Ptr);
        let head = f.block();
        f.goto(head);
        f.at(head).inst(InstKind::SlotLive(s)).store(slot(0), int(1));
        if keep {
            f.set(p, slot(0)).store_as(obj(0), reg(p), Scalar::Ptr, MemoryOrder::Plain);
        }
        f.inst(InstKind::SlotDead(s)).goto(head);
        let p = program(M, 1, &[&f]);
        let interp = Interp::new(&p, Config::default()).unwrap();
        let mut state = interp.initial();
        let mut digests = Vec::new();
        for _ in 0..60 {
            interp.step(&mut state, Tid::FIRST, &mut First, &mut ());
            digests.push(interp.digest(&mut state));
        }
        digests.sort_unstable();
        digests.dedup();
        // With the pointer kept, objects alternate between two addresses.
        assert!(digests.len() <= if keep { 19 } else { 5 }, "{}", digests.len());
    }
}

#[test]
fn private_objects_escape_by_store_and_spawn() {
    let (mut main, mut child) = (FunctionBuilder::new("main"), FunctionBuilder::new("child"));
    let s = main.slot(8, INT);
    let heap = main.typed(Scalar::Ptr);
    let t = main.typed(Scalar::U64);
    main.inst(InstKind::SlotLive(s)).alloc(heap, 8);
    main.store_as(slot(0), reg(heap), Scalar::Ptr, MemoryOrder::Plain);
    main.store(reg(heap), int(1)).spawn(t, 1, slot(0)).store(reg(heap), int(2)).ret(None);
    let arg = child.param(Scalar::Ptr);
    let q = child.typed(Scalar::Ptr);
    child.load_as(q, reg(arg), Scalar::Ptr, MemoryOrder::Plain).store(reg(q), int(3)).ret(None);
    let p = program(M, 0, &[&main, &child]);
    let interp = Interp::new(&p, Config::default()).unwrap();
    let mut state = interp.initial();
    for _ in 0..4 {
        assert_eq!(interp.next(&state, Tid(1)), Next::Local);
        interp.step(&mut state, Tid(1), &mut First, &mut ());
    }
    interp.step(&mut state, Tid(1), &mut First, &mut ());
    assert!(matches!(interp.next(&state, Tid(1)), Next::Access(_)));
    assert!(matches!(interp.next(&state, Tid(2)), Next::Access(a) if !a.write));
    assert_eq!(interp.step(&mut state, Tid(2), &mut First, &mut ()), StepResult::Ran);
    assert!(matches!(interp.next(&state, Tid(2)), Next::Access(a) if a.write));
}

#[test]
fn recursion_is_bounded_and_calls_return() {
    let mut f = FunctionBuilder::new("main");
    f.inst(InstKind::Call { dst: None, callee: Callee::Direct(FuncId(0)), args: vec![] }).ret(None);
    let config = Config { max_depth: 50, ..Config::default() };
    let result = run_first(&program(M, 0, &[&f]), config, &mut First).0;
    assert!(matches!(result, StepResult::Stopped { why: Cut::Recursion, .. }));
    let (mut main, mut inc) = (FunctionBuilder::new("main"), FunctionBuilder::new("inc"));
    let x = main.reg();
    let callee = Callee::Indirect(Operand::Function(FuncId(1)));
    main.inst(InstKind::Call { dst: Some(x), callee, args: vec![int(4)] }).ret(Some(reg(x)));
    let a = inc.param(Scalar::I32);
    inc.binary(a, BinOp::Add, reg(a), int(1)).ret(Some(reg(a)));
    let p = program(M, 0, &[&main, &inc]);
    assert_eq!(run_first(&p, memsafe(), &mut First).1.exit_value(), Some(Value::Int(5)));
}

#[test]
fn a_thread_is_joined_once() {
    let (mut main, mut child) = (FunctionBuilder::new("main"), FunctionBuilder::new("child"));
    let t = main.typed(Scalar::U64);
    let value = main.typed(Scalar::Ptr);
    main.spawn(t, 1, int(0)).join(value, reg(t)).join(value, reg(t)).ret(None);
    child.ret(Some(int(0)));
    let p = program(M, 0, &[&main, &child]);
    for (config, undefined) in [(memsafe(), false), (Config::default(), true)] {
        let interp = Interp::new(&p, config).unwrap();
        let mut state = interp.initial();
        let mut step = |t| interp.step(&mut state, Tid(t), &mut First, &mut ());
        [1, 2, 1].into_iter().for_each(|t| _ = step(t));
        match step(1) {
            StepResult::Violation(v) => assert_eq!(v.kind, ViolationKind::ValidDeref),
            result => {
                let access =
                    matches!(result, StepResult::Stopped { why: Cut::InvalidAccess(_), .. });
                assert!(undefined && access, "{result:?}");
            }
        }
    }
}

#[test]
fn thread_locals_are_one_per_thread() {
    let (mut main, mut child) = (FunctionBuilder::new("main"), FunctionBuilder::new("child"));
    let (t, x) = (main.typed(Scalar::U64), main.reg());
    main.store(obj(0), int(5)).spawn(t, 1, int(0)).join(t, reg(t)).load(x, obj(0));
    main.ret(Some(reg(x)));
    let y = child.reg();
    child
        .load(y, obj(0))
        .binary(y, BinOp::Add, reg(y), int(1))
        .store(obj(0), reg(y))
        .ret(Some(reg(y)));
    let mut p = program(M, 1, &[&main, &child]);
    p.objects[0].kind = ObjectKind::ThreadLocal;
    p.objects[0].bytes = vec![41];
    let interp = Interp::new(&p, memsafe()).unwrap();
    let mut state = interp.initial();
    let step = |state: &mut crate::State, t| interp.step(state, Tid(t), &mut First, &mut ());
    [1, 1, 2, 2, 2, 2].into_iter().for_each(|t| _ = step(&mut state, t));
    assert_eq!(state.thread(Tid(2)).result, Value::Int(42));
    [1, 1, 1].into_iter().for_each(|t| _ = step(&mut state, t));
    assert_eq!(state.exit_value(), Some(Value::Int(5)));
}

#[test]
fn cut_inside_an_atomic_block_undoes_it() {
    let mut f = FunctionBuilder::new("main");
    f.begin(AtomicKind::User)
        .store(obj(0), int(1))
        .inst(InstKind::Assume(int(0)))
        .finish()
        .ret(None);
    let p = program(M, 1, &[&f]);
    let interp = Interp::new(&p, Config::default()).unwrap();
    let mut state = interp.initial();
    let result = interp.step(&mut state, Tid::FIRST, &mut First, &mut ());
    assert!(matches!(result, StepResult::Stopped { why: Cut::Assume, .. }));
    assert_eq!(state.statics.objects[0].read(0, 4), 0);
}

#[test]
fn waiting_for_an_old_symbol_decides_it() {
    let mut f = FunctionBuilder::new("main");
    let x = f.reg();
    f.nondet(x, Scalar::I32)
        .begin(AtomicKind::Internal)
        .inst(InstKind::Wait(reg(x)))
        .finish()
        .ret(None);
    let p = program(M, 0, &[&f]);
    let interp = Interp::new(&p, Config::default()).unwrap();
    let mut state = interp.initial();
    interp.step(&mut state, Tid::FIRST, &mut First, &mut ());
    let mut zero = Script { indices: vec![1], asked: vec![] };
    assert_eq!(interp.step(&mut state, Tid::FIRST, &mut zero, &mut ()), StepResult::Ran);
    assert_eq!(zero.asked, [2]);
    assert_eq!(interp.step(&mut state, Tid::FIRST, &mut zero, &mut ()), StepResult::Blocked);
    assert!(interp.deadlocked(&state));
}

#[test]
fn an_endless_atomic_block_is_reported() {
    let mut f = FunctionBuilder::new("main");
    let head = f.block();
    f.begin(AtomicKind::User).goto(head);
    f.at(head).goto(head);
    let config = Config { max_atomic: 1000, ..Config::default() };
    let result = run_first(&program(M, 0, &[&f]), config, &mut First).0;
    assert!(matches!(result, StepResult::Unsupported { .. }));
}

#[test]
fn malloc_may_fail_is_a_choice() {
    let mut f = FunctionBuilder::new("main");
    let (p, c) = (f.typed(Scalar::Ptr), f.reg());
    f.alloc(p, 4);
    let null = Operand::Const { bits: 0, ty: Scalar::Ptr };
    f.assign(
        c,
        Rvalue::Binary { op: BinOp::Eq, ty: Scalar::Ptr, a: reg(p), b: null, checked: false },
    );
    f.ret(Some(reg(c)));
    let config = Config { malloc_may_fail: true, ..Config::default() };
    let mut exits: Vec<_> =
        all_results(&program(M, 0, &[&f]), config).iter().map(|r| r.1).collect();
    exits.sort_unstable();
    assert_eq!(exits, [Some(0), Some(1)]);
}

/// Not a test of speed by the clock, but the place to measure it:
/// `cargo test --release -p obmc-interp speed -- --ignored --nocapture`.
#[test]
#[ignore = "measures"]
fn speed_of_steps_with_clone_and_digest() {
    let mut f = FunctionBuilder::new("main");
    let (i, c, s) = (f.reg(), f.reg(), f.reg());
    let head = f.block();
    f.set(i, int(0)).goto(head);
    f.at(head).load(s, obj(0)).binary(s, BinOp::Add, reg(s), reg(i)).store(obj(0), reg(s));
    f.binary(i, BinOp::Add, reg(i), int(1)).binary(c, BinOp::Lt, reg(i), int(0));
    f.branch(reg(c), head, head);
    let p = program(M, 40, &[&f]);
    let interp = Interp::new(&p, Config::default()).unwrap();
    for explore in [false, true] {
        let mut state = interp.initial();
        let start = std::time::Instant::now();
        let steps = 400_000;
        let mut seen = 0;
        for _ in 0..steps {
            let kept = explore.then(|| state.clone());
            interp.step(&mut state, Tid::FIRST, &mut First, &mut ());
            if explore {
                seen ^= interp.digest(&mut state);
            }
            drop(kept);
        }
        let rate = f64::from(steps) / start.elapsed().as_secs_f64();
        println!("clone and digest {explore}: {rate:.0} steps per second ({seen:x})");
    }
}
