//! Actions: from a location through everything that others cannot notice, one step that they can,
//! and on to the next location.
//!
//! What may stand before that step are movers to the right: steps on what is the thread's own, the
//! thread's start, joins. What may stand behind it are movers to the left: starting a thread, the
//! thread's end. (Lipton: Reduction, CACM 1975.)

use super::guess::{Instance, Key, Maker};
use super::sym::{Flow, Goal, Sym};
use super::thread::ThreadBuild;
use super::{Build, Refusal};
use crate::system::{InputVariable, SourcePoint, ThreadId};
use encoder::{Sort, Term, arith};
use ir::*;

/// Steps of one action.
const MAX_STEPS: usize = 20_000;
/// Steps without a location while nothing is undecided.
const CONCRETE: usize = 8_000;
/// Threads of a system.
const MAX_THREADS: usize = 1_100;

type Done<T = Flow> = Result<T, Refusal>;

impl<'a> Build<'a> {
    /// All actions of a location.
    pub fn explore(&mut self, thread: &mut ThreadBuild, at: usize) -> Result<(), Refusal> {
        let known = thread.known[at].clone().unwrap_or_default();
        let place = thread.places[at];
        let mut sym = Sym::new(&mut self.pool, thread.index, known);
        thread.begin(at);
        if at == 0 && thread.index > 0 {
            let started = self.var(Key::Started(thread.index));
            let started = self.pool.truth(started);
            sym.assume(&mut self.pool, started);
        }
        let mut open = vec![(sym, place.block, place.index)];
        while let Some((sym, block, index)) = open.pop() {
            self.path(thread, sym, block, index, &mut open)?;
            if thread.outcomes() > self.max_paths() {
                return Err(self.too_many_paths(thread));
            }
        }
        Ok(())
    }

    fn max_paths(&self) -> usize {
        if self.guess.cut_at_joins { 600 } else { 120 }
    }

    fn too_many_paths(&mut self, thread: &ThreadBuild) -> Refusal {
        let span = self.function(thread.index).span;
        if self.guess.cut_at_joins {
            return Refusal::new("too many paths between two steps of a thread", span);
        }
        self.guess.cut_at_joins = true;
        self.guess.changed = true;
        Refusal::again()
    }

    /// One path to its end; what branches off is put on the list.
    fn path(
        &mut self,
        thread: &mut ThreadBuild,
        mut sym: Sym,
        mut block: BlockId,
        mut index: usize,
        open: &mut Vec<(Sym, BlockId, usize)>,
    ) -> Result<(), Refusal> {
        let function: &'a Function = self.function(thread.index);
        loop {
            sym.steps += 1;
            let code = &function.blocks[block.index()];
            let place = SourcePoint { function: thread.function, block, index };
            self.at = code.at(index);
            if sym.steps > MAX_STEPS {
                return Err(Refusal::new("a loop inside of an atomic block", self.at.span));
            }
            let flow = match code.insts.get(index) {
                Some(inst) => self.inst(thread, &mut sym, place, &inst.kind)?,
                None => match self.end(thread, &mut sym, place, &code.end, open)? {
                    Jump::To(next) => {
                        if self.stops_at(thread, &mut sym, next) {
                            let place = SourcePoint { block: next, index: 0, ..place };
                            self.emit(thread, sym, Goal::At(place));
                            return Ok(());
                        }
                        (block, index) = (next, 0);
                        continue;
                    }
                    Jump::Flow(flow) => flow,
                },
            };
            if sym.is_dead(&self.pool) {
                return Ok(());
            }
            match flow {
                Flow::Next => {
                    index += 1;
                    continue;
                }
                Flow::Stop => {
                    // Not done any more.
                    sym.steps -= 1;
                    self.emit(thread, sym, Goal::At(place));
                }
                Flow::End => self.emit(thread, sym, Goal::End),
                Flow::Dead => thread.partial(),
                Flow::Gone => self.gone(thread, sym),
            }
            return Ok(());
        }
    }

    /// The thread goes no further: for good, or since the process ends next. What it has done others
    /// may see, unless it is inside of an atomic block.
    pub fn gone(&mut self, thread: &mut ThreadBuild, sym: Sym) {
        if self.config.ends {
            self.emit(thread, sym, Goal::Stuck);
        } else if sym.depth > 0 || sym.mem.is_empty() {
            thread.partial();
        } else {
            self.emit(thread, sym, Goal::Stuck);
        }
    }

    /// Does a path that gets to this block end there?
    pub(crate) fn stops_at(&mut self, thread: &ThreadBuild, sym: &mut Sym, block: BlockId) -> bool {
        let graph = &self.graphs[&thread.function];
        let head = graph.heads.contains(&block);
        if sym.depth > 0 {
            return false;
        }
        if self.guess.cut_at_joins && (head || graph.joins.contains(&block)) && !sym.alone() {
            return true;
        }
        if !head {
            return false;
        }
        let again = sym.heads.contains(&block);
        sym.heads.push(block);
        again && (sym.forked || sym.steps > CONCRETE)
    }

    fn inst(
        &mut self,
        thread: &mut ThreadBuild,
        sym: &mut Sym,
        place: SourcePoint,
        kind: &InstKind,
    ) -> Done {
        match kind {
            InstKind::Assign { dst, value } => {
                let value = self.rvalue(thread, sym, value);
                sym.regs.insert(*dst, value);
            }
            InstKind::Load { dst, addr, ty, .. } => return self.load(thread, sym, *dst, addr, *ty),
            InstKind::Store { addr, value, ty, .. } => {
                let value = self.operand(sym, value);
                return self.store(thread, sym, addr, value, *ty);
            }
            InstKind::SlotLive(slot) => return self.slot(thread, sym, place, *slot, true),
            InstKind::SlotDead(slot) => return self.slot(thread, sym, place, *slot, false),
            InstKind::SlotConst { slot, constant } => return Ok(self.fix(sym, *slot, *constant)),
            InstKind::Fence { .. } => {}
            InstKind::Call { dst, callee, .. } => self.call(thread, sym, *dst, callee)?,
            InstKind::Nondet { dst, ty, bits, .. } => {
                let width = self.bits_of(*ty);
                let any = self.pool.fresh(Sort::Bits((*bits).clamp(1, width)));
                sym.trail.inputs.push(InputVariable::Value(any));
                let any = self.pool.zero_ext(any, width);
                sym.regs.insert(*dst, any);
            }
            InstKind::Assume(cond) => {
                let holds = self.truth(sym, cond);
                let mut stopped = sym.clone();
                let fails = self.pool.not(holds);
                stopped.assume(&mut self.pool, fails);
                if !stopped.is_dead(&self.pool) {
                    self.gone(thread, stopped);
                }
                sym.assume(&mut self.pool, holds);
            }
            InstKind::Wait(cond) => {
                let holds = self.truth(sym, cond);
                sym.assume(&mut self.pool, holds);
                thread.partial();
            }
            InstKind::Error { what } => {
                if self.config.errors {
                    self.emit(thread, sym.clone(), Goal::Error(what.clone()));
                    return Ok(Flow::Dead);
                }
                return Ok(Flow::Gone);
            }
            InstKind::AtomicBegin { .. } => {
                if sym.depth == 0 && !sym.alone() {
                    if sym.visible {
                        return Ok(Flow::Stop);
                    }
                    sym.visible = true;
                }
                sym.depth += 1;
            }
            InstKind::AtomicEnd => sym.depth = sym.depth.saturating_sub(1),
            InstKind::Spawn { dst, place: at, function, arg } => {
                return self.spawn(thread, sym, place, *dst, at.as_ref(), function, arg);
            }
            InstKind::Join { dst, thread: id } => return self.join(thread, sym, *dst, id),
            InstKind::Ended { dst, thread: id } => return self.ended(thread, sym, *dst, id),
            InstKind::ThreadSelf { dst } => {
                let width = self.reg_width(sym.thread, *dst);
                let id = self.id_of(sym.thread, width);
                sym.regs.insert(*dst, id);
            }
            InstKind::Alloc { dst, size, zeroed, storage } => {
                return self.alloc(thread, sym, place, *dst, size, *zeroed, *storage);
            }
            InstKind::Free { ptr, .. } => return self.free(thread, sym, ptr),
            InstKind::ObjectSize { dst, ptr } => return self.object_size(thread, sym, *dst, ptr),
            InstKind::Unsupported { what } => {
                self.doubt(thread, sym, what);
                return Ok(Flow::Dead);
            }
            InstKind::Undefined { misuse } => {
                self.doubt(thread, sym, misuse.words());
                return Ok(Flow::Dead);
            }
        }
        Ok(Flow::Next)
    }

    /// The path leads to what is not modelled.
    pub fn doubt(&mut self, thread: &mut ThreadBuild, sym: &Sym, what: &str) {
        self.emit(thread, sym.clone(), Goal::Doubt(what.into()));
    }

    /// Where this holds, the path leads to what is not modelled; it goes on where it does not.
    pub(crate) fn doubt_if(
        &mut self,
        thread: &mut ThreadBuild,
        sym: &mut Sym,
        bad: Term,
        what: &str,
    ) {
        let mut way = sym.clone();
        way.assume(&mut self.pool, bad);
        if !way.is_dead(&self.pool) {
            self.doubt(thread, &way, what);
        }
        let good = self.pool.not(bad);
        sym.assume(&mut self.pool, good);
    }

    /// The same for what C does not define: the thread may stop there instead.
    pub(crate) fn undefined_if(
        &mut self,
        thread: &mut ThreadBuild,
        sym: &mut Sym,
        bad: Term,
        what: &str,
    ) {
        if !self.config.undefined_ends {
            return self.doubt_if(thread, sym, bad, what);
        }
        if self.stops_if(thread, sym, bad) {
            self.undefined.insert((self.at.span, what.into()));
        }
    }

    /// Where this holds, the thread goes no further; can that be?
    pub(crate) fn stops_if(&mut self, thread: &mut ThreadBuild, sym: &mut Sym, bad: Term) -> bool {
        let mut stopped = sym.clone();
        stopped.assume(&mut self.pool, bad);
        let stops = !stopped.is_dead(&self.pool);
        if stops {
            self.gone(thread, stopped);
        }
        let good = self.pool.not(bad);
        sym.assume(&mut self.pool, good);
        stops
    }

    fn call(
        &mut self,
        thread: &ThreadBuild,
        sym: &mut Sym,
        dst: Option<Reg>,
        callee: &Callee,
    ) -> Result<(), Refusal> {
        let Callee::Direct(id) = callee else {
            return Err(Refusal::new("a call through a pointer", self.at.span));
        };
        if self.program.functions[id.index()].has_body() {
            return Err(Refusal::new("a call that is not inlined", self.at.span));
        }
        self.bodiless.insert((*id, self.at.span));
        if let Some(dst) = dst {
            let any = self.pool.fresh(Sort::Bits(self.reg_width(thread.index, dst)));
            sym.trail.inputs.push(InputVariable::Value(any));
            sym.regs.insert(dst, any);
        }
        Ok(())
    }

    fn end(
        &mut self,
        thread: &mut ThreadBuild,
        sym: &mut Sym,
        place: SourcePoint,
        end: &Terminator,
        open: &mut Vec<(Sym, BlockId, usize)>,
    ) -> Result<Jump, Refusal> {
        Ok(match end {
            Terminator::Goto(to) => Jump::To(*to),
            Terminator::Branch { cond, then, otherwise } => {
                let holds = self.truth(sym, cond);
                if self.pool.is_true(holds) {
                    return Ok(Jump::To(*then));
                }
                if self.pool.is_false(holds) {
                    return Ok(Jump::To(*otherwise));
                }
                sym.forked = true;
                let mut other = sym.clone();
                let fails = self.pool.not(holds);
                other.assume(&mut self.pool, fails);
                self.fork(thread, other, place, *otherwise, open);
                sym.assume(&mut self.pool, holds);
                Jump::To(*then)
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.operand(sym, value);
                for (bits, to) in cases {
                    let bits = self.pool.bits(*bits, self.pool.width(value));
                    let is = self.pool.eq(value, bits);
                    if self.pool.is_true(is) {
                        return Ok(Jump::To(*to));
                    }
                    if self.pool.is_false(is) {
                        continue;
                    }
                    sym.forked = true;
                    let mut way = sym.clone();
                    way.assume(&mut self.pool, is);
                    self.fork(thread, way, place, *to, open);
                    let other = self.pool.not(is);
                    sym.assume(&mut self.pool, other);
                }
                Jump::To(*default)
            }
            // The first thread's return ends the process.
            Terminator::Return(_) if thread.index == 0 => Jump::Flow(Flow::Gone),
            Terminator::Return(value) => {
                let value = value.map(|v| self.operand(sym, &v));
                Jump::Flow(self.thread_ends(sym, value))
            }
            Terminator::ExitThread(value) => {
                let value = self.operand(sym, value);
                Jump::Flow(self.thread_ends(sym, Some(value)))
            }
            Terminator::Stop(Stop::Bound(_)) => {
                self.doubt(thread, sym, "recursion");
                Jump::Flow(Flow::Dead)
            }
            Terminator::Stop(_) => Jump::Flow(Flow::Gone),
        })
    }

    fn fork(
        &mut self,
        thread: &mut ThreadBuild,
        mut sym: Sym,
        place: SourcePoint,
        to: BlockId,
        open: &mut Vec<(Sym, BlockId, usize)>,
    ) {
        if sym.is_dead(&self.pool) {
            return;
        }
        if self.stops_at(thread, &mut sym, to) {
            self.emit(thread, sym, Goal::At(SourcePoint { block: to, index: 0, ..place }));
        } else {
            open.push((sym, to, 0));
        }
    }
}

pub enum Jump {
    To(BlockId),
    Flow(Flow),
}

/// Threads.
impl Build<'_> {
    fn thread_ends(&mut self, sym: &mut Sym, value: Option<Term>) -> Flow {
        let own: Vec<Key> = (self.guess.objects.iter().enumerate())
            .filter(|(_, o)| matches!(o.maker, Maker::Slot(t, _) if t == sym.thread))
            .map(|(i, _)| Key::Alive(super::guess::ObjIndex(i)))
            .collect();
        let noticed = own.iter().any(|key| self.noticeable(sym, *key));
        if self.has_ended || noticed {
            if sym.visible && sym.depth == 0 {
                return Flow::Stop;
            }
            sym.visible = true;
        }
        let (zero, one) = (self.pool.bits(0, 1), self.pool.bits(1, 1));
        for key in own {
            self.write(sym, key, zero);
        }
        self.cell(Key::Ended(sym.thread));
        sym.mem.insert(Key::Ended(sym.thread), one);
        if let Some(value) = value {
            let width = self.pointer_bits();
            let value = arith::resize(&mut self.pool, value, width, false);
            self.write(sym, Key::Result(sym.thread), value);
        }
        Flow::End
    }

    pub fn id_of(&mut self, thread: usize, width: u8) -> Term {
        if thread == 0 {
            return self.pool.bits(1, width);
        }
        match self.guess.ids.get(&thread).and_then(|same| same.number()) {
            Some(id) if !self.guess.dynamic_ids => self.pool.bits(id, width),
            _ => {
                let id = self.var(Key::Id(thread));
                arith::resize(&mut self.pool, id, width, false)
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn spawn(
        &mut self,
        thread: &mut ThreadBuild,
        sym: &mut Sym,
        at: SourcePoint,
        dst: Reg,
        place: Option<&Operand>,
        function: &Operand,
        arg: &Operand,
    ) -> Done {
        if self.graphs[&thread.function].looping.contains(&at.block) {
            return Err(Refusal::new(
                "threads are started in a loop without a bound",
                self.at.span,
            ));
        }
        let function = self.operand(sym, function);
        let function = self.pool.constant(function).and_then(|a| self.function_at(a));
        let Some(function) = function.filter(|f| self.program.functions[f.index()].has_body())
        else {
            return Err(Refusal::new("a thread whose function is not known", self.at.span));
        };
        let new =
            self.guess.instance(Instance { function, by: Some((sym.thread, at.block, at.index)) });
        if new >= MAX_THREADS {
            return Err(Refusal::new("too many threads", self.at.span));
        }
        if self.guess.dynamic_ids && !sym.alone() {
            if sym.visible && sym.depth == 0 {
                return Ok(Flow::Stop);
            }
        }
        let width = self.reg_width(sym.thread, dst);
        let arg = self.operand(sym, arg);
        let id = self.new_id(sym, new, width);
        let place =
            place.map(|p| self.operand(sym, p)).filter(|p| self.pool.constant(*p) != Some(0));
        if let Some(place) = place {
            let before = sym.clone();
            if let Flow::Stop = self.store_at(thread, sym, (place, None), id) {
                *sym = before;
                return Ok(Flow::Stop);
            }
        }
        if sym.alone() {
            self.freeze(sym);
        }
        sym.regs.insert(dst, id);
        self.begin_thread(sym, function, new, arg, id);
        sym.trail.starts.push(ThreadId(new as u32));
        sym.started = sym.started.map(|n| n + 1);
        sym.visible = true;
        Ok(Flow::Next)
    }

    fn new_id(&mut self, sym: &mut Sym, new: usize, width: u8) -> Term {
        if !self.guess.dynamic_ids {
            let id = sym.started.filter(|_| sym.thread == 0).map(|n| n + 2);
            return self.pool.bits(id.unwrap_or(0), width);
        }
        let count = sym.mem.get(&Key::Count).copied();
        let count = count.unwrap_or_else(|| self.var(Key::Count));
        let one = self.pool.bits(1, 32);
        let id = self.pool.add(count, one);
        self.cell(Key::Count);
        self.cell(Key::Id(new));
        sym.mem.insert(Key::Count, id);
        sym.mem.insert(Key::Id(new), id);
        arith::resize(&mut self.pool, id, width, false)
    }

    fn begin_thread(&mut self, sym: &mut Sym, function: FuncId, new: usize, arg: Term, id: Term) {
        let one = self.pool.bits(1, 1);
        self.cell(Key::Started(new));
        sym.mem.insert(Key::Started(new), one);
        let numbers = [arg, id].map(|t| self.pool.constant(t));
        self.guess.start(new, numbers[0], numbers[1].filter(|n| *n > 0));
        self.keep_leaves(arg);
        let function = &self.program.functions[function.index()];
        if let Some(param) = function.params.first() {
            let key = Key::Register(new, *param);
            let width = function.regs[param.index()].ty.bits(self.program.machine);
            let arg = arith::resize(&mut self.pool, arg, width, false);
            self.cell(key);
            sym.mem.insert(key, arg);
        }
    }

    /// What the first thread has prepared, when it starts the first other one.
    fn freeze(&mut self, sym: &Sym) {
        let keys: Vec<Key> = self.guess.prepared.iter().copied().collect();
        for key in keys {
            let value = match (sym.mem.get(&key), sym.known.mem.get(&key)) {
                (Some(term), _) => self.pool.constant(*term),
                (None, Some(known)) => Some(*known),
                (None, None) if sym.fresh => {
                    let cell = self.cell(key);
                    self.cells[cell.index()].initial
                }
                _ => None,
            };
            self.guess.freeze(key, value);
        }
    }

    /// The threads that an id may mean, with the condition that it does.
    fn threads_by_id(&mut self, id: Term) -> Vec<(Term, usize)> {
        let width = self.pool.width(id);
        let mut found = Vec::new();
        for thread in 1..self.guess.instances.len() {
            let own = self.id_of(thread, width);
            let is = self.pool.eq(id, own);
            if !self.pool.is_false(is) {
                found.push((is, thread));
            }
        }
        found
    }

    /// Waits for one thread; others that it may be are paths of their own.
    fn join(&mut self, thread: &mut ThreadBuild, sym: &mut Sym, dst: Reg, id: &Operand) -> Done {
        if sym.visible && sym.depth == 0 {
            return Ok(Flow::Stop);
        }
        let id = self.operand(sym, id);
        let found = self.threads_by_id(id);
        let mut none = self.pool.bool(true);
        let (mut ended, mut joined) = (self.pool.bool(false), self.pool.bool(false));
        let mut result = self.pool.fresh(Sort::Bits(self.pointer_bits()));
        for (is, other) in &found {
            let not = self.pool.not(*is);
            none = self.pool.and(none, not);
            let [started, over, twice] =
                [Key::Started(*other), Key::Ended(*other), Key::Joined(*other)]
                    .map(|key| self.flag(sym, key));
            let early = self.pool.not(started);
            let early = self.pool.and(*is, early);
            none = self.pool.or(none, early);
            ended = self.pool.ite(*is, over, ended);
            let again = self.pool.and(*is, twice);
            joined = self.pool.or(joined, again);
            let value = match sym.mem.get(&Key::Result(*other)) {
                Some(value) => *value,
                None => self.var(Key::Result(*other)),
            };
            result = self.pool.ite(*is, value, result);
        }
        self.doubt_if(thread, sym, none, "joining what is no thread");
        self.undefined_if(thread, sym, joined, JOINED_BEFORE);
        thread.partial();
        sym.assume(&mut self.pool, ended);
        for (is, other) in found {
            let key = Key::Joined(other);
            let old = sym.mem.get(&key).copied();
            let old = old.unwrap_or_else(|| self.var(key));
            let one = self.pool.bits(1, 1);
            let new = self.pool.ite(is, one, old);
            sym.mem.insert(key, new);
        }
        let width = self.reg_width(sym.thread, dst);
        let result = arith::resize(&mut self.pool, result, width, false);
        sym.regs.insert(dst, result);
        Ok(Flow::Next)
    }

    fn flag(&mut self, sym: &Sym, key: Key) -> Term {
        let value = sym.mem.get(&key).copied();
        let value = value.unwrap_or_else(|| self.var(key));
        self.pool.truth(value)
    }

    fn ended(&mut self, thread: &mut ThreadBuild, sym: &mut Sym, dst: Reg, id: &Operand) -> Done {
        if sym.visible && sym.depth == 0 {
            return Ok(Flow::Stop);
        }
        sym.visible = true;
        let id = self.operand(sym, id);
        let mut none = self.pool.bool(true);
        let mut ended = self.pool.bool(false);
        for (is, other) in self.threads_by_id(id) {
            let [started, over] =
                [Key::Started(other), Key::Ended(other)].map(|key| self.flag(sym, key));
            let it = self.pool.and(is, started);
            let not = self.pool.not(it);
            none = self.pool.and(none, not);
            ended = self.pool.ite(is, over, ended);
        }
        let first = self.pool.bits(1, self.pool.width(id));
        let first = self.pool.eq(id, first);
        let over = self.flag(sym, Key::Ended(0));
        let ended = self.pool.ite(first, over, ended);
        let rest = self.pool.not(first);
        let none = self.pool.and(none, rest);
        self.doubt_if(thread, sym, none, "asking for what is no thread");
        let width = self.reg_width(sym.thread, dst);
        let ended = self.pool.bool_to_bits(ended, width);
        sym.regs.insert(dst, ended);
        Ok(Flow::Next)
    }
}
