//! Witnesses in GraphML, format 1.0: the edges on a shortest way from the entry to a violation.
//!
//! Where the automaton has several ways to its violation nodes, only one is followed; then nothing
//! is refuted by it alone, since another way may fit.

use super::{Witness, specified};
use crate::validate::guided::expression::conditions;
use crate::validate::guided::{Guide, GuideStep, StepGoal};
use crate::witness::places::Line;
use ir::types::Machine;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

type Data = FxHashMap<String, String>;

#[derive(Default)]
struct GraphmlGraph {
    data: Data,
    nodes: FxHashMap<String, Data>,
    edges: Vec<(String, String, Data)>,
}

pub fn read(text: &str) -> Result<Witness, String> {
    let graph = parse(text)?;
    if graph.data.get("witness-type").is_some_and(|t| t != "violation_witness") {
        return Err("it is no violation witness".into());
    }
    let specification = graph.data.get("specification").ok_or("it names no specification")?;
    let (property, entry) = specified(specification)?;
    let way = way(&graph)?;
    let whole =
        way.len() == graph.edges.iter().filter(|(_, to, _)| !is(&graph, to, "sink")).count();
    let (guide, ignored) = guide(&way);
    let machine = match graph.data.get("architecture").map(String::as_str) {
        Some("32bit") => Some(Machine::Ilp32),
        Some("64bit") => Some(Machine::Lp64),
        _ => None,
    };
    let hashes = graph.data.get("programhash").cloned().into_iter();
    let hashes = hashes.filter(|h| h.len() == 64).collect();
    Ok(Witness { property, entry, hashes, machine, guide, ignored, whole })
}

/// What a `data` element belongs to.
enum Owner {
    Graph,
    Node(String),
    Edge,
}

fn parse(text: &str) -> Result<GraphmlGraph, String> {
    let mut reader = Reader::from_str(text);
    let mut graph = GraphmlGraph::default();
    let mut owner = Owner::Graph;
    let mut key: Option<String> = None;
    let mut content = String::new();
    loop {
        match reader.read_event().map_err(|e| e.to_string())? {
            Event::Eof => return Ok(graph),
            Event::Start(e) => match e.name().as_ref() {
                "data" => (key, content) = (attribute(&e, "key"), String::new()),
                name => owner = open(&mut graph, name, &e).unwrap_or(owner),
            },
            Event::Empty(e) => {
                open(&mut graph, e.name().as_ref(), &e);
            }
            Event::Text(t) => content.push_str(&t),
            Event::GeneralRef(r) => {
                content.push_str(quick_xml::escape::resolve_predefined_entity(&r).unwrap_or(""));
            }
            Event::CData(t) => content.push_str(&t),
            Event::End(e) => match (e.name().as_ref(), key.take()) {
                ("data", Some(key)) => note(&mut graph, &owner, key, content.trim().to_string()),
                ("node" | "edge", _) => owner = Owner::Graph,
                _ => {}
            },
            _ => {}
        }
    }
}

fn open(graph: &mut GraphmlGraph, name: &str, start: &BytesStart<'_>) -> Option<Owner> {
    match name {
        "node" => {
            let id = attribute(start, "id")?;
            graph.nodes.insert(id.clone(), Data::default());
            Some(Owner::Node(id))
        }
        "edge" => {
            let ends = (attribute(start, "source")?, attribute(start, "target")?);
            graph.edges.push((ends.0, ends.1, Data::default()));
            Some(Owner::Edge)
        }
        _ => None,
    }
}

fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = start.try_get_attribute(name).ok()??;
    Some(attribute.value.into_owned())
}

fn note(graph: &mut GraphmlGraph, owner: &Owner, key: String, value: String) {
    let data = match owner {
        Owner::Graph => Some(&mut graph.data),
        Owner::Node(id) => graph.nodes.get_mut(id),
        Owner::Edge => graph.edges.last_mut().map(|edge| &mut edge.2),
    };
    if let Some(data) = data {
        data.insert(key, value);
    }
}

/// Has a node this mark?
fn is(graph: &GraphmlGraph, id: &str, mark: &str) -> bool {
    graph.nodes.get(id).and_then(|data| data.get(mark)).is_some_and(|value| value == "true")
}

/// The edges of a shortest way.
fn way(graph: &GraphmlGraph) -> Result<Vec<&Data>, String> {
    let is = |id: &str, mark: &str| is(graph, id, mark);
    let entry = graph.nodes.keys().find(|id| is(id, "entry")).ok_or("it has no entry node")?;
    let mut from: FxHashMap<&str, Option<usize>> = FxHashMap::default();
    from.insert(entry, None);
    let mut queue = VecDeque::from([entry.as_str()]);
    let mut leaving: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (i, (source, ..)) in graph.edges.iter().enumerate() {
        leaving.entry(source).or_default().push(i);
    }
    while let Some(node) = queue.pop_front() {
        if is(node, "violation") {
            let mut way = Vec::new();
            let mut at = node;
            while let Some(Some(edge)) = from.get(at) {
                way.push(&graph.edges[*edge].2);
                at = &graph.edges[*edge].0;
            }
            way.reverse();
            return Ok(way);
        }
        for &edge in leaving.get(node).into_iter().flatten() {
            let target = graph.edges[edge].1.as_str();
            if !from.contains_key(target) && !is(target, "sink") {
                from.insert(target, Some(edge));
                queue.push_back(target);
            }
        }
    }
    Err("it has no way to a violation node".into())
}

fn guide(way: &[&Data]) -> (Guide, usize) {
    // By the order of creation; a thread without a creation is the first one, or any.
    let mut threads: Vec<&str> = Vec::new();
    for data in way {
        if let Some(id) = data.get("createThread").filter(|id| !threads.contains(&id.as_str())) {
            threads.push(id);
        }
    }
    let starts =
        way.first().is_some_and(|d| d.contains_key("createThread") && !d.contains_key("threadId"));
    if !starts {
        let first = way.iter().find_map(|d| d.get("threadId")).map_or("", |id| id);
        threads.insert(0, first);
    }
    let number = |id: &String| threads.iter().position(|t| t == id);
    let mut guide = Guide::default();
    let mut ignored = 0;
    for (i, data) in way.iter().enumerate().skip(usize::from(starts)) {
        let thread = data.get("threadId").and_then(number);
        let line = data.get("startline").and_then(|l| l.parse().ok());
        let line = line.map(|number| Line { file: 0, number });
        // The last edge is the violation itself, whose line may be another one to others.
        if i + 1 < way.len() {
            guide.steps.push(step(data, thread, line, number, &mut ignored));
        }
    }
    (guide, ignored)
}

fn step(
    data: &Data,
    thread: Option<usize>,
    line: Option<Line>,
    number: impl Fn(&String) -> Option<usize>,
    ignored: &mut usize,
) -> GuideStep {
    let what = if let Some(id) = data.get("createThread").and_then(number) {
        StepGoal::Create(id)
    } else if let Some(function) = data.get("assumption.resultfunction") {
        StepGoal::Result(Some(function.clone()))
    } else if let Some(function) = data.get("enterFunction") {
        StepGoal::Enter(function.clone())
    } else if let Some(function) = data.get("returnFromFunction") {
        StepGoal::Leave(function.clone())
    } else {
        StepGoal::Any
    };
    let mut understood = Vec::new();
    for condition in data.get("assumption").into_iter().flat_map(|text| conditions(text)) {
        match condition {
            Some(condition) => understood.push(condition),
            None => *ignored += 1,
        }
    }
    GuideStep {
        thread,
        line,
        what,
        conditions: understood,
        scope: data.get("assumption.scope").cloned().unwrap_or_default(),
        count: data.get("steps").and_then(|n| n.parse().ok()),
    }
}
