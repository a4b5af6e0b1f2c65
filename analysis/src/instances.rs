//! What may point where, over the whole program (Andersen's analysis, field-insensitive).
//!
//! A *place* stands for all objects that one declaration or one allocation makes. Every value that
//! is computed from an address counts as pointing to what that address points to, whatever the
//! arithmetic, so casts through integers and byte-wise copies are covered. Addresses that come from
//! nowhere (a constant cast to a pointer) point to no place; users of the result must treat an empty
//! set as "anything".
//!
//! Library models are looked at once per call from user code, as if they were inlined there: else
//! every mutex would be every other mutex, and every block from `malloc` the same. Such a pair of
//! function and call is an *instance*; a user function has one.
//!
//! Invariant: only what can run has instances. Cost: passes over all instructions of all instances
//! until nothing changes; in practice four or five.

use ir::{
    BlockId, Callee, FuncId, InstKind, ObjectKind, Operand, Origin, Program, Reg, Rvalue, SlotId,
    Terminator,
};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place(u32);

impl Place {
    /// An object of the program, by its number.
    pub fn of_object(i: usize) -> Place {
        Place(i as u32)
    }
}

impl Place {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Instance(u32);

impl Instance {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An instruction of an instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    pub instance: Instance,
    pub block: BlockId,
    pub inst: usize,
}

/// Sorted, without repetition.
type Set = Vec<Place>;

/// Something that has a points-to set.
#[derive(Clone, Copy)]
enum Node {
    Reg(Instance, Reg),
    Content(Place),
    Return(Instance),
    /// What threads end with.
    Results,
}

pub struct PointsTo<'p> {
    program: &'p Program,
    /// Function, and for a model the call in user code that it serves.
    instances: Vec<(FuncId, Option<Site>)>,
    ids: FxHashMap<(FuncId, Option<Site>), Instance>,
    /// Static objects, then slots, then functions, then allocations as they are met.
    first_slot: Vec<u32>,
    first_function: u32,
    allocations: FxHashMap<Site, Place>,
    regs: Vec<Vec<Set>>,
    contents: Vec<Set>,
    returns: Vec<Set>,
    results: Set,
    /// What threads are started with.
    spawned: Set,
    changed: bool,
}

impl<'p> PointsTo<'p> {
    pub fn of(program: &'p Program) -> PointsTo<'p> {
        let mut places = program.objects.len() as u32;
        let mut first_slot = Vec::new();
        for function in &program.functions {
            first_slot.push(places);
            places += function.slots.len() as u32;
        }
        let mut analysis = PointsTo {
            program,
            instances: Vec::new(),
            ids: FxHashMap::default(),
            first_slot,
            first_function: places,
            allocations: FxHashMap::default(),
            regs: Vec::new(),
            contents: vec![Set::new(); places as usize + program.functions.len()],
            returns: Vec::new(),
            results: Set::new(),
            spawned: Set::new(),
            changed: true,
        };
        let entry = analysis.add_instance(program.entry, None);
        analysis.initial_contents(entry);
        while std::mem::take(&mut analysis.changed) {
            analysis.pass();
        }
        analysis
    }

    pub fn instances(&self) -> impl Iterator<Item = Instance> + use<> {
        (0..self.instances.len() as u32).map(Instance)
    }

    pub fn function(&self, instance: Instance) -> FuncId {
        self.instances[instance.index()].0
    }

    pub fn reaches(&self, function: FuncId) -> bool {
        self.instances.iter().any(|&(f, _)| f == function)
    }

    /// The instance of a function that runs as a thread.
    pub fn started(&self, function: FuncId) -> Option<Instance> {
        self.ids.get(&(function, None)).copied()
    }

    /// The instance of a function that is called from there.
    pub fn called(&self, from: Site, function: FuncId) -> Option<Instance> {
        self.ids.get(&(function, self.context(from, function))).copied()
    }

    pub fn slot(&self, function: FuncId, slot: SlotId) -> Place {
        Place(self.first_slot[function.index()] + slot.0)
    }

    /// What the operand may point to; empty means "unknown" for a value used as an address.
    pub fn targets(&self, instance: Instance, operand: Operand) -> Set {
        match operand {
            Operand::Const { .. } => Set::new(),
            Operand::Reg(reg) => self.regs[instance.index()][reg.index()].clone(),
            Operand::Object { object, .. } => vec![Place(object.0)],
            Operand::Slot { slot, .. } => vec![self.slot(self.function(instance), slot)],
            Operand::Function(f) => vec![Place(self.first_function + f.0)],
        }
    }

    pub fn callees(&self, instance: Instance, callee: Callee) -> Vec<FuncId> {
        match callee {
            Callee::Direct(f) => vec![f],
            Callee::Indirect(operand) => self.functions_at(instance, operand),
        }
    }

    pub fn functions_at(&self, instance: Instance, operand: Operand) -> Vec<FuncId> {
        let count = self.program.functions.len() as u32;
        let function = |place: Place| place.0.checked_sub(self.first_function);
        let targets = self.targets(instance, operand).into_iter();
        targets.filter_map(function).filter(|&f| f < count).map(FuncId).collect()
    }

    /// Places that more than one thread may reach: all static objects and whatever can be found
    /// from them, from what threads are started with and from what they return.
    pub fn escaped(&self) -> Vec<bool> {
        let mut escaped = vec![false; self.contents.len()];
        let mut open: Set = self.spawned.iter().chain(&self.results).copied().collect();
        let is_root = |&i: &usize| self.program.objects[i].kind != ObjectKind::ThreadLocal;
        open.extend((0..self.program.objects.len()).filter(is_root).map(|i| Place(i as u32)));
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut escaped[place.index()], true) {
                open.extend(&self.contents[place.index()]);
            }
        }
        escaped
    }

    /// Models belong to the call in user code that led to them.
    fn context(&self, from: Site, callee: FuncId) -> Option<Site> {
        if self.program.functions[callee.index()].origin == Origin::User {
            return None;
        }
        let (caller, context) = self.instances[from.instance.index()];
        match self.program.functions[caller.index()].origin {
            Origin::User => Some(from),
            Origin::Model | Origin::Assembly => context,
        }
    }

    fn add_instance(&mut self, function: FuncId, context: Option<Site>) -> Instance {
        if let Some(&instance) = self.ids.get(&(function, context)) {
            return instance;
        }
        let instance = Instance(self.instances.len() as u32);
        self.instances.push((function, context));
        self.ids.insert((function, context), instance);
        let regs = self.program.functions[function.index()].regs.len();
        self.regs.push(vec![Set::new(); regs]);
        self.returns.push(Set::new());
        self.changed = true;
        instance
    }

    fn initial_contents(&mut self, entry: Instance) {
        for (i, object) in self.program.objects.iter().enumerate() {
            for &(_, operand) in &object.relocations {
                let targets = self.targets(entry, operand);
                self.absorb(Node::Content(Place(i as u32)), &targets);
            }
        }
    }

    fn pass(&mut self) {
        let program = self.program;
        for instance in self.instances() {
            let function = &program.functions[self.function(instance).index()];
            for (b, block) in function.blocks.iter().enumerate() {
                for (inst, kind) in block.insts.iter().map(|inst| &inst.kind).enumerate() {
                    self.inst(Site { instance, block: BlockId(b as u32), inst }, kind);
                }
                self.terminator(instance, &block.end);
            }
        }
    }

    fn inst(&mut self, site: Site, kind: &InstKind) {
        let here = site.instance;
        match kind {
            InstKind::Assign { dst, value } => self.assign(here, *dst, value),
            InstKind::Load { dst, addr, .. } => {
                for place in self.targets(here, *addr) {
                    self.copy(Node::Content(place), Node::Reg(here, *dst));
                }
            }
            InstKind::Store { addr, value, .. } => {
                let value = self.targets(here, *value);
                for place in self.targets(here, *addr) {
                    self.absorb(Node::Content(place), &value);
                }
            }
            InstKind::Call { dst, callee, args } => {
                for function in self.callees(here, *callee) {
                    let callee = self.add_instance(function, self.context(site, function));
                    self.pass_arguments(here, callee, args);
                    if let Some(dst) = dst {
                        self.copy(Node::Return(callee), Node::Reg(here, *dst));
                    }
                }
            }
            InstKind::Spawn { function, arg, .. } => self.spawn(here, *function, *arg),
            InstKind::Join { dst, .. } => self.copy(Node::Results, Node::Reg(here, *dst)),
            InstKind::Alloc { dst, .. } => {
                let place = self.allocation(site);
                self.absorb(Node::Reg(here, *dst), &vec![place]);
            }
            _ => {}
        }
    }

    fn allocation(&mut self, site: Site) -> Place {
        let next = Place(self.contents.len() as u32);
        let place = *self.allocations.entry(site).or_insert(next);
        if place == next {
            self.contents.push(Set::new());
        }
        place
    }

    fn assign(&mut self, here: Instance, dst: Reg, value: &Rvalue) {
        let operands = match *value {
            Rvalue::Use(a) | Rvalue::Unary { a, .. } | Rvalue::Cast { a, .. } => [Some(a), None],
            Rvalue::Binary { op, .. } if op.is_comparison() => [None, None],
            Rvalue::Binary { a, b, .. } => [Some(a), Some(b)],
            Rvalue::PtrAdd { base, index, .. } => [Some(base), Some(index)],
            Rvalue::Undef(_) => [None, None],
        };
        for operand in operands.into_iter().flatten() {
            let targets = self.targets(here, operand);
            self.absorb(Node::Reg(here, dst), &targets);
        }
    }

    fn pass_arguments(&mut self, here: Instance, callee: Instance, args: &[Operand]) {
        let program = self.program;
        let params = &program.functions[self.function(callee).index()].params;
        for (&param, &arg) in params.iter().zip(args) {
            let targets = self.targets(here, arg);
            self.absorb(Node::Reg(callee, param), &targets);
        }
    }

    fn spawn(&mut self, here: Instance, function: Operand, arg: Operand) {
        let targets = self.targets(here, arg);
        merge(&mut self.spawned, &targets);
        for function in self.functions_at(here, function) {
            let started = self.add_instance(function, None);
            self.pass_arguments(here, started, &[arg]);
            self.copy(Node::Return(started), Node::Results);
        }
    }

    fn terminator(&mut self, here: Instance, end: &Terminator) {
        match end {
            Terminator::Return(Some(value)) => {
                let targets = self.targets(here, *value);
                self.absorb(Node::Return(here), &targets);
            }
            Terminator::ExitThread(value) => {
                let targets = self.targets(here, *value);
                self.absorb(Node::Results, &targets);
            }
            _ => {}
        }
    }

    /// Needs: two different nodes.
    fn copy(&mut self, from: Node, to: Node) {
        let targets = std::mem::take(self.set(from));
        self.absorb(to, &targets);
        *self.set(from) = targets;
    }

    fn absorb(&mut self, node: Node, targets: &Set) {
        let grown = merge(self.set(node), targets);
        self.changed |= grown;
    }

    fn set(&mut self, node: Node) -> &mut Set {
        match node {
            Node::Reg(instance, reg) => &mut self.regs[instance.index()][reg.index()],
            Node::Content(place) => &mut self.contents[place.index()],
            Node::Return(instance) => &mut self.returns[instance.index()],
            Node::Results => &mut self.results,
        }
    }
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
