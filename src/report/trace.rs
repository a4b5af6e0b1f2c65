//! The execution that shows a violation: one block per turn of a thread.
//!
//! Two columns, 80 characters wide: the place, then what happened. A long file name loses its
//! folders; a long step continues below itself.

use super::diagnostic::{Place, printable};
use crate::engine::TraceStep;
use std::fmt::Write;

const WIDTH: usize = 80;
/// The place column is as wide as its longest entry, but never wider than this.
const WIDEST_PLACE: usize = 28;

pub fn render(trace: &[TraceStep], files: &[String]) -> String {
    let trace: Vec<&TraceStep> = trace.iter().filter(|step| step.deed.is_told()).collect();
    let places: Vec<String> = trace.iter().map(|s| place(s, files)).collect();
    let column = places.iter().map(|p| p.chars().count()).max().unwrap_or(0).min(WIDEST_PLACE);
    let mut text = String::from(if trace.is_empty() { "" } else { "Trace\n" });
    let mut running = None;
    let mut switches = 0;
    for (step, place) in trace.iter().zip(&places) {
        if running != Some(step.thread) {
            head(&mut text, step.thread.0, switches);
            running = Some(step.thread);
            switches += 1;
        }
        let lines = wrap(&printable(&step.deed.to_string()), WIDTH - column - 6);
        for (i, line) in lines.iter().enumerate() {
            let place = if i == 0 { place.as_str() } else { "" };
            let _ = writeln!(text, "    {place:column$}  {line}");
        }
    }
    text
}

/// `-- thread 1 ------------ switch 3 --`
fn head(text: &mut String, thread: u32, switches: usize) {
    let left = format!("-- thread {thread} ");
    let right = if switches == 0 { String::new() } else { format!(" switch {switches} --") };
    let rule = "-".repeat((WIDTH - 2).saturating_sub(left.len() + right.len()));
    let _ = writeln!(text, "  {left}{rule}{right}");
}

/// `race.c:10`, cut at the left if it is too long.
fn place(step: &TraceStep, files: &[String]) -> String {
    let Some(Place { file, line, .. }) = Place::of(step.span, files) else { return String::new() };
    let name = file.rsplit('/').next().unwrap_or(&file);
    let text = printable(&format!("{name}:{line}"));
    let extra = text.chars().count().saturating_sub(WIDEST_PLACE);
    if extra == 0 { text } else { format!("~{}", text.chars().skip(extra + 1).collect::<String>()) }
}

/// Breaks at blanks into lines of at most `width` characters; a longer word has a line to itself.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let full = lines
            .last()
            .is_some_and(|l| !l.is_empty() && l.chars().count() + 1 + word.chars().count() > width);
        if full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::engine::Answer;

    #[test]
    fn blocks_and_switches() {
        let Answer::Unsafe(violation) = violation() else { panic!("no violation") };
        let want = "\
Trace
  -- thread 0 ------------------------------------------------------------------
    race.c:20  starts thread 1 in `worker`
  -- thread 1 ------------------------------------------------------ switch 1 --
    race.c:9   reads counter == 0
    race.c:10  counter = 1
  -- thread 0 ------------------------------------------------------ switch 2 --
    race.c:23  assertion `counter == 2` fails
";
        assert_eq!(render(&violation.trace, &["/no/where/race.c".into()]), want);
    }

    #[test]
    fn long_names_and_long_steps_stay_within_80_columns() {
        let file = format!("/a/{}.c", "b".repeat(50));
        let what = "reads the_quick_brown_fox == 12345 ".repeat(5);
        let trace = [step(0, 1234, &what)];
        let text = render(&trace, &[file]);
        assert!(text.lines().all(|l| l.chars().count() <= WIDTH), "{text}");
        assert!(text.contains(".c:1234  reads"), "{text}");
        assert_eq!(text.matches("fox").count(), 5);
    }

    #[test]
    fn an_empty_trace_has_no_title() {
        assert_eq!(render(&[], &[]), "");
    }
}
