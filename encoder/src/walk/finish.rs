//! From the last walk to an encoding: dense cells, events with their guards, first values.

use super::Walk;
use crate::event::*;
use crate::object::{Birth, CellKey, ObjectId};
use crate::term::Term;
use crate::{Encoding, Unencodable};
use rustc_hash::FxHashMap;

impl Walk<'_> {
    pub(super) fn finish(mut self) -> Result<Encoding, Unencodable> {
        let cells = self.shared_cells();
        let mut events = Vec::new();
        self.first_writes(&cells, &mut events);
        self.accesses(&cells, &mut events);
        events.sort_by_key(|e| (e.node, e.cell, e.kind == Kind::Write));
        let threads = self.threads();
        let waits = self.resolve_waits(&threads, &events);
        let cells = self.describe(&cells);
        Ok(Encoding {
            pool: self.pool,
            threads,
            nodes: self.nodes,
            cells,
            events,
            edges: self.edges,
            waits,
            rf: Vec::new(),
            facts: self.facts,
            goals: self.goals,
            inputs: self.inputs,
        })
    }

    fn shared_cells(&self) -> FxHashMap<CellKey, CellId> {
        let keys = self.imports.keys().map(|&(_, cell)| cell);
        let mut keys: Vec<CellKey> = keys.collect();
        keys.sort_unstable();
        keys.dedup();
        keys.into_iter().enumerate().map(|(i, k)| (k, CellId::new(i))).collect()
    }

    /// The initial contents of every cell that somebody reads.
    fn first_writes(&mut self, cells: &FxHashMap<CellKey, CellId>, events: &mut Vec<Event>) {
        let mut births: FxHashMap<ObjectId, Vec<(NodeId, Term)>> = FxHashMap::default();
        for &(object, node, guard) in &self.births {
            births.entry(object).or_default().push((node, guard));
        }
        let always = self.pool.bool(true);
        let at_start = vec![(NodeId(0), always)];
        for (&key, &cell) in cells {
            let object = self.space.cell(key).object;
            let dynamic = matches!(self.space.get(object).birth, Birth::Slot(..) | Birth::Heap(..));
            let places = match births.get(&object) {
                Some(places) => places,
                None if dynamic => continue,
                None => &at_start,
            };
            let value = self.first_value(key);
            for &(node, guard) in places {
                let span = self.nodes[node.index()].span;
                events.push(Event { kind: Kind::Write, node, cell, guard, value, span });
            }
        }
    }

    fn accesses(&mut self, cells: &FxHashMap<CellKey, CellId>, events: &mut Vec<Event>) {
        let matters = self.blocks_that_matter();
        for (&(node, key), import) in &self.imports {
            let guard = match matters.get(&node) {
                Some(&guard) => self.pool.and(guard, import.guard),
                None => import.guard,
            };
            let (cell, value, span) = (cells[&key], import.var, import.span);
            if !self.pool.is_false(guard) {
                events.push(Event { kind: Kind::Read, node, cell, guard, value, span });
            }
        }
        for (&(node, key), export) in &self.exports {
            let Some(&cell) = cells.get(&key) else { continue };
            let (guard, value, span) = (export.guard, export.value, export.span);
            events.push(Event { kind: Kind::Write, node, cell, guard, value, span });
        }
    }

    /// When the reads of an atomic block count: if it comes to its end, or to a goal inside. A
    /// thread that waits in it has done nothing, and need not even look: that it stops there is a
    /// beginning of some execution in any case. (So a lock is read only where it is taken.)
    fn blocks_that_matter(&mut self) -> FxHashMap<NodeId, Term> {
        let mut out = FxHashMap::default();
        for (i, node) in self.nodes.iter().enumerate() {
            if node.kind == NodeKind::Atomic {
                out.insert(NodeId::new(i), node.guard);
            }
        }
        for goal in &self.goals {
            if let Some(guard) = goal.node.and_then(|n| out.get_mut(&n)) {
                *guard = self.pool.or(*guard, goal.guard);
            }
        }
        out
    }

    fn threads(&mut self) -> Vec<Thread> {
        let never = self.pool.bool(false);
        let thread = |r: &super::Running| Thread {
            function: r.function,
            spawned_at: r.spawned_at,
            guard: if r.met { r.guard } else { never },
            nodes: r.nodes.clone(),
            ended: if r.met { r.ended } else { never },
        };
        // Nobody starts those that were not met: what stands in for them is false.
        for running in self.running.iter().filter(|r| !r.met) {
            let absent = self.pool.not(running.guard);
            self.facts.push(absent);
        }
        self.running.iter().map(thread).collect()
    }

    /// A join that everything after it implies is an order for good: if it does not happen, nothing
    /// after it does, and that may as well come last. All of it, though: threads that wait for each
    /// other in a circle never end, and must not make a circle of what is ordered for good.
    fn resolve_waits(
        &mut self,
        threads: &[Thread],
        events: &[Event],
    ) -> Vec<(Term, NodeId, NodeId)> {
        let mut guards: Vec<Vec<Term>> = vec![Vec::new(); self.nodes.len()];
        for event in events {
            guards[event.node.index()].push(event.guard);
        }
        let mut conditional = Vec::new();
        for (condition, thread, node) in std::mem::take(&mut self.waits) {
            let Some(&end) = threads[thread.index()].nodes.last() else { continue };
            let later = &threads[self.nodes[node.index()].thread.index()].nodes;
            let place = later.iter().position(|&n| n == node).unwrap_or(0);
            let implied = later[place..].iter().all(|n| {
                guards[n.index()].iter().all(|&g| self.pool.implies(g, condition))
                    && (*n == node
                        || self.nodes[n.index()].kind != NodeKind::Spawn
                        || self.pool.implies(self.nodes[n.index()].guard, condition))
            });
            let ends_later = later
                .last()
                .is_none_or(|n| self.pool.implies(self.nodes[n.index()].guard, condition));
            let for_good = self.pool.is_true(condition) || implied && ends_later;
            if for_good && !self.is_before(threads, node, end) {
                self.edges.push((end, node));
            } else {
                conditional.push((condition, end, node));
            }
        }
        conditional
    }

    /// By program order and the edges so far.
    fn is_before(&self, threads: &[Thread], from: NodeId, to: NodeId) -> bool {
        let place = |n: NodeId| {
            let thread = self.nodes[n.index()].thread.index();
            let nodes = &threads[thread].nodes;
            (thread, nodes.binary_search(&n).unwrap_or(nodes.len()))
        };
        // Of each thread, the first node that is known to come after `from`.
        let mut first = vec![usize::MAX; threads.len()];
        let (thread, at) = place(from);
        first[thread] = at;
        let mut grown = true;
        while std::mem::take(&mut grown) {
            for &(a, b) in &self.edges {
                let ((s, i), (t, j)) = (place(a), place(b));
                if first[s] <= i && j < first[t] {
                    first[t] = j;
                    grown = true;
                }
            }
        }
        let (thread, at) = place(to);
        first[thread] <= at
    }

    fn describe(&self, cells: &FxHashMap<CellKey, CellId>) -> Vec<Cell> {
        let mut out = vec![Cell { name: String::new(), width: 0 }; cells.len()];
        for (&key, &cell) in cells {
            let info = self.space.cell(key);
            let object = self.space.get(info.object);
            let path = match object.birth {
                Birth::Static(id) | Birth::ThreadLocal(_, id) => {
                    let ty = self.program.objects[id.index()].ty;
                    self.program.types.path_at(ty, info.offset).0
                }
                _ if info.offset == crate::object::ALIVE => " (alive)".into(),
                _ => format!("+{}", info.offset),
            };
            let name = format!("{}{path}", object.name);
            out[cell.index()] = Cell { name, width: info.bytes * 8 };
        }
        out
    }
}
