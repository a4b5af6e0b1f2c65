//! From the last walk to an encoding: dense cells, events with their guards, first values.

use super::Walk;
use crate::Encoding;
use crate::event::*;
use crate::guards::Guards;
use crate::object::{Birth, CellKey, ObjectId};
use crate::order::StaticOrder;
use crate::term::{Pool, Term};
use crate::weak::{Dependency, Weak};
use rustc_hash::{FxHashMap, FxHashSet};

impl Walk<'_> {
    pub(super) fn finish(mut self) -> Encoding {
        self.drop_harmless();
        self.chance_goals();
        let undefined = self.undefined();
        let mut orders = self.race_goal();
        orders.extend(self.deadlock_goal());
        let cells = self.shared_cells();
        let mut events = Vec::new();
        self.first_writes(&cells, &mut events);
        self.accesses(&cells, &mut events);
        // In an atomic block all reads come first.
        let whole = |n: NodeId| self.nodes[n.index()].kind == NodeKind::Atomic && self.config.weak;
        let later = |e: &Event| whole(e.node) && e.kind == EventKind::Write;
        events.sort_by_key(|e| (e.node, later(e), e.cell, e.kind == EventKind::Write, e.order));
        let threads = self.threads();
        let weak = self.weak(&cells, &events);
        let leaks = std::mem::take(&mut self.leaks);
        let asks_leaks = self.config.weak && self.checks_memory();
        let cells = self.describe(&cells);
        let mut encoding = Encoding {
            pool: self.pool,
            threads,
            nodes: self.nodes,
            cells,
            events,
            edges: self.edges,
            waits: Vec::new(),
            rf: Vec::new(),
            facts: self.facts,
            goals: self.goals,
            inputs: self.inputs,
            undefined,
            fences: self.fences,
            coenabled: self.coenabled.list,
            weak,
        };
        order_joins(&mut encoding, self.waits);
        encoding.waits.extend(orders);
        if asks_leaks {
            leaks.doubts(&mut encoding);
        }
        encoding
    }

    fn shared_cells(&self) -> FxHashMap<CellKey, CellId> {
        let keys = self.imports.keys().map(|&(_, cell)| cell);
        let mut keys: Vec<CellKey> = keys.collect();
        if self.config.weak {
            keys.extend(self.exports.keys().map(|&(_, cell)| cell));
        }
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
            let dynamic = matches!(
                self.space.get(object).birth,
                Birth::Slot(..) | Birth::Heap(..) | Birth::Frame(..)
            );
            let places = match births.get(&object) {
                Some(places) => places,
                None if dynamic => continue,
                None => &at_start,
            };
            let value = self.first_value(key);
            for &(node, guard) in places {
                let span = self.nodes[node.index()].span;
                let order = ir::MemoryOrder::Plain;
                events.push(Event {
                    kind: EventKind::Write,
                    node,
                    cell,
                    guard,
                    value,
                    order,
                    span,
                });
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
            let kind = EventKind::Read;
            if self.config.weak {
                for (order, when) in by_order(&mut self.pool, &import.orders) {
                    let guard = self.pool.and(guard, when);
                    if !self.pool.is_false(guard) {
                        events.push(Event { kind, node, cell, guard, value, order, span });
                    }
                }
                continue;
            }
            let order = import.order;
            if !self.pool.is_false(guard) {
                events.push(Event { kind, node, cell, guard, value, order, span });
            }
        }
        for (&(node, key), export) in &self.exports {
            let Some(&cell) = cells.get(&key) else { continue };
            let (guard, value, span) = (export.guard, export.value, export.span);
            let order =
                self.write_orders.get(&(node, key)).copied().unwrap_or(ir::MemoryOrder::Plain);
            events.push(Event { kind: EventKind::Write, node, cell, guard, value, order, span });
        }
    }

    /// When the reads of an atomic block count: if it comes to its end, or to a goal inside, or
    /// coenabled where it would end, or waits in a deadlock. Any other
    /// thread that waits in it has done nothing, and need not even look: that it stops there is a
    /// beginning of some execution in any case. (So a lock is read only where it is taken.) That
    /// holds for every property whose violations are goals of the thread that commits them: they
    /// name their block, and the reads on the way to them count.
    fn blocks_that_matter(&mut self) -> FxHashMap<NodeId, Term> {
        let mut out = FxHashMap::default();
        for (i, node) in self.nodes.iter().enumerate() {
            if node.kind == NodeKind::Atomic {
                out.insert(NodeId::new(i), node.guard);
            }
        }
        for halt in &self.coenabled.list {
            if let Some(guard) = halt.block.and_then(|n| out.get_mut(&n)) {
                *guard = self.pool.or(*guard, halt.guard);
            }
        }
        for (block, waits) in self.waiting_blocks() {
            if let Some(guard) = out.get_mut(&block) {
                *guard = self.pool.or(*guard, waits);
            }
        }
        for goal in &self.goals {
            if let Some(guard) = goal.node.and_then(|n| out.get_mut(&n)) {
                *guard = self.pool.or(*guard, goal.guard);
            }
        }
        out
    }

    fn threads(&mut self) -> Vec<ThreadSkeleton> {
        let never = self.pool.bool(false);
        let thread = |r: &super::Running| ThreadSkeleton {
            function: r.function,
            spawned_at: r.spawned_at,
            guard: if r.met { r.guard } else { never },
            nodes: r.nodes.clone(),
            ended: if r.met { r.ended } else { never },
        };
        // Those that were not met are never started: what stands in for them is false.
        for running in self.running.iter().filter(|r| !r.met) {
            let absent = self.pool.not(running.guard);
            self.facts.push(absent);
        }
        self.running.iter().map(thread).collect()
    }

    /// What other models than sequential consistency want to know.
    fn weak(&mut self, cells: &FxHashMap<CellKey, CellId>, events: &[Event]) -> Weak {
        if !self.config.weak {
            return Weak::default();
        }
        let mut by_key: FxHashMap<(NodeId, CellId, EventKind), Vec<EventId>> = FxHashMap::default();
        for (i, e) in events.iter().enumerate() {
            by_key.entry((e.node, e.cell, e.kind)).or_default().push(EventId::new(i));
        }
        let none = Vec::new();
        let mut weak = Weak { places: vec![None; cells.len()], ..Weak::default() };
        let found = std::mem::take(&mut self.dependencies.found);
        for ((kind, (node, cell), to), when) in found {
            let id = |cell: &CellKey| cells.get(cell).copied().unwrap_or(CellId(u32::MAX));
            let reads = by_key.get(&(node, id(&cell), EventKind::Read)).unwrap_or(&none);
            for &from in reads {
                for &to in by_key.get(&(to.0, id(&to.1), to.2)).unwrap_or(&none) {
                    weak.dependencies.push(Dependency { kind, from, to, when });
                }
            }
        }
        weak.dependencies.sort_by_key(|d| (d.from, d.to, d.kind));
        for (&key, &cell) in cells {
            let info = self.space.cell(key);
            let maker = self.maker(info.object).filter(|_| info.offset < crate::object::ALIVE);
            weak.places[cell.index()] = maker.map(|maker| (maker, info.offset));
            if info.offset == crate::object::ALIVE {
                weak.lives.push(cell);
            }
        }
        let object: FxHashMap<CellId, ObjectId> =
            cells.iter().map(|(&key, &cell)| (cell, self.space.cell(key).object)).collect();
        let initial = |e: &&EventId| {
            let event = &events[e.index()];
            let born = |&(object_born, node, _): &(ObjectId, NodeId, Term)| {
                node == event.node && Some(&object_born) == object.get(&event.cell)
            };
            event.kind == EventKind::Write
                && (event.node == NodeId(0) || self.births.iter().any(born))
        };
        let user = |e: &&EventId| self.in_user_block.contains(&events[e.index()].node);
        let updates: FxHashSet<(NodeId, CellId)> = self
            .updates
            .iter()
            .filter_map(|(node, cell)| Some((*node, *cells.get(cell)?)))
            .collect();
        let update = |e: &&EventId| {
            let event = &events[e.index()];
            event.kind == EventKind::Read && updates.contains(&(event.node, event.cell))
        };
        let all: Vec<EventId> = (0..events.len()).map(EventId::new).collect();
        weak.updates = all.iter().filter(update).copied().collect();
        weak.initial = all.iter().filter(initial).copied().collect();
        weak.in_user_block = all.iter().filter(user).copied().collect();
        weak
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

/// Under which conditions a read has which order: the strongest that was asked for.
fn by_order(pool: &mut Pool, orders: &[(ir::MemoryOrder, Term)]) -> Vec<(ir::MemoryOrder, Term)> {
    let mut kinds: Vec<ir::MemoryOrder> = orders.iter().map(|&(order, _)| order).collect();
    kinds.sort_unstable_by(|a, b| b.cmp(a));
    kinds.dedup();
    let mut stronger = pool.bool(false);
    let mut out = Vec::new();
    for kind in kinds {
        let of_kind = orders.iter().filter(|(order, _)| *order == kind).map(|&(_, when)| when);
        let asked = pool.or_all(of_kind.collect::<Vec<_>>());
        let weaker = pool.not(stronger);
        out.push((kind, pool.and(asked, weaker)));
        stronger = pool.or(stronger, asked);
    }
    out
}

/// A join that everything after it implies is an order for good: if it does not happen, nothing
/// after it does, and that may as well come last. All of it, though: threads that wait for each
/// other in a circle never end, and must not make a circle of what is ordered for good.
fn order_joins(encoding: &mut Encoding, joins: Vec<(Term, ThreadId, NodeId)>) {
    let mut guards: Vec<Vec<Term>> = vec![Vec::new(); encoding.nodes.len()];
    for event in &encoding.events {
        guards[event.node.index()].push(event.guard);
    }
    // What comes after a halt may be ordered, too.
    for halt in &encoding.coenabled {
        guards[halt.after.index()].push(halt.guard);
    }
    let (mut order, mut known) = (StaticOrder::new(encoding), Guards::default());
    for (condition, thread, node) in joins {
        let Some(&end) = encoding.threads[thread.index()].nodes.last() else { continue };
        let for_good = encoding.pool.is_true(condition)
            || implied_from(encoding, &guards, &mut known, node, condition);
        if for_good && order.add(end, node) {
            encoding.edges.push((end, node));
        } else {
            encoding.waits.push((condition, end, node));
        }
    }
}

/// Does whatever a thread does from this node on imply the condition?
fn implied_from(
    encoding: &Encoding,
    guards: &[Vec<Term>],
    known: &mut Guards,
    from: NodeId,
    condition: Term,
) -> bool {
    let mut implied = |g: Term| known.entails(&encoding.pool, g, condition);
    let nodes = &encoding.threads[encoding.nodes[from.index()].thread.index()].nodes;
    let place = nodes.iter().position(|&n| n == from).unwrap_or(0);
    nodes[place..].iter().all(|&n| {
        let node = &encoding.nodes[n.index()];
        let for_others = n != from && matches!(node.kind, NodeKind::Spawn | NodeKind::End);
        guards[n.index()].iter().all(|&g| implied(g)) && (!for_others || implied(node.guard))
    })
}
