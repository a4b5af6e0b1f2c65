//! What the rest of a thread may touch.
//!
//! For every point of the program: the places (`points_to.rs`) that the code from there on may read
//! or write, callees and started threads included. A thread's may_access is the union over its frames;
//! it only shrinks as the thread moves. Hence a step whose own places meet no other running thread's
//! may_access commutes with all that can still happen.
//!
//! Only places that more than one thread may know count. An address of unknown origin touches
//! everything. Costs: a fixpoint over the blocks once; then a cached set per program point and stack of
//! calls.

use analysis::points_to::{Instance, PlaceId, PointsTo, Site};
use fixedbitset::FixedBitSet;
use interp::{State, Tid};
use ir::{
    AtomicKind, Block, BlockId, FuncId, Inst, InstKind, ObjectId, ObjectKind, Operand, Program,
    SlotId, Terminator,
};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Clone, Debug)]
struct AccessSets {
    reads: FixedBitSet,
    writes: FixedBitSet,
}

impl AccessSets {
    fn none(len: usize) -> AccessSets {
        let none = FixedBitSet::with_capacity(len);
        AccessSets { reads: none.clone(), writes: none }
    }

    /// Adds all of `other`; true if that changed anything.
    fn absorb(&mut self, other: &AccessSets) -> bool {
        let grows = !other.reads.is_subset(&self.reads) || !other.writes.is_subset(&self.writes);
        if grows {
            self.reads.union_with(&other.reads);
            self.writes.union_with(&other.writes);
        }
        grows
    }

    fn conflicts(&self, other: &AccessSets) -> bool {
        !(self.writes.is_disjoint(&other.writes)
            && self.writes.is_disjoint(&other.reads)
            && self.reads.is_disjoint(&other.writes))
    }
}

pub struct MayAccess<'p> {
    program: &'p Program,
    points_to: PointsTo,
    clocks: bool,
    /// Place to bit, for those that can be shared.
    bits: Vec<Option<u32>>,
    len: usize,
    /// From the start of each block of each instance on.
    blocks: Vec<Vec<AccessSets>>,
    rest: RefCell<FxHashMap<Site, Rc<AccessSets>>>,
    own: RefCell<FxHashMap<Site, Rc<AccessSets>>>,
    /// By the frames of a thread.
    positions: RefCell<Positions>,
    scratch: RefCell<Vec<FrameAt>>,
}

type Positions = FxHashMap<Box<[FrameAt]>, Option<Rc<Position>>>;

/// Function, block and next instruction.
type FrameAt = (FuncId, BlockId, usize);

/// What a thread does next, and what it may do from then on.
#[derive(Debug)]
struct Position {
    own: Rc<AccessSets>,
    rest: AccessSets,
}

/// Starting a thread takes the next id.
const SPAWN: usize = 0;
/// Ending a thread changes what `WalkEnd` says. The question counts as the write, since two ends
/// commute.
const ENDS: usize = 1;
/// The user's atomic blocks synchronise, which matters to clocks.
const BLOCKS: usize = 2;
/// A thread can be joined once.
const JOINS: usize = 3;
const FIRST_PLACE: usize = 4;

impl<'p> MayAccess<'p> {
    /// `clocks`: the order of the user's atomic blocks matters, whatever they touch.
    pub fn of(program: &'p Program, points_to: PointsTo, clocks: bool) -> MayAccess<'p> {
        let mut len = FIRST_PLACE;
        let number = |escaped: bool| {
            len += usize::from(escaped);
            escaped.then_some(len as u32 - 1)
        };
        let bits: Vec<Option<u32>> = points_to.escaped(program).into_iter().map(number).collect();
        let mut may_access = MayAccess {
            program,
            points_to,
            clocks,
            bits,
            len,
            blocks: Vec::new(),
            rest: RefCell::default(),
            own: RefCell::default(),
            positions: RefCell::default(),
            scratch: RefCell::default(),
        };
        may_access.solve();
        may_access
    }

    /// Does the next step of `thread` commute with all that the other threads can still do?
    pub fn is_invisible(&self, state: &State, thread: Tid) -> bool {
        let Some(here) = self.position(state, thread) else { return false };
        let mut others = state.running().filter(|&other| other != thread);
        others.all(|other| {
            let there = self.position(state, other);
            there.is_some_and(|there| !here.own.conflicts(&there.rest))
        })
    }

    /// What a thread touches from where it stands.
    fn position(&self, state: &State, thread: Tid) -> Option<Rc<Position>> {
        let mut key = self.scratch.borrow_mut();
        key.clear();
        key.extend(state.frames(thread));
        if let Some(known) = self.positions.borrow().get(key.as_slice()) {
            return known.clone();
        }
        let position = self.find_position(&key).map(Rc::new);
        self.positions.borrow_mut().insert(key.as_slice().into(), position.clone());
        position
    }

    fn find_position(&self, frames: &[FrameAt]) -> Option<Position> {
        let sites = self.sites(frames)?;
        let own = self.own_at(*sites.last()?);
        let mut rest = AccessSets::none(self.len);
        for site in sites {
            rest.absorb(&self.rest_at(site));
        }
        Some(Position { own, rest })
    }

    /// Where the frames of a thread stand, the running one last.
    fn sites(&self, frames: &[FrameAt]) -> Option<Vec<Site>> {
        let mut sites: Vec<Site> = Vec::new();
        for &(function, block, inst) in frames {
            let instance = match sites.last() {
                None => self.points_to.started(function)?,
                // A frame stands behind its call.
                Some(&site) => {
                    let call = Site { inst: site.inst.checked_sub(1)?, ..site };
                    self.points_to.called(call, function)?
                }
            };
            sites.push(Site { instance, block, inst });
        }
        Some(sites)
    }

    fn solve(&mut self) {
        let instances: Vec<Instance> = self.points_to.instances().collect();
        for &instance in &instances {
            let function = self.points_to.function(instance);
            let blocks = self.program.functions[function.index()].blocks.len();
            self.blocks.push(vec![self.slots_of(instance); blocks]);
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &instance in &instances {
                for b in (0..self.blocks[instance.index()].len()).rev() {
                    let start = Site { instance, block: BlockId(b as u32), inst: 0 };
                    let touch = self.from(start);
                    changed |= self.blocks[instance.index()][b].absorb(&touch);
                }
            }
        }
    }

    fn block(&self, site: Site) -> &'p Block {
        let function = self.points_to.function(site.instance);
        &self.program.functions[function.index()].blocks[site.block.index()]
    }

    fn rest_at(&self, site: Site) -> Rc<AccessSets> {
        cached(&self.rest, site, || {
            let mut touch = self.from(site);
            touch.absorb(&self.slots_of(site.instance));
            touch
        })
    }

    fn own_at(&self, site: Site) -> Rc<AccessSets> {
        cached(&self.own, site, || {
            let mut touch = AccessSets::none(self.len);
            let block = self.block(site);
            match block.insts.get(site.inst) {
                Some(Inst { kind: InstKind::AtomicBegin { .. }, .. }) => {
                    self.add_atomic(&mut touch, site);
                }
                Some(inst) => self.add_inst(&mut touch, site, &inst.kind),
                None => self.add_end(&mut touch, site.instance, &block.end),
            }
            touch
        })
    }

    /// From the site to the end of the function, by what is known of the following blocks.
    fn from(&self, site: Site) -> AccessSets {
        let block = self.block(site);
        let mut touch = AccessSets::none(self.len);
        for (inst, Inst { kind, .. }) in block.insts.iter().enumerate().skip(site.inst) {
            self.add_inst(&mut touch, Site { inst, ..site }, kind);
        }
        self.add_end(&mut touch, site.instance, &block.end);
        for successor in block.end.successors() {
            touch.absorb(&self.blocks[site.instance.index()][successor.index()]);
        }
        touch
    }

    /// The instructions up to the matching end.
    fn add_atomic(&self, touch: &mut AccessSets, begin: Site) {
        let mut open = vec![(begin, 0)];
        let mut seen = open.clone();
        while let Some((site, depth)) = open.pop() {
            let Some(depth) = self.add_atomic_block(touch, site, depth) else { continue };
            for block in self.block(site).end.successors() {
                let next = (Site { block, inst: 0, ..site }, depth);
                if !seen.contains(&next) {
                    seen.push(next);
                    open.push(next);
                }
            }
        }
    }

    /// The rest of a block inside of `depth` atomic blocks: how many are open at its end, `None`
    /// if all were closed before.
    fn add_atomic_block(
        &self,
        touch: &mut AccessSets,
        site: Site,
        mut depth: usize,
    ) -> Option<usize> {
        let block = self.block(site);
        for (inst, Inst { kind, .. }) in block.insts.iter().enumerate().skip(site.inst) {
            match kind {
                InstKind::AtomicBegin { .. } => {
                    depth += 1;
                    self.add_inst(touch, Site { inst, ..site }, kind);
                }
                InstKind::AtomicEnd => depth = depth.checked_sub(1).filter(|&d| d > 0)?,
                kind => self.add_inst(touch, Site { inst, ..site }, kind),
            }
        }
        self.add_end(touch, site.instance, &block.end);
        if let Terminator::Return(_) | Terminator::ExitThread(_) = block.end {
            self.add_everything(touch);
        }
        Some(depth)
    }

    fn add_inst(&self, touch: &mut AccessSets, site: Site, kind: &InstKind) {
        let here = site.instance;
        match kind {
            InstKind::Load { addr, .. } | InstKind::ObjectSize { ptr: addr, .. } => {
                self.add_targets(touch, here, *addr, false);
            }
            InstKind::Store { addr, .. } | InstKind::Free { ptr: addr, .. } => {
                self.add_targets(touch, here, *addr, true);
            }
            InstKind::SlotLive(slot)
            | InstKind::SlotDead(slot)
            | InstKind::SlotConst { slot, .. } => {
                let function = self.points_to.function(here);
                self.add_place(touch, self.points_to.slot(function, *slot), true);
            }
            InstKind::Call { callee, .. } => {
                let callees = self.points_to.callees(here, *callee).into_iter();
                self.add_calls(touch, callees.map(|f| self.points_to.called(site, f)));
            }
            InstKind::Spawn { place, function, .. } => {
                touch.writes.insert(SPAWN);
                if let Some(place) = place {
                    self.add_targets(touch, here, *place, true);
                }
                let started = self.points_to.functions_at(here, *function).into_iter();
                self.add_calls(touch, started.map(|f| self.points_to.started(f)));
            }
            InstKind::Ended { .. } => touch.writes.insert(ENDS),
            InstKind::Join { .. } => touch.writes.insert(JOINS),
            InstKind::AtomicBegin { kind: AtomicKind::User } if self.clocks => {
                touch.writes.insert(BLOCKS);
            }
            _ => {}
        }
    }

    fn add_end(&self, touch: &mut AccessSets, here: Instance, end: &Terminator) {
        match end {
            Terminator::Return(_) | Terminator::ExitThread(_) => {
                touch.reads.insert(ENDS);
                touch.absorb(&self.slots_of(here));
                self.add_thread_locals(touch);
            }
            _ => {}
        }
    }

    /// They end with their thread; any return may be its last.
    fn add_thread_locals(&self, touch: &mut AccessSets) {
        let objects = self.program.objects.iter().enumerate();
        for (i, _) in objects.filter(|(_, object)| object.kind == ObjectKind::ThreadLocal) {
            self.add_place(touch, PlaceId::of_object(ObjectId(i as u32)), true);
        }
    }

    /// A call to nothing that we know of touches everything.
    fn add_calls(&self, touch: &mut AccessSets, callees: impl Iterator<Item = Option<Instance>>) {
        let mut known = false;
        for callee in callees {
            known = callee.is_some();
            let Some(callee) = callee else { break };
            if let Some(start) = self.blocks[callee.index()].first() {
                touch.absorb(start);
            }
        }
        if !known {
            self.add_everything(touch);
        }
    }

    fn add_targets(&self, touch: &mut AccessSets, here: Instance, addr: Operand, write: bool) {
        let targets = self.points_to.targets_in(here, &addr);
        if targets.is_empty() {
            self.add_everything(touch);
        }
        for place in targets {
            self.add_place(touch, place, write);
        }
    }

    fn add_place(&self, touch: &mut AccessSets, place: PlaceId, write: bool) {
        if let Some(bit) = self.bits[place.index()] {
            let set = if write { &mut touch.writes } else { &mut touch.reads };
            set.insert(bit as usize);
        }
    }

    fn add_everything(&self, touch: &mut AccessSets) {
        touch.reads.insert_range(..);
        touch.writes.insert_range(..);
    }

    /// A frame ends the life of its slots when it is left, however that happens.
    fn slots_of(&self, here: Instance) -> AccessSets {
        let mut touch = AccessSets::none(self.len);
        let function = self.points_to.function(here);
        for slot in 0..self.program.functions[function.index()].slots.len() as u32 {
            self.add_place(&mut touch, self.points_to.slot(function, SlotId(slot)), true);
        }
        touch
    }
}

fn cached(
    cache: &RefCell<FxHashMap<Site, Rc<AccessSets>>>,
    site: Site,
    make: impl FnOnce() -> AccessSets,
) -> Rc<AccessSets> {
    if let Some(touch) = cache.borrow().get(&site) {
        return touch.clone();
    }
    let touch = Rc::new(make());
    cache.borrow_mut().insert(site, touch.clone());
    touch
}
