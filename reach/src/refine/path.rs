//! A path as terms over the first state and its inputs: strongest postconditions by substitution.

use crate::ask::{Asker, Stop};
use crate::execution::{Taken, Turn, execution, inputs_of};
use crate::replace::Replace;
use crate::system::{ActionId, System};
use encoder::Term;

pub struct Path {
    /// What holds where it begins.
    facts: Vec<Term>,
    pub actions: Vec<ActionId>,
    /// The variables that stand for its inputs, by action.
    pub fresh: Vec<Vec<(Term, Term)>>,
    /// The guard of each action, over the first state.
    pub guards: Vec<Term>,
    /// By number of actions done: each cell, over the first state.
    pub states: Vec<Vec<Term>>,
}

impl Path {
    /// From the first state of the system.
    pub fn new(system: &mut System, actions: Vec<ActionId>) -> Path {
        let mut state: Vec<Term> = Vec::with_capacity(system.cells.len());
        for at in 0..system.cells.len() {
            let (var, initial) = (system.cells[at].var, system.cells[at].initial);
            let width = system.pool.width(var);
            state.push(initial.map_or(var, |value| system.pool.bits(value, width)));
        }
        Path::along(system, Vec::new(), state, actions)
    }

    /// From any state in which the facts hold.
    pub fn from(system: &mut System, facts: Vec<Term>, actions: Vec<ActionId>) -> Path {
        let state = system.cells.iter().map(|c| c.var).collect();
        Path::along(system, facts, state, actions)
    }

    fn along(
        system: &mut System,
        facts: Vec<Term>,
        state: Vec<Term>,
        actions: Vec<ActionId>,
    ) -> Path {
        let (guards, fresh) = (Vec::new(), Vec::new());
        let mut path = Path { facts, fresh, guards, states: vec![state], actions };
        for at in 0..path.actions.len() {
            path.step(system, at);
        }
        path
    }

    fn step(&mut self, system: &mut System, at: usize) {
        let action = system.action(self.actions[at]).clone();
        let mut state = self.states[at].clone();
        let mut map = self.replace(system, at);
        // Inputs are new in every step.
        let mut fresh = Vec::new();
        for var in inputs_of(system, self.actions[at]) {
            let sort = system.pool.sort(var);
            fresh.push((var, system.pool.fresh(sort)));
        }
        if !fresh.is_empty() {
            map = Replace::new(self.map(system, at).into_iter().chain(fresh.iter().copied()));
        }
        self.fresh.push(fresh);
        self.guards.push(map.apply(&mut system.pool, action.guard));
        for (cell, value) in &action.updates {
            state[cell.index()] = map.apply(&mut system.pool, *value);
        }
        self.states.push(state);
    }

    fn map(&self, system: &System, at: usize) -> Vec<(Term, Term)> {
        system.cells.iter().map(|c| c.var).zip(self.states[at].iter().copied()).collect()
    }

    /// What holds after so many actions, over the first state.
    pub fn known(&self, at: usize) -> Vec<Term> {
        self.facts.iter().chain(&self.guards[..at]).copied().collect()
    }

    /// Puts the state before an action, and its inputs, into terms over cells and inputs.
    pub(crate) fn entering(&self, system: &System, at: usize) -> Replace {
        let inputs = self.fresh.get(at).into_iter().flatten().copied();
        Replace::new(self.map(system, at).into_iter().chain(inputs))
    }

    /// Puts the state after so many actions into terms over cells.
    pub fn replace(&self, system: &System, at: usize) -> Replace {
        Replace::new(self.map(system, at))
    }

    /// The path as the program executes it, if it can be done.
    pub fn turns(&self, system: &System, asker: &mut Asker) -> Result<Vec<Turn>, Stop> {
        let steps = self.actions.iter().zip(&self.fresh);
        let taken = steps.map(|(action, fresh)| Taken { action: *action, fresh: fresh.clone() });
        let taken: Vec<Taken> = taken.collect();
        Ok(execution(system, asker, &taken, &self.guards)?.unwrap_or_default())
    }

    /// The first action that cannot be done; `None` if all can.
    pub(crate) fn stops_at(
        &self,
        system: &System,
        asker: &mut Asker,
    ) -> Result<Option<usize>, Stop> {
        if asker.holds(&system.pool, &self.guards)? {
            return Ok(None);
        }
        let (mut good, mut bad) = (0, self.guards.len());
        while bad - good > 1 {
            let middle = (good + bad) / 2;
            match asker.holds(&system.pool, &self.guards[..middle])? {
                true => good = middle,
                false => bad = middle,
            }
        }
        Ok(Some(bad - 1))
    }
}
