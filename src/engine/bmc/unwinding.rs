//! One unwinding: a formula for one set of bounds, and the questions about it.
//!
//! The questions are disjunctions of goals, asked as assumptions of one solver, which keeps what it
//! has learned: an error? something unmodelled? a loop that goes on? The last one is repeated
//! without the loops that are known to go on, until all of them are known.

use super::count::Count;
use super::follow::{Misfit, ProgramWords, Unrolled};
use super::{Config, Solver, follow, parts, proof_core, weak};
use crate::contract::{Limits, ProofCore, Property, Query, Reason, Remark, Violation};
use encoder::eval::Evaluator;
use encoder::order::StaticOrder;
use encoder::reads_from;
use encoder::{Encoding, Fault, Goal, GoalKind, Guarantee, Op, Term, Var};
use ir::{LoopId, Span};
use rustc_hash::FxHashMap;
use solver::{Backend, Bridge, Outcome, SolverError};
use std::sync::Arc;

/// Errors that the interpreter cannot judge before nothing is asked any more.
const MAX_OPEN: usize = 16;

pub struct Unwinding<'a> {
    pub unrolled: Unrolled<'a>,
    pub config: &'a Config,
    /// About the original.
    pub query: Query<'a>,
    pub purpose: Purpose,
}

/// What a unwinding is good for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Answer,
    /// The program has executions that the original has not: an error ends the unwinding.
    Proof,
}

/// How a unwinding comes out.
pub enum UnwindingEnd {
    Violated(Box<Violation>),
    /// It did not come to its end.
    Stopped(Reason),
    /// No violation; these loops can go further (none of `Stop::Bound` is left out), and why
    /// nothing is proven even if there are none.
    Open {
        reached: Vec<LoopId>,
        doubt: Option<Reason>,
        /// Where executions end since C does not define how they go on.
        undefined: Option<Remark>,
        proof_core: Option<ProofCore>,
    },
}

/// Why there is no answer.
enum NoAnswer {
    Because(Reason),
    /// The backend has no word for a term.
    NoWord(&'static str),
}

impl<'a> Unwinding<'a> {
    pub fn run(&self, count: &mut Count) -> UnwindingEnd {
        match self.check_with(self.config.solver, count) {
            Ok(end) => end,
            Err(NoAnswer::NoWord(what)) if self.config.solver == Solver::Sat => {
                log::info!("{what}: over to Z3");
                match self.check_with(Solver::Z3, count) {
                    Ok(end) => end,
                    Err(none) => UnwindingEnd::Stopped(none.reason()),
                }
            }
            Err(none) => UnwindingEnd::Stopped(none.reason()),
        }
    }

    fn check_with(&self, solver: Solver, count: &mut Count) -> Result<UnwindingEnd, NoAnswer> {
        self.in_time()?;
        let mut encoding = self.encode(count)?;
        // Pruning that was stopped leaves too much for what follows.
        self.in_time()?;
        count.encoding(&encoding);
        let Query { property, settings, .. } = self.query;
        let bridge = count.time("bridge", || match &settings.weak {
            Some(model) => parts::weak_bridge(model, property, &mut encoding),
            None => Ok(parts::bridge(self.config, settings.model, &mut encoding)),
        });
        let (bridge, mut facts) = bridge.map_err(|why| NoAnswer::Because(Reason::Other(why)))?;
        self.in_time()?;
        let which = self.config.conflicts;
        let which = which.unwrap_or_else(|| parts::that_pay(solver, self.config.method));
        let which = which.under(self.query.settings.model);
        let order = StaticOrder::new(&encoding);
        let (clauses, rows) = count
            .time("conflict finder", || parts::conflicts(which, &order, &mut encoding, &bridge));
        rows.into_iter().for_each(|(name, value)| count.add(name, value));
        let model = self.query.settings.model;
        let ranges = count.time("intervals", || {
            parts::intervals(self.config, model, &order, &mut encoding, &bridge)
        });
        count.add("intervals", ranges.len() as u64);
        facts.extend(&encoding.facts);
        facts.extend(clauses.iter().chain(&ranges));
        self.in_time()?;
        let (progress, limits) = (count.progress.clone(), self.query.limits);
        let backend = count.time("translate", || {
            let mut backend = parts::backend(self.config, solver, &encoding.pool, bridge)?;
            backend.count_conflicts(progress.conflicts());
            backend.work_by(limits.permit.clone());
            facts.iter().try_for_each(|&fact| backend.assert(&encoding.pool, fact))?;
            Ok::<_, SolverError>(backend)
        })?;
        let values = None;
        let mut asker =
            UnwindingSolver { encoding, facts, backend, limits: self.query.limits, values };
        let end = self.ask(&mut asker, count);
        asker.tell(count);
        end
    }

    fn in_time(&self) -> Result<(), NoAnswer> {
        match self.query.limits.exceeded() {
            true => Err(NoAnswer::Because(Reason::Time)),
            false => Ok(()),
        }
    }

    fn encode(&self, count: &mut Count) -> Result<Encoding, NoAnswer> {
        let (config, program) = (self.config, self.unrolled.program);
        let encoded = count.time("encode", || parts::encode(config, program, self.query));
        if encoded.is_err() {
            self.in_time()?;
        }
        let mut encoding = encoded.map_err(|encoder::Unencodable { what, span }| {
            NoAnswer::Because(Reason::Unsupported { what, span })
        })?;
        count.progress.events(encoding.events.len() as u64);
        if self.query.settings.weak.is_some() {
            return Ok(encoding); // the bridge guesses who reads from whom, and nothing is pruned
        }
        let rows = count.time("symmetry", || {
            parts::order_symmetric_threads(self.config, self.query.settings.model, &mut encoding)
        });
        rows.into_iter().for_each(|(name, value)| count.add(name, value));
        count.time("rf candidates", || reads_from::candidates(&mut encoding));
        count.size("rf before pruning", encoding.rf.len());
        let rows = count.time("prune", || parts::prune(self.config, self.query, &mut encoding));
        rows.into_iter().for_each(|(name, value)| count.add(name, value));
        count.size("rf after pruning", encoding.rf.len());
        Ok(encoding)
    }

    fn ask(
        &self,
        asker: &mut UnwindingSolver<'a>,
        count: &mut Count,
    ) -> Result<UnwindingEnd, NoAnswer> {
        let (violation, open) = self.error(asker, count)?;
        if let Some(violation) = violation {
            return Ok(UnwindingEnd::Violated(Box::new(violation)));
        }
        let (doubt, undefined) = match open {
            Some(reason) => (Some(reason), None),
            None => self.doubt(asker, count)?,
        };
        let mut reached: Vec<LoopId> = Vec::new();
        loop {
            let known = reached.clone();
            let new = |g: &Goal| matches!(g.kind, GoalKind::Bound(id) if !known.contains(&id));
            if !asker.any(count, "solve: bounds", new, Among::All)? {
                let proven = reached.is_empty() && doubt.is_none();
                let proof_core = proven.then(|| self.proof_core(asker, count)).flatten();
                return Ok(UnwindingEnd::Open { reached, doubt, undefined, proof_core });
            }
            let holding = asker.holding(new)?;
            let before = reached.len();
            reached.extend(holding.iter().filter_map(|g| match g.kind {
                GoalKind::Bound(id) => Some(id),
                _ => None,
            }));
            if reached.len() == before {
                return Err(NoAnswer::internal("a model reaches no goal"));
            }
        }
    }

    /// What the answer to the first question leans on, if anybody wants to know.
    fn proof_core(&self, asker: &mut UnwindingSolver<'a>, count: &mut Count) -> Option<ProofCore> {
        if !self.config.proof_core {
            return None;
        }
        count.time("proof core", || {
            let UnwindingSolver { encoding, facts, backend, limits, .. } = asker;
            proof_core::of(
                self.unrolled.program,
                encoding,
                facts,
                backend.bridge(),
                limits.deadline,
            )
        })
    }

    /// What keeps us from a proof, in the words of the explorer, and what it assumes.
    fn doubt(
        &self,
        asker: &mut UnwindingSolver<'a>,
        count: &mut Count,
    ) -> Result<(Option<Reason>, Option<Remark>), NoAnswer> {
        let mut undefined = None;
        let error = |g: &Goal| matches!(g.kind, GoalKind::Error(..));
        if asker.any(count, "solve: doubts", error, Among::Assembly)? {
            let run = asker.holding(is_assembly)?.into_iter().next();
            let span = run.map_or(Span::NONE, |goal| goal.span);
            let reason = Reason::Unsupported { what: interp::BEHIND_ASSEMBLY.into(), span };
            return Ok((Some(reason), None));
        }
        let kinds: [fn(&Goal) -> bool; 2] = [
            |g| matches!(g.kind, GoalKind::InvalidAccess(_)),
            |g| matches!(g.kind, GoalKind::Unsupported(_)),
        ];
        for kind in kinds {
            if asker.any(count, "solve: doubts", kind, Among::All)? {
                let goal = asker.holding(kind)?.into_iter().next();
                let goal = goal.ok_or_else(|| NoAnswer::internal("a model reaches no goal"))?;
                let reason = match goal.kind {
                    GoalKind::InvalidAccess(what) if self.query.settings.undefined.ends() => {
                        undefined = Some(Remark::ends(&what, goal.span));
                        continue;
                    }
                    GoalKind::InvalidAccess(what) => Reason::Undefined { what, span: goal.span },
                    GoalKind::Unsupported(what) | GoalKind::Error(_, what) => {
                        Reason::Unsupported { what, span: goal.span }
                    }
                    GoalKind::Bound(_)
                    | GoalKind::Assembly
                    | GoalKind::Chance
                    | GoalKind::LargeBlock => {
                        return Err(NoAnswer::internal("not the goal asked for"));
                    }
                };
                return Ok((Some(reason), undefined));
            }
        }
        Ok((None, undefined))
    }

    /// A violation, or why one cannot be excluded: errors that the interpreter cannot judge are
    /// left out, and the question is asked again. So it is with races where another property was asked
    /// for: one is told if that is all there is.
    fn error(
        &self,
        asker: &mut UnwindingSolver<'a>,
        count: &mut Count,
    ) -> Result<(Option<Violation>, Option<Reason>), NoAnswer> {
        let mut open: FxHashMap<Term, Reason> = FxHashMap::default();
        let mut race = None;
        loop {
            let last = open.len() >= MAX_OPEN;
            let wanted = |g: &Goal| {
                let other = race.is_none() || !is_race(g);
                matches!(g.kind, GoalKind::Error(..))
                    && other
                    && !last
                    && !open.contains_key(&g.guard)
            };
            let found = asker.any(count, "solve: error", wanted, Among::Small)?
                || asker.has(|g| is_large_block(g) || is_chance(g))
                    && asker.any(count, "solve: error", wanted, Among::NoAssembly)?;
            if !found {
                return Ok((race, open.into_values().next()));
            }
            if self.purpose == Purpose::Proof {
                return Err(NoAnswer::Because(Reason::Other("no proof".into())));
            }
            let goal = asker.holding(wanted)?.into_iter().next();
            let goal = goal.ok_or_else(|| NoAnswer::internal("a model reaches no goal"))?;
            match self.violated(asker, count, &goal)? {
                Ok(found) if is_race(&goal) && self.query.property != Property::NoDataRace => {
                    race = Some(found);
                }
                Ok(violation) => return Ok((Some(violation), None)),
                Err(Misfit::Wrong(why)) => match asker.holding(is_chance)?.first() {
                    // The interpreter has other addresses to hit.
                    Some(chance) => {
                        let what = "use of a pointer that is an arbitrary number".into();
                        let reason = Reason::Undefined { what, span: chance.span };
                        open.insert(goal.guard, reason);
                    }
                    None => return Err(NoAnswer::Because(Reason::Internal(why))),
                },
                Err(Misfit::Open { what, span }) => {
                    open.insert(goal.guard, Reason::Unsupported { what, span });
                }
                Err(Misfit::InvalidAccess { what, span }) => {
                    open.insert(goal.guard, Reason::Undefined { what, span });
                }
            }
        }
    }

    fn violated(
        &self,
        asker: &mut UnwindingSolver<'a>,
        count: &mut Count,
        goal: &Goal,
    ) -> Result<Result<Violation, Misfit>, NoAnswer> {
        if !self.query.settings.model.guarantees(Guarantee::Linearization) {
            let weak = self.query.settings.weak.is_some();
            if let Some(misfit) = follow::unclear(goal).filter(|_| !weak) {
                return Ok(Err(misfit));
            }
            return self.violated_weakly(asker, goal);
        }
        let (unrolled, config) = (self.unrolled, self.query.interp_config());
        count.time("replay", || {
            asker.evaluate(|encoding, bridge, value| {
                let run = follow::ModelRun { encoding, schedule: bridge.schedule(), goal };
                Ok(follow::confirm(unrolled, config, &run, value))
            })
        })
    }
}

impl<'a> Unwinding<'a> {
    /// Under a memory model without schedules.
    fn violated_weakly(
        &self,
        asker: &mut UnwindingSolver<'a>,
        goal: &Goal,
    ) -> Result<Result<Violation, Misfit>, NoAnswer> {
        let chosen = asker.chosen()?;
        let config = self.query.interp_config();
        asker.evaluate(|encoding, bridge, value| {
            let found = weak::AllowedExecution::new(encoding, goal, &chosen);
            let Some(model) = &self.query.settings.weak else {
                let title = self.query.settings.model.title();
                return Ok(Ok(found.show(title, &ProgramWords::default(), value)));
            };
            let confirmed = found.confirm(self.unrolled, config, bridge.execution(), value);
            Ok(confirmed.map(|words| {
                let graph = bridge.execution();
                let weak = graph.map(|graph| found.execution(graph, model, &words, value));
                let weak = weak.map(Arc::new);
                Violation { weak, ..found.show(&model.name, &words, value) }
            }))
        })
    }
}

/// Which executions are asked for: inline assembly invents values, so no error behind it is shown.
/// One in which a made-up value hits an address may not be replayed, so others are looked for first.
/// One with a large block cannot be replayed, so others are looked for first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Among {
    /// No assembly, no chance and no large blocks.
    Small,
    NoAssembly,
    Assembly,
    All,
}

fn is_assembly(goal: &Goal) -> bool {
    goal.kind == GoalKind::Assembly
}

fn is_chance(goal: &Goal) -> bool {
    goal.kind == GoalKind::Chance
}

fn is_race(goal: &Goal) -> bool {
    matches!(goal.kind, GoalKind::Error(Fault::Race, _))
}

fn is_large_block(goal: &Goal) -> bool {
    goal.kind == GoalKind::LargeBlock
}

/// A formula in a solver.
struct UnwindingSolver<'a> {
    encoding: Encoding,
    facts: Vec<Term>,
    backend: Box<dyn Backend>,
    limits: &'a Limits,
    /// Of the variables in the last model, once somebody has asked.
    values: Option<FxHashMap<Var, u64>>,
}

impl UnwindingSolver<'_> {
    /// Is any of these goals reachable, in such an execution?
    fn any(
        &mut self,
        count: &mut Count,
        phase: &'static str,
        wanted: impl Fn(&Goal) -> bool,
        among: Among,
    ) -> Result<bool, NoAnswer> {
        let Encoding { pool, goals, .. } = &mut self.encoding;
        let guards = |wanted: &dyn Fn(&Goal) -> bool| -> Vec<Term> {
            goals.iter().filter(|g| wanted(g)).map(|g| g.guard).collect()
        };
        let some = pool.or_all(guards(&wanted));
        let assembly = pool.or_all(guards(&is_assembly));
        let large = pool.or_all(guards(&is_large_block));
        let chance = pool.or_all(guards(&is_chance));
        let among = match among {
            Among::Small => {
                let any = pool.or_all([assembly, chance, large]);
                pool.not(any)
            }
            Among::NoAssembly => pool.not(assembly),
            Among::Assembly => assembly,
            Among::All => pool.bool(true),
        };
        if pool.is_false(some) || pool.is_false(among) {
            return Ok(false);
        }
        let question: Vec<Term> = [some, among].into_iter().filter(|&t| !pool.is_true(t)).collect();
        self.values = None;
        let outcome = count.time(phase, || {
            self.backend.solve(&self.encoding.pool, &question, self.limits.deadline)
        });
        match outcome? {
            Outcome::Sat => Ok(true),
            Outcome::Unsat => Ok(false),
            Outcome::TimeOut => Err(NoAnswer::Because(Reason::Time)),
        }
    }

    fn has(&self, wanted: impl Fn(&Goal) -> bool) -> bool {
        self.encoding.goals.iter().any(wanted)
    }

    /// The goals of this kind that the model reaches.
    fn holding(&mut self, wanted: impl Fn(&Goal) -> bool) -> Result<Vec<Goal>, NoAnswer> {
        self.evaluate(|encoding, _, value| {
            let goals = encoding.goals.iter().filter(|g| wanted(g));
            Ok(goals.filter(|g| value(g.guard) == 1).cloned().collect())
        })
    }

    /// The candidates of `Encoding::rf` that the model has chosen, as indices.
    fn chosen(&mut self) -> Result<Vec<usize>, NoAnswer> {
        self.evaluate(|_, bridge, value| {
            let holds = |lit: &theory::Lit, value: &mut dyn FnMut(Term) -> u64| {
                bridge.term(lit.var()).is_some_and(|t| (value(t) == 1) != lit.is_negative())
            };
            let rf = bridge.rf().iter().enumerate();
            Ok(rf.filter(|(_, lit)| holds(lit, value)).map(|(i, _)| i).collect())
        })
    }

    /// Calls `look` with the values of terms in the model.
    fn evaluate<T>(
        &mut self,
        look: impl FnOnce(&Encoding, &Bridge, &mut dyn FnMut(Term) -> u64) -> Result<T, NoAnswer>,
    ) -> Result<T, NoAnswer> {
        let pool = &self.encoding.pool;
        if self.values.is_none() {
            let mut values = FxHashMap::default();
            for t in pool.terms() {
                if let Op::Var(v) = pool.op(t) {
                    values.insert(v, self.backend.value(pool, t)?);
                }
            }
            self.values = Some(values);
        }
        let value_of = |v| self.values.as_ref().and_then(|m| m.get(&v)).copied().unwrap_or(0);
        let mut evaluator = Evaluator::new(pool, value_of);
        look(&self.encoding, self.backend.bridge(), &mut |t| evaluator.value(t))
    }

    fn tell(&self, count: &mut Count) {
        let bridge = self.backend.bridge();
        let (theory, models) = (bridge.theory.stats(), bridge.stats());
        for (name, value) in [
            ("theory literals", models.literals),
            ("theory edges by literals", theory.literal_edges),
            ("theory edges by ws", theory.ws_edges),
            ("theory edges by fr", theory.fr_edges),
            ("weakly consistent models", models.weak),
            ("models of the second stage", models.second_stage),
            ("ordered pairs of writes", models.ordered_pairs),
        ] {
            count.add(name, value);
        }
        if bridge.checks_itself() {
            count.add("self-checked clauses and models", models.self_checked);
        }
        self.backend.counters().into_iter().for_each(|(name, value)| count.add(name, value));
    }
}

impl NoAnswer {
    fn internal(what: &str) -> NoAnswer {
        NoAnswer::Because(Reason::Internal(what.into()))
    }

    fn reason(self) -> Reason {
        match self {
            NoAnswer::Because(reason) => reason,
            NoAnswer::NoWord(what) => Reason::Other(format!("the solver cannot express {what}")),
        }
    }
}

impl From<SolverError> for NoAnswer {
    fn from(error: SolverError) -> NoAnswer {
        NoAnswer::Because(match error {
            SolverError::Unsupported(what) => return NoAnswer::NoWord(what),
            SolverError::Panic(what) => Reason::Internal(what),
            SolverError::Call { call, what } => Reason::Other(format!("{call} failed: {what}")),
            SolverError::GaveUp(why) => Reason::Other(format!("the solver gave up: {why}")),
        })
    }
}
