//! `compile_commands.json`: which files a project compiles, and how.
//!
//! An entry has a folder, a file, and the compiler's words as a list or as one line in the shell's
//! quotes. Paths are relative to the folder. A file that is compiled twice counts once, as in its
//! first entry.

use super::words::CommandWords;
use crate::report::diagnostic::Diagnostic;
use crate::request::{Flags, MacroFlag};
use ir::types::Machine;
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A C file of the project.
pub struct DatabaseEntry {
    pub file: PathBuf,
    pub flags: Flags,
    pub machine: Option<Machine>,
}

#[derive(Deserialize)]
struct DatabaseFile {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

pub fn read(path: &Path) -> Result<Vec<DatabaseEntry>, Diagnostic> {
    let fail = |why: String| {
        Diagnostic::new(format!("cannot read {}: {why}", path.display()))
            .hint("a compilation database is wanted, as cmake, meson or bear write it")
    };
    let text = std::fs::read(path).map_err(|e| fail(e.to_string()))?;
    let written: Vec<DatabaseFile> =
        serde_json::from_slice(&text).map_err(|e| fail(e.to_string()))?;
    let mut entries: Vec<DatabaseEntry> = Vec::new();
    for entry in written.into_iter().filter(|entry| is_c(&entry.file)).map(DatabaseEntry::from) {
        if entries.iter().all(|before| before.file != entry.file) {
            entries.push(entry);
        }
    }
    Ok(entries)
}

fn is_c(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "c" || end == "i")
}

impl From<DatabaseFile> for DatabaseEntry {
    fn from(written: DatabaseFile) -> DatabaseEntry {
        let DatabaseFile { directory, file, arguments, command } = written;
        let words = arguments.unwrap_or_else(|| shell_words(&command.unwrap_or_default()));
        // The first one is the compiler.
        let words = CommandWords::of(words.into_iter().skip(1).map(OsString::from));
        if !words.ignored.is_empty() {
            log::debug!("{}: without effect here: {}", file.display(), words.ignored.join(" "));
        }
        let mut flags = words.flags;
        let Flags { quote, include, system, first, .. } = &mut flags;
        for path in [quote, include, system, first].into_iter().flatten() {
            *path = shown(&directory, path);
        }
        DatabaseEntry { file: shown(&directory, &file), flags, machine: words.machine }
    }
}

/// The path as a user would write it here.
fn shown(directory: &Path, path: &Path) -> PathBuf {
    let whole = clean(&directory.join(path));
    let here = std::env::current_dir().unwrap_or_default();
    whole.strip_prefix(&here).map(Path::to_path_buf).unwrap_or(whole)
}

/// Without `.` and `x/..`.
fn clean(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(clean.components().next_back(), Some(Component::Normal(_))) =>
            {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}

/// Words of a command line: blanks separate, quotes and backslashes keep together.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = line.chars();
    while let Some(c) = letters.next() {
        match (c, quote) {
            ('\\', Some('"') | None) => word.get_or_insert_default().extend(letters.next()),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (_, Some(open)) if c == open => quote = None,
            (_, None) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// How a file is read that the project knows nothing of: where any of its files looks for headers,
/// and with the macros that all of them have.
pub fn common(entries: &[DatabaseEntry]) -> Flags {
    let mut common = Flags::default();
    let Some((first, others)) = entries.split_first() else { return common };
    let everywhere = |flag: &&MacroFlag| others.iter().all(|e| e.flags.macros.contains(flag));
    common.macros = first.flags.macros.iter().filter(everywhere).cloned().collect();
    common.standard = first.flags.standard.clone();
    for flags in entries.iter().map(|entry| &entry.flags) {
        let mut add = |to: fn(&mut Flags) -> &mut Vec<PathBuf>, from: &[PathBuf]| {
            for path in from {
                let to = to(&mut common);
                if !to.contains(path) {
                    to.push(path.clone());
                }
            }
        };
        add(|f| &mut f.quote, &flags.quote);
        add(|f| &mut f.include, &flags.include);
        add(|f| &mut f.system, &flags.system);
        if flags.standard != common.standard {
            common.standard = None;
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shell() {
        let line = r#"cc  -DA=\"x\ y\" '-DB="a b"' -D"C D"=1 "" -o a.o"#;
        let want = ["cc", r#"-DA="x y""#, r#"-DB="a b""#, "-DC D=1", "", "-o", "a.o"];
        assert_eq!(shell_words(line), want);
        assert!(shell_words("  ").is_empty());
    }

    #[test]
    fn paths_are_those_of_the_folder() {
        assert_eq!(clean(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert_eq!(clean(Path::new("../x/../y")), Path::new("../y"));
        let written = DatabaseFile {
            directory: "/p/build".into(),
            file: "../src/a.c".into(),
            arguments: None,
            command: Some("cc -I../include -DX -c ../src/a.c".into()),
        };
        let entry = DatabaseEntry::from(written);
        assert_eq!(entry.file, Path::new("/p/src/a.c"));
        assert_eq!(entry.flags.include, [PathBuf::from("/p/include")]);
        assert_eq!(common(&[entry]).macros, [MacroFlag::Define("X".into())]);
    }
}
