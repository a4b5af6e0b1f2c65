//! Cells that no program has: is a lock taken, and how many threads have come past a store?
//!
//! A *lock* of the library has a word that all threads share, zero if it is free, and a flag for each
//! thread that says whether it holds the lock. Who takes it waits for zero. That is all there is to a
//! lock if no thread takes what it holds (a recursive lock would let it in), gives back what it does not
//! hold, or writes to it while holding it: these are errors of the proof, which must be out of reach
//! like those of the program. Which calls mean the lock, and that nothing else writes to it while
//! others run, the interval analysis knows (`guards::sound_locks`). A lock that is no such lock keeps
//! no thread out.
//!
//! A *tally* counts the threads of a template that have passed a store: each has a flag, and the sum is
//! shared. Threads are never uncounted, so ended ones are in it. Beside it is the number of threads that
//! were *started*, if one instruction of the first thread starts them all. What is true of the sums,
//! whatever the program does, and therefore assumed of every state, with the flags of the one or two
//! threads that are looked at: a sum is at least the sum of these flags; what is missing in it of the
//! number of started threads is at least what these threads have not passed; and if every way to one
//! store passes another one first, no thread has passed the one without the other, so the difference of
//! the two sums is at least the difference of these flags. That every way does so the graph says, or what
//! is known by then (`order.rs`). (Counting abstraction, as in
//! `relation/count`, but for the points of `pairs`.)
//!
//! Numbers are 64 bits wide, and all this is assumed only as long as the rule stands that no more than
//! `MANY` threads are started: they are started one by one, so then the number never wraps.

use super::point::Points;
use crate::engine::modular::interference::Interference;
use crate::engine::modular::log::{Log, Site};
use crate::engine::modular::relation::count::{WIDE, start_of};
use crate::engine::modular::relation::ghost::{Ghost, Parts};
use crate::engine::modular::relation::guards::{
    Cell, CellId, Exclusion, GuardKind, Guards, LockId, Of, sound_locks,
};
use crate::engine::modular::sync::{Lock, LockFamily};
use crate::engine::modular::value::TemplateId;
use encoder::{Pool, Term};
use ir::arith::number;
use ir::types::Scalar;
use ir::{BinOp, InstKind, Operand, Rvalue};
use std::collections::BTreeMap;

const MAX_LOCKS: usize = 6;
const MAX_TALLIES: usize = 8;
pub const BYTE: Scalar = Scalar::Int { bits: 8, signed: false };
pub const BYTE_BITS: u8 = 8;
pub const WIDE_BITS: u8 = 64;

#[derive(Clone, Copy, Debug)]
pub struct LockCells {
    pub lock: Lock,
    pub word: CellId,
    pub held: CellId,
}

#[derive(Clone, Copy, Debug)]
pub struct GhostSum {
    pub template: TemplateId,
    pub site: Site,
    pub sum: CellId,
    pub flag: CellId,
}

/// The threads of a template, and where they are started.
#[derive(Clone, Copy, Debug)]
pub struct Starts {
    pub template: TemplateId,
    pub site: Site,
    pub number: CellId,
}

#[derive(Default)]
pub struct Ghosts {
    pub locks: Vec<LockCells>,
    pub tallies: Vec<GhostSum>,
    pub starts: Vec<Starts>,
    /// Who has passed the second has passed the first.
    pub order: Vec<(usize, usize)>,
    /// Cells of the program, and what is added to them where.
    pub parts: Vec<Parts>,
}

/// A store that is counted, before its cells have numbers.
struct Counted {
    site: Site,
    cell: CellId,
    adds: i128,
}

impl Ghosts {
    /// Puts ghosts behind the shared and behind the own cells; gives the new number of shared ones.
    pub fn new(
        interference: &Interference<'_>,
        log: &Log,
        guards: &mut Guards,
        shared: usize,
    ) -> (Ghosts, usize) {
        let families = sound_locks(interference, log);
        let usable = |f: &LockFamily| matches!(f, LockFamily::Mutex | LockFamily::Spin);
        let locks: Vec<Lock> =
            families.iter().filter(|(_, f)| usable(f)).map(|(l, _)| *l).take(MAX_LOCKS).collect();
        let counted = counted(interference, log, guards, shared);
        let mut templates: Vec<(TemplateId, Site)> = Vec::new();
        for template in counted.iter().map(|c| c.site.0) {
            if let Some(site) = start_of(interference, template)
                && !templates.iter().any(|(t, _)| *t == template)
            {
                templates.push((template, site));
            }
        }
        let mut own = guards.cells.split_off(shared);
        let mut ghosts = Ghosts::default();
        let mut put = |of: Ghost, ty: Scalar, size: u64| {
            guards.cells.push(Cell { of: Of::Ghost(of), size, ty, kind: GuardKind::Own });
            CellId(guards.cells.len() - 1)
        };
        let words: Vec<CellId> =
            (0..locks.len()).map(|i| put(Ghost::Word(LockId(i)), BYTE, 1)).collect();
        let sums: Vec<CellId> = (0..counted.len()).map(|i| put(Ghost::Sum(i), WIDE, 8)).collect();
        for (template, site) in templates {
            let number = put(Ghost::Passes(site), WIDE, 8);
            ghosts.starts.push(Starts { template, site, number });
        }
        let shared = guards.cells.len();
        guards.cells.append(&mut own);
        let mut put = |of: Ghost| {
            guards.cells.push(Cell { of: Of::Ghost(of), size: 1, ty: BYTE, kind: GuardKind::Own });
            CellId(guards.cells.len() - 1)
        };
        for (i, (lock, word)) in locks.iter().zip(words).enumerate() {
            let held = put(Ghost::Held(LockId(i)));
            ghosts.locks.push(LockCells { lock: *lock, word, held });
        }
        let mut parts: BTreeMap<CellId, Parts> = BTreeMap::new();
        for (i, (store, sum)) in counted.iter().zip(sums).enumerate() {
            let flag = put(Ghost::Flag(i));
            ghosts.tallies.push(GhostSum { template: store.site.0, site: store.site, sum, flag });
            let of = parts.entry(store.cell);
            let of = of.or_insert(Parts { cell: store.cell, weights: Vec::new() });
            of.weights.push((sum, store.adds));
        }
        ghosts.parts = parts.into_values().collect();
        ghosts.order = order(interference, &ghosts.tallies);
        guards.exclusions = locks.into_iter().map(Exclusion::Lock).collect();
        guards.families = families;
        (ghosts, shared)
    }

    pub fn lock(&self, lock: Option<Lock>) -> Option<LockCells> {
        self.locks.iter().find(|l| Some(l.lock) == lock).copied()
    }

    /// What is true of the sums of a template: with the cells of threads at work, as they are at the
    /// points of these templates.
    pub fn facts(
        &self,
        pool: &mut Pool,
        points: &Points,
        starts: &Starts,
        threads: &[(TemplateId, &[Term])],
    ) -> Vec<Term> {
        let threads: Vec<&[Term]> = threads
            .iter()
            .filter(|(t, _)| *t == starts.template)
            .map(|(_, cells)| *cells)
            .collect();
        let started = points.cells[starts.number.0];
        let here = pool.bits(threads.len() as u64, WIDE_BITS);
        let mut facts = vec![pool.ule(here, started)];
        let of = |tally: &&GhostSum| tally.template == starts.template;
        for tally in self.tallies.iter().filter(of) {
            let sum = points.cells[tally.sum.0];
            let flags = total(pool, &threads, tally.flag);
            facts.push(pool.ule(flags, sum));
            facts.push(pool.ule(sum, started));
            let missing = pool.sub(here, flags);
            let with_missing = pool.add(sum, missing);
            facts.push(pool.ule(with_missing, started));
        }
        for (first, second) in &self.order {
            let (first, second) = (&self.tallies[*first], &self.tallies[*second]);
            if first.template == starts.template {
                let (before, after) = (points.cells[first.sum.0], points.cells[second.sum.0]);
                facts.push(pool.ule(after, before));
                let first = total(pool, &threads, first.flag);
                let second = total(pool, &threads, second.flag);
                let (low, high) = (pool.add(after, first), pool.add(before, second));
                facts.push(pool.ule(low, high));
            }
        }
        facts
    }
}

/// The sum of the flags of these threads.
fn total(pool: &mut Pool, threads: &[&[Term]], flag: CellId) -> Term {
    let zero = pool.bits(0, WIDE_BITS);
    threads.iter().fold(zero, |sum, cells| {
        let set = pool.zero_ext(cells[flag.0], WIDE_BITS);
        pool.add(sum, set)
    })
}

/// Stores of threads that change a shared cell by a constant.
fn counted(
    interference: &Interference<'_>,
    log: &Log,
    guards: &Guards,
    shared: usize,
) -> Vec<Counted> {
    let mut found = Vec::new();
    for (site, touches) in &log.sites {
        let cell = guards.exactly(touches).filter(|cell| cell.0 < shared);
        let counted = start_of(interference, site.0).is_some();
        if let (Some(cell), true, Some(adds)) = (cell, counted, added(interference, *site)) {
            found.push(Counted { site: *site, cell, adds });
        }
    }
    found.truncate(MAX_TALLIES);
    found
}

/// What is added to something, if that is what is stored here.
fn added(interference: &Interference<'_>, (template, block, at): Site) -> Option<i128> {
    let root = interference.template(template).root;
    let function = &interference.flat.program.functions[root.index()];
    let InstKind::Store { value: Operand::Reg(stored), .. } =
        function.blocks[block.index()].insts.get(at)?.kind
    else {
        return None;
    };
    function.blocks.iter().flat_map(|b| &b.insts).find_map(|inst| match &inst.kind {
        InstKind::Assign { dst, value: Rvalue::Binary { op, ty, b, .. } } if *dst == stored => {
            let Operand::Const { bits, .. } = b else { return None };
            let step = number(*bits, *ty, interference.flat.program.machine);
            match op {
                BinOp::Add => Some(step),
                BinOp::Sub => Some(-step),
                _ => None,
            }
        }
        _ => None,
    })
}

fn order(interference: &Interference<'_>, tallies: &[GhostSum]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (i, a) in tallies.iter().enumerate() {
        for (j, b) in tallies.iter().enumerate() {
            let before = a.template == b.template
                && interference
                    .graph(a.template)
                    .is_some_and(|g| g.is_before((a.site.1, a.site.2), (b.site.1, b.site.2)));
            if i != j && before {
                found.push((i, j));
            }
        }
    }
    found
}
