//! What is asked of a program.

use std::cell::RefCell;

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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
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
    pub const ALL: [PropertyKind; 4] =
        [PropertyKind::Values, PropertyKind::Memory, PropertyKind::Races, PropertyKind::Deadlocks];

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

/// The kind of property that a program is loaded for, as loading may ask about it.
///
/// Invariant: with any of the `alike` kinds, all questions so far have the same answers. So loading, which is
/// deterministic, would have done the same up to here.
#[derive(Debug)]
pub struct LoadedFor {
    kind: PropertyKind,
    alike: RefCell<Vec<PropertyKind>>,
}

impl LoadedFor {
    pub fn new(kind: PropertyKind) -> LoadedFor {
        LoadedFor { kind, alike: RefCell::new(PropertyKind::ALL.to_vec()) }
    }

    /// Ask it last: a question that is not needed tells programs apart that are the same.
    pub fn ask(&self, question: impl Fn(PropertyKind) -> bool) -> bool {
        let answer = question(self.kind);
        self.alike.borrow_mut().retain(|other| question(*other) == answer);
        answer
    }

    pub fn is(&self, kind: PropertyKind) -> bool {
        self.ask(|asked| asked == kind)
    }

    pub fn alike(self) -> Vec<PropertyKind> {
        self.alike.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_alike_until_an_answer_tells_them_apart() {
        for kind in PropertyKind::ALL {
            assert_eq!(LoadedFor::new(kind).alike(), PropertyKind::ALL);
            for question in PropertyKind::ALL {
                let loaded = LoadedFor::new(kind);
                assert_eq!(loaded.is(question), kind == question);
                let same = PropertyKind::ALL
                    .into_iter()
                    .filter(|other| (*other == question) == (kind == question));
                assert_eq!(loaded.alike(), same.collect::<Vec<_>>());
            }
        }
    }
}
