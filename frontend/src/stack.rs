//! A big stack for code that recurses over syntax.
//!
//! The parser, the lowering and even dropping a syntax tree recurse as deep as the input nests. The
//! normalising pass bounds that depth (`normalise::limits`), and this stack is big enough for the
//! bound. The memory is only reserved: pages that are never touched cost nothing.

use std::cell::Cell;
use std::io;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle, scope};

/// Tried in order: an address space limit may refuse the big ones.
const SIZES: [usize; 4] = [1 << 30, 512 << 20, 128 << 20, 32 << 20];
/// For threads of which there are many: who limits the address space to a few gigabytes wants them for
/// the heap. Such threads recurse over terms, not over syntax.
const MANY: [usize; 3] = [192 << 20, 96 << 20, 32 << 20];

/// How much address space there is.
static ADDRESS_SPACE: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Address space is limited: from now on a stack takes a small part of it.
pub fn limit_address_space(bytes: u64) {
    ADDRESS_SPACE.store(usize::try_from(bytes).unwrap_or(usize::MAX), Ordering::Relaxed);
}

/// The sizes that are one `part`-th of the address space at most, and the smallest in any case.
fn affordable(sizes: &'static [usize], part: usize) -> impl Iterator<Item = usize> {
    let most = ADDRESS_SPACE.load(Ordering::Relaxed) / part;
    let first = sizes.iter().position(|s| *s <= most).unwrap_or(sizes.len() - 1);
    sizes[first..].iter().copied()
}

fn for_syntax() -> impl Iterator<Item = usize> {
    affordable(&SIZES, 8)
}

thread_local! {
    static BIG: Cell<bool> = const { Cell::new(false) };
}

/// Starts a thread with a big stack, where `with_big_stack` needs no other one.
pub fn spawn<T: Send + 'static>(
    name: &str,
    f: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    let slot = Arc::new(Mutex::new(Some(f)));
    let mut result = Err(io::ErrorKind::OutOfMemory.into());
    for size in for_syntax() {
        let slot = slot.clone();
        let run = move || {
            BIG.set(true);
            let f = slot.lock().ok().and_then(|mut f| f.take());
            f.expect("only one thread gets started")()
        };
        result = Builder::new().name(name.into()).stack_size(size).spawn(run);
        if result.is_ok() {
            break;
        }
    }
    result
}

/// One of several threads in a scope, with a stack that is big enough for an engine.
pub fn spawn_scoped<'scope, 'env, F: FnOnce() + Send + 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    f: F,
) {
    let slot = Arc::new(Mutex::new(Some(f)));
    let run = |slot: Arc<Mutex<Option<F>>>| {
        let f = slot.lock().ok().and_then(|mut f| f.take());
        f.into_iter().for_each(|f| f());
    };
    for size in affordable(&MANY, 32) {
        let slot = slot.clone();
        let big = move || {
            BIG.set(true);
            run(slot);
        };
        if Builder::new().stack_size(size).spawn_scoped(scope, big).is_ok() {
            return;
        }
    }
    scope.spawn(move || run(slot));
}

/// Runs `f` with a big stack, if need be on another thread, and returns its result; a panic of `f`
/// goes on here.
pub fn with_big_stack<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    if BIG.get() {
        return f();
    }
    // The closure can be given away only once, but a failed spawn drops it: so it waits in a slot.
    let slot = Mutex::new(Some(f));
    let take = || slot.lock().ok().and_then(|mut f| f.take());
    scope(|s| {
        let run = || take().map(|f| f());
        for size in for_syntax() {
            if let Ok(thread) = Builder::new().stack_size(size).spawn_scoped(s, run) {
                return finish(thread);
            }
        }
        run()
    })
    .expect("the closure is taken once")
}

fn finish<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(n: u64) -> u64 {
        if n == 0 { 0 } else { 1 + depth(std::hint::black_box(n - 1)) }
    }

    #[test]
    fn deep_recursion_fits() {
        assert_eq!(with_big_stack(|| depth(1_000_000)), 1_000_000);
    }

    #[test]
    #[should_panic(expected = "from inside")]
    fn panics_come_through() {
        with_big_stack(|| panic!("from inside"));
    }

    #[test]
    fn a_big_stack_is_enough_for_both() {
        let outer = spawn("outer", || {
            let here = std::thread::current().id();
            (depth(1_000_000), with_big_stack(|| std::thread::current().id()) == here)
        });
        assert_eq!(outer.unwrap().join().unwrap(), (1_000_000, true));
    }

    #[test]
    fn a_limit_leaves_small_stacks() {
        assert_eq!(for_syntax().collect::<Vec<_>>(), SIZES);
        assert_eq!(affordable(&MANY, usize::MAX).collect::<Vec<_>>(), [MANY[2]]);
    }

    #[test]
    fn a_thread_of_a_scope_has_one_too() {
        let mut reached = 0;
        scope(|s| spawn_scoped(s, || reached = with_big_stack(|| depth(1_000_000))));
        assert_eq!(reached, 1_000_000);
    }

    #[test]
    fn borrows_are_allowed() {
        let mut n = 1;
        with_big_stack(|| n += 1);
        assert_eq!(n, 2);
    }
}
