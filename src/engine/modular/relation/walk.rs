//! One template of threads as a formula: all its ways through its graph, loops cut open.
//!
//! Registers, guarded and frozen cells and the locks held are terms; all other memory may hold
//! anything (within what the interval analysis found for the load). At the head of a loop everything
//! that the loop may change becomes anything, and a way that comes back to a head ends there. So each
//! block is walked once, and what is true at the end of all ways is true for any number of iterations.
//!
//! Blocks, loads and stores that the interval analysis does not reach are not reached here either.

use super::guards::{Cell, CellId, Guards, Of};
use super::houdini::{Marks, Obligation, Wrong};
use super::state::{FREE, HELD_BITS, RelationalState};
use crate::engine::modular::flat::Graph;
use crate::engine::modular::interference::Interference;
use crate::engine::modular::interval::Interval;
use crate::engine::modular::log::{Log, Site, Touch};
use crate::engine::modular::question::Unclear;
use crate::engine::modular::value::{Region, TemplateId};
use crate::engine::modular::words;
use encoder::{Pool, Sort, Term, arith};
use ir::types::Scalar;
use ir::walk::operand_type;
use ir::*;
use std::collections::BTreeMap;

/// What is walked, for all templates the same.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub interference: &'a Interference<'a>,
    pub log: &'a Log,
    pub guards: &'a Guards,
}

pub struct RelationalWalk<'a> {
    pub view: View<'a>,
    pub pool: &'a mut Pool,
    pub marks: &'a mut Marks,
    pub checks: &'a mut Vec<Obligation>,
    pub template: TemplateId,
    pub function: &'a Function,
    pub graph: &'a Graph,
    /// The instruction at work.
    pub site: Site,
    pub span: Span,
    /// What arrives at a block, so far.
    arrived: Vec<Option<RelationalState>>,
    /// How locks are held whenever a loop's head is passed, for those that the loop uses.
    pub held_at: BTreeMap<BlockId, Vec<(usize, Term)>>,
}

impl<'a> RelationalWalk<'a> {
    pub fn new(
        view: View<'a>,
        template: TemplateId,
        pool: &'a mut Pool,
        marks: &'a mut Marks,
        checks: &'a mut Vec<Obligation>,
    ) -> Result<RelationalWalk<'a>, Unclear> {
        let root = view.interference.template(template).root;
        let function = &view.interference.flat.program.functions[root.index()];
        let graph = view.interference.graph(template);
        let graph = graph.ok_or_else(|| Unclear::new("no graph", function.span))?;
        Ok(RelationalWalk {
            view,
            pool,
            marks,
            checks,
            template,
            function,
            graph,
            site: (template, BlockId(0), 0),
            span: function.span,
            arrived: vec![None; function.blocks.len()],
            held_at: BTreeMap::new(),
        })
    }

    pub fn run(&mut self) -> Result<(), Unclear> {
        let start = self.start();
        self.arrived[0] = Some(start);
        let graph: &'a Graph = self.graph;
        for block in &graph.cfg.order {
            if let Some(mut state) = self.arrived[block.index()].take() {
                if graph.loop_of_head(*block).is_some() {
                    self.enter_loop(*block, &mut state)?;
                }
                self.block(*block, state)?;
            }
        }
        Ok(())
    }

    fn start(&mut self) -> RelationalState {
        let main = self.template == TemplateId::MAIN;
        let cells: Vec<Option<u64>> =
            self.view.guards.cells.iter().map(|c| self.at_start(c)).collect();
        let cells = self.view.guards.cells.iter().zip(cells).map(|(cell, first)| {
            let width = (cell.size * 8) as u8;
            match first {
                Some(bits) => self.pool.bits(bits, width),
                None => self.pool.fresh(Sort::Bits(width)),
            }
        });
        let cells = cells.collect();
        let free = self.pool.bits(FREE, HELD_BITS);
        let mut state = RelationalState {
            guard: self.pool.bool(true),
            regs: BTreeMap::new(),
            cells,
            held: vec![free; self.view.guards.exclusions.len()],
            shared: self.pool.bool(!main),
            depth: 0,
        };
        if !main {
            self.frozen_at_start(&mut state);
        }
        for (i, param) in self.function.params.iter().enumerate() {
            let arg =
                self.view.interference.template(self.template).arg.as_number().filter(|_| i == 0);
            let arg = if main { None } else { arg };
            let value = self.any_in(&mut state, self.function.regs[param.index()].ty, arg);
            state.regs.insert(*param, value);
        }
        state
    }

    /// What the cell holds when the thread starts, if that is known.
    fn at_start(&self, cell: &Cell) -> Option<u64> {
        match cell.of {
            Of::Ghost(ghost) => self.ghost_at_start(ghost),
            _ if self.template == TemplateId::MAIN => {
                first(&self.view.interference.flat.program, cell)
            }
            _ => None,
        }
    }

    /// The cells in a slot of this template.
    pub fn in_slot(&self, slot: SlotId) -> Vec<CellId> {
        let here = Region::Slot(self.template, slot);
        let cells = self.view.guards.cells();
        cells.filter(|(_, cell)| cell.region() == Some(here)).map(|(id, _)| id).collect()
    }

    fn block(&mut self, block: BlockId, mut state: RelationalState) -> Result<(), Unclear> {
        let function: &'a Function = self.function;
        let code = &function.blocks[block.index()];
        for (i, inst) in code.insts.iter().enumerate() {
            (self.site, self.span) = ((self.template, block, i), inst.span);
            self.inst(&mut state, &inst.kind);
            if state.is_dead(self.pool) {
                return Ok(());
            }
        }
        (self.site, self.span) = ((self.template, block, code.insts.len()), code.end_span);
        self.end(state, code)
    }

    fn end(&mut self, state: RelationalState, code: &Block) -> Result<(), Unclear> {
        match &code.end {
            Terminator::Goto(to) => self.go(*to, state),
            Terminator::Branch { cond, then, otherwise } => {
                let mut state = state;
                let truth = self.truth(&mut state, cond);
                let (mut yes, mut no) = (state.clone(), state);
                yes.assume(self.pool, truth);
                let opposite = self.pool.not(truth);
                no.assume(self.pool, opposite);
                self.go(*then, yes)?;
                self.go(*otherwise, no)
            }
            Terminator::Switch { value, cases, default } => {
                let mut rest = state;
                let value = self.operand(&mut rest, value);
                for (bits, to) in cases {
                    let bits = self.pool.bits(*bits, self.pool.width(value));
                    let is = self.pool.eq(value, bits);
                    let mut way = rest.clone();
                    way.assume(self.pool, is);
                    let other = self.pool.not(is);
                    rest.assume(self.pool, other);
                    self.go(*to, way)?;
                }
                self.go(*default, rest)
            }
            Terminator::Return(_) => {
                // The first thread ends all.
                if self.template != TemplateId::MAIN {
                    self.thread_ends(&state);
                }
                Ok(())
            }
            Terminator::ExitThread(_) => {
                self.thread_ends(&state);
                Ok(())
            }
            Terminator::Stop(Stop::Bound(_)) => Err(Unclear::new("recursion", self.span)),
            Terminator::Stop(_) => Ok(()),
        }
    }

    fn go(&mut self, to: BlockId, state: RelationalState) -> Result<(), Unclear> {
        let reached = self.view.log.ranges.contains_key(&(self.template, to));
        if state.is_dead(self.pool) || !reached {
            return Ok(());
        }
        let from = self.site.1;
        if self.graph.loop_of_head(to).is_some_and(|l| l.body.contains(&from)) {
            self.close_loop(to, &state);
            return Ok(());
        }
        if self.graph.cfg.place(to) <= self.graph.cfg.place(from) {
            return Err(Unclear::new("a loop with several entries", self.span));
        }
        let arrived = match self.arrived[to.index()].take() {
            None => state,
            Some(before) => before.merged(self.pool, state, self.graph.live.at_start(to)),
        };
        self.arrived[to.index()] = Some(arrived);
        Ok(())
    }

    fn inst(&mut self, state: &mut RelationalState, kind: &InstKind) {
        match kind {
            InstKind::Assign { dst, value } => {
                let value = self.rvalue(state, value);
                state.regs.insert(*dst, value);
            }
            InstKind::Load { dst, ty, .. } => self.load(state, *dst, *ty),
            InstKind::Store { value, .. } => {
                let value = self.operand(state, value);
                self.store(state, value);
            }
            InstKind::Call { dst, .. } => self.call(state, *dst),
            InstKind::Nondet { dst, ty, bits, .. } => {
                let width = self.width(*ty);
                let any = self.pool.fresh(Sort::Bits((*bits).clamp(1, width)));
                let any = self.pool.zero_ext(any, width);
                state.regs.insert(*dst, any);
            }
            InstKind::Assume(cond) | InstKind::Wait(cond) => {
                let truth = self.truth(state, cond);
                state.assume(self.pool, truth);
            }
            InstKind::Error { .. } => {
                if self.view.log.error_sites.contains(&self.site) {
                    self.check(state.guard, Wrong::Error(self.span));
                }
            }
            InstKind::Spawn { dst, place, .. } => {
                if place.is_some()
                    && let Some(touches) = self.touches()
                {
                    self.overwrite(state, touches, None);
                }
                self.spawn(state);
                self.forget(state, *dst);
            }
            InstKind::Join { dst, .. }
            | InstKind::Ended { dst, .. }
            | InstKind::ThreadSelf { dst }
            | InstKind::ObjectSize { dst, .. } => self.forget(state, *dst),
            InstKind::Alloc { dst, .. } => {
                let always = self.pool.bool(true);
                let site = self.site;
                for (cell, _) in self.view.guards.cells().filter(|(_, c)| c.is_made_at(site)) {
                    state.havoc_cell(self.pool, cell.0, always);
                }
                self.forget(state, *dst);
            }
            InstKind::SlotLive(slot) | InstKind::SlotDead(slot) => {
                for cell in self.in_slot(*slot) {
                    let always = self.pool.bool(true);
                    state.havoc_cell(self.pool, cell.0, always);
                }
            }
            InstKind::AtomicBegin { .. } => self.begin_step(state),
            InstKind::AtomicEnd => self.end_step(state),
            InstKind::Fence { .. } | InstKind::Free { .. } | InstKind::SlotConst { .. } => {}
            InstKind::Unsupported { .. } | InstKind::Undefined { .. } => {
                self.check(state.guard, Wrong::Error(self.span));
            }
        }
    }

    /// The places that the instruction may touch; none if no execution gets there.
    fn touches(&self) -> Option<&'a [Touch]> {
        self.view.log.sites.get(&self.site).map(Vec::as_slice)
    }

    fn load(&mut self, state: &mut RelationalState, dst: Reg, ty: Scalar) {
        let Some(touches) = self.touches() else {
            state.guard = self.pool.bool(false);
            return;
        };
        self.quiet(state, touches);
        let mut value = self.pool.fresh(Sort::Bits(self.width(ty)));
        if let Some(cell) = self.view.guards.exactly(touches) {
            let guarded = self.view.guards.cells[cell.0].is_guarded();
            if guarded {
                self.begin_step(state);
            }
            let stable = self.is_stable(state, cell);
            value = self.pool.ite(stable, state.cells[cell.0], value);
            if guarded {
                self.end_look(state);
            }
        }
        if let Some(Some(found)) = self.view.log.found.get(&self.site) {
            self.assume_in(state, value, ty, *found);
        }
        state.regs.insert(dst, value);
    }

    fn store(&mut self, state: &mut RelationalState, value: Term) {
        let Some(touches) = self.touches() else {
            state.guard = self.pool.bool(false);
            return;
        };
        self.overwrite(state, touches, Some(value));
    }

    /// Something is written: a value that is known, or any.
    fn overwrite(&mut self, state: &mut RelationalState, touches: &[Touch], value: Option<Term>) {
        self.quiet(state, touches);
        let exactly = self.view.guards.exactly(touches);
        let met = self.view.guards.met(touches);
        let guarded = met.iter().any(|cell| self.view.guards.cells[cell.0].is_guarded());
        if guarded {
            self.begin_step(state);
        }
        for cell in met {
            self.check_write(state, cell);
            match value {
                Some(value) if exactly == Some(cell) => {
                    state.cells[cell.0] = value;
                    self.count_store(state);
                }
                _ => {
                    let always = self.pool.bool(true);
                    state.havoc_cell(self.pool, cell.0, always);
                }
            }
        }
        if guarded {
            self.end_step(state);
        }
        for lock in self.view.guards.met_locks(touches) {
            self.check_untaken(state, lock);
        }
    }

    fn call(&mut self, state: &mut RelationalState, dst: Option<Reg>) {
        let result = match self.view.log.syncs.get(&self.site) {
            Some(sync) => {
                let touches = self.touches().unwrap_or(&[]);
                self.quiet(state, touches);
                self.sync(state, *sync)
            }
            None => None,
        };
        let Some(dst) = dst else { return };
        match result {
            Some(result) => {
                let width = self.width(self.function.regs[dst.index()].ty);
                let result = arith::resize(self.pool, result, width, true);
                state.regs.insert(dst, result);
            }
            None => self.forget(state, dst),
        }
    }

    pub fn check(&mut self, bad: Term, wrong: Wrong) {
        if !self.pool.is_false(bad) {
            self.checks.push(Obligation { bad, wrong });
        }
    }

    fn forget(&mut self, state: &mut RelationalState, reg: Reg) {
        let any = self.any(self.function.regs[reg.index()].ty);
        state.regs.insert(reg, any);
    }
}

/// What the cell holds when the program starts.
pub fn first(program: &Program, cell: &Cell) -> Option<u64> {
    let Of::Bytes { region: Region::Object(id), offset } = cell.of else { return None };
    let object = &program.objects[id.index()];
    let from = usize::try_from(offset).ok()?;
    let byte = |i: usize| u64::from(object.bytes.get(from + i).copied().unwrap_or(0)) << (8 * i);
    let bits = (0..cell.size as usize).map(byte).fold(0, |all, b| all | b);
    (object.kind == ObjectKind::Global && object.relocations.is_empty()).then_some(bits)
}

/// Values.
impl RelationalWalk<'_> {
    pub fn width(&self, ty: Scalar) -> u8 {
        ty.bits(self.view.interference.flat.program.machine)
    }

    pub fn any(&mut self, ty: Scalar) -> Term {
        let sort = Sort::Bits(self.width(ty));
        self.pool.fresh(sort)
    }

    pub fn any_in(
        &mut self,
        state: &mut RelationalState,
        ty: Scalar,
        range: Option<Interval>,
    ) -> Term {
        let value = self.any(ty);
        if let Some(range) = range {
            self.assume_in(state, value, ty, range);
        }
        value
    }

    /// The interval analysis knows the value.
    fn assume_in(&mut self, state: &mut RelationalState, value: Term, ty: Scalar, range: Interval) {
        let machine = self.view.interference.flat.program.machine;
        if let Some(fact) = words::within(self.pool, machine, value, ty, range) {
            state.assume(self.pool, fact);
        }
    }

    fn operand(&mut self, state: &mut RelationalState, operand: &Operand) -> Term {
        match operand {
            Operand::Const { bits, ty } => {
                let width = self.width(*ty);
                self.pool.bits(*bits, width)
            }
            Operand::Reg(reg) => match state.regs.get(reg) {
                Some(value) => *value,
                None => {
                    self.forget(state, *reg);
                    state.regs[reg]
                }
            },
            _ => self.any(Scalar::Ptr),
        }
    }

    fn truth(&mut self, state: &mut RelationalState, cond: &Operand) -> Term {
        if operand_type(self.function, cond).is_float() {
            return self.pool.fresh(Sort::Bool);
        }
        let value = self.operand(state, cond);
        self.pool.truth(value)
    }

    fn rvalue(&mut self, state: &mut RelationalState, value: &Rvalue) -> Term {
        let machine = self.view.interference.flat.program.machine;
        let operands = words::operands(value).map(|o| o.map(|o| self.operand(state, o)));
        let computed = words::rvalue(
            self.pool,
            machine,
            value,
            operands,
            self.view.interference.question.overflow_ends,
        );
        if let Some(defined) = computed.defined {
            // Division by zero ends the execution, overflow may.
            state.assume(self.pool, defined);
        }
        computed.value
    }
}
