//! Which objects and functions a value may be the address of: one set for each register, and one
//! for the contents of each place in memory, for the whole program and all threads together.
//!
//! Places are static objects, slots, allocation sites and functions, without fields. Any arithmetic
//! passes on the addresses in its operands (so a pointer survives being copied byte by byte),
//! comparisons pass on nothing. Inputs and results of functions without a body may be any address,
//! written `unknown`; uninitialised values and made-up numbers are taken to be no addresses, and a
//! `PtrAdd` to stay in its object, as the IR promises.
//!
//! Inclusion constraints, solved with a work list of differences: cubic at worst, small in practice.
//! (Andersen: Program Analysis and Specialization for the C Programming Language, 1994.)

use ir::walk;
use ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Place {
    Object(ObjectId),
    Slot(FuncId, SlotId),
    /// All blocks that one `Alloc` makes: function and its number among the function's allocations.
    Heap(FuncId, u32),
    Function(FuncId),
    /// Any place whatsoever.
    Unknown,
}

type Node = u32;
/// Index into `places`; its contents are node `contents + place`, a constant pointing to it is node
/// `address + place`.
type PlaceId = u32;

pub struct PointsTo {
    places: Vec<Place>,
    ids: FxHashMap<Place, PlaceId>,
    /// First register node of each function.
    regs: Vec<Node>,
    contents: Node,
    address: Node,
    returns: Node,
    /// What ended threads have returned.
    joined: Node,
    sets: Vec<FxHashSet<PlaceId>>,
}

impl PointsTo {
    pub fn new(program: &Program) -> PointsTo {
        let mut solver = Solver::new(program);
        solver.constrain();
        solver.solve();
        solver.out
    }

    /// The places that an operand of `function` may point to, in order.
    pub fn targets(&self, function: FuncId, operand: &Operand) -> Vec<Place> {
        self.node(function, operand).map_or_else(Vec::new, |n| self.places_of(n))
    }

    /// The places that addresses stored in `place` may point to.
    pub fn stored_in(&self, place: Place) -> Vec<Place> {
        self.ids.get(&place).map_or_else(Vec::new, |p| self.places_of(self.contents + p))
    }

    /// The places that results of threads may point to.
    pub fn joined(&self) -> Vec<Place> {
        self.places_of(self.joined)
    }

    fn places_of(&self, node: Node) -> Vec<Place> {
        let mut all: Vec<Place> =
            self.sets[node as usize].iter().map(|p| self.places[*p as usize]).collect();
        all.sort();
        all
    }

    fn node(&self, function: FuncId, operand: &Operand) -> Option<Node> {
        let place = match operand {
            Operand::Const { .. } => return None,
            Operand::Reg(r) => return Some(self.regs[function.index()] + r.0),
            Operand::Object { object, .. } => Place::Object(*object),
            Operand::Slot { slot, .. } => Place::Slot(function, *slot),
            Operand::Function(f) => Place::Function(*f),
        };
        self.ids.get(&place).map(|p| self.address + p)
    }
}

/// A call or spawn whose callee is found out while solving.
struct Site {
    args: Vec<Option<Node>>,
    /// Where the result goes; for a spawn the results of threads.
    result: Option<Node>,
}

#[derive(Default)]
struct Uses {
    copies: Vec<Node>,
    loads: Vec<Node>,
    stores: Vec<Node>,
    calls: Vec<u32>,
}

struct Solver<'p> {
    program: &'p Program,
    out: PointsTo,
    uses: Vec<Uses>,
    sites: Vec<Site>,
    linked: FxHashSet<(u32, FuncId)>,
    edges: FxHashSet<(Node, Node)>,
    work: Vec<(Node, PlaceId)>,
    /// Somebody loads from an unknown address, so every content flows there.
    everything: Option<Node>,
    address_taken: Vec<FuncId>,
}

impl<'p> Solver<'p> {
    fn new(program: &'p Program) -> Solver<'p> {
        let places = all_places(program);
        let ids = places.iter().enumerate().map(|(i, p)| (*p, i as u32)).collect();
        let mut next = 0;
        let mut take = |n: usize| {
            next += n as u32;
            next - n as u32
        };
        let regs = program.functions.iter().map(|f| take(f.regs.len())).collect();
        let (contents, address) = (take(places.len()), take(places.len()));
        let (returns, joined) = (take(program.functions.len()), take(1));
        let sets = vec![FxHashSet::default(); next as usize];
        let uses = (0..next).map(|_| Uses::default()).collect();
        Solver {
            program,
            out: PointsTo { places, ids, regs, contents, address, returns, joined, sets },
            uses,
            sites: Vec::new(),
            linked: FxHashSet::default(),
            edges: FxHashSet::default(),
            work: Vec::new(),
            everything: None,
            address_taken: address_taken(program),
        }
    }

    fn unknown(&self) -> PlaceId {
        self.out.ids[&Place::Unknown]
    }

    fn contents_of(&self, place: PlaceId) -> Node {
        self.out.contents + place
    }

    fn add(&mut self, node: Node, place: PlaceId) {
        if self.out.sets[node as usize].insert(place) {
            self.work.push((node, place));
        }
    }

    fn copy(&mut self, from: Node, to: Node) {
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.uses[from as usize].copies.push(to);
        let known: Vec<PlaceId> = self.out.sets[from as usize].iter().copied().collect();
        known.into_iter().for_each(|p| self.add(to, p));
    }

    fn constrain(&mut self) {
        let unknown = self.unknown();
        let anywhere = self.contents_of(unknown);
        for p in 0..self.out.places.len() as u32 {
            self.add(self.out.address + p, p);
            // What is written through an unknown address may be found anywhere.
            self.copy(anywhere, self.contents_of(p));
        }
        for (i, o) in self.program.objects.iter().enumerate() {
            let contents = self.contents_of(self.out.ids[&Place::Object(ObjectId(i as u32))]);
            if o.kind == ObjectKind::External {
                self.add(contents, unknown);
            }
            for (_, address) in &o.relocations {
                // Any function will do: static addresses belong to none.
                if let Some(node) = self.out.node(FuncId(0), address) {
                    self.copy(node, contents);
                }
            }
        }
        for (i, f) in self.program.functions.iter().enumerate() {
            self.function(FuncId(i as u32), f);
        }
    }

    fn function(&mut self, id: FuncId, f: &Function) {
        let mut allocations = 0;
        for block in &f.blocks {
            for inst in &block.insts {
                self.inst(id, &inst.kind, &mut allocations);
            }
            let value = walk::end_operand(&block.end).and_then(|o| self.out.node(id, o));
            match (&block.end, value) {
                (Terminator::Return(_), Some(v)) => self.copy(v, self.out.returns + id.0),
                (Terminator::ExitThread(_), Some(v)) => self.copy(v, self.out.joined),
                _ => {}
            }
        }
        if !f.has_body() {
            self.add(self.out.returns + id.0, self.unknown());
        }
    }

    fn inst(&mut self, id: FuncId, kind: &InstKind, allocations: &mut u32) {
        let node = |s: &Self, o: &Operand| s.out.node(id, o);
        let reg = |s: &Self, r: &Reg| s.out.regs[id.index()] + r.0;
        match kind {
            InstKind::Assign { dst, value } => {
                for source in sources(value) {
                    if let Some(from) = node(self, source) {
                        self.copy(from, reg(self, dst));
                    }
                }
            }
            InstKind::Load { dst, addr, .. } => {
                if let Some(addr) = node(self, addr) {
                    let dst = reg(self, dst);
                    self.uses[addr as usize].loads.push(dst);
                    self.again(addr);
                }
            }
            InstKind::Store { addr, value, .. } => {
                if let (Some(addr), Some(value)) = (node(self, addr), node(self, value)) {
                    self.uses[addr as usize].stores.push(value);
                    self.again(addr);
                }
            }
            InstKind::Call { dst, callee, args } => {
                let args = args.iter().map(|a| node(self, a)).collect();
                let result = dst.as_ref().map(|d| reg(self, d));
                let callee = match callee {
                    Callee::Direct(f) => Operand::Function(*f),
                    Callee::Indirect(pointer) => *pointer,
                };
                self.site(id, &callee, Site { args, result });
            }
            InstKind::Spawn { function, arg, .. } => {
                let args = vec![node(self, arg)];
                self.site(id, function, Site { args, result: Some(self.out.joined) });
            }
            InstKind::Join { dst, .. } => self.copy(self.out.joined, reg(self, dst)),
            InstKind::Nondet { dst, .. } => self.add(reg(self, dst), self.unknown()),
            InstKind::Alloc { dst, .. } => {
                let place = self.out.ids[&Place::Heap(id, *allocations)];
                *allocations += 1;
                self.add(reg(self, dst), place);
            }
            _ => {}
        }
    }

    fn site(&mut self, id: FuncId, callee: &Operand, site: Site) {
        let Some(callee) = self.out.node(id, callee) else { return };
        self.sites.push(site);
        self.uses[callee as usize].calls.push(self.sites.len() as u32 - 1);
        self.again(callee);
    }

    /// A new use must see what the node already holds.
    fn again(&mut self, node: Node) {
        let known: Vec<PlaceId> = self.out.sets[node as usize].iter().copied().collect();
        self.work.extend(known.into_iter().map(|p| (node, p)));
    }

    fn solve(&mut self) {
        while let Some((node, place)) = self.work.pop() {
            let uses = std::mem::take(&mut self.uses[node as usize]);
            uses.copies.iter().for_each(|to| self.add(*to, place));
            uses.loads.iter().for_each(|dst| self.load(place, *dst));
            uses.stores.iter().for_each(|from| self.copy(*from, self.contents_of(place)));
            uses.calls.iter().for_each(|site| self.call(place, *site));
            // Edges that were added to this very node meanwhile come on top.
            let added = std::mem::replace(&mut self.uses[node as usize], uses);
            self.uses[node as usize].copies.extend(added.copies);
        }
    }

    fn load(&mut self, place: PlaceId, dst: Node) {
        if place != self.unknown() {
            return self.copy(self.contents_of(place), dst);
        }
        self.add(dst, place);
        match self.everything {
            Some(all) => self.copy(all, dst),
            None => {
                self.everything = Some(dst);
                for p in 0..self.out.places.len() as u32 {
                    self.copy(self.contents_of(p), dst);
                }
            }
        }
    }

    fn call(&mut self, place: PlaceId, site: u32) {
        match self.out.places[place as usize] {
            Place::Function(f) => self.link(site, f),
            Place::Unknown => {
                for f in self.address_taken.clone() {
                    self.link(site, f);
                }
            }
            _ => {}
        }
    }

    fn link(&mut self, site: u32, f: FuncId) {
        if !self.linked.insert((site, f)) {
            return;
        }
        let Site { args, result } = &self.sites[site as usize];
        let params = &self.program.functions[f.index()].params;
        let base = self.out.regs[f.index()];
        let passed =
            args.iter().zip(params).filter_map(|(a, p)| Some((a.as_ref().copied()?, base + p.0)));
        let returned = result.map(|r| (self.out.returns + f.0, r));
        for (from, to) in passed.chain(returned).collect::<Vec<_>>() {
            self.copy(from, to);
        }
    }
}

/// The operands whose addresses the value may still be.
fn sources(value: &Rvalue) -> walk::Few<&Operand> {
    match value {
        Rvalue::Binary { op, .. } if op.is_comparison() => walk::Few::new(),
        Rvalue::PtrAdd { base, .. } => walk::Few::from_slice(&[base]),
        _ => walk::rvalue_operands(value),
    }
}

fn all_places(program: &Program) -> Vec<Place> {
    let mut all: Vec<Place> =
        (0..program.objects.len() as u32).map(|o| Place::Object(ObjectId(o))).collect();
    for (i, f) in program.functions.iter().enumerate() {
        let id = FuncId(i as u32);
        all.push(Place::Function(id));
        all.extend((0..f.slots.len() as u32).map(|s| Place::Slot(id, SlotId(s))));
        let insts = f.blocks.iter().flat_map(|b| &b.insts);
        let allocations = insts.filter(|i| matches!(i.kind, InstKind::Alloc { .. })).count() as u32;
        all.extend((0..allocations).map(|n| Place::Heap(id, n)));
    }
    all.push(Place::Unknown);
    all
}

/// Functions whose address is used for anything but a direct call.
pub fn address_taken(program: &Program) -> Vec<FuncId> {
    address_taken_in(&program.functions, &program.objects)
}

pub fn address_taken_in(functions: &[Function], objects: &[Object]) -> Vec<FuncId> {
    let mut taken = FxHashSet::default();
    let mut see = |o: &Operand| {
        if let Operand::Function(f) = o {
            taken.insert(*f);
        }
    };
    objects.iter().flat_map(|o| &o.relocations).for_each(|(_, o)| see(o));
    for block in functions.iter().flat_map(|f| &f.blocks) {
        block.insts.iter().flat_map(|i| walk::operands(&i.kind)).for_each(&mut see);
        walk::end_operand(&block.end).into_iter().for_each(&mut see);
    }
    let mut taken: Vec<FuncId> = taken.into_iter().collect();
    taken.sort();
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::testing::parse;

    /// What the register that `main` returns may point to.
    fn returned(text: &str) -> Vec<String> {
        let p = parse(text);
        let all = PointsTo::new(&p);
        let main = &p.functions[p.entry.index()];
        let value = main.blocks.iter().find_map(|b| match b.end {
            Terminator::Return(Some(v)) => Some(v),
            _ => None,
        });
        let name = |place: Place| match place {
            Place::Object(o) => p.objects[o.index()].name.clone(),
            Place::Slot(f, s) => {
                let f = &p.functions[f.index()];
                format!("{}.{}", f.name, f.slots[s.index()].name.as_deref().unwrap_or("?"))
            }
            Place::Heap(f, n) => format!("{}.heap{n}", p.functions[f.index()].name),
            Place::Function(f) => p.functions[f.index()].name.clone(),
            Place::Unknown => "unknown".into(),
        };
        let value = value.expect("main returns a value");
        all.targets(p.entry, &value).into_iter().map(name).collect()
    }

    #[test]
    fn through_memory_and_initialisers() {
        let text = "global x
             global y
             global px = @x
             fn main() {
             a: live $s
             store $s @px
             p = load $s
             store p @y
             pr = load @px
             ret pr
             }";
        assert_eq!(returned(text), ["x", "y"]);
    }

    #[test]
    fn through_calls_of_pointers_and_threads() {
        let text = "global x
             global table = &f
             fn f(pa) {
             a: ret pa
             }
             fn g(pa) {
             a: ret @x
             }
             fn main() {
             a: p = load @table
             ph = alloc 8
             pr = call p(ph)
             t = spawn &g 0
             pj = join t
             ps = pr + pj
             ret ps
             }";
        assert_eq!(returned(text), ["x", "main.heap0"]);
    }

    #[test]
    fn unknown_addresses_reach_everything() {
        let text = "global x
             global y
             global px = @x
             extern lib()
             fn main() {
             a: p = call lib()
             pr = load p
             ret pr
             }";
        assert_eq!(returned(text), ["x", "unknown"]);
        let stored = "global x
             global y
             extern lib()
             fn main() {
             a: p = call lib()
             store p @x
             pr = load @y
             ret pr
             }";
        assert_eq!(returned(stored), ["x"]);
        let called = "global x
             global table = &f
             extern lib()
             fn f() {
             a: ret @x
             }
             fn main() {
             a: p = call lib()
             pr = call p()
             ret pr
             }";
        assert_eq!(returned(called), ["x"]);
    }

    #[test]
    fn comparisons_pass_nothing_on() {
        assert!(returned("global x\nfn main(p) {\na: r = p == @x\nret r\n}").is_empty());
    }
}
