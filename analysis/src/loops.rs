//! The loops of each function, nested, with stable names.
//!
//! A loop is a strongly connected component of the control-flow graph; its *head* is the block that
//! a depth-first walk enters first. Taking the head away and looking for components in the rest
//! gives the loops inside. For structured code these are the natural loops (with one head all of
//! its `continue`s are one loop); for a `goto` into a loop we get a loop with several entries, and
//! still every cycle passes through the head of a loop that contains it. That is all that unrolling
//! needs. (Bourdoncle: Efficient chaotic iteration strategies with widenings, 1993.)
//!
//! `number` gives every loop a number and a name `function.N`, where N counts heads in source order. The
//! number stands at the head, and copies of the head keep it, so a loop is the same one in every form
//! of the program. Cost: edges times nesting depth.

use ir::cfg::Cfg;
use ir::{BlockId, FuncId, Function, LoopId, NamedLoop, Origin, Program, Repetition, Span};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInfo {
    /// The same in all forms of a program whose loops were numbered.
    pub id: Option<LoopId>,
    /// `main.0`
    pub name: String,
    pub kind: LoopKind,
    pub function: FuncId,
    pub head: BlockId,
    /// All blocks of the loop, ascending, inner loops included.
    pub body: Vec<BlockId>,
    /// Blocks of the body that jump to the head, ascending.
    pub latches: Vec<BlockId>,
    /// Where the head stands in the source.
    pub span: Span,
    /// The loop around this one, as an index into the program's list.
    pub parent: Option<usize>,
    /// 1 for an outermost loop.
    pub depth: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopKind {
    /// Entered only at its head.
    Natural,
    /// Also entered elsewhere, by a `goto` or a `switch` into it.
    Irreducible,
}

/// Numbers the loops that have no number yet.
pub fn number(program: &mut Program) {
    for info in loops(program).into_iter().filter(|l| l.id.is_none()) {
        let id = id_of(program, &info);
        let function = &mut program.functions[info.function.index()];
        function.blocks[info.head.index()].head_of = Some(id);
    }
}

/// The number of a loop, a new one if it has none.
pub fn id_of(program: &mut Program, info: &LoopInfo) -> LoopId {
    info.id.unwrap_or_else(|| {
        let (name, span) = (info.name.clone(), info.span);
        program.loops.push(NamedLoop { name, span, kind: Repetition::Loop });
        LoopId(program.loops.len() as u32 - 1)
    })
}

/// All loops of the program: by function, then in source order of their heads.
pub fn loops(program: &Program) -> Vec<LoopInfo> {
    let mut all = Vec::new();
    for i in 0..program.functions.len() {
        let base = all.len();
        let mut found = named_loops_of(program, FuncId(i as u32));
        for info in &mut found {
            info.parent = info.parent.map(|p| p + base);
        }
        all.append(&mut found);
    }
    all
}

/// The loops of one function by the names that users know; `parent` counts from its first loop.
pub(crate) fn named_loops_of(program: &Program, id: FuncId) -> Vec<LoopInfo> {
    let mut found = loops_of(&program.functions[id.index()], id);
    take_names(program, &mut found);
    found
}

/// Numbered loops have the names that they were given, others the next ones.
fn take_names(program: &Program, found: &mut [LoopInfo]) {
    for info in found.iter_mut() {
        if let Some(known) = info.id.and_then(|id| program.loops.get(id.index())) {
            info.name = known.name.clone();
        }
    }
    let is_taken = |name: &str| program.loops.iter().any(|l| l.name == name);
    for info in found.iter_mut().filter(|l| l.id.is_none() && is_taken(&l.name)) {
        let function = &program.functions[info.function.index()].name;
        let free = (program.loops.len()..).map(|n| format!("{function}.{n}"));
        info.name = free.into_iter().find(|name| !is_taken(name)).unwrap_or_default();
    }
}

/// The loops that a bound is about. Those of our models end by themselves or wait.
pub fn user_loops(program: &Program) -> Vec<LoopInfo> {
    let of_user = |l: &LoopInfo| program.functions[l.function.index()].origin == Origin::User;
    loops(program).into_iter().filter(of_user).collect()
}

/// The loops of one function; `parent` counts from its first loop, and names are those that it has if
/// it is not numbered.
pub fn loops_of(function: &Function, id: FuncId) -> Vec<LoopInfo> {
    loops_in(function, id, &Cfg::new(function))
}

/// The same, of a function whose graph is known.
pub(crate) fn loops_in(function: &Function, id: FuncId, cfg: &Cfg) -> Vec<LoopInfo> {
    if !cfg.has_cycle() {
        return Vec::new();
    }
    let mut finder = LoopFinder { cfg, level: vec![0; cfg.succs.len()], found: Vec::new() };
    finder.run();
    let mut found = finder.found;
    for info in &mut found {
        info.function = id;
        info.id = function.blocks[info.head.index()].head_of;
        info.span = head_span(function, info.head);
    }
    name_in_source_order(&mut found, function, cfg);
    found
}

/// The first place that the block tells us.
fn head_span(function: &Function, head: BlockId) -> Span {
    let block = &function.blocks[head.index()];
    let spans = block.insts.iter().map(|i| i.span).chain([block.end_span]);
    spans.into_iter().find(|s| s.line > 0).unwrap_or(function.span)
}

fn name_in_source_order(found: &mut Vec<LoopInfo>, function: &Function, cfg: &Cfg) {
    let mut rank: Vec<usize> = (0..found.len()).collect();
    rank.sort_by_key(|&i| (found[i].span, cfg.place(found[i].head)));
    let mut new_index = vec![0; found.len()];
    for (n, &i) in rank.iter().enumerate() {
        new_index[i] = n;
        found[i].name = format!("{}.{n}", function.name);
    }
    for info in found.iter_mut() {
        info.parent = info.parent.map(|p| new_index[p]);
    }
    let mut sorted: Vec<LoopInfo> = rank.iter().map(|&i| found[i].clone()).collect();
    std::mem::swap(found, &mut sorted);
}

/// A region still to be searched: its blocks in reverse postorder and the loop around it.
struct SearchRegion {
    blocks: Vec<BlockId>,
    parent: Option<usize>,
    depth: u32,
}

struct LoopFinder<'a> {
    cfg: &'a Cfg,
    /// Which region a block belongs to at present; edges between regions are not followed.
    level: Vec<u32>,
    found: Vec<LoopInfo>,
}

impl LoopFinder<'_> {
    fn run(&mut self) {
        let mut regions =
            vec![SearchRegion { blocks: self.cfg.order.clone(), parent: None, depth: 1 }];
        let mut stamp = 0;
        while let Some(region) = regions.pop() {
            stamp += 1;
            for b in &region.blocks {
                self.level[b.index()] = stamp;
            }
            for component in self.components(&region.blocks, stamp) {
                if let Some(inner) = self.record(component, &region) {
                    regions.push(inner);
                }
            }
        }
    }

    /// Makes a loop of a component that has a cycle; gives what is left to search inside.
    fn record(
        &mut self,
        mut component: Vec<BlockId>,
        region: &SearchRegion,
    ) -> Option<SearchRegion> {
        component.sort_by_key(|b| self.cfg.place(*b));
        let head = component[0];
        if component.len() == 1 && !self.cfg.succs[head.index()].contains(&head) {
            return None;
        }
        let mut body = component.clone();
        body.sort();
        let within = |b: &BlockId| body.binary_search(b).is_ok();
        let enters = |b: &BlockId| self.cfg.preds[b.index()].iter().any(|p| !within(p));
        let kind = match component[1..].iter().any(enters) {
            true => LoopKind::Irreducible,
            false => LoopKind::Natural,
        };
        let mut latches = self.cfg.preds[head.index()].to_vec();
        latches.retain(within);
        latches.sort();
        self.found.push(LoopInfo {
            id: None,
            name: String::new(),
            kind,
            function: FuncId(0),
            head,
            body,
            latches,
            span: Span::NONE,
            parent: region.parent,
            depth: region.depth,
        });
        let blocks = component.split_off(1);
        let depth = region.depth + 1;
        Some(SearchRegion { blocks, parent: Some(self.found.len() - 1), depth })
    }

    /// Tarjan's algorithm on the blocks of one region, with an explicit stack.
    fn components(&self, blocks: &[BlockId], stamp: u32) -> Vec<Vec<BlockId>> {
        let mut tarjan = Tarjan { number: Default::default(), open: Vec::new(), out: Vec::new() };
        for &root in blocks {
            if !tarjan.number.contains_key(&root) {
                tarjan.visit(root, |b, n| {
                    let mut inside = self.cfg.succs[b.index()][n..].iter();
                    let next = inside.position(|s| self.level[s.index()] == stamp)?;
                    Some((n + next + 1, self.cfg.succs[b.index()][n + next]))
                });
            }
        }
        tarjan.out
    }
}

struct Tarjan {
    /// Number of first visit; `u32::MAX` once the block's component is closed.
    number: rustc_hash::FxHashMap<BlockId, u32>,
    open: Vec<BlockId>,
    out: Vec<Vec<BlockId>>,
}

impl Tarjan {
    /// `next(b, n)` is the first successor of `b` at or after place `n`, and the place after it.
    fn visit(&mut self, root: BlockId, next: impl Fn(BlockId, usize) -> Option<(usize, BlockId)>) {
        let first = self.enter(root);
        let mut stack = vec![(root, 0, first)];
        while let Some(&mut (block, ref mut at, ref mut low)) = stack.last_mut() {
            if let Some((after, succ)) = next(block, *at) {
                *at = after;
                match self.number.get(&succ) {
                    Some(&n) => *low = (*low).min(n),
                    None => {
                        let n = self.enter(succ);
                        stack.push((succ, 0, n));
                    }
                }
                continue;
            }
            let low = *low;
            stack.pop();
            if self.number[&block] == low {
                self.close(block);
            }
            if let Some((_, _, above)) = stack.last_mut() {
                *above = (*above).min(low);
            }
        }
    }

    fn enter(&mut self, block: BlockId) -> u32 {
        let n = self.number.len() as u32;
        self.number.insert(block, n);
        self.open.push(block);
        n
    }

    /// Everything opened since `root` is one component.
    fn close(&mut self, root: BlockId) {
        let from = self.open.iter().rposition(|b| *b == root).unwrap_or(0);
        let component = self.open.split_off(from);
        for b in &component {
            self.number.insert(*b, u32::MAX);
        }
        self.out.push(component);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::testing::parse;

    fn heads(text: &str) -> Vec<(String, u32, Vec<u32>, u32, LoopKind)> {
        let all = loops(&parse(text));
        let plain = |l: &LoopInfo| {
            let body = l.body.iter().map(|b| b.0).collect();
            (l.name.clone(), l.head.0, body, l.depth, l.kind)
        };
        all.iter().map(plain).collect()
    }

    #[test]
    fn nested_loops_are_named_by_source_order() {
        let found = heads(
            "fn main(c) {
             a: goto b
             b: if c d g
             d: if c e f
             e: goto d
             f: goto b
             g: if c g h
             h: ret
             }",
        );
        assert_eq!(
            found,
            [
                ("main.0".into(), 1, vec![1, 2, 3, 4], 1, LoopKind::Natural),
                ("main.1".into(), 2, vec![2, 3], 2, LoopKind::Natural),
                ("main.2".into(), 5, vec![5], 1, LoopKind::Natural),
            ]
        );
    }

    #[test]
    fn continue_and_break_make_one_loop() {
        let found = heads(
            "fn main(c) {
             a: if c b x
             b: if c a d
             d: if c a x
             x: ret
             }",
        );
        assert_eq!(found, [("main.0".into(), 0, vec![0, 1, 2], 1, LoopKind::Natural)]);
    }

    #[test]
    fn a_goto_into_a_loop_is_irreducible() {
        let found = heads(
            "fn main(c) {
             a: if c b d
             b: goto d
             d: if c b x
             x: ret
             }",
        );
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].2.clone(), found[0].4), (vec![1, 2], LoopKind::Irreducible));
    }

    #[test]
    fn parents_count_over_the_whole_program() {
        let p = parse(
            "fn f(c) {
             a: if c a b
             b: ret
             }
             fn main(c) {
             a: if c b x
             b: if c b a
             x: ret
             }",
        );
        let all = loops(&p);
        let names: Vec<&str> = all.iter().map(|l| l.name.as_str()).collect();
        assert_eq!(names, ["f.0", "main.0", "main.1"]);
        assert_eq!(all[2].parent, Some(1));
        assert_eq!(all[1].latches, [BlockId(1)]);
    }
}
