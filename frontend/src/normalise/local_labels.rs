//! GNU's `__label__ a, b;`: labels that belong to a block.
//!
//! Macros declare them so that they can be used twice in a function. lang-c does not know them and
//! labels of the lowering belong to functions, so each gets a name of its own.

use super::view::TokenView;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct LocalLabels<'a> {
    /// The numbers of the declared labels of a name, innermost last.
    numbers: FxHashMap<&'a [u8], Vec<u32>>,
    /// What to forget when the block of this depth ends.
    declared: Vec<(usize, &'a [u8])>,
    count: u32,
}

impl<'a> LocalLabels<'a> {
    /// The declaration at `i`, in a block of this depth.
    pub fn declare(&mut self, view: &mut TokenView<'a>, i: usize, depth: usize) {
        let Some(end) = view.find(i + 1, b";", |t| t == b"__label__") else { return };
        for name in (i + 1..end).filter(|&n| view.is_name(n)) {
            let name = view.text(name);
            self.numbers.entry(name).or_default().push(self.count);
            self.declared.push((depth, name));
            self.count += 1;
        }
        view.delete(i, end);
    }

    /// Only the blocks up to this depth are still open.
    pub fn leave(&mut self, depth: usize) {
        while let Some(&(inside, name)) = self.declared.last() {
            if inside <= depth {
                break;
            }
            self.declared.pop();
            self.numbers.get_mut(name).map(Vec::pop);
        }
    }

    /// Renames the word `i` if it is a use of such a label.
    pub fn rename(&self, view: &mut TokenView<'a>, i: usize) {
        if self.declared.is_empty() || !is_label(view, i) {
            return;
        }
        let name = view.text(i);
        if let (Some(number), Ok(name)) =
            (self.numbers.get(name).and_then(|n| n.last()), std::str::from_utf8(name))
        {
            view.replace(i, format!("{name}__obmc_block{number}"));
        }
    }
}

fn is_label(view: &TokenView, i: usize) -> bool {
    match view.before(i) {
        b"goto" => true,
        b"&" => i > 1 && view.before(i - 1) == b"&",
        b";" | b"{" | b"}" | b":" | b")" => view.text(i + 1) == b":",
        _ => false,
    }
}
