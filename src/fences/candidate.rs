//! Changes that could forbid an execution: a stronger order in a call, a fence between two statements.
//!
//! Orders are raised where they are written out; fences go before and behind statements with an atomic
//! access. A change counts ten, and a little more the dearer it is on machines, so that few changes
//! come before cheap ones: acquire and release, then seq_cst, then fences.

use super::graph::{Beside, Stronger, join};
use super::text::{CodeText, OrderWord, order_word};
use crate::contract::{WeakAccess, WeakExecution};
use ir::MemoryOrder;
use std::ops::Range;

/// A change of one file.
#[derive(Clone, Debug)]
pub struct CandidateChange {
    pub file: usize,
    pub what: ChangeKind,
    pub order: MemoryOrder,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeKind {
    /// A word for an order, by its number in `ChangeableFile::words`.
    Word(usize),
    /// A new fence before this piece of code.
    Fence { before: usize },
    /// A new fence inside of an arm without braces, which gets some: before its statement or behind it. By its
    /// number in `CodeText::arms`.
    InArm { arm: usize, behind: bool },
}

/// A file that may be changed.
#[derive(Clone, Debug)]
pub struct ChangeableFile {
    /// As the program's places name it.
    pub name: String,
    pub text: CodeText,
    pub words: Vec<OrderWord>,
}

impl ChangeableFile {
    pub fn new(name: String, raw: String) -> ChangeableFile {
        let text = CodeText::new(raw);
        let words = text.order_words();
        ChangeableFile { name, text, words }
    }
}

impl CandidateChange {
    /// Does it do all that the other one does?
    pub fn implies(&self, other: &CandidateChange) -> bool {
        (self.file, self.what) == (other.file, other.what)
            && join(self.order, other.order) == self.order
    }

    pub fn cost(&self) -> u32 {
        let kind = match self.what {
            ChangeKind::Word(_) => 0,
            ChangeKind::Fence { .. } => 2,
            ChangeKind::InArm { .. } => 3,
        };
        11 + kind + u32::from(self.order == MemoryOrder::SeqCst)
    }
}

/// All changes, given lines with accesses.
pub fn all(
    sources: &[ChangeableFile],
    has_access: impl Fn(usize, u32) -> bool,
) -> Vec<CandidateChange> {
    let mut found = Vec::new();
    for (file, source) in sources.iter().enumerate() {
        for (number, word) in source.words.iter().enumerate() {
            let stronger = stronger(&word.name, word.order);
            let change = |order| CandidateChange { file, what: ChangeKind::Word(number), order };
            found.extend(stronger.into_iter().map(change));
        }
        let accesses = |statement: &Range<usize>| {
            let (first, last) = source.text.lines_of(statement);
            let word = |w: &OrderWord| statement.contains(&w.word.start);
            source.words.iter().any(word) || (first..=last).any(|line| has_access(file, line))
        };
        let mut gaps: Vec<usize> = Vec::new();
        for statement in source.text.statements.iter().filter(|s| accesses(s)) {
            gaps.extend(source.text.gap(statement.start));
            gaps.extend(source.text.gap(statement.end));
        }
        gaps.sort_unstable();
        gaps.dedup();
        let mut places: Vec<ChangeKind> =
            gaps.into_iter().map(|before| ChangeKind::Fence { before }).collect();
        for (arm, at) in source.text.arms.iter().enumerate() {
            if accesses(&at.statement) {
                places.extend([false, true].map(|behind| ChangeKind::InArm { arm, behind }));
            }
        }
        let orders: &[MemoryOrder] = match source.text.is_kernel() {
            true => &[MemoryOrder::SeqCst],
            false => &[MemoryOrder::Acquire, MemoryOrder::Release, MemoryOrder::SeqCst],
        };
        for what in places {
            found.extend(orders.iter().map(|&order| CandidateChange { file, what, order }));
        }
    }
    found
}

/// Orders that a call can have instead.
fn stronger(call: &str, order: MemoryOrder) -> Vec<MemoryOrder> {
    let wanted: &[MemoryOrder] = match call {
        _ if call.contains("load") => &[MemoryOrder::Acquire, MemoryOrder::SeqCst],
        _ if call.contains("store") || call.contains("clear") => {
            &[MemoryOrder::Release, MemoryOrder::SeqCst]
        }
        _ => &[MemoryOrder::Acquire, MemoryOrder::Release, MemoryOrder::SeqCst],
    };
    wanted.iter().copied().filter(|new| join(*new, order) != order).collect()
}

/// What a change does to an execution.
pub fn apply(
    candidate: &CandidateChange,
    source: &ChangeableFile,
    execution: &WeakExecution,
    files: &[Option<usize>],
    stronger: &mut Stronger,
) {
    let here = |access: &WeakAccess| {
        files.get(access.span.file.index()).copied().flatten() == Some(candidate.file)
    };
    let accesses = execution.events.iter().enumerate();
    let accesses = accesses.filter_map(|(i, e)| Some((i, e.thread?, e.access.as_ref()?)));
    let accesses: Vec<(usize, u32, &WeakAccess)> = accesses.filter(|(.., a)| here(a)).collect();
    let statements = &source.text.statements;
    let gaps = |from: usize, to: usize| {
        let behind = statements.iter().find(|s| source.text.gap(s.end) == Some(from));
        let ahead = statements.iter().find(|s| source.text.gap(s.start) == Some(to));
        (behind, ahead)
    };
    let (behind, ahead) = match candidate.what {
        ChangeKind::Word(number) => {
            let Some(word) = source.words.get(number) else { return };
            let Some(around) = around_fence(source, word) else {
                let atomic = |a: &WeakAccess| a.order != MemoryOrder::Plain;
                let of_call =
                    accesses.iter().filter(|(.., a)| atomic(a) && is_of_call(source, word, a));
                return of_call.for_each(|(event, ..)| stronger.order(*event, candidate.order));
            };
            gaps(around.0, around.1)
        }
        ChangeKind::Fence { before } => gaps(before, before),
        ChangeKind::InArm { arm, behind } => {
            let Some(arm) = source.text.arms.get(arm) else { return };
            let statement = Some(&arm.statement);
            if behind { (statement, None) } else { (None, statement) }
        }
    };
    let is = |statement: Option<&Range<usize>>, access: &WeakAccess| {
        statement.is_some_and(|s| is_of_statement(source, s, access))
    };
    for (n, &(event, thread, access)) in accesses.iter().enumerate() {
        let last = accesses[..n].iter().rev().find(|(_, t, _)| *t == thread);
        let next = accesses[n + 1..].iter().find(|(_, t, _)| *t == thread);
        if is(ahead, access) && !last.is_some_and(|(.., a)| is(ahead, a)) {
            stronger.fence(Beside::Before(event), candidate.order);
        }
        if is(behind, access) && !next.is_some_and(|(.., a)| is(behind, a)) {
            stronger.fence(Beside::After(event), candidate.order);
        }
    }
}

/// The gaps before and behind the statement of a word, if that is a fence.
fn around_fence(source: &ChangeableFile, word: &OrderWord) -> Option<(usize, usize)> {
    let statement = source.text.statements.iter().find(|s| s.contains(&word.word.start));
    let statement = statement.filter(|_| word.name.contains("fence"))?;
    Some((source.text.gap(statement.start)?, source.text.gap(statement.end)?))
}

/// Places have lines; what stands in one line is told apart by what it accesses.
fn is_of_call(source: &ChangeableFile, word: &OrderWord, access: &WeakAccess) -> bool {
    let text = &source.text;
    let line = |w: &OrderWord| text.line(w.call.start);
    let alone = source.words.iter().filter(|w| line(w) == line(word)).count() == 1;
    line(word) == access.span.line && (alone || text.mentions(&word.call, base(&access.name)))
}

fn is_of_statement(source: &ChangeableFile, statement: &Range<usize>, access: &WeakAccess) -> bool {
    let text = &source.text;
    let (first, last) = text.lines_of(statement);
    let line = access.span.line;
    let around = |s: &&Range<usize>| {
        let (first, last) = text.lines_of(s);
        (first..=last).contains(&line)
    };
    // What an arm's line has besides it controls it.
    let arm = text.arms.iter().find(|arm| arm.statement == *statement);
    let apart = arm.is_none_or(|arm| text.line(arm.head - 1) < first);
    let alone = apart && text.statements.iter().filter(around).count() == 1;
    (first..=last).contains(&line) && (alone || text.mentions(statement, base(&access.name)))
}

/// `tasks` of `tasks[1]`, `lock` of `node#1->lock`.
fn base(name: &str) -> &str {
    let name = name.split('[').next().unwrap_or(name);
    name.rsplit(['.', '>']).next().unwrap_or(name)
}

/// How fences are laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum FenceLayout {
    /// Lines keep their numbers.
    SameLines,
    ForPeople,
}

/// A piece of text and what stands there instead.
pub type Edit = (Range<usize>, String);

/// The text with edits, which are in order and apart.
pub fn edited(source: &ChangeableFile, edits: &[Edit]) -> String {
    let mut text = source.text.raw.clone();
    edits.iter().rev().for_each(|(range, new)| text.replace_range(range.clone(), new));
    text
}

/// What the changes of a file do to its text.
pub fn edits(
    file: usize,
    source: &ChangeableFile,
    chosen: &[&CandidateChange],
    layout: FenceLayout,
) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let mine = || chosen.iter().filter(|c| c.file == file);
    for (number, word) in source.words.iter().enumerate() {
        let orders = mine().filter(|c| matches!(c.what, ChangeKind::Word(n) if n == number));
        let order = orders.map(|c| c.order).fold(word.order, join);
        if order != word.order {
            let gcc = source.text.code(word.word.clone()).starts_with("__");
            edits.push((word.word.clone(), order_word(order, gcc)));
        }
    }
    // Braces end before what stands behind them.
    for number in 0..source.text.arms.len() {
        let of = |side: bool| {
            let here = mine().filter(|c| c.what == ChangeKind::InArm { arm: number, behind: side });
            here.map(|c| c.order).reduce(join).map(|order| fence(source, order))
        };
        edits.extend(braced(source, number, [of(false), of(true)], layout));
    }
    let mut gaps: Vec<(usize, MemoryOrder)> = Vec::new();
    for candidate in mine() {
        let ChangeKind::Fence { before } = candidate.what else { continue };
        match gaps.iter_mut().find(|(at, _)| *at == before) {
            Some((_, order)) => *order = join(*order, candidate.order),
            None => gaps.push((before, candidate.order)),
        }
    }
    for (at, order) in gaps {
        let fence = fence(source, order);
        edits.push(match source.text.begins_line(at) {
            Some(line) if layout == FenceLayout::ForPeople => {
                (line..line, format!("{}{fence}\n", indent(source, at)))
            }
            _ => (at..at, format!("{fence} ")),
        });
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    edits
}

fn fence(source: &ChangeableFile, order: MemoryOrder) -> String {
    let gcc = !source.text.uses_c11();
    let name = if gcc { "__atomic_thread_fence" } else { "atomic_thread_fence" };
    match source.text.is_kernel() {
        true => "smp_mb();".to_string(),
        false => format!("{name}({});", order_word(order, gcc)),
    }
}

/// An arm with fences and the braces that it needs for them.
fn braced(
    source: &ChangeableFile,
    number: usize,
    [before, behind]: [Option<String>; 2],
    layout: FenceLayout,
) -> Vec<Edit> {
    if before.is_none() && behind.is_none() {
        return Vec::new();
    }
    let (text, arm) = (&source.text, &source.text.arms[number]);
    let (start, end) = (arm.statement.start, arm.statement.end);
    let lines = text.begins_line(start).zip(text.ends_line(end));
    let Some((first, next)) = lines.filter(|_| layout == FenceLayout::ForPeople) else {
        let before = before.map_or("{ ".into(), |fence| format!("{{ {fence} "));
        let behind = behind.map_or(" }".into(), |fence| format!(" {fence} }}"));
        return vec![(start..start, before), (end..end, behind)];
    };
    let line = |at: usize, fence: String| (at..at, format!("{}{fence}\n", indent(source, start)));
    let mut edits = vec![(arm.head..arm.head, " {".to_string())];
    edits.extend(before.map(|fence| line(first, fence)));
    edits.extend(behind.map(|fence| line(next, fence)));
    edits.push((next..next, format!("{}}}\n", text.margin(arm.head - 1))));
    edits
}

/// The blanks before the code at an offset; at the end of a block, those of the statement before.
fn indent(source: &ChangeableFile, at: usize) -> &str {
    let text = &source.text;
    let last = || text.statements.iter().filter(|s| s.end <= at).max_by_key(|s| s.end);
    let model = match text.code(at..at + 1) {
        "}" => last().map_or(at, |s| s.start),
        _ => at,
    };
    text.begins_line(model).map_or("", |line| &text.raw[line..model])
}
