//! The library models: which C file of `models` defines which function.
//!
//! A model is C text that our own front-end compiles when the program refers to a function without
//! a body that a model defines. Models may call each other, and they speak to the IR through the
//! `__obmc_` intrinsics that lowering knows. They are already preprocessed: no directives.
//!
//! Invariant: `defines` is what the text defines with external linkage, and no two models define
//! the same function (both tested).

use crate::shipped;
use crate::shipped::needs::Needs;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::LazyLock;

pub struct Model {
    /// The file's name in `models`.
    pub file: &'static str,
    pub text: &'static str,
    pub defines: &'static [&'static str],
}

impl Model {
    /// The part of the text that these functions can need, with their lines.
    pub(crate) fn text_of(&self, functions: &[&str]) -> Cow<'static, str> {
        let Some(model) = shipped::model(self.file) else { return self.text.into() };
        let (mut text, mut line) = (String::new(), 1);
        for piece in Needs::functions(model, functions).pieces(model) {
            if piece.line != line {
                text.push_str(&format!("# {}\n", piece.line));
            }
            text.push_str(&String::from_utf8_lossy(piece.text));
            line = piece.next;
        }
        text.into()
    }
}

/// The function as models call it, and the model that defines it, if there is one.
pub fn defined(function: &str) -> Option<(&'static str, &'static Model)> {
    static BY_FUNCTION: LazyLock<FxHashMap<&str, &Model>> = LazyLock::new(|| {
        MODELS.iter().flat_map(|model| model.defines.iter().map(move |&f| (f, model))).collect()
    });
    BY_FUNCTION.get_key_value(function).map(|(&name, &model)| (name, model))
}

pub fn model_of(function: &str) -> Option<&'static Model> {
    defined(function).map(|(_, model)| model)
}

/// All functions that models define.
#[cfg(test)]
pub(crate) fn defined_names() -> impl Iterator<Item = &'static str> {
    MODELS.iter().flat_map(|model| model.defines.iter().copied())
}

macro_rules! model {
    ($file:literal, $($function:literal),+ $(,)?) => {
        Model {
            file: $file,
            text: include_str!(concat!("../models/", $file)),
            defines: &[$($function),+],
        }
    };
}

#[rustfmt::skip]
pub const MODELS: &[Model] = &[
    model!(
        "bits.c",
        "__builtin_popcount", "__builtin_popcountl", "__builtin_popcountll", "__builtin_parity",
        "__builtin_parityl", "__builtin_parityll", "__builtin_ctz", "__builtin_ctzl",
        "__builtin_ctzll", "__builtin_ffs", "__builtin_ffsl", "__builtin_ffsll", "__builtin_clz",
        "__builtin_clzl", "__builtin_clzll", "__builtin_bswap16", "__builtin_bswap32",
        "__builtin_bswap64",
    ),
    model!(
        "detach.c",
        "__obmc_must_not_be_joined", "__obmc_was_joined", "__obmc_set_detached", "__obmc_begin_detached",
        "__obmc_is_detached", "__obmc_set_joined",
    ),
    model!(
        "attr.c",
        "pthread_attr_init", "pthread_attr_destroy", "pthread_attr_setdetachstate",
        "pthread_attr_getdetachstate", "pthread_attr_setscope", "pthread_attr_getscope",
        "pthread_attr_setinheritsched", "pthread_attr_getinheritsched",
        "pthread_attr_setschedpolicy", "pthread_attr_getschedpolicy", "pthread_attr_setschedparam",
        "pthread_attr_getschedparam", "pthread_attr_setstacksize", "pthread_attr_getstacksize",
        "pthread_attr_setguardsize", "pthread_attr_getguardsize", "pthread_attr_setstack",
        "pthread_attr_getstack", "pthread_attr_setaffinity_np",
    ),
    model!(
        "barrier.c",
        "pthread_barrier_wait", "pthread_barrier_init", "pthread_barrier_destroy",
        "pthread_barrierattr_init", "pthread_barrierattr_destroy", "pthread_barrierattr_setpshared",
        "pthread_barrierattr_getpshared",
    ),
    model!("c11keys.c", "tss_create", "tss_delete", "tss_get", "tss_set"),
    model!(
        "c11threads.c",
        "thrd_create", "thrd_join", "thrd_exit", "thrd_detach", "thrd_current", "thrd_equal",
        "thrd_yield", "thrd_sleep", "mtx_init", "mtx_destroy", "mtx_lock", "mtx_trylock",
        "mtx_timedlock", "mtx_unlock", "cnd_init", "cnd_destroy", "cnd_signal", "cnd_broadcast",
        "cnd_wait", "cnd_timedwait", "call_once",
    ),
    model!(
        "cancel.c",
        "__obmc_cancel_pending", "__obmc_cancel_now", "pthread_testcancel", "pthread_cancel",
        "pthread_setcancelstate", "pthread_setcanceltype",
    ),
    model!(
        "cancel_waits.c",
        "__obmc_await_end_or_cancel", "__obmc_cond_wait_cancellable", "__obmc_sem_wait_cancellable",
    ),
    model!(
        "cleanup.c",
        "_pthread_cleanup_push", "_pthread_cleanup_pop", "__obmc_leave_cleanup",
        "__pthread_register_cancel", "__pthread_unregister_cancel", "__pthread_unwind_next",
        "__obmc_open_cleanups", "__obmc_run_cleanup_handlers",
    ),
    model!(
        "cond.c",
        "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait",
        "pthread_cond_signal", "pthread_cond_broadcast", "pthread_cond_init",
        "pthread_cond_destroy", "pthread_condattr_init", "pthread_condattr_destroy",
        "pthread_condattr_setpshared", "pthread_condattr_getpshared", "pthread_condattr_setclock",
        "pthread_condattr_getclock",
    ),
    model!(
        "copy.c",
        "memcpy", "mempcpy", "memmove", "bcopy", "memset", "bzero", "explicit_bzero",
        "__memcpy_chk", "__memmove_chk", "__mempcpy_chk", "__explicit_bzero_chk", "__memset_chk",
        "__obmc_sign_memcmp", "memcmp", "__obmc_truth_bcmp", "bcmp", "memchr", "memccpy", "memmem",
        "memrchr",
    ),
    model!(
        "ctype.c",
        "__obmc_truth_isdigit", "__obmc_truth_islower", "__obmc_truth_isupper",
        "__obmc_truth_isalpha", "__obmc_truth_isalnum", "__obmc_truth_isxdigit",
        "__obmc_truth_isspace", "__obmc_truth_isblank", "__obmc_truth_iscntrl",
        "__obmc_truth_isprint", "__obmc_truth_isgraph", "__obmc_truth_ispunct", "isdigit",
        "islower", "isupper", "isalpha", "isalnum", "isxdigit", "isspace", "isblank", "iscntrl",
        "isprint", "isgraph", "ispunct", "isascii", "tolower", "toupper", "toascii",
    ),
    model!("ctype_tables.c", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc"),
    model!("errno.c", "__errno_location", "__obmc_remember_result"),
    model!(
        "input.c",
        "getchar", "getc", "fgetc", "_IO_getc", "getchar_unlocked", "getc_unlocked",
        "fgetc_unlocked", "fgets", "fread", "__fgets_chk",
    ),
    model!(
        "int128.c",
        "__obmc_multiply_high", "__obmc_multiply_overflows", "__obmc_divide",
        "__obmc_wide_to_double", "__obmc_wide_to_float", "__obmc_double_to_wide",
    ),
    model!(
        "jump.c",
        "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__sigsetjmp_cancel", "longjmp",
        "_longjmp", "siglongjmp", "__longjmp_chk",
    ),
    model!(
        "key.c",
        "pthread_key_create", "pthread_key_delete", "pthread_getspecific", "pthread_setspecific",
        "__obmc_run_key_destructors", "__obmc_start_thread_with_keys",
    ),
    model!(
        "memory.c",
        "malloc", "calloc", "free", "cfree", "realloc", "reallocarray", "posix_memalign",
        "aligned_alloc", "memalign", "valloc", "pvalloc", "malloc_usable_size",
    ),
    model!(
        "mutex.c",
        "pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_timedlock",
        "pthread_mutex_clocklock", "pthread_mutex_unlock", "pthread_mutex_init",
        "pthread_mutex_destroy", "__obmc_mutex_for_timed_locks", "__obmc_is_mutex_for_timed_locks",
    ),
    model!(
        "mutexattr.c",
        "pthread_mutexattr_init", "pthread_mutexattr_destroy", "pthread_mutexattr_settype",
        "pthread_mutexattr_gettype", "pthread_mutexattr_setpshared", "pthread_mutexattr_getpshared",
        "pthread_mutexattr_setprotocol", "pthread_mutexattr_getprotocol",
        "pthread_mutexattr_setrobust", "pthread_mutexattr_getrobust",
        "pthread_mutexattr_setprioceiling", "pthread_mutexattr_getprioceiling",
    ),
    model!(
        "numbers.c",
        "strtol", "strtoll", "strtoimax", "strtoul", "strtoull", "strtoumax", "atoi", "atol",
        "atoll", "__isoc23_strtol", "__isoc23_strtoul", "__isoc23_strtoll", "__isoc23_strtoull",
        "__isoc23_strtoimax", "__isoc23_strtoumax",
    ),
    model!("decimal.c", "strtod", "strtof", "atof"),
    model!("calendar.c", "gmtime_r", "gmtime", "timegm"),
    model!("once.c", "pthread_once"),
    model!(
        "output.c",
        "puts", "fputs", "fputs_unlocked", "putchar", "putc", "_IO_putc", "fputc",
        "putchar_unlocked", "putc_unlocked", "fputc_unlocked", "putw", "fwrite", "fwrite_unlocked",
        "perror", "psignal",
    ),
    model!(
        "process.c",
        "gettid", "getpid", "exit", "abort", "_Exit", "_exit", "reach_error", "__VERIFIER_error",
        "__VERIFIER_assert", "__VERIFIER_assume", "__assert_fail", "__assert_perror_fail", "setlocale",
    ),
    model!("texts.c", "__obmc_library_text", "strerror", "strsignal", "getenv"),
    model!(
        "random.c",
        "rand", "rand_r", "random", "lrand48", "mrand48", "srand", "srandom", "srand48",
        "arc4random",
    ),
    model!(
        "robust.c",
        "__obmc_is_robust", "__obmc_robust_lock", "__obmc_robust_trylock", "__obmc_robust_unlock",
        "pthread_mutex_consistent",
    ),
    model!(
        "rwlock.c",
        "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_rwlock_tryrdlock",
        "pthread_rwlock_clockrdlock", "pthread_rwlock_timedrdlock", "pthread_rwlock_trywrlock",
        "pthread_rwlock_clockwrlock", "pthread_rwlock_timedwrlock", "pthread_rwlock_unlock",
        "pthread_rwlock_init", "pthread_rwlock_destroy", "pthread_rwlockattr_init",
        "pthread_rwlockattr_destroy", "pthread_rwlockattr_setpshared",
        "pthread_rwlockattr_getpshared", "pthread_rwlockattr_setkind_np",
        "pthread_rwlockattr_getkind_np",
    ),
    model!(
        "sched.c",
        "sched_yield", "pthread_yield", "pthread_setname_np", "pthread_setaffinity_np",
        "pthread_setconcurrency", "pthread_setschedparam", "pthread_setschedprio",
        "sched_setaffinity", "sched_setscheduler", "sched_get_priority_max",
        "sched_get_priority_min",
    ),
    model!(
        "semaphore.c",
        "sem_wait", "sem_trywait", "sem_clockwait", "sem_timedwait", "sem_post", "sem_getvalue",
        "sem_init", "sem_destroy",
    ),
    model!(
        "spin.c",
        "pthread_spin_lock", "pthread_spin_trylock", "pthread_spin_unlock", "pthread_spin_init",
        "pthread_spin_destroy",
    ),
    model!(
        "stdlib.c",
        "abs", "labs", "llabs", "imaxabs", "div", "ldiv", "lldiv", "imaxdiv", "qsort", "bsearch", "ffs",
        "ffsl", "ffsll",
    ),
    model!(
        "string.c",
        "strlen", "strnlen", "stpcpy", "strcpy", "strncpy", "strlcpy", "strlcat", "strcat", "strncat", "__strcpy_chk",
        "__strncpy_chk", "__stpcpy_chk", "__strncat_chk", "__strcat_chk", "__obmc_sign_strcmp",
        "strcmp", "__obmc_sign_strcoll", "strcoll", "__obmc_sign_strncmp", "strncmp",
        "__obmc_sign_strcasecmp", "strcasecmp", "__obmc_sign_strncasecmp", "strncasecmp",
        "strchrnul", "strchr", "index", "strrchr", "rindex", "strstr", "strcasestr", "strspn",
        "strcspn",
        "strpbrk", "strtok_r", "__strtok_r", "strsep", "strtok", "strndup", "strdup", "__strndup", "__strdup",
    ),
    model!(
        "thread.c",
        "__obmc_start_thread", "pthread_create", "pthread_exit", "pthread_join",
        "pthread_tryjoin_np", "pthread_clockjoin_np", "pthread_timedjoin_np", "pthread_detach",
        "pthread_self", "pthread_equal",
    ),
    model!(
        "time.c",
        "__obmc_reach_time", "__obmc_sleep", "time", "clock", "difftime", "gettimeofday",
        "clock_gettime", "clock_getres", "timespec_get", "sleep", "usleep", "nanosleep",
        "clock_nanosleep",
    ),
    model!(
        "math.c",
        "fabs", "fabsf", "copysign", "sqrt", "sqrtf", "trunc", "floor", "ceil", "round", "truncf",
        "floorf", "ceilf", "roundf", "fmin", "fmax", "copysignf", "fminf", "fmaxf", "fdim", "fdimf",
        "nearbyint", "rint", "nearbyintf", "rintf", "lround", "lroundf", "lrint", "lrintf", "llround",
        "llroundf", "llrint", "llrintf", "fmod", "fmodf", "modf", "modff", "frexp", "frexpf",
    ),
    model!(
        "system.c",
        "getuid", "geteuid", "getgid", "getegid", "getppid", "getpgrp", "getpgid", "getsid",
        "setsid", "setuid", "setgid", "seteuid", "setegid", "setpgid", "nice", "getpriority",
        "setpriority", "getpagesize", "sysconf", "pathconf", "fpathconf", "sched_getcpu", "mlock",
        "munlock", "mlockall", "munlockall", "setrlimit", "getrlimit", "getrusage", "clock_settime",
        "settimeofday", "gethostname", "getrandom", "getentropy", "uname", "openlog", "closelog",
        "setlogmask", "__rdtsc", "madvise", "posix_madvise", "msync", "pthread_atfork", "prctl",
        "prlimit", "getcpu", "get_nprocs_conf", "get_nprocs", "getauxval", "malloc_trim", "mallopt",
        "tzset",
    ),
    model!("pages.c", "mmap", "mmap64", "munmap", "mprotect"),
    model!(
        "signalset.c",
        "sigemptyset", "sigfillset", "sigaddset", "sigdelset", "sigismember",
    ),
    model!(
        "sent.c",
        "__obmc_inherit_signals", "__obmc_signal_mask", "__obmc_set_signal_mask", "pthread_sigmask",
        "sigprocmask", "sigpending", "raise", "pthread_kill", "kill", "sigwait", "sigwaitinfo",
        "sigtimedwait", "sigsuspend", "pause", "__obmc_forget_signal",
    ),
    model!(
        "format.c",
        "__obmc_format_spec", "__obmc_signed_argument", "__obmc_unsigned_argument",
        "__obmc_store_count", "vsnprintf", "vsprintf", "snprintf", "sprintf", "__snprintf_chk",
        "__sprintf_chk", "__vsnprintf_chk", "__vsprintf_chk", "vasprintf", "asprintf",
        "__vasprintf_chk", "__asprintf_chk",
    ),
    model!("futex.c", "__obmc_futex"),
    model!("cancel_points.c", "__obmc_cancellation_point", "__obmc_may_cancel"),
    model!(
        "files.c",
        "access", "chdir", "rmdir", "unlink", "chroot", "remove", "faccessat", "unlinkat", "rename",
        "link", "symlink", "chmod", "fchmod", "chown", "lchown", "fchown", "fchdir", "mkdir",
        "mkfifo", "umask", "truncate", "ftruncate", "__obmc_new_file", "__obmc_lowest_file", "open", "open64", "__open_2",
        "openat", "creat", "close", "fsync", "fdatasync", "sync", "dup", "dup2", "isatty", "lseek",
        "__obmc_may_be_ours", "read", "__read_chk", "pread", "write", "pwrite", "writev", "fcntl",
    ),
    model!("ready.c", "__obmc_what_is_ready", "poll", "select"),
    model!(
        "epoll.c",
        "epoll_create1", "epoll_create", "epoll_ctl", "__obmc_forget_interests", "epoll_wait",
        "epoll_pwait",
    ),
    model!(
        "channel.c",
        "__obmc_is_channel", "__obmc_no_channel", "pipe2", "pipe", "eventfd",
        "__obmc_wait_for_channels", "__obmc_read_channel",
        "__obmc_write_channel", "eventfd_read", "eventfd_write", "__obmc_close_channel",
        "__obmc_channel_is_ready", "__obmc_channel_flags", "__obmc_set_channel_flags",
    ),
    model!("stat.c", "stat", "lstat", "fstat"),
    model!(
        "print.c",
        "__obmc_print", "__obmc_print_to_file", "__obmc_print_to", "__obmc_any_count", "vprintf", "vfprintf", "vdprintf",
        "printf", "fprintf", "dprintf", "__printf_chk", "__fprintf_chk", "__dprintf_chk", "__vprintf_chk",
        "__vfprintf_chk", "__vdprintf_chk", "vsyslog", "syslog", "__syslog_chk", "vwarn", "vwarnx",
        "warn", "warnx", "verr", "verrx", "err", "errx", "error", "wprintf",
    ),
    model!(
        "socket.c",
        "socket", "listen", "shutdown", "bind", "connect", "setsockopt", "getsockopt",
        "getsockname", "getpeername", "accept", "accept4", "send", "sendto", "recv", "recvfrom",
        "socketpair", "htonl", "ntohl", "htons", "ntohs",
    ),
    model!(
        "stream.c",
        "__obmc_stream_is_written", "__obmc_stream_is_read", "fopen", "fopen64", "fdopen", "popen",
        "tmpfile", "freopen", "fclose", "pclose", "feof", "ferror", "clearerr", "fileno", "fseek", "fseeko", "ftell", "ftello", "rewind", "fflush",
        "setbuf", "setlinebuf", "setvbuf",
    ),
    model!(
        "touch.c",
        "__obmc_read_string", "__obmc_text_is_there", "__obmc_read_wide_string", "__obmc_read_block", "__obmc_fill",
        "__obmc_fill_some", "__obmc_use_stream", "__obmc_read_stream", "__obmc_write_stream",
        "__obmc_use_unlocked", "__obmc_result", "__obmc_between",
    ),
    model!("sign.c", "__obmc_any_of_sign", "__obmc_any_truth"),
    model!("getopt.c", "getopt", "getopt_long"),
    model!("exit.c", "atexit", "at_quick_exit", "__obmc_run_exit_handlers", "quick_exit"),
    model!(
        "scan.c",
        "vsscanf", "__isoc99_vsscanf", "__isoc23_vsscanf", "sscanf", "__isoc99_sscanf",
        "__isoc23_sscanf",
    ),
    model!(
        "signal.c",
        "signal", "__sysv_signal", "bsd_signal", "sigaction", "siginterrupt",
        "__obmc_mask_is_clear", "__obmc_fate_of_signal", "__obmc_take_signal",
        "__obmc_run_abort_handler",
    ),
    model!(
        "wide.c",
        "wcslen", "wcscpy", "wcscat", "wcsncpy", "__obmc_sign_wcsncmp", "__obmc_sign_wcscmp",
        "wcscmp", "wcsncmp", "wcschr", "wmemset", "wmemcpy",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalise::{DeclarationPart, inspect};
    use crate::{LoadOptions, Source, load};
    use ir::types::Machine;
    use std::collections::BTreeSet;

    /// The functions that `text` defines with external linkage. Our models put a definition's brace
    /// alone on a line and indent what continues a line, so no parser is needed.
    fn defined_functions(text: &str) -> Vec<&str> {
        let lines: Vec<&str> = text.lines().collect();
        let head_of = |brace: usize| {
            lines[..brace].iter().rev().find(|line| line.starts_with(|c: char| !c.is_whitespace()))
        };
        (0..lines.len())
            .filter(|&i| lines[i] == "{")
            .filter_map(head_of)
            .filter(|head| !head.starts_with("static "))
            .filter_map(|head| head.split_once('('))
            .filter_map(|(before, _)| before.rsplit([' ', '*']).next())
            .collect()
    }

    #[test]
    fn lists_are_what_the_files_define() {
        for model in MODELS {
            assert_eq!(defined_functions(model.text), model.defines, "{}", model.file);
        }
    }

    /// What shaking leaves of the part is what it leaves of the whole, with its lines.
    #[test]
    fn a_part_is_enough() {
        for model in MODELS {
            let pairs = model.defines.windows(2);
            for wanted in model.defines.chunks(1).chain(pairs).chain([model.defines]) {
                let part = inspect::left(
                    model.text_of(wanted).as_bytes(),
                    DeclarationPart::Functions(wanted),
                );
                let whole =
                    inspect::left(model.text.as_bytes(), DeclarationPart::Functions(wanted));
                assert_eq!(part, whole, "{}: {wanted:?}", model.file);
            }
        }
    }

    #[test]
    fn no_function_has_two_models() {
        let mut seen = BTreeSet::new();
        for name in MODELS.iter().flat_map(|model| model.defines) {
            assert!(seen.insert(name), "{name} is defined twice");
        }
    }

    #[test]
    fn every_file_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/models");
        let on_disk: BTreeSet<String> = std::fs::read_dir(folder)
            .expect("models is a folder of this crate")
            .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
            .collect();
        let listed: BTreeSet<String> = MODELS.iter().map(|model| model.file.to_string()).collect();
        assert_eq!(on_disk, listed);
    }

    #[test]
    fn models_need_no_preprocessor() {
        for model in MODELS {
            let directive = model.text.lines().find(|line| line.trim_start().starts_with('#'));
            assert_eq!(directive, None, "{}", model.file);
        }
    }

    #[test]
    fn every_function_is_documented() {
        let page = include_str!("../../docs/modelled-functions.md");
        for name in MODELS.iter().flat_map(|model| model.defines) {
            let internal = name.starts_with("__obmc_");
            assert!(internal || page.contains(&format!("| `{name}` |")), "{name}");
        }
    }

    #[test]
    fn every_model_compiles_for_both_machines() {
        for model in MODELS {
            let text = format!("void {0}(); int main(void) {{ {0}(); }}", model.defines[0]);
            for machine in [Machine::Lp64, Machine::Ilp32] {
                let unit = Source { name: "main.i", text: text.as_bytes(), moved: &[] };
                let program = load(&[unit], machine, &LoadOptions::default());
                assert!(program.is_ok(), "{}: {:?}", model.file, program.err());
            }
        }
    }

    #[test]
    fn finds_a_model_by_function() {
        assert_eq!(model_of("pthread_mutex_lock").map(|model| model.file), Some("mutex.c"));
        assert!(model_of("no_such_function").is_none());
    }
}
