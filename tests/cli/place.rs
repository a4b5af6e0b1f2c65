//! A folder to run obmc in, and what a run leaves.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const CODES: [i32; 7] = [0, 1, 2, 5, 6, 7, 10];

/// A folder to run obmc in, gone at the end.
pub struct Place(pub tempfile::TempDir);

impl Place {
    pub fn new() -> Place {
        Place(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A folder with one file in it.
    pub fn with(name: &str, content: impl AsRef<[u8]>) -> Place {
        let place = Place::new();
        place.add(name, content);
        place
    }

    pub fn add(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.0.path().join(name), content).expect("written");
    }

    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
        command.args(line.split_whitespace()).current_dir(self.0.path()).stdin(Stdio::null());
        command.env_remove("CC").env("TMPDIR", self.0.path());
        command
    }

    pub fn run(&self, line: &str) -> Run {
        let output = self.command(line).output().expect("obmc starts");
        let run = Run::of(line, output);
        let left: Vec<_> = std::fs::read_dir(self.0.path())
            .expect("a folder")
            .filter_map(|e| e.ok()?.file_name().into_string().ok())
            .filter(|n| n.starts_with("obmc-"))
            .collect();
        assert_eq!(left, [""; 0], "{line}: temporary files are left behind");
        run
    }
}

pub struct Run {
    pub line: String,
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    pub fn of(line: &str, output: Output) -> Run {
        let run = Run {
            line: line.to_string(),
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        assert!(CODES.contains(&run.code), "{run}");
        assert!(!run.stderr.contains("panicked"), "{run}");
        run
    }

    pub fn verdict(&self) -> &str {
        let last = self.stdout.lines().last().unwrap_or("");
        last.strip_prefix("obmc verdict: ").unwrap_or_else(|| panic!("no verdict line: {self}"))
    }

    /// An input error whose message has these words.
    pub fn is_input_error(&self, words: &str) {
        assert_eq!((self.code, self.verdict()), (2, "unknown (input error)"), "{self}");
        assert!(self.stderr.starts_with("error: "), "{self}");
        assert!(self.stderr.contains(words), "wanted {words:?}: {self}");
    }

    /// A usage error: nothing on stdout, the message has these words.
    pub fn is_usage_error(&self, words: &str) {
        assert_eq!((self.code, self.stdout.as_str()), (1, ""), "{self}");
        assert!(self.stderr.contains(words), "wanted {words:?}: {self}");
    }

    /// Equal to the stored output, or stored now.
    pub fn is_golden(&self, name: &str) {
        let path = golden(name);
        let got = self.to_string();
        if std::env::var_os("OBMC_BLESS").is_some() {
            std::fs::write(&path, got).expect("written");
            return;
        }
        let want = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(got, want, "{} differs; scripts/bless if that is right", path.display());
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Run { line, code, stdout, stderr } = self;
        write!(f, "$ obmc {line}\n{stdout}--- stderr\n{stderr}--- exit {code}\n")
    }
}

pub fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.expected"))
}

pub fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    std::fs::read_to_string(path).expect("an example")
}
