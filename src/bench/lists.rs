//! Task lists in files of their own; paths in them are relative to the file.
//!
//! - `.json`: objects with `main` or `file`, and optionally `id`, `property`, `expected` (true or
//!   false), `data_model` (ILP32 or LP64), `unwind` and `model` (others than sc are left out).
//! - `.yml`: a task definition of SV-COMP. Properties that obmc does not know are left out.
//! - any other file: a path or a pattern per line, of programs or definitions; `#` starts a comment.

use super::fail;
use super::tasks::{self, BenchTask, property};
use crate::report::Failure;
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct ListEntry {
    #[serde(alias = "file")]
    main: PathBuf,
    id: Option<String>,
    property: Option<String>,
    expected: Option<bool>,
    data_model: Option<String>,
    unwind: Option<u32>,
    model: Option<String>,
}

pub fn json(path: &Path, asked: &'static str) -> Result<Vec<BenchTask>, Failure> {
    let entries: Vec<ListEntry> =
        serde_json::from_str(&tasks::text(path)?).map_err(|e| fail(path.display(), &e))?;
    let ours = entries.into_iter().filter(|e| e.model.as_deref().is_none_or(|m| m == "sc"));
    Ok(ours.filter_map(|entry| of_entry(entry, path, asked)).collect())
}

fn of_entry(entry: ListEntry, list: &Path, asked: &'static str) -> Option<BenchTask> {
    let property = entry.property.map_or(Some(asked), |name| property(&name))?;
    let mut options = data_model(entry.data_model.as_deref());
    options.extend(entry.unwind.iter().flat_map(|n| ["--unwind".to_string(), n.to_string()]));
    Some(BenchTask {
        name: entry.id.unwrap_or_else(|| entry.main.display().to_string()),
        files: vec![beside(list, &entry.main)],
        property,
        options,
        wanted: entry.expected.iter().map(bool::to_string).collect(),
    })
}

#[derive(Deserialize)]
struct Definition {
    input_files: TaskFiles,
    #[serde(default)]
    properties: Vec<ListedProperty>,
    #[serde(default)]
    options: DefinitionOptions,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum TaskFiles {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

#[derive(Deserialize)]
struct ListedProperty {
    property_file: PathBuf,
    expected_verdict: Option<bool>,
    /// What exactly is violated.
    subproperty: Option<String>,
}

#[derive(Deserialize, Default)]
struct DefinitionOptions {
    data_model: Option<String>,
}

pub fn definition(path: &Path) -> Result<Vec<BenchTask>, Failure> {
    let definition: Definition =
        serde_yaml_ng::from_str(&tasks::text(path)?).map_err(|e| fail(path.display(), &e))?;
    let files = match definition.input_files {
        TaskFiles::One(file) => vec![file],
        TaskFiles::Several(files) => files,
    };
    let files: Vec<PathBuf> = files.iter().map(|file| beside(path, file)).collect();
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let task = |asked: &ListedProperty| {
        Some(BenchTask {
            name: name.to_string(),
            files: files.clone(),
            property: property(&asked.property_file.file_stem()?.to_string_lossy())?,
            options: data_model(definition.options.data_model.as_deref()),
            wanted: wanted(asked).into_iter().collect(),
        })
    };
    Ok(definition.properties.iter().filter_map(task).collect())
}

fn wanted(asked: &ListedProperty) -> Option<String> {
    Some(match (asked.expected_verdict?, &asked.subproperty) {
        (false, Some(kind)) => format!("false({kind})"),
        (verdict, _) => verdict.to_string(),
    })
}

fn data_model(name: Option<&str>) -> Vec<String> {
    name.map(|name| vec!["--data-model".to_string(), name.to_string()]).unwrap_or_default()
}

pub fn text(path: &Path, asked: &'static str) -> Result<Vec<BenchTask>, Failure> {
    let text = tasks::text(path)?;
    let root = path.parent().unwrap_or(Path::new(""));
    let mut found = Vec::new();
    for line in text.lines().map(|l| l.split('#').next().unwrap_or("").trim()) {
        if line.is_empty() {
            continue;
        }
        let files = matches(&beside(path, Path::new(line)))?;
        if files.is_empty() {
            return Err(fail(path.display(), &format!("there is no file {line}")));
        }
        for file in files {
            found.extend(match file.extension().and_then(|e| e.to_str()) {
                Some("yml" | "yaml") => definition(&file)?,
                _ => tasks::program(&file, root, asked)?,
            });
        }
    }
    Ok(found)
}

/// The files that a pattern stands for, in order.
fn matches(pattern: &Path) -> Result<Vec<PathBuf>, Failure> {
    let text = pattern.to_string_lossy();
    let found = glob::glob(&text).map_err(|e| fail(&text, &e))?;
    found.map(|file| file.map_err(|e| fail(&text, &e))).collect()
}

fn beside(list: &Path, file: &Path) -> PathBuf {
    list.parent().unwrap_or(Path::new("")).join(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tasks of one list, beside a program `x.c`.
    fn tasks(name: &str, text: &str) -> Result<Vec<BenchTask>, Failure> {
        let place = tempfile::tempdir().expect("a folder");
        let list = place.path().join(name);
        std::fs::write(place.path().join("x.c"), "").expect("written");
        std::fs::write(&list, text).expect("written");
        let found = tasks::read(&list, "unreach-call");
        let relative = |f: &PathBuf| f.strip_prefix(place.path()).expect("beside").to_path_buf();
        found.map(|tasks| {
            let relative =
                |t: BenchTask| BenchTask { files: t.files.iter().map(relative).collect(), ..t };
            tasks.into_iter().map(relative).collect()
        })
    }

    #[test]
    fn json_lists() {
        let text = r#"[
            {"main": "x.c", "id": "one", "property": "no-overflow", "expected": false, "unwind": 3},
            {"file": "x.c", "data_model": "ILP32", "more": 1},
            {"file": "x.c", "model": "tso"}, {"file": "x.c", "property": "termination"}]"#;
        let got = tasks("t.json", text).expect("tasks");
        assert_eq!(got.len(), 2);
        assert_eq!((&*got[0].name, got[0].property), ("one", "no-overflow"));
        assert_eq!(
            (&*got[0].wanted, &*got[0].options.join(" ")),
            (&["false".to_string()][..], "--unwind 3")
        );
        assert_eq!((&*got[1].name, &*got[1].options.join(" ")), ("x.c", "--data-model ILP32"));
        assert!(got[1].wanted.is_empty());
        for wrong in ["", "{}", r#"[{"id": "x"}]"#] {
            assert!(tasks("t.json", wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn task_definitions() {
        let text = "format_version: '2.0'\ninput_files:\n  - 'x.c'\n  - y.c\nproperties:\n\
            \x20 - property_file: ../properties/valid-memsafety.prp\n    expected_verdict: false\n    subproperty: valid-free\n\
            \x20 - property_file: ../properties/termination.prp\n\
            \x20 - property_file: ../properties/no-data-race.prp\n\
            options:\n  language: C\n  data_model: ILP32\n";
        let got = tasks("t.yml", text).expect("tasks");
        let row = |t: &BenchTask| (t.property, t.wanted.join(""), t.files.len());
        let rows: Vec<_> = got.iter().map(row).collect();
        let want = [
            ("valid-memsafety", "false(valid-free)".into(), 2),
            ("no-data-race", String::new(), 2),
        ];
        assert_eq!(rows, want);
        assert_eq!(got[0].options, ["--data-model", "ILP32"]);
        assert!(tasks("t.yml", "input_files: [").is_err());
    }

    #[test]
    fn text_lists() {
        let got = tasks("t.set", "# programs\n*.c  # all\n\nx.c\n").expect("tasks");
        assert_eq!(got.len(), 2);
        assert_eq!((&*got[0].name, &got[0].files[..]), ("x.c", &[PathBuf::from("x.c")][..]));
        assert!(tasks("t.set", "y.c\n").is_err());
    }
}
