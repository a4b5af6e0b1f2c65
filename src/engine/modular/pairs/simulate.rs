//! A few executions, to throw out what is evidently no invariant.
//!
//! The steps of the system (`step.rs`) are evaluated with concrete numbers, thread by thread in a random
//! order, inputs at random. Each state that comes up is a state of the system, so a candidate that is
//! false in it would fall in the fixpoint as well, but there each one costs a question to the solver.
//! Only candidates are lost by this: nothing here needs to be right. States at points that exclude
//! each other are left alone, since the system does not know why they do (`Points::exclude`).

use super::point::{Point, PointId, Points};
use super::rules::{Rule, Rules};
use super::step::{Edge, Started, System};
use crate::contract::Limits;
use encoder::eval::Evaluator;
use encoder::{Op, Pool, Term, Var};
use fastrand::Rng;
use ir::Reg;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

const RUNS: usize = 24;
const STEPS: usize = 60;
/// Threads of one execution, and inputs tried for one step.
const MAX_THREADS: usize = 4;
const TRIES: usize = 3;
const SEED: u64 = 7;

/// Numbers for variables.
type Values = FxHashMap<Var, u64>;

#[derive(Clone)]
struct SimulatedThread {
    at: PointId,
    /// Registers and own cells, by the variables of the point.
    values: Values,
}

struct SimulatedState {
    cells: Vec<u64>,
    threads: Vec<SimulatedThread>,
}

pub struct Simulation<'a> {
    pub pool: &'a Pool,
    pub points: &'a Points,
    pub system: &'a System,
    /// What cells hold at first, where that is known.
    pub first: &'a [Option<u64>],
    pub limits: &'a Limits,
}

impl Simulation<'_> {
    /// Drops what is false in some state.
    pub fn run(&self, start: PointId, rules: &mut Rules) {
        let mut rng = Rng::with_seed(SEED);
        for _ in 0..RUNS {
            let mut state = self.begin(start, &mut rng);
            for _ in 0..STEPS {
                if state.threads.is_empty() || self.limits.exceeded() {
                    break;
                }
                let who = rng.usize(..state.threads.len());
                self.step(&mut state, who, rules, &mut rng);
            }
        }
    }

    fn begin(&self, start: PointId, rng: &mut Rng) -> SimulatedState {
        let cells = self.first.iter().map(|bits| bits.unwrap_or_else(|| input(rng)));
        let cells = cells.take(self.points.cells.len()).collect();
        let point = self.points.get(start);
        let regs = point.mine.values().map(|term| (term, None));
        let own = point.my_cells.iter().zip(self.first.iter().copied());
        let vars = regs.chain(own.skip(self.points.cells.len()));
        let vars = vars.filter_map(|(term, bits)| Some((self.var(*term)?, bits)));
        let values = vars.map(|(var, bits)| (var, bits.unwrap_or_else(|| input(rng)))).collect();
        SimulatedState { cells, threads: vec![SimulatedThread { at: start, values }] }
    }

    fn var(&self, term: Term) -> Option<Var> {
        match self.pool.op(term) {
            Op::Var(var) => Some(var),
            _ => None,
        }
    }

    /// One step of this thread, if one is found.
    fn step(&self, state: &mut SimulatedState, who: usize, rules: &mut Rules, rng: &mut Rng) {
        let from = state.threads[who].at;
        let mut edges: Vec<&Edge> = self.system.edges.iter().filter(|e| e.from == from).collect();
        rng.shuffle(&mut edges);
        for edge in edges {
            for _ in 0..TRIES {
                if self.take(state, who, edge, rules, rng) {
                    return;
                }
            }
        }
    }

    fn take(
        &self,
        state: &mut SimulatedState,
        who: usize,
        edge: &Edge,
        rules: &mut Rules,
        rng: &mut Rng,
    ) -> bool {
        let known = self.known(state, who);
        let mut model =
            Evaluator::new(self.pool, |var| known.get(&var).copied().unwrap_or_else(|| input(rng)));
        if !model.holds(edge.guard) {
            return false;
        }
        let mut value = |term: Term| model.value(term);
        let cells: Vec<u64> = edge.cells.iter().map(|term| value(*term)).collect();
        let shared = self.points.cells.len();
        let mut new = Vec::new();
        if let Some(to) = edge.to {
            let values = self.bind(self.points.get(to), &edge.regs, &mut value, &cells[shared..]);
            new.push(SimulatedThread { at: to, values });
        }
        for Started { at, regs, own } in &edge.started {
            let own: Vec<u64> = own.iter().map(|term| value(*term)).collect();
            let values = self.bind(self.points.get(*at), regs, &mut value, &own);
            new.push(SimulatedThread { at: *at, values });
        }
        let others = state.threads.iter().enumerate().filter(|(i, _)| *i != who);
        let mut threads: Vec<SimulatedThread> = others.map(|(_, thread)| thread.clone()).collect();
        let old = threads.len();
        threads.extend(new);
        if self.is_excluded(&threads) {
            return false;
        }
        let same = state.cells == cells[..shared];
        *state = SimulatedState { cells: cells[..shared].to_vec(), threads };
        self.judge(state, if same { old } else { 0 }, rules);
        state.threads.truncate(MAX_THREADS);
        true
    }

    fn known(&self, state: &SimulatedState, who: usize) -> Values {
        let shared = self.points.cells.iter().zip(&state.cells);
        let shared = shared.filter_map(|(term, value)| Some((self.var(*term)?, *value)));
        shared.chain(state.threads[who].values.iter().map(|(v, n)| (*v, *n))).collect()
    }

    fn bind(
        &self,
        point: &Point,
        regs: &BTreeMap<Reg, Term>,
        value: &mut impl FnMut(Term) -> u64,
        own: &[u64],
    ) -> Values {
        let mut values = Values::default();
        for (reg, term) in regs {
            if let Some(var) = point.mine.get(reg).and_then(|t| self.var(*t)) {
                values.insert(var, value(*term));
            }
        }
        let own = point.my_cells[self.points.cells.len()..].iter().zip(own);
        values.extend(own.filter_map(|(term, value)| Some((self.var(*term)?, *value))));
        values
    }

    fn is_excluded(&self, threads: &[SimulatedThread]) -> bool {
        let excluded = |(i, x): (usize, &SimulatedThread)| {
            threads[i + 1..].iter().any(|y| self.points.exclude(x.at, y.at))
        };
        threads.iter().enumerate().any(excluded)
    }

    /// What is false of threads from this one on, or (from the first one on) everywhere, falls.
    fn judge(&self, state: &SimulatedState, first: usize, rules: &mut Rules) {
        for who in first..state.threads.len() {
            let known = self.known(state, who);
            let value = |var: Var| known.get(&var).copied().unwrap_or(0);
            let mut model = Evaluator::new(self.pool, value);
            let at = state.threads[who].at;
            let mut judge = |rule: &mut Rule| rule.holds = rule.holds && model.holds(rule.mine);
            rules.at[at.0].iter_mut().for_each(&mut judge);
            if who == 0 {
                rules.everywhere.iter_mut().for_each(&mut judge);
            }
        }
    }
}

/// Small numbers are more telling than others.
fn input(rng: &mut Rng) -> u64 {
    match rng.u8(..8) {
        0..6 => rng.u64(..6),
        6 => rng.u64(..100),
        _ => rng.u64(..),
    }
}
