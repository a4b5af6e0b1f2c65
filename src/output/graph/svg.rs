//! The graph as a drawing that does not move: for documents and tickets.
//!
//! A row per event, a column per thread. Colours follow the reader's preference for light or dark.

use super::model::{EdgeKind, EventGraph, EventKind, GraphEdge, GraphEvent};
use super::picture::Picture;
use std::fmt::Write;

const ROW: usize = 30;
const BOX: usize = 22;
const TOP: usize = 92;
const LEFT: usize = 48;
const GAP: usize = 56;
/// Width of a character of the labels' font.
const CHAR: f64 = 7.3;
const MOST_CHARS: usize = 36;

const STYLE: &str = "
svg{background:#fff;font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
text{fill:#1f2328}.n{fill:#8b949e;font-size:10px}.t{font:600 15px system-ui,sans-serif}
.h{font:600 12px system-ui,sans-serif}.lane{stroke:#d8dee4}.b{fill:#f6f8fa;stroke:#afb8c1}
.b.write{fill:#fff4e5;stroke:#d9a15b}.b.read{fill:#e8f5f0;stroke:#6fb39b}.b.wrong{fill:#ffe3e3;stroke:#c62828}
.b.lock,.b.unlock{fill:#f1ebfa;stroke:#9b7bd0}.b.start,.b.join,.b.end{fill:#e7f1fa;stroke:#6ba4d3}
.e{fill:none;stroke-width:1.4}.e text,.k{stroke:none;font:10px system-ui,sans-serif}
.rf{stroke:#00845f}.ws{stroke:#b45309;stroke-dasharray:2 3}.fr{stroke:#b83280;stroke-dasharray:6 3}
.create,.join{stroke:#0067b0}.lock{stroke:#7c4dbd}.po{stroke:#afb8c1}
@media(prefers-color-scheme:dark){svg{background:#0d1117}text{fill:#e6edf3}.lane{stroke:#30363d}
.b{fill:#161b22;stroke:#444c56}.b.write{fill:#33230d;stroke:#b9803a}.b.read{fill:#0d2b21;stroke:#3f9678}
.b.wrong{fill:#4a1518;stroke:#ff7b72}.b.lock,.b.unlock{fill:#251a3a;stroke:#8d6bc9}
.b.start,.b.join,.b.end{fill:#0c2438;stroke:#4a8fc7}.rf{stroke:#3fc79a}.ws{stroke:#e5a04b}
.fr{stroke:#f07cbc}.create,.join{stroke:#58a6ff}.lock{stroke:#b392f0}}
";

pub fn render(picture: &Picture) -> String {
    let graph = &picture.graph;
    let sheet = Sheet::of(graph);
    let (width, height) = sheet.size(graph);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title\">\n"
    );
    let title = escape(&format!("{}: {}", picture.answer, picture.message));
    let _ = writeln!(text, "<title id=\"title\">{title}</title><style>{STYLE}</style>");
    let _ = writeln!(text, "<text class=\"t\" x=\"16\" y=\"28\">{title}</text>");
    legend(&mut text);
    for (l, lane) in graph.lanes.iter().enumerate() {
        let x = sheet.x(l) + sheet.width / 2;
        let name = escape(&shorten(&format!("thread {} · {}", lane.thread, lane.function)));
        let _ = writeln!(
            text,
            "<text class=\"h\" x=\"{x}\" y=\"78\" text-anchor=\"middle\">{name}</text>"
        );
        let _ = writeln!(text, "<path class=\"lane\" d=\"M{x} 86V{}\"/>", height - 12);
    }
    for edge in graph.edges.iter().filter(|e| graph.crosses(e)) {
        sheet.edge(&mut text, graph, edge);
    }
    for (i, event) in graph.events.iter().enumerate() {
        sheet.event(&mut text, i, event);
    }
    text.push_str("</svg>\n");
    text
}

/// Where things are.
struct Sheet {
    /// Of a lane's boxes.
    width: usize,
}

impl Sheet {
    fn of(graph: &EventGraph) -> Sheet {
        let longest = graph.events.iter().map(|e| e.short().chars().count()).max().unwrap_or(10);
        Sheet { width: (longest.clamp(14, MOST_CHARS) as f64 * CHAR) as usize + 20 }
    }

    fn size(&self, graph: &EventGraph) -> (usize, usize) {
        let lanes = graph.lanes.len().max(1);
        let width = LEFT + lanes * (self.width + GAP);
        (width.max(560), TOP + graph.events.len().max(1) * ROW + 16)
    }

    fn x(&self, lane: usize) -> usize {
        LEFT + lane * (self.width + GAP)
    }

    fn y(&self, event: usize) -> usize {
        TOP + event * ROW
    }

    fn event(&self, text: &mut String, i: usize, event: &GraphEvent) {
        let (x, y, class) = (self.x(event.lane), self.y(i), class(event.kind));
        let label = escape(&shorten(&event.short()));
        let _ = writeln!(
            text,
            "<g><title>{}</title><text class=\"n\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{i}</text>\
             <rect class=\"b {class}\" x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{BOX}\" rx=\"5\"/>\
             <text x=\"{}\" y=\"{}\">{label}</text></g>",
            escape(&title(event)),
            LEFT - 12,
            y + 15,
            self.width,
            x + 9,
            y + 15,
        );
    }

    fn edge(&self, text: &mut String, graph: &EventGraph, edge: &GraphEdge) {
        let (from, to) = (&graph.events[edge.from], &graph.events[edge.to]);
        let right = from.lane < to.lane;
        let side = |lane: usize, right: bool| self.x(lane) + if right { self.width } else { 0 };
        let (x1, y1) = (side(from.lane, right), self.y(edge.from) + BOX / 2);
        let (x2, y2) = (side(to.lane, !right), self.y(edge.to) + BOX / 2);
        let bend = |x: usize, right: bool| if right { x + 34 } else { x.saturating_sub(34) };
        let (c1, c2) = (bend(x1, right), bend(x2, !right));
        let kind = edge.kind.name();
        let tip = if right { -6i64 } else { 6 };
        let tip_x = x2 as i64 + tip;
        let _ = writeln!(
            text,
            "<g class=\"e {kind}\"><title>{kind}</title><path d=\"M{x1} {y1}C{c1} {y1} {c2} {y2} {x2} {y2}\
             M{tip_x} {}L{x2} {y2}L{tip_x} {}\"/></g>",
            y2 - 4,
            y2 + 4,
        );
    }
}

fn legend(text: &mut String) {
    let mut x = 16;
    for kind in EdgeKind::ALL.iter().filter(|k| **k != EdgeKind::Po) {
        let name = kind.name();
        let _ = writeln!(
            text,
            "<path class=\"e {name}\" d=\"M{x} 48h22\"/><text class=\"k\" x=\"{}\" y=\"52\">{name}</text>",
            x + 28
        );
        x += 80;
    }
}

fn class(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Read => "read",
        EventKind::Write => "write",
        EventKind::Lock => "lock",
        EventKind::Unlock => "unlock",
        EventKind::Start => "start",
        EventKind::Join => "join",
        EventKind::End => "end",
        EventKind::Wrong => "wrong",
        EventKind::Assign | EventKind::Call | EventKind::Return | EventKind::Input => "plain",
    }
}

fn title(event: &GraphEvent) -> String {
    match event.line {
        0 => event.text.clone(),
        line => format!("line {line}, {}: {}", event.function, event.text),
    }
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= MOST_CHARS {
        return text.to_string();
    }
    text.chars().take(MOST_CHARS - 1).chain(['…']).collect()
}

/// For XML; characters that it does not know are left out.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
