//! Where threads may wait for one condition variable with two mutexes.
//!
//! POSIX leaves that undefined as long as they wait at the same time; our model only looks at each one's own mutex. So a
//! proof rests on it, where it is not seen that any two waits with the same condition variable have the same mutex: both
//! name the same one, or in both it stands equally many bytes from the condition variable, as members of one struct do,
//! or the condition variables are different ones (points-to analysis).
//!
//! Invariant: of two waits that are not found, no execution has them with one condition variable and two mutexes. A
//! violation does not rest on it.
//!
//! Cost: one look at each call; a points-to analysis where names do not tell.

use crate::held::{MutexName, Names};
use analysis::points_to::{Context, Pointee, PointsTo};
use frontend::library::sync::{LockFamily, LockOperation, Synchroniser, lock_function};
use ir::*;
use std::cell::OnceCell;
use std::collections::BTreeMap;

pub const ASSUMPTION: &str = "threads that wait for one condition variable at the same time do so with one mutex; POSIX leaves the rest undefined";

struct Wait {
    function: FuncId,
    condition: Operand,
    mutex: Operand,
    /// Of both.
    names: (Option<MutexName>, Option<MutexName>),
    span: Span,
}

/// The first wait of the user's whose condition variable may be used with another mutex, too.
pub fn first_doubt(program: &Program) -> Option<Span> {
    let waits = waits(program);
    let search = Search { program, points_to: OnceCell::new() };
    let pair = |wait: &Wait| waits.iter().any(|other| search.may_differ(wait, other));
    waits.iter().find(|wait| pair(wait)).map(|wait| wait.span)
}

fn waits(program: &Program) -> Vec<Wait> {
    let mut found = Vec::new();
    for (function, i) in program.functions.iter().zip(0..) {
        if function.origin != Origin::User {
            continue;
        }
        let mut names = None;
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            let InstKind::Call { callee: Callee::Direct(f), args, .. } = &inst.kind else {
                continue;
            };
            let called = &program.functions[f.index()];
            let known = lock_function(&called.name).filter(|_| called.origin != Origin::User);
            let waits = known.is_some_and(|known| known.operation == LockOperation::Wait);
            let (true, [condition, mutex, ..]) = (waits, &args[..]) else { continue };
            let names = names.get_or_insert_with(|| Names::new(function, &BTreeMap::new()));
            found.push(Wait {
                function: FuncId(i),
                condition: *condition,
                mutex: *mutex,
                names: (names.of(condition), names.of(mutex)),
                span: inst.span,
            });
        }
    }
    found
}

struct Search<'p> {
    program: &'p Program,
    points_to: OnceCell<PointsTo>,
}

impl Search<'_> {
    /// May they be about one condition variable and two mutexes?
    fn may_differ(&self, a: &Wait, b: &Wait) -> bool {
        let distance = |wait: &Wait| match wait.names {
            (Some(c), Some(m)) if c.base() == m.base() => m.offset().checked_sub(c.offset()),
            _ => None,
        };
        let fixed = |name: Option<MutexName>| name.filter(|n| matches!(n, MutexName::Object(..)));
        if same(distance(a), distance(b)) || same(fixed(a.names.1), fixed(b.names.1)) {
            return false;
        }
        if let (Some(c), Some(d)) = (fixed(a.names.0), fixed(b.names.0)) {
            return c == d && !same(self.only_mutex(a), self.only_mutex(b));
        }
        self.may_meet(a, b) && !same(self.only_mutex(a), self.only_mutex(b))
    }

    fn points_to(&self) -> &PointsTo {
        self.points_to.get_or_init(|| PointsTo::new(self.program, Context::ModelCalls))
    }

    fn may_meet(&self, a: &Wait, b: &Wait) -> bool {
        let targets = |wait: &Wait| self.points_to().targets(wait.function, &wait.condition);
        let (here, there) = (targets(a), targets(b));
        let unknown = |all: &[Pointee]| all.contains(&Pointee::Unknown);
        unknown(&here) || unknown(&there) || here.iter().any(|place| there.contains(place))
    }

    /// A static object that has no room for two, if the mutex can be nothing else.
    fn only_mutex(&self, wait: &Wait) -> Option<ObjectId> {
        let targets = self.points_to().targets(wait.function, &wait.mutex);
        let [Pointee::Object(object)] = targets[..] else { return None };
        let size = i128::from(self.program.objects[object.index()].size);
        let mutex = Synchroniser::Lock(LockFamily::Mutex).bytes(self.program.machine);
        (size < 2 * mutex).then_some(object)
    }
}

/// Are both there, and the same?
fn same<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
    a.is_some() && a == b
}

#[cfg(test)]
mod tests {
    use frontend::{LoadOptions, Source};
    use ir::types::Machine;

    fn doubt(text: &str) -> bool {
        let declared = "typedef struct { long all[5]; } M; typedef struct { long all[6]; } C; \
                        int pthread_cond_wait(C *, M *); int any(void); M m, n; C c, d; \
                        struct S { M m; C c, d; } *s, *t; struct S g;";
        let text = format!("{declared}\n{text}");
        let source = Source { name: "test.i", text: text.as_bytes(), moved: &[] };
        let program = frontend::load(&[source], Machine::Lp64, &LoadOptions::default());
        super::first_doubt(&analysis::prepare(program.expect("valid"))).is_some()
    }

    fn in_main(body: &str) -> bool {
        doubt(&format!("int main(void) {{ {body} return 0; }}"))
    }

    #[test]
    fn one_condition_variable_has_one_mutex() {
        let wait = |c: &str, m: &str| format!("pthread_cond_wait({c}, {m});");
        assert!(!in_main(&(wait("&c", "&m") + &wait("&c", "&m"))));
        assert!(in_main(&(wait("&c", "&m") + &wait("&c", "&n"))));
        assert!(!in_main(&(wait("&c", "&m") + &wait("&d", "&n"))));
        assert!(!in_main(&(wait("&c", "&m") + &wait("&d", "&m"))));
        assert!(in_main(&wait("&c", "any() ? &m : &n")));
        assert!(!in_main(&wait("any() ? &c : &d", "&m")));
    }

    #[test]
    fn members_of_one_struct_go_together() {
        let blocks = "s = malloc(sizeof *s); t = malloc(sizeof *t);";
        let two = |second: &str| {
            doubt(&format!(
                "void *malloc(unsigned long); void f(struct S *p) {{ pthread_cond_wait(&p->c, &p->m); }}
                int main(void) {{ {blocks} f(s); f(t); f(&g); {second} return 0; }}"
            ))
        };
        assert!(!two(""));
        assert!(two("pthread_cond_wait(&t->c, &m);"));
        assert!(two("pthread_cond_wait(&g.c, &m);"));
    }

    #[test]
    fn a_wrapper_may_hand_on_what_is_constant() {
        let wrapper = "void w(C *c, M *m) { pthread_cond_wait(c, m); }";
        let calls =
            |calls: &str| doubt(&format!("{wrapper} int main(void) {{ {calls} return 0; }}"));
        assert!(!calls("w(&c, &m); w(&d, &m);"));
        assert!(calls("w(&c, &m); w(&c, &n);"));
    }
}
