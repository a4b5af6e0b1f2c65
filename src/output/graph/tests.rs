//! Pictures of small executions.

use super::model::{EdgeKind, EventGraph, EventKind, GraphEdge};
use super::picture::Picture;
use super::{PictureFormat, dot, html, svg};
use crate::contract::{TraceEvent, TraceStep};
use interp::{Access, ObjKey, Tid};
use ir::{FileId, Span};
use std::path::Path;

/// A trace from lines such as `2: W x 1`, `1: R x 1 <3` (reads from step 3), `1: start 2 f`,
/// `2: call pthread_mutex_lock &m`, `2: ret pthread_mutex_lock 0`, `1: wrong`.
fn trace(lines: &[&str]) -> Vec<TraceStep> {
    let step = |(i, line): (usize, &&str)| {
        let (thread, rest) = line.split_once(": ").expect("a thread");
        let words: Vec<&str> = rest.split(' ').collect();
        let text = |i: usize| words.get(i).map_or(String::new(), |w| w.to_string());
        let thread = Tid(thread.parse().expect("a number"));
        let told = match words[0] {
            "W" => {
                TraceEvent::Write { place: text(1), value: text(2), access: access(words[1], true) }
            }
            "R" => TraceEvent::Read {
                place: text(1),
                value: text(2),
                access: access(words[1], false),
                from: words.get(3).map(|w| w[1..].parse().expect("a step")),
            },
            "set" => TraceEvent::Assign { name: text(1), value: text(2) },
            "start" => {
                TraceEvent::Start { child: Tid(words[1].parse().expect("id")), name: text(2) }
            }
            "join" => TraceEvent::Join { child: Tid(words[1].parse().expect("id")) },
            "end" => TraceEvent::End { thread, value: "NULL".into() },
            "call" => TraceEvent::Call {
                name: text(1),
                args: words[2..].iter().map(|w| w.to_string()).collect(),
                library: true,
            },
            "ret" => TraceEvent::Return {
                name: text(1),
                value: words.get(2).map(|w| w.to_string()),
                library: true,
            },
            _ => TraceEvent::Wrong("assertion fails".into()),
        };
        let span = Span { file: FileId(0), line: i as u32 + 1, column: 1 };
        TraceStep { thread, span, function: "f".into(), event: told, at: i }
    };
    lines.iter().enumerate().map(step).collect()
}

fn access(place: &str, write: bool) -> Option<Access> {
    let object = ObjKey(u32::from(place.as_bytes()[0]));
    Some(Access { offset: 0, size: 4, write, ..Access::whole(object, 4, Span::NONE.into()) })
}

fn graph(lines: &[&str]) -> EventGraph {
    EventGraph::of_trace(&trace(lines), "main")
}

/// Edges but for program order, as `rf 0 1`.
fn edges(graph: &EventGraph) -> Vec<String> {
    let edges = graph.edges.iter().filter(|e| e.kind != EdgeKind::Po);
    let mut texts: Vec<String> =
        edges.map(|GraphEdge { kind, from, to }| format!("{} {from} {to}", kind.name())).collect();
    texts.sort();
    texts
}

fn lost_update() -> EventGraph {
    graph(&[
        "1: call pthread_create",
        "1: start 2 f",
        "1: ret pthread_create 0",
        "2: R x 0",
        "1: R x 0",
        "1: W x 1",
        "2: W x 1",
        "2: end",
        "1: call pthread_join 2",
        "1: join 2",
        "1: ret pthread_join 0",
        "1: R x 1 <6",
        "1: wrong",
    ])
}

#[test]
fn edges_of_a_lost_update() {
    let graph = lost_update();
    let labels: Vec<&str> = graph.events.iter().map(|e| e.label.as_str()).collect();
    let want = [
        "start 2 f",
        "x = 0",
        "x = 0",
        "x = 1",
        "x = 1",
        "thread 2 ends",
        "join 2",
        "x = 1",
        "assertion fails",
    ];
    assert_eq!(labels, want);
    let want = ["create 0 1", "fr 1 3", "fr 2 3", "join 5 6", "rf 4 7", "ws 3 4"];
    assert_eq!(edges(&graph), want);
    assert_eq!(graph.lanes.iter().map(|l| l.function.as_str()).collect::<Vec<_>>(), ["main", "f"]);
    assert_eq!(graph.events[8].kind, EventKind::Wrong);
    let x = &graph.variables[0];
    assert_eq!((x.shared, x.initial.as_deref()), (true, Some("0")));
    assert_eq!(x.protection, ["start and join", "partly nothing"]);
}

#[test]
fn every_edge_goes_forward_in_time() {
    let graph = lost_update();
    assert!(graph.edges.iter().all(|e| e.from < e.to), "{:?}", graph.edges);
    let po = graph.edges.iter().filter(|e| e.kind == EdgeKind::Po);
    assert!(po.clone().all(|e| !graph.crosses(e)) && po.count() == 7);
}

#[test]
fn a_lock_stands_where_it_is_taken() {
    // Thread 2 waits from the beginning and gets the lock only when thread 1 gives it away.
    let graph = graph(&[
        "1: start 2 f",
        "1: call pthread_mutex_lock &m",
        "1: ret pthread_mutex_lock 0",
        "2: call pthread_mutex_lock &m",
        "1: W x 1",
        "1: call pthread_mutex_unlock &m",
        "2: ret pthread_mutex_lock 0",
        "1: ret pthread_mutex_unlock 0",
        "2: W x 2",
        "2: call pthread_mutex_trylock &n",
        "2: ret pthread_mutex_trylock 16",
    ]);
    let labels: Vec<&str> = graph.events.iter().map(|e| e.label.as_str()).collect();
    let want = [
        "start 2 f",
        "mutex_lock(&m)",
        "x = 1",
        "mutex_unlock(&m)",
        "mutex_lock(&m)",
        "x = 2",
        "mutex_trylock(&n) gives 16",
    ];
    assert_eq!(labels, want);
    assert_eq!(edges(&graph), ["create 0 4", "lock 3 4", "ws 2 5"]);
    let held: Vec<usize> = graph.events.iter().map(|e| e.held.len()).collect();
    assert_eq!(held, [0, 1, 1, 0, 1, 1, 1]);
    assert_eq!(graph.variables[0].protection, ["lock m"]);
}

#[test]
fn who_waits_for_ever_is_shown_waiting() {
    let graph = graph(&["1: call pthread_mutex_lock &m", "1: wrong"]);
    assert_eq!(graph.events[0].kind, EventKind::Call);
    assert!(graph.events[0].held.is_empty());
}

#[test]
fn a_wait_for_a_condition_gives_the_lock_away() {
    let graph = graph(&[
        "1: call pthread_mutex_lock &m",
        "1: ret pthread_mutex_lock 0",
        "1: call pthread_cond_wait &c &m",
        "1: ret pthread_cond_wait 0",
    ]);
    let held: Vec<usize> = graph.events.iter().map(|e| e.held.len()).collect();
    assert_eq!(held, [1, 0, 1]);
}

#[test]
fn locals_are_not_shared_even_if_they_have_one_name() {
    let graph = graph(&["1: start 2 f", "1: set i 1", "2: set i 2"]);
    assert_eq!(graph.variables.len(), 2);
    assert!(graph.variables.iter().all(|v| !v.shared && v.lane.is_some()));
}

#[test]
fn empty_executions_make_empty_pictures() {
    assert_eq!(graph(&[]), EventGraph::default());
    let picture = Picture::default();
    assert!(svg::render(&picture).ends_with("</svg>\n"));
    assert!(dot::render(&picture).ends_with("}\n"));
    assert!(html::render(&[]).contains("</html>"));
}

#[test]
fn drawings_hold_events_edges_and_no_markup_of_the_users() {
    let mut graph = lost_update();
    graph.events[3].label = "x = \"</svg><b>\" & 1".into();
    let picture = Picture { graph, answer: "UNSAFE", ..Picture::default() };
    let drawing = svg::render(&picture);
    assert_eq!(drawing.matches("<rect").count(), 9);
    assert_eq!(drawing.matches("class=\"e fr\"><title>").count(), 1, "one crosses lanes");
    assert!(drawing.contains("&lt;/svg&gt;&lt;b&gt;&quot; &amp; 1"));
    let text = dot::render(&picture);
    assert_eq!(text.matches("subgraph").count(), 2);
    assert!(text.contains("e4 -> e7 [label=\"rf\""));
    assert!(text.contains(r#"x = \"</svg><b>\" & 1"#));
}

#[test]
fn the_ending_says_what_to_draw() {
    let format = |name: &str| PictureFormat::of(Path::new(name));
    assert_eq!(format("a.html"), Some(PictureFormat::Html));
    assert_eq!(format("a.b.SVG"), Some(PictureFormat::Svg));
    assert_eq!(format("x/a.dot"), Some(PictureFormat::Dot));
    assert_eq!((format("a.png"), format("html")), (None, None));
}
