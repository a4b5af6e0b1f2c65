//! One template of threads, walked through its graph until the states at all blocks are stable.
//!
//! A classical forward analysis: blocks in reverse postorder, states joined where ways meet, widened
//! at heads of loops. While it runs, effects on others go to the interference; when it is stable,
//! one more pass over all blocks writes the log. States of the first thread while it is alone are kept
//! apart from those after its first start: what it stores before it is known exactly. (Cousot and Cousot:
//! Abstract interpretation, POPL 1977; for threads: Miné: Static analysis of run-time errors in embedded real-time parallel C
//! programs, 2012.)

use super::blocks;
use super::branch;
use super::eval::Eval;
use super::flat::Graph;
use super::interference::Interference;
use super::log::{Log, Site};
use super::question::Unclear;
use super::state::State;
use super::value::{Slice, TemplateId, Value};
use ir::types::Scalar;
use ir::walk::operand_type;
use ir::*;
use std::collections::{BTreeMap, BTreeSet};

/// Instructions walked over before we give up: a few seconds at worst.
const MAX_STEPS: u64 = 1_000_000;
/// Visits of a loop's head before values are widened there.
const VISITS_BEFORE_WIDENING: u32 = 2;

pub struct Walk<'w, 'p> {
    pub interference: &'w mut Interference<'p>,
    pub template: TemplateId,
    pub function: &'p Function,
    pub graph: &'p Graph,
    pub log: &'w mut Log,
    /// States are stable: the log is written, the interference has been told.
    pub logging: bool,
    /// The instruction at work.
    pub at: (BlockId, usize),
    pub span: Span,
    steps: &'w mut u64,
    entry: [Vec<Option<State>>; 2],
    visits: [Vec<u32>; 2],
    /// What joins have read their ids from in the last pass, and the states where loops are entered.
    pub joins: BTreeMap<(BlockId, usize), BTreeSet<Option<Slice>>>,
    pub exits: BTreeMap<BlockId, Vec<State>>,
}

/// States of a block that are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum StatePart {
    Alone,
    Shared,
}

const PARTS: [StatePart; 2] = [StatePart::Alone, StatePart::Shared];

/// Does the way go on after an instruction?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    On,
    Ends,
}

impl<'w, 'p> Walk<'w, 'p> {
    pub fn new(
        interference: &'w mut Interference<'p>,
        template: TemplateId,
        log: &'w mut Log,
        steps: &'w mut u64,
    ) -> Result<Walk<'w, 'p>, Unclear> {
        let function =
            &interference.flat.program.functions[interference.template(template).root.index()];
        let Some(graph) = interference.graph(template) else {
            return Err(Unclear::new("a thread function without a body", function.span));
        };
        let blocks = function.blocks.len();
        Ok(Walk {
            interference,
            template,
            function,
            graph,
            log,
            logging: false,
            at: (BlockId(0), 0),
            span: function.span,
            steps,
            entry: [vec![None; blocks], vec![None; blocks]],
            visits: [vec![0; blocks], vec![0; blocks]],
            joins: BTreeMap::new(),
            exits: BTreeMap::new(),
        })
    }

    pub fn run(&mut self) -> Result<(), Unclear> {
        let mut start = State::default();
        if let Some(first) = self.function.params.first() {
            // A thread that is started through a pointer of another type gets the bits of the argument.
            let ty = operand_type(self.function, &Operand::Reg(*first));
            let arg = self.eval(&start).cast(
                Scalar::Ptr,
                ty,
                &self.interference.template(self.template).arg,
            );
            if self.interference.question.memory {
                start.lives = blocks::given(&arg);
            }
            start.regs.insert(*first, arg);
        }
        let part = self.part(&start);
        self.entry[part as usize][0] = Some(start);
        let mut todo = BTreeSet::from([(self.place(BlockId(0)), part)]);
        while let Some((place, part)) = todo.pop_first() {
            let block = self.graph.cfg.order[place as usize];
            for (to, state) in self.block(block, part)? {
                let part = self.part(&state);
                if self.arrive(to, part, state)? {
                    todo.insert((self.place(to), part));
                }
            }
        }
        self.logging = true;
        self.joins.clear();
        for block in &self.graph.cfg.order {
            self.tell_ranges(*block);
            for part in PARTS {
                for (to, mut state) in self.block(*block, part)? {
                    self.drop_dead(&mut state, to);
                }
            }
        }
        self.find_sweeps();
        Ok(())
    }

    pub fn site(&self) -> Site {
        (self.template, self.at.0, self.at.1)
    }

    fn part(&self, state: &State) -> StatePart {
        if self.alone(state) { StatePart::Alone } else { StatePart::Shared }
    }

    fn tell_ranges(&mut self, block: BlockId) {
        let states: Vec<&State> =
            self.entry.iter().filter_map(|part| part[block.index()].as_ref()).collect();
        let number = |(reg, value): (&Reg, &Value)| Some((*reg, value.as_number()?));
        for state in &states {
            let known = state.regs.iter().filter_map(number).collect();
            self.log.tell_ranges((self.template, block), known);
        }
        let quiet = |state: &&State| self.interference.is_quiet(self.template, state);
        if !states.is_empty() && states.iter().all(quiet) {
            self.log.quiet.insert(block);
        }
    }

    fn late(&self) -> bool {
        self.steps.is_multiple_of(1024) && self.interference.question.limits.exceeded()
    }

    fn place(&self, block: BlockId) -> u32 {
        self.graph.cfg.place(block).unwrap_or(0)
    }

    /// Adds a state to what may be at the start of a block; tells whether that is new.
    fn arrive(&mut self, to: BlockId, part: StatePart, mut state: State) -> Result<bool, Unclear> {
        self.drop_dead(&mut state, to);
        let Some(old) = &self.entry[part as usize][to.index()] else {
            self.entry[part as usize][to.index()] = Some(state);
            return Ok(true);
        };
        let is_head = self.graph.loop_of_head(to).is_some();
        let widen = is_head && self.visits[part as usize][to.index()] > VISITS_BEFORE_WIDENING;
        let Some(joined) = old.join(&state, &self.interference.first(), widen) else {
            return Err(Unclear::new("atomic blocks that do not match", self.span));
        };
        if joined == *old {
            return Ok(false);
        }
        self.entry[part as usize][to.index()] = Some(joined);
        Ok(true)
    }

    /// Forgets registers that nothing reads from here on.
    fn drop_dead(&mut self, state: &mut State, to: BlockId) {
        let live = self.graph.live.at_start(to);
        if state.lives.is_empty() {
            return state.keep_live(live);
        }
        let dead: Vec<Reg> = state.regs.keys().filter(|r| !live.contains(r)).copied().collect();
        for reg in dead {
            if let Some(old) = state.regs.remove(&reg) {
                self.name_is_dropped(state, &old);
            }
        }
    }

    /// Walks through one block; gives the states in which others are entered.
    fn block(&mut self, block: BlockId, part: StatePart) -> Result<Vec<(BlockId, State)>, Unclear> {
        let Some(mut state) = self.entry[part as usize][block.index()].clone() else {
            return Ok(Vec::new());
        };
        self.visits[part as usize][block.index()] += 1;
        let function: &'p Function = self.function;
        let code = &function.blocks[block.index()];
        for (i, inst) in code.insts.iter().enumerate() {
            *self.steps += 1;
            if *self.steps > MAX_STEPS || self.late() {
                return Err(Unclear::new("the program is too large for it", inst.span));
            }
            (self.at, self.span) = ((block, i), inst.span);
            if self.inst(&mut state, &inst.kind)? == Flow::Ends {
                self.blocks_end(&state);
                return Ok(Vec::new());
            }
        }
        self.span = code.end_span;
        self.at = (block, code.insts.len());
        if self.logging && self.graph.enters_loop(block) {
            self.exits.entry(block).or_default().push(state.clone());
        }
        self.end(state, code)
    }

    fn end(&mut self, mut state: State, code: &'p Block) -> Result<Vec<(BlockId, State)>, Unclear> {
        let mut ways = Vec::new();
        match &code.end {
            Terminator::Goto(to) => ways.push((*to, state)),
            Terminator::Branch { cond, then, otherwise } => {
                for (to, truth) in [(*then, true), (*otherwise, false)] {
                    let mut way = state.clone();
                    if branch::assume(self, &mut way, &code.insts, cond, truth) {
                        ways.push((to, way));
                    }
                }
            }
            Terminator::Switch { value, cases, default } => {
                let found = self.eval(&state).operand(value);
                for (bits, to) in cases {
                    let mut way = state.clone();
                    if branch::is_case(self, &mut way, value, &found, *bits) {
                        ways.push((*to, way));
                    }
                }
                ways.push((*default, state));
            }
            Terminator::Return(value) => {
                let value = value.map_or_else(Value::any_number, |v| self.result(&state, &v));
                self.thread_ends(&mut state, &value, self.template == TemplateId::MAIN);
            }
            Terminator::ExitThread(value) => {
                let value = self.result(&state, value);
                self.thread_ends(&mut state, &value, false);
            }
            Terminator::Stop(Stop::Bound(_)) => {
                return Err(Unclear::new("recursion", code.end_span));
            }
            Terminator::Stop(Stop::Exit) => self.blocks_end(&state),
            Terminator::Stop(_) => {}
        }
        let from = self.at.0;
        for (to, way) in &mut ways {
            self.leave_loop(from, *to, way);
        }
        Ok(ways)
    }

    /// What a thread leaves to the one that joins it: the bits of the value.
    fn result(&self, state: &State, operand: &Operand) -> Value {
        let (value, ty) = (self.value(state, operand), operand_type(self.function, operand));
        if ty.is_float() {
            return value.scrambled();
        }
        let machine = self.interference.flat.program.machine;
        let bits = Scalar::Int { bits: ty.bits(machine), signed: false };
        Value { num: value.num.map(|n| n.fit(bits, machine)), ..value }
    }

    /// The values of operands here.
    pub fn value(&self, state: &State, operand: &Operand) -> Value {
        self.eval(state).operand(operand)
    }

    pub fn eval<'s>(&'s self, state: &'s State) -> EvalHere<'s> {
        EvalHere {
            walk_class: self.template,
            program: &self.interference.flat.program,
            state,
            graph: self.graph,
            unsteady: &self.interference.unsteady,
            overflow_ends: self.interference.question.overflow_ends,
            block: self.at.0,
        }
    }
}

/// Operands at one place of a template's graph.
pub struct EvalHere<'s> {
    walk_class: TemplateId,
    program: &'s Program,
    state: &'s State,
    graph: &'s Graph,
    unsteady: &'s BTreeSet<(TemplateId, Reg)>,
    overflow_ends: bool,
    block: BlockId,
}

impl EvalHere<'_> {
    pub fn operand(&self, operand: &Operand) -> Value {
        self.with(|eval| eval.operand(operand))
    }

    pub fn rvalue(&self, value: &Rvalue) -> Value {
        self.with(|eval| eval.rvalue(value))
    }

    pub fn cast(&self, from: Scalar, to: Scalar, value: &Value) -> Value {
        self.with(|eval| eval.cast(from, to, value))
    }

    fn with(&self, ask: impl FnOnce(&Eval<'_>) -> Value) -> Value {
        let counts = |reg: Reg| {
            self.graph.counts(self.block, reg).is_some()
                && !self.unsteady.contains(&(self.walk_class, reg))
        };
        let indexes = |reg: Reg| self.graph.indices.contains(&reg);
        let (program, template, state) = (self.program, self.walk_class, self.state);
        let overflow_ends = self.overflow_ends;
        let (counts, indexes) = (&counts, &indexes);
        ask(&Eval { program, template, state, overflow_ends, counts, indexes })
    }
}
