//! Where the host's compiler looks for headers: asked once, and only if a header is not among ours.
//!
//! `cc -E -v` tells. If there is no compiler, the folders where a C library usually is.

use super::system::USUAL;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

const STARTS: &str = "#include <...> search starts here:";
const ENDS: &str = "End of search list.";

static FOLDERS: OnceLock<Vec<PathBuf>> = OnceLock::new();

pub fn folders() -> &'static [PathBuf] {
    FOLDERS.get_or_init(|| {
        let folders = USUAL.iter().find_map(|cc| ask(cc)).unwrap_or_else(usual);
        log::info!("headers that we do not bring along are looked for in {folders:?}");
        folders
    })
}

/// Is the file one of the host's? (If none was looked for, none is.)
pub fn has(file: &Path) -> bool {
    FOLDERS.get().is_some_and(|folders| folders.iter().any(|folder| file.starts_with(folder)))
}

/// The folders of the C library itself: `-I` does not bring them in front of our headers.
pub fn is_usual(folder: &Path) -> bool {
    let name = folder.strip_prefix("/usr/include").ok();
    let triple =
        |rest: &Path| rest.to_str().is_some_and(|r| r.is_empty() || r.contains("-linux-gnu"));
    folder == Path::new("/usr/local/include") || name.is_some_and(triple)
}

fn ask(cc: &str) -> Option<Vec<PathBuf>> {
    let mut command = Command::new(cc);
    command.args(["-E", "-v", "-x", "c", "/dev/null"]).env("LC_ALL", "C");
    let output = command.stdin(Stdio::null()).output().ok()?;
    let found = listed(&String::from_utf8_lossy(&output.stderr));
    (!found.is_empty()).then_some(found)
}

/// The lines between the two that gcc and clang print around the list.
fn listed(said: &str) -> Vec<PathBuf> {
    let lines = said.lines().skip_while(|line| *line != STARTS).skip(1);
    let lines = lines.take_while(|line| *line != ENDS);
    lines.map(|line| line.trim().trim_end_matches(" (framework directory)").into()).collect()
}

fn usual() -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from("/usr/local/include")];
    let below = std::fs::read_dir("/usr/include").into_iter().flatten().flatten();
    folders.extend(below.map(|entry| entry.path()).filter(|path| is_usual(path)));
    folders.push("/usr/include".into());
    folders.retain(|folder| folder.is_dir());
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_compilers_print() {
        let said = format!("noise\n{STARTS}\n /a/include\n /b c\n{ENDS}\nmore\n");
        assert_eq!(listed(&said), [Path::new("/a/include"), Path::new("/b c")]);
        assert_eq!(listed("nothing"), [] as [PathBuf; 0]);
    }

    #[test]
    fn folders_of_the_library() {
        for folder in ["/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/local/include"] {
            assert!(is_usual(Path::new(folder)), "{folder}");
        }
        assert!(!is_usual(Path::new("/usr/include/glib-2.0")) && !is_usual(Path::new("include")));
    }
}
