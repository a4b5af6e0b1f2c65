//! A program and what the system's compiler makes of it with its own headers are one program.
//!
//! `cc -E` of a program of `tests/cases` has glibc's and gcc's declarations and macros in the place of
//! ours: other names for the same functions, `_Atomic struct` for `atomic_flag`, statement expressions
//! for atomic operations. Both must be read, and get the same verdict. Each tenth program of those
//! that use such headers is asked; `OBMC_TEST_ALL=1` asks all. Without a compiler there is nothing to
//! compare.

use std::path::{Path, PathBuf};
use std::process::Command;

const STEP: usize = 10;

#[test]
fn preprocessed_by_the_system() {
    let mut programs = programs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"));
    programs.sort();
    let all = std::env::var_os("OBMC_TEST_ALL").is_some();
    let step = if all { 1 } else { STEP };
    let failures: Vec<String> =
        programs.iter().step_by(step).filter_map(|program| compare(program).err()).collect();
    assert!(failures.is_empty(), "{} differ\n  {}", failures.len(), failures.join("\n  "));
}

/// Those with an expectation whose headers are the interesting ones.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let topics = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = topics.flat_map(|topic| std::fs::read_dir(topic.path()).into_iter().flatten());
    let interesting = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        path.extension().is_some_and(|e| e == "c")
            && ["stdatomic.h", "threads.h", "semaphore.h", "pthread.h"]
                .iter()
                .any(|h| text.contains(h))
    };
    files.flatten().map(|file| file.path()).filter(interesting).collect()
}

fn compare(program: &Path) -> Result<(), String> {
    let expected = std::fs::read_to_string(program.with_extension("expected")).unwrap_or_default();
    // Only what takes no options: they may speak of lines.
    let Some((property, _)) = expected.lines().next().and_then(|line| line.split_once(':')) else {
        return Ok(());
    };
    if property.contains(' ') {
        return Ok(());
    }
    let name = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("system-{name}.i"));
    let compiler = std::env::var("CC").unwrap_or("cc".into());
    let ran = Command::new(compiler).arg("-E").arg(program).arg("-o").arg(&made).output();
    // No compiler, or one that does not know what the program uses.
    if !ran.is_ok_and(|ran| ran.status.success()) {
        return Ok(());
    }
    let (ours, theirs) = (verdict(program, property), verdict(&made, property));
    match ours == theirs {
        true => Ok(()),
        false => Err(format!("{name} {property}: {ours}, but preprocessed {theirs}")),
    }
}

fn verdict(file: &Path, property: &str) -> String {
    let mut check = Command::new(env!("CARGO_BIN_EXE_obmc"));
    check.arg("check").arg(file).args(["--property", property, "--timeout", "60"]);
    let output = check.output().map(|o| o.stdout).unwrap_or_default();
    let output = String::from_utf8_lossy(&output).into_owned();
    let line = output.lines().find(|line| line.starts_with("obmc verdict:"));
    without_offset(line.unwrap_or("no verdict"))
}

/// How far a pointer that comes from nowhere is from an object is up to the layout, and what else the
/// headers declare takes part in that.
fn without_offset(line: &str) -> String {
    match line.split_once(" at offset ") {
        Some((before, behind)) => {
            let behind = behind.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
            format!("{before}{behind}")
        }
        None => line.to_owned(),
    }
}
