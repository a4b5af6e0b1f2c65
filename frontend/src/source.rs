//! From a byte of the parser's text back to file, line and column of the original.
//!
//! Two steps, both searches in sorted lists. The normalising pass copies most of its input and
//! replaces some stretches: `pieces` leads from its output to the byte of its input. Line starts
//! and line markers (`# 12 "file.c"`) lead from there to the place in the file that the
//! preprocessor read.
//!
//! A macro moves what stands behind its name: the preprocessor tells where such tokens come from
//! (`Moved`), which no line marker could say.
//!
//! Invariant: pieces, line starts and markers are sorted, so a later byte never maps to an earlier
//! byte of the input. Columns count bytes from 1 and are those of the file that was read, whatever was
//! replaced before them in the line.

use crate::error::Error;
use ir::{FileId, Span};
use rustc_hash::FxHashMap;

/// The files of a program, over all of its translation units.
#[derive(Clone, Default, Debug)]
pub struct Files {
    pub names: Vec<String>,
    ids: FxHashMap<String, FileId>,
    /// Directives in them that are taken not to be there.
    pub ignored: Vec<(String, Span)>,
}

impl Files {
    pub fn intern(&mut self, name: &str) -> FileId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = FileId(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        id
    }

    pub fn name(&self, id: FileId) -> &str {
        self.names.get(id.index()).map_or("", |name| name)
    }

    /// An error at a place.
    pub fn error(&self, span: Span, message: impl Into<String>, hint: Option<&str>) -> Error {
        let file = self.name(span.file).to_owned();
        Error { file, span, message: message.into(), hint: hint.map(str::to_owned) }
    }
}

/// A token of preprocessed text that does not stand in its column, or not in its line: from the byte
/// `at` on, to the next one or the end of the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    pub at: u32,
    pub line: u32,
    pub column: u32,
}

/// Places of the input of the normalising pass.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Offset of the first byte of each line.
    starts: Vec<u32>,
    /// For each `CHUNK` bytes of the input, how many lines start before them: lowering asks for the
    /// line of every node, and few lines are left to search in. As long as the last start needs.
    chunks: Vec<u32>,
    /// In order; the first one stands for line 0.
    markers: Vec<Marker>,
    /// In order.
    moved: Vec<Moved>,
}

/// From line `from` (counted from 0) of the input on, lines are those of `file` from `line` on.
#[derive(Clone, Copy, Debug)]
struct Marker {
    from: u32,
    file: FileId,
    line: u32,
}

const CHUNK: usize = 256;

impl Lines {
    /// `first` is the offset of the first column of the first line (behind a byte order mark).
    pub fn new(file: FileId, first: usize) -> Lines {
        let markers = vec![Marker { from: 0, file, line: 1 }];
        let mut lines =
            Lines { starts: Vec::new(), chunks: Vec::new(), markers, moved: Vec::new() };
        lines.start(first);
        lines
    }

    /// A line starts at `offset`, behind all the others.
    pub fn start(&mut self, offset: usize) {
        let before = self.starts.len() as u32;
        while self.chunks.len() <= offset / CHUNK {
            self.chunks.push(before);
        }
        self.starts.push(offset as u32);
    }

    /// The last line that starts at `offset` or before it.
    fn line_at(&self, offset: usize) -> usize {
        let chunk = offset / CHUNK;
        let lines_before = |c: usize| self.chunks.get(c).map_or(self.starts.len(), |&n| n as usize);
        let (from, to) = (lines_before(chunk), lines_before(chunk + 1));
        let more = self.starts[from..to].partition_point(|&s| s as usize <= offset);
        (from + more).saturating_sub(1)
    }

    /// The current line is a marker: what follows it is `line` of `file` (`None`: the same file).
    pub fn mark(&mut self, file: Option<FileId>, line: u32) {
        let from = self.starts.len() as u32;
        let file = file.unwrap_or_else(|| self.markers.last().map_or(FileId(0), |m| m.file));
        self.markers.push(Marker { from, file, line });
    }

    pub fn span(&self, offset: usize) -> Span {
        let index = self.line_at(offset);
        let index32 = index as u32;
        let marker = self.markers.partition_point(|m| m.from <= index32).saturating_sub(1);
        let Marker { from, file, line } = self.markers[marker];
        let line = line.saturating_add(index32 - from);
        let column = (offset as u32).saturating_sub(self.starts[index]).saturating_add(1);
        match self.moved_at(offset as u32).filter(|moved| moved.at >= self.starts[index]) {
            Some(Moved { line, column, .. }) => Span { file, line, column },
            None => Span { file, line, column },
        }
    }

    /// The last token at `offset` or before it that was moved.
    fn moved_at(&self, offset: u32) -> Option<Moved> {
        let behind = self.moved.partition_point(|moved| moved.at <= offset);
        Some(self.moved[behind.checked_sub(1)?])
    }
}

/// A stretch of the parser's text, up to where the next one starts.
#[derive(Clone, Copy, Debug)]
struct TextPiece {
    output: u32,
    input: u32,
    /// Copied byte by byte, or written in place of the byte at `input`.
    copied: bool,
}

/// From offsets of the parser's text to spans.
#[derive(Clone, Debug)]
pub struct SourceMap {
    pieces: Vec<TextPiece>,
    lines: Lines,
    input_len: u32,
}

impl SourceMap {
    pub fn new(lines: Lines, input_len: usize) -> SourceMap {
        SourceMap { pieces: Vec::new(), lines, input_len: input_len as u32 }
    }

    /// What the preprocessor tells about tokens of the input.
    pub(crate) fn set_moved(&mut self, moved: &[Moved]) {
        self.lines.moved = moved.to_vec();
    }

    /// From `output` on, the text is a copy of the input from `input` on, or replaces what is there.
    pub fn piece(&mut self, output: usize, input: usize, copied: bool) {
        self.pieces.push(TextPiece { output: output as u32, input: input as u32, copied });
    }

    /// Where the byte at `offset` of the parser's text comes from.
    pub fn input_offset(&self, offset: usize) -> usize {
        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
        let index = self.pieces.partition_point(|p| p.output <= offset);
        let Some(piece) = index.checked_sub(1).map(|i| self.pieces[i]) else { return 0 };
        let step = if piece.copied { offset - piece.output } else { 0 };
        piece.input.saturating_add(step).min(self.input_len) as usize
    }

    pub fn span(&self, offset: usize) -> Span {
        self.lines.span(self.input_offset(offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_interned_once() {
        let mut files = Files::default();
        let a = files.intern("a.c");
        let b = files.intern("b.c");
        assert_ne!(a, b);
        assert_eq!(files.intern("a.c"), a);
        assert_eq!(files.names, ["a.c", "b.c"]);
    }

    #[test]
    fn markers_rename_what_follows() {
        let mut lines = Lines::new(FileId(0), 0);
        lines.start(10); // "# 7 "x"" stands here
        lines.mark(Some(FileId(3)), 7);
        lines.start(20);
        lines.start(30);
        let at = |o| {
            let s = lines.span(o);
            (s.file.0, s.line, s.column)
        };
        assert_eq!(at(0), (0, 1, 1));
        assert_eq!(at(12), (0, 2, 3));
        assert_eq!(at(20), (3, 7, 1));
        assert_eq!(at(34), (3, 8, 5));
    }

    #[test]
    fn lines_are_found_in_any_chunk() {
        let mut lines = Lines::new(FileId(0), 3);
        // Many in one chunk, none in others, right at a boundary, and one far behind.
        let starts = [4, 5, 9, 255, 256, 257, 511, 512, 2000, 2001, 2048, 10_000];
        starts.iter().for_each(|&s| lines.start(s));
        for offset in 0..11_000 {
            let line = 1 + starts.iter().filter(|&&s| s <= offset).count();
            assert_eq!(lines.span(offset).line, line as u32, "offset {offset}");
        }
    }

    #[test]
    fn moved_tokens_are_where_they_came_from_until_the_line_ends() {
        let mut map = SourceMap::new(Lines::new(FileId(0), 0), 100);
        map.lines.start(40);
        map.piece(0, 0, true);
        map.set_moved(&[
            Moved { at: 10, line: 1, column: 5 },
            Moved { at: 30, line: 2, column: 3 },
        ]);
        let at = |o| (map.span(o).line, map.span(o).column);
        assert_eq!([at(9), at(10), at(29)], [(1, 10), (1, 5), (1, 5)]);
        assert_eq!([at(30), at(39), at(40)], [(2, 3), (2, 3), (2, 1)]);
    }

    #[test]
    fn replaced_stretches_map_to_their_start() {
        let mut map = SourceMap::new(Lines::new(FileId(0), 0), 100);
        map.piece(0, 0, true);
        map.piece(10, 10, false); // twenty bytes for one
        map.piece(30, 11, true);
        assert_eq!(map.span(9).column, 10);
        assert_eq!(map.span(25).column, 11);
        assert_eq!(map.span(30).column, 12);
        assert_eq!(map.input_offset(5000), 100);
    }
}
