//! What is asked of a program.

/// What is to be shown, by SV-COMP's names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Property {
    UnreachCall,
    NoDataRace,
    ValidMemsafety,
    NoOverflow,
    NoDeadlock,
    /// No thread is in a loop for ever that it is meant to leave (ours: SV-COMP has none).
    NoLivelock,
    /// A memory model adds no execution to interleavings (ours; not a part of `ALL`, since it is no
    /// fault of a program).
    Robust,
}

impl Property {
    pub const ALL: [Property; 6] = [
        Property::UnreachCall,
        Property::NoDataRace,
        Property::ValidMemsafety,
        Property::NoOverflow,
        Property::NoDeadlock,
        Property::NoLivelock,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::NoDataRace => "no-data-race",
            Property::ValidMemsafety => "valid-memsafety",
            Property::NoOverflow => "no-overflow",
            Property::NoDeadlock => "no-deadlock",
            Property::NoLivelock => "no-livelock",
            Property::Robust => "robust",
        }
    }

    /// What library models must show for it.
    pub fn kind(self) -> PropertyKind {
        match self {
            Property::UnreachCall | Property::NoOverflow | Property::Robust => PropertyKind::Values,
            Property::ValidMemsafety => PropertyKind::Memory,
            Property::NoDataRace => PropertyKind::Races,
            Property::NoDeadlock | Property::NoLivelock => PropertyKind::Deadlocks,
        }
    }
}

/// What a property is about. Library models leave out what does not matter for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PropertyKind {
    /// Values that variables may have, places that may be reached.
    #[default]
    Values,
    /// Valid accesses.
    Memory,
    /// Data races: initialising or destroying a lock is a plain write of it.
    Races,
    /// Deadlocks and livelocks: who is never woken up waits for ever.
    Deadlocks,
}

impl PropertyKind {
    /// Signals are not counted, since a wait may end at any time. Not so where somebody may wait in
    /// vain.
    pub fn ignores_signals(self) -> bool {
        self != PropertyKind::Deadlocks
    }

    /// As models ask for it, with `__obmc_asked`.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Values => "values",
            PropertyKind::Memory => "memory",
            PropertyKind::Races => "races",
            PropertyKind::Deadlocks => "deadlocks",
        }
    }
}
