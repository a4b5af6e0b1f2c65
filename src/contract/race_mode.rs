//! What a data race is, and when no clocks are needed to find one.
//!
//! Two accesses race if they conflict (a common byte, one writes), are by different threads, not both
//! atomic, and neither happens before the other. Happens-before is C11's, and the user's atomic
//! blocks are as if under one lock. `interp::RaceMonitor` says it with vector clocks.
//!
//! Take the first race of an execution, between operations A and, later, B. If every atomic access
//! acquires (reads) and releases (writes), then what a read takes its value from happens before it,
//! so what happens before A or B is an execution by itself. In its last state both are next. B finds
//! there what it found before, unless it is a block of the user that reads what A writes plainly: it
//! is looked at right behind A, too (`race::behind`). A may find values that were atomically
//! written after A, and not by who had learnt of A. A single access does not care. Only blocks do
//! that decide by such a value what they touch. Without these, a program has a race iff in some
//! reachable state two threads are about to do conflicting accesses, not both atomic
//! (`RaceMode::Adjacent`).
//!
//! With clocks (`RaceMode::Clocks`) are thus explored, as far as user code is concerned:
//! - atomic accesses that do not acquire or release, of what a thread besides the first one touches, and
//!   fences;
//! - the user's atomic blocks that read what is atomically written outside of them;
//! - a compare-and-exchange of what is atomically stored, too, and read plainly. (Who writes it
//!   plainly races with the look of a failing one. Who updates it has learnt of the exchange.)
//!
//! The relaxed halves of read-modify-writes in our library models do no harm: a lock that is taken
//! continues the release sequence of the unlock before it. Only who reads the state of a lock and
//! goes on in any case (`trylock` and its kin, `sem_getvalue`) learns something without
//! synchronising, and so does a join that fails since its thread is detached (POSIX 4.12 leaves open
//! what an error synchronises); these count as user code.

use analysis::points_to::{Context, Instance, PointsTo};
use fixedbitset::FixedBitSet;
use ir::{AtomicKind, BlockId, FuncId, Function, InstKind, MemoryOrder, Operand, Origin, Program};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RaceMode {
    Adjacent,
    Clocks,
}

/// Are races more than conflicting accesses that are next in one state?
pub fn races_need_clocks(program: &Program) -> bool {
    mode(program, &PointsTo::new(program, Context::ModelCalls)) == RaceMode::Clocks
}

pub fn mode(program: &Program, points_to: &PointsTo) -> RaceMode {
    let weak = || is_weak_in_threads(program, points_to);
    // A race that is tolerated orders nothing, but a run cannot be rearranged around it.
    match weak() || !program.tolerated.is_empty() || TouchedPlaces::of(program, points_to).decide()
    {
        true => RaceMode::Clocks,
        false => RaceMode::Adjacent,
    }
}

/// Are there atomic accesses that do not synchronise, run or not?
pub fn may_be_weak(program: &Program) -> bool {
    program.functions.iter().any(|f| counts_as_user(f) && weak_accesses(f).next().is_some())
}

/// Do accesses that do not synchronise run, and is any of them about what another thread touches?
fn is_weak_in_threads(program: &Program, points_to: &PointsTo) -> bool {
    let runs = |f: FuncId| points_to.reaches(f) && counts_as_user(&program.functions[f.index()]);
    if !(0..program.functions.len())
        .any(|i| runs(FuncId(i as u32)) && weak_accesses(&program.functions[i]).next().is_some())
    {
        return false;
    }
    let others = Others::of(program, points_to);
    points_to.instances().filter(|&i| runs(points_to.function(i))).any(|instance| {
        let function = &program.functions[points_to.function(instance).index()];
        weak_accesses(function).any(|addr| addr.is_none_or(|addr| others.touch(instance, addr)))
    })
}

fn counts_as_user(function: &Function) -> bool {
    let looks = ["try", "timed", "getvalue", "is_detached", "was_joined"];
    let looks = looks.iter().any(|part| function.name.contains(part));
    function.origin == Origin::User || looks
}

/// The addresses of atomic reads that do not acquire and of atomic writes that do not release; `None`
/// for a fence.
fn weak_accesses(function: &Function) -> impl Iterator<Item = Option<Operand>> {
    let insts = function.blocks.iter().flat_map(|block| &block.insts);
    insts.filter_map(|inst| match inst.kind {
        InstKind::Load { addr, order, .. } => {
            (order != MemoryOrder::Plain && !order.acquires()).then_some(Some(addr))
        }
        InstKind::Store { addr, order, .. } => {
            (order != MemoryOrder::Plain && !order.releases()).then_some(Some(addr))
        }
        InstKind::Fence { .. } => Some(None),
        _ => None,
    })
}

/// What threads other than the first one touch. Nothing is said by what the first alone reads and
/// writes, such as a flag of a function that runs when the program ends.
struct Others<'p> {
    points_to: &'p PointsTo,
    places: FixedBitSet,
}

impl<'p> Others<'p> {
    fn of(program: &Program, points_to: &'p PointsTo) -> Others<'p> {
        let places = FixedBitSet::with_capacity(points_to.escaped(program).len());
        let mut others = Others { points_to, places };
        let runs = started(program, points_to);
        for instance in points_to.instances() {
            let function = points_to.function(instance).index();
            if runs[function] {
                others.add(instance, &program.functions[function]);
            }
        }
        others
    }

    fn add(&mut self, instance: Instance, function: &Function) {
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            if let InstKind::Load { addr, .. } | InstKind::Store { addr, .. } = inst.kind {
                let targets = self.points_to.targets_in(instance, &addr);
                if targets.is_empty() {
                    self.places.insert_range(..);
                }
                targets.into_iter().for_each(|place| self.places.insert(place.index()));
            }
        }
    }

    fn touch(&self, instance: Instance, addr: Operand) -> bool {
        let targets = self.points_to.targets_in(instance, &addr);
        targets.is_empty() || targets.into_iter().any(|place| self.places.contains(place.index()))
    }
}

/// By function: may it run in a thread that was started?
fn started(program: &Program, points_to: &PointsTo) -> Vec<bool> {
    let mut runs = vec![false; program.functions.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for instance in points_to.instances() {
            let f = points_to.function(instance).index();
            for inst in program.functions[f].blocks.iter().flat_map(|block| &block.insts) {
                let called = match inst.kind {
                    InstKind::Spawn { function, .. } => points_to.functions_at(instance, function),
                    InstKind::Call { callee, .. } if runs[f] => points_to.callees(instance, callee),
                    _ => continue,
                };
                // A thread from nowhere may be any; a call through such a pointer is none.
                if called.is_empty() && matches!(inst.kind, InstKind::Spawn { .. }) {
                    return vec![true; runs.len()];
                }
                for callee in called {
                    changed |= !std::mem::replace(&mut runs[callee.index()], true);
                }
            }
        }
    }
    runs
}

/// Which places are touched in a way that matters here. All sets may be too large.
struct TouchedPlaces<'p> {
    program: &'p Program,
    points_to: &'p PointsTo,
    /// By atomic stores outside of the user's blocks.
    written: FixedBitSet,
    /// By those of them that are no part of a read-modify-write.
    overwritten: FixedBitSet,
    /// By those of them that a read-modify-write may leave out.
    exchanged: FixedBitSet,
    /// By loads in the user's blocks.
    read_in_block: FixedBitSet,
    /// By plain loads outside of the user's blocks.
    read_plainly: FixedBitSet,
}

/// The atomic blocks around an instruction, with the basic block that each begins in.
type Around = Vec<(AtomicKind, BlockId)>;

impl<'p> TouchedPlaces<'p> {
    fn of(program: &'p Program, points_to: &'p PointsTo) -> TouchedPlaces<'p> {
        let len = points_to.escaped(program).len();
        let none = || FixedBitSet::with_capacity(len);
        let mut touched = TouchedPlaces {
            program,
            points_to,
            written: none(),
            overwritten: none(),
            exchanged: none(),
            read_in_block: none(),
            read_plainly: none(),
        };
        let inside = called_in_blocks(program, points_to);
        for instance in points_to.instances() {
            let function = points_to.function(instance);
            touched.add_function(instance, inside[function.index()]);
        }
        touched
    }

    /// Is there a block that decides what it touches by what others may write atomically?
    fn decide(&self) -> bool {
        let shared = &self.overwritten & &self.exchanged;
        !self.written.is_disjoint(&self.read_in_block) || !shared.is_disjoint(&self.read_plainly)
    }

    fn add_function(&mut self, instance: Instance, in_block: bool) {
        let function = &self.program.functions[self.points_to.function(instance).index()];
        let user = function.origin == Origin::User;
        for_each_inst(function, |at, around, kind| {
            let in_block = in_block || around.iter().any(|(kind, _)| *kind == AtomicKind::User);
            match *kind {
                InstKind::Load { addr, .. } if in_block => {
                    self.add(instance, addr, |touched| &mut touched.read_in_block);
                }
                InstKind::Load { addr, order: MemoryOrder::Plain, .. } => {
                    self.add(instance, addr, |touched| &mut touched.read_plainly);
                }
                InstKind::Store { addr, order, .. } if !in_block && order != MemoryOrder::Plain => {
                    self.add(instance, addr, |touched| &mut touched.written);
                    if around.is_empty() {
                        self.add(instance, addr, |touched| &mut touched.overwritten);
                    }
                    if user && around.first().is_some_and(|&(_, begin)| begin != at) {
                        self.add(instance, addr, |touched| &mut touched.exchanged);
                    }
                }
                _ => {}
            }
        });
    }

    /// An address from nowhere may be any.
    fn add(&mut self, at: Instance, addr: Operand, set: impl Fn(&mut Self) -> &mut FixedBitSet) {
        let targets = self.points_to.targets_in(at, &addr);
        if targets.is_empty() {
            set(self).insert_range(..);
        }
        targets.into_iter().for_each(|place| set(self).insert(place.index()));
    }
}

/// By function: may it be called in an atomic block of the user?
fn called_in_blocks(program: &Program, points_to: &PointsTo) -> Vec<bool> {
    let mut inside = vec![false; program.functions.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for instance in points_to.instances() {
            let f = points_to.function(instance).index();
            let within = inside[f];
            for_each_inst(&program.functions[f], |_, around, kind| {
                let InstKind::Call { callee, .. } = kind else { return };
                if within || around.iter().any(|(kind, _)| *kind == AtomicKind::User) {
                    for callee in points_to.callees(instance, *callee) {
                        changed |= !std::mem::replace(&mut inside[callee.index()], true);
                    }
                }
            });
        }
    }
    inside
}

/// The verifier has seen to it that all paths to a block come with the same atomic blocks.
fn for_each_inst(function: &Function, mut visit: impl FnMut(BlockId, &Around, &InstKind)) {
    let mut seen = vec![false; function.blocks.len()];
    let mut open: Vec<(BlockId, Around)> = vec![(BlockId(0), Around::new())];
    while let Some((at, mut around)) = open.pop() {
        let Some(block) = function.blocks.get(at.index()) else { continue };
        if std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        for inst in &block.insts {
            match inst.kind {
                InstKind::AtomicBegin { kind } => around.push((kind, at)),
                InstKind::AtomicEnd => _ = around.pop(),
                _ => visit(at, &around, &inst.kind),
            }
        }
        open.extend(block.end.successors().into_iter().map(|next| (next, around.clone())));
    }
}
