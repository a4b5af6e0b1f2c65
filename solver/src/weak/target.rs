//! What a C access or fence is for a model: the sets that its event is in, and the fences around it.
//!
//! Language models take C's orders as they are. For machines the operations are compiled: the tables are
//! the usual ones (Sewell and others, C/C++11 mappings to processors; with a leading `sync` on Power), with
//! exclusive pairs for read-modify-writes, which order least. A dependency that the table needs (a branch
//! on what was loaded, before `isync`) is added to all later events.

use ir::MemoryOrder;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// C11's own orders.
    C11,
    /// C11's orders with a fence before seq_cst accesses.
    Imm,
    X86,
    Armv8,
    /// The same with `LDAPR`, which may overtake an `STLR` before it.
    Armv8Rcpc,
    Power,
    Riscv,
    /// The kernel's annotations.
    Linux,
}

impl Target {
    pub const ALL: [Target; 8] = [
        Target::C11,
        Target::Imm,
        Target::X86,
        Target::Armv8,
        Target::Armv8Rcpc,
        Target::Power,
        Target::Riscv,
        Target::Linux,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Target::C11 => "c11",
            Target::Imm => "imm",
            Target::X86 => "x86",
            Target::Armv8 => "armv8",
            Target::Armv8Rcpc => "armv8-rcpc",
            Target::Power => "power",
            Target::Riscv => "riscv",
            Target::Linux => "linux",
        }
    }

    pub fn named(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|target| target.name() == name)
    }

    /// The one that a model of ours speaks about.
    pub fn of_model(model: &str) -> Option<Target> {
        Some(match model {
            "sc" | "tso" | "pso" => Target::X86,
            "rc11" | "c11" | "vmm" => Target::C11,
            "imm" => Target::Imm,
            "armv8" => Target::Armv8,
            "power" => Target::Power,
            "riscv" => Target::Riscv,
            "lkmm" => Target::Linux,
            _ => return None,
        })
    }

    pub fn is_machine(self) -> bool {
        !matches!(self, Target::C11 | Target::Imm | Target::Linux)
    }

    /// Is a race undefined behaviour there?
    pub fn has_undefined_races(self) -> bool {
        self == Target::C11
    }
}

/// What is to be compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceAccess {
    pub write: bool,
    pub order: MemoryOrder,
    /// Half of a read-modify-write: the order of the other half (of a read that may have none, the weakest).
    pub rmw: Option<MemoryOrder>,
}

/// What becomes of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Compiled {
    /// Fences before it: the sets of each.
    pub before: Vec<&'static [&'static str]>,
    pub sets: Vec<&'static str>,
    pub after: Vec<&'static [&'static str]>,
    /// Does a branch on it come right behind?
    pub branch: bool,
}

/// The relation of the halves of a read-modify-write.
pub fn rmw_relation(target: Target) -> &'static str {
    match target {
        Target::Armv8 | Target::Armv8Rcpc | Target::Power | Target::Riscv => "lxsx",
        Target::C11 | Target::Imm | Target::X86 | Target::Linux => "amo",
    }
}

pub fn access(target: Target, access: SourceAccess) -> Compiled {
    let mut out = match target {
        Target::C11 => Compiled { sets: c11(access), ..Compiled::default() },
        Target::Imm => imm(access),
        Target::X86 => x86(access),
        Target::Armv8 => Compiled { sets: armv8(access), ..Compiled::default() },
        Target::Armv8Rcpc => Compiled { sets: armv8_rcpc(access), ..Compiled::default() },
        Target::Power => power(access),
        Target::Riscv => riscv(access),
        Target::Linux => linux(access),
    };
    out.sets.extend(["M", if access.write { "W" } else { "R" }]);
    if access.rmw.is_some() {
        out.sets.push("RMW");
    }
    out
}

fn c11(access: SourceAccess) -> Vec<&'static str> {
    let order = match (access.order, access.write) {
        (MemoryOrder::Plain, _) => return vec!["NA"],
        (MemoryOrder::SeqCst, _) => "SC",
        (MemoryOrder::Release | MemoryOrder::AcqRel, true) => "REL",
        (MemoryOrder::Acquire | MemoryOrder::AcqRel, false) => "ACQ",
        (MemoryOrder::Relaxed | MemoryOrder::Acquire | MemoryOrder::Release, _) => "RLX",
    };
    vec!["A", order]
}

fn imm(access: SourceAccess) -> Compiled {
    let mut out = Compiled { sets: c11(access), ..Compiled::default() };
    if access.order == MemoryOrder::Plain {
        out.sets = vec!["NA", "RLX"];
    }
    if access.order == MemoryOrder::SeqCst {
        out.before.push(&["F", "SC"]);
    }
    out
}

fn x86(access: SourceAccess) -> Compiled {
    let mut out = Compiled::default();
    match access {
        SourceAccess { rmw: Some(_), .. } => out.sets = vec!["A", "X"],
        SourceAccess { write: true, order: MemoryOrder::SeqCst, .. } => {
            out.after.push(&["F", "mfence"])
        }
        // Nothing on TSO; where stores are reordered, a release needs it.
        SourceAccess { write: true, order: MemoryOrder::Release | MemoryOrder::AcqRel, .. } => {
            out.before.push(&["F", "sfence"]);
        }
        _ => {}
    }
    if matches!(access, SourceAccess { write: true, order: MemoryOrder::SeqCst, rmw: None }) {
        out.before.push(&["F", "sfence"]);
    }
    out
}

fn armv8(access: SourceAccess) -> Vec<&'static str> {
    let mut sets = match access.write {
        false if access.order.acquires() => vec!["A"],
        true if access.order.releases() => vec!["L"],
        _ => vec![],
    };
    if access.rmw.is_some() {
        sets.extend(["X", "EX"]);
    }
    sets
}

fn armv8_rcpc(access: SourceAccess) -> Vec<&'static str> {
    match access {
        SourceAccess { write: false, order: MemoryOrder::Acquire, rmw: None } => vec!["Q"],
        _ => armv8(access),
    }
}

fn power(access: SourceAccess) -> Compiled {
    let mut out = Compiled::default();
    match (access.write, access.order) {
        // The fence before a read-modify-write comes before its read.
        (true, _) if access.rmw.is_some() => {}
        (true, MemoryOrder::SeqCst) => out.before.push(&["F", "sync"]),
        (true, order) if order.releases() => out.before.push(&["F", "lwsync"]),
        (false, order) => {
            let other = access.rmw.unwrap_or(MemoryOrder::Plain);
            match (order, other) {
                (MemoryOrder::SeqCst, _) | (_, MemoryOrder::SeqCst) => {
                    out.before.push(&["F", "sync"])
                }
                (_, other) if other.releases() => out.before.push(&["F", "lwsync"]),
                _ => {}
            }
            if order.acquires() {
                out.branch = true;
                out.after.push(&["F", "isync"]);
            }
        }
        _ => {}
    }
    if access.rmw.is_some() {
        out.sets.push("X");
    }
    out
}

fn riscv(access: SourceAccess) -> Compiled {
    let mut out = Compiled::default();
    if access.rmw.is_some() {
        out.sets.push("X");
        let order = match (access.order, access.write) {
            (MemoryOrder::SeqCst, false) => Some("AcqRel"),
            (MemoryOrder::Acquire | MemoryOrder::AcqRel, false) => Some("Acq"),
            (MemoryOrder::SeqCst | MemoryOrder::Release | MemoryOrder::AcqRel, true) => Some("Rel"),
            _ => None,
        };
        out.sets.extend(order);
        return out;
    }
    match (access.write, access.order) {
        (true, order) if order.releases() => out.before.push(&["F", "Fence.rw.w"]),
        (false, order) if order.acquires() => {
            if order == MemoryOrder::SeqCst {
                out.before.push(&["F", "Fence.rw.rw"]);
            }
            out.after.push(&["F", "Fence.r.rw"]);
        }
        _ => {}
    }
    out
}

fn linux(access: SourceAccess) -> Compiled {
    let mut out = Compiled::default();
    match (access.order, access.write) {
        (MemoryOrder::Plain, _) => {}
        (MemoryOrder::SeqCst, true) if access.rmw.is_some() => out.sets.extend(["ONCE", "MB"]),
        (MemoryOrder::SeqCst, false) if access.rmw.is_some() => out.sets.extend(["ONCE", "MB"]),
        (MemoryOrder::SeqCst, write) => {
            out.sets.push("ONCE");
            let fences = if write { &mut out.before } else { &mut out.after };
            fences.push(&["F", "MB"]);
        }
        (MemoryOrder::Acquire | MemoryOrder::AcqRel, false) => out.sets.push("ACQUIRE"),
        (MemoryOrder::Release | MemoryOrder::AcqRel, true) => out.sets.push("RELEASE"),
        _ => out.sets.push("ONCE"),
    }
    out
}

/// The sets of a fence; `None` if nothing is left of it.
pub fn fence(target: Target, order: MemoryOrder) -> Option<&'static [&'static str]> {
    Some(match (target, order) {
        (_, MemoryOrder::Plain) => return None,
        (Target::C11 | Target::Imm, MemoryOrder::Relaxed) => &["F", "A", "RLX"],
        (Target::C11 | Target::Imm, MemoryOrder::Acquire) => &["F", "A", "ACQ"],
        (Target::C11 | Target::Imm, MemoryOrder::Release) => &["F", "A", "REL"],
        (Target::C11 | Target::Imm, MemoryOrder::AcqRel) => &["F", "A", "ACQ_REL"],
        (Target::C11 | Target::Imm, MemoryOrder::SeqCst) => &["F", "A", "SC"],
        (_, MemoryOrder::Relaxed) => return None,
        (Target::X86, MemoryOrder::SeqCst) => &["F", "mfence"],
        (Target::X86, MemoryOrder::Acquire) => return None,
        (Target::X86, _) => &["F", "sfence"],
        (Target::Armv8 | Target::Armv8Rcpc, MemoryOrder::Acquire) => &["F", "DMB.ISHLD"],
        (Target::Armv8 | Target::Armv8Rcpc, _) => &["F", "DMB.ISH"],
        (Target::Power, MemoryOrder::SeqCst) => &["F", "sync"],
        (Target::Power, _) => &["F", "lwsync"],
        (Target::Riscv, MemoryOrder::Acquire) => &["F", "Fence.r.rw"],
        (Target::Riscv, MemoryOrder::Release) => &["F", "Fence.rw.w"],
        (Target::Riscv, MemoryOrder::AcqRel) => &["F", "Fence.tso"],
        (Target::Riscv, MemoryOrder::SeqCst) => &["F", "Fence.rw.rw"],
        (Target::Linux, _) => &["F", "MB"],
    })
}

/// A hand-over between threads that orders all before it and all behind it: the start and the end of
/// a thread, which the library and the operating system see to.
pub fn handover(target: Target, write: bool) -> Compiled {
    let order = if write { MemoryOrder::Release } else { MemoryOrder::Acquire };
    let rmw = (target == Target::X86).then_some(order); // a locked instruction is a full fence
    let mut out = access(target, SourceAccess { write, order, rmw });
    out.sets.retain(|set| *set != "RMW");
    let full: Option<&'static [&'static str]> = match target {
        Target::Power => Some(&["F", "sync"]),
        Target::Riscv => Some(&["F", "Fence.rw.rw"]),
        Target::Linux => Some(&["F", "MB"]),
        Target::Armv8 | Target::Armv8Rcpc => Some(&["F", "DMB.ISH"]),
        Target::C11 | Target::Imm | Target::X86 => None,
    };
    if write { &mut out.before } else { &mut out.after }.extend(full);
    out
}
