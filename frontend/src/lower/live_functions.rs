//! Which functions can run: those that the first one leads to.
//!
//! Idea: a function is live if it is the first one, runs before or behind it, stands in the initial
//! value of an object, or is named by an instruction of a live one: called, or as an address. What
//! is not live runs in no execution, so what it does needs no model, and it leaves the program.
//!
//! Invariant: after `extend` every function that a live one names is live; those without a body
//! wait until a model gives them one. A model may name the program's own functions (`malloc`, if it
//! defines one), so nothing is left out before all models are there.
//!
//! Cost: each instruction of a live function is looked at once by each of `Linkage::live` and
//! `keep_live`.

use super::Linkage;
use super::binding::AT_EXIT;
use ir::walk;
use ir::{Callee, FuncId, Function, InstKind, Object, Operand, Program};

pub struct LiveFunctions {
    live: Vec<bool>,
    /// Live ones whose instructions were not looked at.
    open: Vec<FuncId>,
}

impl LiveFunctions {
    fn new(functions: usize) -> LiveFunctions {
        LiveFunctions { live: vec![false; functions], open: Vec::new() }
    }

    pub fn contains(&self, id: FuncId) -> bool {
        self.live.get(id.index()).is_some_and(|&live| live)
    }

    /// Follows the functions that have got their bodies since.
    pub fn extend(&mut self, link: &Linkage) {
        self.live.resize(link.functions.len(), false);
        self.add_objects(&link.objects);
        let mut without_body = Vec::new();
        while let Some(id) = self.open.pop() {
            let function = &link.functions[id.index()];
            link.other_names(id).for_each(|target| self.add(target));
            if !function.has_body() {
                without_body.push(id);
            }
            self.follow(function);
        }
        self.open = without_body;
    }

    fn add_objects(&mut self, objects: &[Object]) {
        let relocations = objects.iter().flat_map(|o| &o.relocations);
        relocations.for_each(|(_, operand)| self.add_operand(operand));
    }

    fn follow(&mut self, function: &Function) {
        for block in &function.blocks {
            for inst in &block.insts {
                walk::operands(&inst.kind).iter().for_each(|operand| self.add_operand(operand));
                if let InstKind::Call { callee: Callee::Direct(callee), .. } = inst.kind {
                    self.add(callee);
                }
            }
            walk::end_operand(&block.end).iter().for_each(|operand| self.add_operand(operand));
        }
    }

    fn add_operand(&mut self, operand: &Operand) {
        if let Operand::Function(function) = operand {
            self.add(*function);
        }
    }

    fn add(&mut self, id: FuncId) {
        if !std::mem::replace(&mut self.live[id.index()], true) {
            self.open.push(id);
        }
    }
}

/// Takes the functions that do not run out of a program whose calls are all in its instructions.
pub fn keep_live(program: &mut Program) {
    let mut found = LiveFunctions::new(program.functions.len());
    found.add(program.entry);
    found.add_objects(&program.objects);
    while let Some(id) = found.open.pop() {
        found.follow(&program.functions[id.index()]);
    }
    let mut at = 0..;
    program.functions.retain(|_| at.next().is_some_and(|i| found.live[i]));
    if program.functions.len() < found.live.len() {
        let before = found.live.iter().scan(0, |count, &live| {
            let before = FuncId(*count);
            *count += u32::from(live);
            Some(before)
        });
        let new: Vec<FuncId> = before.collect();
        rename(program, &new);
    }
}

/// Functions have new numbers.
fn rename(program: &mut Program, new: &[FuncId]) {
    let rename = |operand: &mut Operand| {
        if let Operand::Function(function) = operand {
            *function = new[function.index()];
        }
    };
    program.entry = new[program.entry.index()];
    let relocations = program.objects.iter_mut().flat_map(|object| &mut object.relocations);
    relocations.for_each(|(_, operand)| rename(operand));
    for block in program.functions.iter_mut().flat_map(|f| &mut f.blocks) {
        for inst in &mut block.insts {
            walk::operands_mut(&mut inst.kind).into_iter().for_each(rename);
            if let InstKind::Call { callee: Callee::Direct(callee), .. } = &mut inst.kind {
                *callee = new[callee.index()];
            }
        }
        walk::end_operand_mut(&mut block.end).into_iter().for_each(rename);
    }
}

impl Linkage {
    /// The live functions of what is there now. Without a first function, all are.
    pub fn live(&self, entry: &str) -> LiveFunctions {
        let mut found = LiveFunctions::new(self.functions.len());
        match self.externs.get(entry) {
            Some(&entry) => found.add(entry),
            None => (0..self.functions.len() as u32).for_each(|id| found.add(FuncId(id))),
        }
        let around = self.constructors.iter().chain(&self.destructors).map(|c| c.function);
        around.chain(self.externs.get(AT_EXIT).copied()).for_each(|id| found.add(id));
        found.extend(self);
        found
    }

    /// The bodies of the others go, so that nothing that comes looks at them.
    pub fn drop_dead_functions(&mut self, entry: &str) {
        let live = self.live(entry);
        self.unsequenced.retain(|(function, _)| live.contains(*function));
        let others = (0..).zip(&mut self.functions).filter(|(i, _)| !live.contains(FuncId(*i)));
        for (_, function) in others {
            function.blocks.clear();
            // A caller's arguments are still held against the parameters' types.
            let params = function.params.iter().map(|r| r.index() + 1).max();
            function.regs.truncate(params.unwrap_or(0));
            function.slots.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{LP64, program, units};

    fn names(text: &str) -> Vec<String> {
        program(text).functions.into_iter().map(|f| f.name).collect()
    }

    #[test]
    fn what_the_first_function_leads_to() {
        assert_eq!(names("void g(void) {} void h(void) {} void f(void) { h(); }"), ["h", "f"]);
        assert_eq!(names("void g(void) {} void f(void) { void (*p)(void) = g; p(); }"), ["g", "f"]);
        let table = "void g(void) {} void h(void) {} void (*t[1])(void) = { g };";
        assert_eq!(names(&format!("{table} void f(void) {{ t[0](); }}")), ["g", "f"]);
        assert_eq!(names("void g(void); void h(void) { g(); } void f(void) {}"), ["f"]);
    }

    #[test]
    fn what_runs_before_and_behind_it() {
        let text = "__attribute__((constructor)) void a(void) {} \
                    __attribute__((destructor)) void z(void) {} void f(void) {}";
        assert_eq!(names(text), ["a", "z", "f"]);
    }

    #[test]
    fn other_names_lead_to_what_they_stand_for() {
        let text = "void g(void) {} void h(void) __attribute__((alias(\"g\"))); \
                    void f(void) { h(); }";
        assert!(names(text).contains(&"g".to_owned()));
        let text = "void h(void) __asm__(\"g\"); void f(void) { h(); } void g(void) {}";
        assert!(names(text).contains(&"g".to_owned()));
    }

    /// `strdup` asks for memory.
    #[test]
    fn what_a_model_needs_of_the_program() {
        let text = "char *strdup(const char *); void *g(unsigned long n) { return 0; } \
                    void *malloc(unsigned long n) { return g(n); } void f(void) { strdup(\"\"); }";
        let found = names(text);
        assert!(
            ["malloc", "g", "strdup"].iter().all(|n| found.iter().any(|f| f == n)),
            "{found:?}"
        );
    }

    #[test]
    fn no_model_for_what_does_not_run() {
        let text = "int printf(const char *, ...); int g(void) { return printf(\"1\"); }";
        assert_eq!(names(&format!("{text} void f(void) {{}}")), ["f"]);
    }

    /// Registers come between the parameters where one of them is copied into its own object.
    #[test]
    fn any_parameters_of_what_does_not_run() {
        for params in ["struct s a, int b", "int a, struct s b, int c", "int a[], int b, long c"] {
            let dead = format!("struct s {{ long m[3]; }}; int g({params}) {{ return 0; }}");
            assert_eq!(names(&format!("{dead} void f(void) {{}}")), ["f"], "{params}");
        }
    }

    /// Which of two writes is first matters only where they are executed.
    #[test]
    fn orders_in_what_does_not_run() {
        let writes = "int sum(int **p, int **q) { return (**p = 1) + (**q = 2) + (*p[1] = 3); }";
        let main = "int x, *y[2] = { &x, &x };";
        assert!(program(&format!("{main} {writes} void f(void) {{}}")).ignored.is_empty());
        let runs = program(&format!("{main} {writes} void f(void) {{ sum(y, y); }}"));
        assert_eq!(runs.ignored.len(), 1, "{:?}", runs.ignored);
    }

    #[test]
    fn over_all_units() {
        let p = units(
            LP64,
            &["void g(void); int main(void) { g(); }", "void h(void) {} void g(void) {}"],
        );
        assert_eq!(p.functions.len(), 2);
        assert_eq!(p.functions[p.entry.index()].name, "main");
    }
}
