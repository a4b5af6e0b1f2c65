//! Loads, stores and lifetimes.

use super::guess::{Key, Maker, ObjIndex};
use super::memory::GuardedAccess;
use super::sym::{Flow, Sym};
use super::thread::ThreadBuild;
use super::{Build, Refusal};
use crate::system::{InputVariable, SourcePoint};
use encoder::{Sort, Term, arith};
use ir::types::Scalar;
use ir::*;

const OUTSIDE: &str = "an access outside of every living object";
/// Bytes of a block that is cut into cells.
const MAX_SIZE: u64 = 1 << 16;

type Done = Result<Flow, Refusal>;

impl Build<'_> {
    /// What the access means; `None` if it belongs to the next action.
    fn accessed(
        &mut self,
        thread: &mut ThreadBuild,
        sym: &mut Sym,
        (address, operand): (Term, Option<&Operand>),
        size: u64,
        write: bool,
    ) -> Option<GuardedAccess> {
        let access = self.resolve(sym.thread, address, size, write);
        let mut noticed = false;
        for &(_, object, offset) in &access.places {
            self.guess.cut(object, offset);
            self.guess.cut(object, offset + size);
            noticed |= self.is_mortal(object) && self.noticeable(sym, Key::Alive(object));
            noticed |=
                write && self.may_be_fixed(object) && self.noticeable(sym, Key::Fixed(object));
            let pieces = self.guess.pieces(object, offset, size);
            let mut keys = pieces.iter().map(|(at, _)| Key::Piece(object, *at));
            noticed |= keys.any(|key| self.noticeable(sym, key));
        }
        if noticed && sym.depth == 0 {
            if sym.visible {
                return None;
            }
            sym.visible = true;
        }
        let mut bad = access.bad;
        for &(is, object, _) in &access.places {
            if self.is_mortal(object) {
                let alive = self.read(sym, Key::Alive(object));
                let alive = self.pool.truth(alive);
                let dead = self.pool.not(alive);
                let dead = self.pool.and(is, dead);
                bad = self.pool.or(bad, dead);
            }
            if write && self.may_be_fixed(object) {
                let fixed = self.read(sym, Key::Fixed(object));
                let fixed = self.pool.truth(fixed);
                let fixed = self.pool.and(is, fixed);
                bad = self.pool.or(bad, fixed);
            }
        }
        self.traps_at_null(thread, sym, address);
        if let Some(outside) = self.outside(thread, operand, address, size) {
            self.undefined_if(thread, sym, outside, OUTSIDE);
        }
        self.doubt_if(thread, sym, bad, OUTSIDE);
        Some(access)
    }

    fn is_mortal(&self, object: ObjIndex) -> bool {
        matches!(self.guess.objects[object.0].maker, Maker::Slot(..) | Maker::Block(..))
    }

    /// Is it a variable that is `const` at some time?
    fn may_be_fixed(&self, object: ObjIndex) -> bool {
        let Maker::Slot(thread, slot) = self.guess.objects[object.0].maker else { return false };
        let function = self.guess.instances[thread].function;
        self.graphs[&function].fixed.contains(&slot)
    }

    pub fn fix(&mut self, sym: &mut Sym, slot: SlotId, constant: bool) -> Flow {
        let operand = Operand::Slot { slot, offset: 0 };
        if let Some((object, _)) = self.object_of(sym.thread, &operand) {
            if self.noticeable(sym, Key::Fixed(object)) && sym.depth == 0 {
                if sym.visible {
                    return Flow::Stop;
                }
                sym.visible = true;
            }
            let flag = self.pool.bits(u64::from(constant), 1);
            self.write(sym, Key::Fixed(object), flag);
        }
        Flow::Next
    }

    pub fn load(
        &mut self,
        thread: &mut ThreadBuild,
        sym: &mut Sym,
        dst: Reg,
        addr: &Operand,
        ty: Scalar,
    ) -> Done {
        let address = self.operand(sym, addr);
        let size = ty.bytes(self.program.machine);
        let Some(access) = self.accessed(thread, sym, (address, Some(addr)), size, false) else {
            return Ok(Flow::Stop);
        };
        let width = self.bits_of(ty);
        let mut value = None;
        for &(is, object, offset) in &access.places {
            let here = self.read_range(sym, object, offset, size);
            let here = arith::resize(&mut self.pool, here, width, false);
            value = Some(match value {
                None => here,
                Some(other) => self.pool.ite(is, here, other),
            });
        }
        let value = value.unwrap_or_else(|| self.pool.fresh(Sort::Bits(width)));
        sym.regs.insert(dst, value);
        Ok(Flow::Next)
    }

    fn read_range(&mut self, sym: &Sym, object: ObjIndex, offset: u64, size: u64) -> Term {
        let mut value: Option<Term> = None;
        for (at, _) in self.guess.pieces(object, offset, size) {
            let piece = self.read(sym, Key::Piece(object, at));
            value = Some(match value {
                None => piece,
                Some(low) => self.pool.concat(piece, low),
            });
        }
        let bits = Sort::Bits((8 * size).clamp(8, 64) as u8);
        value.unwrap_or_else(|| self.pool.fresh(bits))
    }

    pub fn store(
        &mut self,
        thread: &mut ThreadBuild,
        sym: &mut Sym,
        addr: &Operand,
        value: Term,
        ty: Scalar,
    ) -> Done {
        let address = self.operand(sym, addr);
        let size = ty.bytes(self.program.machine);
        let value = arith::resize(&mut self.pool, value, (8 * size) as u8, false);
        Ok(self.store_at(thread, sym, (address, Some(addr)), value))
    }

    /// A value of whole bytes.
    pub(crate) fn store_at(
        &mut self,
        thread: &mut ThreadBuild,
        sym: &mut Sym,
        place: (Term, Option<&Operand>),
        value: Term,
    ) -> Flow {
        let size = u64::from(self.pool.width(value)) / 8;
        let Some(access) = self.accessed(thread, sym, place, size, true) else {
            return Flow::Stop;
        };
        let only = access.places.len() == 1;
        for &(is, object, offset) in &access.places {
            for (at, bytes) in self.guess.pieces(object, offset, size) {
                let part = self.pool.extract(value, (8 * (at - offset)) as u8, (8 * bytes) as u8);
                let key = Key::Piece(object, at);
                let new = if only {
                    part
                } else {
                    let old = self.read(sym, key);
                    self.pool.ite(is, part, old)
                };
                self.write(sym, key, new);
            }
        }
        Flow::Next
    }

    /// The life of a variable begins or ends.
    pub fn slot(
        &mut self,
        thread: &mut ThreadBuild,
        sym: &mut Sym,
        place: SourcePoint,
        slot: SlotId,
        live: bool,
    ) -> Done {
        let operand = Operand::Slot { slot, offset: 0 };
        let Some((object, _)) = self.object_of(sym.thread, &operand) else {
            return Ok(Flow::Next);
        };
        if self.stop_for_life(sym, object) {
            return Ok(Flow::Stop);
        }
        if live && self.left_over(sym, place, object) {
            self.doubt(thread, sym, "a pointer to a variable that is made anew");
            return Ok(Flow::Dead);
        }
        self.set_life(sym, object, live, false);
        Ok(Flow::Next)
    }

    fn stop_for_life(&mut self, sym: &mut Sym, object: ObjIndex) -> bool {
        let pieces = self.guess.cuts.get(&object).into_iter().flatten();
        let mut keys = pieces.map(|at| Key::Piece(object, *at)).chain([Key::Alive(object)]);
        if keys.any(|key| self.noticeable(sym, key)) && sym.depth == 0 {
            if sym.visible {
                return true;
            }
            sym.visible = true;
        }
        false
    }

    /// May somebody hold the address of this variable from an earlier life?
    fn left_over(&self, sym: &Sym, place: SourcePoint, object: ObjIndex) -> bool {
        let graph = &self.graphs[&place.function];
        if !graph.looping.contains(&place.block) {
            return false;
        }
        let points = |address: u64| self.guess.object_near(address) == Some(object);
        let live = graph.live.before(place.block, place.index);
        let held = live.iter().any(|reg| {
            let value = sym.regs.get(reg).and_then(|t| self.pool.constant(*t));
            value.or(sym.known.regs.get(reg).copied()).is_some_and(points)
        });
        held || self.guess.kept.iter().any(|(o, _)| *o == object)
    }

    fn set_life(&mut self, sym: &mut Sym, object: ObjIndex, live: bool, zeroed: bool) {
        let flag = self.pool.bits(u64::from(live), 1);
        self.write(sym, Key::Alive(object), flag);
        if !live {
            return;
        }
        if self.may_be_fixed(object) {
            let no = self.pool.bits(0, 1);
            self.write(sym, Key::Fixed(object), no);
        }
        let size = self.guess.objects[object.0].size;
        for (at, bytes) in self.guess.pieces_within(object, 0, size) {
            let width = (8 * bytes).min(64) as u8;
            if bytes > 8 {
                continue;
            }
            let value = match zeroed {
                true => self.pool.bits(0, width),
                false => self.pool.fresh(Sort::Bits(width)),
            };
            self.write(sym, Key::Piece(object, at), value);
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub fn alloc(
        &mut self,
        thread: &mut ThreadBuild,
        sym: &mut Sym,
        place: SourcePoint,
        dst: Reg,
        size: &Operand,
        zeroed: bool,
        storage: Storage,
    ) -> Done {
        let size = self.operand(sym, size);
        let size = self.pool.constant(size).filter(|n| *n <= MAX_SIZE);
        let in_loop = self.graphs[&thread.function].looping.contains(&place.block);
        let what = match size {
            None => Some("a block whose size is not known"),
            _ if in_loop => Some("blocks that are made in a loop without a bound"),
            _ if storage == Storage::Frame => Some("`alloca`"),
            _ => None,
        };
        if let (Some(what), _) | (None, (what, None)) = (what, ("", size)) {
            self.doubt(thread, sym, what);
            return Ok(Flow::Dead);
        }
        let maker = Maker::Block(sym.thread, place.block, place.index);
        let object = self.guess.object(maker, size.unwrap_or(0));
        if self.stop_for_life(sym, object) {
            return Ok(Flow::Stop);
        }
        let address = self.address(object, 0);
        if self.config.malloc_may_fail {
            // Where it fails there is no block; that it seems to be there does no harm.
            let fails = self.pool.fresh(Sort::Bool);
            sym.trail.inputs.push(InputVariable::Fails(fails));
            let null = self.pool.bits(0, self.pointer_bits());
            let either = self.pool.ite(fails, null, address);
            sym.regs.insert(dst, either);
        } else {
            sym.regs.insert(dst, address);
        }
        self.set_life(sym, object, true, zeroed);
        Ok(Flow::Next)
    }

    pub fn free(&mut self, thread: &mut ThreadBuild, sym: &mut Sym, ptr: &Operand) -> Done {
        let ptr = self.operand(sym, ptr);
        if self.pool.constant(ptr) == Some(0) {
            return Ok(Flow::Next);
        }
        let found = self.pool.constant(ptr).and_then(|a| self.guess.object_at(a));
        let block = |o: &ObjIndex| matches!(self.guess.objects[o.0].maker, Maker::Block(..));
        let Some((object, 0)) = found.filter(|(o, _)| block(o)) else {
            self.doubt(thread, sym, "a block is freed that is not known");
            return Ok(Flow::Dead);
        };
        if self.stop_for_life(sym, object) {
            return Ok(Flow::Stop);
        }
        let alive = self.read(sym, Key::Alive(object));
        let alive = self.pool.truth(alive);
        let dead = self.pool.not(alive);
        self.undefined_if(thread, sym, dead, "a block is freed twice");
        self.set_life(sym, object, false, false);
        Ok(Flow::Next)
    }

    pub fn object_size(
        &mut self,
        thread: &mut ThreadBuild,
        sym: &mut Sym,
        dst: Reg,
        ptr: &Operand,
    ) -> Done {
        let ptr = self.operand(sym, ptr);
        let found = self.pool.constant(ptr).and_then(|a| self.guess.object_at(a));
        let Some((object, 0)) = found else {
            self.doubt(thread, sym, "the size of a block that is not known");
            return Ok(Flow::Dead);
        };
        let width = self.reg_width(sym.thread, dst);
        let size = self.pool.bits(self.guess.objects[object.0].size, width);
        sym.regs.insert(dst, size);
        Ok(Flow::Next)
    }
}
