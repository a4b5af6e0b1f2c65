//! What the Linux kernel's memory model knows instructions by.

use crate::program::MemoryOrder;

/// The Linux kernel's own fences, and marks of the access that follows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kernel {
    Mb,
    Rmb,
    Wmb,
    Barrier,
    BeforeAtomic,
    AfterAtomic,
    AfterSpinlock,
    AfterUnlockLock,
    RcuLock,
    RcuUnlock,
    SyncRcu,
    /// The next operation is one whose result is not used.
    NoReturn,
    /// The next operation takes a spin lock.
    Lock,
    /// The next operation gives a spin lock back.
    Unlock,
    /// No word of the kernel's: a machine's own fence, which orders other things than any fence of C.
    Instruction,
}

impl Kernel {
    /// As `--mm lkmm` calls the event's set; marks are no events.
    pub fn set(self) -> Option<&'static str> {
        Some(match self {
            Kernel::Mb => "MB",
            Kernel::Rmb => "Rmb",
            Kernel::Wmb => "Wmb",
            Kernel::Barrier => "Barrier",
            Kernel::BeforeAtomic => "Before-atomic",
            Kernel::AfterAtomic => "After-atomic",
            Kernel::AfterSpinlock => "After-spinlock",
            Kernel::AfterUnlockLock => "After-unlock-lock",
            Kernel::RcuLock => "Rcu-lock",
            Kernel::RcuUnlock => "Rcu-unlock",
            Kernel::SyncRcu => "Sync-rcu",
            Kernel::NoReturn | Kernel::Lock | Kernel::Unlock | Kernel::Instruction => return None,
        })
    }

    /// Does it mean something to interleavings, which no engine models?
    pub fn is_rcu(self) -> bool {
        matches!(self, Kernel::RcuLock | Kernel::RcuUnlock | Kernel::SyncRcu)
    }

    /// A fence of C11 that orders as much, for who watches races.
    pub fn order(self) -> MemoryOrder {
        match self {
            Kernel::Mb | Kernel::AfterSpinlock | Kernel::AfterUnlockLock => MemoryOrder::SeqCst,
            _ => MemoryOrder::Relaxed,
        }
    }
}
