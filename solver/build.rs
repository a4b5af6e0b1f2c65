//! How programs are linked. It serves two packages: this one (its tests) and the root (`obmc` and its
//! tests).
//!
//! It makes them start quickly, which is a good part of a small check: the C++ library comes into the
//! program (its symbols take longer to find than all else at the start), and the program has a fixed
//! address, so that nothing in it has to be relocated. It has no list of folders for libraries: the
//! loader would look for each library in many places of each.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The C++ library as an archive.
const ARCHIVE: &str = "libstdc++.a";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg=-no-pie");
        if let Some(folder) = only_archive() {
            println!("cargo::rustc-link-search=native={}", folder.display());
        }
    }
}

/// A folder that has the archive and no shared library: a linker that looks for the C++ library there first
/// takes the archive.
fn only_archive() -> Option<PathBuf> {
    let folder = PathBuf::from(env::var_os("OUT_DIR")?);
    let out = Command::new("c++").arg(format!("-print-file-name={ARCHIVE}")).output().ok()?;
    let archive = PathBuf::from(String::from_utf8(out.stdout).ok()?.trim());
    let link = folder.join(ARCHIVE);
    (archive.is_absolute() && same(&archive, &link)).then_some(folder)
}

fn same(archive: &Path, link: &Path) -> bool {
    let _ = std::fs::remove_file(link);
    std::os::unix::fs::symlink(archive, link).is_ok() && link.exists()
}
