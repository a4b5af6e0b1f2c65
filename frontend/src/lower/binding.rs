//! What names are bound to when all units are there: weak definitions, aliases, destructors.
//!
//! A weak definition gives way to a strong one. A weak name that is not defined may be null, and that
//! is not modelled: an instruction that mentions it becomes UNKNOWN where it is reached. The same
//! holds for functions with attributes that we do not know. An alias is replaced by what it stands
//! for; a function that the assembler calls otherwise is the program's function of that name.

use super::attribute::{Attributes, Constructor};
use super::scope::Symbol;
use super::{Linkage, Unit};
use ir::walk;
use ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Called before the process ends by `exit`.
pub(super) const AT_EXIT: &str = "__obmc_destructors";

/// What the attributes of declarations say of names with external linkage.
#[derive(Default)]
pub struct Bindings {
    /// Declared weak by some unit.
    weak: FxHashSet<String>,
    /// Functions and objects whose definition is weak.
    weak_functions: FxHashSet<FuncId>,
    weak_objects: FxHashSet<ObjectId>,
    /// Functions that do not return.
    noreturn: FxHashSet<String>,
    labels: FxHashMap<String, String>,
    functions: FxHashMap<FuncId, FuncId>,
    objects: FxHashMap<ObjectId, ObjectId>,
    unclear: FxHashMap<String, &'static str>,
    unclear_functions: FxHashMap<FuncId, String>,
    unclear_objects: FxHashMap<ObjectId, String>,
}

impl Bindings {
    /// Mentions of the object are not modelled.
    pub(crate) fn no_model(&mut self, object: ObjectId, what: String) {
        self.unclear_objects.insert(object, what);
    }
}

/// What one unit says.
#[derive(Default)]
pub(crate) struct UnitBindings {
    weak: FxHashSet<String>,
    /// Names and what they are other names for.
    aliases: Vec<(String, String)>,
}

impl Unit<'_> {
    /// What the attributes of a declaration say of the name.
    pub(crate) fn note_binding(&mut self, name: &str, attributes: &Attributes) {
        let all = &mut self.link.bindings;
        let binding = &attributes.binding;
        if binding.weak {
            all.weak.insert(name.to_owned());
            self.bindings.weak.insert(name.to_owned());
        }
        if let Some(target) = &binding.alias {
            self.bindings.aliases.push((name.to_owned(), target.clone()));
        }
        if let (Some(label), Origin::User) = (&binding.label, self.origin) {
            all.labels.insert(name.to_owned(), label.clone());
        }
        if let Some(what) = binding.unclear {
            all.unclear.insert(name.to_owned(), what);
        }
        if attributes.noreturn {
            all.noreturn.insert(name.to_owned());
        }
    }

    pub(crate) fn is_noreturn(&self, name: &str) -> bool {
        self.link.bindings.noreturn.contains(name)
    }

    /// May a second definition of the function be built? It takes the place of a weak one.
    pub fn replaces(&mut self, id: FuncId, name: &str) -> bool {
        let weak = self.bindings.weak.contains(name);
        let known = self.link.functions[id.index()].has_body();
        let replaces = !known || !weak && self.link.bindings.weak_functions.contains(&id);
        if replaces {
            match weak {
                true => self.link.bindings.weak_functions.insert(id),
                false => self.link.bindings.weak_functions.remove(&id),
            };
        }
        replaces
    }

    /// Is one of two definitions of the function weak?
    pub(crate) fn gives_way(&self, id: FuncId, name: &str) -> bool {
        self.bindings.weak.contains(name) || self.link.bindings.weak_functions.contains(&id)
    }

    /// Does a definition of the object count? It does not beside a strong one if it is weak, and a
    /// weak one is forgotten.
    pub(crate) fn object_counts(&mut self, object: ObjectId, name: &str, is_defined: bool) -> bool {
        let weak = self.bindings.weak.contains(name);
        let was_weak = self.link.bindings.weak_objects.contains(&object);
        if weak && is_defined {
            return false;
        }
        if weak {
            self.link.bindings.weak_objects.insert(object);
        } else if was_weak {
            self.link.bindings.weak_objects.remove(&object);
            let entry = &mut self.link.objects[object.index()];
            entry.bytes.clear();
            entry.relocations.clear();
        }
        true
    }

    /// At the end of the unit: all targets of aliases are defined in it.
    pub(crate) fn settle_names(&mut self) {
        for (name, id) in &self.statics {
            if let Some(attribute) = self.link.bindings.unclear.remove(name) {
                let what = format!("`{name}`, which has the attribute `{attribute}`");
                self.link.bindings.unclear_functions.insert(*id, what);
            }
        }
        for (name, target) in std::mem::take(&mut self.bindings.aliases) {
            match self.scopes[0].names.get(&target) {
                Some(Symbol::Function { .. }) => {
                    let (alias, target) =
                        (self.function_named(&name), self.function_named(&target));
                    self.link.bindings.functions.insert(alias, target);
                }
                Some(&Symbol::Object { object }) => {
                    if let Some(Symbol::Object { object: alias }) = self.scopes[0].names.get(&name)
                    {
                        self.link.bindings.objects.insert(*alias, object);
                    }
                }
                _ => {
                    self.link.bindings.unclear.insert(name, "alias");
                }
            }
        }
    }
}

impl Linkage {
    pub(crate) fn is_alias(&self, id: FuncId) -> bool {
        self.bindings.functions.contains_key(&id)
    }

    /// The functions that a mention of this one may come to stand for.
    pub(crate) fn other_names(&self, id: FuncId) -> impl Iterator<Item = FuncId> {
        let label = self.bindings.labels.get(&self.functions[id.index()].name);
        let label = label.and_then(|label| self.externs.get(label));
        self.bindings.functions.get(&id).into_iter().chain(label).copied()
    }

    /// Brings all mentions of names in line with what they are bound to.
    pub(crate) fn settle_bindings(&mut self, entry: FuncId) {
        self.settle_destructors(entry);
        self.settle_labels();
        if self.receives_arguments && self.mentions(entry) {
            self.stop_at_start(entry, "a first function that the program calls itself");
        }
        let bound = Substitute::of(self);
        if bound.is_empty() {
            return;
        }
        for f in &mut self.functions {
            for block in &mut f.blocks {
                let insts = std::mem::take(&mut block.insts);
                for mut inst in insts {
                    bound.inst(&mut inst, &mut block.insts);
                }
                if let Some(operand) = walk::end_operand_mut(&mut block.end) {
                    let span = block.end_span;
                    let unclear = bound.operand(operand);
                    block.insts.extend(unclear.map(|what| unsupported(what, span)));
                }
            }
        }
        let mut at_start = None;
        for (_, operand) in self.objects.iter_mut().flat_map(|o| &mut o.relocations) {
            at_start = at_start.or(bound.operand(operand));
        }
        if let Some(what) = at_start {
            self.stop_at_start(entry, what);
        }
    }

    fn stop_at_start(&mut self, entry: FuncId, what: &str) {
        if let Some(first) = self.functions[entry.index()].blocks.first_mut() {
            first.insts.insert(0, unsupported(what, Span::NONE));
        }
    }

    /// Does the program call the function, or take its address?
    fn mentions(&self, id: FuncId) -> bool {
        let insts = self.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
        let by = |inst: &Inst| {
            let called =
                matches!(inst.kind, InstKind::Call { callee: Callee::Direct(f), .. } if f == id);
            called || walk::operands(&inst.kind).iter().any(|op| **op == Operand::Function(id))
        };
        insts.into_iter().any(by)
    }

    /// A function that has another name for the assembler is the one that the program defines there.
    fn settle_labels(&mut self) {
        for (name, label) in &self.bindings.labels {
            let (Some(&id), Some(&target)) = (self.externs.get(name), self.externs.get(label))
            else {
                continue;
            };
            let own = |id: FuncId| {
                let f = &self.functions[id.index()];
                f.has_body() && f.origin == Origin::User
            };
            if own(target) && !own(id) {
                self.bindings.functions.insert(id, target);
            }
        }
    }

    /// The last one that was declared runs first.
    fn settle_destructors(&mut self, entry: FuncId) {
        self.destructors.sort_by_key(|d| d.priority);
        let calls: Vec<Inst> = self.destructors.iter().rev().map(Constructor::call).collect();
        if let Some(&at_exit) = self.externs.get(AT_EXIT) {
            if calls.is_empty() {
                self.drop_calls(at_exit);
            }
            let f = &mut self.functions[at_exit.index()];
            f.origin = Origin::Model;
            f.span = Span::NONE;
            let end = Terminator::Return(None);
            f.blocks = vec![Block::new(calls.clone(), end, Span::NONE)];
        }
        let entry = &mut self.functions[entry.index()];
        let locals = entry.slots.len() as u32;
        for block in &mut entry.blocks {
            if let (Terminator::Return(_), false) = (&block.end, calls.is_empty()) {
                super::signal::end_locals(block, locals);
                block.insts.extend(calls.iter().cloned());
            }
        }
        let by_main = "destructors do not run after a pthread_exit of the first thread";
        let blocks = self.functions.iter().flat_map(|f| &f.blocks);
        let ends = |b: &Block| matches!(b.end, Terminator::ExitThread(_));
        if let (false, Some(block)) = (calls.is_empty(), blocks.into_iter().find(|b| ends(b))) {
            self.ignored.push((by_main.into(), block.end_span));
        }
    }

    /// A function without a body that does not return ends its thread, or more.
    pub(crate) fn ends_thread(&self, id: FuncId) -> bool {
        let f = &self.functions[id.index()];
        !f.has_body() && self.bindings.noreturn.contains(&f.name)
    }
}

/// What mentions are replaced by, or why they are not modelled.
struct Substitute {
    functions: FxHashMap<FuncId, FuncId>,
    objects: FxHashMap<ObjectId, ObjectId>,
    unclear_functions: FxHashMap<FuncId, String>,
    unclear_objects: FxHashMap<ObjectId, String>,
}

impl Substitute {
    fn of(link: &Linkage) -> Substitute {
        let all = &link.bindings;
        let defined = |id: &FuncId| link.functions[id.index()].has_body();
        let functions: FxHashMap<FuncId, FuncId> =
            all.functions.iter().filter(|(id, _)| !defined(id)).map(|(a, b)| (*a, *b)).collect();
        let mut unclear_functions = all.unclear_functions.clone();
        let mut unclear_objects = all.unclear_objects.clone();
        for name in &all.weak {
            let what = format!("`{name}`, which is weak and not defined");
            match (link.externs.get(name), link.extern_objects.get(name)) {
                (Some(id), _) if !defined(id) && !functions.contains_key(id) => {
                    unclear_functions.insert(*id, what);
                }
                (_, Some(id)) if link.objects[id.index()].kind == ObjectKind::External => {
                    unclear_objects.insert(*id, what);
                }
                _ => {}
            }
        }
        for (name, attribute) in &all.unclear {
            let what = format!("`{name}`, which has the attribute `{attribute}`");
            if let Some(id) = link.externs.get(name) {
                // A model says what its function does: `setjmp` returns twice in glibc's headers.
                if link.functions[id.index()].origin != Origin::Model {
                    unclear_functions.insert(*id, what);
                }
            } else if let Some(id) = link.extern_objects.get(name) {
                unclear_objects.insert(*id, what);
            }
        }
        let objects = all.objects.clone();
        unclear_objects.retain(|id, _| !objects.contains_key(id));
        Substitute { functions, objects, unclear_functions, unclear_objects }
    }

    fn is_empty(&self) -> bool {
        self.functions.is_empty()
            && self.objects.is_empty()
            && self.unclear_functions.is_empty()
            && self.unclear_objects.is_empty()
    }

    fn inst(&self, inst: &mut Inst, out: &mut Vec<Inst>) {
        let mut unclear = None;
        for operand in walk::operands_mut(&mut inst.kind) {
            unclear = unclear.or(self.operand(operand));
        }
        if let InstKind::Call { callee: Callee::Direct(f), .. } = &mut inst.kind {
            *f = self.function(*f);
            unclear = unclear.or(self.unclear_functions.get(f));
        }
        out.extend(unclear.map(|what| unsupported(what, inst.span)));
        out.push(inst.clone());
    }

    /// Why this operand is not modelled, if so.
    fn operand(&self, operand: &mut Operand) -> Option<&String> {
        match operand {
            Operand::Function(f) => {
                *f = self.function(*f);
                self.unclear_functions.get(f)
            }
            Operand::Object { object, .. } => {
                *object = self.objects.get(object).copied().unwrap_or(*object);
                self.unclear_objects.get(object)
            }
            _ => None,
        }
    }

    /// Through aliases of aliases.
    fn function(&self, mut f: FuncId) -> FuncId {
        for _ in 0..8 {
            f = self.functions.get(&f).copied().unwrap_or(f);
        }
        f
    }
}

fn unsupported(what: &str, span: Span) -> Inst {
    Inst::new(InstKind::Unsupported { what: what.into() }, span)
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{LP64, function, has, hasnt, object, program, units};

    #[test]
    fn weak_definitions_give_way() {
        let weak =
            "int __attribute__((weak)) g(void) { return 1; } int x __attribute__((weak)) = 1;";
        let strong = "int g(void) { return 2; } int x = 2;";
        for order in [[weak, strong], [strong, weak]] {
            let p =
                units(LP64, &[order[0], order[1], "int g(void); int main(void) { return g(); }"]);
            has(&function(&p, "g"), &["return 2"]);
            assert_eq!(object(&p, "x"), "global int, 4 bytes = [02]");
        }
    }

    #[test]
    fn what_may_be_null_is_not_modelled() {
        let text = "int g(void) __attribute__((weak)); extern int x __attribute__((weak)); \
                    int f(int n) { if (n) return x; return g ? g() : 0; }";
        assert_eq!(function(&program(text), "f").matches("unsupported").count(), 3);
        let defined = format!("{text} int g(void) {{ return 1; }} int x;");
        hasnt(&function(&program(&defined), "f"), &["unsupported"]);
    }

    #[test]
    fn aliases_are_what_they_stand_for() {
        let p = program(
            "static int g(void) { return 1; } int h(void) __attribute__((alias(\"g\"))); \
             int x = 3; extern int y __attribute__((alias(\"x\"))); \
             int (*p)(void) = h; int f(void) { return h() + y; }",
        );
        has(&function(&p, "f"), &["call g()", "load i32 @x"]);
        has(&object(&p, "p"), &["&g"]);
    }

    #[test]
    fn destructors_run_in_reverse() {
        let p = program(
            "__attribute__((destructor)) void a(void) {} __attribute__((destructor)) void b(void) {} \
             __attribute__((destructor(200))) void c(void) {} \
             int f(int n) { if (n) exit(0); return 1; }",
        );
        has(
            &function(&p, "f"),
            &["call __obmc_destructors()\nstop exit", "call b()\ncall a()\ncall c()\nreturn 1"],
        );
        has(&function(&p, "__obmc_destructors"), &["call b()\ncall a()\ncall c()\nreturn"]);
        hasnt(&function(&program("int f(int n) { exit(n); }"), "f"), &["call"]);
    }

    #[test]
    fn who_does_not_return_ends_the_thread() {
        let p =
            program("void die(void) __attribute__((noreturn)); int f(void) { die(); return 1; }");
        has(&function(&p, "f"), &["call die()\nassume 0"]);
        let p = program("_Noreturn void die(void) {} int f(void) { die(); return 1; }");
        has(&function(&p, "die"), &["unsupported"]);
    }
}
