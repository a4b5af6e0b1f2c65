//! What POSIX leaves open and our thread models decide: assumptions of the verdict, found in the calls
//! of the program.
//!
//! Cost: one look at each instruction.

use ir::*;

/// Sentences and places, in the order of the program.
pub fn decided(functions: &[Function]) -> Vec<(String, Span)> {
    let name = |f: FuncId| functions[f.index()].name.as_str();
    let mut calls = Calls::default();
    let own = functions.iter().filter(|f| f.origin == Origin::User);
    for inst in own.flat_map(|f| &f.blocks).flat_map(|b| &b.insts) {
        if let InstKind::Call { callee: Callee::Direct(f), args, .. } = &inst.kind {
            calls.add(name(*f), args, inst.span);
        }
    }
    calls.decided()
}

#[derive(Default)]
struct Calls {
    /// `pthread_create` without a place for the id.
    nameless: Vec<Span>,
    /// Keys with a destructor.
    keys: Vec<Span>,
    /// Comparisons of ids.
    comparisons: Vec<Span>,
    /// An id may be given to another thread.
    frees_ids: bool,
}

impl Calls {
    fn add(&mut self, function: &str, args: &[Operand], span: Span) {
        match function {
            "pthread_create" if args.first().is_some_and(is_null) => self.nameless.push(span),
            "pthread_key_create" | "tss_create" if !args.get(1).is_some_and(is_null) => {
                self.keys.push(span);
            }
            "pthread_equal" | "thrd_equal" => self.comparisons.push(span),
            "pthread_join" | "pthread_detach" | "thrd_join" | "thrd_detach" => {
                self.frees_ids = true;
            }
            _ => {}
        }
    }

    fn decided(self) -> Vec<(String, Span)> {
        let note = |text: &str| {
            let text = text.to_owned();
            move |span: &Span| (text.clone(), *span)
        };
        let nameless = "a thread is started although there is no place for its id";
        let mut out: Vec<(String, Span)> = self.nameless.iter().map(note(nameless)).collect();
        let order = "destructors of thread-specific values run in the order of their keys";
        out.extend(self.keys.get(1).map(note(order)));
        let ids = "the id of a thread that has ended is not used again";
        out.extend(self.comparisons.first().filter(|_| self.frees_ids).map(note(ids)));
        out
    }
}

fn is_null(operand: &Operand) -> bool {
    matches!(operand, Operand::Const { bits: 0, .. })
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::program;

    fn assumed(text: &str) -> Vec<String> {
        program(text).ignored.into_iter().map(|(what, _)| what).collect()
    }

    #[test]
    fn threads_without_a_place_for_their_id() {
        let declared = "int pthread_create(unsigned long *, void *, void *(*)(void *), void *);";
        let with = |place: &str| {
            let call = format!("unsigned long t; pthread_create({place}, 0, 0, 0);");
            assumed(&format!("{declared} void f(void) {{ {call} }}"))
        };
        assert_eq!(with("&t").len(), 0);
        assert_eq!(with("0").len(), 1);
        assert_eq!(with("(void *)0").len(), 1);
    }

    #[test]
    fn order_of_destructors_and_ids_that_are_used_again() {
        let declared = "int pthread_key_create(unsigned *, void (*)(void *)); void d(void *p) {}";
        let keys = |second: &str| {
            let calls = format!("pthread_key_create(k, d); pthread_key_create(k, {second});");
            assumed(&format!("{declared} void f(unsigned *k) {{ {calls} }}"))
        };
        assert_eq!((keys("0").len(), keys("d").len()), (0, 1));
        let declared = "int pthread_equal(unsigned long, unsigned long); \
                        int pthread_detach(unsigned long);";
        let ids = |more: &str| {
            assumed(&format!(
                "{declared} void f(unsigned long a) {{ pthread_equal(a, 2); {more} }}"
            ))
        };
        assert_eq!((ids("").len(), ids("pthread_detach(a);").len()), (0, 1));
    }
}
