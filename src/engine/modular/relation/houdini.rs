//! The largest set of candidates that keeps itself up.
//!
//! Each candidate at each place (a lock, a loop's head, the starts of threads) has a mark: a variable
//! that says that it is relied on there. All that must not happen is one list of checks for one
//! solver. As long as there is a model in which a relied-on candidate fails, the candidates that fail
//! in it are not relied on any more. What is left holds in every execution, by induction over its
//! steps. Then neither an error nor a broken guard may have a model. (Flanagan and Leino: Houdini, an
//! Annotation Assistant for ESC/Java, FME 2001.)

use super::candidate::Candidate;
use super::guards::{CellId, Culprit, Guards, LockId};
use crate::contract::Limits;
use crate::engine::modular::value::TemplateId;
use encoder::eval::Evaluator;
use encoder::{Op, Pool, Sort, Term, Var};
use ir::{BlockId, Span};
use rustc_hash::FxHashMap;
use solver::cadical::Cadical;
use solver::{Backend, Bridge, Method, Outcome, SolverError};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Instant;

/// Where candidates are relied on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CandidatePlace {
    /// Whenever the lock is free.
    Lock(LockId),
    /// Whenever a thread is started while the starter is alone, for frozen cells.
    Frozen,
    /// Whenever the first thread starts another one, with starts so far for totals (`count`).
    Totals,
    /// Whenever the first thread has passed an instruction that is counted.
    Passes,
    /// Whenever a thread of the template ends.
    End(TemplateId),
    /// Whenever the head of a loop is passed.
    Head(TemplateId, BlockId),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MarkId(usize);

#[derive(Clone, Copy, Debug)]
pub struct Mark {
    pub id: MarkId,
    /// A Boolean variable.
    pub term: Term,
}

/// Something that must not happen.
#[derive(Clone, Copy, Debug)]
pub struct Obligation {
    pub bad: Term,
    pub wrong: Wrong,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// A candidate does not hold where it should.
    Candidate(MarkId),
    /// A lock or cell is not used as its guards say.
    Guard(Culprit),
    Error(Span),
}

type Marked = Vec<(Mark, Rc<Candidate>)>;

/// Candidates by place.
pub struct Marks {
    candidates: Vec<Rc<Candidate>>,
    terms: Vec<Term>,
    places: BTreeMap<CandidatePlace, Marked>,
    /// For heads of loops: cells that the loop changes.
    changed: BTreeMap<CandidatePlace, BTreeSet<CellId>>,
    /// Candidates for one place only.
    special: BTreeMap<CandidatePlace, Vec<Rc<Candidate>>>,
}

/// How it comes out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HoudiniEnd {
    Proven,
    /// With fewer guards there may be a proof.
    Misguided(BTreeSet<Culprit>),
    Open(Span),
    Late,
}

impl Marks {
    pub fn new(candidates: Vec<Candidate>) -> Marks {
        let candidates = candidates.into_iter().map(Rc::new).collect();
        Marks {
            candidates,
            terms: vec![],
            places: BTreeMap::new(),
            changed: BTreeMap::new(),
            special: BTreeMap::new(),
        }
    }

    pub fn open(
        &mut self,
        place: CandidatePlace,
        changed: &BTreeSet<CellId>,
        special: Vec<Candidate>,
    ) {
        self.changed.insert(place, changed.clone());
        self.special.insert(place, special.into_iter().map(Rc::new).collect());
    }

    pub fn at(&mut self, pool: &mut Pool, guards: &Guards, place: CandidatePlace) -> Marked {
        if let Some(known) = self.places.get(&place) {
            return known.clone();
        }
        let changed = self.changed.get(&place);
        let fits = |candidate: &&Rc<Candidate>| match place {
            CandidatePlace::Lock(lock) => candidate.is_for(guards, Some(lock)),
            CandidatePlace::Frozen => candidate.is_for(guards, None),
            CandidatePlace::Totals => candidate.is_for_totals(guards),
            CandidatePlace::Passes => {
                candidate.cells().iter().all(|c| guards.passes_of(*c).is_some())
            }
            CandidatePlace::End(template) => {
                candidate.cells().iter().all(|c| guards.is_flag_of(*c, template))
            }
            CandidatePlace::Head(..) => {
                changed.is_some_and(|changed| !candidate.cells().is_disjoint(changed))
            }
        };
        let mut made = Marked::new();
        let special = self.special.get(&place).into_iter().flatten();
        for candidate in self.candidates.iter().filter(fits).chain(special) {
            let term = pool.fresh(Sort::Bool);
            let id = MarkId(self.terms.len());
            self.terms.push(term);
            made.push((Mark { id, term }, candidate.clone()));
        }
        self.places.insert(place, made.clone());
        made
    }
}

/// Needs: all checks of all templates.
pub fn houdini(
    pool: &mut Pool,
    marks: &Marks,
    checks: &[Obligation],
    limits: &Limits,
) -> Result<HoudiniEnd, SolverError> {
    let mut asker = HoudiniSolver {
        backend: Cadical::new(pool, Bridge::default(), Method::Basic)?,
        marks,
        kept: (0..marks.terms.len()).map(MarkId).collect(),
        deadline: limits.deadline,
    };
    asker.backend.work_by(limits.permit.clone());
    loop {
        let kept = asker.kept.clone();
        let fails = |wrong: Wrong| matches!(wrong, Wrong::Candidate(id) if kept.contains(&id));
        match asker.ask(pool, checks, fails)? {
            None => return Ok(HoudiniEnd::Late),
            Some(failing) if failing.is_empty() => break,
            Some(failing) => asker.drop(&failing),
        }
    }
    asker.tell();
    let must_not = |wrong: Wrong| !matches!(wrong, Wrong::Candidate(_));
    let Some(failing) = asker.ask(pool, checks, must_not)? else { return Ok(HoudiniEnd::Late) };
    let culprit = |wrong: &Wrong| match wrong {
        Wrong::Guard(culprit) => Some(*culprit),
        _ => None,
    };
    let culprits: BTreeSet<Culprit> = failing.iter().filter_map(culprit).collect();
    let error = failing.iter().find_map(|wrong| match wrong {
        Wrong::Error(span) => Some(*span),
        _ => None,
    });
    Ok(match error {
        _ if !culprits.is_empty() => HoudiniEnd::Misguided(culprits),
        Some(span) => HoudiniEnd::Open(span),
        None => HoudiniEnd::Proven,
    })
}

struct HoudiniSolver<'a> {
    backend: Cadical,
    marks: &'a Marks,
    kept: BTreeSet<MarkId>,
    deadline: Option<Instant>,
}

impl HoudiniSolver<'_> {
    fn tell(&self) {
        for (place, marked) in &self.marks.places {
            for (_, candidate) in marked.iter().filter(|(mark, _)| self.kept.contains(&mark.id)) {
                log::debug!("{place:?}: {candidate}");
            }
        }
    }

    fn drop(&mut self, failing: &[Wrong]) {
        for wrong in failing {
            if let Wrong::Candidate(id) = wrong {
                self.kept.remove(id);
            }
        }
    }

    /// What of it happens in some model, with all candidates relied on that are kept: nothing if there
    /// is no model, `None` if there is no time.
    fn ask(
        &mut self,
        pool: &mut Pool,
        checks: &[Obligation],
        asked: impl Fn(Wrong) -> bool,
    ) -> Result<Option<Vec<Wrong>>, SolverError> {
        let asked: Vec<&Obligation> = checks.iter().filter(|c| asked(c.wrong)).collect();
        let any = pool.or_all(asked.iter().map(|c| c.bad));
        if pool.is_false(any) {
            return Ok(Some(Vec::new()));
        }
        let relied = self.kept.iter().map(|id| self.marks.terms[id.0]);
        let assumptions: Vec<Term> = relied.chain([any]).collect();
        match self.backend.solve(pool, &assumptions, self.deadline)? {
            Outcome::Unsat => return Ok(Some(Vec::new())),
            Outcome::TimeOut => return Ok(None),
            Outcome::Sat => {}
        }
        let mut values: FxHashMap<Var, u64> = FxHashMap::default();
        for term in pool.terms() {
            if let Op::Var(var) = pool.op(term) {
                values.insert(var, self.backend.value(pool, term)?);
            }
        }
        let mut model = Evaluator::new(pool, |var| values.get(&var).copied().unwrap_or(0));
        let failing: Vec<Wrong> =
            asked.iter().filter(|c| model.holds(c.bad)).map(|c| c.wrong).collect();
        if failing.is_empty() {
            return Err(SolverError::GaveUp("a model in which nothing fails".to_owned()));
        }
        Ok(Some(failing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::modular::relation::candidate::Expr;
    use crate::engine::modular::relation::guards::{Cell, GuardKind, Of};
    use crate::engine::modular::value::Region;
    use ir::types::Scalar;
    use ir::{BinOp, ObjectId};

    /// A pool, and the marks of two candidates about a frozen cell.
    fn two() -> (Pool, Marks, [Mark; 2]) {
        let region = Region::Object(ObjectId(0));
        let of = Of::Bytes { region, offset: 0 };
        let cell = Cell { of, size: 4, ty: Scalar::I32, kind: GuardKind::Frozen };
        let guards = Guards { cells: vec![cell], ..Guards::default() };
        let bound = |bits: u64| {
            let constant = Box::new(Expr::Const { bits, ty: Scalar::I32 });
            let expr = Expr::binary(BinOp::Le, Scalar::I32, Expr::cell(CellId(0)), constant);
            Candidate::new(expr)
        };
        let (mut pool, mut marks) = (Pool::new(), Marks::new(vec![bound(1), bound(2)]));
        let made = marks.at(&mut pool, &guards, CandidatePlace::Frozen);
        let [a, b] = made.as_slice() else { panic!("{} marks", made.len()) };
        let both = [a.0, b.0];
        (pool, marks, both)
    }

    fn run(pool: &mut Pool, marks: &Marks, checks: &[Obligation]) -> HoudiniEnd {
        houdini(pool, marks, checks, &Limits::default()).expect("an answer")
    }

    #[test]
    fn what_holds_may_be_relied_on() {
        let (mut pool, marks, [a, _]) = two();
        let bad = pool.not(a.term);
        let checks = [Obligation { bad, wrong: Wrong::Error(Span::NONE) }];
        assert_eq!(run(&mut pool, &marks, &checks), HoudiniEnd::Proven);
    }

    #[test]
    fn what_relied_on_a_candidate_falls_with_it() {
        let (mut pool, marks, [a, b]) = two();
        let input = pool.fresh(Sort::Bool);
        let without_a = pool.not(a.term);
        let without_b = pool.not(b.term);
        let checks = [
            Obligation { bad: input, wrong: Wrong::Candidate(a.id) },
            Obligation { bad: without_a, wrong: Wrong::Candidate(b.id) },
            Obligation { bad: without_b, wrong: Wrong::Error(Span::NONE) },
        ];
        assert_eq!(run(&mut pool, &marks, &checks), HoudiniEnd::Open(Span::NONE));
        assert_eq!(run(&mut pool, &marks, &checks[1..]), HoudiniEnd::Proven);
    }

    #[test]
    fn a_broken_guard_is_told_before_an_error() {
        let (mut pool, marks, _) = two();
        let bad = pool.bool(true);
        let culprit = Culprit::Cell(Region::Object(ObjectId(0)), 0);
        let checks = [Wrong::Error(Span::NONE), Wrong::Guard(culprit)];
        let checks = checks.map(|wrong| Obligation { bad, wrong });
        let end = run(&mut pool, &marks, &checks);
        assert_eq!(end, HoudiniEnd::Misguided(BTreeSet::from([culprit])));
    }
}
