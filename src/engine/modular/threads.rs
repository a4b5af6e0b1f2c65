//! Threads start, end and are joined; loops that join all threads that another loop has started.
//!
//! A loop that counts `i` up to `n` and starts a thread in each iteration, with the id in `ids[i]`, is
//! undone by a loop that counts from no later up to the same `n` and joins `ids[i]` in each iteration:
//! where the second loop ends by its bound, no thread of the first is running. `Kept` follows where
//! the ids are, `find_sweeps` what a loop joins, and `leave_loop` puts the two together.

use super::flat::Sweep;
use super::interference::Sweeping;
use super::interval::Interval;
use super::question::Unclear;
use super::state::{Alive, Kept, State};
use super::step::THREAD_IDS;
use super::value::{Base, Ownership, Region, Slice, Sym, Symbol, Tag, TemplateId, Value};
use super::walk::{Flow, Walk};
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
            children.push(self.interference.child(self.template, block, at, root)?);
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
            self.interference.hand_over(&state.memory);
        }
        for child in &children {
            self.give(state, *child, &arg);
            self.count(state, *child);
        }
        self.blocks_are_given(state, &arg);
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
        self.store(state, place, id.clone(), ty, MemoryOrder::Plain)?;
        Ok(())
    }

    /// The argument as the new thread sees it.
    fn give(&mut self, state: &State, child: TemplateId, arg: &Value) {
        let mut seen = arg.published();
        let memory = self.interference.question.memory;
        for (base, offset) in &arg.addrs {
            let others =
                arg.addrs.keys().any(|b| b.region == base.region && b.owner != Ownership::New);
            let is_new = base.owner == Ownership::New && !others;
            // The only block there is: whose it is matters where its life is followed.
            if is_new && (memory || !self.interference.is_unique(base.region)) {
                seen.addrs.remove(&Base { owner: Ownership::Any, ..*base });
                seen.add_address(Base { owner: Ownership::Transferred, ..*base }, *offset);
            }
        }
        let counters: Vec<Reg> =
            self.interference.template(child).counters.keys().copied().collect();
        seen.sym = match arg.sym {
            Some(Sym { symbol: Symbol::Counter(reg), scale, rest }) if counters.contains(&reg) => {
                Some(Sym { symbol: Symbol::Start(reg), scale, rest })
            }
            _ => None,
        };
        self.interference.add_argument(child, &seen);
        for counter in counters {
            let value = self.value(state, &Operand::Reg(counter));
            self.interference.add_start(child, counter, value.as_number().unwrap_or(Interval::TOP));
        }
    }

    /// One more thread of the template is running.
    fn count(&mut self, state: &mut State, child: TemplateId) {
        for other in state.alive.keys() {
            self.interference.add_together(child, *other);
        }
        let many = state.alive.contains_key(&child);
        state.alive.insert(child, if many { Alive::Many } else { Alive::One });
        state.started.insert(child);
        let counters = self.interference.template(child).counters.keys();
        state.used.extend(counters.map(|counter| (child, *counter)));
    }

    /// There will be one more thread of the template, and what named the others is no longer one's id.
    fn expect_id(&self, state: &mut State, child: TemplateId) {
        state.forget_tags(|tag| *tag == Tag::Thread(child));
        let counts = !self.interference.template(child).counters.is_empty();
        let kept = match state.kept.get(&child) {
            None if counts => Kept::In { slice: None, pending: true },
            Some(Kept::In { slice, pending: false }) => Kept::In { slice: *slice, pending: true },
            _ => Kept::Lost,
        };
        state.kept.insert(child, kept);
    }

    pub fn join(&mut self, state: &mut State, dst: Reg, thread: &Operand) {
        self.hold_none(state, "a thread is joined while a lock may be held");
        match self.value(state, thread).tag {
            Some(Tag::Thread(template)) if state.alive.get(&template) == Some(&Alive::One) => {
                state.alive.remove(&template);
                state.kept.remove(&template);
                // Where it may have failed, too, it is not known any more what the id names.
                state.forget_tags(|tag| *tag == Tag::Thread(template));
                self.note_taken(template);
            }
            Some(Tag::Read(slice)) => {
                self.joins.entry(self.at).or_default().insert(Some(slice));
                self.note_sweeping(slice);
            }
            _ => {
                self.joins.entry(self.at).or_default().insert(None);
                self.note_stale_id();
            }
        }
        let result = self.interference.returned.clone();
        self.assign(state, dst, result);
    }

    /// That it is done for the first time is evident if it is the last thread of its template, whose
    /// name is lost by that, or the caller.
    pub fn detach(&mut self, state: &mut State, thread: &Operand, is_new: bool) {
        match self.value(state, thread).tag {
            Some(Tag::Thread(template))
                if is_new || state.alive.get(&template) == Some(&Alive::One) =>
            {
                state.forget_tags(|tag| *tag == Tag::Thread(template));
                state.kept.insert(template, Kept::Lost);
                self.note_taken(template);
            }
            Some(Tag::Itself) if self.graph.innermost[self.at.0.index()].is_none() => {
                if self.logging {
                    self.log.self_detaches.entry(self.template).or_default().insert(self.span);
                }
            }
            _ => self.note_stale_id(),
        }
    }

    /// Threads of this template are joined or detached, each once.
    fn note_taken(&mut self, template: TemplateId) {
        if self.logging {
            self.log.taken.insert(template);
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
                self.log.sweeping.push((self.template, looping.head, slice, self.span));
            }
            None => self.note_stale_id(),
        }
    }

    /// A thread returns or exits; its own objects end with it, unless the process does.
    pub fn thread_ends(&mut self, state: &mut State, value: &Value, process: bool) {
        self.blocks_end(state);
        if process {
            return;
        }
        self.hold_none(state, "a thread may end with a lock that it holds");
        self.interference.add_returned(value);
        let own = |region: &&Region| matches!(**region, Region::Slot(c, _) | Region::ThreadLocal(c, _) if c == self.template);
        let ending: Vec<Region> = self.interference.users.keys().filter(own).copied().collect();
        for region in ending {
            self.ends(state, region, Ownership::Own);
        }
    }

    /// A counter is about to change.
    pub fn next_round(&mut self, state: &mut State, counter: Reg) {
        let interference = &self.interference;
        state.used.retain(|(_, other)| *other != counter);
        for (template, kept) in &mut state.kept {
            let counts = interference.template(*template).counters.contains_key(&counter);
            if counts && matches!(kept, Kept::In { pending: true, .. }) {
                *kept = Kept::Lost;
            }
        }
    }

    /// On the way out of a loop that has joined all threads of a template, none is running.
    pub fn leave_loop(&mut self, from: BlockId, to: BlockId, state: &mut State) {
        let Some(looping) = self.graph.loop_of_head(from) else { return };
        let Some(sweep) = looping.sweep.filter(|s| s.exit == to) else { return };
        let Some(found) = self.interference.sweeps.get(&(self.template, from)) else { return };
        if looping.parent.is_some() || !self.interference.template(self.template).single {
            return;
        }
        let joined = |(template, kept): (&TemplateId, &Kept)| match kept {
            Kept::In { slice: Some(slice), pending: false } => {
                let read = Slice { counter: sweep.counter, ..*slice };
                self.sweeps_all(*template, *slice, from, sweep, found).then_some((*template, read))
            }
            _ => None,
        };
        let gone: Vec<(TemplateId, Slice)> = state.kept.iter().filter_map(joined).collect();
        for (template, read) in gone {
            state.alive.remove(&template);
            state.kept.remove(&template);
            self.note_taken(template);
            if self.logging {
                self.log.swept.insert((self.template, from, read));
            }
        }
    }

    fn sweeps_all(
        &self,
        template: TemplateId,
        ids: Slice,
        head: BlockId,
        sweep: Sweep,
        found: &Sweeping,
    ) -> bool {
        let child = self.interference.template(template);
        let Some(start) = child.bound else { return false };
        let Some(first) = child.counters.get(&ids.counter) else { return false };
        let steady = |reg: Reg| !self.interference.unsteady.contains(&(self.template, reg));
        let read = Slice { counter: sweep.counter, ..ids };
        let goes_on = |s: Sweep| (s.bound, s.ty, s.inclusive);
        child.around != Some(head)
            && child.parent == self.template
            && start.counter == ids.counter
            && goes_on(start) == goes_on(sweep)
            && steady(start.counter)
            && steady(sweep.counter)
            && found.slices.contains(&read)
            && found.from.hi <= first.lo
            && !self.interference.is_shared(ids.region)
            && self.interference.is_one_object(ids.region)
    }

    /// After the walk: which loops join something in each iteration?
    pub fn find_sweeps(&mut self) {
        for looping in &self.graph.loops {
            let Some(sweep) = looping.sweep else { continue };
            let mut slices = BTreeSet::new();
            for (at, found) in &self.joins {
                let [Some(slice)] = found.iter().copied().collect::<Vec<_>>()[..] else { continue };
                let first = self.graph.before_step(looping, sweep.counter, *at);
                if first && looping.every_round.contains(&at.0) {
                    slices.insert(slice);
                }
            }
            if slices.is_empty() {
                self.interference.no_sweep(self.template, looping.head);
                continue;
            }
            let outside = |b: &&BlockId| !looping.body.contains(b);
            let before = self.graph.cfg.preds[looping.head.index()].iter().filter(outside);
            let from = before.filter_map(|b| self.at_end(*b, sweep.counter)).reduce(Interval::hull);
            let from = from.unwrap_or(Interval::TOP);
            self.interference.set_sweep(self.template, looping.head, Sweeping { slices, from });
        }
    }

    /// What a register holds when the block is left.
    fn at_end(&self, block: BlockId, reg: Reg) -> Option<Interval> {
        let states = self.exits.get(&block)?;
        let number = |state: &State| state.reg(reg).as_number().unwrap_or(Interval::TOP);
        states.iter().map(number).reduce(Interval::hull)
    }
}
