//! Witnesses in GraphML, format 1.0: an automaton with one path.
//!
//! The first edge starts the first thread. Where a thread starts another, the next edge enters its
//! function. `steps` is a key of our own (others ignore what they do not know): how many steps of our
//! trace an edge stands for, so that our validator knows where in a line threads take turns.

use super::WitnessTask;
use super::story::{Story, StoryEvent, StoryMove};
use ir::types::Machine;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use quick_xml::writer::Writer;

/// Name, type, what it belongs to.
const KEYS: &[(&str, &str, &str)] = &[
    ("witness-type", "string", "graph"),
    ("sourcecodelang", "string", "graph"),
    ("producer", "string", "graph"),
    ("specification", "string", "graph"),
    ("programfile", "string", "graph"),
    ("programhash", "string", "graph"),
    ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"),
    ("entry", "boolean", "node"),
    ("sink", "boolean", "node"),
    ("violation", "boolean", "node"),
    ("threadId", "string", "edge"),
    ("createThread", "string", "edge"),
    ("enterFunction", "string", "edge"),
    ("returnFromFunction", "string", "edge"),
    ("startline", "int", "edge"),
    ("assumption", "string", "edge"),
    ("assumption.scope", "string", "edge"),
    ("assumption.resultfunction", "string", "edge"),
    ("steps", "int", "edge"),
];

pub fn violation(task: &WitnessTask, story: &Story) -> String {
    let mut out = GraphmlDocument::new(task, "violation_witness");
    let main = [("createThread", "0".to_string()), ("enterFunction", story.main())];
    out.node(&["entry"]);
    out.edge(&main);
    for step in &story.moves {
        out.node(&[]);
        out.edge(&edge(step));
        if let StoryEvent::Create { child, function: Some(function) } = &step.what {
            out.node(&[]);
            let enter = ("enterFunction", function.clone());
            out.edge(&[("threadId", child.to_string()), enter]);
        }
    }
    out.node(&[]);
    out.edge(
        &[("threadId", story.target.thread.to_string())]
            .into_iter()
            .chain(story.target.line.map(|l| ("startline", l.number.to_string())))
            .collect::<Vec<_>>(),
    );
    out.node(&["violation"]);
    out.end()
}

pub fn correctness(task: &WitnessTask) -> String {
    let mut out = GraphmlDocument::new(task, "correctness_witness");
    out.node(&["entry"]);
    out.end()
}

fn edge(step: &StoryMove) -> Vec<(&'static str, String)> {
    let mut data = vec![("threadId", step.spot.thread.to_string())];
    data.extend(step.spot.line.map(|l| ("startline", l.number.to_string())));
    match &step.what {
        StoryEvent::Plain => {}
        StoryEvent::Create { child, .. } => data.push(("createThread", child.to_string())),
        StoryEvent::Enter(function) => data.push(("enterFunction", function.clone())),
        StoryEvent::Leave(function) => data.push(("returnFromFunction", function.clone())),
        StoryEvent::Input { function, value } => {
            data.push(("assumption", format!("\\result == {value};")));
            data.push(("assumption.scope", step.spot.function.clone()));
            data.push(("assumption.resultfunction", function.clone()));
        }
    }
    // An edge has one assumption.
    if !step.facts.is_empty() && !matches!(step.what, StoryEvent::Input { .. }) {
        let facts = step.facts.iter().map(|f| format!("{} == {};", f.place, f.value));
        data.push(("assumption", facts.collect::<Vec<_>>().join(" ")));
        data.push(("assumption.scope", step.spot.function.clone()));
    }
    data.push(("steps", step.steps.to_string()));
    data
}

impl Story {
    fn main(&self) -> String {
        let first = self.moves.iter().find(|m| m.spot.thread == 0);
        first.map_or("main".into(), |m| m.spot.function.clone())
    }
}

/// Nodes and edges in a row. Writing into memory does not fail.
struct GraphmlDocument {
    writer: Writer<Vec<u8>>,
    nodes: usize,
}

impl GraphmlDocument {
    fn new(task: &WitnessTask, kind: &str) -> GraphmlDocument {
        let mut out =
            GraphmlDocument { writer: Writer::new_with_indent(Vec::new(), b' ', 1), nodes: 0 };
        out.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        let mut root = BytesStart::new("graphml");
        root.push_attribute(("xmlns", "http://graphml.graphdrawing.org/xmlns"));
        root.push_attribute(("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"));
        out.event(Event::Start(root));
        for key in KEYS {
            out.key(key);
        }
        let mut graph = BytesStart::new("graph");
        graph.push_attribute(("edgedefault", "directed"));
        out.event(Event::Start(graph));
        out.about(task, kind);
        out
    }

    fn key(&mut self, &(name, ty, owner): &(&str, &str, &str)) {
        let attributes = [("id", name), ("attr.name", name), ("attr.type", ty), ("for", owner)];
        let key = BytesStart::new("key").with_attributes(attributes);
        if ty != "boolean" {
            return self.event(Event::Empty(key));
        }
        self.event(Event::Start(key));
        self.element("default", None, "false");
        self.event(Event::End(BytesEnd::new("key")));
    }

    fn about(&mut self, task: &WitnessTask, kind: &str) {
        let (name, hash) = task.files.first().map_or(("", ""), |(n, h)| (n, h));
        let architecture = match task.machine {
            Machine::Ilp32 => "32bit",
            Machine::Lp64 => "64bit",
        };
        let producer = concat!("obmc ", env!("CARGO_PKG_VERSION"));
        let rows = [
            ("witness-type", kind),
            ("sourcecodelang", "C"),
            ("producer", producer),
            ("specification", &task.specification),
            ("programfile", name),
            ("programhash", hash),
            ("architecture", architecture),
            ("creationtime", &task.created),
        ];
        for (key, value) in rows {
            self.data(key, value);
        }
    }

    /// Marked as each of `marks`.
    fn node(&mut self, marks: &[&str]) {
        let id = format!("N{}", self.nodes);
        let node = BytesStart::new("node").with_attributes([("id", id.as_str())]);
        self.nodes += 1;
        if marks.is_empty() {
            return self.event(Event::Empty(node));
        }
        self.event(Event::Start(node));
        for mark in marks {
            self.data(mark, "true");
        }
        self.event(Event::End(BytesEnd::new("node")));
    }

    /// From the last node to the next one.
    fn edge(&mut self, data: &[(&str, String)]) {
        let (from, to) = (format!("N{}", self.nodes - 1), format!("N{}", self.nodes));
        let ends = [("source", from.as_str()), ("target", to.as_str())];
        self.event(Event::Start(BytesStart::new("edge").with_attributes(ends)));
        for (key, value) in data {
            self.data(key, value);
        }
        self.event(Event::End(BytesEnd::new("edge")));
    }

    fn data(&mut self, key: &str, value: &str) {
        self.element("data", Some(key), value);
    }

    fn element(&mut self, name: &str, key: Option<&str>, value: &str) {
        let mut start = BytesStart::new(name);
        if let Some(key) = key {
            start.push_attribute(("key", key));
        }
        self.event(Event::Start(start));
        self.event(Event::Text(BytesText::new(value)));
        self.event(Event::End(BytesEnd::new(name)));
    }

    fn event(&mut self, event: Event<'_>) {
        let _ = self.writer.write_event(event);
    }

    fn end(mut self) -> String {
        for name in ["graph", "graphml"] {
            self.event(Event::End(BytesEnd::new(name)));
        }
        String::from_utf8_lossy(&self.writer.into_inner()).into_owned() + "\n"
    }
}
