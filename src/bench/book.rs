//! What is known so far, on disk: `results.jsonl` in the output folder, a line per result.
//!
//! A result is written when it is there, so that whatever ends the run, the next one begins after the
//! last task. A line that was cut off is ignored. Results are found by their command, so those of
//! other options do no harm. A part of a suite that runs elsewhere has a book of its own in `parts`,
//! and knows what is in the whole one.

use super::fail;
use super::row::ResultRow;
use crate::report::Failure;
use rustc_hash::FxHashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where the books of parts are, in the output folder.
pub const PARTS: &str = "parts";

pub struct Book {
    file: File,
    rows: FxHashMap<Vec<String>, ResultRow>,
}

impl Book {
    pub fn open(folder: &Path, fresh: bool) -> Result<Book, Failure> {
        if fresh && folder.join(PARTS).exists() {
            let wrong = |e: std::io::Error| fail("cannot remove the results of parts", &e);
            std::fs::remove_dir_all(folder.join(PARTS)).map_err(wrong)?;
        }
        Book::at(folder, "results.jsonl", fresh)
    }

    /// That of a part: what it has, and what the whole one has.
    pub fn open_part(folder: &Path, index: usize) -> Result<Book, Failure> {
        let mut book = Book::at(&folder.join(PARTS), &format!("{index}.jsonl"), false)?;
        let known = rows(&folder.join("results.jsonl"));
        book.rows.extend(known.into_iter().map(|row| (row.command.clone(), row)));
        Ok(book)
    }

    /// Adds what the books of parts have and this one has not; gives how many those are.
    pub fn take_over(&mut self, parts: &Path) -> Result<u64, Failure> {
        let entries = std::fs::read_dir(parts).into_iter().flatten().flatten();
        let paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        let mut new = 0;
        for row in paths.iter().flat_map(|path| rows(path)) {
            if self.get(&row.command).is_none() {
                self.add(row)?;
                new += 1;
            }
        }
        Ok(new)
    }

    fn at(folder: &Path, name: &str, fresh: bool) -> Result<Book, Failure> {
        let path = folder.join(name);
        let wrong = |e: std::io::Error| fail(format!("cannot write {}", path.display()), &e);
        std::fs::create_dir_all(folder).map_err(wrong)?;
        if fresh && path.exists() {
            std::fs::remove_file(&path).map_err(wrong)?;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(wrong)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(wrong)?;
        }
        let rows = text.lines().filter_map(|line| serde_json::from_str::<ResultRow>(line).ok());
        Ok(Book { file, rows: rows.map(|row| (row.command.clone(), row)).collect() })
    }

    pub fn get(&self, command: &[String]) -> Option<&ResultRow> {
        self.rows.get(command)
    }

    pub fn add(&mut self, row: ResultRow) -> Result<(), Failure> {
        // Strings and finite numbers cannot fail to be written.
        let line = serde_json::to_string(&row).unwrap_or_default() + "\n";
        self.rows.insert(row.command.clone(), row);
        self.file.write_all(line.as_bytes()).map_err(|e| fail("cannot write results.jsonl", &e))
    }
}

/// All whole lines of a book.
fn rows(path: &Path) -> Vec<ResultRow> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::row::testing::row;
    use super::*;

    #[test]
    fn parts_are_taken_over_once() {
        let place = tempfile::tempdir().expect("a folder");
        let (one, two) = (row("a", "true", "true", 0.5), row("b", "true", "", 1.0));
        let mut whole = Book::open(place.path(), false).expect("open");
        whole.add(one.clone()).expect("written");
        let mut part = Book::open_part(place.path(), 3).expect("open");
        assert_eq!(part.get(&one.command), Some(&one));
        part.add(two.clone()).expect("written");
        let parts = place.path().join(PARTS);
        assert_eq!(whole.take_over(&parts).ok(), Some(1));
        assert_eq!(whole.take_over(&parts).ok(), Some(0));
        assert_eq!(whole.get(&two.command), Some(&two));
        let fresh = Book::open(place.path(), true).expect("open");
        assert_eq!((fresh.get(&two.command), parts.exists()), (None, false));
    }

    #[test]
    fn what_was_written_is_there_again() {
        let place = tempfile::tempdir().expect("a folder");
        let (one, two) = (row("a", "true", "true", 0.5), row("b", "true", "", 1.0));
        let mut book = Book::open(&place.path().join("new"), false).expect("open");
        book.add(one.clone()).expect("written");
        let path = place.path().join("new/results.jsonl");
        let text = std::fs::read_to_string(&path).expect("text");
        std::fs::write(&path, text + "{\"name\": \"cut o").expect("written");
        let mut book = Book::open(&place.path().join("new"), false).expect("open");
        assert_eq!(book.get(&one.command), Some(&one));
        assert_eq!(book.get(&two.command), None);
        book.add(two.clone()).expect("written");
        let book = Book::open(&place.path().join("new"), false).expect("open");
        assert_eq!(book.get(&two.command), Some(&two));
        let book = Book::open(&place.path().join("new"), true).expect("open");
        assert_eq!(book.get(&one.command), None);
    }
}
