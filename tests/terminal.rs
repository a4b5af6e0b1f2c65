//! What a user at a terminal sees while a check runs: a line that moves, and nothing of it afterwards;
//! and what shells and `man` get.
//!
//! `script` (util-linux) lends a terminal; without it there is nothing to test.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// No engine can settle whether this one ends.
const ENDLESS: &str = "unsigned long long x; int main(void) { while (1) x++; }\n";
const CHECK: &str = "check a.i --property no-deadlock --engine explore";
/// Erases the line that the cursor is in.
const ERASE: &str = "\x1b[2K";

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("a.i"), ENDLESS).expect("written");
        Place(folder)
    }

    fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(self.0.path()).stdin(Stdio::null()).env("TERM", "xterm");
        command
    }

    /// All that a terminal gets; `None` if there is no terminal to be had.
    fn on_a_terminal(&self, before: &str, words: &str) -> Option<String> {
        let line = format!("{before} {} {words}", env!("CARGO_BIN_EXE_obmc"));
        let output = self.command("script").args(["-qec", &line, "/dev/null"]).output();
        let Ok(Output { stdout, .. }) = output else {
            eprintln!("no `script`: nothing is tested");
            return None;
        };
        Some(String::from_utf8_lossy(&stdout).into_owned())
    }
}

/// The line was there, and what is left on the terminal is the verdict.
fn moved_and_went(seen: &str, verdict: &str) {
    assert!(seen.contains("explore") && seen.contains("states"), "{seen:?}");
    assert!(seen.contains("MiB") || seen.contains("GiB"), "{seen:?}");
    let (_, left) = seen.rsplit_once(ERASE).unwrap_or_else(|| panic!("{seen:?}"));
    assert!(left.contains("UNKNOWN") && !left.contains("states"), "{seen:?}");
    assert_eq!(left.trim_end().lines().last(), Some(verdict), "{seen:?}");
}

#[test]
fn a_long_check_shows_a_line_and_takes_it_away() {
    let seen = Place::new().on_a_terminal("", &format!("{CHECK} --timeout 2s"));
    let Some(seen) = seen else { return };
    moved_and_went(&seen, "obmc verdict: unknown (time limit 2 s)");
}

#[test]
fn an_interruption_takes_the_line_away() {
    let seen = Place::new().on_a_terminal("timeout --foreground -s INT 2", CHECK);
    let Some(seen) = seen else { return };
    moved_and_went(&seen, "obmc verdict: unknown (interrupted)");
}

#[test]
fn no_line_where_none_is_wanted() {
    for word in ["--quiet", "--json", "| cat"] {
        let seen = Place::new().on_a_terminal("", &format!("{CHECK} --timeout 1s {word}"));
        let Some(seen) = seen else { return };
        assert!(!seen.contains(ERASE) && seen.contains("unknown (time limit 1 s)"), "{seen:?}");
    }
}

#[test]
fn nothing_moves_in_a_pipe() {
    let place = Place::new();
    let mut command = place.command(env!("CARGO_BIN_EXE_obmc"));
    let words = CHECK.split(' ').chain(["--timeout", "1s"]);
    let output = command.args(words).output().expect("obmc starts");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(!String::from_utf8_lossy(&output.stdout).contains('\x1b'));
}

#[test]
fn shells_and_man_get_what_they_can_read() {
    let place = Place::new();
    let say = |words: &str| {
        let mut command = place.command(env!("CARGO_BIN_EXE_obmc"));
        let output = command.args(words.split(' ')).output().expect("obmc starts");
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{words}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let pages = say("man --pages");
    assert!(pages.starts_with("obmc\ncheck\n"), "{pages}");
    for page in pages.lines() {
        assert!(say(&format!("man {page}")).starts_with(".ie "), "{page}");
    }
    let script = place.0.path().join("complete");
    std::fs::write(&script, say("completions bash")).expect("written");
    let read = place.command("bash").arg("-n").arg(&script).output().expect("bash starts");
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
}
