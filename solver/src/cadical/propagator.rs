//! The theory as CaDiCaL sees it: its literals in, propagations and clauses out.
//!
//! Each theory variable has a literal of the SAT solver. Several may share one (their terms became
//! the same gate), even with opposite signs, so an assignment of one SAT variable is told to all of
//! them, before the theory propagates.
//!
//! CaDiCaL notifies its trail: what `notify_backtrack` takes away but is still true (a unit learnt
//! above level 0, or an assignment moved to a lower level) it tells again right after. So the theory
//! always sees what CaDiCaL has assigned, perhaps at a higher level than it belongs to: premises may
//! then hold literals of level 0, which CaDiCaL drops. A last look at the complete model assigns
//! whatever was not told.

use crate::blast::Literal;
use crate::bridge::{Bridge, Final};
use crate::reference::BrokenPromise;
use theory::Lit;

/// Counters since the beginning.
#[derive(Clone, Copy, Debug, Default)]
pub struct CadicalCounters {
    /// Literals that the theory implied and CaDiCaL had not assigned.
    pub propagations: u64,
    /// Reasons that CaDiCaL asked for.
    pub reasons: u64,
    /// Conflict clauses.
    pub conflicts: u64,
    /// Literals in them and in reasons.
    pub literals: u64,
}

/// What becomes of a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    Always,
    /// The theory can find it again.
    AsYouLike,
}

/// Which variable CaDiCaL branches on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Decide {
    /// As it likes.
    #[default]
    Solver,
    /// First who reads from whom, in the order of the reads; then as it likes.
    ReadsFirst,
}

/// The SAT literals of the theory's variables, and back.
#[derive(Debug, Default)]
pub struct SatLiterals {
    sat: Vec<Literal>,           // by theory variable
    theory: Vec<Vec<Lit>>,       // by SAT variable: what is true with it
    told: Vec<[Option<Lit>; 2]>, // by SAT variable and sign: what the theory implied last
}

impl SatLiterals {
    /// The next theory variable is this literal.
    pub fn push(&mut self, sat: Literal) {
        let lit = Lit::positive(self.sat.len() as u32);
        self.sat.push(sat);
        if self.theory.len() <= sat.var() {
            self.theory.resize(sat.var() + 1, Vec::new());
            self.told.resize(sat.var() + 1, [None; 2]);
        }
        self.theory[sat.var()].push(if sat.is_negative() { !lit } else { lit });
    }

    pub fn of(&self, lit: Lit) -> Literal {
        let sat = self.sat[lit.var() as usize];
        if lit.is_negative() { !sat } else { sat }
    }

    /// The theory's literals that are true with `sat`.
    fn meanings(&self, sat: Literal) -> impl Iterator<Item = Lit> + '_ {
        let known = self.theory.get(sat.var()).map_or(&[][..], Vec::as_slice);
        known.iter().map(move |&lit| if sat.is_negative() { !lit } else { lit })
    }
}

#[derive(Debug)]
pub struct TheoryPropagator {
    pub names: SatLiterals,
    decide: Decide,
    rf_decided: usize,            // all rf literals before this one are assigned
    changed: bool,                // assignments that the theory has not propagated
    conflict: Option<Vec<Lit>>,   // not all of them can be true; CaDiCaL shall know
    waiting: Vec<Vec<Lit>>,       // likewise, and CaDiCaL must keep them
    clause: Vec<Literal>,         // what is left of the clause that CaDiCaL takes, backwards
    reason: Option<Vec<Literal>>, // likewise
    accepted: bool,               // the last model that was looked at is an execution
    more: u32,                    // variables of the second stage that CaDiCaL must make
    pub told: CadicalCounters,
}

impl TheoryPropagator {
    pub fn new(names: SatLiterals, decide: Decide) -> TheoryPropagator {
        TheoryPropagator {
            names,
            decide,
            rf_decided: 0,
            changed: true,
            conflict: None,
            waiting: Vec::new(),
            clause: Vec::new(),
            reason: None,
            accepted: false,
            more: 0,
            told: CadicalCounters::default(),
        }
    }

    /// A search begins: no model has been looked at.
    pub fn begin(&mut self) {
        self.accepted = false;
        self.more = 0;
    }

    /// Was the model of this search looked at and found to be an execution?
    pub(crate) fn has_accepted(&self) -> bool {
        self.accepted
    }

    /// How many variables the second stage wants, once.
    pub(crate) fn take_more(&mut self) -> u32 {
        std::mem::take(&mut self.more)
    }

    pub fn assign(&mut self, bridge: &mut Bridge, sat: Literal) -> Result<(), BrokenPromise> {
        for lit in self.names.meanings(sat) {
            if bridge.theory.value(lit) == Some(false) {
                return Err(format!("{sat:?} is assigned both ways"));
            }
            bridge.theory.assign(lit);
        }
        self.changed = true;
        Ok(())
    }

    pub(crate) fn new_level(&mut self, bridge: &mut Bridge) {
        bridge.theory.push();
    }

    pub fn backtrack(&mut self, bridge: &mut Bridge, level: usize) {
        bridge.theory.backtrack(level);
        self.changed = true;
        self.conflict = None;
        self.rf_decided = 0;
    }

    /// The next literal that follows from the theory.
    pub fn propagate(&mut self, bridge: &mut Bridge) -> Result<Option<Literal>, BrokenPromise> {
        if self.changed {
            self.changed = false;
            self.conflict = bridge.propagate()?;
        }
        if self.conflict.is_some() {
            return Ok(None);
        }
        let Some(lit) = bridge.next_implied() else { return Ok(None) };
        if bridge.checks_itself() || bridge.keeps_refuted() {
            bridge.explain(lit)?; // CaDiCaL may never ask
        }
        let sat = self.names.of(lit);
        self.names.told[sat.var()][usize::from(sat.is_negative())] = Some(lit);
        self.told.propagations += 1;
        Ok(Some(sat))
    }

    /// The reason of a propagation, a literal at a time.
    pub fn reason(
        &mut self,
        bridge: &mut Bridge,
        sat: Literal,
    ) -> Result<Option<Literal>, BrokenPromise> {
        if self.reason.is_none() {
            let told = self.names.told[sat.var()][usize::from(sat.is_negative())];
            let told = told.ok_or_else(|| format!("{sat:?} has no reason"))?;
            let premises = bridge.explain(told)?;
            self.told.reasons += 1;
            self.told.literals += premises.len() as u64;
            let mut clause: Vec<Literal> = premises.iter().map(|&l| !self.names.of(l)).collect();
            clause.push(sat);
            self.reason = Some(clause);
        }
        let next = self.reason.as_mut().and_then(Vec::pop);
        if next.is_none() {
            self.reason = None;
        }
        Ok(next)
    }

    /// Is there a conflict clause, and must it be kept?
    pub(crate) fn has_clause(&mut self) -> Option<Keep> {
        let (conflict, keep) = match self.conflict.take() {
            Some(conflict) => (conflict, Keep::AsYouLike),
            None => (self.waiting.pop()?, Keep::Always),
        };
        self.told.conflicts += 1;
        self.told.literals += conflict.len() as u64;
        self.clause = conflict.iter().map(|&lit| !self.names.of(lit)).collect();
        Some(keep)
    }

    /// The clause, a literal at a time.
    pub(crate) fn next_of_clause(&mut self) -> Option<Literal> {
        self.clause.pop()
    }

    /// Is the complete model an execution? If the second stage has begun, it counts as one until
    /// the new variables exist.
    pub fn accepts(
        &mut self,
        bridge: &mut Bridge,
        model: &[Literal],
    ) -> Result<bool, BrokenPromise> {
        for &sat in model {
            self.assign(bridge, sat)?;
        }
        self.begin();
        Ok(match bridge.final_check()? {
            Final::Consistent => {
                self.accepted = true;
                true
            }
            Final::Conflict(lits) => {
                self.conflict = Some(lits);
                self.changed = false;
                false
            }
            Final::Conflicts(all) => {
                self.waiting = all;
                false
            }
            Final::More(n) => {
                self.more = n;
                true
            }
        })
    }

    /// The literal to branch on, if the theory has an opinion.
    pub fn decide(&mut self, bridge: &Bridge) -> Option<Literal> {
        if self.decide == Decide::Solver {
            return None;
        }
        let open = bridge.rf()[self.rf_decided..]
            .iter()
            .position(|&lit| bridge.theory.value(lit).is_none());
        self.rf_decided = open.map_or(bridge.rf().len(), |n| self.rf_decided + n);
        bridge.rf().get(self.rf_decided).map(|&lit| self.names.of(lit))
    }
}
