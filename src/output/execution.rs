//! Executions of memory models as one page: events by thread, and every set and relation of the model
//! to switch on. For litmus tests, and for violations of C programs without a schedule.

use super::graph::html::{fill, island};
use crate::contract::WeakExecution;
use cat::{Evaluation, Model};
use litmus::Picture;
use serde::Serialize;

const PAGE: &str = include_str!("execution.html");

/// What is drawn together.
#[derive(Serialize, Default, Debug)]
pub struct Test {
    pub name: String,
    pub model: String,
    pub executions: Vec<Execution>,
}

#[derive(Serialize, Default, Debug)]
pub struct Execution {
    /// By event: its thread (initial writes have none) and what it does.
    events: Vec<(Option<usize>, String)>,
    sets: Vec<(String, Vec<usize>)>,
    relations: Vec<(String, Vec<(usize, usize)>)>,
    /// How it is listed.
    state: String,
    flags: Vec<String>,
    /// What is remarkable about it, and steps to draw bold.
    why: Option<String>,
    steps: Vec<(usize, usize, String)>,
}

pub fn page(tests: &[Test]) -> String {
    let data = serde_json::to_string(tests).unwrap_or_default();
    fill(PAGE, &[("DATA", &island(&data))])
}

/// A litmus test's execution.
pub fn of_litmus(picture: Picture, model: &str) -> Execution {
    let head = match (&picture.forbidden, picture.positive) {
        (Some(_), _) => "forbidden: ",
        (None, true) => "* ",
        (None, false) => "",
    };
    let why = picture
        .forbidden
        .as_ref()
        .map(|forbidden| format!("Not an execution of {model}: {} forbids it.", forbidden.axiom));
    Execution {
        events: picture.events,
        sets: picture.sets,
        relations: picture.relations,
        state: format!("{head}{}", picture.state),
        flags: picture.flags,
        why,
        steps: picture.forbidden.map(|forbidden| forbidden.steps).unwrap_or_default(),
    }
}

/// One of a C program.
pub fn of_program(execution: &WeakExecution, message: &str) -> Test {
    let mut evaluation = Evaluation::new(&execution.model.cat, execution.graph.clone());
    let name = |(i, event): (usize, &crate::contract::WeakEvent)| {
        let text = match &event.access {
            Some(access) => {
                let letter = if access.write { "W" } else { "R" };
                format!("{}: {letter} {}={}", access.span.line, access.name, access.value)
            }
            None => litmus::tags(&execution.graph, i),
        };
        (thread(execution, i), text)
    };
    let sc = Model::builtin("sc");
    let cycle = sc.and_then(|sc| Evaluation::new(&sc, execution.graph.clone()).violation());
    let why = cycle.as_ref().map(|_| {
        format!(
            "{} allows it. It is no interleaving: the bold steps are a cycle.",
            execution.model.name
        )
    });
    let steps = cycle.map(|cycle| cycle.steps).unwrap_or_default();
    let drawn = Execution {
        events: execution.events.iter().enumerate().map(name).collect(),
        sets: litmus::sets(&execution.graph),
        relations: litmus::relations(&mut evaluation, &execution.model.cat),
        state: message.to_string(),
        flags: evaluation.flags().into_iter().map(str::to_string).collect(),
        why,
        steps: steps.into_iter().map(|s| (s.from, s.to, s.relation)).collect(),
    };
    Test { name: message.into(), model: execution.model.name.clone(), executions: vec![drawn] }
}

/// Fences and hand-overs are in the thread of what is before or behind them.
fn thread(execution: &WeakExecution, event: usize) -> Option<usize> {
    let own = |e: usize| execution.events[e].thread.map(|t| t as usize);
    let po = execution.graph.relations.get("po")?;
    let neighbour = || {
        let near = |e: &usize| po.contains(event, *e) || po.contains(*e, event);
        (0..execution.events.len()).filter(near).find_map(own)
    };
    own(event).or_else(neighbour)
}
