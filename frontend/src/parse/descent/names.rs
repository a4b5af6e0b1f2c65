//! Which names are types, scope by scope.
//!
//! Only typedefs are written down, and what hides one. Leaving a scope undoes its changes.

use rustc_hash::FxHashMap;

pub struct TypedefNames<'a> {
    /// True: a type. False: hidden by something else.
    types: FxHashMap<&'a str, bool>,
    /// What each change replaced, in order.
    undo: Vec<(&'a str, Option<bool>)>,
    /// How long `undo` was when each open scope began.
    scopes: Vec<usize>,
}

impl<'a> TypedefNames<'a> {
    pub fn new() -> TypedefNames<'a> {
        let types = [("__builtin_va_list", true)].into_iter().collect();
        TypedefNames { types, undo: Vec::new(), scopes: Vec::new() }
    }

    pub(crate) fn is_type(&self, name: &str) -> bool {
        self.types.get(name).copied().unwrap_or(false)
    }

    pub(crate) fn declare_type(&mut self, name: &'a str) {
        self.set(name, true);
    }

    /// The name is that of a variable, function or constant from here on.
    pub(crate) fn declare_other(&mut self, name: &'a str) {
        if self.is_type(name) {
            self.set(name, false);
        }
    }

    fn set(&mut self, name: &'a str, is_type: bool) {
        let before = self.types.insert(name, is_type);
        if !self.scopes.is_empty() {
            self.undo.push((name, before));
        }
    }

    pub fn enter(&mut self) {
        self.scopes.push(self.undo.len());
    }

    pub fn leave(&mut self) {
        let start = self.scopes.pop().unwrap_or(0);
        for (name, before) in self.undo.drain(start..).rev() {
            match before {
                Some(is_type) => self.types.insert(name, is_type),
                None => self.types.remove(name),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_hides_and_gives_back() {
        let mut names = TypedefNames::new();
        names.declare_type("t");
        names.enter();
        names.declare_other("t");
        names.declare_type("u");
        names.enter();
        names.declare_type("t");
        assert!(names.is_type("t") && names.is_type("u"));
        names.leave();
        assert!(!names.is_type("t"));
        names.leave();
        assert!(names.is_type("t") && !names.is_type("u"));
    }
}
