//! Does anybody but its creator look where the id of a new thread is stored?
//!
//! `pthread_create` stores it before the thread starts, as glibc does. POSIX says only that its caller
//! finds it there. No other thread can tell before or after, unless the thread itself, or one that it lets
//! go on, touches that place: then the order is an assumption of the verdict. (C11's `thrd_create`
//! promises it.)
//!
//! Other threads run the functions whose address is taken, and what these call. A place counts as
//! touched if one of them may access it as what an id is, or end it; if another thread may be the
//! creator, all functions count. Where a join or a lock would order the two anyway is not asked, so
//! the answer may be yes too often, never no.
//!
//! Cost: a look at each instruction; a points-to analysis if an id is kept in anything but a local
//! variable that is used for nothing else, and a finer one if that does not settle it.

use super::escape::Shared;
use super::points_to::{Context, PlaceId, Pointee, PointsTo, address_taken, address_taken_in};
use ir::types::Scalar;
use ir::walk;
use ir::*;
use rustc_hash::FxHashSet;
use std::cell::OnceCell;

const ASSUMPTION: &str = "pthread_create stores the new thread's id before the thread starts, as \
                          glibc does; POSIX leaves it open";

const MUTUAL: &str = "threads that join each other wait for ever, where glibc may give EDEADLK";

const JOINS: [&str; 4] =
    ["pthread_join", "pthread_timedjoin_np", "pthread_clockjoin_np", "thrd_join"];

/// Notes the assumption at each start whose place others may touch. A thread that joins its creator,
/// and is joined by it, has that one's id from there, or from somebody who asked for his own.
pub fn settle(program: &mut Program) {
    let seen = seen_starts(program);
    let asks = |f: &Function| f.name == "pthread_self" || f.name == "thrd_current";
    let joins = joins_in_threads(&program.functions, &program.objects);
    if let Some(span) = joins
        && (!seen.is_empty() || program.functions.iter().any(asks))
    {
        program.ignored.push((MUTUAL.to_owned(), span));
    }
    program.ignored.extend(seen.into_iter().map(|span| (ASSUMPTION.to_owned(), span)));
}

/// Where ids are stored that others may see.
fn seen_starts(program: &Program) -> Vec<Span> {
    let starts = starts(program);
    let open: Vec<&Start> = starts.iter().filter(|s| !is_only_local(program, s)).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let points_to = PointsTo::new(program, Context::Insensitive);
    let judge = OwnIdJudge {
        program,
        shared: Shared::new(program, &points_to),
        others: run_by_others(&program.functions, &program.objects),
        points_to: &points_to,
        by_call: OnceCell::new(),
        starts: &starts,
    };
    open.iter().filter(|s| judge.is_seen(s)).map(|s| s.span).collect()
}

/// A call of `pthread_create`, or all that go through a pointer.
struct Start {
    function: FuncId,
    place: Operand,
    span: Span,
}

fn starts(program: &Program) -> Vec<Start> {
    let mut found = Vec::new();
    for (i, f) in program.functions.iter().enumerate().filter(|(_, f)| f.origin == Origin::User) {
        for inst in f.blocks.iter().flat_map(|b| &b.insts) {
            let InstKind::Call { callee: Callee::Direct(to), args, .. } = &inst.kind else {
                continue;
            };
            if let (true, Some(place)) = (creates(program, *to), args.first())
                && !matches!(place, Operand::Const { bits: 0, .. })
            {
                found.push(Start { function: FuncId(i as u32), place: *place, span: inst.span });
            }
        }
    }
    for function in address_taken(program).into_iter().filter(|f| creates(program, *f)) {
        let model = &program.functions[function.index()];
        if let Some(place) = model.params.first() {
            let span = model.span;
            found.push(Start { function, place: Operand::Reg(*place), span });
        }
    }
    found
}

fn creates(program: &Program, function: FuncId) -> bool {
    let f = &program.functions[function.index()];
    f.origin == Origin::Model && f.name == "pthread_create"
}

/// Is the place a local variable whose address no other thread gets?
fn is_only_local(program: &Program, start: &Start) -> bool {
    let Operand::Slot { slot, .. } = start.place else { return false };
    let is_it = |o: &Operand| matches!(o, Operand::Slot { slot: s, .. } if *s == slot);
    let function = &program.functions[start.function.index()];
    function.blocks.iter().all(|block| {
        let harmless = |inst: &Inst| match &inst.kind {
            InstKind::Load { .. } => true,
            InstKind::Store { value, .. } => !is_it(value),
            InstKind::Call { callee: Callee::Direct(f), args, .. } if creates(program, *f) => {
                !args.iter().skip(1).any(is_it)
            }
            kind => !walk::operands(kind).into_iter().any(is_it),
        };
        block.insts.iter().all(harmless) && !walk::end_operand(&block.end).is_some_and(is_it)
    })
}

/// Where a thread other than the first may join one, in the program's own functions.
pub fn joins_in_threads(functions: &[Function], objects: &[Object]) -> Option<Span> {
    let joins = |inst: &&Inst| match &inst.kind {
        InstKind::Call { callee: Callee::Direct(f), .. } => {
            JOINS.contains(&functions[f.index()].name.as_str())
        }
        _ => false,
    };
    let by_pointer = address_taken_in(functions, objects).into_iter().find_map(|id| {
        let f = &functions[id.index()];
        JOINS.contains(&f.name.as_str()).then_some(f.span)
    });
    let others = run_by_others(functions, objects);
    let mut own: Vec<FuncId> = others.into_iter().collect();
    own.retain(|id| functions[id.index()].origin == Origin::User);
    own.sort();
    let direct = own.into_iter().find_map(|id| {
        let mut insts = functions[id.index()].blocks.iter().flat_map(|b| &b.insts);
        insts.find(joins).map(|inst| inst.span)
    });
    direct.or(by_pointer)
}

/// The functions that other threads than the first may run, and perhaps more.
fn run_by_others(functions: &[Function], objects: &[Object]) -> FxHashSet<FuncId> {
    let mut reached = FxHashSet::default();
    let mut open = address_taken_in(functions, objects);
    while let Some(id) = open.pop() {
        if reached.insert(id) {
            let insts = functions[id.index()].blocks.iter().flat_map(|b| &b.insts);
            open.extend(insts.filter_map(|inst| match &inst.kind {
                InstKind::Call { callee: Callee::Direct(f), .. } => Some(*f),
                _ => None,
            }));
        }
    }
    reached
}

struct OwnIdJudge<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    /// Keeps the blocks of two calls of `malloc` apart; asked when the other one says yes.
    by_call: OnceCell<PointsTo>,
    shared: Shared,
    others: FxHashSet<FuncId>,
    starts: &'a [Start],
}

impl OwnIdJudge<'_> {
    fn is_seen(&self, start: &Start) -> bool {
        if !self.shared.address(self.points_to, start.function, &start.place) {
            return false;
        }
        let places = self.points_to.targets(start.function, &start.place);
        let anybody = self.others.contains(&start.function);
        let counts = |f: FuncId| anybody || self.others.contains(&f);
        let functions = (0..self.program.functions.len() as u32).map(FuncId);
        functions.filter(|f| counts(*f)).any(|f| self.touches(f, start, &places))
            || self.starts.iter().any(|s| {
                let other = anybody || self.others.contains(&s.function);
                other && self.meets(start, &places, s.function, &s.place)
            })
    }

    /// May the function access one of the places as an id, or end it?
    fn touches(&self, id: FuncId, start: &Start, places: &[Pointee]) -> bool {
        let function = &self.program.functions[id.index()];
        let mut insts = function.blocks.iter().flat_map(|b| &b.insts);
        insts.any(|inst| match &inst.kind {
            InstKind::Load { addr, ty, order, .. } | InstKind::Store { addr, ty, order, .. } => {
                self.may_be_id(function.origin, *ty, *order) && self.meets(start, places, id, addr)
            }
            InstKind::Free { ptr, .. } => self.meets(start, places, id, ptr),
            _ => false,
        })
    }

    /// C lets an id be accessed as a long or byte by byte; models copy by any unit, and use their
    /// own objects atomically.
    fn may_be_id(&self, origin: Origin, ty: Scalar, order: MemoryOrder) -> bool {
        match origin {
            Origin::Model => order == MemoryOrder::Plain,
            _ => match ty {
                Scalar::Int { bits, .. } => {
                    bits == 8 || bits == self.program.machine.pointer_bits()
                }
                _ => false,
            },
        }
    }

    fn meets(&self, start: &Start, places: &[Pointee], function: FuncId, addr: &Operand) -> bool {
        let unknown = |places: &[Pointee]| places.is_empty() || places.contains(&Pointee::Unknown);
        let targets = self.points_to.targets(function, addr);
        match addr {
            Operand::Const { .. } => false,
            _ if targets.is_empty() => false,
            _ if unknown(places) || unknown(&targets) => true,
            _ => {
                targets.iter().any(|t| places.contains(t))
                    && self.still_meets(start, function, addr)
            }
        }
    }

    /// The same, with each call of a model by itself. An address from nowhere may be any.
    fn still_meets(&self, start: &Start, function: FuncId, addr: &Operand) -> bool {
        let all = self.by_call.get_or_init(|| PointsTo::new(self.program, Context::ModelCalls));
        let of = |f: FuncId| all.instances().filter(move |i| all.function(*i) == f);
        let places: Vec<_> = of(start.function).map(|i| all.targets_in(i, &start.place)).collect();
        let targets: Vec<_> = of(function).map(|i| all.targets_in(i, addr)).collect();
        let nowhere = |sets: &[Vec<PlaceId>]| sets.iter().any(Vec::is_empty);
        nowhere(&places)
            || nowhere(&targets)
            || targets.iter().flatten().any(|t| places.iter().any(|p| p.contains(t)))
    }
}

#[cfg(test)]
mod tests {
    use crate::from_c::program;

    const DECLARED: &str = "typedef unsigned long pthread_t; void *malloc(unsigned long); \
        void free(void *); int pthread_create(pthread_t *, void *, void *(*)(void *), void *); \
        int pthread_join(pthread_t, void **); ";

    /// In how many calls is it assumed that the id is there before the thread?
    fn assumed(text: &str) -> usize {
        let found = program(&format!("{DECLARED} {text}")).ignored;
        found.iter().filter(|(what, _)| what.starts_with("pthread_create stores")).count()
    }

    #[test]
    fn the_creator_alone_may_look() {
        let idle = "void *f(void *a) { return a; }";
        for main in [
            "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }",
            "int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) \
             pthread_create(&t[i], 0, f, 0); pthread_join(t[1], 0); }",
            "pthread_t g; int main(void) { pthread_create(&g, 0, f, 0); pthread_join(g, 0); }",
            "int main(void) { pthread_t *t = malloc(16); pthread_create(t + 1, 0, f, 0); \
             pthread_join(t[1], 0); free(t); }",
            "void *h(void *a) { return *(long *)a ? a : 0; } int main(void) { \
             pthread_t *t = malloc(16); long *n = malloc(8); pthread_create(t, 0, h, n); free(t); }",
            "struct w { pthread_t t; int n; }; void *h(void *a) { ((struct w *)a)->n++; return 0; } \
             int main(void) { struct w w; pthread_create(&w.t, 0, h, &w); pthread_join(w.t, 0); }",
        ] {
            assert_eq!(assumed(&format!("{idle} {main}")), 0, "{main}");
        }
    }

    #[test]
    fn others_may_look() {
        for (child, main) in [
            ("pthread_t g; void *f(void *a) { return g ? a : 0; }", "pthread_create(&g, 0, f, 0);"),
            (
                "void *f(void *a) { return *(pthread_t *)a ? a : 0; }",
                "pthread_t t; pthread_create(&t, 0, f, &t);",
            ),
            ("pthread_t g; void *f(void *a) { g = 0; return a; }", "pthread_create(&g, 0, f, 0);"),
            (
                "void *f(void *a) { free(a); return 0; }",
                "pthread_t *t = malloc(8); pthread_create(t, 0, f, t);",
            ),
            (
                "pthread_t g, *p; void *f(void *a) { return *p ? a : 0; }",
                "p = &g; pthread_create(&g, 0, f, 0);",
            ),
        ] {
            let text = format!("{child} int main(void) {{ {main} }}");
            assert_eq!(assumed(&text), 1, "{text}");
        }
    }
}
