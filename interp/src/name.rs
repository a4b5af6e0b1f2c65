//! Names of objects, addresses and values for readers.

use crate::memory::Birth;
use crate::state::{Frame, Home, Life, State};
use crate::step::Interp;
use crate::value::{ObjKey, Tid, Value};
use ir::arith::number;
use ir::names::decode;
use ir::types::{Scalar, Type, TypeId};
use ir::{FuncId, InstKind, ObjectId, Origin, Reg, Span};
use triomphe::Arc;

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
            Birth::Heap(..) => Storage::Heap,
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

    /// What the calls that a thread is in want a block of the heap for: the innermost one that says it,
    /// but a call that gives bytes may be a user's own allocator, whose caller knows better.
    pub(crate) fn purpose(&self, state: &State, thread: Tid) -> Option<TypeId> {
        let callers = state.thread(thread).frames.iter().rev().skip(1);
        let mut told = callers.filter_map(|frame| self.purpose_of_call(frame)).peekable();
        let innermost = told.peek().copied();
        told.find(|ty| self.program.types.size(*ty) != Some(1)).or(innermost)
    }

    /// What the result of the call that a frame is in becomes a pointer to.
    fn purpose_of_call(&self, frame: &Frame) -> Option<TypeId> {
        let inst = self.block(frame).insts.get(frame.index.checked_sub(1)?)?;
        let InstKind::Call { dst: Some(dst), .. } = inst.kind else { return None };
        self.purpose_of(frame, dst)
    }

    fn purpose_of(&self, frame: &Frame, dst: Reg) -> Option<TypeId> {
        let info = &self.program.functions[frame.func.index()].regs[dst.index()];
        let types = &self.program.types;
        match types.get(types.strip_atomic(info.of.filter(|_| info.name.is_none())?)) {
            Type::Pointer(to) => Some(to.bare()),
            _ => None,
        }
    }

    /// What a block that is allocated now will be called. Where calls are inlined, the register that gets
    /// it says what it is for (`analysis::inline`).
    pub(crate) fn heap_birth(&self, state: &mut State, thread: Tid, dst: Reg, span: Span) -> Birth {
        let frame = || state.thread(thread).frames.last();
        let inlined = || self.purpose_of(frame()?, dst);
        let purpose = self.purpose(state, thread).or_else(inlined);
        let counts = Arc::make_mut(&mut state.allocations);
        let same = |(ty, at, _): &&mut (Option<TypeId>, Span, u32)| {
            *ty == purpose && (ty.is_some() || *at == span)
        };
        let number = match counts.iter_mut().find(same) {
            Some((_, _, count)) => {
                *count += 1;
                *count
            }
            None => {
                counts.push((purpose, span, 1));
                1
            }
        };
        Birth::Heap(span, purpose, number)
    }

    /// `node` for `struct node`; nothing for what has no name.
    fn short_type(&self, ty: TypeId) -> Option<String> {
        let types = &self.program.types;
        let name = types.name(types.strip_atomic(ty));
        let word = name.rsplit(' ').next()?;
        let plain = word.chars().all(|c| c.is_alphanumeric() || c == '_');
        (plain && !word.is_empty()).then(|| word.to_owned())
    }

    /// Where calls are inlined, what a model does has no better place than its own text.
    fn is_in_a_model(&self, span: Span) -> bool {
        let mut models = self.program.functions.iter().filter(|f| f.origin == Origin::Model);
        models.any(|f| f.span.file == span.file)
    }

    /// `node#2`, the second block for a `struct node`; or `malloc@line` with the line of the user's
    /// call, or `block`. All are names of pointers.
    fn block_name(&self, span: Span, ty: Option<TypeId>, number: u32) -> String {
        match ty.and_then(|ty| self.short_type(ty)) {
            Some(name) => format!("{name}#{number}"),
            None if self.is_in_a_model(span) && number > 1 => format!("block#{number}"),
            None if self.is_in_a_model(span) => "block".into(),
            None if number > 1 => format!("malloc@{}#{number}", self.short_place(span)),
            None => format!("malloc@{}", self.short_place(span)),
        }
    }

    /// A variable's name, or that of a block of the heap.
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
            Some(Birth::Heap(span, ty, number)) => self.block_name(span, ty, number),
            Some(Birth::Alloca(span)) => format!("alloca@{}", self.short_place(span)),
            None => "an unknown object".into(),
        }
    }

    /// The part of an object at an offset, such as `a[2].next` or `node#1->next`.
    pub fn location(&self, state: &State, key: ObjKey, offset: u64) -> String {
        let name = self.object_name(state, key);
        match (self.object_type(state, key), self.element(state, key)) {
            (Some(ty), _) => name + &self.program.types.path_at(ty, offset).0,
            (None, Some((ty, size))) => {
                self.in_block(name, ty, size, offset, |rest| self.program.types.path_at(ty, rest).0)
            }
            (None, None) if offset == 0 => name,
            (None, None) => format!("{name}+{offset}"),
        }
    }

    /// The type of what is at an offset of an object.
    pub fn type_at(&self, state: &State, key: ObjKey, offset: u64) -> Option<TypeId> {
        let types = &self.program.types;
        match (self.object_type(state, key), self.element(state, key)) {
            (Some(ty), _) => Some(types.path_at(ty, offset).1),
            (None, Some((ty, size))) => Some(types.path_at(ty, offset % size).1),
            (None, None) => None,
        }
    }

    /// A part of a block: `node#1->next`, `node#1[2].next`, `*int#1`, `int#1[2]`.
    fn in_block(
        &self,
        name: String,
        ty: TypeId,
        element: u64,
        offset: u64,
        path: impl Fn(u64) -> String,
    ) -> String {
        let path = path(offset % element);
        let several = offset >= element;
        match (several, path.strip_prefix('.')) {
            (true, _) => format!("{name}[{}]{path}", offset / element),
            (false, Some(member)) => format!("{name}->{member}"),
            (false, None) if path.is_empty() && self.program.types.scalar(ty).is_some() => {
                format!("*{name}")
            }
            (false, None) => format!("{name}{path}"),
        }
    }

    /// What a block of the heap consists of, and the size of one of these.
    fn element(&self, state: &State, key: ObjKey) -> Option<(TypeId, u64)> {
        let Some(Birth::Heap(_, Some(ty), _)) = self.birth(state, key) else { return None };
        self.short_type(ty)?;
        let size = self.program.types.size(ty).filter(|size| *size > 0)?;
        Some((ty, size))
    }

    /// Where the user's code called the library model that a thread is in, if it is in one. (A thread
    /// may begin in a model, which calls the user's function; and what a function of the user's does that a model
    /// calls, such as a comparison for `qsort`, is the user's code again.)
    pub fn caller_of_model(&self, state: &State, thread: Tid) -> Option<(FuncId, Span)> {
        let is_model = |f: FuncId| self.program.functions[f.index()].origin == Origin::Model;
        let frames = &state.thread(thread).frames;
        let caller = frames.iter().rfind(|f| !is_model(f.func))?;
        if frames.last().is_none_or(|top| !is_model(top.func)) {
            return None;
        }
        let call = self.block(caller).insts.get(caller.index.checked_sub(1)?)?;
        Some((caller.func, call.span))
    }

    /// Where a thread is in the user's code: in a library model, where that was called.
    pub fn user_place(&self, state: &State, thread: Tid) -> (String, Span) {
        let own = |f: &FuncId| self.program.functions[f.index()].origin != Origin::Model;
        let top = state.thread(thread).frames.last().map(|f| f.func).filter(own);
        let top = top.map(|func| (func, self.span(state, thread)));
        let place = self.caller_of_model(state, thread).or(top);
        let name = |f: FuncId| decode(&self.program.functions[f.index()].name).into_owned();
        place.map_or((String::new(), Span::NONE), |(func, span)| (name(func), span))
    }

    /// An address: `&x[3]`, `node#1`, `NULL`, `&f`, or a number. `to`: what it points to, by its
    /// type.
    pub fn address(&self, state: &State, addr: u64, to: Option<TypeId>) -> String {
        if addr == 0 {
            return "NULL".into();
        }
        if let Some(func) = self.space.function_at(addr) {
            return format!("&{}", self.program.functions[func.index()].name);
        }
        let Some((_, key)) = state.entry_at(&self.space, addr) else { return number_text(addr) };
        let offset = addr.wrapping_sub(self.space.base(key));
        let size = state.object_of(&self.space, key).map(|o| o.size());
        let name = self.object_name(state, key);
        let inside = offset == 0 || size.is_some_and(|s| offset < s);
        let is_block = matches!(self.birth(state, key), Some(Birth::Heap(..)));
        match (self.object_type(state, key), self.element(state, key)) {
            _ if !inside => format!("{}{name}{:+}", if is_block { "" } else { "&" }, offset as i64),
            (Some(ty), _) => format!("&{name}{}", self.part(ty, offset, to)),
            (None, Some((ty, element))) => {
                let whole = offset % element == 0 && self.part(ty, 0, to).is_empty();
                match whole {
                    true if offset == 0 => name,
                    true => format!("&{name}[{}]", offset / element),
                    false => {
                        let path = |rest| self.part(ty, rest, to);
                        format!("&{}", self.in_block(name, ty, element, offset, path))
                    }
                }
            }
            (None, None) if offset == 0 && is_block => name,
            (None, None) if offset == 0 => format!("&{name}"),
            (None, None) => format!("{name}+{offset}"),
        }
    }

    /// Without what only the C library knows: `.__data.__lock`.
    fn part(&self, ty: TypeId, offset: u64, to: Option<TypeId>) -> String {
        let types = &self.program.types;
        let to = to.filter(|to| !matches!(types.get(*to), Type::Void));
        let mut path = types.part_at(ty, offset, to);
        while let Some((outer, inner)) = path.rsplit_once('.')
            && inner.starts_with("__")
        {
            path.truncate(outer.len());
        }
        path
    }

    /// A value of a type; `of` is the type as C has it.
    pub fn value_text(
        &self,
        state: &State,
        value: Value,
        ty: Scalar,
        of: Option<TypeId>,
    ) -> String {
        let types = &self.program.types;
        let to = of.and_then(|of| match types.get(types.strip_atomic(of)) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        });
        match (value, ty) {
            (Value::Sym { .. }, _) => "?".into(),
            (Value::Int(bits), Scalar::Ptr) => self.address(state, bits, to),
            (Value::Int(bits), Scalar::F32) => format!("{}", f32::from_bits(bits as u32)),
            (Value::Int(bits), Scalar::F64) => format!("{}", f64::from_bits(bits)),
            (Value::Int(bits), _) => number(bits, ty, self.space.machine()).to_string(),
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
            Birth::Heap(..) | Birth::Alloca(_) => return None,
        };
        (!matches!(self.program.types.get(ty), Type::Void)).then_some(ty)
    }
}

/// A pointer that points nowhere: a small number is one that was cast.
fn number_text(addr: u64) -> String {
    const SMALL: u64 = 1 << 16;
    match addr {
        _ if addr < SMALL => addr.to_string(),
        _ if addr.wrapping_neg() < SMALL => (addr as i64).to_string(),
        _ => format!("{addr:#x}"),
    }
}
