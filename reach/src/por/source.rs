//! Source sets from what threads may still do.
//!
//! A thread's next actions, and all threads that may ever do something that depends on what is chosen,
//! blocked ones included: a thread that is left out commutes with the choice for good. (Abdulla and others:
//! Optimal dynamic partial order reduction, POPL 2014; with an abstraction it is enough to look at
//! cells that states speak of: a feasible error stays one when steps are swapped that differ in other
//! cells only.) Two rules keep this right. Rule C: if the choice may go back in its thread's graph, all
//! threads are chosen; else a cycle could put off another thread for ever. Rule B: a thread that may
//! wait, or end the process, is part of a smaller choice only if the state says that it moves, or that
//! it cannot; what is enabled in the abstraction only would strengthen the state for the others.
//!
//! With a cone of influence fewer cells count: those that the abstraction speaks of and that some
//! guard may still observe from here on. States that differ in other cells have the same guards for
//! good, so steps that share only these can be swapped, too.

use super::{Por, Reduce, View};
use crate::graph::Vector;
use crate::system::{LocId, System, Target, ThreadId};
use fixedbitset::FixedBitSet;

/// What the actions at a location touch, and all that may come from there on.
#[derive(Clone, Debug)]
struct Touch {
    reads: FixedBitSet,
    writes: FixedBitSet,
}

impl Touch {
    fn none(cells: usize) -> Touch {
        let none = FixedBitSet::with_capacity(cells);
        Touch { reads: none.clone(), writes: none }
    }

    fn add(&mut self, other: &Touch) {
        self.reads.union_with(&other.reads);
        self.writes.union_with(&other.writes);
    }

    fn restrict(&mut self, cells: &FixedBitSet) {
        self.reads.intersect_with(cells);
        self.writes.intersect_with(cells);
    }

    fn depends(&self, other: &Touch) -> bool {
        !self.writes.is_disjoint(&other.writes)
            || !self.writes.is_disjoint(&other.reads)
            || !self.reads.is_disjoint(&other.writes)
    }

    fn is_empty(&self) -> bool {
        self.reads.is_clear() && self.writes.is_clear()
    }
}

pub struct SourceSets {
    por: Por,
    /// By thread and location.
    next: Vec<Vec<Touch>>,
    future: Vec<Vec<Touch>>,
    retreats: Vec<Vec<bool>>,
    total: Vec<Vec<bool>>,
    /// There are actions.
    live: Vec<Vec<bool>>,
}

impl SourceSets {
    /// `vars`: the cells that states speak of.
    pub fn new(system: &System, por: Por, vars: &FixedBitSet) -> SourceSets {
        let mut source = SourceSets {
            por,
            next: Vec::new(),
            future: Vec::new(),
            retreats: Vec::new(),
            total: Vec::new(),
            live: Vec::new(),
        };
        for thread in &system.threads {
            let mut next = Vec::new();
            for location in &thread.locations {
                let mut touch = Touch::none(system.cells.len());
                for id in &location.actions {
                    touch.reads.union_with(&system.action(*id).reads);
                    touch.writes.union_with(&system.action(*id).writes);
                }
                if por == Por::Aware {
                    touch.restrict(vars);
                }
                next.push(touch);
            }
            let back = |id: &crate::system::ActionId| system.action(*id).retreats;
            let locations = thread.locations.iter();
            source.retreats.push(locations.clone().map(|l| l.actions.iter().any(back)).collect());
            source.total.push(locations.clone().map(|l| l.total).collect());
            source.live.push(locations.map(|l| !l.actions.is_empty()).collect());
            source.future.push(futures(system, thread, &next));
            source.next.push(next);
        }
        if por == Por::Local {
            source.keep_shared(system);
        }
        source
    }

    /// For `local`: only cells of several threads count, and then any two steps depend.
    fn keep_shared(&mut self, system: &System) {
        let mut users = vec![FixedBitSet::with_capacity(system.threads.len()); system.cells.len()];
        for action in &system.actions {
            for cell in action.reads.ones().chain(action.writes.ones()) {
                users[cell].insert(action.thread.index());
            }
        }
        let mut shared = FixedBitSet::with_capacity(system.cells.len());
        shared.extend((0..users.len()).filter(|c| users[*c].count_ones(..) > 1));
        let touches = self.next.iter_mut().chain(&mut self.future);
        touches.flatten().for_each(|touch| touch.restrict(&shared));
    }

    fn depends(&self, a: &Touch, b: &Touch) -> bool {
        match self.por {
            Por::Local => !a.is_empty() && !b.is_empty(),
            _ => a.depends(b),
        }
    }

    /// The threads that must be looked at together with one.
    fn closure(
        &self,
        at: &Vector,
        first: ThreadId,
        observed: Option<&FixedBitSet>,
    ) -> Vec<ThreadId> {
        let here = |t: usize| at[t].index();
        let mut chosen = vec![false; self.next.len()];
        chosen[first.index()] = true;
        let mut touch = self.next[first.index()][here(first.index())].clone();
        // Of two touches it is enough to restrict one.
        if let Some(observed) = observed {
            touch.restrict(observed);
        }
        loop {
            let mut grown = false;
            for (t, is_chosen) in chosen.iter_mut().enumerate() {
                if !*is_chosen && self.depends(&touch, &self.future[t][here(t)]) {
                    *is_chosen = true;
                    touch.add(&self.next[t][here(t)]);
                    if let Some(observed) = observed {
                        touch.restrict(observed);
                    }
                    grown = true;
                }
            }
            if !grown {
                break;
            }
        }
        (0..chosen.len()).filter(|t| chosen[*t]).map(|t| ThreadId(t as u32)).collect()
    }

    /// Rules B and C, and something to do.
    fn is_good<V: View>(
        &self,
        at: &Vector,
        set: &[ThreadId],
        view: &mut V,
    ) -> Result<bool, V::Error> {
        let place = |t: &ThreadId| (t.index(), at[t.index()].index());
        let back = |t: &ThreadId| self.retreats[place(t).0][place(t).1];
        if set.iter().any(back) {
            return Ok(false);
        }
        let mut moves = false;
        for thread in set {
            let (t, l) = place(thread);
            if view.moves(*thread)? {
                moves = true;
                if !self.total[t][l] && !view.surely_moves(*thread)? {
                    return Ok(false);
                }
            }
        }
        Ok(moves)
    }

    pub fn all(&self, at: &Vector) -> Vec<ThreadId> {
        let live = |t: &usize| self.live[*t][at[*t].index()];
        (0..self.live.len()).filter(live).map(|t| ThreadId(t as u32)).collect()
    }
}

impl Reduce for SourceSets {
    fn choose<V: View>(
        &self,
        at: &Vector,
        observed: Option<&FixedBitSet>,
        view: &mut V,
    ) -> Result<Vec<ThreadId>, V::Error> {
        let observed = observed.filter(|_| self.por != Por::Local);
        let all = self.all(at);
        if self.por == Por::Off {
            return Ok(all);
        }
        let mut sets: Vec<Vec<ThreadId>> = Vec::new();
        for thread in &all {
            let set = self.closure(at, *thread, observed);
            // Nothing is smaller than one thread.
            if set.len() == 1 && all.len() > 1 && self.is_good(at, &set, view)? {
                return Ok(set);
            }
            sets.push(set);
        }
        sets.retain(|set| 1 < set.len() && set.len() < all.len());
        sets.sort();
        sets.dedup();
        sets.sort_by_key(Vec::len);
        for set in sets {
            if self.is_good(at, &set, view)? {
                return Ok(set);
            }
        }
        Ok(all)
    }
}

/// What may come from each location on, its own actions included.
fn futures(system: &System, thread: &crate::system::Thread, next: &[Touch]) -> Vec<Touch> {
    let mut future = next.to_vec();
    loop {
        let mut grown = false;
        for (at, location) in thread.locations.iter().enumerate().rev() {
            for id in &location.actions {
                let Target::To(LocId(to)) = system.action(*id).to else { continue };
                let (to, before) = (future[to as usize].clone(), future[at].clone());
                future[at].add(&to);
                grown |= future[at].reads != before.reads || future[at].writes != before.writes;
            }
        }
        if !grown {
            return future;
        }
    }
}
