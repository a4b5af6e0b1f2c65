//! Executions with all relations that their model names, for pictures.

use crate::execution::Skeleton;
use crate::ir::Test;
use crate::trace::Trace;
use crate::value::Value;
use cat::{Evaluation, Graph, Model, Relation};

/// Relations of every model, by which a reader finds his way.
const ALWAYS: [&str; 11] =
    ["po", "rf", "co", "fr", "addr", "data", "ctrl", "rmw", "loc", "int", "ext"];

/// One execution.
#[derive(Clone, Debug)]
pub struct Picture {
    /// By event: its thread (initial writes have none) and what it does.
    pub events: Vec<(Option<usize>, String)>,
    pub sets: Vec<(String, Vec<usize>)>,
    pub relations: Vec<(String, Vec<(usize, usize)>)>,
    /// Its final state, as the text has it.
    pub state: String,
    /// Does the test's condition hold in it?
    pub positive: bool,
    pub flags: Vec<String>,
    /// The axiom that forbids it, and the steps of a cycle.
    pub forbidden: Option<Forbidden>,
}

#[derive(Clone, Debug)]
pub struct Forbidden {
    pub axiom: String,
    pub steps: Vec<(usize, usize, String)>,
}

/// What a picture shows besides the graph.
pub(crate) struct Shown {
    pub state: String,
    pub positive: bool,
}

pub(crate) fn picture(
    evaluation: &mut Evaluation<'_>,
    model: &Model,
    test: &Test,
    skeleton: &Skeleton,
    (traces, values): (&[&Trace], &[Value]),
    shown: Shown,
) -> Picture {
    let name = |event: usize| {
        let text = skeleton.describe(test, traces, values, event);
        let text = text.split_once(": ").map_or(text.clone(), |(_, what)| what.to_string());
        (skeleton.thread[event], text)
    };
    let events = (0..skeleton.events).map(name).collect();
    let relations = relations(evaluation, model);
    let sets = sets(&skeleton.graph);
    let flags = evaluation.flags().into_iter().map(str::to_string).collect();
    let forbidden = evaluation.violation().map(|violation| Forbidden {
        axiom: violation.axiom,
        steps: violation.steps.into_iter().map(|s| (s.from, s.to, s.relation)).collect(),
    });
    let Shown { state, positive } = shown;
    Picture { events, sets, relations, state, positive, flags, forbidden }
}

/// All relations of an execution that have a name and are not empty.
pub fn relations(
    evaluation: &mut Evaluation<'_>,
    model: &Model,
) -> Vec<(String, Vec<(usize, usize)>)> {
    let mut found: Vec<(String, Vec<(usize, usize)>)> = Vec::new();
    for name in ALWAYS.into_iter().chain(model.definitions()) {
        let known = found.iter().any(|(known, _)| known == name);
        let pairs = evaluation.relation(name).map(|r: Relation| r.pairs().collect::<Vec<_>>());
        if let (false, Some(pairs)) = (known, pairs.filter(|pairs| !pairs.is_empty())) {
            found.push((name.to_string(), pairs));
        }
    }
    found
}

/// All sets of an execution that are not empty.
pub fn sets(graph: &Graph) -> Vec<(String, Vec<usize>)> {
    let all = graph.sets.iter().map(|(name, set)| (name.clone(), set.iter().collect()));
    let mut all: Vec<(String, Vec<usize>)> =
        all.filter(|(_, e): &(_, Vec<_>)| !e.is_empty()).collect();
    all.sort();
    all
}

/// What an event is that accesses nothing by a name: the sets that it is in.
pub fn tags(graph: &Graph, event: usize) -> String {
    let sets = sets(graph).into_iter().filter(|(_, events)| events.contains(&event));
    sets.map(|(name, _)| name).filter(|name| name != "M").collect::<Vec<_>>().join(" ")
}
