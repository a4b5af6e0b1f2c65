//! What we bring along: system headers, so that results do not depend on the host's libc, and
//! library models (`models.rs` lists them).
//!
//! `obmc-machine.h` comes in front of everything, with `__OBMC_LP64__` or `__OBMC_ILP32__` defined
//! for the data model. Types and constants are those of glibc on x86, since
//! programs repeat its declarations.
//!
//! The build script (`build/`) finds the files and cuts them into chunks: a `#define`, a declaration,
//! a function of a model, and so on. A program uses a few of them; `needs.rs` tells which. A model
//! that makes objects has to be read as a whole and is not cut.
//!
//! - `hash.rs`: the hash of a word (FNV-1a, a byte at a time, so that a scan computes it on its
//!   way)

pub mod hash;
pub(crate) mod needs;

/// The tables that the build script wrote: `HEADERS` (sorted by name; the last one is what the
/// compiler predefines), `MODELS` (sorted too), and those that `needs.rs` reads.
pub(crate) mod tables {
    use super::{Chunk, Shipped};
    include!(concat!(env!("OUT_DIR"), "/shipped.rs"));
}

pub struct Shipped {
    /// Relative to the include folder, or to that of the models.
    pub name: &'static str,
    pub text: &'static str,
    /// Its chunks are those from `first` to before `end`.
    first: u16,
    end: u16,
}

/// Some whole lines of a header or a model.
pub(crate) struct Chunk {
    start: u32,
    end: u32,
    line: u32,
    /// The line behind it.
    next: u32,
}

/// What programs can include.
pub fn headers() -> &'static [Shipped] {
    let (_compiler, headers) = split();
    headers
}

/// What the compiler predefines.
pub fn compiler() -> &'static Shipped {
    let (compiler, _headers) = split();
    compiler
}

fn split() -> (&'static Shipped, &'static [Shipped]) {
    let [headers @ .., compiler] = &tables::HEADERS;
    (compiler, headers)
}

pub fn header(name: &str) -> Option<&'static Shipped> {
    named(name, headers())
}

/// The model in that file, if parts of it can be read alone.
pub fn model(file: &str) -> Option<&'static Shipped> {
    named(file, &tables::MODELS)
}

/// Does one of our headers say what the word is?
pub fn gives(name: &str) -> bool {
    needs::is_given(name)
}

fn named(name: &str, all: &'static [Shipped]) -> Option<&'static Shipped> {
    let at = all.binary_search_by(|shipped| shipped.name.cmp(name)).ok()?;
    all.get(at)
}

/// The chunk that the line is in.
#[cfg(test)]
pub(crate) fn chunk_at(header: &Shipped, line: u32) -> Option<u16> {
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
        assert!(headers().is_sorted_by_key(|header| header.name));
        assert!(headers().iter().all(|h| header(h.name).is_some_and(|found| found.text == h.text)));
        assert!(header("sys/types.h").is_some() && header("compiler.h").is_none());
        assert!(model("thread.c").is_some() && model("detach.c").is_none());
    }

    /// Includes every header at once, in both data models, where there is a C compiler.
    #[test]
    fn headers_compile_together() {
        let file = std::env::temp_dir().join(format!("obmc-headers-{}.c", std::process::id()));
        // The kernel's atomics have the names of C11's.
        let together = headers().iter().filter(|h| h.name != "linux/lkmm.h");
        let text: String = together.map(|h| format!("#include <{}>\n", h.name)).collect();
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
