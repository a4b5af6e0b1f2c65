//! What all formats become: threads of simple instructions over registers and shared memory.
//!
//! An instruction makes at most a few events. Registers are numbers; their names are kept for the final
//! state. Expressions are exactly what the source mentions: dependencies are syntactic, so nothing is
//! simplified (`x ^ x` depends on `x`).

use crate::condition::{Condition, Item, Quantifier};
use crate::value::{BinOp, Location, Value};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Reg(pub u32);

#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    Const(Value),
    Reg(Reg),
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// The low bytes, sign-extended.
    Signed(u8, Box<Expr>),
    /// The low bytes, zero-extended.
    Unsigned(u8, Box<Expr>),
    /// The second if the first is not zero, otherwise the third.
    Select(Box<[Expr; 3]>),
    /// The same, but it depends on the one that is taken as data, and on the first as a condition
    /// (Arm's pick dependencies): only for models that tell the two apart.
    Pick(Box<[Expr; 3]>),
    /// Two expressions of the same value: the result depends on either of them, not on both.
    Either(Box<[Expr; 2]>),
}

impl Expr {
    pub fn int(i: i64) -> Expr {
        Expr::Const(Value::Int(i))
    }

    pub fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
        Expr::Binary(op, Box::new(a), Box::new(b))
    }

    /// Does it depend on its parts in ways that only some models know?
    fn picks(&self) -> bool {
        match self {
            Expr::Const(_) | Expr::Reg(_) => false,
            Expr::Binary(_, a, b) => a.picks() || b.picks(),
            Expr::Signed(_, e) | Expr::Unsigned(_, e) => e.picks(),
            Expr::Select(parts) => parts.iter().any(Expr::picks),
            Expr::Pick(_) | Expr::Either(_) => true,
        }
    }
}

/// Sets of the model that an event is in.
pub type Tags = Vec<&'static str>;

/// How memory is accessed.
#[derive(Clone, PartialEq, Debug)]
pub struct AccessMode {
    pub bytes: u8,
    pub tags: Tags,
}

impl AccessMode {
    pub fn new(bytes: u8, tags: &[&'static str]) -> AccessMode {
        AccessMode { bytes, tags: tags.to_vec() }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Inst {
    Set {
        to: Reg,
        expr: Expr,
    },
    /// An exclusive load opens a reservation.
    Load {
        to: Reg,
        address: Expr,
        access: AccessMode,
        signed: bool,
        exclusive: bool,
    },
    Store {
        address: Expr,
        value: Expr,
        access: AccessMode,
    },
    /// Succeeds or not; `status` gets 0 or 1 (or what `success` and `failure` say).
    StoreExclusive {
        status: Status,
        address: Expr,
        value: Expr,
        access: AccessMode,
    },
    /// A read, then a write of `value` if `when` holds; both may mention `to`, which holds what was
    /// read. `failed`: tags of the read if there is no write.
    Rmw {
        to: Reg,
        address: Expr,
        value: Expr,
        when: Option<Expr>,
        read: AccessMode,
        write: AccessMode,
        failed: Option<Tags>,
    },
    /// `address`: for fences of one object (SRCU).
    Fence {
        tags: Tags,
        address: Option<Expr>,
    },
    Jump(usize),
    /// To the instruction if the expression is not zero.
    Branch {
        when: Expr,
        target: usize,
    },
    /// Only so many branches are still open: control dependencies of the others end here.
    EndBranch {
        open: usize,
    },
    /// The last event is in these sets, too, if the expression is not zero.
    Tag {
        when: Expr,
        tags: Tags,
    },
    /// Executions in which it is zero are dropped: a lock that was not free.
    Assume(Expr),
    /// What comes next belongs to the same instruction: no program order is between the two.
    Joined,
}

impl Inst {
    /// Does it pick one of its operands, or make several accesses? Only models that look into
    /// instructions say what that means.
    pub fn has_parts(&self) -> bool {
        matches!(self, Inst::Joined) || matches!(self, Inst::Set { expr, .. } if expr.picks())
    }
}

/// Where a store-exclusive says whether it succeeded.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Status {
    pub to: Reg,
    pub success: i64,
    pub failure: i64,
    /// What is computed from it depends on the store.
    pub carries_dependency: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Thread {
    pub code: Vec<Inst>,
    /// Names of registers; a register without one is ours.
    pub registers: Vec<Option<String>>,
    pub init: Vec<(Reg, Value)>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct NamedCell {
    pub name: String,
    /// Size of an element.
    pub bytes: u8,
    pub signed: bool,
    pub array: bool,
    /// Declared as atomic.
    pub atomic: Option<bool>,
}

impl NamedCell {
    /// A value as the type says.
    pub fn typed(&self, value: Value) -> Value {
        match (self.bytes, self.signed) {
            (0, _) => value,
            (bytes, true) => value.truncate(bytes),
            (bytes, false) => value.truncate_unsigned(bytes),
        }
    }
}

/// The type of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Type {
    pub bytes: u8,
    pub signed: bool,
}

/// The language of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arch {
    X86,
    X86_64,
    C,
    Lkmm,
    AArch64,
    Arm,
    Ppc,
    RiscV,
    Mips,
    Bpf,
    /// Participants that send and receive messages: a topic is a location, a send a write, and a
    /// receive may get nothing.
    Msg,
}

impl Thread {
    /// The same code with a fence before each instruction of which that is wanted; who jumps to one comes to its
    /// fence.
    fn fenced(&mut self, wanted: impl Fn(&Inst) -> bool, tags: &[&'static str]) {
        let mut place = Vec::new();
        let mut code = Vec::new();
        for inst in std::mem::take(&mut self.code) {
            place.push(code.len());
            if wanted(&inst) {
                code.push(Inst::Fence { tags: tags.to_vec(), address: None });
            }
            code.push(inst);
        }
        let end = code.len();
        for inst in &mut code {
            if let Inst::Jump(target) | Inst::Branch { target, .. } = inst {
                *target = place.get(*target).copied().unwrap_or(end);
            }
        }
        self.code = code;
    }
}

/// A litmus test.
#[derive(Clone, Debug)]
pub struct Test {
    pub arch: Arch,
    pub name: String,
    pub symbols: Vec<NamedCell>,
    /// Initial contents of memory.
    pub memory: Vec<(Location, Value)>,
    pub threads: Vec<Thread>,
    /// What to show besides what the condition mentions.
    pub shown: Vec<Item>,
    /// Registers that were declared with a type: how they are printed.
    pub types: Vec<(usize, String, Type)>,
    pub filter: Option<Condition>,
    pub quantifier: Quantifier,
    pub condition: Condition,
    /// The condition as it was written.
    pub condition_text: String,
}

impl Test {
    /// As it is compiled for `imm`, which knows `seq_cst` fences but no such accesses: with a fence before each.
    /// (Podkopaev, Lahav, Vafeiadis, POPL 2019. One between the halves of a read-modify-write adds nothing: what comes to
    /// the read and goes on from the write is one step of `eco`.)
    pub fn for_imm(&mut self) {
        let is_seq_cst = |inst: &Inst| match inst {
            Inst::Load { access, .. } | Inst::Store { access, .. } => access.tags.contains(&"SC"),
            Inst::Rmw { read, write, .. } => {
                read.tags.contains(&"SC") || write.tags.contains(&"SC")
            }
            _ => false,
        };
        self.threads.iter_mut().for_each(|thread| thread.fenced(is_seq_cst, &["A", "SC"]));
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, Verdict, parse, run};

    /// Behind a branch, too, which must not jump over the fence.
    #[test]
    fn imm_has_fences_before_seq_cst_accesses() {
        let text = |order: &str, way: &str| {
            let thread = |t: usize, x: &str, y: &str| {
                let go = way.replace("BODY", &format!("atomic_store_explicit({x}, 1, {order});"));
                format!(
                    "P{t}(atomic_int *x, atomic_int *y) {{\n{go}\n\
                     int r0 = atomic_load_explicit({y}, {order}); }}\n"
                )
            };
            let (one, two) = (thread(0, "x", "y"), thread(1, "y", "x"));
            format!("C SB\n{{ }}\n{one}{two}exists (0:r0=0 /\\ 1:r0=0)")
        };
        let imm = cat::Model::builtin("imm").expect("a model");
        for way in ["BODY", "int a = 1; if (a) { BODY }"] {
            for (order, wanted) in [
                ("memory_order_seq_cst", Verdict::Forbidden),
                ("memory_order_acq_rel", Verdict::Allowed),
            ] {
                let mut test = parse(&text(order, way)).expect("a test");
                test.for_imm();
                let outcome = run(&test, &imm, Limits::default()).expect("executions");
                assert_eq!(outcome.verdict(test.quantifier), wanted, "{order}, {way}");
            }
        }
    }
}
