//! Names of objects, addresses and values for readers.

use crate::memory::Birth;
use crate::state::{Home, Life, State};
use crate::step::Interp;
use crate::value::{ObjKey, Tid, Value};
use ir::arith::number;
use ir::names::decode;
use ir::types::{Scalar, Type, TypeId};
use ir::{FuncId, ObjectId, Origin, Span};

/// What keeps an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    Static(ObjectId),
    ThreadLocal,
    /// A local variable or a block of `alloca`.
    Frame,
    Heap,
}

impl Interp<'_> {
    pub fn storage(&self, state: &State, key: ObjKey) -> Option<Storage> {
        Some(match self.birth(state, key)? {
            Birth::Static(id) => Storage::Static(id),
            Birth::ThreadLocal(_) => Storage::ThreadLocal,
            Birth::Slot(..) | Birth::Alloca(_) => Storage::Frame,
            Birth::Heap(_) => Storage::Heap,
        })
    }

    /// What a thread was started with.
    pub fn first_argument(&self, state: &State, thread: Tid) -> Option<Value> {
        let frame = state.threads.get(thread.index())?.frames.first()?;
        let parameter = self.program.functions[frame.func.index()].params.first()?;
        frame.regs.get(parameter.index()).copied()
    }

    /// The object that a number points into, if it is an address, and where in it.
    pub fn target(&self, state: &State, addr: u64) -> Option<(ObjKey, i64)> {
        let (_, key) = state.entry_at(&self.space, addr)?;
        Some((key, addr.wrapping_sub(self.space.base(key)) as i64))
    }

    /// The line; with the file's name if it is not the one that the program starts in.
    fn short_place(&self, span: Span) -> String {
        let entry = &self.program.functions[self.program.entry.index()];
        let place = self.place(span);
        let name = place.rsplit('/').next().unwrap_or(&place).to_owned();
        if span.file == entry.span.file { span.line.to_string() } else { name }
    }

    /// A variable's name, or `malloc@line` with the line of the user's call.
    pub fn object_name(&self, state: &State, key: ObjKey) -> String {
        match self.birth(state, key) {
            Some(Birth::Static(id) | Birth::ThreadLocal(id)) => {
                self.program.objects[id.index()].name.clone()
            }
            Some(Birth::Slot(func, slot)) => {
                let info = &self.program.functions[func.index()].slots[slot.index()];
                info.name
                    .clone()
                    .unwrap_or_else(|| format!("temporary@{}", self.short_place(info.span)))
            }
            Some(Birth::Heap(span)) => format!("malloc@{}", self.short_place(span)),
            Some(Birth::Alloca(span)) => format!("alloca@{}", self.short_place(span)),
            None => "an unknown object".into(),
        }
    }

    /// The part of an object at an offset, such as `a[2].next`.
    pub fn location(&self, state: &State, key: ObjKey, offset: u64) -> String {
        let name = self.object_name(state, key);
        match self.object_type(state, key) {
            Some(ty) => name + &self.program.types.path_at(ty, offset).0,
            None if offset == 0 => name,
            None => format!("{name}+{offset}"),
        }
    }

    /// Where the user's code called the library model that a thread is in, if it is in one.
    pub fn caller_of_model(&self, state: &State, thread: Tid) -> Option<(FuncId, Span)> {
        let is_model = |f: FuncId| self.program.functions[f.index()].origin == Origin::Model;
        let frames = &state.thread(thread).frames;
        let outermost = frames.iter().position(|f| is_model(f.func))?;
        let caller = frames.get(outermost.checked_sub(1)?)?;
        let call = self.block(caller).insts.get(caller.index.checked_sub(1)?)?;
        Some((caller.func, call.span))
    }

    /// Where a thread is in the user's code: in a library model, where that was called.
    pub fn user_place(&self, state: &State, thread: Tid) -> (String, Span) {
        let top = state.thread(thread).frames.last().map(|f| (f.func, self.span(state, thread)));
        let place = self.caller_of_model(state, thread).or(top);
        let name = |f: FuncId| decode(&self.program.functions[f.index()].name).into_owned();
        place.map_or((String::new(), Span::NONE), |(func, span)| (name(func), span))
    }

    /// An address: `&x[3]`, `NULL`, `&f`, or a number.
    pub fn address(&self, state: &State, addr: u64) -> String {
        if addr == 0 {
            return "NULL".into();
        }
        if let Some(func) = self.space.function_at(addr) {
            return format!("&{}", self.program.functions[func.index()].name);
        }
        let Some((_, key)) = state.entry_at(&self.space, addr) else { return format!("{addr:#x}") };
        let offset = addr.wrapping_sub(self.space.base(key));
        let size = state.object_of(&self.space, key).map(|o| o.size());
        match offset {
            0 => format!("&{}", self.object_name(state, key)),
            _ if size.is_some_and(|s| offset < s) => {
                format!("&{}", self.location(state, key, offset))
            }
            _ => format!("&{}{:+}", self.object_name(state, key), offset as i64),
        }
    }

    /// A value of a type.
    pub fn value_text(&self, state: &State, value: Value, ty: Scalar) -> String {
        match (value, ty) {
            (Value::Sym { .. }, _) => "?".into(),
            (Value::Int(bits), Scalar::Ptr) => self.address(state, bits),
            (Value::Int(bits), Scalar::F32) => format!("{}", f32::from_bits(bits as u32)),
            (Value::Int(bits), Scalar::F64) => format!("{}", f64::from_bits(bits)),
            (Value::Int(bits), _) => number(bits, ty, self.space.machine()).to_string(),
        }
    }

    /// Was the object declared or allocated by the user (rather than inside of a library model)?
    pub fn object_span(&self, state: &State, key: ObjKey) -> Span {
        match self.birth(state, key) {
            Some(Birth::Static(id) | Birth::ThreadLocal(id)) => {
                self.program.objects[id.index()].span
            }
            Some(Birth::Slot(func, slot)) => {
                self.program.functions[func.index()].slots[slot.index()].span
            }
            Some(Birth::Heap(span) | Birth::Alloca(span)) => span,
            None => Span::NONE,
        }
    }

    fn birth(&self, state: &State, key: ObjKey) -> Option<Birth> {
        match state.entry_at(&self.space, self.space.base(key))?.0 {
            home @ Home::Static(_) => state.object(home).map(|o| o.birth),
            Home::Arena(a, i) => Some(match &state.arenas[a].entries[i].life {
                Life::Live(object) => object.birth,
                Life::Dead(birth) => *birth,
            }),
        }
    }

    /// The declared type, unless it is opaque about its inside.
    fn object_type(&self, state: &State, key: ObjKey) -> Option<TypeId> {
        let ty = match self.birth(state, key)? {
            Birth::Static(id) | Birth::ThreadLocal(id) => self.program.objects[id.index()].ty,
            Birth::Slot(func, slot) => self.program.functions[func.index()].slots[slot.index()].ty,
            Birth::Heap(_) | Birth::Alloca(_) => return None,
        };
        (!matches!(self.program.types.get(ty), Type::Void)).then_some(ty)
    }
}
