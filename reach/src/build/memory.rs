//! Addresses, objects and cells: which pieces of memory an access means.
//!
//! Objects have fixed addresses here, far from each other. An access compares its address with the
//! places that it may go to; whatever is left over is a doubt. So it costs no soundness to guess the
//! places: constants, the object that an address was computed from, or addresses that were kept
//! somewhere.

use super::Build;
use super::guess::{GAP, Key, Maker, ObjIndex};
use super::sym::Sym;
use crate::system::{Cell, CellId, CellKind, ThreadId};
use encoder::term::BitOp;
use encoder::{Op, Sort, Term};
use ir::{ObjectKind, Operand};
use std::collections::BTreeSet;

/// Addresses that are kept, or are values of a choice: more are not told apart.
const MAX_PLACES: usize = 300;

/// Under which condition an access goes where.
pub struct GuardedAccess {
    pub places: Vec<(Term, ObjIndex, u64)>,
    pub bad: Term,
}

impl Build<'_> {
    pub fn pointer_bits(&self) -> u8 {
        self.program.machine.pointer_bits()
    }

    pub fn function_address(&self, function: ir::FuncId) -> u64 {
        (1 << 16) + 16 * u64::from(function.0)
    }

    pub fn function_at(&self, address: u64) -> Option<ir::FuncId> {
        let offset = address.checked_sub(1 << 16)?;
        let index = offset / 16;
        let exists = offset % 16 == 0 && index < self.program.functions.len() as u64;
        exists.then_some(ir::FuncId(index as u32))
    }

    pub fn object_of(&mut self, thread: usize, operand: &Operand) -> Option<(ObjIndex, i64)> {
        match *operand {
            Operand::Object { object, offset } => {
                let info = &self.program.objects[object.index()];
                let maker = match info.kind {
                    ObjectKind::ThreadLocal => Maker::ThreadLocal(thread, object),
                    _ => Maker::Static(object),
                };
                Some((self.guess.object(maker, info.size), offset))
            }
            Operand::Slot { slot, offset } => {
                let size = self.function(thread).slots[slot.index()].size;
                Some((self.guess.object(Maker::Slot(thread, slot), size), offset))
            }
            _ => None,
        }
    }

    pub fn address(&mut self, object: ObjIndex, offset: i64) -> Term {
        let base = self.guess.objects[object.0].base;
        let bits = self.pointer_bits();
        self.pool.bits(base.wrapping_add_signed(offset), bits)
    }

    /// The places that an access of this size at this address may mean.
    pub fn resolve(
        &mut self,
        thread: usize,
        address: Term,
        size: u64,
        write: bool,
    ) -> GuardedAccess {
        let mut found = self.candidates(address, size);
        found.retain(|&(object, _)| self.reachable(thread, object, write));
        let mut places = Vec::new();
        let mut bad = self.pool.bool(true);
        if found.len() <= self.config.most_places {
            for (object, offset) in found {
                let here = self.address(object, offset as i64);
                let is = self.pool.eq(address, here);
                let not = self.pool.not(is);
                bad = self.pool.and(bad, not);
                if !self.pool.is_false(is) {
                    places.push((is, object, offset));
                }
            }
        }
        GuardedAccess { places, bad }
    }

    /// May this thread use the object by C's rules, as far as they do not depend on time?
    fn reachable(&self, thread: usize, object: ObjIndex, write: bool) -> bool {
        match self.guess.objects[object.0].maker {
            Maker::Static(id) => {
                !write || self.program.objects[id.index()].kind != ObjectKind::Constant
            }
            Maker::ThreadLocal(owner, _) => owner == thread,
            _ => true,
        }
    }

    fn candidates(&mut self, address: Term, size: u64) -> Vec<(ObjIndex, u64)> {
        let inside = |build: &Self, object: ObjIndex, offset: u64| {
            offset + size <= build.guess.objects[object.0].size
        };
        if let Some(leaves) = self.leaves(address) {
            let at = |a: &u64| self.guess.object_at(*a).filter(|(o, at)| inside(self, *o, *at));
            return leaves.iter().filter_map(at).collect();
        }
        let (constant, stride, single) = self.sum(address);
        if let Some(object) = self.guess.object_near(constant) {
            let Some(stride) = stride else { return self.all_of(object, 0, size.max(1), size) };
            let base = self.guess.objects[object.0].base;
            let phase = constant.wrapping_sub(base) % stride;
            // A distance below zero keeps its phase only for powers of two.
            let phase = if stride.is_power_of_two() {
                phase
            } else {
                constant.wrapping_sub(base).wrapping_add(stride << 30) % stride
            };
            return self.all_of(object, phase, stride, size);
        }
        if single && constant.wrapping_add(GAP / 2) < GAP {
            let held = self.held_in(address);
            let kept: BTreeSet<(ObjIndex, u64)> =
                self.guess.kept.iter().copied().chain(held).collect();
            let moved = kept.into_iter().map(|(o, at)| (o, at.wrapping_add(constant)));
            return moved.filter(|(o, at)| *at < GAP && inside(self, *o, *at)).collect();
        }
        let mut kept: Vec<ObjIndex> = self.guess.kept.iter().map(|(o, _)| *o).collect();
        kept.dedup();
        let stride = stride.unwrap_or(size).max(1);
        kept.into_iter().flat_map(|o| self.all_of(o, 0, stride, size)).collect()
    }

    /// The places of an object that a computed address may mean.
    pub fn places_of(&mut self, address: Term) -> Vec<u64> {
        let (_, stride, _) = self.sum(address);
        let found = self.candidates(address, stride.unwrap_or(1));
        let base = |object: ObjIndex| self.guess.objects[object.0].base;
        let all = found.iter().take(MAX_PLACES).map(|(object, offset)| base(*object) + offset);
        all.collect()
    }

    /// What the register that an address is made of holds at some location.
    fn held_in(&self, address: Term) -> Vec<(ObjIndex, u64)> {
        let [var] = crate::system::vars(&self.pool, address)[..] else { return Vec::new() };
        let held = self.guess.held.iter().find(|(key, _)| {
            self.by_key.get(*key).is_some_and(|cell| self.cells[cell.index()].var == var)
        });
        held.map(|(_, places)| places.iter().copied().collect()).unwrap_or_default()
    }

    /// Is it the address of a known object plus something?
    pub(crate) fn is_computed_address(&self, address: Term) -> bool {
        let (constant, _, _) = self.sum(address);
        self.leaves(address).is_none() && self.guess.object_near(constant).is_some()
    }

    fn all_of(&self, object: ObjIndex, phase: u64, stride: u64, size: u64) -> Vec<(ObjIndex, u64)> {
        let total = self.guess.objects[object.0].size;
        let count = (total / stride).min(self.config.most_places as u64 + 1);
        let offsets = (0..=count).map(|i| phase + i * stride);
        offsets.filter(|at| at + size <= total).map(|at| (object, at)).collect()
    }

    /// All values of a tree of choices between constants.
    fn leaves(&self, term: Term) -> Option<Vec<u64>> {
        let (mut found, mut stack) = (Vec::new(), vec![term]);
        while let Some(t) = stack.pop() {
            match self.pool.op(t) {
                Op::Bits(value) if !found.contains(&value) => found.push(value),
                Op::Bits(_) => {}
                Op::Ite(_, a, b) => stack.extend([a, b]),
                _ => return None,
            }
            if found.len() + stack.len() > MAX_PLACES {
                return None;
            }
        }
        Some(found)
    }

    /// A sum's constant, what all its other parts are multiples of (if that is known), and whether
    /// there is one such part only, taken once.
    fn sum(&self, term: Term) -> (u64, Option<u64>, bool) {
        let (mut constant, mut stride, mut parts, mut plain) = (0u64, None::<u64>, 0, true);
        let mut stack = vec![term];
        while let Some(t) = stack.pop() {
            let factor = match self.pool.op(t) {
                Op::Bits(value) => {
                    constant = constant.wrapping_add(value);
                    continue;
                }
                Op::Binary(BitOp::Add, a, b) => {
                    stack.extend([a, b]);
                    continue;
                }
                Op::Binary(BitOp::Mul, a, b) => {
                    plain = false;
                    self.pool.constant(a).or(self.pool.constant(b)).unwrap_or(1)
                }
                Op::Binary(BitOp::Shl, _, b) => {
                    plain = false;
                    self.pool.constant(b).filter(|n| *n < 32).map_or(1, |n| 1 << n)
                }
                Op::Concat(_, low) if self.pool.constant(low) == Some(0) => {
                    plain = false;
                    1 << self.pool.width(low).min(31)
                }
                _ => 1,
            };
            parts += 1;
            stride = Some(stride.map_or(factor, |s| gcd(s, factor)));
        }
        // Multiples that wrap around stay multiples of powers of two only; the comparison of
        // addresses decides in any case.
        let known = stride.filter(|s| *s > 1);
        (constant, known, parts == 1 && plain)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Cells.
impl Build<'_> {
    pub fn cell(&mut self, key: Key) -> CellId {
        if let Some(id) = self.by_key.get(&key) {
            return *id;
        }
        let (name, width, initial) = self.describe(key);
        let kind = match key {
            Key::Register(thread, _) | Key::Result(thread) => {
                CellKind::Own(ThreadId(thread as u32))
            }
            Key::Piece(..) if self.guess.shared.contains(&key) => CellKind::Shared,
            Key::Piece(object, _) => match self.guess.objects[object.0].maker {
                Maker::Slot(t, _) | Maker::ThreadLocal(t, _) | Maker::Block(t, ..) => {
                    CellKind::Own(ThreadId(t as u32))
                }
                Maker::Static(_) => CellKind::Shared,
            },
            _ => CellKind::Control,
        };
        let var = self.pool.fresh(Sort::Bits(width));
        let id = CellId(self.cells.len() as u32);
        self.cells.push(Cell { name, var, kind, initial });
        self.by_key.insert(key, id);
        self.keys.push(key);
        id
    }

    pub fn var(&mut self, key: Key) -> Term {
        let cell = self.cell(key);
        self.cells[cell.index()].var
    }

    pub(crate) fn width_of(&self, key: Key) -> u8 {
        match key {
            Key::Register(thread, reg) => self.reg_width(thread, reg),
            Key::Piece(object, offset) => {
                let next = self.guess.cuts.get(&object).and_then(|c| c.range(offset + 1..).next());
                (8 * next.map_or(1, |n| n - offset)).clamp(8, 64) as u8
            }
            Key::Alive(_) | Key::Fixed(_) | Key::Started(_) | Key::Ended(_) | Key::Joined(_) => 1,
            Key::Result(_) => self.pointer_bits(),
            Key::Id(_) | Key::Count => 32,
        }
    }

    /// Name, width and first value.
    fn describe(&self, key: Key) -> (String, u8, Option<u64>) {
        let width = self.width_of(key);
        let thread = |t: usize| self.function(t).name.clone() + &format!("#{t}");
        match key {
            Key::Register(t, reg) => {
                let name = self.function(t).regs[reg.index()].name.clone();
                let name = name.unwrap_or_else(|| format!("%{}", reg.0));
                (format!("{}.{name}", thread(t)), width, None)
            }
            Key::Piece(object, offset) => {
                let name = self.object_name(object);
                let name = if offset == 0 { name } else { format!("{name}+{offset}") };
                (name, width, self.first_value(object, offset, width))
            }
            Key::Alive(object) => (format!("alive({})", self.object_name(object)), width, Some(0)),
            Key::Fixed(object) => (format!("const({})", self.object_name(object)), width, Some(0)),
            Key::Started(t) => (format!("started({})", thread(t)), width, Some(0)),
            Key::Ended(t) => (format!("ended({})", thread(t)), width, Some(0)),
            Key::Joined(t) => (format!("joined({})", thread(t)), width, Some(0)),
            Key::Result(t) => (format!("result({})", thread(t)), width, None),
            Key::Id(t) => (format!("id({})", thread(t)), width, Some(0)),
            Key::Count => ("threads".into(), width, Some(1)),
        }
    }

    pub fn object_name(&self, object: ObjIndex) -> String {
        match self.guess.objects[object.0].maker {
            Maker::Static(id) => self.program.objects[id.index()].name.clone(),
            Maker::ThreadLocal(t, id) => {
                format!("{}.{}", t, self.program.objects[id.index()].name)
            }
            Maker::Slot(t, slot) => {
                let f = self.function(t);
                let name = f.slots[slot.index()].name.as_deref().unwrap_or("temporary");
                format!("{}#{t}.{name}", f.name)
            }
            Maker::Block(t, block, index) => format!("block#{t}.{}.{index}", block.0),
        }
    }

    fn first_value(&self, object: ObjIndex, offset: u64, width: u8) -> Option<u64> {
        let (Maker::Static(id) | Maker::ThreadLocal(_, id)) = self.guess.objects[object.0].maker
        else {
            return None;
        };
        let object = &self.program.objects[id.index()];
        if object.kind == ObjectKind::External {
            return None;
        }
        let size = u64::from(width) / 8;
        let pointer = self.program.machine.pointer_bytes();
        let overlaps = |at: u64| at < offset + size && offset < at + pointer;
        if let Some((at, operand)) = object.relocations.iter().find(|(at, _)| overlaps(*at)) {
            let whole = *at == offset && size == pointer;
            return whole.then(|| self.static_address(operand)).flatten();
        }
        let byte =
            |i: u64| u64::from(object.bytes.get((offset + i) as usize).copied().unwrap_or(0));
        Some((0..size).map(|i| byte(i) << (8 * i)).sum())
    }

    fn static_address(&self, operand: &Operand) -> Option<u64> {
        match *operand {
            Operand::Object { object, offset } => {
                let index = self.guess.makers.get(&Maker::Static(object))?;
                Some(self.guess.objects[index.0].base.wrapping_add_signed(offset))
            }
            Operand::Function(f) => Some(self.function_address(f)),
            _ => None,
        }
    }

    /// What a cell holds along this path.
    pub fn read(&mut self, sym: &Sym, key: Key) -> Term {
        self.note(sym, key, false);
        if let Some(value) = sym.mem.get(&key) {
            return *value;
        }
        let cell = self.cell(key);
        let Cell { var, initial, .. } = self.cells[cell.index()];
        if let Some(value) = sym.known.mem.get(&key) {
            return self.pool.bits(*value, self.pool.width(var));
        }
        let width = self.pool.width(var);
        let constant = if self.guess.written.contains(&key) {
            initial.filter(|_| sym.fresh && sym.alone())
        } else if !self.guess.prepared.contains(&key) || sym.fresh {
            initial
        } else if sym.alone() {
            None
        } else {
            self.guess.frozen.get(&key).and_then(|same| same.number())
        };
        constant.map_or(var, |value| self.pool.bits(value, width))
    }

    pub fn write(&mut self, sym: &mut Sym, key: Key, value: Term) {
        self.note(sym, key, true);
        self.cell(key);
        if let Some(address) = self.pool.constant(value) {
            if self.pool.width(value) == self.pointer_bits() {
                self.guess.keep(address);
            }
        } else {
            self.keep_leaves(value);
        }
        if self.config.stores && self.is_static(key) {
            sym.stores.push((sym.guard, key, value));
        }
        sym.mem.insert(key, value);
    }

    fn is_static(&self, key: Key) -> bool {
        let Key::Piece(object, _) = key else { return false };
        matches!(self.guess.objects[object.0].maker, Maker::Static(_))
    }

    /// Addresses among the constants of a value that is kept.
    pub(crate) fn keep_leaves(&mut self, value: Term) {
        if self.pool.width(value) != self.pointer_bits() {
            return;
        }
        let mut stack = vec![value];
        while let Some(t) = stack.pop() {
            match self.pool.op(t) {
                Op::Bits(address) => self.guess.keep(address),
                Op::Ite(_, a, b) => stack.extend([a, b]),
                _ => {}
            }
        }
    }

    /// Can others notice that this cell is used?
    pub(crate) fn noticeable(&self, sym: &Sym, key: Key) -> bool {
        !sym.alone() && self.guess.shared.contains(&key)
    }

    fn note(&mut self, sym: &Sym, key: Key, write: bool) {
        if !matches!(key, Key::Piece(..) | Key::Alive(_) | Key::Fixed(_)) {
            return;
        }
        if sym.alone() {
            if write {
                self.guess.prepare(key);
            }
            return;
        }
        if write {
            self.guess.write(key);
        }
        let used = self.used.entry(key).or_default();
        used.insert(sym.thread);
        if used.len() > 1 && self.guess.written.contains(&key) {
            self.guess.share(key);
        }
    }
}
