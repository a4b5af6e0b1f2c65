//! Random small concurrent C programs, for tests that compare engines, passes and settings with each
//! other.
//!
//! The text is preprocessed C that declares what it uses. Every value stays below 4 and every `for`
//! goes iteration at most twice, so the states are few; a `while` only waits for another thread, so it
//! is the only loop that no bound may be enough for. Nothing is undefined but what a property asks
//! about: there are races, deadlocks, dangling pointers, double frees and leaks.

use crate::Dice;

const HEAD: &str = "\
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
typedef union { char size[48]; long long align; } pthread_cond_t;
typedef union { char size[32]; long align; } sem_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_detach(pthread_t);
extern pthread_t pthread_self(void);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
extern int pthread_cond_signal(pthread_cond_t *);
extern int pthread_cond_broadcast(pthread_cond_t *);
extern int sem_init(sem_t *, int, unsigned);
extern int sem_wait(sem_t *);
extern int sem_post(sem_t *);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
unsigned char t[4];
struct { unsigned low : 2, high : 2; char c; } s;
int *p = &x, *h;
int a, b;
__thread int mine;
pthread_mutex_t m, n;
pthread_cond_t cond;
sem_t sem;
pthread_t ids[3];
static int add(int *to, int more) { *to = (*to + more) & 3; return *to; }
static int (*op)(int *, int) = add;
void __VERIFIER_atomic_bump(int *to) { *to = (*to + 1) & 3; }
";

/// Waiting without help.
const SPINS: [&str; 6] = [
    "while (!__atomic_load_n(&a, 2)) ;",
    "while (__atomic_load_n(&a, 0) == __atomic_load_n(&b, 5)) ;",
    "{ int e = 0; while (!__atomic_compare_exchange_n(&b, &e, 1, 0, 5, 5)) e = 0; }",
    "{ int e; do e = b; while (!__atomic_compare_exchange_n(&b, &e, (e + 1) & 3, 0, 5, 5)); }",
    "{ int e = 1; while (!__atomic_compare_exchange_n(&b, &e, (e + 1) & 3, 0, 5, 5)) ; x = e; }",
    "{ int e; do { e = a; if (e > 2) break; } while (!__sync_bool_compare_and_swap(&a, e, e + 1)); }",
];

/// The program for a seed.
pub fn program(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let heap = dice.rarely(5);
    let escape = dice.rarely(8);
    let careful = dice.rarely(3);
    // Thrown by other dice: programs without ids do not depend on them.
    let ids = Dice::new(seed.wrapping_add(1 << 41)).rarely(8);
    let shared = format!("int x = {}, y = {};\n", dice.below(3), dice.below(2));
    let text = shared + HEAD;
    let mut writer = Writer { dice, text, indent: 0, names: 0, heap, escape, careful, ids };
    writer.threads();
    writer.text
}

/// What a statement may contain.
#[derive(Clone, Copy)]
struct Place {
    depth: u32,
    /// In an atomic block: nothing that blocks.
    atomic: bool,
    /// In a `for`.
    looping: bool,
    /// The mutex that is held.
    held: &'static str,
}

impl Place {
    const BODY: Place = Place { depth: 2, atomic: false, looping: false, held: "" };

    fn inner(self) -> Place {
        Place { depth: self.depth - 1, ..self }
    }
}

struct Writer {
    dice: Dice,
    text: String,
    indent: usize,
    /// Local names handed out.
    names: u32,
    /// `h` points to a block.
    heap: bool,
    /// Pointers to locals of a thread may get into `p`.
    escape: bool,
    /// Most of what threads do is done under the mutex `m`.
    careful: bool,
    /// Threads look for ids, and join or detach.
    ids: bool,
}

impl Writer {
    fn line(&mut self, line: impl AsRef<str>) {
        let blanks = 2 * self.indent;
        self.text.push_str(&format!("{:blanks$}{}\n", "", line.as_ref()));
    }

    fn nested(&mut self, head: &str, body: impl FnOnce(&mut Writer)) {
        self.line(format!("{head} {{"));
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.line("}");
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn threads(&mut self) {
        let workers = if self.dice.rarely(4) { 3 } else { 2 };
        let same = self.dice.rarely(5);
        let functions = if same { 1 } else { workers };
        // A thread is joined once at most: by a later thread, or by `main`.
        let joined = (functions > 1 && self.dice.rarely(6)).then_some(0);
        for i in 0..functions {
            let joins = joined.filter(|_| i == functions - 1);
            self.worker(i, joins, if workers == 2 { 3 } else { 2 });
        }
        self.nested("int main(void)", |w| w.main(workers, same, joined));
    }

    fn worker(&mut self, i: u32, joins: Option<u32>, most: u32) {
        self.nested(&format!("void *w{i}(void *arg)"), |w| {
            w.line("int *own = arg, l = 0;");
            for _ in 0..1 + w.dice.below(most) {
                w.outer(Place::BODY);
            }
            if let Some(other) = joins {
                w.join(other);
                w.outer(Place::BODY);
            }
            w.line("return (void *)(long)l;");
        });
    }

    fn main(&mut self, workers: u32, same: bool, joined: Option<u32>) {
        self.line("int l = 0, *own = &l;");
        let tokens = self.dice.below(2);
        self.line(format!("sem_init(&sem, 0, {tokens});"));
        if self.heap {
            self.line("h = malloc(sizeof *h);");
            self.line("*h = 0;");
        }
        if same {
            self.nested(&format!("for (int i = 0; i < {workers}; i++)"), |w| {
                w.line("pthread_create(&ids[i], 0, w0, own);");
            });
        } else {
            self.create_each(workers);
        }
        let mut all_joined = self.dice.below(4) > 0;
        for i in (0..workers).filter(|&i| Some(i) != joined) {
            if all_joined {
                self.join(i);
            } else if self.dice.rarely(2) {
                let shared = self.condition();
                let input = "__VERIFIER_nondet_bool()".into();
                let condition = if self.careful { input } else { shared };
                self.nested(&format!("if ({condition})"), |w| w.join(i));
            }
        }
        all_joined &= joined.is_none() || self.dice.rarely(2);
        if self.heap && all_joined && self.dice.below(4) > 0 {
            self.line("free(h);");
        }
        self.assertion();
        self.line("return 0;");
    }

    fn create_each(&mut self, workers: u32) {
        for i in 0..workers {
            self.line(format!("pthread_create(&ids[{i}], 0, w{i}, own);"));
            if self.dice.rarely(4) {
                self.outer(Place { depth: 1, ..Place::BODY });
            }
        }
    }

    fn join(&mut self, i: u32) {
        if self.dice.rarely(3) {
            let result = self.name();
            self.line(format!("void *{result};"));
            self.line(format!("pthread_join(ids[{i}], &{result});"));
            self.line(format!("l = (int)(long){result} & 3;"));
        } else {
            self.line(format!("pthread_join(ids[{i}], 0);"));
        }
    }

    /// A statement of a thread that holds nothing.
    fn outer(&mut self, place: Place) {
        match self.careful && self.dice.below(10) > 0 {
            true => self.locked("m", place),
            false => self.statement(place),
        }
    }

    fn statement(&mut self, place: Place) {
        let simple = place.depth == 0 || self.dice.rarely(2);
        match (simple, place.atomic) {
            (true, _) => self.simple(place),
            (false, true) => self.compound(place.inner()),
            (false, false) if self.dice.rarely(2) => self.compound(place.inner()),
            (false, false) => self.blocking(place.inner()),
        }
    }

    fn simple(&mut self, place: Place) {
        let value = self.value(1);
        if self.heap && self.dice.rarely(3) {
            return self.heap_operation();
        }
        if self.ids && self.dice.rarely(3) {
            return self.look_for_id(place);
        }
        match self.dice.below(16) {
            0..=2 => {
                let target = self.target();
                self.line(format!("{target} = {value};"));
            }
            3 | 4 => {
                let target = self.target();
                self.line(format!("{target} = ({target} + 1) & 3;"));
            }
            5 => self.line(format!("l = {value};")),
            6..=8 => self.atomic_operation(&value),
            9 => {
                let call = self.dice.of(&["add", "op", "__VERIFIER_atomic_bump"]);
                let cell = self.dice.of(&["&x", "&y", "p", "own", "&l"]);
                let more = if call.starts_with("__") { "" } else { ", 1" };
                self.line(format!("{call}({cell}{more});"));
            }
            10 => {
                let condition = self.condition();
                self.line(format!("__VERIFIER_assume(l || {condition});"));
            }
            11 if place.looping => {
                let condition = self.condition();
                let leave = self.dice.of(&["break", "continue"]);
                self.line(format!("if ({condition}) {leave};"));
            }
            12 => {
                let cell = if self.escape { "&l" } else { self.dice.of(&["&x", "&y", "&a"]) };
                self.line(format!("p = {cell};"));
            }
            13 => self.line("t[x & 3] = t[y & 3];"),
            14 if place.held.is_empty() => self.line("if (l > 2) return 0;"),
            _ => self.assertion(),
        }
    }

    fn look_for_id(&mut self, place: Place) {
        let line = self.dice.of(&[
            "if (ids[1] == pthread_self()) l = 1;",
            "x = ids[0] != 0;",
            "if (ids[0] == pthread_self()) reach_error();",
            "l = (ids[0] == pthread_self()) + 2 * (ids[1] == pthread_self());",
            "if (ids[1] && !l) l = pthread_join(ids[1], 0) & 3;",
            "l = pthread_join(pthread_self(), 0) & 3;",
            "if (ids[0] != pthread_self() || l) l = pthread_detach(pthread_self()) & 3;",
        ]);
        match place.atomic && line.contains("pthread_join") {
            true => self.line("l = 3;"),
            false => self.line(line),
        }
    }

    fn heap_operation(&mut self) {
        match self.dice.below(6) {
            0 => self.line("free(h);"),
            1 => {
                let block = self.name();
                self.line(format!("int *{block} = malloc(sizeof(int));"));
                self.line(format!("*{block} = l;"));
                self.line(format!("x = *{block};"));
                if self.dice.below(4) > 0 {
                    self.line(format!("free({block});"));
                }
            }
            _ => self.line("*h = (*h + 1) & 3;"),
        }
    }

    fn compound(&mut self, place: Place) {
        match self.dice.below(6) {
            0..=2 => {
                let condition = self.condition();
                self.nested(&format!("if ({condition})"), |w| w.statement(place));
                if self.dice.rarely(3) {
                    self.nested("else", |w| w.statement(place));
                }
            }
            3 | 4 => {
                let i = self.name();
                let iterations = self.dice.of(&["2", "1 + (x & 1)", "(*own & 2)"]);
                let place = Place { looping: true, ..place };
                self.nested(&format!("for (int {i} = 0; {i} < {iterations}; {i}++)"), |w| {
                    w.statement(place);
                });
            }
            _ => {
                let value = self.value(1);
                // `break` belongs to the `switch`, `continue` may have no loop.
                let place = Place { looping: false, ..place };
                self.nested(&format!("switch ({value})"), |w| {
                    w.line("case 0:;");
                    w.statement(place);
                    let end = w.dice.of(&["break;", ";"]);
                    w.line(end);
                    w.line("default:;");
                    w.statement(place);
                });
            }
        }
    }

    fn blocking(&mut self, place: Place) {
        let free = |&m: &&str| m != place.held;
        let mutexes: Vec<&'static str> = ["m", "n"].into_iter().filter(free).collect();
        let mutex = self.dice.of(&mutexes);
        match self.dice.below(9) {
            0..=2 => self.locked(mutex, place),
            3 => self.nested(&format!("if (pthread_mutex_trylock(&{mutex}) == 0)"), |w| {
                w.statement(place);
                w.line(format!("pthread_mutex_unlock(&{mutex});"));
            }),
            4 | 5 => {
                self.line("__VERIFIER_atomic_begin();");
                // Leaving the loop around would leave the block.
                let inside = Place { atomic: true, looping: false, ..place };
                let from = self.text.len();
                self.statement(inside);
                self.statement(inside);
                let block = self.text.split_off(from).replace("return 0;", "l = 0;");
                self.text.push_str(&block);
                self.line("__VERIFIER_atomic_end();");
            }
            6 => {
                let call = self.dice.of(&["sem_wait", "sem_post", "sem_post"]);
                self.line(format!("{call}(&sem);"));
            }
            7 => self.condition_variable(mutex),
            _ => {
                let spin = self.dice.of(&SPINS);
                self.line(spin);
            }
        }
    }

    fn locked(&mut self, mutex: &'static str, place: Place) {
        self.line(format!("pthread_mutex_lock(&{mutex});"));
        self.statement(Place { looping: false, held: mutex, ..place });
        if self.dice.below(8) > 0 {
            self.line(format!("pthread_mutex_unlock(&{mutex});"));
        }
    }

    fn condition_variable(&mut self, mutex: &str) {
        self.line(format!("pthread_mutex_lock(&{mutex});"));
        let act = self.dice.of(&[
            "if (!y) pthread_cond_wait(&cond, &M);",
            "while (!y) pthread_cond_wait(&cond, &M);",
            "y = 1; pthread_cond_signal(&cond);",
            "y = 1; pthread_cond_broadcast(&cond);",
        ]);
        self.line(act.replace('M', mutex));
        self.line(format!("pthread_mutex_unlock(&{mutex});"));
    }

    fn atomic_operation(&mut self, value: &str) {
        let cell = self.dice.of(&["a", "b"]);
        let order = self.dice.of(&[0, 3, 5]);
        let read_write = self.dice.of(&[0, 2, 3, 4, 5]);
        let line = match self.dice.below(5) {
            0 | 1 => format!("__atomic_store_n(&{cell}, {value}, {order});"),
            2 => format!("l = __atomic_exchange_n(&{cell}, {value}, {read_write});"),
            3 => format!("l = __atomic_fetch_xor(&{cell}, 1, {read_write});"),
            _ => format!("__atomic_compare_exchange_n(&{cell}, &l, {value}, 0, {read_write}, 0);"),
        };
        self.line(line);
    }

    /// Two things at once are harder to reach, and easier to lose.
    fn assertion(&mut self) {
        let cells = ["x", "y", "l", "t[1]", "__atomic_load_n(&a, 5)", "__atomic_load_n(&b, 0)"];
        let mut fact = || format!("{} == {}", self.dice.of(&cells), self.dice.below(4));
        let (first, second) = (fact(), fact());
        let bad = if self.dice.rarely(2) { first } else { format!("{first} && {second}") };
        self.line(format!("if ({bad}) reach_error();"));
    }

    fn target(&mut self) -> &'static str {
        self.dice.of(&["x", "x", "y", "y", "*p", "*own", "t[x & 3]", "t[1]", "s.low", "s.high"])
    }

    fn condition(&mut self) -> String {
        match self.dice.below(3) {
            0 => "__VERIFIER_nondet_bool()".into(),
            1 => self.value(1),
            _ => format!("{} == {}", self.value(0), self.dice.below(3)),
        }
    }

    /// An expression from 0 to 3.
    fn value(&mut self, depth: u32) -> String {
        match self.dice.below(12) {
            0 | 1 => self.dice.below(4).to_string(),
            2..=4 => self.dice.of(&["x", "y", "l"]).into(),
            5 => self.target().into(),
            6 | 7 => {
                let cell = self.dice.of(&["a", "b"]);
                let order = self.dice.of(&[0, 2, 5]);
                format!("__atomic_load_n(&{cell}, {order})")
            }
            8 => self.dice.of(&["++mine % 4", "(int)s.c", "*(&x + (y & 0))"]).into(),
            9 => "__VERIFIER_nondet_bool()".into(),
            _ if depth == 0 => "x".into(),
            10 => format!("(({} + {}) & 3)", self.value(depth - 1), self.value(depth - 1)),
            _ => {
                let pick = self.condition_of_registers();
                format!("({pick} ? {} : {})", self.value(depth - 1), self.value(depth - 1))
            }
        }
    }

    fn condition_of_registers(&mut self) -> &'static str {
        self.dice.of(&["l > 1", "x == y", "p == &x"])
    }
}
