//! Z3, with the theory inside of its search or judging its models.
//!
//! Each theory variable has a name in Z3, a Boolean constant that is defined equal to its term. Names
//! are what the propagator hears of, and stand for their terms wherever these occur.
//!
//! - `basic.rs`: complete models, refined by conflict clauses until the theory has none left
//! - `horn.rs`: Horn clauses over integers, as text
//! - `ffi`: the door to Z3: every unsafe line of this backend is here

mod basic;
mod ffi;
pub mod horn;
mod propagator;
mod term;
#[cfg(test)]
mod tests;

use crate::{Backend, Bridge, Counters, Method, Outcome, Permit, SolverError};
use encoder::{Op, Pool, Term};
use ffi::{Ast, Context, Core, Setting, Settings, Solver, SolverAnswer, Z3Assignment};
use propagator::Follower;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};
use term::Translation;

/// Z3's word for "no limit".
const FOR_EVER: u32 = u32::MAX;
/// The first piece of a search that others may want to work beside.
const PIECE: Duration = Duration::from_secs(1);

const SEED: (&str, Setting) = ("random_seed", Setting::Number(0));

/// For the propagator. Relevancy would keep literals from the theory that Z3 thinks do not matter.
/// Persistent clauses would be replayed after each backjump; the theory gives them again where they
/// are needed. The names that we have given must not be solved away.
const SETTINGS: &Settings = &[
    ("auto_config", Setting::Flag(false)),
    ("relevancy", Setting::Number(0)),
    ("up.persist_clauses", Setting::Flag(false)),
    SEED,
    ("solve_eqs", Setting::Flag(false)),
    ("elim_unconstrained", Setting::Flag(false)),
];

pub struct Z3 {
    context: Rc<Context>,
    solver: Solver<Follower>,
    method: Method,
    translation: Translation,
    proxies: FxHashMap<Term, Ast>, // constants that imply an assumption
    model: Option<Z3Assignment>,   // of the last `solve`, if it said `Sat`
}

impl Z3 {
    pub fn new(pool: &Pool, bridge: Bridge, method: Method) -> Result<Z3, SolverError> {
        let context = Rc::new(Context::new()?);
        let follower = Follower::new(bridge, context.false_()?);
        let solver = match method {
            Method::Basic => Solver::new(context.clone(), Core::Sat, &[SEED], follower)?,
            Method::Prop => {
                let mut solver = Solver::new(context.clone(), Core::Smt, SETTINGS, follower)?;
                solver.connect()?;
                solver
            }
        };
        let mut z3 = Z3 {
            context,
            solver,
            method,
            translation: Translation::default(),
            proxies: FxHashMap::default(),
            model: None,
        };
        z3.name_variables(pool)?;
        Ok(z3)
    }

    /// From the leaves up, so that a term is written with the names of those it contains.
    fn name_variables(&mut self, pool: &Pool) -> Result<(), SolverError> {
        let bridge = &self.solver.propagator().bridge;
        let terms: Vec<Option<Term>> = (0..bridge.variables()).map(|v| bridge.term(v)).collect();
        let mut order: Vec<usize> = (0..terms.len()).collect();
        order.sort_by_key(|&var| terms[var]);
        let mut names = vec![None; terms.len()];
        for var in order {
            names[var] = Some(self.name_of(pool, terms[var])?);
        }
        for name in names.into_iter().flatten() {
            self.solver.propagator_mut().name(&self.context, name)?;
            if self.method == Method::Prop {
                self.solver.register(name)?;
            }
        }
        Ok(())
    }

    fn name_of(&mut self, pool: &Pool, term: Option<Term>) -> Result<Ast, SolverError> {
        let c = &self.context;
        let Some(term) = term else { return c.fresh(c.bool_sort()?) };
        if matches!(pool.op(term), Op::Var(_)) {
            return self.write(pool, term);
        }
        let name = self.translation.name(c, pool, term)?;
        self.assert_definitions()?;
        Ok(name)
    }

    /// The term in Z3's words.
    fn write(&mut self, pool: &Pool, term: Term) -> Result<Ast, SolverError> {
        let ast = self.translation.translate(&self.context, pool, term)?;
        self.assert_definitions()?;
        Ok(ast)
    }

    fn assert_definitions(&mut self) -> Result<(), SolverError> {
        let mut definitions = self.translation.take_definitions().into_iter();
        definitions.try_for_each(|definition| self.solver.assert(definition))
    }

    /// A constant that implies the assumption: Z3 takes nothing else.
    fn proxy(&mut self, pool: &Pool, assumption: Term) -> Result<Ast, SolverError> {
        if let Some(&proxy) = self.proxies.get(&assumption) {
            return Ok(proxy);
        }
        let meaning = self.write(pool, assumption)?;
        let c = &self.context;
        let proxy = c.fresh(c.bool_sort()?)?;
        self.solver.assert(c.implies(proxy, meaning)?)?;
        self.proxies.insert(assumption, proxy);
        Ok(proxy)
    }

    /// Gives `None` when the deadline has passed. Z3 does not look at a permit for as long as it decides
    /// nothing that the theory follows, so where others wait it works in pieces: each begins anew and is
    /// twice as long as the one before.
    fn check(
        &mut self,
        assumptions: &[Ast],
        deadline: Option<Instant>,
    ) -> Result<Option<SolverAnswer>, SolverError> {
        let mut piece = if self.permit().is_shared() { PIECE } else { Duration::MAX };
        loop {
            let left = deadline.map(|at| at.saturating_duration_since(self.permit().now()));
            if left == Some(Duration::ZERO) {
                return Ok(None);
            }
            let limit = left.unwrap_or(Duration::MAX).min(piece);
            let limit = u32::try_from(limit.as_millis()).map_or(FOR_EVER, |ms| ms.max(1));
            self.solver.set(&[("timeout", Setting::Number(limit))])?;
            let answer = self.solver.check(assumptions);
            if self.permit().revoked() {
                return Ok(None);
            }
            match answer? {
                // Z3's own clock does not stand still during a pause, either.
                SolverAnswer::Unknown(why) if is_timeout(&why) => piece = piece.saturating_mul(2),
                SolverAnswer::Unknown(why) => return Err(SolverError::GaveUp(why)),
                answer => return Ok(Some(answer)),
            }
        }
    }

    fn permit(&self) -> &Permit {
        &self.solver.propagator().permit
    }

    /// Is the model that Z3 has found an execution? If not, Z3 knows more now.
    fn judge(&mut self) -> Result<bool, SolverError> {
        match self.method {
            Method::Basic => basic::refine(&mut self.solver, &self.context),
            Method::Prop if self.solver.propagator().accepted => Ok(true),
            Method::Prop => Err(SolverError::GaveUp("Z3 did not ask the theory".into())),
        }
    }
}

fn is_timeout(why: &str) -> bool {
    why == "timeout" || why == "canceled"
}

impl Backend for Z3 {
    fn assert(&mut self, pool: &Pool, fact: Term) -> Result<(), SolverError> {
        self.model = None;
        let fact = self.write(pool, fact)?;
        self.solver.assert(fact)
    }

    fn solve(
        &mut self,
        pool: &Pool,
        assumptions: &[Term],
        deadline: Option<Instant>,
    ) -> Result<Outcome, SolverError> {
        self.model = None;
        let proxies: Result<Vec<Ast>, _> =
            assumptions.iter().map(|&a| self.proxy(pool, a)).collect();
        let proxies = proxies?;
        loop {
            match self.check(&proxies, deadline)? {
                None => return Ok(Outcome::TimeOut),
                Some(SolverAnswer::Unsat) => return Ok(Outcome::Unsat),
                Some(_) if self.judge()? => {
                    self.model = Some(self.solver.model()?);
                    return Ok(Outcome::Sat);
                }
                Some(_) => {}
            }
        }
    }

    fn value(&mut self, _: &Pool, var: Term) -> Result<u64, SolverError> {
        let Some(model) = &self.model else {
            return Err(SolverError::GaveUp("there is no model".into()));
        };
        self.translation.get(var).map_or(Ok(0), |var| model.value(var))
    }

    fn work_by(&mut self, permit: Arc<Permit>) {
        self.solver.propagator_mut().permit = permit;
    }

    fn count_conflicts(&mut self, counter: Arc<AtomicU64>) {
        self.solver.propagator_mut().conflicts = counter;
    }

    fn bridge(&self) -> &Bridge {
        &self.solver.propagator().bridge
    }

    fn counters(&self) -> Counters {
        let statistics = self.solver.statistics();
        // The two cores have their own words.
        let of = |keys: &[&str]| {
            let wanted = statistics.iter().filter(|(key, _)| keys.contains(&key.as_str()));
            wanted.map(|&(_, value)| value).sum()
        };
        const PROPAGATIONS: [&str; 4] = [
            "propagations",
            "binary propagations",
            "sat propagations 2ary",
            "sat propagations nary",
        ];
        let follower = self.solver.propagator();
        vec![
            ("decisions", of(&["decisions", "sat decisions"])),
            ("propagations", of(&PROPAGATIONS)),
            ("conflicts", of(&["conflicts", "sat conflicts"])),
            ("restarts", of(&["restarts", "sat restarts"])),
            ("theory propagations", follower.told.propagations),
            ("theory conflicts", follower.told.conflicts),
            ("models", follower.bridge.stats().models),
        ]
    }
}
