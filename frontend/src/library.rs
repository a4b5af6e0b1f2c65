//! Functions of the C library and of POSIX that nobody may guess.
//!
//! A function without a body is taken to return anything and to touch nothing. Of a library function
//! that is wrong if it writes to memory, calls back, waits, or computes: without a model its call is
//! not modelled. That holds for all that our headers declare, and for the rest of glibc that matters
//! and that a preprocessed program may declare by itself.

use crate::shipped;

/// Not in our headers. Sorted.
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "__isoc99_fscanf", "__isoc99_scanf", "__isoc99_sscanf",
    "accept4", "aio_cancel", "aio_error", "aio_read", "aio_return", "aio_suspend", "aio_write",
    "arc4random_buf", "arc4random_uniform", "asctime_r", "canonicalize_file_name", "clearenv",
    "clone", "close_range", "confstr", "ctime_r", "daemon", "dladdr", "dlclose", "dlerror",
    "dlopen", "dlsym", "drand48_r", "ecvt", "epoll_ctl", "epoll_pwait", "epoll_wait", "erand48",
    "error", "error_at_line", "eventfd_read", "eventfd_write", "fcvt", "fexecve",
    "fgetc_unlocked", "fgets_unlocked", "flock", "fmemopen", "fopencookie", "fread_unlocked",
    "freeaddrinfo", "ftok", "ftrylockfile", "gcvt", "getaddrinfo", "getc_unlocked",
    "getchar_unlocked", "getcontext", "getcpu", "getdate", "getdelim", "getdomainname",
    "getgroups", "gethostbyaddr", "gethostbyname", "gethostbyname_r", "getloadavg", "getlogin",
    "getlogin_r", "getnameinfo", "getpass", "getpeername", "getservbyname", "getsockname",
    "getsockopt", "getw", "getwd", "hcreate", "hdestroy", "hsearch", "htonl", "htons",
    "inet_addr", "inet_aton", "inet_ntoa", "inet_ntop", "inet_pton", "initstate", "insque",
    "jrand48", "killpg", "lfind", "lio_listio", "lockf", "lsearch", "makecontext", "memccpy",
    "memfrob", "memmem", "mincore", "mkdtemp", "mkostemp", "mktemp", "mmap64", "mq_getattr",
    "mq_notify", "mq_open", "mq_receive", "mq_send", "mq_timedreceive", "mq_timedsend",
    "mremap", "nrand48", "ntohl", "ntohs", "obstack_printf", "open_memstream", "pipe2",
    "posix_spawn", "posix_spawnp", "pread", "pread64", "preadv", "pselect",
    "pthread_attr_getaffinity_np", "pthread_attr_getsigmask_np", "pthread_attr_getstackaddr",
    "pthread_getattr_default_np", "pthread_getattr_np", "pthread_sigqueue", "qecvt", "qfcvt",
    "qgcvt", "qsort_r", "random_r", "rawmemchr", "readlink", "readlinkat", "recvfrom",
    "recvmmsg", "recvmsg", "regcomp", "regerror", "regexec", "regfree", "remque",
    "sched_getparam", "sched_rr_get_interval", "secure_getenv", "seed48", "semctl", "semget",
    "semop", "semtimedop", "setcontext", "setstate", "shm_open", "shmat", "shmctl", "shmdt",
    "shmget", "sigaltstack", "sigandset", "sigisemptyset", "sigorset", "sigpause", "sigpending",
    "sigqueue", "sigset", "sigtimedwait", "sigwaitinfo", "socketpair", "splice", "stpncpy",
    "strcasestr", "strerror_l", "strerror_r", "strfromd", "strfry", "strptime", "strverscmp",
    "swab", "swapcontext", "tdelete", "tdestroy", "tempnam", "tfind", "tgkill", "timegm",
    "timelocal", "timer_create", "timer_delete", "timer_gettime", "timer_settime",
    "timerfd_gettime", "timerfd_settime", "timespec_getres", "tmpnam", "tmpnam_r", "tsearch",
    "ttyname", "ttyname_r", "twalk", "ualarm", "unshare", "vfscanf", "vscanf", "vsscanf",
    "wait3", "wait4", "waitid",
];

pub fn is_known(function: &str) -> bool {
    OTHERS.binary_search(&function).is_ok() || shipped::gives(function)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::InstKind;
    use crate::models;
    use crate::types::Machine;
    use crate::{LoadOptions, Source, load};

    #[test]
    fn the_list_is_sorted_and_short() {
        assert!(OTHERS.is_sorted());
        for name in OTHERS {
            assert!(!shipped::gives(name), "{name} is in a header");
            assert!(models::model_of(name).is_none(), "{name} has a model");
        }
    }

    /// What is called here is not modelled.
    fn refused(call: &str) -> Vec<String> {
        let text = format!("int main(void) {{ {call}; }}");
        let unit = Source { name: "a.c", text: text.as_bytes() };
        let program = load(&[unit], Machine::Lp64, &LoadOptions::default()).expect("it is C");
        let insts = program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
        let refused = insts.filter_map(|inst| match &inst.kind {
            InstKind::Unsupported { what } => Some(what.clone()),
            _ => None,
        });
        refused.collect()
    }

    #[test]
    fn library_functions_are_not_guessed() {
        assert_eq!(refused("double tgamma(double); tgamma(1.0)"), ["tgamma"]);
        assert_eq!(refused("unsigned htonl(unsigned); htonl(1)"), ["htonl"]);
        assert_eq!(refused("int fork(void); fork()"), ["fork"]);
        assert_eq!(refused("int memmem(); memmem()"), ["memmem"]);
        assert_eq!(refused("int mine(int); mine(1)"), [""; 0]);
        assert_eq!(refused("double sqrt(double); sqrt(1.0)"), [""; 0]);
    }
}
