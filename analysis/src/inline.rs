//! Inlining of direct calls, for engines that want a thread to be one graph.
//!
//! The callee's blocks are copied into the caller with registers and slots of their own. Slots that
//! are still live at a return end there, as a frame's would. A call chain that would enter a
//! function for more than `depth` times at once is cut with `Stop::Bound`. Ways that do not return
//! (`exit`, `pthread_exit`, `abort`) are copied as they are: the thread ends in both forms.
//!
//! Spans stay those of the callee, so a trace still tells a model from the user's code by the file
//! of the span. Calls stay calls where the callee has no body, is not known, or uses `alloca`
//! (whose blocks end with a frame), and where the caller would become too large.

use ir::types::{Scalar, Type, TypeId};
use ir::walk;
use ir::*;
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct Limits {
    /// How often a function may stand on the chain of calls; 1 allows no recursion.
    pub depth: u32,
    /// Blocks that one function may grow to.
    pub max_blocks: usize,
}

/// A caller that grows beyond this keeps its calls.
const MOST_BLOCKS_WITH_PARTS: usize = 400;

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: 2, max_blocks: 2_000_000 }
    }
}

/// Inlines all calls of the functions in `roots`. The recursive calls that were cut are appended to
/// `Program::loops`.
pub fn inline(program: &mut Program, roots: &[FuncId], limits: &Limits) {
    let mut loops = std::mem::take(&mut program.loops);
    let mut cuts = Cuts { loops: &mut loops, index: FxHashMap::default() };
    // Every root takes in functions as they were, not as an earlier root has become.
    let inline_one = |root: &FuncId| {
        let mut inliner = Inliner::new(program, *root, limits, &|_| true, &mut cuts);
        inliner.run();
        inliner.out
    };
    let whole: Vec<_> = roots.iter().map(inline_one).collect();
    for (root, function) in roots.iter().zip(whole) {
        program.functions[root.index()] = function;
    }
    program.loops = loops;
    hollow_out(program, roots);
}

/// Inlines these functions, which must not repeat anything, into all others that call them.
pub fn inline_parts(program: &mut Program, is_part: &dyn Fn(FuncId) -> bool) {
    let mut loops = Vec::new();
    let mut cuts = Cuts { loops: &mut loops, index: FxHashMap::default() };
    let limits = Limits { depth: 1, max_blocks: MOST_BLOCKS_WITH_PARTS };
    let calls = |f: &Function| {
        let mut insts = f.blocks.iter().flat_map(|b| &b.insts);
        insts.any(
            |i| matches!(i.kind, InstKind::Call { callee: Callee::Direct(f), .. } if is_part(f)),
        )
    };
    let inlined = |id: FuncId| {
        let caller = &program.functions[id.index()];
        (!is_part(id) && calls(caller)).then(|| {
            let mut inliner = Inliner::new(program, id, &limits, is_part, &mut cuts);
            inliner.run();
            (id, inliner.out)
        })
    };
    let ids = (0..program.functions.len() as u32).map(FuncId);
    let whole: Vec<(FuncId, Function)> = ids.filter_map(inlined).collect();
    for (id, function) in whole {
        program.functions[id.index()] = function;
    }
}

/// Where no call is left, only the roots ever run: later passes need not look at the others.
fn hollow_out(program: &mut Program, roots: &[FuncId]) {
    let enters = |inst: &Inst| match &inst.kind {
        InstKind::Call { callee: Callee::Direct(f), .. } => program.functions[f.index()].has_body(),
        InstKind::Call { callee: Callee::Indirect(_), .. } => true,
        _ => false,
    };
    let blocks = roots.iter().flat_map(|r| &program.functions[r.index()].blocks);
    if blocks.flat_map(|b| &b.insts).any(enters) {
        return;
    }
    for (i, function) in program.functions.iter_mut().enumerate() {
        if function.has_body() && !roots.contains(&FuncId(i as u32)) {
            let end = Terminator::Stop(Stop::Unreachable);
            let at = function.blocks[0].at(0);
            function.blocks = vec![Block::new(vec![], end, at)];
        }
    }
}

/// Recursive calls that were cut, one entry for each called function.
struct Cuts<'a> {
    loops: &'a mut Vec<NamedLoop>,
    index: FxHashMap<FuncId, LoopId>,
}

impl Cuts<'_> {
    fn id(&mut self, program: &Program, callee: FuncId, span: Span) -> LoopId {
        let loops = &mut *self.loops;
        *self.index.entry(callee).or_insert_with(|| {
            let name = format!("{}.recursion", program.functions[callee.index()].name);
            loops.push(NamedLoop { name, span, kind: Repetition::Recursion });
            LoopId(loops.len() as u32 - 1)
        })
    }
}

/// A link of the chain of inlined calls that a block belongs to.
struct Link {
    function: FuncId,
    outer: Option<usize>,
}

struct Inliner<'a, 'l> {
    program: &'a Program,
    limits: &'a Limits,
    is_wanted: &'a dyn Fn(FuncId) -> bool,
    cuts: &'a mut Cuts<'l>,
    out: Function,
    chain: Vec<Link>,
    /// The link of each block of `out`.
    link: Vec<usize>,
}

impl<'a, 'l> Inliner<'a, 'l> {
    fn new(
        program: &'a Program,
        root: FuncId,
        limits: &'a Limits,
        is_wanted: &'a dyn Fn(FuncId) -> bool,
        cuts: &'a mut Cuts<'l>,
    ) -> Inliner<'a, 'l> {
        let out = program.functions[root.index()].clone();
        let link = vec![0; out.blocks.len()];
        let chain = vec![Link { function: root, outer: None }];
        Inliner { program, limits, is_wanted, cuts, out, chain, link }
    }

    /// New blocks are looked at in their turn, so nothing here recurses.
    fn run(&mut self) {
        let mut block = 0;
        while block < self.out.blocks.len() {
            if let Some((at, callee)) = self.first_call(block) {
                self.expand(block, at, callee);
            }
            block += 1;
        }
    }

    fn first_call(&self, block: usize) -> Option<(usize, FuncId)> {
        let insts = self.out.blocks[block].insts.iter().enumerate();
        insts.into_iter().find_map(|(i, inst)| match inst.kind {
            InstKind::Call { callee: Callee::Direct(f), .. } if self.can_inline(f) => Some((i, f)),
            _ => None,
        })
    }

    fn can_inline(&self, id: FuncId) -> bool {
        let f = &self.program.functions[id.index()];
        let grown = self.out.blocks.len() + f.blocks.len();
        f.has_body() && (self.is_wanted)(id) && !uses_alloca(f) && grown < self.limits.max_blocks
    }

    /// Splits the block at the call and puts a copy of the callee, or a cut, in between.
    fn expand(&mut self, block: usize, at: usize, callee: FuncId) {
        let mut tail = self.out.blocks[block].insts.split_off(at);
        let call = tail.remove(0);
        let InstKind::Call { dst, args, .. } = call.kind else { return };
        let end = std::mem::replace(&mut self.out.blocks[block].end, Terminator::Return(None));
        let end_at = self.out.blocks[block].end_at();
        (self.out.blocks[block].end_span, self.out.blocks[block].end_id) = (call.span, call.id);
        if self.depth(self.link[block], callee) >= self.limits.depth {
            let id = self.cuts.id(self.program, callee, call.span);
            self.out.blocks[block].end = Terminator::Stop(Stop::Bound(id));
            return;
        }
        let after = self.push(Block::new(tail, end, end_at), self.link[block]);
        let entry = BlockId(after.0 + 1);
        let renaming = self.rename(callee);
        self.tell_purpose(dst, &renaming);
        self.pass_arguments(block, &renaming, &args, At { id: call.id, span: call.span });
        self.out.blocks[block].end = Terminator::Goto(entry);
        self.chain.push(Link { function: callee, outer: Some(self.link[block]) });
        self.copy(entry, after, dst, &renaming, call.span);
    }

    fn push(&mut self, block: Block, link: usize) -> BlockId {
        self.out.blocks.push(block);
        self.link.push(link);
        BlockId(self.out.blocks.len() as u32 - 1)
    }

    /// How often the function stands on the chain.
    fn depth(&self, link: usize, function: FuncId) -> u32 {
        let mut count = 0;
        let mut at = Some(link);
        while let Some(i) = at {
            count += u32::from(self.chain[i].function == function);
            at = self.chain[i].outer;
        }
        count
    }

    fn rename(&mut self, callee: FuncId) -> Renaming<'a> {
        let function = &self.program.functions[callee.index()];
        let (regs, slots) = (self.out.regs.len() as u32, self.out.slots.len() as u32);
        self.out.regs.extend(function.regs.iter().cloned());
        self.out.slots.extend(function.slots.iter().cloned());
        Renaming { function, regs, slots }
    }

    /// What the caller makes of the result is told to what the callee returns: readers want to know what a
    /// block of the heap is for, and there will be no call to look at. A callee that makes something of its own
    /// of it knows better, unless that is bytes, which an allocator gives.
    fn tell_purpose(&mut self, dst: Option<Reg>, new: &Renaming) {
        let Some(dst) = dst else { return };
        let RegInfo { of: Some(purpose), name: None, .. } = self.out.regs[dst.index()] else {
            return;
        };
        let types = &self.program.types;
        let pointee = |ty: TypeId| match types.get(types.strip_atomic(ty)) {
            Type::Pointer(to) => Some(to.bare()),
            _ => None,
        };
        if pointee(purpose).is_none() {
            return;
        }
        let vague =
            |ty: TypeId| pointee(ty).is_none_or(|to| matches!(types.size(to), None | Some(1)));
        for reg in returned(new.function) {
            let info = &mut self.out.regs[new.reg(reg).index()];
            if info.name.is_none() && info.ty == Scalar::Ptr && info.of.is_none_or(vague) {
                info.of = Some(purpose);
            }
        }
    }

    /// Missing arguments are arbitrary, surplus ones are dropped. All arguments are registers of
    /// the caller, all parameters of the callee, so the order of the assignments does not matter.
    fn pass_arguments(&mut self, block: usize, new: &Renaming, args: &[Operand], at: At) {
        for (i, param) in new.function.params.iter().enumerate() {
            let dst = new.reg(*param);
            let value = match args.get(i) {
                Some(arg) => self.converted(arg, dst),
                None => Rvalue::Undef(self.out.regs[dst.index()].ty),
            };
            let kind = InstKind::Assign { dst, value };
            self.out.blocks[block].insts.push(Inst::new(kind, at));
        }
    }

    /// The operand in the width of a register: calls need not agree with definitions.
    fn converted(&self, operand: &Operand, dst: Reg) -> Rvalue {
        let from = walk::operand_type(&self.out, operand);
        let to = self.out.regs[dst.index()].ty;
        let machine = self.program.machine;
        match from.bits(machine) == to.bits(machine) && from.is_float() == to.is_float() {
            true => Rvalue::Use(*operand),
            false => Rvalue::Cast { from, to, a: *operand },
        }
    }

    fn copy(
        &mut self,
        entry: BlockId,
        after: BlockId,
        dst: Option<Reg>,
        new: &Renaming,
        call: Span,
    ) {
        let link = self.chain.len() - 1;
        for block in &new.function.blocks {
            let mut block = block.clone();
            for inst in &mut block.insts {
                new.inst(&mut inst.kind);
                // A function that is not modelled is written nowhere: its call is the place.
                if inst.span == Span::NONE && matches!(inst.kind, InstKind::Unsupported { .. }) {
                    inst.span = call;
                }
            }
            if let Some(operand) = walk::end_operand_mut(&mut block.end) {
                new.operand(operand);
            }
            for target in walk::targets_mut(&mut block.end) {
                *target = BlockId(target.0 + entry.0);
            }
            if let Terminator::Return(value) = block.end {
                self.leave(&mut block, value, dst, new);
                block.end = Terminator::Goto(after);
            }
            self.push(block, link);
        }
    }

    /// What a return does apart from the jump: the value first, it may be read from a register
    /// only, then the ends of the frame's slots.
    fn leave(&self, block: &mut Block, value: Option<Operand>, dst: Option<Reg>, new: &Renaming) {
        let at = block.end_at();
        if let Some(dst) = dst {
            let value = match value {
                Some(value) => self.converted(&value, dst),
                None => Rvalue::Undef(self.out.regs[dst.index()].ty),
            };
            block.insts.push(Inst::new(InstKind::Assign { dst, value }, at));
        }
        for slot in 0..new.function.slots.len() as u32 {
            let kind = InstKind::SlotDead(SlotId(new.slots + slot));
            block.insts.push(Inst::new(kind, at));
        }
    }
}

/// Registers whose value may be returned as it is.
fn returned(function: &Function) -> Vec<Reg> {
    let ends = function.blocks.iter().map(|block| &block.end);
    let mut found: Vec<Reg> = Vec::new();
    for end in ends {
        if let Terminator::Return(Some(Operand::Reg(reg))) = end {
            found.push(*reg);
        }
    }
    let mut at = 0;
    while at < found.len() {
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            if let InstKind::Assign { dst, value: Rvalue::Use(Operand::Reg(from)) } = inst.kind {
                if dst == found[at] && !found.contains(&from) {
                    found.push(from);
                }
            }
        }
        at += 1;
    }
    found
}

fn uses_alloca(function: &Function) -> bool {
    let mut insts = function.blocks.iter().flat_map(|b| &b.insts);
    insts.any(|i| matches!(i.kind, InstKind::Alloc { storage: Storage::Frame, .. }))
}

/// Where the callee's registers and slots start in the caller.
struct Renaming<'a> {
    function: &'a Function,
    regs: u32,
    slots: u32,
}

impl Renaming<'_> {
    fn reg(&self, reg: Reg) -> Reg {
        Reg(reg.0 + self.regs)
    }

    fn operand(&self, operand: &mut Operand) {
        match operand {
            Operand::Reg(r) => *r = self.reg(*r),
            Operand::Slot { slot, .. } => slot.0 += self.slots,
            Operand::Const { .. } | Operand::Object { .. } | Operand::Function(_) => {}
        }
    }

    fn inst(&self, kind: &mut InstKind) {
        walk::operands_mut(kind).into_iter().for_each(|o| self.operand(o));
        if let Some(dst) = walk::defined_mut(kind) {
            *dst = self.reg(*dst);
        }
        if let InstKind::SlotLive(slot)
        | InstKind::SlotDead(slot)
        | InstKind::SlotConst { slot, .. } = kind
        {
            slot.0 += self.slots;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::testing::{End, parse, random_program, run};
    use ir::{print, verify};

    fn inlined(p: &Program, depth: u32) -> (Program, Vec<NamedLoop>) {
        let mut p = p.clone();
        let limits = Limits { depth, ..Limits::default() };
        let entry = p.entry;
        inline(&mut p, &[entry], &limits);
        assert_eq!(verify::program(&p), []);
        let cuts = p.loops.clone();
        (p, cuts)
    }

    fn calls(p: &Program) -> usize {
        print::program(p).split("fn main").nth(1).map_or(0, |t| t.matches("call ").count())
    }

    const CALLS: &str = "global g
        extern unknown()
        fn add(x, y) {
        a: z = x + y
        store @g z
        ret z
        }
        fn twice(x) {
        a: live $s
        t = call add(x, x)
        store $s t
        if t b c
        b: u = load $s
        ret u
        c: stop exit
        }
        fn main(n) {
        a: a = call twice(n)
        b = call twice(a, 5)
        c = call add(b)
        u = call unknown()
        ret b
        }";

    #[test]
    fn calls_in_a_row_and_nested() {
        let p = parse(CALLS);
        let (q, cuts) = inlined(&p, 1);
        assert_eq!(calls(&q), 1, "only the one without a body is left");
        assert!(cuts.is_empty());
        for seed in 0..5 {
            let (a, b) = (run(&p, seed, 1000), run(&q, seed, 1000));
            assert_eq!((a.end, a.stores), (b.end, b.stores));
        }
    }

    #[test]
    fn slots_end_where_the_callee_returns() {
        let (q, _) = inlined(&parse(CALLS), 1);
        let text = print::program(&q);
        let main = text.split("fn main").nth(1).unwrap_or("");
        assert_eq!(main.matches("live $s").count(), 2);
        assert_eq!(main.matches("dead $s").count(), 2);
    }

    #[test]
    fn recursion_is_cut() {
        let p = parse(
            "fn f(n) {
             a: if n b c
             b: m = n - 1
             r = call f(m)
             r = r + n
             ret r
             c: ret 0
             }
             fn main() {
             a: t = call f(3)
             ret t
             }",
        );
        let (q, cuts) = inlined(&p, 4);
        assert_eq!(run(&q, 0, 1000).end, End::Return(6));
        assert_eq!(cuts[0].name, "f.recursion");
        let (q, _) = inlined(&p, 3);
        assert_eq!(run(&q, 0, 1000).end, End::Stop(Stop::Bound(LoopId(0))));
    }

    #[test]
    fn a_call_in_a_loop_keeps_no_state() {
        let p = parse(
            "global g
             fn f(n) {
             a: live $s
             x = load $s
             x = x + n
             store $s x
             ret x
             }
             fn main() {
             a: i = 0
             goto h
             h: x = call f(i)
             store @g x
             i = i + 1
             c = i < 3
             if c h o
             o: ret i
             }",
        );
        let (q, _) = inlined(&p, 1);
        let (a, b) = (run(&p, 0, 1000), run(&q, 0, 1000));
        assert_eq!((a.end, a.stores), (b.end, b.stores));
    }

    #[test]
    fn random_bodies_do_the_same_when_called() {
        for seed in 0..200 {
            let text = random_program(seed).replace("fn main", "fn f")
                + "fn main(n) {\na: x = call f(n, 2)\nstore @g x\ny = call f(x, n)\nret y\n}\n";
            let p = parse(&text);
            let (q, _) = inlined(&p, 1);
            for input in 0..3 {
                let (a, b) = (run(&p, input, 1000), run(&q, input, 1200));
                if a.end != End::Steps {
                    assert_eq!((a.end, a.stores), (b.end, b.stores), "{text}");
                }
            }
        }
    }
}
