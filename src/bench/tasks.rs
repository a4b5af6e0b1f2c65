//! What there is to do: programs, a property each, and what the answer should be.
//!
//! A folder gives every `.c` and `.i` file in it and below. `X.expected` beside a program has lines
//! `PROPERTY [OPTION...]: VERDICT [or VERDICT...]`, `X.yml` is an SV-COMP task definition; without
//! either the program is asked about and the right answer is not known. Lists are in `lists.rs`.

use super::{fail, lists};
use crate::contract::Property;
use crate::report::Failure;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BenchTask {
    pub name: String,
    pub files: Vec<PathBuf>,
    pub property: &'static str,
    /// For this task only.
    pub options: Vec<String>,
    /// Any of these will do: `true`, `false`, `false(valid-free)`, `bounded`, `unknown`. Empty if it
    /// is not known.
    pub wanted: Vec<String>,
}

/// The tasks of a folder, a program, a list or a definition, in a fixed order. `asked` is the
/// property where none is named.
pub fn read(path: &Path, asked: &'static str) -> Result<Vec<BenchTask>, Failure> {
    if path.is_dir() {
        return folder(path, asked);
    }
    let root = path.parent().unwrap_or(Path::new(""));
    match ending(path) {
        "c" | "i" => program(path, root, asked),
        "yml" | "yaml" => lists::definition(path),
        "json" => lists::json(path, asked),
        _ => lists::text(path, asked),
    }
}

/// The property of this name, if obmc knows it.
pub fn property(name: &str) -> Option<&'static str> {
    Property::ALL.iter().map(|p| p.name()).find(|n| *n == name)
}

pub fn text(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|e| fail(format!("cannot read {}", path.display()), &e))
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|e| e.to_str()).unwrap_or("")
}

fn folder(root: &Path, asked: &'static str) -> Result<Vec<BenchTask>, Failure> {
    let mut files = BTreeSet::new();
    collect(root, &mut files)?;
    let defined = |file: &Path| files.contains(&file.with_extension("yml"));
    let mut tasks = Vec::new();
    for file in &files {
        match ending(file) {
            "yml" => tasks.extend(lists::definition(file)?),
            _ if defined(file) && !file.with_extension("expected").is_file() => {}
            _ => tasks.extend(program(file, root, asked)?),
        }
    }
    Ok(tasks)
}

/// All programs and definitions in a folder and below.
fn collect(folder: &Path, files: &mut BTreeSet<PathBuf>) -> Result<(), Failure> {
    let wrong = |e| fail(format!("cannot read {}", folder.display()), &e);
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let entry = entry.map_err(wrong)?;
        let path = entry.path();
        // Links to folders are not followed: they may lead in circles.
        if entry.file_type().map_err(wrong)?.is_dir() {
            collect(&path, files)?;
        } else if ["c", "i", "yml"].contains(&ending(&path)) {
            files.insert(path);
        }
    }
    Ok(())
}

/// A program with what is beside it.
pub fn program(file: &Path, root: &Path, asked: &'static str) -> Result<Vec<BenchTask>, Failure> {
    let name = file.strip_prefix(root).unwrap_or(file).display().to_string();
    let expected = file.with_extension("expected");
    let task = BenchTask {
        name,
        files: vec![file.into()],
        property: asked,
        options: Vec::new(),
        wanted: Vec::new(),
    };
    if !expected.is_file() {
        return Ok(vec![task]);
    }
    let text = text(&expected)?;
    let lines = text.lines().map(|l| l.split('#').next().unwrap_or("").trim());
    let lines = lines.filter(|l| !l.is_empty());
    lines
        .map(|line| {
            expectation(line, &task)
                .ok_or_else(|| fail(expected.display(), &format!("`{line}` is no expectation")))
        })
        .collect()
}

/// `PROPERTY [OPTION...]: VERDICT [or VERDICT...]`
fn expectation(line: &str, task: &BenchTask) -> Option<BenchTask> {
    let (left, right) = line.rsplit_once(": ")?;
    let mut words = left.split_whitespace();
    let property = property(words.next()?)?;
    let options: Vec<String> = words.map(String::from).collect();
    let wanted = right.split(" or ").map(|w| w.trim().to_string()).collect();
    let name = [&task.name].into_iter().chain(&options).map(String::as_str).collect::<Vec<_>>();
    Some(BenchTask { name: name.join(" "), property, options, wanted, ..task.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(files: &[(&str, &str)]) -> tempfile::TempDir {
        let place = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = place.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, text).expect("written");
        }
        place
    }

    fn names(tasks: &[BenchTask]) -> Vec<(&str, &str, String)> {
        tasks.iter().map(|t| (&*t.name, t.property, t.wanted.join("|"))).collect()
    }

    #[test]
    fn a_folder_with_expectations() {
        let lines = "unreach-call: true\nno-data-race --32: true or unknown # why\n\n";
        let files = [("b/x.c", ""), ("b/x.expected", lines), ("a.i", ""), ("note.txt", "")];
        let place = place(&files);
        let tasks = read(place.path(), "no-overflow").expect("tasks");
        let want = [
            ("a.i", "no-overflow", String::new()),
            ("b/x.c", "unreach-call", "true".into()),
            ("b/x.c --32", "no-data-race", "true|unknown".into()),
        ];
        assert_eq!(names(&tasks), want);
        assert_eq!(tasks[2].options, ["--32"]);
    }

    #[test]
    fn a_folder_of_definitions_takes_each_program_once() {
        let yml = "format_version: '2.0'\ninput_files: 'x.i'\nproperties:\n\
                   \x20 - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n";
        let place = place(&[("x.yml", yml), ("x.c", ""), ("x.i", "")]);
        let tasks = read(place.path(), "unreach-call").expect("tasks");
        assert_eq!(names(&tasks), [("x", "unreach-call", "false".into())]);
        assert_eq!(tasks[0].files, [place.path().join("x.i")]);
    }

    #[test]
    fn what_is_no_expectation_is_refused() {
        for line in ["beauty: true", "unreach-call true"] {
            let place = place(&[("x.c", ""), ("x.expected", line)]);
            assert!(read(place.path(), "unreach-call").is_err(), "{line}");
        }
        assert!(read(Path::new("no/such/list"), "unreach-call").is_err());
    }
}
