//! GNU attributes: those that say something about types and storage, and calls that nobody wrote.
//!
//! `cleanup(f)` calls `f(&x)` whenever the scope of `x` is left (the builder does that), a
//! `constructor` runs before the program's first function. Attributes that change what a program does
//! and that we do not know are taken not to be there, and that is told; all others change nothing.

use super::{Result, Unit};
use crate::ir::{Callee, FuncId, Inst, InstKind, Origin, Span};
use lang_c::ast;
use lang_c::span::Node;

/// Change what a program does, and we do not know them.
const MEANINGFUL: &[&str] =
    &["alias", "destructor", "ifunc", "scalar_storage_order", "vector_size", "weakref"];

/// Of constructors that do not say when.
const LAST: u64 = 65_535;

#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Attributes {
    pub packed: bool,
    pub align: Option<u64>,
    /// What is called with the address of the variable at the end of its scope.
    pub cleanup: Option<FuncId>,
    /// Runs before all else; lower numbers first.
    pub constructor: Option<u64>,
}

impl Attributes {
    pub fn and(self, other: Attributes) -> Attributes {
        Attributes {
            packed: self.packed || other.packed,
            align: self.align.max(other.align),
            cleanup: self.cleanup.or(other.cleanup),
            constructor: self.constructor.or(other.constructor),
        }
    }
}

/// A function that runs before the program's first one.
#[derive(Clone, Copy, Debug)]
pub struct Constructor {
    pub priority: u64,
    pub function: FuncId,
    pub span: Span,
}

impl Constructor {
    pub fn call(&self) -> Inst {
        let callee = Callee::Direct(self.function);
        Inst { kind: InstKind::Call { dst: None, callee, args: Vec::new() }, span: self.span }
    }
}

impl Unit<'_> {
    pub fn attributes(&mut self, list: &[Node<ast::Extension>]) -> Result<Attributes> {
        let mut found = Attributes::default();
        for item in list {
            let ast::Extension::Attribute(attribute) = &item.node else { continue };
            let first = attribute.arguments.first();
            match attribute.name.node.trim_matches('_') {
                "packed" => found.packed = true,
                "aligned" => {
                    let align = first.map_or(Ok(16), |e| self.constant_u64(e))?;
                    if !align.is_power_of_two() || align > 1 << 28 {
                        return Err(self.error("an alignment must be a power of two"));
                    }
                    found.align = found.align.max(Some(align));
                }
                "cleanup" => found.cleanup = Some(self.cleaner(first)?),
                "constructor" => {
                    let priority = first.map_or(Ok(LAST), |e| self.constant_u64(e))?;
                    found.constructor = Some(priority);
                }
                name if MEANINGFUL.contains(&name) => self.ignore_attribute(name),
                _ => {}
            }
        }
        Ok(found)
    }

    fn cleaner(&mut self, function: Option<&Node<ast::Expression>>) -> Result<FuncId> {
        match function.map(|e| &e.node) {
            Some(ast::Expression::Identifier(id)) => Ok(self.function_named(&id.node.name)),
            _ => Err(self.error("`cleanup` needs the name of a function")),
        }
    }

    pub fn ignore_attribute(&mut self, name: &str) {
        if self.origin == Origin::User {
            let text = format!("attribute `{name}` is not modelled: taken not to be there");
            self.link.ignored.push((text, self.at));
        }
    }

    /// A prototype may say it, or the definition, or both.
    pub fn note_constructor(&mut self, name: &str, attributes: Attributes) {
        let Some(priority) = attributes.constructor else { return };
        let (function, span) = (self.function_named(name), self.at);
        let all = &mut self.link.constructors;
        match all.iter_mut().find(|c| c.function == function) {
            Some(known) => known.priority = known.priority.min(priority),
            None => all.push(Constructor { priority, function, span }),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{error, function, has, program};

    #[test]
    fn what_is_ignored_is_noted() {
        let ignored = |text: &str| -> Vec<(String, u32)> {
            let found = program(text).ignored.into_iter();
            found.map(|(text, span)| (text, span.line)).collect()
        };
        let end = "void g(void) __attribute__((destructor));\nvoid g(void) {}";
        let [(text, 1)] = &ignored(end)[..] else { panic!("{:?}", ignored(end)) };
        assert!(text.contains("`destructor`"), "{text}");
        let pack = "#pragma pack(1)\nstruct s { char a; int b; } x;\n#pragma GCC poison\n";
        let [(text, 1)] = &ignored(pack)[..] else { panic!("{:?}", ignored(pack)) };
        assert!(text.contains("`#pragma pack`"), "{text}");
        assert_eq!(ignored("int x __attribute__((unused, aligned(8)));"), []);
    }

    #[test]
    fn constructors_run_first_in_the_order_of_their_numbers() {
        let p = program(
            "void b(void) __attribute__((constructor));\n\
             void b(void) {}\n\
             static void __attribute__((constructor(101))) a(void) {}\n\
             int x; int f(void) { x = 1; return 0; }",
        );
        has(&function(&p, "f"), &["call a()\ncall b()\nstore"]);
    }

    const LOCK: &str = "typedef int lock; void drop(lock **l) { **l = 0; } lock m; void use(int);";

    #[test]
    fn what_is_cleaned_up_is_so_on_all_ways_out() {
        let f = |body: &str| {
            let p = program(&format!("{LOCK} int f(int n) {{ {body} }}"));
            function(&p, "f")
        };
        let guard = "__attribute__((cleanup(drop))) lock *g = &m;";
        has(&f(&format!("{{ {guard} use(n); }} return 0;")), &["call drop($g.0)\ndead $g.0"]);
        has(&f(&format!("{guard} return n;")), &["call drop($g.0)\nreturn n.0"]);
        let text = f(&format!("while (n) {{ {guard} if (n > 2) break; use(n); }} return 0;"));
        assert_eq!(text.matches("call drop($g.0)\ndead $g.0").count(), 2, "{text}");
        let text = f(&format!("{{ {guard} if (n) goto out; use(n); }} out: return 0;"));
        assert_eq!(text.matches("call drop($g.0)\ndead $g.0").count(), 2, "{text}");
    }

    #[test]
    fn the_last_one_is_cleaned_up_first() {
        let p = program(
            "void drop(int *x) {} int f(int n) {\n\
             int a __attribute__((cleanup(drop))) = 1;\n\
             if (n) goto end;\n\
             int b __attribute__((__cleanup__(drop))) = 2;\n\
             return a; end: return b; }",
        );
        let text = function(&p, "f");
        has(&text, &["call drop($b.1)\ncall drop($a.0)\nreturn"]);
    }

    #[test]
    fn only_functions_clean_up() {
        let text = "void f(void) { int x __attribute__((cleanup(3))); }";
        assert!(error(text).contains("`cleanup` needs the name of a function"), "{}", error(text));
    }
}
