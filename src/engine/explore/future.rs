//! What the rest of a thread may touch.
//!
//! For every point of the program: the places (`points_to.rs`) that the code from there on may read
//! or write, callees and started threads included. A thread's future is the union over its frames;
//! it only shrinks as the thread moves. Hence a step whose own places meet no other running thread's
//! future commutes with all that can still happen.
//!
//! Only places that more than one thread may know count. An address of unknown origin touches
//! everything. Costs: a fixpoint over the blocks once; then a cached set per program point.

use super::bits::Bits;
use super::points_to::{Place, PointsTo};
use frontend::ir::{BlockId, FuncId, Inst, InstKind, Operand, Program, Terminator};
use interp::{State, Tid};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Clone, Debug)]
struct Touch {
    reads: Bits,
    writes: Bits,
}

impl Touch {
    fn none(len: usize) -> Touch {
        Touch { reads: Bits::empty(len), writes: Bits::empty(len) }
    }

    fn absorb(&mut self, other: &Touch) -> bool {
        let reads = self.reads.absorb(&other.reads);
        self.writes.absorb(&other.writes) || reads
    }

    fn conflicts(&self, other: &Touch) -> bool {
        self.writes.meets(&other.writes)
            || self.writes.meets(&other.reads)
            || self.reads.meets(&other.writes)
    }
}

/// An instruction of a function, or the terminator if `inst` is the block's length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Point {
    pub function: FuncId,
    pub block: BlockId,
    pub inst: usize,
}

pub struct Future<'p> {
    program: &'p Program,
    points_to: PointsTo<'p>,
    /// Place to bit, for those that can be shared.
    bits: Vec<Option<u32>>,
    len: usize,
    /// From the start of each block of each function on.
    blocks: Vec<Vec<Touch>>,
    rest: RefCell<FxHashMap<Point, Rc<Touch>>>,
    own: RefCell<FxHashMap<Point, Rc<Touch>>>,
}

/// Starting a thread takes the next id.
const SPAWN: usize = 0;
/// Ending a thread changes what `Ended` says. The question counts as the write, since two ends
/// commute.
const ENDS: usize = 1;
const FIRST_PLACE: usize = 2;

impl<'p> Future<'p> {
    pub fn of(program: &'p Program) -> Future<'p> {
        let points_to = PointsTo::of(program);
        let mut len = FIRST_PLACE;
        let number = |escaped: bool| {
            len += usize::from(escaped);
            escaped.then_some(len as u32 - 1)
        };
        let bits: Vec<Option<u32>> = points_to.escaped().into_iter().map(number).collect();
        let (blocks, rest, own) = (Vec::new(), RefCell::default(), RefCell::default());
        let mut future = Future { program, points_to, bits, len, blocks, rest, own };
        future.solve();
        future
    }

    /// Does the next step of `thread` commute with all that the other threads can still do?
    pub fn is_quiet(&self, state: &State, thread: Tid) -> bool {
        let Some(own) = points(state, thread).last().map(|point| self.own_at(point)) else {
            return false;
        };
        let mut others = state.running().filter(|&other| other != thread);
        others.all(|other| points(state, other).all(|p| !own.conflicts(&self.rest_at(p))))
    }

    pub fn points_to(&self) -> &PointsTo<'p> {
        &self.points_to
    }

    fn solve(&mut self) {
        let functions = &self.program.functions;
        let base: Vec<Touch> = (0..functions.len()).map(|f| self.slots_of(func(f))).collect();
        self.blocks =
            functions.iter().zip(base).map(|(f, base)| vec![base; f.blocks.len()]).collect();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for f in (0..functions.len()).filter(|&f| self.points_to.reaches(func(f))) {
                for b in (0..functions[f].blocks.len()).rev() {
                    let start = Point { function: func(f), block: BlockId(b as u32), inst: 0 };
                    let touch = self.from(start);
                    changed |= self.blocks[f][b].absorb(&touch);
                }
            }
        }
    }

    fn rest_at(&self, point: Point) -> Rc<Touch> {
        cached(&self.rest, point, || {
            let mut touch = self.from(point);
            touch.absorb(&self.slots_of(point.function));
            touch
        })
    }

    fn own_at(&self, point: Point) -> Rc<Touch> {
        cached(&self.own, point, || {
            let mut touch = Touch::none(self.len);
            let block = &self.program.functions[point.function.index()].blocks[point.block.index()];
            match block.insts.get(point.inst) {
                Some(Inst { kind: InstKind::AtomicBegin { .. }, .. }) => {
                    self.add_atomic(&mut touch, point);
                }
                Some(inst) => self.add_inst(&mut touch, point.function, &inst.kind),
                None => self.add_end(&mut touch, point.function, &block.end),
            }
            touch
        })
    }

    /// From the point to the end of the function, by what is known of the following blocks.
    fn from(&self, point: Point) -> Touch {
        let f = point.function;
        let block = &self.program.functions[f.index()].blocks[point.block.index()];
        let mut touch = Touch::none(self.len);
        for inst in block.insts.iter().skip(point.inst) {
            self.add_inst(&mut touch, f, &inst.kind);
        }
        self.add_end(&mut touch, f, &block.end);
        for successor in block.end.successors() {
            touch.absorb(&self.blocks[f.index()][successor.index()]);
        }
        touch
    }

    /// The instructions up to the matching end.
    fn add_atomic(&self, touch: &mut Touch, begin: Point) {
        let f = begin.function;
        let mut open = vec![(begin.block, begin.inst, 0usize)];
        let mut seen = open.clone();
        while let Some((b, inst, mut depth)) = open.pop() {
            let block = &self.program.functions[f.index()].blocks[b.index()];
            let mut closed = false;
            for inst in block.insts.iter().skip(inst) {
                match inst.kind {
                    InstKind::AtomicBegin { .. } => depth += 1,
                    InstKind::AtomicEnd => depth = depth.saturating_sub(1),
                    ref kind => self.add_inst(touch, f, kind),
                }
                closed = depth == 0;
                if closed {
                    break;
                }
            }
            if closed {
                continue;
            }
            self.add_end(touch, f, &block.end);
            if let Terminator::Return(_) | Terminator::ExitThread(_) = block.end {
                self.add_everything(touch);
            }
            for successor in block.end.successors() {
                let next = (successor, 0, depth);
                if !seen.contains(&next) {
                    seen.push(next);
                    open.push(next);
                }
            }
        }
    }

    fn add_inst(&self, touch: &mut Touch, f: FuncId, kind: &InstKind) {
        match kind {
            InstKind::Load { addr, .. } | InstKind::ObjectSize { ptr: addr, .. } => {
                self.add_targets(touch, f, *addr, false);
            }
            InstKind::Store { addr, .. } | InstKind::Free { ptr: addr } => {
                self.add_targets(touch, f, *addr, true);
            }
            InstKind::SlotLive(slot) | InstKind::SlotDead(slot) => {
                self.add_place(touch, self.points_to.slot(f, *slot), true);
            }
            InstKind::Call { callee, .. } => {
                self.add_callees(touch, self.points_to.callees(f, *callee));
            }
            InstKind::Spawn { function, .. } => {
                touch.writes.add(SPAWN);
                self.add_callees(touch, self.points_to.functions_at(f, *function));
            }
            InstKind::Ended { .. } => touch.writes.add(ENDS),
            _ => {}
        }
    }

    fn add_end(&self, touch: &mut Touch, f: FuncId, end: &Terminator) {
        match end {
            Terminator::Return(_) | Terminator::ExitThread(_) => {
                touch.reads.add(ENDS);
                touch.absorb(&self.slots_of(f));
            }
            _ => {}
        }
    }

    fn add_callees(&self, touch: &mut Touch, callees: Vec<FuncId>) {
        if callees.is_empty() {
            self.add_everything(touch);
        }
        for callee in callees {
            if let Some(start) = self.blocks[callee.index()].first() {
                touch.absorb(start);
            }
        }
    }

    fn add_targets(&self, touch: &mut Touch, f: FuncId, addr: Operand, write: bool) {
        let targets = self.points_to.targets(f, addr);
        if targets.is_empty() {
            self.add_everything(touch);
        }
        for place in targets {
            self.add_place(touch, place, write);
        }
    }

    fn add_place(&self, touch: &mut Touch, place: Place, write: bool) {
        if let Some(bit) = self.bits[place.index()] {
            let set = if write { &mut touch.writes } else { &mut touch.reads };
            set.add(bit as usize);
        }
    }

    fn add_everything(&self, touch: &mut Touch) {
        *touch = Touch { reads: Bits::full(self.len), writes: Bits::full(self.len) };
    }

    /// A frame ends the life of its slots when it is left, however that happens.
    fn slots_of(&self, f: FuncId) -> Touch {
        let mut touch = Touch::none(self.len);
        for slot in 0..self.program.functions[f.index()].slots.len() {
            let slot = frontend::ir::SlotId(slot as u32);
            self.add_place(&mut touch, self.points_to.slot(f, slot), true);
        }
        touch
    }
}

fn func(index: usize) -> FuncId {
    FuncId(index as u32)
}

fn cached(
    cache: &RefCell<FxHashMap<Point, Rc<Touch>>>,
    point: Point,
    make: impl FnOnce() -> Touch,
) -> Rc<Touch> {
    if let Some(touch) = cache.borrow().get(&point) {
        return touch.clone();
    }
    let touch = Rc::new(make());
    cache.borrow_mut().insert(point, touch.clone());
    touch
}

/// Where the frames of a thread stand, the running one last.
fn points(state: &State, thread: Tid) -> impl Iterator<Item = Point> + '_ {
    state.frames(thread).map(|(function, block, inst)| Point { function, block, inst })
}
