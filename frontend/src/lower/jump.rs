//! Where `setjmp` may stand (C11 7.13.1.1p4): as a statement, or as all of the condition of one, alone,
//! negated, or compared with a constant. Everywhere else it is undefined what happens, and compilers
//! do what one expects; that is an assumption.

use super::Unit;
use ir::Origin;
use lang_c::ast::{BinaryOperator as B, Expression as E, UnaryOperator as U};
use lang_c::span::{Node, Span as Bytes};

const ASSUMPTION: &str = "setjmp works where C11 7.13.1.1 does not define it: its value may be tested \
                          by a condition, and used for nothing else";

impl Unit<'_> {
    /// This is a statement, or the condition of one.
    pub(crate) fn may_save_context(&mut self, e: &Node<E>) {
        self.saves = saved(e);
    }

    pub(crate) fn note_saved_context(&mut self, name: &str, at: Bytes) {
        let allowed = self.saves.take().is_some_and(|call| call.start == at.start);
        let ours = self.origin == Origin::User && !self.defined.contains(name);
        if is_save(name) && ours && !allowed {
            let at = self.span(at);
            self.link.ignored.push((ASSUMPTION.to_owned(), at));
        }
    }
}

fn is_save(name: &str) -> bool {
    matches!(name, "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "__sigsetjmp_cancel")
}

/// The call in one of the forms that C allows.
fn saved(e: &Node<E>) -> Option<Bytes> {
    match &e.node {
        E::Call(call) => match &call.node.callee.node {
            E::Identifier(id) if is_save(&id.node.name) => Some(call.span),
            _ => None,
        },
        E::UnaryOperator(u) if u.node.operator.node == U::Negate => saved(&u.node.operand),
        E::Cast(cast) => saved(&cast.node.expression),
        E::BinaryOperator(b) => {
            let compares = matches!(
                b.node.operator.node,
                B::Equals
                    | B::NotEquals
                    | B::Less
                    | B::Greater
                    | B::LessOrEqual
                    | B::GreaterOrEqual
            );
            let is_constant = |e: &Node<E>| match &e.node {
                E::Constant(_) => true,
                E::UnaryOperator(u) => matches!(u.node.operand.node, E::Constant(_)),
                _ => false,
            };
            match (&b.node.lhs, &b.node.rhs) {
                (a, b) if compares && is_constant(b) => saved(a),
                (a, b) if compares && is_constant(a) => saved(b),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::program;

    #[test]
    fn contexts_of_setjmp() {
        let assumed = |body: &str| {
            let text = format!(
                "int setjmp(long *); extern long b[30]; int x; int f(void) {{ {body} return 0; }}"
            );
            program(&text).ignored.iter().any(|(text, _)| text.contains("7.13.1.1"))
        };
        for body in [
            "setjmp(b);",
            "(void)setjmp(b);",
            "if (setjmp(b)) x = 1;",
            "if (!setjmp(b)) x = 1;",
            "while (setjmp(b) < 3) x++;",
            "switch (setjmp(b)) { case 0: x = 1; }",
            "if (0 == setjmp(b)) x = 1; else x = 2;",
        ] {
            assert!(!assumed(body), "{body}");
        }
        for body in ["x = setjmp(b);", "if (setjmp(b) + x) x = 1;", "return setjmp(b);"] {
            assert!(assumed(body), "{body}");
        }
    }
}
