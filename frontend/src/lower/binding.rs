//! What names are bound to when all units are there: weak definitions, aliases, destructors.
//!
//! A weak definition gives way to a strong one. A weak name that is not defined may be null, and that
//! is not modelled: an instruction that mentions it becomes UNKNOWN where it is reached. The same
//! holds for functions with attributes that we do not know. An alias is replaced by what it stands
//! for, in its own unit: a weak definition that gives way to another unit's lives on under that name.
//! What the assembler calls otherwise has that name for all units (`linked_name`).

use super::attribute::{Attributes, Constructor};
use super::scope::Symbol;
use super::{Linkage, Unit};
use crate::{library, models};
use ir::walk;
use ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

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
    /// Something lies in a section of what runs before the first function, or at the end.
    runs_by_section: bool,
    /// Functions that do not return.
    noreturn: FxHashSet<String>,
    functions: FxHashMap<FuncId, Alias<FuncId>>,
    objects: FxHashMap<ObjectId, Alias<ObjectId>>,
    unclear: FxHashMap<String, &'static str>,
    unclear_functions: FxHashMap<FuncId, String>,
    unclear_objects: FxHashMap<ObjectId, String>,
}

impl Bindings {
    /// Mentions of the object are not modelled.
    pub(crate) fn no_model(&mut self, object: ObjectId, what: String) {
        self.unclear_objects.insert(object, what);
    }

    /// Mentions of the function are not modelled.
    pub(crate) fn not_clear(&mut self, function: FuncId, what: String) {
        self.unclear_functions.insert(function, what);
    }

    /// Aliases of a weak object that another one takes the place of: its bytes are gone.
    fn lose_object(&mut self, object: ObjectId, name: &str) {
        let lost = self.objects.iter().filter(|(_, alias)| alias.target == object);
        for id in lost.map(|(id, _)| *id).collect::<Vec<_>>() {
            self.objects.remove(&id);
            self.no_model(id, format!("an alias of a weak `{name}` beside a strong one"));
        }
    }
}

/// What an alias stands for.
#[derive(Clone, Copy)]
struct Alias<T> {
    target: T,
    strength: Strength,
}

/// Which of two definitions gives way to the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strength {
    Weak,
    Strong,
}

/// Of two definitions that are as strong, the first one counts.
fn add_alias<T: Eq + Hash>(aliases: &mut FxHashMap<T, Alias<T>>, name: T, new: Alias<T>) {
    let old = aliases.get(&name).map(|old| old.strength);
    if old.is_none() || old == Some(Strength::Weak) && new.strength == Strength::Strong {
        aliases.insert(name, new);
    }
}

/// Does the name mean something to the lowering?
fn is_understood(name: &str) -> bool {
    library::is_known(name) || name.starts_with("__VERIFIER_") || name == "reach_error"
}

/// What one unit says.
#[derive(Default)]
pub(crate) struct UnitBindings {
    /// Other names for the assembler.
    pub labels: FxHashMap<String, String>,
    weak: FxHashSet<String>,
    /// Names and what they are other names for.
    aliases: Vec<(String, String)>,
}

impl Unit<'_> {
    /// What the attributes of a declaration say of the name.
    pub(crate) fn note_binding(&mut self, name: &str, attributes: &Attributes) {
        let binding = &attributes.binding;
        if let (Some(label), Origin::User) = (&binding.label, self.origin) {
            self.bindings.labels.insert(name.to_owned(), label.clone());
        }
        let linked = self.linked_name(name).to_owned();
        if binding.weak {
            self.link.bindings.weak.insert(linked.clone());
            self.bindings.weak.insert(name.to_owned());
        }
        if let Some(target) = &binding.alias {
            self.bindings.aliases.push((name.to_owned(), target.clone()));
        }
        if let Some(what) = binding.unclear {
            self.link.bindings.unclear.insert(linked.clone(), what);
        }
        self.link.bindings.runs_by_section |= binding.runs_by_section;
        if attributes.noreturn {
            self.link.bindings.noreturn.insert(linked);
        }
    }

    /// The name of a function for all units: what the assembler calls it, if that is one of the program or of the
    /// library. (glibc's headers have others, which mean the function of the same name.)
    pub(crate) fn linked_name<'a>(&'a self, name: &'a str) -> &'a str {
        match self.bindings.labels.get(name) {
            Some(label) if self.link.defined.contains(label) => label,
            Some(label) if models::model_of(label).is_some() => label,
            Some(label) if is_understood(label) && !library::is_known(name) => label,
            _ => name,
        }
    }

    /// The same of an object.
    pub(crate) fn linked_object<'a>(&'a self, name: &'a str) -> &'a str {
        self.bindings.labels.get(name).map_or(name, String::as_str)
    }

    pub(crate) fn is_noreturn(&self, name: &str) -> bool {
        self.link.bindings.noreturn.contains(self.linked_name(name))
    }

    fn strength(&self, name: &str) -> Strength {
        if self.bindings.weak.contains(name) { Strength::Weak } else { Strength::Strong }
    }

    /// May a second definition of the function be built? It takes the place of a weak one.
    pub fn replaces(&mut self, id: FuncId, name: &str) -> bool {
        let weak = self.bindings.weak.contains(name);
        let known = self.link.functions[id.index()].has_body();
        let replaces = !known || !weak && self.link.bindings.weak_functions.contains(&id);
        if known && replaces {
            self.link.keep_for_aliases(id);
        }
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
            self.link.bindings.lose_object(object, name);
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
            let strength = self.strength(&name);
            let overridden = self.is_overridden(&target);
            match self.scopes[0].names.get(&target) {
                _ if overridden => {
                    self.link.bindings.unclear.insert(name, "alias");
                }
                Some(Symbol::Function { .. }) => {
                    let (alias, target) =
                        (self.function_named(&name), self.function_named(&target));
                    let new = Alias { target, strength };
                    add_alias(&mut self.link.bindings.functions, alias, new);
                }
                Some(&Symbol::Object { object: target }) => {
                    if let Some(Symbol::Object { object: alias }) = self.scopes[0].names.get(&name)
                    {
                        let new = Alias { target, strength };
                        add_alias(&mut self.link.bindings.objects, *alias, new);
                    }
                }
                _ => {
                    self.link.bindings.unclear.insert(name, "alias");
                }
            }
        }
    }

    /// Is it a weak definition of this unit that an earlier one has the place of? It was not built.
    fn is_overridden(&mut self, name: &str) -> bool {
        if self.strength(name) == Strength::Strong {
            return false;
        }
        match self.scopes[0].names.get(name) {
            Some(Symbol::Object { object }) => !self.link.bindings.weak_objects.contains(object),
            _ => {
                let id = self.function_named(name);
                !self.link.bindings.weak_functions.contains(&id)
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
        self.bindings.functions.get(&id).map(|alias| alias.target).into_iter()
    }

    /// A weak definition gives way: its aliases keep it.
    fn keep_for_aliases(&mut self, id: FuncId) {
        let is_one = |alias: &&mut Alias<FuncId>| alias.target == id;
        let mut aliases = self.bindings.functions.values_mut().filter(is_one).peekable();
        if aliases.peek().is_some() {
            let kept = FuncId(self.functions.len() as u32);
            aliases.for_each(|alias| alias.target = kept);
            self.functions.push(self.functions[id.index()].clone());
        }
    }

    /// Brings all mentions of names in line with what they are bound to.
    pub(crate) fn settle_bindings(&mut self, entry: FuncId) {
        self.settle_destructors(entry);
        if self.bindings.runs_by_section {
            self.stop_at_start(
                entry,
                "functions that run before the first one, or at the end, by their section",
            );
        }
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
        let yields = |id: &FuncId, alias: &Alias<FuncId>| {
            let weak = alias.strength == Strength::Strong && all.weak_functions.contains(id);
            !defined(id) || weak
        };
        let functions = all.functions.iter().filter(|(id, alias)| yields(id, alias));
        let functions: FxHashMap<FuncId, FuncId> =
            functions.map(|(id, alias)| (*id, alias.target)).collect();
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
        let yields = |id: &ObjectId, alias: &Alias<ObjectId>| {
            let weak = alias.strength == Strength::Strong && all.weak_objects.contains(id);
            link.objects[id.index()].kind == ObjectKind::External || weak
        };
        let objects = all.objects.iter().filter(|(id, alias)| yields(id, alias));
        let objects: FxHashMap<ObjectId, ObjectId> =
            objects.map(|(id, alias)| (*id, alias.target)).collect();
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
    use ir::print;

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
    fn a_strong_alias_is_stronger_than_a_weak_definition() {
        let weak =
            "__attribute__((weak)) int g(void) { return 1; } __attribute__((weak)) int x = 1;";
        let strong = "int real(void) { return 2; } int g(void) __attribute__((alias(\"real\"))); \
                      int y = 2; extern int x __attribute__((alias(\"y\")));";
        let main = "int g(void); extern int x; int main(void) { return g() + x; }";
        for order in [[weak, strong, main], [strong, weak, main]] {
            has(&function(&units(LP64, &order), "main"), &["call real()", "load i32 @y"]);
        }
        let strong = "int g(void) { return 2; } int x = 2;";
        let weak = "int other(void) { return 1; } int y = 1; \
                    int g(void) __attribute__((weak, alias(\"other\"))); \
                    extern int x __attribute__((weak, alias(\"y\")));";
        for order in [[weak, strong, main], [strong, weak, main]] {
            has(&function(&units(LP64, &order), "main"), &["call g()", "load i32 @x"]);
        }
    }

    #[test]
    fn an_alias_is_the_definition_of_its_own_unit() {
        let weak = "__attribute__((weak)) int g(void) { return 1; } \
                    int f(void) __attribute__((alias(\"g\"))); int g(void); \
                    int main(void) { return f() + g(); }";
        let strong = "int g(void) { return 2; }";
        let ir = print::program(&units(LP64, &[weak, strong]));
        has(&ir, &["return 2", "return 1"]);
        has(&function(&units(LP64, &[strong, weak]), "main"), &["unsupported"]);
        hasnt(&function(&units(LP64, &[weak]), "main"), &["unsupported"]);
    }

    #[test]
    fn labels_are_the_names_for_all_units() {
        let labelled = "int f(void) __asm__(\"g\"); extern int v __asm__(\"w\"); \
                        int main(void) { return f() + v; }";
        let other = "int f(void) { return 1; } int g(void) { return 2; } int v = 1, w = 2;";
        for order in [[labelled, other], [other, labelled]] {
            has(&function(&units(LP64, &order), "main"), &["call g()", "load i32 @w"]);
        }
        let own = "int hit(void) __asm__(\"real\"); int hit(void) { return 1; } \
                   int other(void) __asm__(\"real\"); int main(void) { return other(); }";
        has(&function(&units(LP64, &[own]), "real"), &["return 1"]);
        let library = "int scan(const char *, const char *, ...) __asm__(\"__other_sscanf\"); \
                       int sscanf(const char *, const char *, ...) __asm__(\"__other_sscanf\"); \
                       int main(void) { return sscanf(\"\", \"\"); }";
        hasnt(&function(&units(LP64, &[library]), "main"), &["other"]);
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
