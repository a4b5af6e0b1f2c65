//! The system headers that we bring along, so that results do not depend on the host's libc.
//!
//! `obmc-machine.h` comes in front of everything, with `__OBMC_LP64__` or `__OBMC_ILP32__` defined
//! for the data model. Types and constants are those of glibc on x86, since
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
    header!("alloca.h"),
    header!("assert.h"),
    header!("bits/obmc-threads.h"),
    header!("bits/obmc-types.h"),
    header!("ctype.h"),
    header!("err.h"),
    header!("errno.h"),
    header!("fcntl.h"),
    header!("features.h"),
    header!("float.h"),
    header!("getopt.h"),
    header!("inttypes.h"),
    header!("iso646.h"),
    header!("libgen.h"),
    header!("limits.h"),
    header!("linux/futex.h"),
    header!("linux/types.h"),
    header!("locale.h"),
    header!("malloc.h"),
    header!("math.h"),
    header!("memory.h"),
    header!("obmc-machine.h"),
    header!("poll.h"),
    header!("pthread.h"),
    header!("sched.h"),
    header!("semaphore.h"),
    header!("setjmp.h"),
    header!("signal.h"),
    header!("stdalign.h"),
    header!("stdarg.h"),
    header!("stdatomic.h"),
    header!("stdbool.h"),
    header!("stddef.h"),
    header!("stdint.h"),
    header!("stdio.h"),
    header!("stdlib.h"),
    header!("stdnoreturn.h"),
    header!("string.h"),
    header!("strings.h"),
    header!("sys/cdefs.h"),
    header!("sys/ioctl.h"),
    header!("sys/mman.h"),
    header!("sys/param.h"),
    header!("sys/poll.h"),
    header!("sys/resource.h"),
    header!("sys/select.h"),
    header!("sys/socket.h"),
    header!("sys/stat.h"),
    header!("sys/syscall.h"),
    header!("sys/time.h"),
    header!("sys/types.h"),
    header!("sys/uio.h"),
    header!("sys/wait.h"),
    header!("syscall.h"),
    header!("syslog.h"),
    header!("threads.h"),
    header!("time.h"),
    header!("uchar.h"),
    header!("unistd.h"),
    header!("wchar.h"),
    header!("wctype.h"),
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
