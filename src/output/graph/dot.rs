//! The graph for Graphviz: `dot -Tpdf`.
//!
//! A cluster per thread. Invisible edges from each event to the next keep time going downwards, and
//! `newrank` has them obeyed across clusters.

use super::model::{EdgeKind, EventKind, GraphEdge};
use super::picture::Picture;
use std::fmt::Write;

pub fn render(picture: &Picture) -> String {
    let graph = &picture.graph;
    let mut text = String::from("digraph obmc {\n");
    let title = quote(&format!("{}: {}", picture.answer, picture.message));
    let _ = writeln!(
        text,
        "  label={title}; labelloc=t; fontname=\"Helvetica\"; newrank=true; ranksep=0.25;"
    );
    text.push_str("  node [shape=box, style=\"rounded,filled\", fillcolor=white, ");
    text.push_str("fontname=\"Courier\", fontsize=11];\n");
    text.push_str("  edge [fontname=\"Helvetica\", fontsize=9];\n");
    for (l, lane) in graph.lanes.iter().enumerate() {
        let name = quote(&format!("thread {}: {}", lane.thread, lane.function));
        let _ = writeln!(text, "  subgraph cluster_{l} {{\n    label={name}; color=gray;");
        for (i, event) in graph.events.iter().enumerate().filter(|(_, e)| e.lane == l) {
            let place = if event.line > 0 { format!("{}: ", event.line) } else { String::new() };
            let label = quote(&format!("{place}{}", event.short()));
            let fill = match event.kind {
                EventKind::Wrong => ", fillcolor=\"#ffd6d6\", color=\"#c62828\"",
                _ => "",
            };
            let _ = writeln!(text, "    e{i} [label={label}{fill}];");
        }
        text.push_str("  }\n");
    }
    for next in 1..graph.events.len() {
        if graph.events[next - 1].lane != graph.events[next].lane {
            let _ = writeln!(text, "  e{} -> e{next} [style=invis];", next - 1);
        }
    }
    let shown = |e: &&GraphEdge| matches!(e.kind, EdgeKind::Po | EdgeKind::Rf) || graph.crosses(e);
    for edge in graph.edges.iter().filter(shown) {
        let _ = writeln!(text, "  e{} -> e{} [{}];", edge.from, edge.to, style(edge.kind));
    }
    text.push_str("}\n");
    text
}

fn style(kind: EdgeKind) -> String {
    let (colour, line, constraint) = match kind {
        EdgeKind::Po => return "color=gray, weight=8".into(),
        EdgeKind::Rf => ("#00845f", "solid", false),
        EdgeKind::Ws => ("#b45309", "dotted", false),
        EdgeKind::Fr => ("#b83280", "dashed", false),
        EdgeKind::Create | EdgeKind::Join => ("#0067b0", "solid", true),
        EdgeKind::Lock => ("#7c4dbd", "bold", true),
    };
    let name = kind.name();
    format!(
        "label=\"{name}\", color=\"{colour}\", fontcolor=\"{colour}\", style={line}, \
         constraint={constraint}"
    )
}

/// A string of the DOT language: one line, nothing in it ends it or is a command.
fn quote(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("\"{}\"", clean.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn strings_stay_strings() {
        assert_eq!(quote("a \"b\"\\n\nc"), r#""a \"b\"\\n c""#);
    }
}
