//! Source text for the pane beside the lanes.
//!
//! Only files that an event stands in, and of long ones (a preprocessed kernel module) only the
//! neighbourhood of the events. A file that cannot be read is a name without text.

use super::model::EventGraph;
use serde::Serialize;
use std::collections::BTreeSet;

/// Files up to here are shown as a whole.
const WHOLE: usize = 4000;
/// Lines around an event that are shown of longer ones.
const AROUND: usize = 40;
/// Longer lines are cut.
const WIDEST: usize = 400;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PictureSource {
    pub name: String,
    /// Pieces of the text: the number of the first line, and the lines.
    pub pieces: Vec<(usize, Vec<String>)>,
}

pub fn read(graph: &EventGraph, files: &[String]) -> Vec<PictureSource> {
    let source = |(i, name): (usize, &String)| {
        let events = graph.events.iter().filter(|e| e.file == i && e.line > 0);
        let lines: BTreeSet<usize> = events.map(|e| e.line as usize).collect();
        let text = if lines.is_empty() { None } else { std::fs::read(name).ok() };
        let pieces = text.map_or(Vec::new(), |t| cut(&String::from_utf8_lossy(&t), &lines));
        PictureSource { name: name.clone(), pieces }
    };
    files.iter().enumerate().map(source).collect()
}

fn cut(text: &str, wanted: &BTreeSet<usize>) -> Vec<(usize, Vec<String>)> {
    let lines: Vec<&str> = text.lines().collect();
    let near = |n: usize| wanted.range(n.saturating_sub(AROUND)..=n + AROUND).next().is_some();
    let mut pieces: Vec<(usize, Vec<String>)> = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let number = i + 1;
        if lines.len() > WHOLE && !near(number) {
            continue;
        }
        let line: String = line.chars().take(WIDEST).collect();
        match pieces.last_mut() {
            Some((first, piece)) if *first + piece.len() == number => piece.push(line),
            _ => pieces.push((number, vec![line])),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_files_are_whole_and_long_ones_have_gaps() {
        let wanted = BTreeSet::from([2]);
        assert_eq!(cut("a\nb\r\nc", &wanted), [(1, vec!["a".into(), "b".into(), "c".into()])]);
        let long = "x\n".repeat(WHOLE + 1000);
        let pieces = cut(&long, &BTreeSet::from([1000, 1010, 4000]));
        let spans: Vec<_> = pieces.iter().map(|(first, lines)| (*first, lines.len())).collect();
        assert_eq!(spans, [(960, 91), (3960, 81)]);
    }
}
