//! Callbacks become theory calls; what the theory says becomes consequences.
//!
//! Z3 tells of each literal that gets a value, we assign it and propagate at once. Z3 has no lazy
//! reasons, so each implied literal is explained when it is told. A conflict is the consequence
//! `false`; until Z3 pops a level nothing more is said to the theory.
//!
//! Literals of the second stage are registered in the middle of a search and Z3 forgets them when it
//! pops that level. So when everything has a value, those that it has forgotten come first.
//!
//! Invariant: `accepted` holds only if the theory has called the very last complete assignment an
//! execution. Z3's "sat" counts only then.

use super::ffi::{self, Ast, Context, PropagatorSearch, Result};
use crate::{Bridge, Final, Permit, SolverError};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use theory::Lit;

/// Counters of a search.
#[derive(Clone, Copy, Default, Debug)]
pub struct Z3Counters {
    /// Implied literals that the solver was told and did not know.
    pub propagations: u64,
    /// Conflict clauses that the solver was told.
    pub conflicts: u64,
}

/// The theory with its literals in Z3's words.
pub struct Follower {
    pub bridge: Bridge,
    pub told: Z3Counters,
    pub accepted: bool,
    /// Levels taken back, for observers outside: about one per conflict.
    pub conflicts: Arc<AtomicU64>,
    /// Raised from outside: the search ends.
    pub permit: Arc<Permit>,
    names: Vec<[Ast; 2]>, // of each theory variable: itself, its negation
    vars: FxHashMap<Ast, u32>,
    never: Ast,
    conflict_at: Option<usize>, // the level at which a conflict was told
}

impl Follower {
    pub fn new(bridge: Bridge, never: Ast) -> Follower {
        Follower {
            bridge,
            told: Z3Counters::default(),
            accepted: false,
            conflicts: Arc::default(),
            permit: Arc::default(),
            names: Vec::new(),
            vars: FxHashMap::default(),
            never,
            conflict_at: None,
        }
    }

    /// The next theory variable is called `name`.
    pub fn name(&mut self, context: &Context, name: Ast) -> Result<()> {
        self.vars.insert(name, self.names.len() as u32);
        self.names.push([name, context.not(name)?]);
        Ok(())
    }

    /// Names for the variables that the theory has made; gives the first of them.
    pub(crate) fn name_new(&mut self, context: &Context) -> Result<usize> {
        let first = self.names.len();
        let sort = context.bool_sort()?;
        for _ in first..self.bridge.variables() as usize {
            self.name(context, context.fresh(sort)?)?;
        }
        Ok(first)
    }

    /// By theory variable.
    pub fn names(&self) -> impl Iterator<Item = Ast> + '_ {
        self.names.iter().map(|&[name, _]| name)
    }

    pub fn term(&self, lit: Lit) -> Ast {
        self.names[lit.var() as usize][usize::from(lit.is_negative())]
    }

    fn propagate(&mut self, search: &PropagatorSearch) -> Result<()> {
        if let Some(conflict) = self.bridge.propagate().map_err(SolverError::Panic)? {
            return self.object(search, &conflict);
        }
        while let Some(lit) = self.bridge.next_implied() {
            let premises = self.bridge.explain(lit).map_err(SolverError::Panic)?;
            let news = search.implies(&self.variables(&premises), self.term(lit))?;
            self.told.propagations += u64::from(news);
        }
        Ok(())
    }

    fn object(&mut self, search: &PropagatorSearch, lits: &[Lit]) -> Result<()> {
        self.conflict_at = Some(self.bridge.theory.level());
        self.told.conflicts += 1;
        search.implies(&self.variables(lits), self.never)?;
        Ok(())
    }

    /// Z3 wants the terms that have values, whichever these are.
    fn variables(&self, lits: &[Lit]) -> Vec<Ast> {
        lits.iter().map(|lit| self.names[lit.var() as usize][0]).collect()
    }

    /// Are there variables without a value? Then Z3 gets them, again if it has forgotten them.
    fn open(&mut self, search: &PropagatorSearch) -> Result<bool> {
        let complete = self.bridge.theory.assigned().len() == self.names.len();
        if !complete {
            for var in 0..self.names.len() as u32 {
                if self.bridge.theory.value(Lit::positive(var)).is_none() {
                    search.register(self.names[var as usize][0])?;
                }
            }
        }
        Ok(!complete)
    }
}

impl ffi::Propagator for Follower {
    fn push(&mut self) {
        self.accepted = false;
        self.bridge.theory.push();
    }

    fn pop(&mut self, levels: usize) {
        self.conflicts.fetch_add(1, Ordering::Relaxed);
        self.accepted = false;
        let theory = &mut self.bridge.theory;
        theory.backtrack(theory.level().saturating_sub(levels));
        self.conflict_at.take_if(|at| *at > theory.level());
    }

    fn fixed(&mut self, search: &PropagatorSearch, term: Ast, value: bool) -> Result<()> {
        self.accepted = false;
        if self.permit.revoked() {
            return Err(SolverError::GaveUp("stopped".into()));
        }
        if self.conflict_at.is_some() {
            return Ok(());
        }
        let Some(&var) = self.vars.get(&term) else { return Ok(()) };
        let lit = if value { Lit::positive(var) } else { Lit::negative(var) };
        self.bridge.theory.assign(lit);
        self.propagate(search)
    }

    fn last(&mut self, search: &PropagatorSearch) -> Result<()> {
        self.accepted = false;
        if self.conflict_at.is_some() || self.open(search)? {
            return Ok(());
        }
        match self.bridge.final_check().map_err(SolverError::Panic)? {
            Final::Consistent => self.accepted = true,
            Final::Conflict(lits) => self.object(search, &lits)?,
            Final::Conflicts(all) => all.iter().try_for_each(|lits| self.object(search, lits))?,
            Final::More(0) => return Err(SolverError::GaveUp("no schedule found".into())),
            Final::More(_) => {
                for var in self.name_new(search.context)?..self.names.len() {
                    search.register(self.names[var][0])?;
                }
            }
        }
        Ok(())
    }
}
