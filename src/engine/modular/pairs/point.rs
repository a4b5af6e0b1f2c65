//! Points: where a thread may be when another one makes a step.
//!
//! Before each access to a cell, each atomic block, each start of a thread, each use of a lock, at the
//! beginning, before accesses that may race where that is asked for, where all others have been joined, and at heads of loops that could be gone around without
//! any of these. A wait for a condition has two: one with the lock, one without.

use crate::engine::modular::flat::Graph;
use crate::engine::modular::interference::Interference;
use crate::engine::modular::log::{Log, Site, Touch};
use crate::engine::modular::question::Unclear;
use crate::engine::modular::relation::guards::Guards;
use crate::engine::modular::sync::Call;
use crate::engine::modular::value::TemplateId;
use analysis::live::LivePoints;
use encoder::{Pool, Sort, Term};
use ir::types::Scalar;
use ir::*;
use std::collections::{BTreeMap, BTreeSet};

/// More are not looked at.
const MAX_POINTS: usize = 160;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PointId(pub usize);

/// Where a point is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct PointPlace {
    block: BlockId,
    index: usize,
    waiting: bool,
}

pub struct Point {
    pub template: TemplateId,
    pub place: (BlockId, usize),
    /// In the middle of a wait for a condition: the lock is given back.
    pub waiting: bool,
    /// Registers that are read later, with their types.
    pub regs: Vec<(Reg, Scalar)>,
    /// Their values in the thread that makes a step, and in one that does not.
    pub mine: BTreeMap<Reg, Term>,
    pub others: BTreeMap<Reg, Term>,
    /// The same for all cells: the shared ones, then those that the thread has for itself.
    pub my_cells: Vec<Term>,
    pub other_cells: Vec<Term>,
    /// No other thread is running.
    quiet: bool,
}

pub struct Points {
    pub all: Vec<Point>,
    at: BTreeMap<(TemplateId, PointPlace), PointId>,
    single: Vec<bool>,
    /// What the shared cells hold before a step.
    pub cells: Vec<Term>,
}

impl Points {
    pub fn new(
        interference: &Interference<'_>,
        log: &Log,
        (guards, shared): (&Guards, usize),
        sites: &BTreeSet<Site>,
        pool: &mut Pool,
    ) -> Result<Points, Unclear> {
        let cells = guards.cells[..shared].iter();
        let cells = cells.map(|c| pool.fresh(Sort::Bits((c.size * 8) as u8))).collect();
        let mut points = Points {
            all: Vec::new(),
            at: BTreeMap::new(),
            single: interference.templates.iter().map(|t| t.single).collect(),
            cells,
        };
        for template in 0..interference.templates.len() {
            let template = TemplateId(template as u32);
            let root = interference.template(template).root;
            let function = &interference.flat.program.functions[root.index()];
            let graph = interference.graph(template);
            let graph = graph.ok_or_else(|| Unclear::new("no graph", function.span))?;
            let of = Template { log, guards, shared, template, function, graph, sites };
            let live = LivePoints::new(function);
            for place in of.places() {
                points.add(interference, &of, &live, place, pool);
                if of.is_wait(place) {
                    points.add(
                        interference,
                        &of,
                        &live,
                        PointPlace { waiting: true, ..place },
                        pool,
                    );
                }
            }
            if points.all.len() > MAX_POINTS {
                return Err(Unclear::new("too many steps in a thread", function.span));
            }
        }
        Ok(points)
    }

    fn add(
        &mut self,
        interference: &Interference<'_>,
        of: &Template<'_>,
        live: &LivePoints,
        place: PointPlace,
        pool: &mut Pool,
    ) {
        let machine = interference.flat.program.machine;
        let number = |reg: &Reg| {
            let ty = of.function.regs[reg.index()].ty;
            (!ty.is_float()).then_some((*reg, ty))
        };
        let regs: Vec<(Reg, Scalar)> =
            live.before(place.block, place.index).iter().filter_map(number).collect();
        let mut bank = || -> BTreeMap<Reg, Term> {
            let fresh =
                |(reg, ty): &(Reg, Scalar)| (*reg, pool.fresh(Sort::Bits(ty.bits(machine))));
            regs.iter().map(fresh).collect()
        };
        let (mine, others) = (bank(), bank());
        let (my_cells, other_cells) =
            (self.with_own(of.guards, pool), self.with_own(of.guards, pool));
        let id = PointId(self.all.len());
        self.at.insert((of.template, place), id);
        self.all.push(Point {
            template: of.template,
            place: (place.block, place.index),
            waiting: place.waiting,
            regs,
            mine,
            others,
            my_cells,
            other_cells,
            quiet: of.template == TemplateId::MAIN && of.is_quiet(place),
        });
    }

    /// The shared cells, and own ones of some thread.
    pub fn with_own(&self, guards: &Guards, pool: &mut Pool) -> Vec<Term> {
        let own = guards.cells[self.cells.len()..].iter();
        let own = own.map(|c| pool.fresh(Sort::Bits((c.size * 8) as u8)));
        self.cells.iter().copied().chain(own).collect()
    }

    pub fn get(&self, id: PointId) -> &Point {
        &self.all[id.0]
    }

    pub fn ids(&self) -> impl Iterator<Item = PointId> + use<> {
        (0..self.all.len()).map(PointId)
    }

    pub fn at(&self, template: TemplateId, (block, index): (BlockId, usize)) -> Option<PointId> {
        self.at.get(&(template, PointPlace { block, index, waiting: false })).copied()
    }

    /// The same thread in the middle of its wait.
    pub fn waiting(
        &self,
        template: TemplateId,
        (block, index): (BlockId, usize),
    ) -> Option<PointId> {
        self.at.get(&(template, PointPlace { block, index, waiting: true })).copied()
    }

    pub fn start(&self, template: TemplateId) -> Option<PointId> {
        self.at(template, (BlockId(0), 0))
    }

    /// Are two threads never at these points, for a reason that the interval analysis knows?
    pub fn exclude(&self, x: PointId, y: PointId) -> bool {
        let (a, b) = (self.get(x), self.get(y));
        let one = a.template == b.template && self.single[a.template.index()];
        one || a.quiet || b.quiet
    }
}

/// One template, to find its points.
struct Template<'a> {
    log: &'a Log,
    guards: &'a Guards,
    shared: usize,
    template: TemplateId,
    function: &'a Function,
    graph: &'a Graph,
    /// Where there must be a point.
    sites: &'a BTreeSet<Site>,
}

impl Template<'_> {
    fn places(&self) -> Vec<PointPlace> {
        let places = self.noticed().into_iter();
        places.map(|(block, index)| PointPlace { block, index, waiting: false }).collect()
    }

    fn is_wait(&self, place: PointPlace) -> bool {
        let sync = self.log.syncs.get(&(self.template, place.block, place.index));
        sync.is_some_and(|sync| sync.call == Call::Wait)
    }

    /// Who runs changes only where threads are started or joined, so the next access tells.
    fn is_quiet(&self, place: PointPlace) -> bool {
        let insts = &self.function.blocks[place.block.index()].insts;
        let changes =
            |kind: &InstKind| matches!(kind, InstKind::Spawn { .. } | InstKind::Join { .. });
        if self.log.quiet.contains(&place.block)
            && !insts[..place.index].iter().any(|i| changes(&i.kind))
        {
            return true;
        }
        for (i, inst) in insts.iter().enumerate().skip(place.index) {
            let touches = self.log.sites.get(&(self.template, place.block, i));
            if let Some(touches) = touches.filter(|t| !t.is_empty()) {
                return touches.iter().all(|touch| touch.quiet || touch.alone);
            }
            if changes(&inst.kind) {
                return false;
            }
        }
        false
    }

    /// Have all others ended where this block starts, and not always where it is come from?
    fn gets_quiet(&self, block: BlockId) -> bool {
        let quiet = |block: &BlockId| self.log.quiet.contains(block);
        let preds = &self.graph.cfg.preds[block.index()];
        self.template == TemplateId::MAIN && quiet(&block) && !preds.iter().all(quiet)
    }

    fn noticed(&self) -> BTreeSet<(BlockId, usize)> {
        let mut found = BTreeSet::from([(BlockId(0), 0)]);
        let depths = self.depths();
        for (block, start) in &depths {
            let mut depth = *start;
            let insts = &self.function.blocks[block.index()].insts;
            let asked = |i: usize| self.sites.contains(&(self.template, *block, i));
            for (i, inst) in insts.iter().enumerate() {
                if depth == 0 && (self.is_noticed((*block, i), &inst.kind) || asked(i)) {
                    found.insert((*block, i));
                }
                depth = after(depth, &inst.kind);
            }
            if depth == 0 && asked(insts.len()) {
                found.insert((*block, insts.len()));
            }
        }
        for block in depths.iter().filter(|(_, depth)| **depth == 0).map(|(block, _)| *block) {
            if self.gets_quiet(block) {
                found.insert((block, 0));
            }
        }
        for looping in &self.graph.loops {
            let with_points: BTreeSet<BlockId> = found.iter().map(|(b, _)| *b).collect();
            let open = depths.get(&looping.head) == Some(&0);
            if open && self.comes_back(looping.head, &with_points) {
                found.insert((looping.head, 0));
            }
        }
        found
    }

    /// Atomic blocks around the start of each block that is reached.
    fn depths(&self) -> BTreeMap<BlockId, u32> {
        let mut found = BTreeMap::from([(BlockId(0), 0)]);
        let mut todo = vec![BlockId(0)];
        while let Some(block) = todo.pop() {
            let insts = &self.function.blocks[block.index()].insts;
            let depth = insts.iter().fold(found[&block], |d, inst| after(d, &inst.kind));
            for next in &self.graph.cfg.succs[block.index()] {
                if !found.contains_key(next) {
                    found.insert(*next, depth);
                    todo.push(*next);
                }
            }
        }
        found
    }

    fn is_noticed(&self, (block, i): (BlockId, usize), kind: &InstKind) -> bool {
        match kind {
            // Who waits is at a point, too: others go on meanwhile.
            InstKind::AtomicBegin { .. } | InstKind::Spawn { .. } | InstKind::Join { .. } => true,
            InstKind::Call { .. } => self.log.syncs.contains_key(&(self.template, block, i)),
            InstKind::Load { .. } | InstKind::Store { .. } => {
                let touches = self.log.sites.get(&(self.template, block, i));
                let shared = |touches: &Vec<Touch>| {
                    self.guards.met(touches).iter().any(|cell| cell.0 < self.shared)
                };
                touches.is_some_and(shared)
            }
            _ => false,
        }
    }

    /// Can the head be passed twice without a point?
    fn comes_back(&self, head: BlockId, with_points: &BTreeSet<BlockId>) -> bool {
        let mut seen = BTreeSet::new();
        let mut todo = vec![head];
        while let Some(block) = todo.pop() {
            if with_points.contains(&block) {
                continue;
            }
            for next in &self.graph.cfg.succs[block.index()] {
                if *next == head {
                    return true;
                }
                if seen.insert(*next) {
                    todo.push(*next);
                }
            }
        }
        false
    }
}

pub fn after(depth: u32, kind: &InstKind) -> u32 {
    match kind {
        InstKind::AtomicBegin { .. } => depth + 1,
        InstKind::AtomicEnd => depth.saturating_sub(1),
        _ => depth,
    }
}
