//! An execution of a system as the program executes it: how far each thread goes in turn, and with
//! which inputs.

use crate::ask::{Asker, Said, Stop};
use crate::system::{ActionId, InputVariable, System, ThreadId, vars};
use encoder::Term;

/// An action of a path, with the variables that stand for its inputs there.
#[derive(Clone, Debug)]
pub struct Taken {
    pub action: ActionId,
    pub fresh: Vec<(Term, Term)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    Value(u64),
    /// Does an allocation fail?
    Fails(bool),
}

/// A thread goes on by so many instructions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    pub thread: ThreadId,
    pub length: usize,
    pub inputs: Vec<Given>,
    pub starts: Vec<ThreadId>,
}

/// The inputs of an action.
pub(crate) fn inputs_of(system: &System, action: ActionId) -> Vec<Term> {
    let action = system.action(action);
    let mut found: Vec<Term> = Vec::new();
    for term in action.updates.iter().map(|(_, t)| *t).chain([action.guard]) {
        found.extend(vars(&system.pool, term));
    }
    found.retain(|var| !system.by_var.contains_key(var));
    found.sort_unstable();
    found.dedup();
    found
}

/// Inputs with which all of the facts hold along a path; `None` if there are none.
pub fn execution(
    system: &System,
    asker: &mut Asker,
    path: &[Taken],
    facts: &[Term],
) -> Result<Option<Vec<Turn>>, Stop> {
    let all: Vec<Term> = path.iter().flat_map(|t| t.fresh.iter().map(|f| f.1)).collect();
    let Said::Sat(model) = asker.model(&system.pool, facts, &all)? else { return Ok(None) };
    let mut values = model.evaluator(&system.pool);
    let mut turns = Vec::new();
    for taken in path {
        let action = system.action(taken.action);
        let mut value = |var: Term| {
            let here = taken.fresh.iter().find(|(from, _)| *from == var);
            here.map_or(0, |(_, to)| values.value(*to))
        };
        let inputs = action.trail.inputs.iter().map(|input| match *input {
            InputVariable::Value(var) => Given::Value(value(var)),
            InputVariable::Fails(var) => Given::Fails(value(var) != 0),
        });
        turns.push(Turn {
            thread: action.thread,
            length: action.trail.length,
            inputs: inputs.collect(),
            starts: action.trail.starts.clone(),
        });
    }
    Ok(Some(turns))
}
