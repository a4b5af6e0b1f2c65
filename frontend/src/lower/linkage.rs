//! The program under construction: what translation units share, and the last touches.
//!
//! External names are looked up here, `static` ones never are. A function exists as soon as it is
//! referenced; it gets its blocks when some unit defines it. Functions that stay without a body and
//! that `frontend/models` defines are linked in by `lib.rs` until nothing is missing.

use super::attribute::Constructor;
use super::binding::Bindings;
use super::called_as::{self, CallTypes, Fit};
use super::literals::ConstantLiterals;
use super::live_functions::{self, LiveFunctions};
use super::model_parts;
use super::open_bytes::{self, OpenBytes};
use super::variadic;
use super::volatile::Volatile;
use crate::source::Files;
use analysis::order::{self, UnsequencedPair};
use analysis::own_id;
use analysis::{compared, jumps, lengths};
use ir::PropertyKind;
use ir::types::{Field, Machine, Rank, RecordId, Scalar, Type, TypeId, Types};
use ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

pub struct Linkage {
    pub types: Types,
    pub objects: Vec<Object>,
    pub functions: Vec<Function>,
    /// Functions with external linkage.
    pub externs: FxHashMap<String, FuncId>,
    /// Objects with external linkage.
    pub extern_objects: FxHashMap<String, ObjectId>,
    /// Where members are found by name, for records that were asked.
    pub members: FxHashMap<RecordId, MemberIndex>,
    /// All function names that the units mention by use; `__obmc_linked` asks here.
    pub mentioned: FxHashSet<String>,
    /// Functions that units of the program define for all of them.
    pub defined: FxHashSet<String>,
    /// Functions that the program calls without a declaration.
    pub undeclared: FxHashSet<String>,
    /// Those of them that the program mentions, and not only models, and members of times;
    /// `__obmc_mentioned` asks here.
    pub own: FxHashSet<String>,
    /// Functions that the program mentions more than once; `__obmc_repeated` asks here.
    pub repeated: FxHashSet<String>,
    /// What the program is loaded for.
    pub property: LoadedFor,
    /// What is taken not to be there.
    pub ignored: Vec<(String, Span)>,
    /// What the program does with bytes that hold no member's value.
    pub open_bytes: OpenBytes,
    /// Where the program compares and exchanges pointers.
    pub pointer_exchanges: Vec<Span>,
    /// Whether the order of operands matters.
    pub unsequenced: Vec<(FuncId, UnsequencedPair)>,
    pub constructors: Vec<Constructor>,
    pub destructors: Vec<Constructor>,
    pub bindings: Bindings,
    /// `main` looks at its arguments.
    pub receives_arguments: bool,
    /// The words that `main` is called with, if they are known.
    pub arguments: Option<Vec<String>>,
    /// The objects that are string literals.
    pub literals: Vec<ObjectId>,
    pub constants: ConstantLiterals,
    /// Functions whose last parameter is where the arguments of `...` lie.
    pub variadic: FxHashSet<FuncId>,
    /// Their bodies are for inlining: another definition may stand beside it.
    pub inline: FxHashSet<FuncId>,
    /// What volatile accesses count as.
    pub volatile: Volatile,
    /// As what functions are called, and defined (`called_as.rs`).
    pub calls: CallTypes,
    /// How many enumerations have become this type.
    pub enums: FxHashMap<TypeId, u32>,
    /// What the results of functions point to, as their callers see them (`fresh.rs`).
    pub pointees: FxHashMap<FuncId, TypeId>,
}

/// The members of one complete record.
#[derive(Default)]
pub struct MemberIndex {
    named: FxHashMap<String, usize>,
    anonymous: Vec<(usize, RecordId)>,
}

impl MemberIndex {
    fn of(types: &Types, fields: &[Field]) -> MemberIndex {
        let mut index = MemberIndex::default();
        for (i, field) in fields.iter().enumerate() {
            match (&field.name, types.get(field.ty)) {
                (Some(name), _) => drop(index.named.insert(name.clone(), i)),
                (None, Type::Record(inner)) => index.anonymous.push((i, *inner)),
                (None, _) => {}
            }
        }
        index
    }
}

impl Linkage {
    /// Positions that lead to a named member, through the anonymous ones that contain it.
    pub(crate) fn member_path(&mut self, record: RecordId, name: &str) -> Option<Vec<usize>> {
        let layout = self.types.record(record).layout.as_ref()?;
        let make = || MemberIndex::of(&self.types, &layout.fields);
        let index = self.members.entry(record).or_insert_with(make);
        if let Some(&i) = index.named.get(name) {
            return Some(vec![i]);
        }
        let anonymous = index.anonymous.clone();
        anonymous.into_iter().find_map(|(i, inner)| {
            let mut path = self.member_path(inner, name)?;
            path.insert(0, i);
            Some(path)
        })
    }

    pub fn new(machine: Machine, property: PropertyKind, volatile: MemoryOrder) -> Linkage {
        Linkage {
            types: Types::new(machine),
            objects: Vec::new(),
            functions: Vec::new(),
            externs: FxHashMap::default(),
            extern_objects: FxHashMap::default(),
            members: FxHashMap::default(),
            mentioned: FxHashSet::default(),
            defined: FxHashSet::default(),
            undeclared: FxHashSet::default(),
            own: FxHashSet::default(),
            repeated: FxHashSet::default(),
            property: LoadedFor::new(property),
            ignored: Vec::new(),
            open_bytes: OpenBytes::default(),
            pointer_exchanges: Vec::new(),
            unsequenced: Vec::new(),
            constructors: Vec::new(),
            destructors: Vec::new(),
            bindings: Bindings::default(),
            receives_arguments: false,
            arguments: None,
            literals: Vec::new(),
            constants: ConstantLiterals::default(),
            variadic: FxHashSet::default(),
            enums: FxHashMap::default(),
            inline: FxHashSet::default(),
            volatile: Volatile::new(volatile),
            calls: CallTypes::default(),
            pointees: FxHashMap::default(),
        }
    }

    pub fn add_function(&mut self, name: &str, span: Span) -> FuncId {
        self.functions.push(Function {
            name: name.to_owned(),
            span,
            origin: Origin::User,
            ret: None,
            params: Vec::new(),
            regs: Vec::new(),
            slots: Vec::new(),
            atomic: false,
            blocks: Vec::new(),
        });
        FuncId(self.functions.len() as u32 - 1)
    }

    /// The function with external linkage of that name.
    pub(crate) fn extern_function(&mut self, name: &str, span: Span) -> FuncId {
        if let Some(&id) = self.externs.get(name) {
            return id;
        }
        let id = self.add_function(name, span);
        self.externs.insert(name.to_owned(), id);
        id
    }

    pub(crate) fn add_object(&mut self, object: Object) -> ObjectId {
        self.objects.push(object);
        ObjectId(self.objects.len() as u32 - 1)
    }

    pub(crate) fn constant_object(&mut self, name: String, ty: TypeId, bytes: Vec<u8>) -> ObjectId {
        let size = bytes.len() as u64;
        self.add_object(Object {
            name,
            ty,
            size,
            align: 1,
            span: Span::NONE,
            kind: ObjectKind::Constant,
            bytes,
            relocations: Vec::new(),
        })
    }

    /// Live functions that have no body yet.
    pub fn missing(&self, live: &LiveFunctions) -> impl Iterator<Item = &str> {
        let missing = |(i, f): &(u32, &Function)| {
            !f.has_body() && live.contains(FuncId(*i)) && !self.is_alias(FuncId(*i))
        };
        (0..).zip(&self.functions).filter(missing).map(|(_, f)| f.name.as_str())
    }

    /// Calls of these functions, if they have no body, are not modelled; nor are those of macros that
    /// the program has from nowhere.
    pub fn refuse(&mut self, is_known: impl Fn(&str) -> bool, is_macro: impl Fn(&str) -> bool) {
        for f in self.functions.iter_mut().filter(|f| !f.has_body()) {
            let undeclared = self.undeclared.contains(&f.name);
            let what = match (is_known(&f.name), undeclared && is_macro(&f.name)) {
                (true, _) => f.name.clone(),
                (false, true) => format!("`{}`, which is neither declared nor defined", f.name),
                (false, false) => continue,
            };
            let kind = InstKind::Unsupported { what };
            let insts = vec![Inst::new(kind, Span::NONE)];
            let end = Terminator::Stop(Stop::Unreachable);
            f.origin = Origin::Model;
            f.span = Span::NONE;
            f.blocks.push(Block::new(insts, end, Span::NONE));
        }
    }

    /// The streams that a preprocessed program knows as pointers are those of our <stdio.h>.
    pub(crate) fn open_standard_streams(&mut self) {
        for (name, stream) in
            [("stdin", "__obmc_stdin"), ("stdout", "__obmc_stdout"), ("stderr", "__obmc_stderr")]
        {
            let Some(&pointer) = self.extern_objects.get(name) else { continue };
            let object = &self.objects[pointer.index()];
            let is_pointer = matches!(self.types.get(object.ty), Type::Pointer(_));
            if !is_pointer || object.kind != ObjectKind::External {
                continue;
            }
            let object = self.standard_stream(stream);
            let object = Operand::Object { object, offset: 0 };
            let pointer = &mut self.objects[pointer.index()];
            pointer.kind = ObjectKind::Global;
            pointer.relocations = vec![(0, object)];
        }
    }

    /// An array of another unit whose length is not known here: what is inside of it cannot be told.
    pub(crate) fn refuse_open_arrays(&mut self) {
        let is_open = |o: &Object| {
            let array = matches!(self.types.get(o.ty), Type::Array { len: None, .. });
            array && o.kind == ObjectKind::External
        };
        let open: Vec<bool> = self.objects.iter().map(is_open).collect();
        if !open.contains(&true) {
            return;
        }
        let objects = &self.objects;
        let used = |kind: &InstKind| {
            walk::operands(kind).into_iter().find_map(|operand| match operand {
                Operand::Object { object, .. } if open[object.index()] => Some(*object),
                _ => None,
            })
        };
        for block in self.functions.iter_mut().flat_map(|f| &mut f.blocks) {
            let insts = std::mem::take(&mut block.insts);
            block.insts =
                insts.into_iter().flat_map(|inst| refused_before(objects, inst, &used)).collect();
        }
    }

    fn standard_stream(&mut self, name: &str) -> ObjectId {
        if let Some(&object) = self.extern_objects.get(name) {
            return object;
        }
        let ty = self.types.intern(Type::Int { rank: Rank::Char, signed: true });
        let object = self.add_object(Object {
            name: name.to_owned(),
            ty,
            size: 1,
            align: 1,
            span: Span::NONE,
            kind: ObjectKind::External,
            bytes: Vec::new(),
            relocations: Vec::new(),
        });
        self.extern_objects.insert(name.to_owned(), object);
        object
    }

    fn run_constructors(&mut self, entry: FuncId) {
        self.constructors.sort_by_key(|c| c.priority);
        let open = self
            .constructors
            .windows(2)
            .find(|c| c[0].priority == c[1].priority && c[0].span.file != c[1].span.file);
        if let Some([_, second]) = open {
            let text = "constructors of several files run in the order of the files";
            self.ignored.push((text.into(), second.span));
        }
        if let Some(first) = self.functions[entry.index()].blocks.first_mut() {
            first.insts.splice(0..0, self.constructors.iter().map(Constructor::call));
        }
    }

    /// A freed address is not given out again while somebody knows it: what an exchange finds is what
    /// it was, and not a new block at the same place.
    fn note_reuse(&mut self) {
        let frees = ["free", "realloc"].iter().any(|f| self.own.contains(*f));
        if let (Some(&span), true) = (self.pointer_exchanges.first(), frees) {
            self.ignored.push((compared::NOT_REUSED.into(), span));
        }
    }

    /// May a thread other than the first join one? Of the program's own functions.
    pub(crate) fn threads_join(&self) -> bool {
        own_id::joins_in_threads(&self.functions, &self.objects).is_some()
    }

    pub fn finish(mut self, entry: FuncId, files: Files) -> Program {
        self.run_constructors(entry);
        self.settle_literals();
        self.note_reuse();
        self.ignored.extend(self.volatile.assumption());
        self.settle_bindings(entry);
        self.end_first_function(entry);
        let silent = silent(&self.functions);
        let ids = (0..self.functions.len() as u32).map(FuncId);
        let signature = |id: FuncId| Signature::of(&self, id, silent[id.index()]);
        let signatures: Vec<Signature> = ids.map(signature).collect();
        let internal = model_parts::internal(&self);
        let functions = std::mem::take(&mut self.functions);
        let types = &mut self.types;
        let mut agreed = Vec::new();
        let mut adapt = |f| adapt_calls(f, types, &signatures, &self.calls, &mut agreed);
        let functions = functions.into_iter().map(&mut adapt).collect();
        let mut program = Program {
            machine: self.types.machine,
            types: self.types,
            numbered: 0,
            files: files.names,
            objects: self.objects,
            functions,
            entry,
            kinds: Vec::new(),
            ignored: files.ignored.into_iter().chain(self.ignored).collect(),
            tolerated: Vec::new(),
            volatile: self.volatile.plain,
            loops: Vec::new(),
        };
        called_as::settle(&mut program, &self.calls, &signatures, agreed);
        order::settle(&mut program, &self.property, self.unsequenced);
        own_id::settle(&mut program);
        compared::settle(&mut program);
        open_bytes::settle(&mut program, self.open_bytes);
        lengths::settle(&mut program);
        jumps::settle(&mut program);
        model_parts::inline(&mut program, internal);
        live_functions::keep_live(&mut program);
        program.kinds = self.property.alike();
        program.number();
        program
    }
}

/// What a caller that saw no prototype must be brought in line with.
pub(super) struct Signature {
    pub name: String,
    /// A part of a model that does nothing in this program: calls are left out.
    silent: bool,
    has_body: bool,
    variadic: bool,
    /// Nothing comes behind a call.
    ends: bool,
    /// Some callers saw no declaration.
    undeclared: bool,
    pub params: Vec<Scalar>,
    pub ret: Option<Scalar>,
}

impl Signature {
    fn of(link: &Linkage, id: FuncId, silent: bool) -> Signature {
        let f = &link.functions[id.index()];
        let params = f.params.iter().map(|r| f.regs[r.index()].ty).collect();
        let (variadic, ends) = (link.variadic.contains(&id), link.ends_thread(id));
        let undeclared = link.undeclared.contains(&f.name);
        let (name, has_body) = (f.name.clone(), f.has_body());
        Signature { name, silent, has_body, variadic, ends, undeclared, params, ret: f.ret }
    }
}

/// Which internal functions of models do nothing. A model asks `__obmc_linked` whether somebody can
/// see what it does, and often no one can.
fn silent(functions: &[Function]) -> Vec<bool> {
    let mut silent = vec![false; functions.len()];
    loop {
        let is_silent = |(i, f): (usize, &Function)| !silent[i] && does_nothing(f, &silent);
        let found: Vec<usize> =
            functions.iter().enumerate().filter(|&f| is_silent(f)).map(|(i, _)| i).collect();
        if found.is_empty() {
            return silent;
        }
        found.into_iter().for_each(|i| silent[i] = true);
    }
}

fn does_nothing(f: &Function, silent: &[bool]) -> bool {
    let nothing = |inst: &Inst| match &inst.kind {
        InstKind::Assign { .. } | InstKind::SlotLive(_) | InstKind::SlotDead(_) => true,
        InstKind::Call { callee: Callee::Direct(f), .. } => silent[f.index()],
        _ => false,
    };
    if f.origin != Origin::Model || !f.name.starts_with("__obmc_") || f.ret.is_some() {
        return false;
    }
    let mut at = 0;
    while let Some(block) = f.blocks.get(at).filter(|block| block.insts.iter().all(nothing)) {
        match block.end {
            Terminator::Return(_) => return true,
            Terminator::Goto(to) if to.index() > at => at = to.index(),
            _ => return false,
        }
    }
    false
}

/// Converts arguments and results of direct calls where the caller's idea of the types differs from
/// the definition's: calls without a prototype, or models whose types are ours and not the user's.
/// Arguments of `...` are put where a definition that uses them looks for them.
/// Calls of the user's as functions of other types are `called_as.rs`'s; those that machines agree on are told.
fn adapt_calls(
    mut f: Function,
    types: &mut Types,
    signatures: &[Signature],
    calls: &CallTypes,
    agreed: &mut Vec<Span>,
) -> Function {
    let mut blocks = std::mem::take(&mut f.blocks);
    for block in &mut blocks {
        let insts = std::mem::take(&mut block.insts);
        for inst in insts {
            if let InstKind::Call { callee: Callee::Direct(id), .. } = inst.kind {
                match calls.fit(types, inst.id, id) {
                    Fit::Same => {}
                    Fit::Agreed => agreed.push(inst.span),
                    Fit::Refused => {
                        let refused = called_as::refusal(&signatures[id.index()].name);
                        block.insts.push(Inst::new(refused, inst.span));
                    }
                }
            }
            adapt_call(&mut f, types, signatures, inst, &mut block.insts);
        }
    }
    f.blocks = blocks;
    f
}

pub(super) fn adapt_call(
    f: &mut Function,
    types: &mut Types,
    signatures: &[Signature],
    mut inst: Inst,
    out: &mut Vec<Inst>,
) {
    let span = inst.span;
    let (mut after, mut area) = (None, None);
    if let InstKind::Call { dst, callee: Callee::Direct(id), args } = &mut inst.kind {
        let signature = &signatures[id.index()];
        if signature.silent {
            return;
        }
        if signature.variadic {
            let fixed = signature.params.len() - 1;
            let (before, dead) = variadic::pass_area(f, types, args, fixed, span);
            out.extend(before);
            area = dead;
        }
        for (arg, &want) in args.iter_mut().zip(&signature.params) {
            let have = operand_type(&f.regs, *arg);
            if have != want && !(same_bits(have, want)) {
                let to = new_reg(f, want, span);
                let value = Rvalue::Cast { from: have, to: want, a: *arg };
                out.push(Inst::new(InstKind::Assign { dst: to, value }, span));
                *arg = Operand::Reg(to);
            }
        }
        if let (true, Some(reg)) = (signature.has_body, *dst) {
            let want = f.regs[reg.index()].ty;
            match signature.ret {
                Some(have) if have != want && !same_bits(have, want) => {
                    if signature.undeclared {
                        let what = "a result that is no int, of an undeclared function".into();
                        out.push(Inst::new(InstKind::Unsupported { what }, span));
                    }
                    let from = new_reg(f, have, span);
                    *dst = Some(from);
                    let value = Rvalue::Cast { from: have, to: want, a: Operand::Reg(from) };
                    after = Some(Inst::new(InstKind::Assign { dst: reg, value }, span));
                }
                Some(_) => {}
                None => {
                    *dst = None;
                    let value = Rvalue::Undef(want);
                    after = Some(Inst::new(InstKind::Assign { dst: reg, value }, span));
                }
            }
        }
    }
    let ends = matches!(inst.kind, InstKind::Call { callee: Callee::Direct(id), .. }
        if signatures[id.index()].ends);
    out.push(inst);
    out.extend(after.into_iter().chain(area));
    if ends {
        let never = Operand::Const { bits: 0, ty: Scalar::I32 };
        out.push(Inst::new(InstKind::Assume(never), span));
    }
}

/// Same representation, so that no conversion is needed.
fn same_bits(a: Scalar, b: Scalar) -> bool {
    matches!((a, b), (Scalar::Int { bits: x, .. }, Scalar::Int { bits: y, .. }) if x == y)
}

pub fn operand_type(regs: &[RegInfo], op: Operand) -> Scalar {
    match op {
        Operand::Const { ty, .. } => ty,
        Operand::Reg(r) => regs[r.index()].ty,
        Operand::Object { .. } | Operand::Slot { .. } | Operand::Function(_) => Scalar::Ptr,
    }
}

fn new_reg(f: &mut Function, ty: Scalar, span: Span) -> Reg {
    f.regs.push(RegInfo { of: None, name: None, ty, span });
    Reg(f.regs.len() as u32 - 1)
}

/// An instruction, behind one that says what it uses that is not known.
fn refused_before(
    objects: &[Object],
    inst: Inst,
    used: &impl Fn(&InstKind) -> Option<ObjectId>,
) -> Vec<Inst> {
    let refused = used(&inst.kind).map(|object| {
        let what =
            format!("`{}`, an array whose length is not known here", objects[object.index()].name);
        Inst::new(InstKind::Unsupported { what }, inst.at())
    });
    refused.into_iter().chain([inst]).collect()
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{LP64, function, has, hasnt, object, program, try_units, units};

    #[test]
    fn external_names_are_one_over_all_units() {
        let p = units(
            LP64,
            &[
                "int x; int g(int); int main(void) { return g(x); }",
                "extern int x; int g(int n) { return n + x; }",
            ],
        );
        assert_eq!(p.objects.len(), 1);
        assert_eq!(p.functions.len(), 2);
        let p = units(LP64, &["extern int x; int main(void) { return x; }", "int x = 4;"]);
        assert_eq!(object(&p, "x"), "global int, 4 bytes = [04]");
        let p = units(LP64, &["extern int a[]; int main(void) { return a[1]; }", "int a[3];"]);
        assert_eq!(p.objects[0].size, 12);
        let e = try_units(
            LP64,
            &["int g(void) { return 1; } int main(void) {}", "int g(void) { return 2; }"],
        );
        assert_eq!(e.err().as_deref(), Some("2.c:1:5: function `g` is defined twice"));
        for (one, other) in [("extern int x[2]", "int x"), ("extern float x", "int x")] {
            let e =
                try_units(LP64, &[&format!("{one}; int main(void) {{}}"), &format!("{other};")]);
            let e = e.expect_err("types that differ");
            assert!(e.contains("elsewhere"), "{e}");
        }
        units(
            LP64,
            &[
                "extern int x[]; extern struct s y; int main(void) {}",
                "int x[2]; struct s { int a; } y;",
            ],
        );
        let e = try_units(LP64, &["int x = 1; int main(void) {}", "int x = 2;"]);
        assert_eq!(e.err().as_deref(), Some("2.c:1:5: `x` is initialised twice"));
    }

    #[test]
    fn static_names_stay_in_their_unit() {
        let p = units(
            LP64,
            &[
                "static int x = 1; static int g(void) { return x; } int h(void); int main(void) { return g() + h(); }",
                "static int x = 2; static int g(void) { return x; } int h(void) { return g(); }",
            ],
        );
        assert_eq!(p.objects.len(), 2);
        assert_eq!(p.functions.iter().filter(|f| f.name == "g").count(), 2);
        let text = "static int g(void); int main(void) { return g(); } int g(void) { return 1; }";
        let other = "int g(void) { return 2; } int (*h)(void) = g;";
        let p = units(LP64, &[text, other]);
        assert_eq!(p.functions.iter().filter(|f| f.name == "g" && f.has_body()).count(), 2);
    }

    #[test]
    fn calls_without_a_prototype_are_adapted_to_the_definition() {
        let p = units(
            LP64,
            &["int main(void) { return g(1, 2); }", "char g(long a, float b) { return a; }"],
        );
        let ir = function(&p, "main");
        has(
            &ir,
            &["cast i32 to i64 1", "cast i32 to f32 2", "call g(%", "cast i8 to i32", "return"],
        );
        let p = units(LP64, &["int main(void) { return g(); }", "void g(void) {}"]);
        has(&function(&p, "main"), &["call g()", "undef i32"]);
        let p = units(
            LP64,
            &["int main(void) { return g(3000000000u); }", "int g(int x) { return x; }"],
        );
        hasnt(&function(&p, "main"), &["cast"]);
    }

    #[test]
    fn models_come_with_what_needs_them() {
        let p = program("void *malloc(unsigned long); void *f(void) { return malloc(3); }");
        assert!(p.functions.iter().any(|f| f.name == "malloc" && f.has_body()));
        let p = program(
            "void *malloc(unsigned long n) { return 0; } void *f(void) { return malloc(3); }",
        );
        assert_eq!(p.functions.len(), 2);
    }
}
