//! One state of an execution.

use crate::value::Tid;

/// Cheap to clone: everything big is shared until it is written.
#[derive(Clone, Debug)]
pub struct State {}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    Running,
    /// Returned or left by `pthread_exit`.
    Ended,
    /// Cut: a failed assumption, a trap, `abort`, a bound. It will never do anything more, and the
    /// execution is no candidate for a deadlock.
    Stopped,
}

impl State {
    /// All threads that were ever started, in the order of their ids.
    pub fn threads(&self) -> impl Iterator<Item = Tid> + use<> {
        (0..0usize).map(Tid::from_index)
    }

    pub fn status(&self, thread: Tid) -> Status {
        todo!("{thread:?}")
    }

    /// Threads that are still running (or blocked).
    pub fn running(&self) -> impl Iterator<Item = Tid> + '_ {
        self.threads().filter(|&t| self.status(t) == Status::Running)
    }

    /// The process has ended: nothing can step.
    pub fn ended(&self) -> bool {
        todo!()
    }

    /// Some thread was cut, so that this execution shows no deadlock.
    pub fn is_cut(&self) -> bool {
        todo!()
    }
}

impl State {
    /// Where the frames of a thread stand, the running one last.
    pub fn frames(
        &self,
        thread: Tid,
    ) -> impl DoubleEndedIterator<Item = (frontend::ir::FuncId, frontend::ir::BlockId, usize)> + '_ {
        let _ = thread;
        std::iter::empty()
    }
}
