//! Which objects and functions a value may be the address of: one set for each register, and one
//! for the contents of each place in memory, for the whole program and all threads together.
//!
//! Places are static objects, slots, allocation sites and functions, without fields. Any arithmetic
//! passes on the addresses in its operands (so a pointer survives being copied byte by byte),
//! comparisons pass on nothing. Uninitialised values and made-up numbers are taken to be no addresses.
//! `Context` says what is told apart, and what an input is.
//!
//! A function in a context is an *instance*. `solve.rs` finds the sets.

mod solve;
#[cfg(test)]
mod tests;

use ir::walk;
use ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// How often a function is looked at, and what comes from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Context {
    /// Each function once, whether it can run or not. Inputs and results of functions without a body
    /// may be any address, `Pointee::Unknown`; a `PtrAdd` stays in its object, as the IR promises.
    Insensitive,
    /// Only what can run: user functions once, library models once per call from user code, as if
    /// they were inlined there. Else every mutex would be every other mutex, and every block from
    /// `malloc` the same. Inputs are numbers, whatever is computed from an address counts, and users
    /// must treat an empty set as "anything".
    ModelCalls,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Pointee {
    Object(ObjectId),
    Slot(FuncId, SlotId),
    /// All blocks that one `Alloc` makes: instance and its number among the function's allocations.
    Heap(Instance, u32),
    Function(FuncId),
    /// Any place whatsoever.
    Unknown,
}

/// The number of a place: objects first, allocations last.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PlaceId(u32);

impl PlaceId {
    /// An object of the program.
    pub fn of_object(object: ObjectId) -> PlaceId {
        PlaceId(object.0)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A function in a context.
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

/// Something that has a set.
type SetNode = u32;

/// Function, and for a model that is told apart the call in user code that it serves.
type InstanceKey = (FuncId, Option<Site>);

#[derive(Debug)]
pub struct PointsTo {
    context: Context,
    /// By function: is it the user's?
    is_user: Vec<bool>,
    places: Vec<Pointee>,
    /// By function: its first slot.
    first_slot: Vec<u32>,
    first_function: u32,
    unknown: PlaceId,
    instances: Vec<InstanceKey>,
    ids: FxHashMap<InstanceKey, Instance>,
    /// By instance: its first register, what it returns, and its first allocation.
    regs: Vec<SetNode>,
    returns: Vec<SetNode>,
    first_block: Vec<u32>,
    /// By place: what is stored there; a constant that points to it comes next.
    contents: Vec<SetNode>,
    /// What ended threads have returned.
    joined: SetNode,
    /// What threads are started with.
    spawned: SetNode,
    sets: Vec<FxHashSet<PlaceId>>,
}

impl PointsTo {
    pub fn new(program: &Program, context: Context) -> PointsTo {
        solve::solved(program, context)
    }

    /// The places that an operand of `function` may point to in any of its instances, in order.
    pub fn targets(&self, function: FuncId, operand: &Operand) -> Vec<Pointee> {
        let instances = match self.context {
            Context::Insensitive => vec![Instance(function.0)],
            Context::ModelCalls => {
                self.instances().filter(|&i| self.function(i) == function).collect()
            }
        };
        self.places_of(instances.into_iter().filter_map(|i| self.node(i, operand)))
    }

    /// The places that addresses stored in `place` may point to.
    pub fn stored_in(&self, place: Pointee) -> Vec<Pointee> {
        let id = match place {
            Pointee::Object(object) => PlaceId::of_object(object),
            Pointee::Slot(function, slot) => self.slot(function, slot),
            Pointee::Heap(instance, n) => PlaceId(self.first_block[instance.index()] + n),
            Pointee::Function(function) => self.place_of_function(function),
            Pointee::Unknown => self.unknown,
        };
        self.places_of([self.contents[id.index()]])
    }

    /// The places that results of threads may point to.
    pub fn joined(&self) -> Vec<Pointee> {
        self.places_of([self.joined])
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

    /// The call in user code that an instance of a model serves.
    pub fn served(&self, instance: Instance) -> Option<Site> {
        self.instances[instance.index()].1
    }

    /// The instance of a function that runs as a thread.
    pub fn started(&self, function: FuncId) -> Option<Instance> {
        self.ids.get(&(function, None)).copied()
    }

    /// The instance of a function that is called from there.
    pub fn called(&self, from: Site, function: FuncId) -> Option<Instance> {
        self.ids.get(&(function, self.context_of(from, function))).copied()
    }

    pub fn slot(&self, function: FuncId, slot: SlotId) -> PlaceId {
        PlaceId(self.first_slot[function.index()] + slot.0)
    }

    /// What the operand may point to in an instance. With `ModelCalls`, nothing means "unknown" for a
    /// value used as an address.
    pub fn targets_in(&self, instance: Instance, operand: &Operand) -> Vec<PlaceId> {
        let node = self.node(instance, operand);
        node.map_or_else(Vec::new, |n| self.sets[n as usize].iter().copied().collect())
    }

    /// The same as places.
    pub fn places_in(&self, instance: Instance, operand: &Operand) -> Vec<Pointee> {
        self.places_of(self.node(instance, operand))
    }

    pub fn callees(&self, instance: Instance, callee: Callee) -> Vec<FuncId> {
        match callee {
            Callee::Direct(f) => vec![f],
            Callee::Indirect(operand) => self.functions_at(instance, operand),
        }
    }

    /// The functions that the operand may be the address of, in order.
    pub fn functions_at(&self, instance: Instance, operand: Operand) -> Vec<FuncId> {
        let function = |place: PlaceId| match self.places[place.index()] {
            Pointee::Function(f) => Some(f),
            _ => None,
        };
        let targets = self.targets_in(instance, &operand).into_iter();
        let mut all: Vec<FuncId> = targets.filter_map(function).collect();
        all.sort();
        all
    }

    /// Places that more than one thread may reach, by their numbers: all static objects and whatever
    /// can be found from them, from what threads are started with and from what they return.
    pub fn escaped(&self, program: &Program) -> Vec<bool> {
        let mut escaped = vec![false; self.places.len()];
        let given = [self.spawned, self.joined].map(|node| &self.sets[node as usize]);
        let mut open: Vec<PlaceId> = given.into_iter().flatten().copied().collect();
        let objects = program.objects.iter().zip(0..);
        let shared = objects.filter(|(o, _)| o.kind != ObjectKind::ThreadLocal);
        open.extend(shared.map(|(_, i)| PlaceId(i)));
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut escaped[place.index()], true) {
                open.extend(&self.sets[self.contents[place.index()] as usize]);
            }
        }
        escaped
    }

    /// Models belong to the call in user code that led to them.
    fn context_of(&self, from: Site, callee: FuncId) -> Option<Site> {
        if self.context == Context::Insensitive || self.is_user[callee.index()] {
            return None;
        }
        let (caller, context) = self.instances[from.instance.index()];
        if self.is_user[caller.index()] { Some(from) } else { context }
    }

    fn places_of(&self, nodes: impl IntoIterator<Item = SetNode>) -> Vec<Pointee> {
        let sets = nodes.into_iter().map(|node| &self.sets[node as usize]);
        let mut all: Vec<Pointee> = sets.flatten().map(|p| self.places[p.index()]).collect();
        all.sort();
        all.dedup();
        all
    }

    fn node(&self, instance: Instance, operand: &Operand) -> Option<SetNode> {
        let place = match operand {
            Operand::Const { .. } => return None,
            Operand::Reg(r) => return Some(self.regs[instance.index()] + r.0),
            Operand::Object { object, .. } => PlaceId::of_object(*object),
            Operand::Slot { slot, .. } => self.slot(self.function(instance), *slot),
            Operand::Function(f) => self.place_of_function(*f),
        };
        Some(self.contents[place.index()] + 1)
    }

    fn place_of_function(&self, function: FuncId) -> PlaceId {
        PlaceId(self.first_function + function.0)
    }
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
