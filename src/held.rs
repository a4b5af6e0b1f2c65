//! Where a thread may unlock a mutex that it does not hold, or initialises one that it holds.
//!
//! POSIX leaves that undefined for normal mutexes (errors for the other kinds, which the models give); our model
//! releases the mutex all the same. So a proof rests on it, where it is not seen that the mutex is held: by a walk
//! through each thread, from its start, with the mutexes that it holds for certain. A mutex is known by its address: a
//! constant, or what a register holds until it is written to again. Calls are followed, with the names that the callee
//! has for what the caller holds; a function that is called through a pointer, or while it runs, starts with nothing.
//! Other threads do not matter: what a thread holds only it may release, and if one releases what it does not hold, that
//! place is found in the walk through that one.
//!
//! To initialise a mutex that is locked is undefined, too; ours is free then. Where the walk says that the thread itself
//! holds it, a proof rests on that as well. (Who initialises what another thread holds races with it.)
//!
//! Invariant: of a place that is not found, all executions hold the mutex there; where an initialisation is found, they
//! do, too. A violation does not rest on it.
//!
//! Cost: a fixpoint for each function and each set of mutexes that it is called with, up to `MAX_CALLS`.

use analysis::callgraph::users_calling;
use frontend::library::sync::{LockFamily, LockOperation, lock_function};
use ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

pub const ASSUMPTION: &str = "a mutex is unlocked, or waited with, by the thread that holds it; POSIX leaves the rest undefined";

pub const INITIALISED: &str =
    "a mutex that is initialised while it is locked is free; POSIX leaves that undefined";

const MAX_CALLS: usize = 1_000;

/// The address of a mutex, in the words of one function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MutexName {
    Object(ObjectId, i64),
    Slot(SlotId, i64),
    Reg(Reg, i64),
}

impl MutexName {
    fn plus(self, bytes: i64) -> Option<MutexName> {
        Some(match self {
            MutexName::Object(o, at) => MutexName::Object(o, at.checked_add(bytes)?),
            MutexName::Slot(s, at) => MutexName::Slot(s, at.checked_add(bytes)?),
            MutexName::Reg(r, at) => MutexName::Reg(r, at.checked_add(bytes)?),
        })
    }

    pub fn offset(self) -> i64 {
        let (MutexName::Object(_, at) | MutexName::Slot(_, at) | MutexName::Reg(_, at)) = self;
        at
    }

    /// The same base at offset 0.
    pub fn base(self) -> MutexName {
        match self {
            MutexName::Object(o, _) => MutexName::Object(o, 0),
            MutexName::Slot(s, _) => MutexName::Slot(s, 0),
            MutexName::Reg(r, _) => MutexName::Reg(r, 0),
        }
    }
}

/// How often each mutex is held, at least.
type Held = BTreeMap<MutexName, u32>;

/// The first places of the user's of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Doubts {
    /// A mutex may be released that is not held.
    pub released: Option<Span>,
    /// One is initialised that is held.
    pub initialised: Option<Span>,
}

pub fn doubts(program: &Program) -> Doubts {
    let mut walk = Walk::new(program);
    for root in walk.roots() {
        walk.function(root, Entry::default());
    }
    walk.found
}

fn initialises(function: &Function) -> bool {
    let names = ["pthread_mutex_init", "pthread_spin_init", "mtx_init"];
    function.origin != Origin::User && names.contains(&function.name.as_str())
}

/// What a library function does to a mutex or a spin lock.
fn operation(function: &Function) -> Option<LockOperation> {
    let known = lock_function(&function.name).filter(|_| function.origin != Origin::User)?;
    matches!(known.family, LockFamily::Mutex | LockFamily::Spin).then_some(known.operation)
}

/// What a function starts with.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Entry {
    held: Held,
    /// Parameters that are constant addresses.
    known: BTreeMap<Reg, MutexName>,
}

struct Walk<'p> {
    program: &'p Program,
    /// By function: whether it gets to an operation.
    operates: Vec<bool>,
    /// `None`: it never returns.
    left: FxHashMap<(FuncId, Entry), Option<Held>>,
    running: FxHashSet<FuncId>,
    found: Doubts,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program) -> Walk<'p> {
        Walk {
            program,
            operates: users_calling(program, |f| operation(f).is_some()),
            left: FxHashMap::default(),
            running: FxHashSet::default(),
            found: Doubts::default(),
        }
    }

    /// Where the program starts, and what may start as a thread, a handler or through a pointer.
    fn roots(&self) -> Vec<FuncId> {
        let mut roots = vec![self.program.entry];
        let insts = self.program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
        for operand in insts.flat_map(|inst| walk::operands(&inst.kind)) {
            if let Operand::Function(f) = operand {
                roots.push(*f);
            }
        }
        let stored = self.program.objects.iter().flat_map(|o| &o.relocations);
        roots.extend(stored.filter_map(|(_, address)| match address {
            Operand::Function(f) => Some(*f),
            _ => None,
        }));
        roots.retain(|f| self.operates[f.index()]);
        roots.sort();
        roots.dedup();
        roots
    }

    fn doubt(&mut self, span: Span) {
        first(&mut self.found.released, span);
    }

    /// What it holds where it returns, by its own names; `None` if it does not.
    fn function(&mut self, id: FuncId, entry: Entry) -> Option<Held> {
        if let Some(left) = self.left.get(&(id, entry.clone())) {
            return left.clone();
        }
        let function = &self.program.functions[id.index()];
        if self.left.len() >= MAX_CALLS {
            self.doubt(function.span);
        }
        if self.left.len() >= MAX_CALLS || !self.running.insert(id) {
            return Some(Held::new());
        }
        let names = Names::new(function, &entry.known);
        let mut at: Vec<Option<Held>> = vec![None; function.blocks.len()];
        let mut left = None;
        at[0] = Some(entry.held.clone());
        let mut work = vec![BlockId(0)];
        while let Some(block) = work.pop() {
            let Some(held) = at[block.index()].clone() else { continue };
            let Some(step) = self.block(&names, block, held) else { continue };
            for (next, held) in step.edges {
                if meet(&mut at[next.index()], &held) {
                    work.push(next);
                }
            }
            if let Some(held) = step.left {
                meet(&mut left, &held);
            }
        }
        self.running.remove(&id);
        self.left.insert((id, entry), left.clone());
        left
    }

    /// `None` if it does not get to its end.
    fn block(&mut self, names: &Names<'_>, id: BlockId, mut held: Held) -> Option<Step> {
        let block = &names.function.blocks[id.index()];
        let mut tried: Vec<(Reg, MutexName)> = Vec::new();
        for inst in &block.insts {
            if let InstKind::Call { callee: Callee::Direct(f), args, dst } = &inst.kind {
                let called = &self.program.functions[f.index()];
                match operation(called) {
                    Some(operation) => {
                        let mutex = args.get(operation.argument()).and_then(|m| names.of(m));
                        match operation {
                            LockOperation::Try(_) => tried.extend(dst.zip(mutex)),
                            _ => self.operate(operation, mutex, inst.span, &mut held),
                        }
                    }
                    None if self.operates[f.index()] => {
                        held = self.call(names, *f, args, held)?;
                    }
                    None if initialises(called) => {
                        let mutex = args.first().and_then(|m| names.of(m));
                        if mutex.is_some_and(|mutex| held.contains_key(&mutex)) {
                            first(&mut self.found.initialised, inst.span);
                        }
                    }
                    None => {}
                }
            }
            forget(&mut held, &inst.kind);
        }
        let edges = block.end.successors().into_iter().map(|next| {
            let mut held = held.clone();
            for &(result, mutex) in &tried {
                if succeeds(names, id, result, next) {
                    *held.entry(mutex).or_default() += 1;
                }
            }
            (next, held)
        });
        let edges = edges.collect();
        let left = matches!(block.end, Terminator::Return(_)).then_some(held);
        Some(Step { edges, left })
    }

    fn operate(
        &mut self,
        operation: LockOperation,
        mutex: Option<MutexName>,
        span: Span,
        held: &mut Held,
    ) {
        if let LockOperation::Acquire(_) = operation {
            let count = mutex.map(|mutex| held.entry(mutex).or_default());
            count.into_iter().for_each(|count| *count = (*count + 1).min(MAX_DEPTH));
            return;
        }
        match mutex.and_then(|mutex| held.get_mut(&mutex)) {
            None => self.doubt(span),
            Some(count) if operation == LockOperation::Release => *count -= 1,
            Some(_) => {}
        }
        held.retain(|_, count| *count > 0);
    }

    /// What is held behind the call.
    fn call(
        &mut self,
        names: &Names<'_>,
        id: FuncId,
        args: &[Operand],
        held: Held,
    ) -> Option<Held> {
        let callee = &self.program.functions[id.index()];
        let fixed = |param: &Reg| writes(callee, *param) == 0;
        let bound = callee.params.iter().zip(args).filter(|(param, _)| fixed(param));
        let bound: Vec<(Reg, MutexName)> =
            bound.filter_map(|(param, arg)| Some((*param, names.of(arg)?))).collect();
        let mut entry = Entry::default();
        for (param, name) in &bound {
            if let MutexName::Object(..) = name {
                entry.known.insert(*param, *name);
            }
        }
        let mut aside = Held::new();
        for (name, count) in held {
            let param = bound.iter().find(|(_, arg)| arg.base() == name.base());
            match (name, param) {
                (MutexName::Object(..), _) => entry.held.insert(name, count),
                (_, Some((param, arg))) => {
                    let there = MutexName::Reg(*param, name.offset().wrapping_sub(arg.offset()));
                    entry.held.insert(there, count)
                }
                _ => aside.insert(name, count),
            };
        }
        for (name, count) in self.function(id, entry)? {
            let here = match name {
                MutexName::Object(..) => Some(name),
                MutexName::Reg(reg, offset) => {
                    let arg = bound.iter().find(|(param, _)| *param == reg);
                    arg.and_then(|(_, arg)| arg.plus(offset))
                }
                MutexName::Slot(..) => None,
            };
            aside.extend(here.map(|name| (name, count)));
        }
        Some(aside)
    }
}

/// In the order of the text.
fn first(place: &mut Option<Span>, span: Span) {
    *place = Some(place.map_or(span, |first| first.min(span)));
}

/// A mutex that is locked in a loop is held often enough.
const MAX_DEPTH: u32 = 8;

struct Step {
    edges: Vec<(BlockId, Held)>,
    /// If the function returns here.
    left: Option<Held>,
}

/// True if less is held than before.
fn meet(into: &mut Option<Held>, held: &Held) -> bool {
    let Some(old) = into else {
        *into = Some(held.clone());
        return true;
    };
    let both = old.iter().filter_map(|(name, count)| Some((*name, *held.get(name)?.min(count))));
    let both: Held = both.collect();
    let less = both != *old;
    *old = both;
    less
}

/// Names do not outlive what they stand for.
fn forget(held: &mut Held, kind: &InstKind) {
    let written = walk::defined(kind);
    held.retain(|name, _| match name {
        MutexName::Reg(reg, _) => Some(*reg) != written,
        MutexName::Slot(slot, _) => *kind != InstKind::SlotLive(*slot),
        MutexName::Object(..) => true,
    });
}

/// Does control go to `next` only if the call that gave `result` has taken the mutex?
fn succeeds(names: &Names<'_>, block: BlockId, result: Reg, next: BlockId) -> bool {
    let block = &names.function.blocks[block.index()];
    let Terminator::Branch { cond: Operand::Reg(cond), then, otherwise } = block.end else {
        return false;
    };
    let is_result = |operand: &Operand| names.same(*operand) == Operand::Reg(result);
    if is_result(&Operand::Reg(cond)) {
        return next == otherwise && then != otherwise;
    }
    let Some(InstKind::Assign { value: Rvalue::Binary { op, a, b, .. }, .. }) = names.only(cond)
    else {
        return false;
    };
    let (Operand::Const { bits: 0, .. }, true) = (b, is_result(a)) else { return false };
    let taken = match op {
        BinOp::Eq => then,
        BinOp::Ne => otherwise,
        _ => return false,
    };
    next == taken && then != otherwise
}

fn writes(function: &Function, reg: Reg) -> usize {
    let insts = function.blocks.iter().flat_map(|b| &b.insts);
    insts.filter(|inst| walk::defined(&inst.kind) == Some(reg)).count()
}

/// What registers of a function stand for.
pub struct Names<'p> {
    function: &'p Function,
    known: BTreeMap<Reg, MutexName>,
    /// By register: how often it is written to, parameters once more, and the last one that writes.
    writes: Vec<(u32, Option<&'p InstKind>)>,
}

impl<'p> Names<'p> {
    pub fn new(function: &'p Function, known: &BTreeMap<Reg, MutexName>) -> Names<'p> {
        let mut writes = vec![(0, None); function.regs.len()];
        for param in &function.params {
            writes[param.index()].0 += 1;
        }
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            if let Some(reg) = walk::defined(&inst.kind) {
                let count = writes[reg.index()].0 + 1;
                writes[reg.index()] = (count, Some(&inst.kind));
            }
        }
        Names { function, known: known.clone(), writes }
    }

    /// The only instruction that writes to it.
    fn only(&self, reg: Reg) -> Option<&'p InstKind> {
        match self.writes[reg.index()] {
            (1, kind) => kind,
            _ => None,
        }
    }

    /// A copy is what it was copied from, if that is written to once.
    fn same(&self, operand: Operand) -> Operand {
        let Operand::Reg(reg) = operand else { return operand };
        match self.only(reg) {
            Some(InstKind::Assign { value: Rvalue::Use(from), .. }) if self.is_fixed(from) => {
                self.same(*from)
            }
            _ => operand,
        }
    }

    fn is_fixed(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Reg(reg) => self.writes[reg.index()].0 == 1,
            _ => true,
        }
    }

    pub fn of(&self, operand: &Operand) -> Option<MutexName> {
        let reg = match self.same(*operand) {
            Operand::Object { object, offset } => return Some(MutexName::Object(object, offset)),
            Operand::Slot { slot, offset } => return Some(MutexName::Slot(slot, offset)),
            Operand::Reg(reg) => reg,
            Operand::Const { .. } | Operand::Function(_) => return None,
        };
        if let Some(name) = self.known.get(&reg) {
            return Some(*name);
        }
        match self.only(reg) {
            Some(InstKind::Assign { value: Rvalue::PtrAdd { base, index, scale }, .. })
                if self.is_fixed(base) =>
            {
                let Operand::Const { bits, .. } = index else {
                    return Some(MutexName::Reg(reg, 0));
                };
                let bytes = (*bits as i64).checked_mul(i64::try_from(*scale).ok()?)?;
                self.of(base)?.plus(bytes)
            }
            _ => Some(MutexName::Reg(reg, 0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Doubts;
    use frontend::{LoadOptions, Source};
    use ir::types::Machine;

    /// Threads start in `t`.
    fn doubts(text: &str) -> Doubts {
        let declared = "typedef struct { long all[5]; } M; int pthread_mutex_lock(M *), pthread_mutex_unlock(M *), \
                        pthread_mutex_trylock(M *), pthread_mutex_init(M *, void *), pthread_cond_wait(void *, M *); int any(void); M m, n, a[2]; struct S { int i; M m; } *s;";
        let text = format!("{declared}\n{text}");
        let source = Source { name: "test.i", text: text.as_bytes(), moved: &[] };
        let program = frontend::load(&[source], Machine::Lp64, &LoadOptions::default());
        super::doubts(&analysis::prepare(program.expect("valid")))
    }

    /// The line of the first doubt about a release.
    fn doubt(text: &str) -> Option<u32> {
        doubts(text).released.map(|span| span.line)
    }

    #[test]
    fn a_mutex_is_initialised_while_it_is_free() {
        let initialised = |body: &str| {
            doubts(&format!("int main(void) {{ {body} return 0; }}")).initialised.is_some()
        };
        let lock = "pthread_mutex_lock(&m);";
        assert!(initialised(&format!("{lock} pthread_mutex_init(&m, 0);")));
        assert!(!initialised(&format!("{lock} pthread_mutex_init(&n, 0);")));
        assert!(!initialised(&format!("pthread_mutex_init(&m, 0); {lock}")));
        let unlock = "pthread_mutex_unlock(&m);";
        assert!(!initialised(&format!("{lock} {unlock} pthread_mutex_init(&m, 0);")));
    }

    fn in_main(body: &str) -> bool {
        doubt(&format!("int main(void) {{ int x = any(); {body} return 0; }}")).is_some()
    }

    #[test]
    fn what_is_locked_may_be_unlocked() {
        for good in [
            "",
            "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
            "for (int i = 0; i < x; i++) { pthread_mutex_lock(&m); if (any()) { pthread_mutex_unlock(&m); break; } pthread_mutex_unlock(&m); }",
            "pthread_mutex_lock(&a[1]); pthread_mutex_lock(&a[0]); pthread_mutex_unlock(&a[1]); pthread_mutex_unlock(&a[0]);",
            "if (!pthread_mutex_trylock(&m)) pthread_mutex_unlock(&m);",
            "if (pthread_mutex_trylock(&m) == 0) { pthread_mutex_unlock(&m); }",
            "while (pthread_mutex_trylock(&m) != 0) any(); pthread_mutex_unlock(&m);",
            "M *p = any() ? &m : &n; pthread_mutex_lock(p); pthread_mutex_unlock(p);",
            "struct S *q = s; pthread_mutex_lock(&q->m); pthread_mutex_unlock(&q->m);",
            "pthread_mutex_lock(&m); while (any()) pthread_cond_wait(0, &m); pthread_mutex_unlock(&m);",
        ] {
            assert!(!in_main(good), "{good}");
        }
    }

    #[test]
    fn what_may_not_be_held_is_found() {
        for bad in [
            "pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&m); pthread_mutex_unlock(&n);",
            "if (x) pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&m); for (int i = 0; i < x; i++) pthread_mutex_unlock(&m);",
            "if (pthread_mutex_trylock(&m)) pthread_mutex_unlock(&m);",
            "pthread_mutex_trylock(&m); pthread_mutex_unlock(&m);",
            "M *p = &m; pthread_mutex_lock(p); if (x) p = &n; pthread_mutex_unlock(p);",
            "pthread_mutex_lock(&a[x]); pthread_mutex_unlock(&a[0]);",
            "pthread_cond_wait(0, &m);",
            "pthread_mutex_lock(&s->m); any(); pthread_mutex_unlock(&s->m);",
        ] {
            assert!(in_main(bad), "{bad}");
        }
    }

    #[test]
    fn calls_are_followed() {
        let wrappers = "void lock(M *p) { pthread_mutex_lock(p); }\nvoid unlock(M *p) {\n pthread_mutex_unlock(p); }\n";
        let both = |body: &str| doubt(&format!("{wrappers}int main(void) {{ {body} return 0; }}"));
        assert_eq!(both("lock(&m); unlock(&m);"), None);
        assert_eq!(both("M k; lock(&k); unlock(&k);"), None);
        assert_eq!(both("lock(&m); unlock(&n);"), Some(4));
        assert_eq!(both("M k, l; lock(&k); unlock(&l);"), Some(4));
        assert_eq!(both("struct S *q = s; lock(&q->m); unlock(&q->m);"), None);
        assert_eq!(both("void (*f)(M *) = unlock; f(&m);"), Some(4));
        assert_eq!(both("lock(&m); if (any()) unlock(&m); unlock(&m);"), Some(4));
        let again = "void f(int i) { if (i) f(i - 1);\n pthread_mutex_unlock(&m); }\nint main(void) { pthread_mutex_lock(&m); f(1); return 0; }";
        assert_eq!(doubt(again), Some(3));
    }
}
