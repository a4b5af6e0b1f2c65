//! The system headers that we bring along, so that results do not depend on the host's libc.
//!
//! The driver writes them to a folder that it puts first on the preprocessor's path and forces
//! `obmc-machine.h` in front of everything (`-include`), with `-D__OBMC_LP64__` or
//! `-D__OBMC_ILP32__` for the data model. Types and constants are those of glibc on x86, since
//! programs repeat its declarations.
//!
//! Invariant: the list is the contents of `include` (tested).

macro_rules! header {
    ($name:literal) => {
        ($name, include_str!(concat!("../include/", $name)))
    };
}

/// (name relative to the include folder, text)
pub const HEADERS: &[(&str, &str)] = &[
    header!("assert.h"),
    header!("bits/obmc-threads.h"),
    header!("bits/obmc-types.h"),
    header!("errno.h"),
    header!("inttypes.h"),
    header!("limits.h"),
    header!("obmc-machine.h"),
    header!("pthread.h"),
    header!("sched.h"),
    header!("stdarg.h"),
    header!("stdbool.h"),
    header!("stddef.h"),
    header!("stdint.h"),
    header!("time.h"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;
    use std::process::Command;

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/include");

    fn collect(folder: &Path, prefix: &str, names: &mut BTreeSet<String>) {
        for entry in folder.read_dir().expect("include is a folder of this crate") {
            let entry = entry.expect("readable");
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                collect(&entry.path(), &format!("{name}/"), names);
            } else {
                names.insert(name);
            }
        }
    }

    #[test]
    fn list_is_the_folder() {
        let mut on_disk = BTreeSet::new();
        collect(Path::new(FOLDER), "", &mut on_disk);
        let listed: BTreeSet<String> = HEADERS.iter().map(|(name, _)| name.to_string()).collect();
        assert_eq!(on_disk, listed);
        assert_eq!(listed.len(), HEADERS.len(), "a header is listed twice");
    }

    /// Includes every header at once, in both data models, where there is a C compiler.
    #[test]
    fn headers_compile_together() {
        let file = std::env::temp_dir().join(format!("obmc-headers-{}.c", std::process::id()));
        let text: String = HEADERS.iter().map(|(name, _)| format!("#include <{name}>\n")).collect();
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
