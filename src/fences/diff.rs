//! A unified diff, from the edits that were made.

use super::candidate::{ChangeableFile, Edit};
use std::fmt::Write;

/// Lines around a change.
const CONTEXT: usize = 2;

/// A line of the diff, and the numbers of the next line in both files.
struct DiffLine {
    mark: char,
    text: String,
    old: usize,
    new: usize,
}

/// Needs: edits in order. Gives nothing if there are none.
pub fn unified(source: &ChangeableFile, edits: &[Edit]) -> String {
    let lines = lines(source, edits);
    let is_change = |i: usize| lines[i].mark != ' ';
    let near = |i: usize| {
        let end = (i + CONTEXT + 1).min(lines.len());
        (i.saturating_sub(CONTEXT)..end).any(is_change)
    };
    let mut text = String::new();
    if edits.is_empty() {
        return text;
    }
    let _ = writeln!(text, "--- {0}\n+++ {0}", source.name);
    let mut at = 0;
    while at < lines.len() {
        if !near(at) {
            at += 1;
            continue;
        }
        let end = (at..lines.len()).find(|&i| !near(i)).unwrap_or(lines.len());
        let hunk = &lines[at..end];
        let count = |not: char| hunk.iter().filter(|l| l.mark != not).count();
        let (old, new) = (hunk[0].old, hunk[0].new);
        let _ = writeln!(text, "@@ -{old},{} +{new},{} @@", count('+'), count('-'));
        hunk.iter().for_each(|line| {
            let _ = writeln!(text, "{}{}", line.mark, line.text);
        });
        at = end;
    }
    text
}

fn lines(source: &ChangeableFile, edits: &[Edit]) -> Vec<DiffLine> {
    let mut lines = Vec::new();
    let (mut old, mut new, mut start) = (1, 1, 0);
    for raw in source.text.raw.split_inclusive('\n') {
        let end = start + raw.len();
        let here: Vec<&Edit> =
            edits.iter().filter(|(r, _)| (start..end).contains(&r.start)).collect();
        let (whole, inside): (Vec<&Edit>, Vec<&Edit>) =
            here.into_iter().partition(|(range, text)| range.is_empty() && text.ends_with('\n'));
        for (_, text) in whole {
            lines.push(DiffLine { mark: '+', text: text.trim_end_matches('\n').into(), old, new });
            new += 1;
        }
        let mut changed = raw.to_string();
        for (range, text) in inside.iter().rev() {
            changed.replace_range(range.start - start..range.end - start, text);
        }
        let trimmed = |text: &str| text.trim_end_matches('\n').to_string();
        if inside.is_empty() {
            lines.push(DiffLine { mark: ' ', text: trimmed(raw), old, new });
        } else {
            lines.push(DiffLine { mark: '-', text: trimmed(raw), old, new });
            lines.push(DiffLine { mark: '+', text: trimmed(&changed), old: old + 1, new });
        }
        (old, new, start) = (old + 1, new + 1, end);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insertions_and_replacements() {
        let text = "a\nb\nc\nd\ne\nf\ng\nh\ni\n";
        let source = ChangeableFile::new("x.c".into(), text.into());
        let edits = [(2..2, "new\n".to_string()), (12..13, "GG".to_string())];
        let want = "--- x.c\n+++ x.c\n@@ -1,3 +1,4 @@\n a\n+new\n b\n c\n@@ -5,5 +6,5 @@\n e\n f\n-g\n+GG\n h\n i\n";
        assert_eq!(unified(&source, &edits), want);
        assert_eq!(unified(&source, &[]), "");
    }
}
