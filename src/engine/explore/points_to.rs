//! What may point where, over the whole program (Andersen's analysis, field-insensitive).
//!
//! A *place* stands for all objects that one declaration or one allocation makes. Every value that
//! is computed from an address counts as pointing to what that address points to, whatever the
//! arithmetic, so casts through integers and byte-wise copies are covered. Addresses that come from
//! nowhere (a constant cast to a pointer) point to no place; users of the result must treat an empty
//! set as "anything".
//!
//! Invariant: only functions that can run are looked at (`reached`). Cost: passes over all
//! instructions until nothing changes; in practice four or five.

use frontend::ir::{
    BlockId, Callee, FuncId, InstKind, ObjectKind, Operand, Program, Reg, Rvalue, SlotId,
    Terminator,
};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place(pub u32);

impl Place {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Sorted, without repetition.
type Set = Vec<Place>;

/// A variable of the analysis: something that has a points-to set.
#[derive(Clone, Copy)]
struct Node(usize);

pub struct PointsTo<'p> {
    program: &'p Program,
    numbers: Numbers,
    sets: Vec<Set>,
    reached: Vec<bool>,
    /// What threads are started with.
    spawned: Set,
    changed: bool,
}

/// Where each kind of place and node starts.
struct Numbers {
    regs: Vec<usize>,
    slots: Vec<usize>,
    sites: FxHashMap<(FuncId, BlockId, usize), usize>,
    first_function: usize,
    places: usize,
    first_content: usize,
    first_return: usize,
}

impl<'p> PointsTo<'p> {
    pub fn of(program: &'p Program) -> PointsTo<'p> {
        let numbers = Numbers::of(program);
        let nodes = numbers.first_return + program.functions.len() + 1;
        let mut analysis = PointsTo {
            program,
            numbers,
            sets: vec![Set::new(); nodes],
            reached: vec![false; program.functions.len()],
            spawned: Set::new(),
            changed: true,
        };
        analysis.reached[program.entry.index()] = true;
        analysis.initial_contents();
        while std::mem::take(&mut analysis.changed) {
            analysis.pass();
        }
        analysis
    }

    pub fn reaches(&self, function: FuncId) -> bool {
        self.reached[function.index()]
    }

    pub fn slot(&self, function: FuncId, slot: SlotId) -> Place {
        Place((self.numbers.slots[function.index()] + slot.index()) as u32)
    }

    /// What the operand may point to; empty means "unknown" for a value used as an address.
    pub fn targets(&self, function: FuncId, operand: Operand) -> Set {
        match operand {
            Operand::Const { .. } => Set::new(),
            Operand::Reg(reg) => self.sets[self.reg(function, reg).0].clone(),
            Operand::Object { object, .. } => vec![Place(object.0)],
            Operand::Slot { slot, .. } => vec![self.slot(function, slot)],
            Operand::Function(f) => vec![self.function_place(f)],
        }
    }

    pub fn callees(&self, function: FuncId, callee: Callee) -> Vec<FuncId> {
        match callee {
            Callee::Direct(f) => vec![f],
            Callee::Indirect(operand) => self.functions_in(&self.targets(function, operand)),
        }
    }

    pub fn functions_at(&self, function: FuncId, operand: Operand) -> Vec<FuncId> {
        self.functions_in(&self.targets(function, operand))
    }

    /// Places that more than one thread may reach: all static objects and whatever can be found
    /// from them, from what threads are started with and from what they return.
    pub fn escaped(&self) -> Vec<bool> {
        let mut escaped = vec![false; self.numbers.places];
        let mut open: Set = self.spawned.clone();
        open.extend(&self.sets[self.results().0]);
        open.extend((0..self.program.objects.len()).filter(|&o| self.is_root(o)).map(place));
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut escaped[place.index()], true) {
                open.extend(&self.sets[self.content(place).0]);
            }
        }
        escaped
    }

    fn is_root(&self, object: usize) -> bool {
        self.program.objects[object].kind != ObjectKind::ThreadLocal
    }

    fn functions_in(&self, set: &Set) -> Vec<FuncId> {
        let first = self.numbers.first_function;
        let functions = set.iter().filter(|p| p.index() >= first);
        functions.map(|p| FuncId((p.index() - first) as u32)).collect()
    }

    fn initial_contents(&mut self) {
        for (i, object) in self.program.objects.iter().enumerate() {
            for &(_, operand) in &object.relocations {
                let targets = self.targets(self.program.entry, operand);
                self.absorb(self.content(place(i)), &targets);
            }
        }
    }

    fn pass(&mut self) {
        let program = self.program;
        for (i, function) in program.functions.iter().enumerate() {
            let f = FuncId(i as u32);
            if !self.reached[i] {
                continue;
            }
            for (b, block) in function.blocks.iter().enumerate() {
                for (n, inst) in block.insts.iter().enumerate() {
                    self.inst(f, (BlockId(b as u32), n), &inst.kind);
                }
                self.terminator(f, &block.end);
            }
        }
    }

    fn inst(&mut self, f: FuncId, at: (BlockId, usize), kind: &InstKind) {
        match kind {
            InstKind::Assign { dst, value } => self.assign(f, *dst, value),
            InstKind::Load { dst, addr, .. } => {
                for place in self.targets(f, *addr) {
                    let content = self.sets[self.content(place).0].clone();
                    self.absorb(self.reg(f, *dst), &content);
                }
            }
            InstKind::Store { addr, value, .. } => {
                let value = self.targets(f, *value);
                for place in self.targets(f, *addr) {
                    self.absorb(self.content(place), &value);
                }
            }
            InstKind::Call { dst, callee, args } => {
                for g in self.callees(f, *callee) {
                    self.call(f, g, args);
                    if let Some(dst) = dst {
                        let returned = self.sets[self.returned(g).0].clone();
                        self.absorb(self.reg(f, *dst), &returned);
                    }
                }
            }
            InstKind::Spawn { function, arg, .. } => self.spawn(f, *function, *arg),
            InstKind::Join { dst, .. } => {
                let results = self.sets[self.results().0].clone();
                self.absorb(self.reg(f, *dst), &results);
            }
            InstKind::Alloc { dst, .. } => {
                let site = self.numbers.sites[&(f, at.0, at.1)];
                self.absorb(self.reg(f, *dst), &vec![place(site)]);
            }
            _ => {}
        }
    }

    fn assign(&mut self, f: FuncId, dst: Reg, value: &Rvalue) {
        let operands = match *value {
            Rvalue::Use(a) | Rvalue::Unary { a, .. } | Rvalue::Cast { a, .. } => [Some(a), None],
            Rvalue::Binary { op, .. } if op.is_comparison() => [None, None],
            Rvalue::Binary { a, b, .. } => [Some(a), Some(b)],
            Rvalue::PtrAdd { base, index, .. } => [Some(base), Some(index)],
            Rvalue::Undef(_) => [None, None],
        };
        for operand in operands.into_iter().flatten() {
            let targets = self.targets(f, operand);
            self.absorb(self.reg(f, dst), &targets);
        }
    }

    fn call(&mut self, f: FuncId, g: FuncId, args: &[Operand]) {
        self.reach(g);
        let program = self.program;
        for (&param, &arg) in program.functions[g.index()].params.iter().zip(args) {
            let targets = self.targets(f, arg);
            self.absorb(self.reg(g, param), &targets);
        }
    }

    fn spawn(&mut self, f: FuncId, function: Operand, arg: Operand) {
        let targets = self.targets(f, arg);
        merge(&mut self.spawned, &targets);
        for g in self.functions_at(f, function) {
            self.call(f, g, &[arg]);
            let returned = self.sets[self.returned(g).0].clone();
            self.absorb(self.results(), &returned);
        }
    }

    fn terminator(&mut self, f: FuncId, end: &Terminator) {
        match end {
            Terminator::Return(Some(value)) => {
                let targets = self.targets(f, *value);
                self.absorb(self.returned(f), &targets);
            }
            Terminator::ExitThread(value) => {
                let targets = self.targets(f, *value);
                self.absorb(self.results(), &targets);
            }
            _ => {}
        }
    }

    fn reach(&mut self, f: FuncId) {
        self.changed |= !std::mem::replace(&mut self.reached[f.index()], true);
    }

    fn absorb(&mut self, node: Node, targets: &Set) {
        self.changed |= merge(&mut self.sets[node.0], targets);
    }

    fn reg(&self, function: FuncId, reg: Reg) -> Node {
        Node(self.numbers.regs[function.index()] + reg.index())
    }

    fn content(&self, place: Place) -> Node {
        Node(self.numbers.first_content + place.index())
    }

    fn returned(&self, function: FuncId) -> Node {
        Node(self.numbers.first_return + function.index())
    }

    /// What threads end with.
    fn results(&self) -> Node {
        Node(self.numbers.first_return + self.program.functions.len())
    }

    fn function_place(&self, function: FuncId) -> Place {
        place(self.numbers.first_function + function.index())
    }
}

impl Numbers {
    fn of(program: &Program) -> Numbers {
        let mut places = program.objects.len();
        let mut nodes = 0;
        let (mut regs, mut slots, mut sites) = (Vec::new(), Vec::new(), FxHashMap::default());
        for (i, function) in program.functions.iter().enumerate() {
            regs.push(nodes);
            nodes += function.regs.len();
            slots.push(places);
            places += function.slots.len();
            for (b, block) in function.blocks.iter().enumerate() {
                for (n, inst) in block.insts.iter().enumerate() {
                    if let InstKind::Alloc { .. } = inst.kind {
                        sites.insert((FuncId(i as u32), BlockId(b as u32), n), places);
                        places += 1;
                    }
                }
            }
        }
        let first_function = places;
        places += program.functions.len();
        let (first_content, first_return) = (nodes, nodes + places);
        Numbers { regs, slots, sites, first_function, places, first_content, first_return }
    }
}

fn place(index: usize) -> Place {
    Place(index as u32)
}

/// Adds `more` to a sorted set; true if that changed it.
fn merge(set: &mut Set, more: &Set) -> bool {
    let before = set.len();
    for place in more {
        if let Err(at) = set.binary_search(place) {
            set.insert(at, *place);
        }
    }
    set.len() > before
}
