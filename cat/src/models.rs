//! The models that are part of the program, as text (`models/*.cat`).

/// Read before every model.
pub(crate) const PRELUDE: &str = include_str!("../models/prelude.cat");
/// What `include "lock.cat"` means: the kernel's annotations.
pub(crate) const LOCK: &str = include_str!("../models/lock.cat");

const MODELS: &[(&str, &str)] = &[
    ("sc", include_str!("../models/sc.cat")),
    ("tso", include_str!("../models/tso.cat")),
    ("pso", include_str!("../models/pso.cat")),
    ("rc11", include_str!("../models/rc11.cat")),
    ("c11", include_str!("../models/c11.cat")),
    ("imm", include_str!("../models/imm.cat")),
    ("armv8", include_str!("../models/armv8.cat")),
    ("arm", include_str!("../models/arm.cat")),
    ("power", include_str!("../models/power.cat")),
    ("riscv", include_str!("../models/riscv.cat")),
    ("lkmm", include_str!("../models/lkmm.cat")),
    ("vmm", include_str!("../models/vmm.cat")),
    ("udp", include_str!("../models/udp.cat")),
    ("tcp", include_str!("../models/tcp.cat")),
];

/// Their names, by strength and family.
pub const NAMES: &[&str] = &[
    "sc", "tso", "pso", "rc11", "c11", "imm", "vmm", "armv8", "arm", "power", "riscv", "lkmm",
    "udp", "tcp",
];

/// A model's name and text.
pub(crate) fn named(name: &str) -> Option<(&'static str, &'static str)> {
    MODELS.iter().copied().find(|(n, _)| *n == name)
}

/// Files that a model may include from us.
pub(crate) fn library(file: &str) -> Option<&'static str> {
    match file {
        "ppo.cat" => Some(include_str!("../models/ppo.cat")),
        "msg/blocking.cat" => Some(include_str!("../models/msg/blocking.cat")),
        "msg/broadcast.cat" => Some(include_str!("../models/msg/broadcast.cat")),
        "msg/causality.cat" => Some(include_str!("../models/msg/causality.cat")),
        "msg/global-no-dup.cat" => Some(include_str!("../models/msg/global-no-dup.cat")),
        "msg/no-ignored-write.cat" => Some(include_str!("../models/msg/no-ignored-write.cat")),
        "msg/no-loss.cat" => Some(include_str!("../models/msg/no-loss.cat")),
        "msg/no-reordering.cat" => Some(include_str!("../models/msg/no-reordering.cat")),
        "msg/participant-no-dup.cat" => Some(include_str!("../models/msg/participant-no-dup.cat")),
        "msg/synchronous.cat" => Some(include_str!("../models/msg/synchronous.cat")),
        _ => named(file.strip_suffix(".cat")?).map(|(_, text)| text),
    }
}

/// Relations that a reader of a witness knows: not opened up further.
pub(crate) fn is_basic(name: Option<&str>) -> bool {
    const BASIC: &[&str] = &[
        "fr",
        "fre",
        "fri",
        "rfe",
        "rfi",
        "coe",
        "coi",
        "po-loc",
        "rmw",
        "mfence",
        "sync",
        "lwsync",
        "isync",
        "ctrlisync",
        "rmb",
        "wmb",
        "mb",
        "gp",
        "fence",
    ];
    name.is_some_and(|name| BASIC.contains(&name))
}
