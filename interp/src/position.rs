//! Where threads stand, for engines that look ahead in the program.

use crate::state::State;
use crate::value::Tid;
use ir::{BlockId, FuncId};

impl State {
    /// Function, block and next instruction of each frame of a thread, the running one last. The
    /// others stand just behind their calls.
    pub fn frames(
        &self,
        thread: Tid,
    ) -> impl DoubleEndedIterator<Item = (FuncId, BlockId, usize)> + '_ {
        self.thread(thread).frames.iter().map(|frame| (frame.func, frame.block, frame.index))
    }
}
