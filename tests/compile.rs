//! A compiler's command line and compilation databases, as a user gives them.

use std::path::Path;
use std::process::{Command, Output};

const QUEUE: &str = "#include <pthread.h>\n#include <stdlib.h>\n#include <q.h>\n\
    static int helper(int x) { return x + 1; }\nint capacity = SIZE;\n\
    struct q { pthread_mutex_t m; int n; int d[SIZE]; };\nvoid log_it(const char *);\n\
    struct q *q_new(void) { struct q *q = calloc(1, sizeof *q); pthread_mutex_init(&q->m, 0); return q; }\n\
    void q_put(struct q *q, int v) { pthread_mutex_lock(&q->m); if (q->n < SIZE) q->d[q->n++] = helper(v);\n\
        log_it(\"put\"); pthread_mutex_unlock(&q->m); }\n\
    int q_get(struct q *q) { pthread_mutex_lock(&q->m); int v = q->n ? q->d[--q->n] : -1;\n\
        pthread_mutex_unlock(&q->m); return v; }\n";
const LOG: &str = "static int helper(int x) { return x - 1; }\nstatic int count;\n\
    void log_it(const char *s) { count = helper(count) + 2; }\n";
const HEADER: &str = "#pragma once\nstruct q;\nextern int capacity;\nstruct q *q_new(void);\n\
    void q_put(struct q *, int);\nint q_get(struct q *);\n";
const HARNESS: &str = "#include <assert.h>\n#include <pthread.h>\n#include <q.h>\nstatic struct q *q;\n\
    static void *run(void *a) { q_put(q, 1); return 0; }\nint main(void) { pthread_t t; q = q_new();\n\
    pthread_create(&t, 0, run, 0); int v = q_get(q); assert(v == -1 || v == 2); pthread_join(t, 0);\n\
    assert(capacity == WANT); return 0; }\n";

/// A project of a queue, a log, and units that no harness needs.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path();
    for below in ["src", "include", "build"] {
        std::fs::create_dir(path.join(below)).expect("made");
    }
    let add = |name: &str, text: &str| std::fs::write(path.join(name), text).expect("written");
    add("include/q.h", HEADER);
    add("src/q.c", QUEUE);
    add("src/log.c", LOG);
    add("src/other.c", "#error for another machine\n");
    add("src/app.c", "#include <q.h>\nint main(void) { q_put(q_new(), 1); }\n");
    add("harness.c", HARNESS);
    let entry = |file: &str, flags: &str| {
        let build = path.join("build").display().to_string();
        format!(
            "{{\"directory\": \"{build}\", \"file\": \"../src/{file}\", \
            \"command\": \"cc {flags} -O2 -c ../src/{file} -o x.o\"}}"
        )
    };
    let entries = [
        entry("app.c", "-I../include"),
        entry("other.c", ""),
        entry("q.c", "-I../include -DSIZE=4"),
        entry("log.c", "-Wall"),
    ];
    add("build/compile_commands.json", &format!("[{}]", entries.join(",\n")));
    folder
}

fn obmc(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(line.split_whitespace()).current_dir(folder).env_remove("CC");
    command.output().expect("obmc starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_database_gives_what_the_harness_needs() {
    let folder = project();
    let line = "check --compile-commands build/compile_commands.json --property unreach-call -v";
    let safe = obmc(folder.path(), &format!("{line} --main harness.c -DWANT=4"));
    let text = said(&safe);
    assert_eq!(safe.status.code(), Some(0), "{text}");
    assert!(text.contains("q.c belongs to the program") && !text.contains("has no body"), "{text}");
    assert!(!text.contains("app.c belongs"), "{text}");
    let wrong = obmc(folder.path(), &format!("{line} harness.c -DWANT=5"));
    assert_eq!(wrong.status.code(), Some(10), "{}", said(&wrong));
    let none = obmc(folder.path(), "check --compile-commands none.json --main harness.c");
    assert_eq!(none.status.code(), Some(2), "{}", said(&none));
    assert!(said(&none).contains("none.json"), "{}", said(&none));
}

#[test]
fn a_compiler_s_command_line_is_a_check() {
    let folder = project();
    let files = "harness.c src/q.c src/log.c";
    let flags = "-Wall -Wextra -O2 -g -std=gnu11 -Iinclude -DSIZE=4 -DWANT=4 -pthread -fPIC";
    let line = format!("cc {flags} {files} -lm -L lib -o prog extra.o --property unreach-call -v");
    let safe = obmc(folder.path(), &line);
    assert_eq!(safe.status.code(), Some(0), "{}", said(&safe));
    let text = said(&safe);
    assert!(text.contains("without effect here: -Wall -Wextra -O2 -g"), "{text}");
    let line = format!("check {flags} -UWANT -D WANT=5 {files} --property unreach-call");
    assert_eq!(obmc(folder.path(), &line).status.code(), Some(10));
    let line = format!("check {flags} {files} -funsigned-char --property unreach-call");
    let assumed = obmc(folder.path(), &line);
    assert!(said(&assumed).contains("-funsigned-char changes nothing"), "{}", said(&assumed));
    let strict = obmc(folder.path(), &format!("{line} --strict"));
    assert_eq!(strict.status.code(), Some(5), "{}", said(&strict));
}

#[test]
fn files_before_the_file_and_standards() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let add = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    add("first.h", "#define N 3\n");
    let text = "#include <assert.h>\nint main(void) { assert(N == 3);\n\
        assert(__STDC_VERSION__ == 199901L);\n#ifdef __STRICT_ANSI__\nassert(0);\n#endif\nreturn 0; }";
    add("a.c", text);
    let check = |line: &str| obmc(folder.path(), line).status.code();
    let line = "check a.c -include first.h --property unreach-call";
    assert_eq!(check(&format!("{line} -std=gnu99")), Some(0));
    assert_eq!(check(&format!("{line} -std=c99")), Some(10));
    assert_eq!(check(&format!("{line} -std=gnu11")), Some(10));
    assert_eq!(check(&format!("{line} -std=gnu99 --cc cc")), Some(0));
}

#[test]
fn headers_of_the_host_are_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = "#include <dirent.h>\n#include <sys/epoll.h>\n#include <sys/stat.h>\n#include <sys/mman.h>\n\
        #if !__has_include(<dirent.h>) || !__has_attribute(unused)\n#error\n#endif\n\
        struct dirent entry; struct epoll_event event;\n\
        int main(void) { return S_IRUSR + MAP_POPULATE == 0400 + 0x8000 && EPOLLIN == 1 ? 0 : 1; }\n";
    std::fs::write(folder.path().join("a.c"), text).expect("written");
    if !Path::new("/usr/include/dirent.h").exists() {
        return;
    }
    let run = obmc(folder.path(), "check a.c --property unreach-call -v");
    assert_eq!(run.status.code(), Some(0), "{}", said(&run));
    assert!(!said(&run).contains("left to the system"), "{}", said(&run));
    let none = obmc(folder.path(), "check a.c --property unreach-call -nostdinc");
    assert_eq!(none.status.code(), Some(2), "{}", said(&none));
}

/// Headers that programs include on the side, all in one program, ours and the host's mixed.
#[test]
fn headers_go_together() {
    let names = [
        "aio",
        "argp",
        "arpa/inet",
        "byteswap",
        "dirent",
        "dlfcn",
        "endian",
        "execinfo",
        "fnmatch",
        "fts",
        "ftw",
        "glob",
        "grp",
        "ifaddrs",
        "langinfo",
        "libintl",
        "link",
        "linux/io_uring",
        "linux/membarrier",
        "linux/perf_event",
        "mntent",
        "mqueue",
        "net/if",
        "netdb",
        "netinet/in",
        "netinet/tcp",
        "pthread",
        "pwd",
        "regex",
        "search",
        "semaphore",
        "signal",
        "spawn",
        "stdatomic",
        "stdio",
        "stdlib",
        "string",
        "sys/epoll",
        "sys/eventfd",
        "sys/file",
        "sys/inotify",
        "sys/ipc",
        "sys/mman",
        "sys/msg",
        "sys/ptrace",
        "sys/sem",
        "sys/sendfile",
        "sys/shm",
        "sys/signalfd",
        "sys/socket",
        "sys/stat",
        "sys/statvfs",
        "sys/sysinfo",
        "sys/timerfd",
        "sys/times",
        "sys/ucontext",
        "sys/uio",
        "sys/un",
        "sys/vfs",
        "termios",
        "threads",
        "time",
        "ucontext",
        "ulimit",
        "unistd",
        "utime",
        "utmpx",
        "wordexp",
    ];
    let there = |name: &&str| {
        let folders = ["/usr/include", "/usr/include/x86_64-linux-gnu"];
        folders.iter().any(|folder| Path::new(folder).join(format!("{name}.h")).exists())
    };
    let include = |name: &str| format!("#include <{name}.h>\n");
    for order in [false, true] {
        let mut list: Vec<&str> = names.into_iter().filter(there).collect();
        if order {
            list.reverse();
        }
        let text: String = list.into_iter().map(include).collect();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let text = format!("#define _GNU_SOURCE 1\n{text}int main(void) {{ return 0; }}\n");
        std::fs::write(folder.path().join("a.c"), text).expect("written");
        let run = obmc(folder.path(), "check a.c --property unreach-call");
        assert_eq!(run.status.code(), Some(0), "{}", said(&run));
    }
}
