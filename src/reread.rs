//! Where a thread may lock for reading while it holds a read-write lock.
//!
//! Is it the same lock, and a writer waits for it, POSIX leaves open whether the thread gets it again (it would wait
//! for the writer, who waits for it). Our model lets it in, as glibc does by default. So a proof that there is no
//! deadlock rests on it, where it is not seen that the thread holds none: by a walk through each thread, from its
//! start, with the number of read-write locks that it may hold. Which ones is not looked at. A function that is called
//! again while it runs, or through a pointer with a lock held, is in doubt.
//!
//! Invariant: of a place that is not found, no execution holds a read-write lock there. A violation does not rest on it.
//!
//! Cost: a fixpoint for each function and each number of locks that it is called with, `MOST` at most.

use analysis::callgraph::users_calling;
use frontend::library::sync::{LockFamily, LockMode, LockOperation, lock_function};
use ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

pub const ASSUMPTION: &str = "a thread that holds a lock for reading gets it again while a writer waits, as with glibc; POSIX leaves it open";

/// So many locks are never fewer again.
const MOST: u8 = 16;

/// The first place of the user's where that may happen.
pub fn first_doubt(program: &Program) -> Option<Span> {
    let writes = |f: &Function| {
        use LockOperation::{Acquire, Try};
        matches!(operation(f), Some(Acquire(LockMode::Write) | Try(LockMode::Write)))
    };
    if !program.functions.iter().any(writes) {
        return None;
    }
    let taken = analysis::points_to::address_taken(program);
    let operates = users_calling(program, |f| operation(f).is_some());
    let mut walk = Walk {
        program,
        through_pointers: taken.iter().any(|f| operates[f.index()]),
        operates,
        left: FxHashMap::default(),
        running: FxHashSet::default(),
        found: None,
    };
    for root in [program.entry].into_iter().chain(taken) {
        if walk.operates[root.index()] {
            walk.function(root, 0);
        }
    }
    walk.found
}

/// What a library function does to a read-write lock.
fn operation(function: &Function) -> Option<LockOperation> {
    let known = lock_function(&function.name).filter(|_| function.origin != Origin::User)?;
    (known.family == LockFamily::ReadWrite).then_some(known.operation)
}

struct Walk<'p> {
    program: &'p Program,
    /// By function: whether it gets to an operation.
    operates: Vec<bool>,
    /// So does a function whose address is taken.
    through_pointers: bool,
    /// How many locks a function may leave held; `None`: it never returns.
    left: FxHashMap<(FuncId, u8), Option<u8>>,
    running: FxHashSet<FuncId>,
    found: Option<Span>,
}

impl Walk<'_> {
    fn doubt(&mut self, span: Span) {
        self.found = Some(self.found.map_or(span, |first| first.min(span)));
    }

    fn function(&mut self, id: FuncId, held: u8) -> Option<u8> {
        if let Some(left) = self.left.get(&(id, held)) {
            return *left;
        }
        let function = &self.program.functions[id.index()];
        if !self.running.insert(id) {
            self.doubt(function.span);
            return Some(MOST);
        }
        let mut at: Vec<Option<u8>> = vec![None; function.blocks.len()];
        let mut left = None;
        at[0] = Some(held);
        let mut work = vec![BlockId(0)];
        while let Some(block) = work.pop() {
            let Some(held) = at[block.index()].and_then(|held| self.block(id, block, held)) else {
                continue;
            };
            let end = &function.blocks[block.index()].end;
            for next in end.successors() {
                let old = &mut at[next.index()];
                if *old < Some(held) {
                    *old = Some(held);
                    work.push(next);
                }
            }
            if matches!(end, Terminator::Return(_)) {
                left = left.max(Some(held));
            }
        }
        self.running.remove(&id);
        self.left.insert((id, held), left);
        left
    }

    /// How many are held at its end; `None` if it does not get there.
    fn block(&mut self, id: FuncId, block: BlockId, mut held: u8) -> Option<u8> {
        let program = self.program;
        for inst in &program.functions[id.index()].blocks[block.index()].insts {
            let InstKind::Call { callee, .. } = &inst.kind else { continue };
            match callee {
                Callee::Indirect(_) if held > 0 && self.through_pointers => self.doubt(inst.span),
                Callee::Indirect(_) => {}
                Callee::Direct(f) => match operation(&program.functions[f.index()]) {
                    Some(LockOperation::Release) if held == MOST => {}
                    Some(LockOperation::Release) => held = held.saturating_sub(1),
                    Some(LockOperation::Acquire(mode) | LockOperation::Try(mode)) => {
                        if mode == LockMode::Read && held > 0 {
                            self.doubt(inst.span);
                        }
                        held = (held + 1).min(MOST);
                    }
                    None if self.operates[f.index()] => held = self.function(*f, held)?,
                    Some(LockOperation::Wait) | None => {}
                },
            }
        }
        Some(held)
    }
}

#[cfg(test)]
mod tests {
    use frontend::{LoadOptions, Source};
    use ir::types::Machine;

    fn doubt(text: &str) -> bool {
        let declared = "typedef struct { long all[7]; } L; int pthread_rwlock_rdlock(L *), pthread_rwlock_wrlock(L *), \
                        pthread_rwlock_tryrdlock(L *), pthread_rwlock_unlock(L *); int any(void); L l, k; \
                        void r(void) { pthread_rwlock_rdlock(&l); } void w(void) { pthread_rwlock_wrlock(&l); } \
                        void u(void) { pthread_rwlock_unlock(&l); }";
        let text = format!("{declared}\n{text}");
        let source = Source { name: "test.i", text: text.as_bytes(), moved: &[] };
        let program = frontend::load(&[source], Machine::Lp64, &LoadOptions::default());
        super::first_doubt(&analysis::prepare(program.expect("valid"))).is_some()
    }

    #[test]
    fn who_holds_none_may_read() {
        for good in [
            "int main(void) { r(); u(); w(); u(); r(); u(); return 0; }",
            "int main(void) { while (any()) { r(); if (any()) { u(); continue; } u(); } w(); u(); return 0; }",
            "int main(void) { r(); u(); w(); return 0; }",
        ] {
            assert!(!doubt(good), "{good}");
        }
    }

    #[test]
    fn who_holds_one_is_found() {
        for bad in [
            "int main(void) { r(); r(); u(); u(); w(); u(); return 0; }",
            "int main(void) { while (any()) { r(); if (any()) continue; u(); } w(); u(); return 0; }",
            "int main(void) { w(); u(); r(); pthread_rwlock_wrlock(&k); pthread_rwlock_unlock(&k); r(); return 0; }",
            "int main(void) { void (*p)(void) = r; w(); u(); r(); p(); return 0; }",
            "void f(int n) { r(); if (n) f(n - 1); u(); } int main(void) { w(); u(); f(1); return 0; }",
            "int main(void) { w(); u(); if (!pthread_rwlock_tryrdlock(&l)) { r(); u(); u(); } return 0; }",
        ] {
            assert!(doubt(bad), "{bad}");
        }
        // Without a writer nobody waits.
        let readers = "typedef struct { long all[7]; } L; int pthread_rwlock_rdlock(L *); L l; \
                       int main(void) { pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l); return 0; }";
        let source = Source { name: "test.i", text: readers.as_bytes(), moved: &[] };
        let program = frontend::load(&[source], Machine::Lp64, &LoadOptions::default());
        assert_eq!(super::first_doubt(&analysis::prepare(program.expect("valid"))), None);
    }
}
