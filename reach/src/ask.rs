//! Questions about terms: CaDiCaL behind the bit-blaster, with assumptions and cores.
//!
//! One solver lives from question to question. When it has grown large it is replaced: a model
//! assigns all that it has ever heard of.

use encoder::eval::Evaluator;
use encoder::{Pool, Term, Var};
use rustc_hash::FxHashMap;
use solver::cadical::Cadical;
use solver::{Backend, Bridge, Method, Outcome, Permit, SolverError};
use std::sync::Arc;
use std::time::Instant;

/// Questions to one solver.
const MAX_QUESTIONS: u32 = 3_000;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    Late,
    Solver(String),
    /// It would go on for ever, or is too large.
    GaveUp(&'static str),
}

impl From<SolverError> for Stop {
    fn from(error: SolverError) -> Stop {
        Stop::Solver(format!("{error:?}"))
    }
}

/// When to stop.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    pub deadline: Option<Instant>,
    /// Its clock is the deadline's.
    pub permit: Arc<Permit>,
}

impl Budget {
    pub fn check(&self) -> Result<(), Stop> {
        let late = self.deadline.is_some_and(|d| self.permit.now() >= d);
        if self.permit.revoked() || late { Err(Stop::Late) } else { Ok(()) }
    }
}

pub struct Asker {
    backend: Option<Cadical>,
    budget: Budget,
    questions: u32,
    /// Of all solvers.
    pub asked: u64,
    /// What is implied.
    implied: FxHashMap<Implication, Option<Vec<bool>>>,
}

/// Facts and candidates.
type Implication = (Vec<Term>, Vec<Term>);

/// What a question says: a model, or none.
pub enum Said {
    Sat(Model),
    Unsat,
}

pub struct Model {
    values: FxHashMap<Var, u64>,
}

impl Model {
    pub fn evaluator<'p>(
        &'p self,
        pool: &'p Pool,
    ) -> Evaluator<'p, impl FnMut(Var) -> u64 + use<'p>> {
        Evaluator::new(pool, |var| self.values.get(&var).copied().unwrap_or(0))
    }
}

impl Asker {
    pub fn new(budget: Budget) -> Asker {
        Asker { backend: None, budget, questions: 0, asked: 0, implied: FxHashMap::default() }
    }

    fn solve(&mut self, pool: &Pool, facts: &[Term]) -> Result<Outcome, Stop> {
        self.budget.check()?;
        self.questions += 1;
        self.asked += 1;
        if self.questions > MAX_QUESTIONS {
            self.backend = None;
            self.questions = 1;
        }
        let backend = match &mut self.backend {
            Some(backend) => backend,
            None => {
                let mut new = Cadical::new(pool, Bridge::default(), Method::Basic)?;
                new.work_by(self.budget.permit.clone());
                self.backend.insert(new)
            }
        };
        match backend.solve(pool, facts, self.budget.deadline)? {
            Outcome::TimeOut => Err(Stop::Late),
            outcome => Ok(outcome),
        }
    }

    /// Can all of them hold?
    pub fn holds(&mut self, pool: &Pool, facts: &[Term]) -> Result<bool, Stop> {
        if facts.iter().any(|f| pool.is_false(*f)) {
            return Ok(false);
        }
        Ok(self.solve(pool, facts)? == Outcome::Sat)
    }

    /// As `holds`, with a model of these variables.
    pub fn model(&mut self, pool: &Pool, facts: &[Term], vars: &[Term]) -> Result<Said, Stop> {
        if facts.iter().any(|f| pool.is_false(*f)) || self.solve(pool, facts)? == Outcome::Unsat {
            return Ok(Said::Unsat);
        }
        let mut values = FxHashMap::default();
        if let Some(backend) = &mut self.backend {
            for var in vars {
                if let encoder::Op::Var(v) = pool.op(*var) {
                    values.insert(v, backend.value(pool, *var)?);
                }
            }
        }
        Ok(Said::Sat(Model { values }))
    }

    /// Which of the assumptions are enough for a contradiction, if there is one.
    pub fn core(
        &mut self,
        pool: &Pool,
        facts: &[Term],
        assumed: &[Term],
    ) -> Result<Option<Vec<usize>>, Stop> {
        if let Some(at) = assumed.iter().position(|f| pool.is_false(*f)) {
            return Ok(Some(vec![at]));
        }
        if facts.iter().any(|f| pool.is_false(*f)) {
            return Ok(Some(Vec::new()));
        }
        let all: Vec<Term> = facts.iter().chain(assumed).copied().collect();
        if self.solve(pool, &all)? == Outcome::Sat {
            return Ok(None);
        }
        let mut core = Vec::new();
        if let Some(backend) = &mut self.backend {
            for (i, term) in assumed.iter().enumerate() {
                if !pool.is_true(*term) && backend.failed(pool, *term)? {
                    core.push(i);
                }
            }
        }
        Ok(Some(core))
    }

    /// As `implied`, asked once only.
    pub(crate) fn implied_before(
        &mut self,
        pool: &mut Pool,
        mut facts: Vec<Term>,
        candidates: Vec<Term>,
    ) -> Result<Option<Vec<bool>>, Stop> {
        facts.sort_unstable();
        facts.dedup();
        let key = (facts, candidates);
        if let Some(known) = self.implied.get(&key) {
            return Ok(known.clone());
        }
        let found = self.implied(pool, &key.0, &key.1)?;
        self.implied.insert(key, found.clone());
        Ok(found)
    }

    /// Which of the candidates hold in all models of the facts; `None` if there is no model. Each
    /// model throws out all candidates that it refutes.
    pub fn implied(
        &mut self,
        pool: &mut Pool,
        facts: &[Term],
        candidates: &[Term],
    ) -> Result<Option<Vec<bool>>, Stop> {
        let mut kept: Vec<bool> = candidates.iter().map(|c| !pool.is_false(*c)).collect();
        let mut vars: Vec<Term> = Vec::new();
        for c in candidates {
            vars.extend(crate::system::vars(pool, *c));
        }
        vars.sort_unstable();
        vars.dedup();
        let mut first = true;
        loop {
            let open: Vec<Term> =
                candidates.iter().zip(&kept).filter(|(_, k)| **k).map(|(c, _)| *c).collect();
            let all = pool.and_all(open.iter().copied());
            let fails = pool.not(all);
            // The first question is for a model at all.
            let mut question = facts.to_vec();
            if !first {
                if pool.is_false(fails) {
                    return Ok(Some(kept));
                }
                question.push(fails);
            }
            match self.model(pool, &question, &vars)? {
                Said::Unsat if first => return Ok(None),
                Said::Unsat => return Ok(Some(kept)),
                Said::Sat(model) => {
                    let mut values = model.evaluator(pool);
                    let mut dropped = false;
                    for (c, keep) in candidates.iter().zip(&mut kept) {
                        if *keep && !values.holds(*c) {
                            *keep = false;
                            dropped = true;
                        }
                    }
                    if !first && !dropped {
                        return Err(Stop::Solver("a model in which nothing fails".into()));
                    }
                }
            }
            first = false;
        }
    }
}
