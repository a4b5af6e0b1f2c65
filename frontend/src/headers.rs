//! The system headers that we bring along, so that results do not depend on the host's libc.
//!
//! `obmc-machine.h` comes in front of everything, with `__OBMC_LP64__` or `__OBMC_ILP32__` defined
//! for the data model. Types and constants are those of glibc on x86, since
//! programs repeat its declarations.
//!
//! The build script (`build/`) finds them in `include` and cuts them into chunks: a `#define`, a
//! declaration, and so on. A program uses a few of them; `preprocess/needs.rs` tells which.

pub mod hash;

/// The tables that the build script wrote: `HEADERS` (sorted by name; the last one is what the
/// compiler predefines), and those that `preprocess/needs.rs` reads.
pub(crate) mod tables {
    use super::{Chunk, Header};
    include!(concat!(env!("OUT_DIR"), "/headers.rs"));
}

pub struct Header {
    /// Relative to the include folder.
    pub name: &'static str,
    pub text: &'static str,
    /// Its chunks are those from `first` to before `end`.
    pub(crate) first: u16,
    pub(crate) end: u16,
}

/// Some whole lines of a header.
pub(crate) struct Chunk {
    pub start: u32,
    pub end: u32,
    pub line: u32,
    /// The line behind it.
    pub next: u32,
}

/// What programs can include.
pub fn all() -> &'static [Header] {
    let (_compiler, headers) = split();
    headers
}

/// What the compiler predefines.
pub fn compiler() -> &'static Header {
    let (compiler, _headers) = split();
    compiler
}

fn split() -> (&'static Header, &'static [Header]) {
    let [headers @ .., compiler] = &tables::HEADERS;
    (compiler, headers)
}

pub fn named(name: &str) -> Option<&'static Header> {
    let at = all().binary_search_by(|header| header.name.cmp(name)).ok()?;
    all().get(at)
}

/// The chunk that the line is in.
#[cfg(test)]
pub(crate) fn chunk_at(header: &Header, line: u32) -> Option<u16> {
    let holds = |id: &u16| {
        let chunk = &tables::CHUNKS[usize::from(*id)];
        (chunk.line..chunk.next).contains(&line)
    };
    (header.first..header.end).find(holds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/include");

    #[test]
    fn found_by_name() {
        assert!(all().is_sorted_by_key(|header| header.name));
        assert!(all().iter().all(|h| named(h.name).is_some_and(|found| found.text == h.text)));
        assert!(named("sys/types.h").is_some() && named("compiler.h").is_none());
    }

    /// Includes every header at once, in both data models, where there is a C compiler.
    #[test]
    fn headers_compile_together() {
        let file = std::env::temp_dir().join(format!("obmc-headers-{}.c", std::process::id()));
        let text: String = all().iter().map(|h| format!("#include <{}>\n", h.name)).collect();
        std::fs::write(&file, text).expect("the temporary folder can be written");
        for model in ["-D__OBMC_LP64__", "-D__OBMC_ILP32__"] {
            let run = Command::new("cc")
                .args(["-E", "-Wall", "-Werror", "-nostdinc", "-I", FOLDER, model])
                .args(["-include", &format!("{FOLDER}/obmc-machine.h")])
                .arg(&file)
                .output();
            let Ok(run) = run else { break };
            assert!(run.status.success(), "{model}: {}", String::from_utf8_lossy(&run.stderr));
        }
        let _ = std::fs::remove_file(&file);
    }
}
