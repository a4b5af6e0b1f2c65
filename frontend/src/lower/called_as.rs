//! Calls of a function as one of another type, which C leaves undefined (C11 6.5.2.2p9).
//!
//! Where machines agree on what happens, that is what happens, as an assumption of the verdict: numbers and pointers
//! of one size are the same, arguments too many are dropped, and a number that is too wide loses its high bits. What
//! else differs (an argument that is missing, or too narrow, a float for a number, a struct for a pointer) is not
//! modelled where such a call is reached. The types of a call are told by the lowering (`Linkage::calls`, by the
//! number that the instruction has until the program is numbered); who is called by points-to analysis.
//!
//! Nothing is said of a function that is defined with `()` and called with arguments (many start threads so), and of
//! what pointers point to if a model of the library calls.
//!
//! Cost: a points-to analysis if a function whose address is taken differs from any call through a pointer.

use super::linkage::{Signature, adapt_call};
use analysis::callgraph;
use analysis::points_to::{Context, PointsTo, address_taken};
use ir::types::{FunctionType, Scalar, Type, TypeId, Types};
use ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

const ASSUMPTION: &str = "a function is called as one of another type, and machines agree what that does; C leaves it undefined";

/// What the lowering knows of calls.
#[derive(Default)]
pub struct CallTypes {
    /// By the number of the instruction: the function as the caller sees it. Where it sees no prototype, with the
    /// types of the arguments.
    calls: Vec<(FunctionType, Origin)>,
    numbers: FxHashMap<(FunctionType, bool), u32>,
    /// What functions with a body are.
    definitions: FxHashMap<FuncId, FunctionType>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fit {
    Same,
    /// Machines agree; values may lose their high bits.
    Agreed,
    Refused,
}

impl CallTypes {
    pub fn define(&mut self, id: FuncId, ty: FunctionType) {
        self.definitions.insert(id, ty);
    }

    pub fn number(&mut self, ty: FunctionType, origin: Origin) -> InstId {
        let key = (ty, origin == Origin::User);
        let next = self.calls.len() as u32;
        let number = *self.numbers.entry(key.clone()).or_insert(next);
        if number == next {
            self.calls.push((key.0, origin));
        }
        InstId(number)
    }

    /// How a call fits a function.
    pub(super) fn fit(&self, types: &Types, call: InstId, callee: FuncId) -> Fit {
        let Some((called, origin)) = self.calls.get(call.index()) else { return Fit::Same };
        let Some(defined) = self.definitions.get(&callee) else { return Fit::Same };
        fit(types, called, defined, *origin == Origin::User)
    }

    pub(super) fn is_user(&self, call: InstId) -> bool {
        self.calls.get(call.index()).is_some_and(|(_, origin)| *origin == Origin::User)
    }
}

fn fit(types: &Types, called: &FunctionType, defined: &FunctionType, user: bool) -> Fit {
    let judge = Judge { types, user };
    let open = !defined.prototyped && defined.params.is_empty();
    if called.variadic != defined.variadic || called.params.len() < defined.params.len() {
        return Fit::Refused;
    }
    let mut worst = judge.result(called.ret, defined.ret);
    let mut see = |fit: Fit| match (worst, fit) {
        (Fit::Refused, _) | (_, Fit::Refused) => worst = Fit::Refused,
        (Fit::Same, fit) => worst = fit,
        (Fit::Agreed, _) => {}
    };
    for (&given, &wanted) in called.params.iter().zip(&defined.params) {
        // Arguments of an old definition arrive promoted.
        let promoted = !defined.prototyped && judge.is_promoted(given, wanted);
        see(if promoted { Fit::Same } else { judge.value(given, wanted) });
    }
    if called.params.len() > defined.params.len() && !open && !called.variadic {
        see(Fit::Agreed);
    }
    worst
}

struct Judge<'t> {
    types: &'t Types,
    /// The call is the user's: what pointers point to counts.
    user: bool,
}

impl Judge<'_> {
    fn result(&self, called: TypeId, defined: TypeId) -> Fit {
        let is_void = |ty| matches!(self.types.get(ty), Type::Void);
        match (is_void(called), is_void(defined)) {
            (true, true) => Fit::Same,
            (true, false) if self.types.scalar(defined).is_some() => Fit::Agreed,
            // A result that is not there may be anything.
            (false, true) if self.types.scalar(called).is_some() => Fit::Agreed,
            // What starts threads calls functions of C11 as those of POSIX.
            (false, false) if !self.user && self.is_number(called) && self.is_number(defined) => {
                Fit::Same
            }
            _ => self.value(defined, called),
        }
    }

    fn is_number(&self, ty: TypeId) -> bool {
        matches!(self.types.scalar(ty), Some(Scalar::Int { .. } | Scalar::Ptr))
    }

    /// A value of one type is taken for one of another.
    fn value(&self, from: TypeId, to: TypeId) -> Fit {
        let (from, to) = (self.types.strip_atomic(from), self.types.strip_atomic(to));
        if self.is_same(from, to) {
            return Fit::Same;
        }
        let (Some(a), Some(b)) = (self.types.scalar(from), self.types.scalar(to)) else {
            return Fit::Refused;
        };
        if !self.is_number(from) || !self.is_number(to) || matches!(self.types.get(to), Type::Bool)
        {
            return Fit::Refused;
        }
        if !self.user && a == Scalar::Ptr && b == Scalar::Ptr {
            return Fit::Same;
        }
        let bits = |scalar: Scalar| scalar.bits(self.types.machine);
        if bits(a) < bits(b) { Fit::Refused } else { Fit::Agreed }
    }

    /// Compatible, qualifiers aside; records of two files go by their tags.
    fn is_same(&self, a: TypeId, b: TypeId) -> bool {
        let types = self.types;
        match (types.get(a), types.get(b)) {
            (Type::Pointer(a), Type::Pointer(b)) => self.is_same(*a, *b),
            (Type::Record(r), Type::Record(s)) => {
                let (r, s) = (types.record(*r), types.record(*s));
                let size = |layout: &Option<types::Layout>| layout.as_ref().map(|l| l.size);
                let sizes = (size(&r.layout), size(&s.layout));
                let fits = sizes.0 == sizes.1 || sizes.0.is_none() || sizes.1.is_none();
                r.union == s.union && r.tag == s.tag && fits
            }
            _ => types.compatible(a, b) || types.alike(a, b),
        }
    }

    /// Does a caller without a prototype give a `char`, `short` or `float` as what it promotes to?
    fn is_promoted(&self, given: TypeId, wanted: TypeId) -> bool {
        match (self.types.get(given), self.types.get(wanted)) {
            (Type::Double, Type::Float) => true,
            (Type::Int { .. }, Type::Int { .. } | Type::Bool) => {
                let bits = |ty| self.types.scalar(ty).map(|s| s.bits(self.types.machine));
                bits(given) == Some(32) && bits(wanted) < Some(32)
            }
            _ => false,
        }
    }
}

pub(super) fn refusal(name: &str) -> InstKind {
    InstKind::Unsupported { what: format!("a call of `{name}` as a function of another type") }
}

/// Answers calls through pointers, and says what is assumed. `agreed`: of direct calls.
pub(super) fn settle(
    program: &mut Program,
    calls: &CallTypes,
    signatures: &[Signature],
    agreed: Vec<Span>,
) {
    let mut agreed: FxHashSet<Span> = agreed.into_iter().collect();
    let taken = address_taken(program);
    if may_differ(program, calls, &taken) {
        let points_to = &PointsTo::new(program, Context::Insensitive);
        let mut splitter = CallSplitter { calls, signatures, points_to, agreed };
        for f in 0..program.functions.len() {
            for block in 0..program.functions[f].blocks.len() {
                splitter.split_block(program, (f, block));
            }
        }
        agreed = splitter.agreed;
    }
    let mut agreed: Vec<Span> = agreed.into_iter().collect();
    agreed.sort_unstable();
    program.ignored.extend(agreed.into_iter().map(|span| (ASSUMPTION.to_owned(), span)));
}

/// Before it is known who calls whom.
fn may_differ(program: &Program, calls: &CallTypes, taken: &[FuncId]) -> bool {
    let insts = program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
    let mut seen = FxHashSet::default();
    let types = &program.types;
    insts.into_iter().any(|inst| match inst.kind {
        InstKind::Call { callee: Callee::Indirect(_), .. } => {
            seen.insert(inst.id) && taken.iter().any(|&f| calls.fit(types, inst.id, f) != Fit::Same)
        }
        InstKind::Spawn { .. } => taken.iter().any(|&f| starts(types, calls, f) != Fit::Same),
        _ => false,
    })
}

/// How a function does as the first one of a thread: `void *f(void *)` does, and `int f(void *)`.
fn starts(types: &Types, calls: &CallTypes, callee: FuncId) -> Fit {
    let Some(defined) = calls.definitions.get(&callee) else { return Fit::Same };
    let judge = Judge { types, user: false };
    if defined.variadic || defined.params.len() > 1 {
        return Fit::Refused;
    }
    let number = |ty: &TypeId| judge.is_number(*ty) && !matches!(types.get(*ty), Type::Bool);
    let is_void = matches!(types.get(defined.ret), Type::Void);
    if !defined.params.iter().all(number) || !is_void && !number(&defined.ret) {
        return Fit::Refused;
    }
    let pointer = |ty: &TypeId| matches!(types.get(*ty), Type::Pointer(_));
    let open = defined.params.is_empty() && !defined.prototyped;
    let same =
        !is_void && (open || defined.params.len() == 1 && defined.params.iter().all(pointer));
    if same { Fit::Same } else { Fit::Agreed }
}

/// Calls through pointers become tests of the pointer where functions differ from their calls.
struct CallSplitter<'a> {
    calls: &'a CallTypes,
    signatures: &'a [Signature],
    points_to: &'a PointsTo,
    /// Where what machines agree on is assumed.
    agreed: FxHashSet<Span>,
}

impl CallSplitter<'_> {
    /// Splits the block at calls that need it.
    fn split_block(&mut self, program: &mut Program, (f, mut block): (usize, usize)) {
        let mut at = 0;
        while let Some(inst) = program.functions[f].blocks[block].insts.get(at) {
            let inst = inst.clone();
            let others = self.called_as_another(program, FuncId(f as u32), &inst);
            (block, at) = match self.split(program, (f, block, at), &inst, others) {
                Some(behind) => (behind, 0),
                None => (block, at + 1),
            };
        }
    }

    /// The functions that the instruction may call or start and that are of another type.
    fn called_as_another(
        &mut self,
        program: &Program,
        f: FuncId,
        inst: &Inst,
    ) -> Vec<(FuncId, Fit)> {
        let Some(pointer) = called_pointer(inst) else { return Vec::new() };
        let starts_thread = matches!(inst.kind, InstKind::Spawn { .. });
        let fit = |callee| match starts_thread {
            true => starts(&program.types, self.calls, callee),
            false => self.calls.fit(&program.types, inst.id, callee),
        };
        let callees = callgraph::functions(program, self.points_to, f, &pointer).into_iter();
        let others: Vec<_> =
            callees.map(|f| (f, fit(f))).filter(|(_, fit)| *fit != Fit::Same).collect();
        let of_user = !starts_thread && self.calls.is_user(inst.id);
        for (callee, _) in others.iter().filter(|(_, fit)| *fit == Fit::Agreed) {
            let defined = program.functions[callee.index()].span;
            self.agreed.insert(if of_user { inst.span } else { defined });
        }
        others
    }

    /// A branch for each of the functions. The block behind the instruction, if there is any.
    fn split(
        &self,
        program: &mut Program,
        (f, mut block, mut at): (usize, usize, usize),
        inst: &Inst,
        others: Vec<(FuncId, Fit)>,
    ) -> Option<usize> {
        let pointer = called_pointer(inst)?;
        let mut behind = None;
        for (callee, fit) in others {
            let special = |f: &mut Function, types: &mut Types| match fit {
                Fit::Refused => {
                    vec![Inst::new(refusal(&self.signatures[callee.index()].name), inst.span)]
                }
                Fit::Same | Fit::Agreed => self.adapted(f, types, inst.clone(), callee),
            };
            let new = branch(program, (f, block, at), pointer, callee, special);
            (block, at) = (new.otherwise, 0);
            behind.get_or_insert(new.behind);
            let has_result = self.signatures[callee.index()].ret.is_some();
            if matches!(inst.kind, InstKind::Spawn { .. }) && !has_result {
                leave_anything(&mut program.functions[callee.index()]);
            }
        }
        behind
    }

    /// The instruction with this function in the place of the pointer.
    fn adapted(
        &self,
        f: &mut Function,
        types: &mut Types,
        mut inst: Inst,
        callee: FuncId,
    ) -> Vec<Inst> {
        let (mut before, span) = (Vec::new(), inst.span);
        match &mut inst.kind {
            InstKind::Call { callee: called, .. } => *called = Callee::Direct(callee),
            InstKind::Spawn { arg, .. } => {
                let wanted = self.signatures[callee.index()].params.first();
                *arg = narrowed(f, types, *arg, wanted, span, &mut before);
            }
            _ => {}
        }
        adapt_call(f, types, self.signatures, inst, &mut before);
        before
    }
}

/// The pointer to the function that it calls or starts.
fn called_pointer(inst: &Inst) -> Option<Operand> {
    match &inst.kind {
        InstKind::Call { callee: Callee::Indirect(pointer), .. } => Some(*pointer),
        InstKind::Spawn { function, .. } => Some(*function),
        _ => None,
    }
}

/// A thread whose function has no result ends with anything.
fn leave_anything(f: &mut Function) {
    if f.ret.replace(Scalar::Ptr).is_some() {
        return;
    }
    let dst = Reg(f.regs.len() as u32);
    f.regs.push(RegInfo { of: None, name: None, ty: Scalar::Ptr, span: f.span });
    for block in f.blocks.iter_mut().filter(|b| matches!(b.end, Terminator::Return(None))) {
        let value = Rvalue::Undef(Scalar::Ptr);
        block.insts.push(Inst::new(InstKind::Assign { dst, value }, block.end_span));
        block.end = Terminator::Return(Some(Operand::Reg(dst)));
    }
}

/// The low bits of an argument, if the thread's function looks at no more.
fn narrowed(
    f: &mut Function,
    types: &Types,
    arg: Operand,
    wanted: Option<&Scalar>,
    span: Span,
    before: &mut Vec<Inst>,
) -> Operand {
    let machine = types.machine;
    let Some(&wanted) = wanted.filter(|s| s.bits(machine) < Scalar::Ptr.bits(machine)) else {
        return arg;
    };
    let mut cast = |from: Scalar, to: Scalar, a: Operand| {
        let dst = Reg(f.regs.len() as u32);
        f.regs.push(RegInfo { of: None, name: None, ty: to, span });
        before.push(Inst::new(InstKind::Assign { dst, value: Rvalue::Cast { from, to, a } }, span));
        Operand::Reg(dst)
    };
    let unsigned = Scalar::Int { bits: wanted.bits(machine), signed: false };
    let low = cast(Scalar::Ptr, unsigned, arg);
    cast(unsigned, Scalar::Ptr, low)
}

/// Where a block has gone that was split.
struct Split {
    /// The instruction alone.
    otherwise: usize,
    behind: usize,
}

/// `if (pointer == callee) special; else` the instruction that was there.
fn branch(
    program: &mut Program,
    (f, block, at): (usize, usize, usize),
    pointer: Operand,
    callee: FuncId,
    special: impl FnOnce(&mut Function, &mut Types) -> Vec<Inst>,
) -> Split {
    let function = &mut program.functions[f];
    let special = special(function, &mut program.types);
    let place = function.blocks[block].at(at).span;
    let behind = function.split_block(block, at + 1);
    let old = function.blocks[block].insts.split_off(at);
    let then = function.add_block(Block::new(special, Terminator::Goto(behind), place));
    let otherwise = function.add_block(Block::new(old, Terminator::Goto(behind), place));
    let cond = Reg(function.regs.len() as u32);
    function.regs.push(RegInfo { of: None, name: None, ty: Scalar::I32, span: place });
    let value = Rvalue::Binary {
        op: BinOp::Eq,
        ty: Scalar::Ptr,
        a: pointer,
        b: Operand::Function(callee),
        checked: true,
    };
    let tested = &mut function.blocks[block];
    tested.insts.push(Inst::new(InstKind::Assign { dst: cond, value }, place));
    tested.end = Terminator::Branch { cond: Operand::Reg(cond), then, otherwise };
    tested.end_span = place;
    Split { otherwise: otherwise.index(), behind: behind.index() }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{function, has, hasnt, program};

    /// What `main` becomes if it calls `f` as `as_type`, and whether that is an assumption.
    fn called(f: &str, as_type: &str, call: &str) -> (String, bool) {
        let text = format!(
            "{f} typedef {as_type}; T *p; int main(void) {{ p = (T *)f; {call}; return 0; }}"
        );
        let p = program(&text);
        (function(&p, "main"), p.ignored.iter().any(|(what, _)| what == super::ASSUMPTION))
    }

    #[test]
    fn calls_of_the_same_type_are_left_alone() {
        for (f, as_type, call) in [
            ("int f(int x) { return x; }", "int T(int)", "p(1)"),
            ("int f(int x) { return x; }", "int T()", "p(1)"),
            ("int f(x) char x; { return x; }", "int T()", "p(1)"),
            ("int f() { return 1; }", "int T(int)", "p(1)"),
            ("int f(const char *s) { return *s; }", "int T(char *)", "p(\"\")"),
            (
                "struct s { int a; }; int f(struct s s) { return s.a; }",
                "int T(struct s)",
                "struct s s = {1}; p(s)",
            ),
            ("int f(int x, ...) { return x; }", "int T(int, ...)", "p(1, 2)"),
            ("enum e { A }; int f(enum e x) { return x; }", "int T(enum e)", "p(A)"),
        ] {
            let (text, assumed) = called(f, as_type, call);
            assert!(!assumed, "{f}");
            hasnt(&text, &["unsupported"]);
        }
    }

    #[test]
    fn what_machines_agree_on_is_assumed() {
        for (f, as_type, call, becomes) in [
            ("int f(int x) { return x; }", "int T(unsigned)", "p(1)", "call f(1)"),
            ("int f(int x) { return x; }", "int T(long)", "p(1)", "cast i64 to i32"),
            ("long f(int x) { return x; }", "int T(int)", "p(1)", "cast i64 to i32"),
            ("int f(int *x) { return *x; }", "int T(long *)", "p(0)", "call f(null)"),
            ("int f(void) { return 1; }", "int T(int)", "p(1)", "call f(1)"),
            ("int f(int x) { return x; }", "void T(int)", "p(1)", "call f(1)"),
            ("void f(int x) {}", "int T(int)", "p(1)", "undef i32"),
        ] {
            let (text, assumed) = called(f, as_type, call);
            assert!(assumed, "{f}");
            has(&text, &[becomes]);
            hasnt(&text, &["unsupported"]);
        }
    }

    #[test]
    fn what_machines_do_not_agree_on_is_refused() {
        for (f, as_type, call) in [
            ("int f(long x) { return x; }", "int T(int)", "p(1)"),
            ("int f(int x) { return x; }", "long T(int)", "p(1)"),
            ("int f(double x) { return x; }", "int T(int)", "p(1)"),
            ("int f(float x) { return x; }", "int T()", "p(1.0f)"),
            ("double f(int x) { return x; }", "int T(int)", "p(1)"),
            ("int f(int x, int y) { return y; }", "int T(int)", "p(1)"),
            ("struct s { int a; }; int f(struct s s) { return s.a; }", "int T(int *)", "p(0)"),
            (
                "struct s { int a; }; struct s f(void) { struct s s = {1}; return s; }",
                "int T(void)",
                "p()",
            ),
            ("int f(int x, ...) { return x; }", "int T(int)", "p(1)"),
        ] {
            let (text, _) = called(f, as_type, call);
            has(&text, &["eq ptr", "unsupported", "as a function of another type"]);
        }
        let p = program(
            "int f(double x) { return x; } int main(void) { return ((int (*)(int))f)(1); }",
        );
        has(&function(&p, "main"), &["unsupported"]);
    }

    #[test]
    fn threads_start_in_functions_of_other_types() {
        let start = |f: &str| {
            let text = format!(
                "{f} int pthread_create(unsigned long *, void *, void *(*)(void *), void *);
                 int main(void) {{ unsigned long t; pthread_create(&t, 0, (void *(*)(void *))f, 0); return 0; }}"
            );
            let p = program(&text);
            let refused = ir::print::program(&p).contains("as a function of another type");
            (p.ignored.iter().any(|(what, _)| what == super::ASSUMPTION), refused)
        };
        assert_eq!(start("void *f(void *x) { return x; }"), (false, false));
        assert_eq!(start("void *f() { return 0; }"), (false, false));
        assert_eq!(start("void *f(void) { return 0; }"), (true, false));
        assert_eq!(start("void f(void *x) {}"), (true, false));
        assert_eq!(start("void *f(int x) { return 0; }"), (true, false));
        assert_eq!(start("void *f(double x) { return 0; }"), (false, true));
    }
}
