//! C text to IR. The door is `load`; `preprocess` comes before it.
//!
//! - `tokens`, `preprocess`: C text to preprocessed text; `shipped`: the headers that we bring along
//! - `normalise`: what the parser does not know is rewritten; declarations that nothing needs go
//! - `parse`: text to a tree, by our own parser or by lang-c
//! - `lower`: types, scopes, expressions and statements to IR
//! - `models`: library functions in C; `library`: names of library functions that have no model
//! - `source`, `error`: places in the user's files; `stack`: threads for deep recursion

mod error;
pub mod library;
mod lower;
pub mod models;
mod normalise;
mod parse;
pub mod preprocess;
pub mod shipped;
mod source;
pub mod stack;
mod tokens;

/// The single steps of `load`, to be measured and fuzzed.
#[doc(hidden)]
pub mod stages {
    pub use crate::lower::{Linkage, lower};
    pub use crate::normalise::normalise;
    pub use crate::parse::{Parsed, parse};
    pub use crate::source::Files;
}

pub use error::Error;
pub use normalise::{Symbols, symbols};
pub use source::Moved;

use ir::PropertyKind;
use ir::types::Machine;
use ir::{MemoryOrder, Origin, Program, Span};
use lower::Linkage;
use normalise::DeclarationPart;
use rustc_hash::FxHashSet;
use source::Files;

/// One preprocessed translation unit.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    pub name: &'a str,
    pub text: &'a [u8],
    /// Tokens that our preprocessor has moved.
    pub moved: &'a [Moved],
}

#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// The function where the first thread starts.
    pub entry: String,
    /// What the program is loaded for.
    pub property: PropertyKind,
    /// What volatile accesses count as.
    pub volatile: MemoryOrder,
    pub extern_pointers: ExternPointers,
    /// The words that `main` is called with, the program's name first, if they are known.
    pub arguments: Option<Vec<String>>,
}

/// What functions without a body return that return a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ExternPointers {
    /// Any address.
    #[default]
    Any,
    /// A new object of the pointee's size (`lower/fresh.rs`).
    Fresh,
}

impl Default for LoadOptions {
    fn default() -> LoadOptions {
        LoadOptions {
            entry: "main".into(),
            property: PropertyKind::default(),
            volatile: MemoryOrder::Plain,
            extern_pointers: ExternPointers::default(),
            arguments: None,
        }
    }
}

/// Parses, checks and links the units, and the library models that they need.
pub fn load(units: &[Source], machine: Machine, options: &LoadOptions) -> Result<Program, Error> {
    // Parser, lowering and the drop of the tree all recurse over the input's nesting.
    stack::with_big_stack(|| link(units, machine, options))
}

fn link(units: &[Source], machine: Machine, options: &LoadOptions) -> Result<Program, Error> {
    let mut files = Files::default();
    let mut link = Linkage::new(machine, options.property, options.volatile);
    link.arguments.clone_from(&options.arguments);
    let mut parsed = Vec::new();
    for unit in units {
        let mut one = parse::parse(unit.text, unit.name, &mut files)?;
        one.map.set_moved(unit.moved);
        parsed.push(one);
    }
    link.defined = parsed.iter().flat_map(lower::external_functions).collect();
    for unit in parsed {
        lower::lower(&mut link, &unit, &files, Origin::User)?;
    }
    link.use_twins();
    link.settle_aborts();
    link.settle_errors();
    link_models(&mut link, &mut files, &options.entry)?;
    if link.call_exit_handlers(&options.entry) {
        link_models(&mut link, &mut files, &options.entry)?;
    }
    link.drop_dead_functions(&options.entry);
    link.open_standard_streams();
    link.refuse_open_arrays();
    link.refuse(library::is_known, library::is_macro);
    if options.extern_pointers == ExternPointers::Fresh {
        link.return_new_objects();
    }
    link.ignored.extend(lower::open::decided(&link.functions, &link.property));
    let entry = link.externs.get(&options.entry).copied();
    let entry = entry.filter(|&f| link.functions[f.index()].has_body());
    let Some(entry) = entry else {
        let file = units.first().map_or(String::new(), |u| u.name.to_owned());
        let message = format!("the program has no function `{}` to start in", options.entry);
        let hint = Some("--function NAME names another one".to_owned());
        return Err(Error { file, span: Span::NONE, message, hint });
    };
    Ok(link.finish(entry, files))
}

/// Adds functions of models until every live function that one of them defines has its body.
fn link_models(link: &mut Linkage, files: &mut Files, entry: &str) -> Result<(), Error> {
    let mut linked: FxHashSet<&str> = FxHashSet::default();
    let mut live = link.live(entry);
    loop {
        let missing = link.missing(&live).filter_map(models::defined);
        let missing: Vec<_> = missing.filter(|(f, _)| !linked.contains(f)).collect();
        let Some(&(_, model)) = missing.first() else {
            return Ok(());
        };
        let wanted = missing.into_iter().filter(|(_, m)| m.file == model.file);
        let wanted: Vec<&str> = wanted.map(|(function, _)| function).collect();
        let part = DeclarationPart::Functions(&wanted);
        let text = model.text_of(&wanted);
        let parsed = parse::parse_part(text.as_bytes(), model.file, part, files)?;
        lower::lower(link, &parsed, files, Origin::Model)?;
        linked.extend(wanted);
        live.extend(link);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::print;

    fn loaded(text: &str, property: PropertyKind) -> Program {
        let unit = Source { name: "1.c", text: text.as_bytes(), moved: &[] };
        let options = LoadOptions { property, ..LoadOptions::default() };
        load(&[unit], Machine::Lp64, &options).unwrap_or_else(|e| panic!("{e}\n{text}"))
    }

    const THREAD: &str = "int pthread_create(unsigned long *, void *, void *(*)(void *), void *);
        int pthread_mutex_lock(void *); int pthread_mutex_init(void *, void *); int rand(void);
        int pthread_cond_wait(void *, void *); struct { long a[8]; } m, c; int x, y;
        int g(void) { return x++; } int *p = &y;";

    /// Each with the number of different programs that the four kinds of properties make of it.
    #[test]
    fn a_program_serves_the_kinds_that_would_have_loaded_the_same() {
        let main = "void *t(void *a) { return 0; } int main(void) { unsigned long id;";
        for (body, programs) in [
            ("", 1),
            ("pthread_mutex_lock(&m);", 1),
            ("pthread_mutex_init(&m, 0);", 2),
            ("pthread_cond_wait(&c, &m);", 2),
            ("pthread_create(&id, 0, t, 0);", 2),
            ("pthread_create(&id, 0, t, 0); rand();", 3),
            (
                "pthread_create(&id, 0, t, 0); pthread_mutex_init(&m, 0); pthread_cond_wait(&c, &m);",
                4,
            ),
            ("int z = *p / x + g();", 3),
        ] {
            let text = format!("{THREAD} {main} {body} }}");
            let mut different: FxHashSet<Vec<PropertyKind>> = FxHashSet::default();
            for kind in PropertyKind::ALL {
                let program = loaded(&text, kind);
                assert!(program.kinds.contains(&kind), "{body}: {kind:?}");
                for &other in &program.kinds {
                    let same = loaded(&text, other);
                    assert_eq!(
                        print::program(&program),
                        print::program(&same),
                        "{body}: {kind:?}, {other:?}"
                    );
                    assert_eq!(program.ignored, same.ignored, "{body}: {kind:?}, {other:?}");
                }
                different.insert(program.kinds);
            }
            assert_eq!(different.len(), programs, "{body}: {different:?}");
        }
    }
}
