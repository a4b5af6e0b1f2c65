//! How the C library's allocator serves a process in which one thread works at a time.
//!
//! Engines have threads of their own, since they need large stacks and take turns. glibc gives each thread a heap of
//! its own, so that threads do not wait for each other, and gives memory back as soon as it can. Engines that take turns
//! do not wait, each new heap is a hundred page faults, and memory that is given back is asked for again soon.
//!
//! Invariant: nothing but speed depends on it. Other C libraries are left as they are.
//!
//! Cost: four calls. What it saves is in docs/performance.md.
//!
//! ```
//! heap::serve_one_thread();
//! assert_eq!(vec![1; 1 << 20].len(), 1 << 20);
//! ```

/// To be called before the second thread starts.
pub fn serve_one_thread() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        set(libc::M_ARENA_MAX, 1);
        set(libc::M_TOP_PAD, 1 << 20);
        set(libc::M_TRIM_THRESHOLD, 64 << 20);
        // glibc finds a good threshold by itself, unless one of the two above is set; this is the largest.
        set(libc::M_MMAP_THRESHOLD, 32 << 20);
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
fn set(parameter: libc::c_int, value: libc::c_int) {
    // SAFETY: mallopt takes two numbers, is safe to call in any thread, and refuses what it does not know. It is no
    // matter here if it does.
    unsafe { libc::mallopt(parameter, value) };
}
