//! Who calls whom, and where threads start: `obmc show --threads`.
//!
//! Threads are usually started inside a model (`pthread_create`); then the place that counts for
//! the reader is the call of the model in the user's code, and the function is what that call
//! passes on. We follow the spawned function back through parameters until we are there.

use super::loops;
use super::points_to::{Context, Pointee, PointsTo};
use ir::cfg::Cfg;
use ir::*;
use rustc_hash::FxHashSet;

/// A call of one function in another, direct or through a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallSite {
    pub caller: FuncId,
    pub callee: FuncId,
    pub block: BlockId,
    pub inst: usize,
    pub in_loop: bool,
}

pub struct CallGraph {
    pub sites: Vec<CallSite>,
    /// May the function run more than once in an execution?
    repeated: Vec<bool>,
}

impl CallGraph {
    pub fn new(program: &Program, points_to: &PointsTo) -> CallGraph {
        let mut sites = Vec::new();
        let mut started = Vec::new();
        for_each_inst(program, |caller, block, inst, kind, in_loop| {
            let add = |targets: Vec<FuncId>, to: &mut Vec<CallSite>| {
                let site = |callee| CallSite { caller, callee, block, inst, in_loop };
                to.extend(targets.into_iter().map(site));
            };
            match kind {
                InstKind::Call { callee: Callee::Direct(f), .. } => add(vec![*f], &mut sites),
                InstKind::Call { callee: Callee::Indirect(pointer), .. } => {
                    add(functions(program, points_to, caller, pointer), &mut sites);
                }
                InstKind::Spawn { function, .. } => {
                    add(functions(program, points_to, caller, function), &mut started);
                }
                _ => {}
            }
        });
        let runs: Vec<&CallSite> = sites.iter().chain(&started).collect();
        let repeated = repeated(program, &runs);
        CallGraph { sites, repeated }
    }

    pub(crate) fn calls_of(&self, callee: FuncId) -> impl Iterator<Item = &CallSite> {
        self.sites.iter().filter(move |s| s.callee == callee)
    }

    pub(crate) fn runs_repeatedly(&self, function: FuncId) -> bool {
        self.repeated[function.index()]
    }
}

/// Twice: from a loop, from two places, or from what runs twice itself. A cycle of calls is reached
/// from outside and from inside, so recursion is covered.
fn repeated(program: &Program, runs: &[&CallSite]) -> Vec<bool> {
    let mut count = vec![0u32; program.functions.len()];
    count[program.entry.index()] = 1;
    for site in runs {
        count[site.callee.index()] += 1 + u32::from(site.in_loop);
    }
    let mut repeated: Vec<bool> = count.iter().map(|n| *n > 1).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for site in runs {
            if repeated[site.caller.index()] && !repeated[site.callee.index()] {
                repeated[site.callee.index()] = true;
                changed = true;
            }
        }
    }
    repeated
}

fn for_each_inst(program: &Program, mut see: impl FnMut(FuncId, BlockId, usize, &InstKind, bool)) {
    for (i, f) in program.functions.iter().enumerate() {
        let id = FuncId(i as u32);
        let found = loops::loops_of(f, id);
        let looping: FxHashSet<BlockId> = found.iter().flat_map(|l| l.body.clone()).collect();
        for b in Cfg::new(f).order {
            for (n, inst) in f.blocks[b.index()].insts.iter().enumerate() {
                see(id, b, n, &inst.kind, looping.contains(&b));
            }
        }
    }
}

/// The functions that an operand may be the address of; all whose address is taken if it may be
/// anything.
pub fn functions(
    program: &Program,
    points_to: &PointsTo,
    function: FuncId,
    operand: &Operand,
) -> Vec<FuncId> {
    let targets = points_to.targets(function, operand);
    if targets.contains(&Pointee::Unknown) {
        return super::points_to::address_taken(program);
    }
    let only = |place| match place {
        Pointee::Function(f) => Some(f),
        _ => None,
    };
    targets.into_iter().filter_map(only).collect()
}

/// A place that starts threads in a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadStart {
    pub entry: FuncId,
    pub started_in: FuncId,
    pub span: Span,
    /// More than one thread may start here: in a loop, or in a function that runs repeatedly.
    pub repeated: bool,
}

/// By function: does a user's function call one of these, directly or by other functions of the user's?
pub fn users_calling(program: &Program, is_one: impl Fn(&Function) -> bool) -> Vec<bool> {
    let mut calls = vec![false; program.functions.len()];
    loop {
        let gets = |f: &Function| {
            let mut insts = f.blocks.iter().flat_map(|b| &b.insts);
            f.origin == Origin::User
                && insts.any(|inst| match inst.kind {
                    InstKind::Call { callee: Callee::Direct(g), .. } => {
                        calls[g.index()] || is_one(&program.functions[g.index()])
                    }
                    _ => false,
                })
        };
        let new: Vec<bool> = program.functions.iter().map(gets).collect();
        if new == calls {
            return calls;
        }
        calls = new;
    }
}

/// Where threads start, by place in the program; the first thread is not among them.
pub fn threads(program: &Program) -> Vec<ThreadStart> {
    let points_to = PointsTo::new(program, Context::Insensitive);
    let graph = CallGraph::new(program, &points_to);
    let mut origins = Vec::new();
    for_each_inst(program, |caller, block, inst, kind, in_loop| {
        if let InstKind::Spawn { function, .. } = kind {
            let at = CallSite { caller, callee: caller, block, inst, in_loop };
            origins.push((at, *function));
        }
    });
    let mut starts = Vec::new();
    let mut seen = FxHashSet::default();
    while let Some((site, operand)) = origins.pop() {
        if !seen.insert((site.caller, site.block, site.inst, operand)) {
            continue;
        }
        let caller = &program.functions[site.caller.index()];
        let callers = match (caller.origin, parameter(caller, operand)) {
            (Origin::Model, Some(n)) => passed(program, &graph, site.caller, n),
            _ => vec![],
        };
        if !callers.is_empty() {
            origins.extend(callers);
            continue;
        }
        for entry in functions(program, &points_to, site.caller, &operand) {
            starts.push(ThreadStart {
                entry,
                started_in: site.caller,
                span: caller.blocks[site.block.index()].insts[site.inst].span,
                repeated: site.in_loop || graph.runs_repeatedly(site.caller),
            });
        }
    }
    let mut starts = behind_trampolines(program, &points_to, starts);
    starts.sort_by_key(|s| (s.started_in, s.span, s.entry));
    starts
}

/// A model may start threads in a function of its own that calls the user's through a pointer.
/// Then those are the threads, if they are not already known from elsewhere.
fn behind_trampolines(
    program: &Program,
    points_to: &PointsTo,
    starts: Vec<ThreadStart>,
) -> Vec<ThreadStart> {
    let is_model = |s: &ThreadStart| program.functions[s.entry.index()].origin == Origin::Model;
    let (trampolines, mut starts): (Vec<_>, Vec<_>) = starts.into_iter().partition(is_model);
    for start in trampolines {
        let insts = program.functions[start.entry.index()].blocks.iter().flat_map(|b| &b.insts);
        let called = insts.flat_map(|i| match &i.kind {
            InstKind::Call { callee: Callee::Indirect(pointer), .. } => {
                functions(program, points_to, start.entry, pointer)
            }
            _ => vec![],
        });
        let called: Vec<FuncId> = called.collect();
        if called.is_empty() {
            starts.push(start);
            continue;
        }
        for entry in called {
            if !starts.iter().any(|s| s.entry == entry) {
                starts.push(ThreadStart { entry, ..start.clone() });
            }
        }
    }
    starts
}

/// The number of the parameter that the operand is a copy of.
fn parameter(function: &Function, operand: Operand) -> Option<usize> {
    let mut operand = operand;
    for _ in 0..8 {
        let Operand::Reg(reg) = operand else { return None };
        let insts = function.blocks.iter().flat_map(|b| &b.insts);
        let mut writes = insts.filter(|i| ir::walk::defined(&i.kind) == Some(reg));
        match (writes.next().map(|i| &i.kind), writes.next()) {
            (None, _) => return function.params.iter().position(|p| *p == reg),
            (
                Some(InstKind::Assign { value: Rvalue::Use(a) | Rvalue::Cast { a, .. }, .. }),
                None,
            ) => {
                operand = *a;
            }
            _ => return None,
        }
    }
    None
}

/// What each call of `callee` passes for parameter `n`.
fn passed(
    program: &Program,
    graph: &CallGraph,
    callee: FuncId,
    n: usize,
) -> Vec<(CallSite, Operand)> {
    let arg = |site: &CallSite| {
        let caller = &program.functions[site.caller.index()];
        match &caller.blocks[site.block.index()].insts[site.inst].kind {
            InstKind::Call { args, .. } => Some((*site, *args.get(n)?)),
            _ => None,
        }
    };
    graph.calls_of(callee).filter_map(arg).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::testing::parse;

    const PROGRAM: &str = "global table = &late
        model create(pt, pf, pa) {
        a: pg = pf
        t = spawn pg pa
        store pt t
        ret 0
        }
        fn worker(pa) {
        a: ret 0
        }
        fn late(pa) {
        a: ret 0
        }
        fn more() {
        a: p = load @table
        r = call create(0, p, 0)
        ret
        }
        fn main(n) {
        a: r = call create(0, &worker, 0)
        goto l
        l: r = call more()
        if n l o
        o: t = spawn &late 0
        ret
        }";

    #[test]
    fn threads_are_told_where_the_user_starts_them() {
        let p = parse(PROGRAM);
        let name = |f: FuncId| p.functions[f.index()].name.as_str();
        let starts = threads(&p);
        let told: Vec<_> = starts
            .iter()
            .map(|s| (name(s.entry), name(s.started_in), s.span.line, s.repeated))
            .collect();
        assert_eq!(
            told,
            [
                ("late", "more", 16, true),
                ("worker", "main", 20, false),
                ("late", "main", 24, false),
            ]
        );
    }

    #[test]
    fn trampolines_are_looked_through() {
        let p = parse(
            "global pf
             model run(pa) {
             a: p = load @pf
             t = call p(pa)
             ret t
             }
             fn worker(pa) {
             a: ret 0
             }
             fn main() {
             a: store @pf &worker
             t = spawn &run 0
             ret
             }",
        );
        let starts = threads(&p);
        assert_eq!(starts.iter().map(|s| s.entry).collect::<Vec<_>>(), [FuncId(1)]);
    }

    #[test]
    fn recursion_repeats() {
        let p = parse(
            "fn f(n) {
             a: if n b c
             b: t = call f(0)
             ret
             c: ret
             }
             fn g() {
             a: ret
             }
             fn main() {
             a: t = call f(1)
             t = call g()
             ret
             }",
        );
        let graph = CallGraph::new(&p, &PointsTo::new(&p, Context::Insensitive));
        let repeated: Vec<bool> = (0..3).map(|f| graph.runs_repeatedly(FuncId(f))).collect();
        assert_eq!(repeated, [true, false, false]);
    }
}
