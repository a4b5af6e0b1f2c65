//! Functions of the C library and of POSIX without a model: none is guessed.
//!
//! A function without a body is taken to return anything and to touch nothing. Of a library function
//! that is wrong if it writes to memory, calls back, waits, or computes: without a model its call is
//! not modelled. That holds for all that our headers declare, and for all that glibc exports, which a
//! preprocessed program may declare by itself. `sync` knows which of them lock and start threads.

pub mod sync;

use crate::shipped;
use std::cmp::Ordering;

/// What glibc exports, a name per line, sorted; without names that no program sees.
const NAMES: &str = include_str!("../contracts/glibc-names.txt");

/// Macros with arguments of glibc's headers that are no functions, likewise.
const MACROS: &str = include_str!("../contracts/glibc-macros.txt");

pub fn is_known(function: &str) -> bool {
    is_listed(NAMES, function) || shipped::gives(function)
}

/// What is called like a function without a declaration, but is none: a macro of a header that was
/// not included or that we lack, or a builtin of gcc.
pub(crate) fn is_macro(name: &str) -> bool {
    let builtin = ["__builtin_", "__atomic_", "__sync_"];
    builtin.iter().any(|prefix| name.starts_with(prefix)) || is_listed(MACROS, name)
}

/// Halves the text, line by line.
fn is_listed(names: &str, name: &str) -> bool {
    let (mut from, mut to) = (0, names.len());
    while from < to {
        let middle = from + (to - from) / 2;
        let start = names[from..middle].rfind('\n').map_or(from, |at| from + at + 1);
        let end = names[middle..to].find('\n').map_or(to, |at| middle + at);
        match names[start..end].cmp(name) {
            Ordering::Equal => return true,
            Ordering::Less => from = end + 1,
            Ordering::Greater => to = start,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, Source, load};
    use ir::InstKind;
    use ir::types::Machine;

    #[test]
    fn names_are_found() {
        for list in [NAMES, MACROS] {
            let names: Vec<&str> = list.lines().collect();
            assert!(names.is_sorted_by(|a, b| a < b));
            assert!(names.iter().all(|name| is_listed(list, name)));
            for stranger in ["", "a", "mine", "zz", "printf_", "prin"] {
                assert!(!is_listed(list, stranger), "{stranger}");
            }
        }
    }

    /// What is called here is not modelled.
    fn refused(call: &str) -> Vec<String> {
        let text = format!("int main(void) {{ {call}; }}");
        let unit = Source { name: "a.c", text: text.as_bytes(), moved: &[] };
        let program = load(&[unit], Machine::Lp64, &LoadOptions::default()).expect("it is C");
        let insts = program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
        let refused = insts.filter_map(|inst| match &inst.kind {
            InstKind::Unsupported { what } => Some(what.clone()),
            _ => None,
        });
        refused.collect()
    }

    #[test]
    fn library_functions_are_not_guessed() {
        assert_eq!(refused("double tgamma(double); tgamma(1.0)"), ["tgamma"]);
        assert_eq!(refused("int nftw(); nftw()"), ["nftw"]);
        assert_eq!(refused("int fork(void); fork()"), ["fork"]);
        assert_eq!(refused("int strptime(); strptime()"), ["strptime"]);
        assert_eq!(refused("int mine(int); mine(1)"), [""; 0]);
        assert_eq!(refused("double sqrt(double); sqrt(1.0)"), [""; 0]);
    }
}
