//! The system's preprocessor, for what ours leaves to others, and for users who name one.
//!
//! It is looked up at run time and told to forget its own headers: ours are unpacked into a private
//! folder that lives as long as the call. The names in line markers are the user's: where they point
//! into the private folder, its path is replaced by `<obmc>`, so that messages are the same in every
//! run.

use super::{Failure, OUR_FOLDER, fail, host};
use crate::interrupt::Interrupt;
use crate::report::diagnostic::Diagnostic;
use crate::request::{Input, MacroFlag};
use crate::supervise::Limit;
use frontend::shipped::{self, Shipped};
use ir::types::Machine;
use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::OsString;
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const POLL: Duration = Duration::from_millis(1);

pub fn preprocess(
    file: &Path,
    input: &Input,
    deadline: Option<Instant>,
) -> Result<Vec<u8>, Failure> {
    let folder = unpack().map_err(|e| fail(format!("cannot unpack our headers: {e}")))?;
    let (output, messages) = (folder.path().join("out.i"), folder.path().join("messages"));
    let headers = folder.path().join("include");
    let stderr = File::create(&messages).map_err(|e| fail(format!("cannot write a file: {e}")))?;
    let (program, mut child) = start(file, input, &headers, &output, &stderr)?;
    let status = wait(&mut child, deadline)?;
    let said = String::from_utf8_lossy(&std::fs::read(&messages).unwrap_or_default()).into_owned();
    let ours = headers.display().to_string();
    if !status.success() {
        return Err(Failure::Input(complaint(&program, &said.replace(&ours, OUR_FOLDER))));
    }
    said.lines().for_each(|line| log::debug!("{program}: {line}"));
    let text = std::fs::read(&output);
    let text = text.map_err(|e| fail(format!("cannot read what {program} wrote: {e}")))?;
    Ok(rename_markers(&text, &ours))
}

fn unpack() -> std::io::Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new().prefix("obmc-").tempdir()?;
    let include = folder.path().join("include");
    std::fs::create_dir(&include)?;
    for Shipped { name, text, .. } in shipped::headers() {
        if let Some((below, _)) = name.rsplit_once('/') {
            std::fs::create_dir_all(include.join(below))?;
        }
        std::fs::write(include.join(name), text)?;
    }
    Ok(folder)
}

pub const USUAL: [&str; 3] = ["cc", "gcc", "clang"];

/// Is there one of the usual names?
pub fn is_there() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| USUAL.iter().any(|name| folder.join(name).exists()))
}

/// Tries each preprocessor that may be there.
fn start(
    file: &Path,
    input: &Input,
    headers: &Path,
    output: &Path,
    stderr: &File,
) -> Result<(String, Child), Failure> {
    let candidates = match &input.cc {
        Some(cc) => vec![cc.as_str()],
        None => USUAL.to_vec(),
    };
    for candidate in &candidates {
        // CC may carry arguments, as make allows.
        let mut words = candidate.split_whitespace();
        let Some(program) = words.next() else { continue };
        let mut command = Command::new(program);
        command
            .args(words)
            .args(arguments(file, input, headers))
            .arg("-o")
            .arg(output)
            .arg(argument(file));
        command.env("LC_ALL", "C").stdin(Stdio::null()).stdout(Stdio::null()).process_group(0);
        command.stderr(stderr.try_clone().map_err(|e| fail(e.to_string()))?);
        log::debug!("{command:?}");
        match command.spawn() {
            Ok(child) => return Ok((program.to_string(), child)),
            Err(e) if e.kind() == ErrorKind::NotFound => log::debug!("no {program} here"),
            Err(e) => return Err(fail(format!("cannot run the preprocessor {program}: {e}"))),
        }
    }
    let problem = format!("no C preprocessor found (tried {})", candidates.join(", "));
    let hint = "install gcc or clang, name one with --cc, or give a preprocessed .i file";
    Err(Failure::Input(Diagnostic::new(problem).hint(hint)))
}

/// A file name that cannot be taken for an option.
fn argument(file: &Path) -> PathBuf {
    if file.to_string_lossy().starts_with('-') { Path::new(".").join(file) } else { file.into() }
}

fn arguments(file: &Path, input: &Input, headers: &Path) -> Vec<OsString> {
    let flags = input.flags_of(file);
    let machine = match input.machine {
        Machine::Ilp32 => "-D__OBMC_ILP32__",
        Machine::Lp64 => "-D__OBMC_LP64__",
    };
    let plain =
        ["-E", "-x", "c", "-std=gnu17", "-w", "-fdiagnostics-color=never", "-nostdinc", machine];
    let mut words: Vec<OsString> = plain.iter().map(Into::into).collect();
    words.push("-include".into());
    words.push(headers.join("obmc-machine.h").into());
    let mut add = |option: &str, folders: &mut dyn Iterator<Item = &Path>| {
        folders.for_each(|folder| words.extend([option.into(), folder.into()]));
    };
    let named = |folders: &'_ [PathBuf]| {
        let named = folders.iter().filter(|folder| !host::is_usual(folder));
        named.cloned().collect::<Vec<PathBuf>>()
    };
    add("-include", &mut flags.first.iter().map(PathBuf::as_path));
    add("-iquote", &mut flags.quote.iter().map(PathBuf::as_path));
    add("-I", &mut named(&flags.include).iter().map(PathBuf::as_path));
    add("-isystem", &mut named(&flags.system).iter().map(PathBuf::as_path));
    add("-isystem", &mut [headers].into_iter());
    if !flags.no_host_headers {
        add("-idirafter", &mut host::folders().iter().map(PathBuf::as_path));
    }
    words.extend(flags.all_macros().iter().map(|word| match word {
        MacroFlag::Define(text) => format!("-D{text}").into(),
        MacroFlag::Undefine(name) => format!("-U{name}").into(),
    }));
    words
}

fn wait(child: &mut Child, deadline: Option<Instant>) -> Result<ExitStatus, Failure> {
    let interrupt = Interrupt::by_signal();
    loop {
        match child.try_wait() {
            // One that is told to end is no fault of the input.
            Ok(Some(status)) if !status.success() && interrupt.requested() => {
                return Err(Failure::Limit(Limit::Interrupt));
            }
            Ok(Some(status)) => return Ok(status),
            Ok(None) => match exceeded(deadline, interrupt) {
                Some(limit) => {
                    end(child);
                    return Err(Failure::Limit(limit));
                }
                None => std::thread::sleep(POLL),
            },
            Err(e) => return Err(fail(format!("cannot wait for the preprocessor: {e}"))),
        }
    }
}

/// With all that it has started: gcc's driver leaves the work to a process of its own.
fn end(child: &mut Child) {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let _ = group.map(|group| kill_process_group(group, Signal::KILL));
    let _ = child.wait();
}

fn exceeded(deadline: Option<Instant>, interrupt: Interrupt) -> Option<Limit> {
    if interrupt.requested() {
        return Some(Limit::Interrupt);
    }
    deadline.filter(|d| Instant::now() > *d).map(|_| Limit::Time)
}

/// The first error that the preprocessor reported, as a diagnostic of ours.
fn complaint(program: &str, said: &str) -> Diagnostic {
    said.lines().find_map(located_error).unwrap_or_else(|| {
        let line = said.lines().find(|l| l.contains("error")).or(said.lines().next());
        Diagnostic::new(format!(
            "the preprocessor {program} failed: {}",
            line.unwrap_or("no reason given")
        ))
    })
}

/// Reads `FILE:LINE:COLUMN: fatal error: MESSAGE`.
fn located_error(line: &str) -> Option<Diagnostic> {
    let (place, message) =
        line.split_once(": fatal error: ").or_else(|| line.split_once(": error: "))?;
    let mut words = place.rsplitn(3, ':');
    let column = words.next()?.parse().ok()?;
    let number = words.next()?.parse().ok()?;
    let file = words.next()?;
    let diagnostic = match missing_header(message) {
        Some(header) => Diagnostic::new(format!("header `{header}` not found")).hint(
            "neither obmc nor the host's compiler has it: add its folder with -I, or give a preprocessed .i file",
        ),
        None => Diagnostic::new(message.to_string()),
    };
    Some(diagnostic.at(file, number, column))
}

/// gcc says `x.h: No such file or directory`, clang says `'x.h' file not found`.
fn missing_header(message: &str) -> Option<&str> {
    message
        .strip_suffix(": No such file or directory")
        .or_else(|| message.strip_suffix(" file not found").map(|m| m.trim_matches('\'')))
}

/// Replaces the private folder's path in line markers.
fn rename_markers(text: &[u8], ours: &str) -> Vec<u8> {
    let mut renamed = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&b| b == b'\n') {
        let at = line.starts_with(b"# ").then(|| find(line, ours.as_bytes())).flatten();
        match at {
            Some(at) => {
                renamed.extend_from_slice(&line[..at]);
                renamed.extend_from_slice(OUR_FOLDER.as_bytes());
                renamed.extend_from_slice(&line[at + ours.len()..]);
            }
            None => renamed.extend_from_slice(line),
        }
    }
    renamed
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len().max(1)).position(|w| w == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_both_preprocessors() {
        for line in [
            "a.c:1:10: fatal error: x.h: No such file or directory",
            "a.c:1:10: fatal error: 'x.h' file not found",
        ] {
            let got = complaint("cc", &format!("noise\n{line}\n"));
            assert_eq!(got.message, "header `x.h` not found");
            assert_eq!(got.place.map(|p| (p.file, p.line, p.column)), Some(("a.c".into(), 1, 10)));
        }
        let got = complaint("cc", "a:b.c:3:2: error: #error no");
        assert_eq!(got.place.map(|p| p.file), Some("a:b.c".into()));
        assert_eq!(got.message, "#error no");
        assert!(complaint("cc", "").message.contains("no reason given"));
    }

    #[test]
    fn only_markers_are_renamed() {
        let text = b"# 1 \"/t/x/stdlib.h\" 1 3\nchar *s = \"/t/x/stdlib.h\";\n";
        let want = "# 1 \"<obmc>/stdlib.h\" 1 3\nchar *s = \"/t/x/stdlib.h\";\n";
        assert_eq!(String::from_utf8_lossy(&rename_markers(text, "/t/x")), want);
    }

    #[test]
    fn a_file_name_is_never_an_option() {
        assert_eq!(argument(Path::new("-o.c")), Path::new("./-o.c"));
        assert_eq!(argument(Path::new("a.c")), Path::new("a.c"));
    }
}
