//! Threads by where they are started: each place is a thread with a copy of its function.
//!
//! A place that is executed once at most, in a thread that there is once, makes a *single* thread. All others stand
//! for any number of threads.

use analysis::live::LivePoints;
use ir::cfg::Cfg;
use ir::{BlockId, FuncId, Function, InstKind, Program, SlotId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ThreadIdx(pub u32);

pub const MAIN: ThreadIdx = ThreadIdx(0);

/// An access in a thread's copy of its function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AccessSite(pub u32);

impl AccessSite {
    /// What was there before any write.
    pub const INITIAL: AccessSite = AccessSite(0);
}

/// More places where threads are started, and it is not tried.
const MOST: usize = 60;

#[derive(Clone, Debug)]
pub struct StartedThread {
    pub function: FuncId,
    pub parent: Option<ThreadIdx>,
    pub single: bool,
    /// The site of its first instruction.
    first: u32,
    pub shape: Rc<GraphShape>,
}

/// What the graph of a function says.
#[derive(Debug)]
pub struct GraphShape {
    pub live: LivePoints,
    /// The number of the first instruction of each block; one more for the end of each.
    starts: Vec<u32>,
    length: u32,
    /// Blocks behind a block.
    behind: Vec<Vec<bool>>,
    /// Where each slot's life begins, if that is one place.
    lives: Vec<Option<BlockId>>,
}

impl GraphShape {
    fn new(function: &Function) -> GraphShape {
        let (mut starts, mut length) = (Vec::new(), 0);
        for block in &function.blocks {
            starts.push(length);
            length += block.insts.len() as u32 + 1;
        }
        let cfg = Cfg::new(function);
        let behind = (0..function.blocks.len()).map(|b| behind(&cfg, b)).collect();
        GraphShape {
            live: LivePoints::new(function),
            starts,
            length,
            behind,
            lives: lives(function),
        }
    }

    pub fn repeats(&self, block: BlockId) -> bool {
        self.behind[block.index()][block.index()]
    }

    /// Can an instruction be executed again, or for the first time, behind a place?
    fn follows(&self, (block, index): (BlockId, u32), number: u32) -> bool {
        let of = self.starts.partition_point(|start| *start <= number) - 1;
        let here = of == block.index() && number - self.starts[of] >= index;
        here || self.behind[block.index()][of]
    }
}

fn behind(cfg: &Cfg, from: usize) -> Vec<bool> {
    let mut seen = vec![false; cfg.succs.len()];
    let mut open: Vec<BlockId> = cfg.succs[from].to_vec();
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut seen[block.index()], true) {
            open.extend(&cfg.succs[block.index()]);
        }
    }
    seen
}

fn lives(function: &Function) -> Vec<Option<BlockId>> {
    let mut found: Vec<Vec<BlockId>> = vec![Vec::new(); function.slots.len()];
    for (b, block) in function.blocks.iter().enumerate() {
        for inst in &block.insts {
            if let InstKind::SlotLive(slot) = inst.kind {
                found[slot.index()].push(BlockId(b as u32));
            }
        }
    }
    let one = |blocks: Vec<BlockId>| (blocks.len() == 1).then(|| blocks[0]);
    found.into_iter().map(one).collect()
}

/// All threads that were met so far, in all attempts.
pub struct StartedThreads {
    all: Vec<StartedThread>,
    by_start: FxHashMap<(ThreadIdx, u32, FuncId), ThreadIdx>,
    shapes: FxHashMap<FuncId, Rc<GraphShape>>,
}

impl StartedThreads {
    pub fn new(program: &Program) -> StartedThreads {
        let mut threads = StartedThreads {
            all: Vec::new(),
            by_start: FxHashMap::default(),
            shapes: FxHashMap::default(),
        };
        threads.add(program, program.entry, None, true);
        threads
    }

    pub fn of(&self, thread: ThreadIdx) -> &StartedThread {
        &self.all[thread.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    fn add(
        &mut self,
        program: &Program,
        function: FuncId,
        parent: Option<ThreadIdx>,
        single: bool,
    ) -> ThreadIdx {
        let body = &program.functions[function.index()];
        let shape =
            self.shapes.entry(function).or_insert_with(|| Rc::new(GraphShape::new(body))).clone();
        let first = self.all.last().map_or(1, |last| last.first + last.shape.length);
        self.all.push(StartedThread { function, parent, single, first, shape });
        ThreadIdx(self.all.len() as u32 - 1)
    }

    /// The thread that is started at a place, or why none is.
    pub fn started(
        &mut self,
        program: &Program,
        parent: ThreadIdx,
        (block, index): (BlockId, u32),
        function: FuncId,
    ) -> Result<ThreadIdx, &'static str> {
        let StartedThread { shape, single, .. } = self.of(parent).clone();
        let number = shape.starts[block.index()] + index;
        if let Some(known) = self.by_start.get(&(parent, number, function)) {
            return Ok(*known);
        }
        let ancestors = std::iter::successors(Some(parent), |t| self.of(*t).parent);
        if ancestors.map(|t| self.of(t).function).any(|f| f == function) {
            return Err("a thread that starts threads like itself");
        }
        if self.all.len() >= MOST || !program.functions[function.index()].has_body() {
            return Err("the start of such a thread");
        }
        let once = single && !shape.repeats(block);
        let thread = self.add(program, function, Some(parent), once);
        self.by_start.insert((parent, number, function), thread);
        Ok(thread)
    }

    pub fn site(&self, thread: ThreadIdx, (block, index): (BlockId, u32)) -> AccessSite {
        let thread = self.of(thread);
        AccessSite(thread.first + thread.shape.starts[block.index()] + index)
    }

    pub fn is_of(&self, thread: ThreadIdx, site: AccessSite) -> bool {
        let thread = self.of(thread);
        (thread.first..thread.first + thread.shape.length).contains(&site.0)
    }

    /// Has a single thread done all that it ever does at this site of its own when it is at a place?
    pub fn has_passed(&self, thread: ThreadIdx, at: (BlockId, u32), site: AccessSite) -> bool {
        let StartedThread { single, first, shape, .. } = self.of(thread);
        *single && !shape.follows(at, site.0 - first)
    }

    /// Is there one such variable in all executions?
    pub fn lives_once(&self, thread: ThreadIdx, slot: SlotId) -> bool {
        let StartedThread { single, shape, .. } = self.of(thread);
        *single && shape.lives[slot.index()].is_some_and(|block| !shape.repeats(block))
    }
}
