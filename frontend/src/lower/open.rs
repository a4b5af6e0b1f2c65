//! What POSIX leaves open and our thread models decide: assumptions of the verdict, found in the calls
//! of the program.
//!
//! Cost: one look at each instruction.

use ir::*;

/// Sentences and places, in the order of the program.
pub fn decided(functions: &[Function], property: &LoadedFor) -> Vec<(String, Span)> {
    let name = |f: FuncId| functions[f.index()].name.as_str();
    let mut calls = OpenCalls::default();
    for (i, function) in functions.iter().enumerate().filter(|(_, f)| f.origin == Origin::User) {
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            if let InstKind::Call { callee: Callee::Direct(f), args, dst } = &inst.kind {
                calls.add(name(*f), args, inst.span);
                if RESOURCES.contains(&name(*f)) && dst.is_some_and(|dst| is_read(function, dst)) {
                    calls.resources.push(inst.span);
                }
                let variable = args.first().and_then(|id| variable(FuncId(i as u32), function, id));
                calls.add_id(name(*f), variable, inst.span);
            }
        }
    }
    let mut decided = calls.decided();
    decided.extend(locked_by_glibc(functions).filter(|_| property.is(PropertyKind::Races)));
    let sorted =
        "the array that bsearch gets is sorted by its comparison; C leaves the rest undefined";
    decided.extend(first_call(functions, &["bsearch"]).map(|at| (sorted.to_owned(), at)));
    let ordered = "comparisons that qsort gets say the same about two elements whenever they are asked, \
                   and order all of them; C leaves the rest undefined";
    decided.extend(first_call(functions, &["qsort", "qsort_r"]).map(|at| (ordered.to_owned(), at)));
    decided.extend(from_outside(functions));
    decided.extend(through_files(functions).filter(|_| property.is(PropertyKind::Races)));
    decided
}

/// What comes from outside of the program, and is shorter here, or comes to nobody.
fn from_outside(functions: &[Function]) -> impl Iterator<Item = (String, Span)> {
    let text = "variables of the environment have at most 15 bytes";
    let variables = (first_call(functions, &["getenv"]), text);
    let sent = first_call(functions, &["kill", "pthread_kill", "raise"]);
    let waited =
        first_call(functions, &["sigwait", "sigwaitinfo", "sigtimedwait", "sigsuspend", "pause"]);
    let text = "no signals come from outside to a program that sends itself some";
    let signals = (sent.and(waited), text);
    let text =
        "a signal to the process goes to its first thread if that lets it through, as on Linux";
    let preferred = first_call(functions, &["kill"]).filter(|_| has_threads(functions));
    let all = [variables, signals, (preferred, text)];
    all.into_iter().filter_map(|(at, text)| Some((text.to_owned(), at?)))
}

/// Files that lead from thread to thread, in a program that has some.
fn through_files(functions: &[Function]) -> Option<(String, Span)> {
    let text = "what is read from a pipe or an eventfd comes after the write, as on Linux; POSIX does not \
                say that it orders memory";
    let made = first_call(functions, &["pipe", "pipe2", "eventfd"]);
    made.filter(|_| has_threads(functions)).map(|at| (text.to_owned(), at))
}

fn has_threads(functions: &[Function]) -> bool {
    functions.iter().any(|f| f.name == "pthread_create" || f.name == "thrd_create")
}

/// Where the program first calls one of these.
fn first_call(functions: &[Function], names: &[&str]) -> Option<Span> {
    let users = functions.iter().filter(|f| f.origin == Origin::User);
    let mut insts = users.flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
    let called = insts.find(|inst| {
        matches!(inst.kind, InstKind::Call { callee: Callee::Direct(f), .. }
            if functions[f.index()].origin != Origin::User
                && names.contains(&functions[f.index()].name.as_str()))
    });
    called.map(|inst| inst.span)
}

/// Functions with a state that C lets be used without a lock, and glibc does not.
const LOCKED: [&str; 3] = ["rand", "srand", "setlocale"];

/// The first call of one of them, if there are threads.
fn locked_by_glibc(functions: &[Function]) -> Option<(String, Span)> {
    let text = "rand, srand and setlocale may be called by several threads, as with glibc; C lets them race";
    first_call(functions, &LOCKED)
        .filter(|_| has_threads(functions))
        .map(|at| (text.to_owned(), at))
}

/// Functions that fail if there are too many objects of a kind, which ours never do.
const RESOURCES: [&str; 11] = [
    "pthread_create",
    "thrd_create",
    "pthread_key_create",
    "tss_create",
    "pthread_mutex_init",
    "pthread_cond_init",
    "pthread_rwlock_init",
    "pthread_barrier_init",
    "sem_init",
    "mtx_init",
    "cnd_init",
];

fn is_read(function: &Function, reg: Reg) -> bool {
    function.blocks.iter().any(|block| {
        let mut operands = block.insts.iter().flat_map(|inst| ir::walk::operands(&inst.kind));
        operands.any(|op| *op == Operand::Reg(reg))
            || ir::walk::end_operand(&block.end).is_some_and(|op| *op == Operand::Reg(reg))
    })
}

#[derive(Default)]
struct OpenCalls {
    /// The program looks whether there were enough resources.
    resources: Vec<Span>,
    /// `pthread_create` without a place for the id.
    nameless: Vec<Span>,
    /// Keys with a destructor.
    keys: Vec<Span>,
    /// Comparisons of ids.
    comparisons: Vec<Span>,
    /// An id may be given to another thread.
    frees_ids: bool,
    /// Of joins and detaches: the variable that the id is read from, if it is known.
    detached: Vec<(Option<IdVariable>, Span)>,
    joined: Vec<(Option<IdVariable>, Span)>,
    by_attribute: bool,
    /// Calls of `mmap`, and whether heap blocks are freed.
    mapped: Vec<Span>,
    frees_memory: bool,
}

/// A variable that an id is read from: a local's function, and its address.
type IdVariable = (FuncId, Operand);

/// Where an argument was read, if it is a variable.
fn variable(id: FuncId, function: &Function, value: &Operand) -> Option<IdVariable> {
    let Operand::Reg(reg) = value else { return None };
    let insts = function.blocks.iter().flat_map(|b| &b.insts);
    let mut definitions = insts.filter(|i| ir::walk::defined(&i.kind) == Some(*reg));
    match (&definitions.next()?.kind, definitions.next()) {
        (InstKind::Load { addr: addr @ Operand::Slot { .. }, .. }, None) => Some((id, *addr)),
        (InstKind::Load { addr: addr @ Operand::Object { .. }, .. }, None) => {
            Some((FuncId(0), *addr))
        }
        _ => None,
    }
}

impl OpenCalls {
    fn add(&mut self, function: &str, args: &[Operand], span: Span) {
        match function {
            "pthread_create" if args.first().is_some_and(is_null) => self.nameless.push(span),
            "pthread_key_create" | "tss_create" if !args.get(1).is_some_and(is_null) => {
                self.keys.push(span);
            }
            "mmap" | "mmap64" => self.mapped.push(span),
            "free" | "realloc" | "reallocarray" => self.frees_memory = true,
            "pthread_equal" | "thrd_equal" => self.comparisons.push(span),
            "pthread_join" | "pthread_detach" | "thrd_join" | "thrd_detach" => {
                self.frees_ids = true;
            }
            _ => {}
        }
    }

    fn add_id(&mut self, function: &str, variable: Option<IdVariable>, span: Span) {
        match function {
            "pthread_detach" | "thrd_detach" => self.detached.push((variable, span)),
            "pthread_join" | "pthread_timedjoin_np" | "pthread_clockjoin_np" | "thrd_join" => {
                self.joined.push((variable, span));
            }
            "pthread_attr_setdetachstate" => self.by_attribute = true,
            _ => {}
        }
    }

    /// A call that may join or detach a thread that another call has detached.
    fn refused(&self) -> Option<Span> {
        if self.by_attribute {
            return self.joined.iter().chain(&self.detached).map(|(_, span)| *span).next();
        }
        let same = |a: &Option<IdVariable>, b: &Option<IdVariable>| match (a, b) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        let pairs = self.detached.iter().enumerate().flat_map(|(i, first)| {
            let others = self.joined.iter().chain(&self.detached[i + 1..]);
            others.map(move |second| (first, second))
        });
        let mut meet = pairs.filter(|(a, b)| same(&a.0, &b.0));
        meet.next().map(|(_, second)| second.1)
    }

    fn decided(self) -> Vec<(String, Span)> {
        let note = |text: &str| {
            let text = text.to_owned();
            move |span: &Span| (text.clone(), *span)
        };
        let nameless = "a thread is started although there is no place for its id";
        let mut out: Vec<(String, Span)> = self.nameless.iter().map(note(nameless)).collect();
        let resources = "there are enough resources: pthread_create and its kin do not fail";
        out.extend(self.resources.first().map(note(resources)));
        let order = "destructors of thread-specific values run in the order of their keys";
        out.extend(self.keys.get(1).map(note(order)));
        let ids = "the id of a thread that has ended is not used again";
        let refused = "joining or detaching a detached thread gives EINVAL, detaching a joined one \
                       ESRCH, as glibc does while it can tell; POSIX leaves it undefined";
        out.extend(self.refused().iter().map(note(refused)));
        let pages = "pages of mmap are not given to free or realloc";
        out.extend(self.mapped.first().filter(|_| self.frees_memory).map(note(pages)));
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
    fn what_comes_from_outside() {
        let declared = "char *getenv(const char *); int kill(int, int); int pause(void);";
        let body = |calls: &str| {
            assumed(&format!("{declared} int main(void) {{ {calls} return 0; }}")).len()
        };
        assert_eq!(
            [body("getenv(\"A\");"), body("pause();"), body("kill(1, 2); pause();")],
            [1, 0, 1]
        );
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

    #[test]
    fn threads_that_are_detached_and_joined() {
        let declared = "int pthread_detach(unsigned long); int pthread_join(unsigned long, void *); \
                        void g(unsigned long *, unsigned long *);";
        let of = |calls: &str| {
            let calls = format!("unsigned long a, b; g(&a, &b); {calls}");
            assumed(&format!("{declared} void f(void) {{ {calls} }}")).len()
        };
        assert_eq!(of("pthread_detach(a); pthread_join(b, 0); pthread_join(b, 0);"), 0);
        assert_eq!(of("pthread_detach(a); pthread_join(a, 0);"), 1);
        assert_eq!(of("pthread_detach(a); pthread_detach(b);"), 0);
        assert_eq!(of("pthread_detach(a); pthread_detach(*&a + 0);"), 1);
    }
}
