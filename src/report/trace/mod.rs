//! The execution that shows a violation: one block per turn of a thread, as wide as the page.
//!
//! A row is a source line and what it did. The compact form leaves out rows that concern no other
//! thread, except for the last ones before the violation; if that is more than a screen, also rows
//! whose values do not reach the violation, and says so. The full form has every step. Where the
//! source cannot be read, the rows say in words what happened.
//!
//! - `story.rs`: what of an execution is worth telling, and in which words

mod source;
mod story;

use super::diagnostic::{Place, printable};
use crate::contract::Violation;
use crate::request::Style;
use source::Sources;
use std::fmt::Write;
use story::{Effect, StoryRow, Weight};

/// Narrower or wider pages are taken to be this wide.
const NARROWEST: usize = 48;
const WIDEST: usize = 160;
/// The place column is as wide as its longest entry, but never wider than this.
const WIDEST_PLACE: usize = 20;
/// Rows of the last turn that are told even if they concern one thread only.
const LAST_ROWS: usize = 4;
/// A compact trace of more rows tells only what the violation depends on.
const SCREEN: usize = 16;
/// It is not longer than this; its middle gives way.
const LONGEST: usize = 80;

/// What the page looks like.
#[derive(Clone, Copy, Debug)]
pub struct PageLook {
    pub style: Style,
    /// In columns.
    pub width: usize,
    pub colour: bool,
}

pub fn render(violation: &Violation, files: &[String], look: PageLook) -> String {
    let style = look.style;
    if style == Style::Off || violation.trace.is_empty() {
        return String::new();
    }
    let rows = story::rows(&violation.trace);
    let pieces = match style {
        Style::Compact => compact(&rows, violation.other, violation.run.is_some()),
        _ => rows.iter().map(PagePiece::Row).collect(),
    };
    let mut page = TracePage::new(files, &pieces, look, violation.run.is_some());
    page.title(&rows);
    pieces.iter().for_each(|piece| page.piece(piece));
    page.text
}

/// A part of the page.
enum PagePiece<'a> {
    Row(&'a StoryRow),
    /// So many rows are not shown here.
    Gap(usize),
}

/// What concerns several threads, and the end.
///
/// Without a schedule no row says which one wrote what it reads, so none is left out for that.
fn compact(
    rows: &[StoryRow],
    other: Option<(interp::Tid, ir::Span)>,
    scheduled: bool,
) -> Vec<PagePiece<'_>> {
    let is_other =
        |row: &StoryRow| other.is_some_and(|(t, at)| t == row.thread && at.line == row.span.line);
    let other = rows.iter().rposition(is_other);
    let last = rows.last().map(|row| row.thread);
    let turn = rows.iter().rev().take_while(|row| Some(row.thread) == last).count();
    let tail = rows.len() - turn.min(LAST_ROWS);
    let alone = rows.iter().all(|row| Some(row.thread) == last);
    let told =
        |i: usize| alone || rows[i].weight() >= Weight::Shared || i >= tail || Some(i) == other;
    let all: Vec<usize> = (0..rows.len()).filter(|&i| told(i)).collect();
    if all.len() <= SCREEN || !scheduled {
        return shortened(all.into_iter().map(|i| PagePiece::Row(&rows[i])).collect());
    }
    let is_key = |i: usize| rows[i].weight() >= Weight::Surprise || i >= tail || Some(i) == other;
    let needed = needed(rows, (0..rows.len()).filter(|&i| is_key(i)).collect());
    shortened(with_gaps(rows, &all, |i| needed[i] || rows[i].starts()))
}

/// These rows, and those that wrote what they read, and so on.
fn needed(rows: &[StoryRow], mut todo: Vec<usize>) -> Vec<bool> {
    let mut needed = vec![false; rows.len()];
    while let Some(i) = todo.pop() {
        if !std::mem::replace(&mut needed[i], true) {
            todo.extend(&rows[i].from);
        }
    }
    needed
}

/// What is kept of some rows, and how many are missing where.
fn with_gaps<'r>(
    rows: &'r [StoryRow],
    all: &[usize],
    keep: impl Fn(usize) -> bool,
) -> Vec<PagePiece<'r>> {
    let mut pieces = Vec::new();
    for &i in all {
        match (keep(i), pieces.last_mut()) {
            (true, _) => pieces.push(PagePiece::Row(&rows[i])),
            (false, Some(PagePiece::Gap(n))) => *n += 1,
            (false, _) => pieces.push(PagePiece::Gap(1)),
        }
    }
    pieces
}

fn shortened(mut pieces: Vec<PagePiece<'_>>) -> Vec<PagePiece<'_>> {
    if pieces.len() > LONGEST {
        let (head, tail) = (LONGEST / 4, LONGEST - LONGEST / 4);
        let gap = pieces.len() - head - tail;
        pieces.splice(head..head + gap, [PagePiece::Gap(gap)]);
    }
    pieces
}

struct TracePage<'a> {
    text: String,
    files: &'a [String],
    sources: Sources<'a>,
    width: usize,
    style: Style,
    colour: bool,
    /// Are the steps in the order in which they happen?
    scheduled: bool,
    /// Widths of the first two columns.
    place: usize,
    source: usize,
    one_file: bool,
    running: Option<interp::Tid>,
}

impl<'a> TracePage<'a> {
    fn new(
        files: &'a [String],
        pieces: &[PagePiece<'_>],
        look: PageLook,
        scheduled: bool,
    ) -> TracePage<'a> {
        let width = look.width.clamp(NARROWEST, WIDEST);
        let mut sources = Sources::new(files);
        let rows = || {
            pieces.iter().filter_map(|p| if let PagePiece::Row(r) = p { Some(*r) } else { None })
        };
        let first = rows().find(|r| r.span.line > 0).map(|r| r.span.file);
        let one_file = rows().all(|r| r.span.line == 0 || Some(r.span.file) == first);
        let place = rows().map(|r| place(r, files, one_file).chars().count()).max().unwrap_or(0);
        let source = rows().filter_map(|r| sources.line(r.span).map(|l| l.chars().count())).max();
        TracePage {
            text: String::new(),
            files,
            sources,
            width,
            style: look.style,
            colour: look.colour,
            scheduled,
            place: place.min(WIDEST_PLACE),
            source: source.unwrap_or(0).min(widest_source(width)),
            one_file,
            running: None,
        }
    }

    fn title(&mut self, rows: &[StoryRow]) {
        if !self.scheduled {
            let _ = writeln!(self.text, "Execution, thread by thread");
            return;
        }
        let switches = rows.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count();
        let plural = if switches == 1 { "" } else { "es" };
        let _ = writeln!(self.text, "Trace: {switches} context switch{plural}");
    }

    fn piece(&mut self, piece: &PagePiece<'_>) {
        match piece {
            PagePiece::Row(row) => self.row(row),
            PagePiece::Gap(n) => {
                self.running = None;
                let rows = if *n == 1 { "row" } else { "rows" };
                let _ = writeln!(self.text, "    ... {n} {rows}: --trace full shows them");
            }
        }
    }

    fn row(&mut self, row: &StoryRow) {
        if self.running != Some(row.thread) {
            self.head(row);
            self.running = Some(row.thread);
        }
        let place = place(row, self.files, self.one_file);
        let source = self.sources.line(row.span).map(|line| cut(&line, self.source));
        let effects = self.effects(row, source.is_some());
        let indent = 4 + self.place + 2 + if self.source > 0 { self.source + 2 } else { 0 };
        let mut left = format!("    {place:>0$}  ", self.place);
        if self.source > 0 {
            let _ = write!(left, "{:1$}  ", source.unwrap_or_default(), self.source);
        }
        for line in self.lines(&effects, self.width.saturating_sub(indent)) {
            let _ = writeln!(self.text, "{}", format!("{left}{line}").trim_end());
            left = " ".repeat(indent);
        }
    }

    /// Effects side by side where they fit; what is wrong stands alone. At least one line.
    fn lines(&self, effects: &[&Effect], width: usize) -> Vec<String> {
        let mut lines = vec![String::new()];
        let mut used = 0;
        for effect in effects {
            let pieces = wrap(&printable(&effect.text), width);
            let alone = pieces.len() > 1 || effect.weight == Weight::Wrong;
            for piece in pieces {
                let length = piece.chars().count();
                let (gap, fits) = (if used > 0 { "; " } else { "" }, used + 2 + length <= width);
                let painted = self.paint(&piece, effect.weight);
                match lines.last_mut() {
                    Some(line) if used == 0 || fits && !alone => {
                        line.push_str(gap);
                        line.push_str(&painted);
                        used += gap.len() + length;
                    }
                    _ => {
                        lines.push(painted);
                        used = length;
                    }
                }
            }
        }
        lines
    }

    /// What is told of a row: without its source line, everything.
    fn effects<'r>(&self, row: &'r StoryRow, source: bool) -> Vec<&'r Effect> {
        let least = match (self.style, source) {
            (Style::Full, _) | (_, false) => Weight::Plain,
            _ if row.weight() >= Weight::Shared => Weight::Local,
            _ => Weight::Private,
        };
        row.effects.iter().filter(|e| e.weight >= least).collect()
    }

    /// `-- switch 3: thread 2, worker --------------------- holds m --`
    fn head(&mut self, row: &StoryRow) {
        let switch = match row.turn {
            0 => String::new(),
            _ if !self.scheduled => String::new(),
            n => format!("switch {n}: "),
        };
        let function =
            if row.start.is_empty() { String::new() } else { format!(", {}", row.start) };
        let left = format!("-- {switch}thread {}{function} ", row.thread.0);
        let right = match row.locks.as_slice() {
            [] => String::new(),
            locks => format!(" holds {} --", locks.join(", ")),
        };
        let rule = "-".repeat((self.width - 2).saturating_sub(left.chars().count() + right.len()));
        let line = printable(&format!("{left}{rule}{right}"));
        match self.colour {
            true => _ = writeln!(self.text, "  \x1b[1;36m{line}\x1b[0m"),
            false => _ = writeln!(self.text, "  {line}"),
        }
    }

    fn paint(&self, text: &str, weight: Weight) -> String {
        match weight {
            Weight::Wrong if self.colour => format!("\x1b[1;31m{text}\x1b[0m"),
            Weight::Surprise if self.colour => format!("\x1b[1;33m{text}\x1b[0m"),
            Weight::Plain | Weight::Private | Weight::Local if self.colour => {
                format!("\x1b[2m{text}\x1b[0m")
            }
            _ => text.to_string(),
        }
    }
}

/// Of the columns of a page, what the source may have: 34 of 80, more than half of a wide page, and
/// little of a narrow one, where what happens matters more.
fn widest_source(width: usize) -> usize {
    match width {
        0..80 => width.saturating_sub(46).max(12),
        _ => 34 + (width - 80) / 2,
    }
}

/// `10`, or `race.c:10` if there are several files, cut at the left if it is too long.
fn place(row: &StoryRow, files: &[String], one_file: bool) -> String {
    let Some(Place { file, line, .. }) = Place::of(row.span, files) else { return String::new() };
    if one_file {
        return line.to_string();
    }
    let name = file.rsplit('/').next().unwrap_or(&file);
    let text = printable(&format!("{name}:{line}"));
    let extra = text.chars().count().saturating_sub(WIDEST_PLACE);
    if extra == 0 { text } else { format!("~{}", text.chars().skip(extra + 1).collect::<String>()) }
}

fn cut(text: &str, width: usize) -> String {
    match text.chars().count() > width {
        true => text.chars().take(width.saturating_sub(3)).chain("...".chars()).collect(),
        false => text.to_string(),
    }
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
mod tests;
