//! The names that an execution gives to a model before the model says anything.
//!
//! A set or relation that the execution does not mention is empty, so a model may ask for the fences of
//! another architecture. A name that is not here and that the model does not define is an error.

use crate::dag::Arity;

/// Relations of every execution.
const RELATIONS: &[&str] = &[
    "po", "int", "ext", "loc", "id", "rf", "co", "amo", "lxsx", "addr", "data", "ctrl", "si",
    "casdep", "rcu-rscs",
];

/// Names of models that look into instructions (`catdep`): relations, then sets.
const CATDEP_RELATIONS: &[&str] = &[
    "same-instance",
    "iico_data",
    "iico_ctrl",
    "iico_order",
    "sm",
    "rf-reg",
    "co0",
    "same-low-order-bits",
    "PTEtoPA",
];

/// What is done with registers, and (always empty) tags, translation, caches and exceptions.
const CATDEP_SETS: &[&str] = &[
    "Rreg",
    "Wreg",
    "ADDR",
    "DATA",
    "BCC",
    "NExp",
    "SPURIOUS",
    "T",
    "TagCheck",
    "FAULT",
    "TLBI",
    "DC.CVAU",
    "IC.IVAU",
    "IC.IALLU",
    "IC.IALLUIS",
    "EXC-ENTRY",
    "EXC-RET",
    "SVC",
    "AF",
    "DB",
];

/// Sets of every execution, then the annotations of each language or architecture.
const SETS: &[&str] = &[
    "_",
    "M",
    "R",
    "W",
    "F",
    "IW",
    "FW",
    "B",
    "RMW",
    "A",
    "UB",
    "Exp",
    "Imp",
    // x86
    "mfence",
    "sfence",
    "lfence",
    "MFENCE",
    "SFENCE",
    "LFENCE",
    // C11, IMM, VMM
    "RLX",
    "ACQ",
    "REL",
    "ACQ_REL",
    "SC",
    "CON",
    "NA",
    "NAL",
    "STRONG",
    // exclusives and atomic instructions
    "X",
    "EX",
    "AMO",
    // Arm
    "L",
    "Q",
    "NoRet",
    "ISB",
    "DMB",
    "DSB",
    "DMB.SY",
    "DMB.ISH",
    "DMB.OSH",
    "DMB.NSH",
    "DMB.LD",
    "DMB.ISHLD",
    "DMB.OSHLD",
    "DMB.NSHLD",
    "DMB.ST",
    "DMB.ISHST",
    "DMB.OSHST",
    "DMB.NSHST",
    "DSB.SY",
    "DSB.ISH",
    "DSB.OSH",
    "DSB.NSH",
    "DSB.LD",
    "DSB.ISHLD",
    "DSB.OSHLD",
    "DSB.NSHLD",
    "DSB.ST",
    "DSB.ISHST",
    "DSB.OSHST",
    "DSB.NSHST",
    // Power, MIPS
    "sync",
    "lwsync",
    "isync",
    "eieio",
    "SYNC",
    "LWSYNC",
    "ISYNC",
    "EIEIO",
    // RISC-V
    "Fence.r.r",
    "Fence.r.w",
    "Fence.r.rw",
    "Fence.w.r",
    "Fence.w.w",
    "Fence.w.rw",
    "Fence.rw.r",
    "Fence.rw.w",
    "Fence.rw.rw",
    "Fence.tso",
    "Fence.i",
    "Acq",
    "Rel",
    "AcqRel",
    "Sc",
    // BPF
    "AQ",
    "RL",
    // the Linux kernel
    "ONCE",
    "ACQUIRE",
    "RELEASE",
    "MB",
    "NORETURN",
    "Rmb",
    "Wmb",
    "Barrier",
    "Before-atomic",
    "After-atomic",
    "After-spinlock",
    "After-unlock-lock",
    "After-srcu-read-unlock",
    "Rcu-lock",
    "Rcu-unlock",
    "Sync-rcu",
    "Srcu-lock",
    "Srcu-unlock",
    "Sync-srcu",
    "LKR",
    "LKW",
    "UL",
    "LF",
    "RU",
];

/// What kind of thing a predefined name of a `catdep` model is.
pub(crate) fn catdep_kind(name: &str) -> Option<Arity> {
    if CATDEP_RELATIONS.contains(&name) {
        return Some(Arity::Relation);
    }
    CATDEP_SETS.contains(&name).then_some(Arity::Set)
}

/// What kind of thing a predefined name is.
pub(crate) fn kind(name: &str) -> Option<Arity> {
    if RELATIONS.contains(&name) {
        return Some(Arity::Relation);
    }
    SETS.contains(&name).then_some(Arity::Set)
}

/// A predefined set by its name, for those who tag events.
pub fn predefined_set(name: &str) -> Option<&'static str> {
    SETS.iter().find(|known| **known == name).copied()
}

/// Names whose value is chosen anew for each candidate execution of the same events.
pub(crate) fn is_choice(name: &str) -> bool {
    matches!(name, "rf" | "co" | "FW")
}

/// A known name that looks like `name`, for hints.
pub(crate) fn similar<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let all = known.chain(RELATIONS.iter().copied()).chain(SETS.iter().copied());
    let close = all.map(|other| (distance(name, other), other)).filter(|(d, _)| *d <= 2);
    close.min().map(|(_, other)| other.to_string())
}

/// Levenshtein's distance, without regard to case.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (diagonal + usize::from(x != y)).min(above + 1).min(row[j] + 1);
            diagonal = above;
        }
    }
    row[b.len()]
}
