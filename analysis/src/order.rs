//! Does the order of two operands matter? Answered when the whole program is known.
//!
//! It does if what one of them calls writes to what the other one touches; if one synchronises and
//! the other one does so, too, or touches what other threads touch (`lock() + x`); if one may not come
//! back (it ends the process, or waits for ever) before the other one violates something; or if one
//! may leave for elsewhere (`longjmp`, `pthread_exit`) before the other one does something. Then, if
//! both orders are there, an input chooses; else it is an assumption of the verdict that they are
//! evaluated from left to right. All sets may be too large. Not seen: a loop that does not end.
//!
//! Cost: a points-to analysis if there is such a pair at all, and one walk over what is called for
//! each function that is called in an operand.

use super::callgraph;
use super::jumps;
use super::points_to::{Context, Pointee, PointsTo};
use ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The input that chooses: 1 if the right operand comes first.
pub const CHOICE: &str = "__obmc_right_operand_first";

/// Assumed where both orders are there, but C allows that one operand comes amid the other one.
const IN_ONE_GO: &str = "operands are evaluated one after the other";

/// Two operands that may meet.
#[derive(Clone, Debug)]
pub struct UnsequencedPair {
    pub span: Span,
    pub a: OperandEffects,
    pub b: OperandEffects,
    /// Slots that were there before the operands. Each of the others is one operand's alone.
    pub old: usize,
    /// Addresses of accesses, one of which writes.
    pub perhaps: Vec<(Operand, Operand)>,
    /// What is assumed if both orders are not there.
    pub assumption: &'static str,
    /// Both orders are there, and this register chooses.
    pub choice: Option<Reg>,
}

/// What an operand does.
#[derive(Clone, Default, Debug)]
pub struct OperandEffects {
    /// An address, and whether it is written.
    pub accesses: Vec<(Operand, bool)>,
    pub calls: Vec<Callee>,
    pub synchronises: bool,
    /// A variable in a register is assigned to.
    pub assigns: bool,
    /// It computes what may overflow.
    pub computes: bool,
}

impl OperandEffects {
    /// Each thing that is done, by itself.
    fn parts(&self) -> Vec<OperandEffects> {
        let accesses = self.accesses.iter();
        let accesses =
            accesses.map(|a| OperandEffects { accesses: vec![*a], ..OperandEffects::default() });
        let calls = self.calls.iter();
        let calls = calls.map(|c| OperandEffects { calls: vec![*c], ..OperandEffects::default() });
        accesses.chain(calls).collect()
    }

    /// Could the order matter, whatever is called?
    pub fn may_matter(&self, other: &OperandEffects) -> bool {
        let touches = |t: &OperandEffects| !t.accesses.is_empty() || !t.calls.is_empty();
        let does = |t: &OperandEffects| touches(t) || t.assigns || t.computes;
        let calls = !self.calls.is_empty() || !other.calls.is_empty();
        let synchronise = self.synchronises || other.synchronises;
        calls && does(self) && does(other) || synchronise && touches(self) && touches(other)
    }
}

/// What a function may do, with all that it calls.
#[derive(Clone, Default)]
struct FunctionEffects {
    reads: FxHashSet<Pointee>,
    writes: FxHashSet<Pointee>,
    synchronises: bool,
    /// It may violate the property by itself.
    fails: bool,
    stops: bool,
    /// It may wait for ever.
    waits: bool,
    /// It may not come back, and something goes on nevertheless.
    leaves: bool,
    /// Even the same function goes on.
    jumps: bool,
}

impl FunctionEffects {
    fn join(&mut self, other: &FunctionEffects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.synchronises |= other.synchronises;
        self.fails |= other.fails;
        self.stops |= other.stops;
        self.waits |= other.waits;
        self.leaves |= other.leaves;
        self.jumps |= other.jumps;
    }

    /// Can it be told whether it was evaluated?
    fn is_seen(&self) -> bool {
        !self.writes.is_empty() || self.synchronises || self.fails || self.stops || self.leaves
    }

    /// May it be that nothing comes behind it?
    fn ends(&self) -> bool {
        self.stops || self.waits || self.leaves
    }

    fn writes_what(&self, other: &FunctionEffects) -> bool {
        let touched = || other.reads.iter().chain(&other.writes);
        let any = |places: &FxHashSet<Pointee>| places.contains(&Pointee::Unknown);
        self.writes.iter().any(|p| touched().any(|q| q == p))
            || any(&self.writes) && touched().next().is_some()
            || !self.writes.is_empty() && (any(&other.reads) || any(&other.writes))
    }
}

/// Answers all pairs: leaves inputs that choose where it matters, and notes assumptions.
pub fn settle(program: &mut Program, asked: &LoadedFor, pairs: Vec<(FuncId, UnsequencedPair)>) {
    if pairs.is_empty() {
        return;
    }
    let points_to = PointsTo::new(program, Context::Insensitive);
    let mut judge = OrderJudge::new(program, &points_to, asked);
    let mut open: FxHashSet<(FuncId, Reg)> = FxHashSet::default();
    let mut assumed: Vec<(Span, &str)> = Vec::new();
    for (function, pair) in &pairs {
        if !judge.matters(*function, pair) {
            continue;
        }
        match pair.choice {
            Some(choice) => {
                open.insert((*function, choice));
                if judge.may_interleave(*function, pair) {
                    assumed.push((pair.span, IN_ONE_GO));
                }
            }
            None => assumed.push((pair.span, pair.assumption)),
        }
    }
    assumed.sort_unstable();
    assumed.dedup();
    program.ignored.extend(assumed.into_iter().map(|(span, what)| (what.to_owned(), span)));
    close(program, &open);
}

/// The other choices are not made.
fn close(program: &mut Program, open: &FxHashSet<(FuncId, Reg)>) {
    for (i, function) in program.functions.iter_mut().enumerate() {
        let id = FuncId(i as u32);
        for inst in function.blocks.iter_mut().flat_map(|b| &mut b.insts) {
            if let InstKind::Nondet { dst, ty, name, .. } = &inst.kind
                && name == CHOICE
                && !open.contains(&(id, *dst))
            {
                let value = Rvalue::Use(Operand::Const { bits: 0, ty: *ty });
                inst.kind = InstKind::Assign { dst: *dst, value };
            }
        }
    }
}

fn insts(program: &Program) -> impl Iterator<Item = (FuncId, &InstKind)> {
    let functions = program.functions.iter().enumerate();
    functions.flat_map(|(i, f)| {
        f.blocks.iter().flat_map(|b| &b.insts).map(move |inst| (FuncId(i as u32), &inst.kind))
    })
}

struct OrderJudge<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    asked: &'a LoadedFor,
    /// What threads other than the first touch, and some thread writes.
    shared: FxHashSet<Pointee>,
    threads: bool,
    summaries: FxHashMap<FuncId, FunctionEffects>,
}

impl<'a> OrderJudge<'a> {
    fn new(program: &'a Program, points_to: &'a PointsTo, asked: &'a LoadedFor) -> OrderJudge<'a> {
        let (shared, summaries) = (FxHashSet::default(), FxHashMap::default());
        let mut judge = OrderJudge { program, points_to, asked, shared, threads: false, summaries };
        judge.find_shared();
        judge
    }

    fn find_shared(&mut self) {
        let mut started = Vec::new();
        let mut written = FxHashSet::default();
        for (id, kind) in insts(self.program) {
            if let InstKind::Spawn { function, .. } = kind {
                started.extend(callgraph::functions(self.program, self.points_to, id, function));
            }
            if let InstKind::Store { addr, .. } | InstKind::Free { ptr: addr, .. } = kind {
                written.extend(self.places(id, addr));
            }
        }
        self.threads = !started.is_empty()
            || insts(self.program).any(|(_, kind)| matches!(kind, InstKind::Spawn { .. }));
        for function in started {
            let FunctionEffects { reads, writes, .. } = self.summary(function);
            self.shared.extend(reads.into_iter().chain(writes));
        }
        if !written.contains(&Pointee::Unknown) {
            self.shared.retain(|place| *place == Pointee::Unknown || written.contains(place));
        }
    }

    /// May another thread notice, or be noticed?
    fn is_shared(&self, summary: &FunctionEffects) -> bool {
        let own = |o: ObjectId| self.program.objects[o.index()].kind == ObjectKind::ThreadLocal;
        let any = self.shared.contains(&Pointee::Unknown);
        let shared = |place: &Pointee| match place {
            Pointee::Object(o) if own(*o) => false,
            Pointee::Unknown => self.threads,
            place => any || self.shared.contains(place),
        };
        summary.reads.iter().chain(&summary.writes).any(shared)
    }

    fn matters(&mut self, function: FuncId, pair: &UnsequencedPair) -> bool {
        let meet = |(a, b): &(Operand, Operand)| {
            let (a, b) = (self.places(function, a), self.places(function, b));
            a.iter().any(|p| b.contains(p) || *p == Pointee::Unknown)
                || b.contains(&Pointee::Unknown)
        };
        if pair.perhaps.iter().any(meet) {
            return true;
        }
        let (mut a, mut b) = (self.direct(function, &pair.a), self.direct(function, &pair.b));
        let (mut f, mut g) = (self.called(function, &pair.a), self.called(function, &pair.b));
        let mut all = [a.clone(), b.clone()];
        all[0].join(&f);
        all[1].join(&g);
        let shared = |p: &Pointee| !matches!(p, Pointee::Slot(f, s) if *f == function && s.index() >= pair.old);
        for summary in [&mut a, &mut b, &mut f, &mut g].into_iter().chain(&mut all) {
            summary.reads.retain(shared);
            summary.writes.retain(shared);
        }
        let [x, y] = &all;
        f.writes_what(y)
            || g.writes_what(x)
            || a.writes_what(&g)
            || b.writes_what(&f)
            || self.is_missed(x, y)
            || self.is_missed(y, x)
            || x.jumps && pair.b.assigns
            || y.jumps && pair.a.assigns
    }

    /// Can others tell on which side of `x`, or whether at all, `y` was evaluated?
    fn is_missed(&self, x: &FunctionEffects, y: &FunctionEffects) -> bool {
        let orders = x.synchronises || x.ends();
        x.ends() && y.fails
            || x.leaves && y.is_seen()
            || self.threads && x.synchronises && y.synchronises
            || self.threads && orders && self.is_shared(y)
    }

    /// An access that may be invalid violates memory safety.
    fn may_be_invalid(&self, addr: &Operand) -> bool {
        let named = matches!(addr, Operand::Object { .. } | Operand::Slot { .. });
        !named && self.asked.is(PropertyKind::Memory)
    }

    /// Does one operand do two things or more that the other one meets?
    fn may_interleave(&mut self, function: FuncId, pair: &UnsequencedPair) -> bool {
        let sides = [(&pair.a, &pair.b), (&pair.b, &pair.a)];
        sides.into_iter().any(|(one, other)| {
            let mut meets = |part: &OperandEffects| {
                let (a, b, perhaps) = (part.clone(), other.clone(), Vec::new());
                self.matters(function, &UnsequencedPair { a, b, perhaps, ..pair.clone() })
            };
            one.parts().iter().filter(|part| meets(part)).nth(1).is_some()
        })
    }

    fn places(&self, function: FuncId, operand: &Operand) -> Vec<Pointee> {
        match operand {
            Operand::Object { object, .. } => vec![Pointee::Object(*object)],
            Operand::Slot { slot, .. } => vec![Pointee::Slot(function, *slot)],
            _ => self.points_to.targets(function, operand),
        }
    }

    /// What the operand's own instructions do.
    fn direct(&self, function: FuncId, touched: &OperandEffects) -> FunctionEffects {
        let fails = touched.computes && self.asked.is(PropertyKind::Values);
        let mut summary = FunctionEffects {
            synchronises: touched.synchronises,
            fails,
            ..FunctionEffects::default()
        };
        for (addr, write) in &touched.accesses {
            summary.fails |= self.may_be_invalid(addr);
            let places = self.places(function, addr);
            let set = if *write { &mut summary.writes } else { &mut summary.reads };
            set.extend(places);
        }
        summary
    }

    /// What the functions that it calls do.
    fn called(&mut self, function: FuncId, touched: &OperandEffects) -> FunctionEffects {
        let mut summary = FunctionEffects::default();
        for callee in &touched.calls {
            for callee in self.callees(function, callee) {
                summary.join(&self.summary(callee));
            }
        }
        // Locals of the caller count, those of callees are new in each call.
        let outside = |place: &Pointee| !matches!(place, Pointee::Slot(f, _) if *f != function);
        summary.reads.retain(outside);
        summary.writes.retain(outside);
        summary
    }

    fn callees(&self, function: FuncId, callee: &Callee) -> Vec<FuncId> {
        match callee {
            Callee::Direct(f) => vec![*f],
            Callee::Indirect(op) => {
                callgraph::functions(self.program, self.points_to, function, op)
            }
        }
    }

    fn summary(&mut self, function: FuncId) -> FunctionEffects {
        if let Some(known) = self.summaries.get(&function) {
            return known.clone();
        }
        let mut summary = FunctionEffects::default();
        let (mut seen, mut open) = (FxHashSet::default(), vec![function]);
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let function = &self.program.functions[id.index()];
            summary.jumps |= jumps::is_jump(function);
            summary.stops |= function.has_body() && !returns(function);
            for block in &function.blocks {
                for inst in &block.insts {
                    self.add(&mut summary, id, &inst.kind);
                    if let InstKind::Call { callee, .. } = &inst.kind {
                        open.extend(self.callees(id, callee));
                    }
                }
                summary.stops |= matches!(
                    block.end,
                    Terminator::Stop(Stop::Exit | Stop::Abort) | Terminator::ExitThread(_)
                );
                summary.leaves |= matches!(block.end, Terminator::ExitThread(_));
            }
        }
        summary.leaves |= summary.jumps;
        // A slot of one of them that another one reaches by a pointer is still theirs.
        let outside = |place: &Pointee| match place {
            Pointee::Slot(f, _) => !seen.contains(f),
            Pointee::Object(o) => self.program.objects[o.index()].kind != ObjectKind::Constant,
            _ => true,
        };
        summary.reads.retain(outside);
        summary.writes.retain(outside);
        self.summaries.insert(function, summary.clone());
        summary
    }

    fn add(&self, summary: &mut FunctionEffects, id: FuncId, kind: &InstKind) {
        match kind {
            InstKind::Assign { value, .. } => {
                summary.fails |= may_overflow(value) && self.asked.is(PropertyKind::Values);
            }
            InstKind::Load { addr, order, .. } => {
                summary.fails |= self.may_be_invalid(addr);
                summary.reads.extend(self.places(id, addr));
                summary.synchronises |= *order != MemoryOrder::Plain;
            }
            InstKind::Store { addr, order, .. } => {
                summary.fails |= self.may_be_invalid(addr);
                summary.writes.extend(self.places(id, addr));
                summary.synchronises |= *order != MemoryOrder::Plain;
            }
            InstKind::Free { ptr, .. } => {
                summary.fails |= self.may_be_invalid(ptr);
                summary.writes.extend(self.places(id, ptr));
            }
            InstKind::Spawn { place, .. } => {
                summary.writes.extend(place.iter().flat_map(|place| self.places(id, place)));
                summary.synchronises = true;
            }
            InstKind::AtomicBegin { .. } | InstKind::Fence { .. } => summary.synchronises = true,
            InstKind::Join { .. } => (summary.synchronises, summary.waits) = (true, true),
            InstKind::Wait(_) => summary.waits = true,
            InstKind::Error { .. } => summary.fails = true,
            InstKind::Assume(_) => summary.stops = true,
            _ => {}
        }
    }
}

/// Is it arithmetic of which no-overflow wants to know?
pub fn may_overflow(value: &Rvalue) -> bool {
    matches!(value, Rvalue::Binary { checked: true, .. } | Rvalue::Unary { checked: true, .. })
}

fn returns(f: &Function) -> bool {
    f.blocks.iter().any(|block| matches!(block.end, Terminator::Return(_)))
}
