//! Quasi-monotonic paths: one of each class of equivalent paths.
//!
//! Threads are numbered. A path is kept if no step of a smaller thread comes behind a step of a larger
//! one without a chain of dependent steps between them. Each class of paths that differ in the order of
//! independent steps has exactly one such member, and its beginnings are kept, too, so paths can be
//! pruned as they grow. (Kahlon, Wang, Gupta: Monotonic partial order reduction, CAV 2009.) It is
//! enough to know the last step of each thread, and whether a chain has left it.
//!
//! What a step touches is seen with the values at hand: an index that is known means one element.

use super::Por;
use crate::replace::Replace;
use crate::system::{ActionId, CellId, System, ThreadId};
use encoder::Term;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The cells of several threads that a step reads and writes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Touched {
    pub reads: FixedBitSet,
    pub writes: FixedBitSet,
}

impl Touched {
    fn conflicts(&self, other: &Touched) -> bool {
        !self.writes.is_disjoint(&other.writes)
            || !self.writes.is_disjoint(&other.reads)
            || !self.reads.is_disjoint(&other.writes)
    }

    fn is_empty(&self) -> bool {
        self.reads.is_clear() && self.writes.is_clear()
    }
}

/// Of each thread the last step, unless a chain of dependent steps has left it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Chains(Vec<Option<Rc<Touched>>>);

impl Chains {
    pub fn new(threads: usize) -> Chains {
        Chains(vec![None; threads])
    }

    /// The same with one step more; `None` if that path has an equivalent one.
    pub fn step(&self, por: Por, thread: ThreadId, touched: &Rc<Touched>) -> Option<Chains> {
        let depends = |a: &Touched, b: &Touched| match por {
            Por::Quasi => a.conflicts(b),
            Por::Local => !a.is_empty() && !b.is_empty(),
            _ => true,
        };
        let mut next = self.0.clone();
        for (other, last) in next.iter_mut().enumerate() {
            let Some(left) = last else { continue };
            if other == thread.index() || depends(touched, left) {
                *last = None;
            } else if other > thread.index() {
                return None;
            }
        }
        // Without a reduction there is nothing to remember.
        if matches!(por, Por::Quasi | Por::Local) {
            next[thread.index()] = Some(touched.clone());
        }
        Some(Chains(next))
    }
}

/// What steps touch.
pub struct Touches {
    /// By cell: the only thread that uses it, if there is one.
    owner: Vec<Option<ThreadId>>,
    known: FxHashMap<(ActionId, Vec<Option<u64>>), Rc<Touched>>,
}

impl Touches {
    pub fn new(system: &System) -> Touches {
        let mut users = vec![FixedBitSet::with_capacity(system.threads.len()); system.cells.len()];
        for action in &system.actions {
            for cell in action.reads.ones().chain(action.writes.ones()) {
                users[cell].insert(action.thread.index());
            }
        }
        let only = |threads: &FixedBitSet| match threads.count_ones(..) {
            1 => threads.ones().next().map(|t| ThreadId(t as u32)),
            _ => None,
        };
        Touches { owner: users.iter().map(only).collect(), known: FxHashMap::default() }
    }

    /// What an action touches where cells hold these values.
    pub fn of(&mut self, system: &mut System, action: ActionId, state: &[Term]) -> Rc<Touched> {
        let a = system.action(action).clone();
        let own: Vec<usize> = a.reads.ones().filter(|c| self.owner[*c] == Some(a.thread)).collect();
        let values = own.iter().map(|c| system.pool.constant(state[*c])).collect();
        let key = (action, values);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let constant = |c: &&usize| system.pool.constant(state[**c]).is_some();
        let map = own.iter().filter(constant).map(|c| (system.cells[*c].var, state[*c]));
        let mut put_in = Replace::new(map.collect::<Vec<_>>());
        let guard = put_in.apply(&mut system.pool, a.guard);
        let mut reads = system.cells_in(guard);
        let mut writes = FixedBitSet::with_capacity(system.cells.len());
        for (cell, value) in &a.updates {
            let value = put_in.apply(&mut system.pool, *value);
            if value != system.cell(*cell).var {
                reads.union_with(&system.cells_in(value));
                writes.insert(cell.index());
            }
        }
        let touched = Touched { reads: self.shared(reads), writes: self.shared(writes) };
        let touched = Rc::new(touched);
        self.known.insert(key, touched.clone());
        touched
    }

    fn shared(&self, mut cells: FixedBitSet) -> FixedBitSet {
        for cell in 0..cells.len() {
            if self.owner[CellId(cell as u32).index()].is_some() {
                cells.remove(cell);
            }
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use obmc_testing::Dice;
    use rustc_hash::FxHashSet;

    fn touched(reads: &[usize], writes: &[usize]) -> Rc<Touched> {
        let set = |cells: &[usize]| {
            let mut set = FixedBitSet::with_capacity(3);
            cells.iter().for_each(|c| set.insert(*c));
            set
        };
        Rc::new(Touched { reads: set(reads), writes: set(writes) })
    }

    type Threads = Vec<Vec<Rc<Touched>>>;
    /// A path, and whether it is kept.
    type Visit<'a> = &'a mut dyn FnMut(&[(usize, usize)], bool);

    /// All orders of all steps, with the paths that are kept.
    fn walk(
        threads: &Threads,
        at: &mut Vec<usize>,
        path: &mut Vec<(usize, usize)>,
        chains: Option<Chains>,
        visit: Visit<'_>,
    ) {
        let mut ended = true;
        for t in 0..threads.len() {
            let Some(step) = threads[t].get(at[t]) else { continue };
            ended = false;
            let next = chains.as_ref().and_then(|c| c.step(Por::Quasi, ThreadId(t as u32), step));
            path.push((t, at[t]));
            at[t] += 1;
            walk(threads, at, path, next, visit);
            at[t] -= 1;
            path.pop();
        }
        if ended {
            visit(path, chains.is_some());
        }
    }

    /// Foata's normal form: each step as early as what it depends on allows.
    fn foata(threads: &Threads, path: &[(usize, usize)]) -> Vec<(usize, usize, usize)> {
        let mut placed: Vec<(usize, usize, usize)> = Vec::new();
        for &(t, i) in path {
            let depends = |&&(_, u, j): &&(usize, usize, usize)| {
                t == u || threads[t][i].conflicts(&threads[u][j])
            };
            let level = placed.iter().filter(depends).map(|(l, _, _)| l + 1).max().unwrap_or(0);
            placed.push((level, t, i));
        }
        placed.sort_unstable();
        placed
    }

    #[test]
    fn one_path_of_each_class_is_kept() {
        let mut dice = Dice::new(11);
        for _ in 0..150 {
            let count = 2 + dice.word() as usize % 2;
            let threads: Threads = (0..count)
                .map(|_| {
                    let steps = 1 + dice.word() as usize % 3;
                    (0..steps)
                        .map(|_| {
                            let cells = [dice.word() as usize % 3];
                            match dice.word() % 3 {
                                0 => touched(&cells, &[]),
                                1 => touched(&[], &cells),
                                _ => touched(&[dice.word() as usize % 3], &cells),
                            }
                        })
                        .collect()
                })
                .collect();
            let (mut classes, mut kept) = (FxHashSet::default(), Vec::new());
            let first = Some(Chains::new(count));
            walk(&threads, &mut vec![0; count], &mut Vec::new(), first, &mut |path, is_kept| {
                let class = foata(&threads, path);
                if is_kept {
                    kept.push(class.clone());
                }
                classes.insert(class);
            });
            let distinct: FxHashSet<_> = kept.iter().cloned().collect();
            assert_eq!(distinct.len(), kept.len(), "a class has two paths: {threads:?}");
            assert_eq!(distinct, classes, "a class has no path: {threads:?}");
        }
    }
}
