//! Threads start, end and are joined; loops that join all threads that another loop has started.
//!
//! A loop that counts `i` up to `n` and starts a thread in each round, with the id in `ids[i]`, is
//! undone by a loop that counts from no later up to the same `n` and joins `ids[i]` in each round:
//! where the second loop ends by its bound, no thread of the first is running. `Kept` follows where
//! the ids are, `find_sweeps` what a loop joins, and `leave_loop` puts the two together.

use super::flat::Sweep;
use super::interval::Interval;
use super::question::Unclear;
use super::state::{Alive, Kept, State};
use super::step::THREAD_IDS;
use super::value::{Base, ClassId, Region, Slice, Sym, Symbol, Tag, Value, Whose};
use super::walk::{Flow, Walk};
use super::world::Sweeping;
use ir::types::Scalar;
use ir::*;
use std::collections::BTreeSet;

impl Walk<'_, '_> {
    pub fn spawn(
        &mut self,
        state: &mut State,
        dst: Reg,
        place: Option<&Operand>,
        function: &Operand,
        arg: &Operand,
    ) -> Result<Flow, Unclear> {
        let target = self.value(state, function);
        let arg = self.value(state, arg);
        if target.lost || target.num.is_some_and(|n| n != Interval::ZERO) {
            return self.unclear("a thread function that is not known");
        }
        let mut children = Vec::new();
        for base in target.addrs.keys() {
            let Region::Function(root) = base.region else {
                return self.unclear("a thread function that is not a function");
            };
            let (block, at) = self.at;
            children.push(self.world.child(self.class, block, at, root)?);
        }
        if children.is_empty() {
            return match target.is_bottom() {
                true => Ok(Flow::Ends),
                false => self.unclear("a thread function that is null"),
            };
        }
        for child in &children {
            self.expect_id(state, *child);
        }
        let mut id = Value::number(THREAD_IDS);
        if let [child] = children.as_slice() {
            id.tag = Some(Tag::Thread(*child));
        }
        if let Some(place) = place {
            self.store_id(state, place, &id, self.function.regs[dst.index()].ty)?;
        }
        if self.alone(state) {
            self.world.hand_over(&state.memory);
        }
        for child in &children {
            self.give(state, *child, &arg);
            self.count(state, *child);
        }
        let given: Vec<Region> = arg.addrs.keys().map(|b| b.region).collect();
        state.age(|r| given.contains(&r));
        self.assign(state, dst, id);
        Ok(Flow::On)
    }

    /// A place that is null is none.
    fn store_id(
        &mut self,
        state: &mut State,
        place: &Operand,
        id: &Value,
        ty: Scalar,
    ) -> Result<(), Unclear> {
        self.store(state, place, id.clone(), ty, Order::Plain)?;
        Ok(())
    }

    /// The argument as the new thread sees it.
    fn give(&mut self, state: &State, child: ClassId, arg: &Value) {
        let mut seen = arg.published();
        for (base, offset) in &arg.addrs {
            let others = arg.addrs.keys().any(|b| b.region == base.region && b.whose != Whose::New);
            if base.whose == Whose::New && !others {
                seen.addrs.remove(&Base { whose: Whose::Any, ..*base });
                seen.add_address(Base { whose: Whose::Given, ..*base }, *offset);
            }
        }
        let counters: Vec<Reg> = self.world.class(child).counters.keys().copied().collect();
        seen.sym = match arg.sym {
            Some(Sym { symbol: Symbol::Counter(reg), scale, rest }) if counters.contains(&reg) => {
                Some(Sym { symbol: Symbol::Start(reg), scale, rest })
            }
            _ => None,
        };
        self.world.add_argument(child, &seen);
        for counter in counters {
            let value = self.value(state, &Operand::Reg(counter));
            self.world.add_start(child, counter, value.as_number().unwrap_or(Interval::TOP));
        }
    }

    /// One more thread of the class is running.
    fn count(&mut self, state: &mut State, child: ClassId) {
        for other in state.alive.keys() {
            self.world.add_together(child, *other);
        }
        let many = state.alive.contains_key(&child);
        state.alive.insert(child, if many { Alive::Many } else { Alive::One });
        state.started.insert(child);
        let counters = self.world.class(child).counters.keys();
        state.used.extend(counters.map(|counter| (child, *counter)));
    }

    /// There will be one more thread of the class, and what named the others is no longer one's id.
    fn expect_id(&self, state: &mut State, child: ClassId) {
        state.forget_tags(|tag| *tag == Tag::Thread(child));
        let counts = !self.world.class(child).counters.is_empty();
        let kept = match state.kept.get(&child) {
            None if counts => Kept::In { slice: None, pending: true },
            Some(Kept::In { slice, pending: false }) => Kept::In { slice: *slice, pending: true },
            _ => Kept::Lost,
        };
        state.kept.insert(child, kept);
    }

    pub fn join(&mut self, state: &mut State, dst: Reg, thread: &Operand) {
        match self.value(state, thread).tag {
            Some(Tag::Thread(class)) if state.alive.get(&class) == Some(&Alive::One) => {
                state.alive.remove(&class);
                state.kept.remove(&class);
                // Where it may have failed, too, nobody can tell any more what the id names.
                state.forget_tags(|tag| *tag == Tag::Thread(class));
                self.note_taken(class);
            }
            Some(Tag::Read(slice)) => {
                self.joins.insert(self.at, slice);
                self.note_sweeping(slice);
            }
            _ => self.note_stale_id(),
        }
        let result = self.world.returned.clone();
        self.assign(state, dst, result);
    }

    /// That it is done for the first time is evident if it is the last thread of its class, whose
    /// name is lost by that, or the caller.
    pub fn detach(&mut self, state: &mut State, thread: &Operand, is_new: bool) {
        match self.value(state, thread).tag {
            Some(Tag::Thread(class)) if is_new || state.alive.get(&class) == Some(&Alive::One) => {
                state.forget_tags(|tag| *tag == Tag::Thread(class));
                state.kept.insert(class, Kept::Lost);
                self.note_taken(class);
            }
            Some(Tag::Itself) if self.graph.innermost[self.at.0.index()].is_none() => {
                if self.logging {
                    self.log.self_detaches.entry(self.class).or_default().insert(self.span);
                }
            }
            _ => self.note_stale_id(),
        }
    }

    /// Threads of this class are joined or detached, each once.
    fn note_taken(&mut self, class: ClassId) {
        if self.logging {
            self.log.taken.insert(class);
        }
    }

    fn note_stale_id(&mut self) {
        if self.logging {
            self.log.stale_ids.insert(self.span);
        }
    }

    fn note_sweeping(&mut self, slice: Slice) {
        match self.graph.only_loop(self.at.0) {
            _ if !self.logging => {}
            Some(looping) => {
                self.log.sweeping.push((self.class, looping.head, slice, self.span));
            }
            None => self.note_stale_id(),
        }
    }

    /// A thread returns or exits; its own objects end with it, unless the process does.
    pub fn thread_ends(&mut self, state: &mut State, value: &Value, process: bool) {
        if process {
            return;
        }
        self.world.add_returned(value);
        let own = |region: &&Region| matches!(**region, Region::Slot(c, _) | Region::ThreadLocal(c, _) if c == self.class);
        let ending: Vec<Region> = self.world.users.keys().filter(own).copied().collect();
        for region in ending {
            self.ends(state, region, Whose::Mine);
        }
    }

    /// A counter is about to change.
    pub fn next_round(&mut self, state: &mut State, counter: Reg) {
        let world = &self.world;
        state.used.retain(|(_, other)| *other != counter);
        for (class, kept) in &mut state.kept {
            let counts = world.class(*class).counters.contains_key(&counter);
            if counts && matches!(kept, Kept::In { pending: true, .. }) {
                *kept = Kept::Lost;
            }
        }
    }

    /// On the way out of a loop that has joined all threads of a class, none is running.
    pub fn leave_loop(&mut self, from: BlockId, to: BlockId, state: &mut State) {
        let Some(looping) = self.graph.loop_of_head(from) else { return };
        let Some(sweep) = looping.sweep.filter(|s| s.exit == to) else { return };
        let Some(found) = self.world.sweeps.get(&(self.class, from)) else { return };
        if looping.parent.is_some() || !self.world.class(self.class).single {
            return;
        }
        let joined = |(class, kept): (&ClassId, &Kept)| match kept {
            Kept::In { slice: Some(slice), pending: false } => {
                let read = Slice { counter: sweep.counter, ..*slice };
                self.sweeps_all(*class, *slice, from, sweep, found).then_some((*class, read))
            }
            _ => None,
        };
        let gone: Vec<(ClassId, Slice)> = state.kept.iter().filter_map(joined).collect();
        for (class, read) in gone {
            state.alive.remove(&class);
            state.kept.remove(&class);
            self.note_taken(class);
            if self.logging {
                self.log.swept.insert((self.class, from, read));
            }
        }
    }

    fn sweeps_all(
        &self,
        class: ClassId,
        ids: Slice,
        head: BlockId,
        sweep: Sweep,
        found: &Sweeping,
    ) -> bool {
        let child = self.world.class(class);
        let Some(start) = child.bound else { return false };
        let Some(first) = child.counters.get(&ids.counter) else { return false };
        let steady = |reg: Reg| !self.world.unsteady.contains(&(self.class, reg));
        let read = Slice { counter: sweep.counter, ..ids };
        let goes_on = |s: Sweep| (s.bound, s.ty, s.inclusive);
        child.around != Some(head)
            && child.parent == self.class
            && start.counter == ids.counter
            && goes_on(start) == goes_on(sweep)
            && steady(start.counter)
            && steady(sweep.counter)
            && found.slices.contains(&read)
            && found.from.hi <= first.lo
            && !self.world.is_shared(ids.region)
            && self.world.is_one_object(ids.region)
    }

    /// After the walk: which loops join something in each round?
    pub fn find_sweeps(&mut self) {
        for looping in &self.graph.loops {
            let Some(sweep) = looping.sweep else { continue };
            let mut slices = BTreeSet::new();
            for (at, slice) in &self.joins {
                let first = self.graph.before_step(looping, sweep.counter, *at);
                if first && looping.every_round.contains(&at.0) {
                    slices.insert(*slice);
                }
            }
            if slices.is_empty() {
                self.world.no_sweep(self.class, looping.head);
                continue;
            }
            let outside = |b: &&BlockId| !looping.body.contains(b);
            let before = self.graph.cfg.preds[looping.head.index()].iter().filter(outside);
            let from = before.filter_map(|b| self.at_end(*b, sweep.counter)).reduce(Interval::hull);
            let from = from.unwrap_or(Interval::TOP);
            self.world.set_sweep(self.class, looping.head, Sweeping { slices, from });
        }
    }

    /// What a register holds when the block is left.
    fn at_end(&self, block: BlockId, reg: Reg) -> Option<Interval> {
        let state = self.exits.get(&block)?;
        Some(state.reg(reg).as_number().unwrap_or(Interval::TOP))
    }
}
