//! What programs are made of. `rich` says what the gaps in the templates stand for.

/// What the templates of one kind of program text are.
pub struct Feature {
    pub globals: &'static str,
    /// In `main`, before threads start.
    pub setup: &'static str,
    /// Statements that never block.
    pub plain: &'static [&'static str],
    /// Statements that may, or that are atomic blocks themselves.
    pub blocking: &'static [&'static str],
    pub values: &'static [&'static str],
    pub targets: &'static [&'static str],
    /// In `main`, when all threads have ended.
    pub finish: &'static str,
}

const NOTHING: Feature = Feature {
    globals: "",
    setup: "",
    plain: &[],
    blocking: &[],
    values: &[],
    targets: &[],
    finish: "",
};

pub const HEAD: &str = "\
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
typedef union { char size[4]; int align; } pthread_mutexattr_t;
typedef union { char size[48]; long long align; } pthread_cond_t;
typedef union { char size[56]; long align; } pthread_rwlock_t;
typedef union { char size[32]; long align; } pthread_barrier_t;
typedef volatile int pthread_spinlock_t;
typedef union { char size[32]; long align; } sem_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void pthread_exit(void *);
extern pthread_t pthread_self(void);
extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
extern int pthread_mutexattr_init(pthread_mutexattr_t *);
extern int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *);
extern int pthread_rwlock_unlock(pthread_rwlock_t *);
extern int pthread_spin_init(pthread_spinlock_t *, int);
extern int pthread_spin_lock(pthread_spinlock_t *);
extern int pthread_spin_unlock(pthread_spinlock_t *);
extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
extern int pthread_cond_signal(pthread_cond_t *);
extern int pthread_cond_broadcast(pthread_cond_t *);
extern int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned);
extern int pthread_barrier_wait(pthread_barrier_t *);
extern int sem_init(sem_t *, int, unsigned);
extern int sem_wait(sem_t *);
extern int sem_trywait(sem_t *);
extern int sem_post(sem_t *);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);
extern void *memset(void *, int, unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
static int get(int *from) { return *from; }
static void put(int *to, int value) { if (value < 9) *to = value; }
static int one_more(int n) { static int calls; calls += n; return calls; }
int __VERIFIER_atomic_swap(int *a, int *b) { int t = *a; *a = *b; *b = t; return t; }
pthread_t ids[4];
__thread int mine = 1;
";

/// In every program.
pub const BASE: Feature = Feature {
    plain: &[
        "#t = #v;",
        "#t = #v;",
        "#t = (#t + 1) & 3;",
        "l = #v;",
        "if (#c) l = #v;",
        "__VERIFIER_assume(#c || l < 2);",
        "if (#v == #k && #v == #k) reach_error();",
        "if (#v == #k) reach_error();",
        "mine += #v;",
        "put(&x, #v);",
        "l = one_more(#k) & 7;",
        "{\nunsigned char in#i = __VERIFIER_nondet_uchar();\n__VERIFIER_assume(in#i < 3);\nl = in#i;\n}",
        "if (#c) {\n#a\n}",
        "if (#c) {\n#a\n} else {\n#a\n}",
        "for (int i#i = 0; i#i < 2; i#i++) {\n#a\n}",
        "for (int i#i = 0; i#i < (#v & 1) + 1; i#i++) {\n#a\nif (#c) break;\n}",
        "switch (#v) {\ncase 0:\n#a\nbreak;\ncase 2:\n#a\ndefault:\n#a\n}",
    ],
    blocking: &[
        "if (#c) {\n#s\n#s\n}",
        "if (#c) {\n#s\n} else {\n#s\n}",
        "for (int i#i = 0; i#i < 2; i#i++) {\nif (#c) continue;\n#s\n}",
        "do {\n#s\n} while (l < 2 && l++ == #k);",
        "__VERIFIER_atomic_begin();\n#a\n#a\n__VERIFIER_atomic_end();",
        "__VERIFIER_atomic_begin();\nl = #v;\n#a\n__VERIFIER_assume(#c);\n#a\n__VERIFIER_atomic_end();",
        "__VERIFIER_atomic_swap(&x, &y);",
        "if (l > 2) return arg;",
        "if (#v == #k) pthread_exit(arg);",
    ],
    values: &[
        "x",
        "y",
        "l",
        "*own",
        "mine",
        "#k",
        "__VERIFIER_nondet_bool()",
        "((#v + #v) & 3)",
        "(#c ? #v : #k)",
        "(x - y)",
        "get(own)",
        "(x & -2)",
    ],
    targets: &["x", "y", "l", "*own"],
    ..NOTHING
};

/// Ids of threads: who finds whose, and what is done with them.
pub const IDS: Feature = Feature {
    globals: "extern int pthread_equal(pthread_t, pthread_t);\nextern int pthread_detach(pthread_t);\n\
              pthread_t self;",
    setup: "self = pthread_self();",
    plain: &[
        "if (ids[#k] == pthread_self()) #t = #v;",
        "if (pthread_equal(ids[1], pthread_self())) reach_error();",
        "if (!pthread_equal(ids[2], pthread_self()) && #c) reach_error();",
        "self = pthread_self();",
        "if (pthread_equal(self, ids[#k])) l = #k;",
        "if (l == #k && pthread_equal(self, ids[1])) ids[1] = pthread_self();",
    ],
    blocking: &[
        "if (ids[1] == pthread_self()) l = pthread_join(ids[1], 0) & 3;",
        "if (ids[2] && #c) l = pthread_join(ids[2], 0) & 3;",
        "l = pthread_join(pthread_self(), 0) & 3;",
        "if (#c) l = pthread_detach(pthread_self()) & 3;",
        "if (ids[1] && #c) l = pthread_detach(ids[1]) & 3;",
    ],
    values: &["(ids[1] != 0)", "(ids[#k] == pthread_self())", "(self == ids[2])"],
    ..NOTHING
};

/// Signed numbers close to their limits: an operation more or less, in this order or another, and
/// one of them overflows.
/// Jumps back into the function, of which no local but `l` is not volatile.
pub const JUMPS: Feature = Feature {
    globals: "extern int setjmp(long *);\nextern void longjmp(long *, int) __attribute__((noreturn));\n\
              static __thread long context[40];\n\
              static void leap(int n) { if (n & 1) longjmp(context, n); }\n\
              static int leap_or(int n, int m) { leap(n); return m; }\n\
              static void (*leaps)(int) = leap;",
    blocking: &[
        "if (setjmp(context) == 0) {\n#s\nleap(#v);\n#s\n} else {\n#s\n}",
        "if (!setjmp(context)) {\n#t = leap_or(#v, #v);\n}",
        "switch (setjmp(context)) {\ncase 0:\nleaps(#v);\n#s\nbreak;\ncase 1:\n#s\nbreak;\n\
         default:\n#s\n}",
        "{\nvolatile int v#i = 0;\nif (setjmp(context) == 0) {\nv#i = #k;\nleap(#v);\n}\n#t = v#i;\n}",
    ],
    ..NOTHING
};

pub const LIMITS: Feature = Feature {
    globals: "int big = 2147483645, low = -2147483646;\nsigned char tiny = 126;\n\
              long long wide = 0x7ffffffffffffffdLL;\nint half = 46340;",
    plain: &[
        "big++;",
        "big += #k;",
        "big -= #v & 3;",
        "l = big + (#v & 3) & 3;",
        "low--;",
        "low += #k;",
        "big = -low - 1;",
        "l = -low == big;",
        "tiny++;",
        "tiny = -tiny;",
        "half++;",
        "l = half * half > 0;",
        "l = (half - #k) * (half + #k) & 3;",
        "half = 46339;",
        "l = low / (#v - 1) & 3;",
        "l = low % (x - 2) & 3;",
        "l = (#v & 3) << 29 + (#v & 1);",
        "l = 1 << (tiny & 31) & 3;",
        "l = 1 >> (y - 1) & 3;",
        "wide++;",
        "wide -= #k;",
        "l = (wide + (x & 3)) & 3;",
        "l = wide / 2 * #k > 3;",
        "wide = -wide;",
        "if (wide < 0) wide -= 2;",
        "x = (int)wide & 3;",
        "{\nint in#i = __VERIFIER_nondet_uchar();\nl = in#i << 24 >> 30;\n}",
        "{\nint in#i = __VERIFIER_nondet_uchar();\nif (in#i < 3) big += in#i;\n}",
        "{\nint *to#i = #c ? &big : &low;\n(*to#i)--;\n}",
        "if (big < 0) reach_error();",
    ],
    values: &["(big & 3)", "(low & 1)", "(big > 2147483645)", "(tiny < 0)", "(int)(wide & 3)"],
    ..NOTHING
};

/// Memory that begins and ends while others look at it.
pub const LIFETIMES: Feature = Feature {
    globals: "int *shared, *spare, *stack, table[2];",
    setup: "shared = malloc(sizeof *shared);\n*shared = #k;",
    plain: &[
        "*shared = #v;",
        "l = *shared;",
        "if (shared) *shared = #k;",
        "if (shared) l = *shared;",
        "{\nint *old#i = shared;\nshared = 0;\nfree(old#i);\n}",
        "if (#c) free(shared);",
        "spare = shared;",
        "if (spare) l = *spare;",
        "if (spare) {\nfree(spare);\nspare = 0;\n}",
        "{\nint *n#i = malloc(8);\nn#i[x & 1] = #v;\nl = n#i[x & 1];\nfree(n#i);\n}",
        "if (!spare) {\nspare = malloc(4);\n*spare = #k;\n}",
        "stack = &l;",
        "if (stack) *stack = #k;",
        "{\nint t#i = #k;\nstack = &t#i;\nl = t#i;\n}",
        "{\nint t#i = #k;\nstack = &t#i;\nl = *stack;\nstack = 0;\n}",
        "stack = 0;",
        "if (#c) stack = &mine;",
        "l = table[#v & 1];",
        "table[x & 3] = 1;",
        "if (#c) free(&x);",
        "if (#c) free(shared + 1);",
        "free(0);",
        "{\nint *n#i = malloc(4);\nif (#c) free(n#i);\n}",
        "{\nint **n#i = malloc(sizeof *n#i);\n*n#i = shared;\nif (*n#i) l = **n#i;\nfree(n#i);\n}",
    ],
    blocking: &[
        "__VERIFIER_atomic_begin();\nif (shared) *shared = #v;\n__VERIFIER_atomic_end();",
        "__VERIFIER_atomic_begin();\nfree(shared);\nshared = 0;\n__VERIFIER_atomic_end();",
        "{\n__VERIFIER_atomic_begin();\nint *mine#i = shared;\nshared = 0;\n\
         __VERIFIER_atomic_end();\nif (mine#i) l = *mine#i;\nfree(mine#i);\n}",
        "__VERIFIER_atomic_begin();\nif (!shared) {\nshared = malloc(4);\n*shared = #k;\n}\n\
         __VERIFIER_atomic_end();",
    ],
    values: &["(shared != 0)", "(spare == shared)", "table[x & 1]"],
    finish: "free(shared);\nshared = 0;",
    ..NOTHING
};

pub const FEATURES: [Feature; 12] = [
    // Integers of all widths.
    Feature {
        globals: "signed char c8 = -1;\nunsigned char u8 = 254;\nshort s16 = -2;\n\
                  unsigned u32 = 4294967295U;\nlong s64 = -1;\nunsigned long u64 = 5;\n_Bool flag;",
        plain: &[
            "c8 = #v - 2;",
            "u8 += #k;",
            "s16 = c8 * 3 + #v;",
            "u32 = (unsigned)u8 << 24 >> #k;",
            "s64 = s16 - (long)u32;",
            "u64 = (unsigned long)c8 >> 60;",
            "flag = u32;",
            "u32 = u32 * 5 + x;",
            "s16 = s16 / 2 - s16 % 3;",
            "c8 = ~u8 ^ #v;",
            "s64 = -(s64 + c8);",
            "u8 = c8 < u32;",
            "u64 += s16;",
            "u32 -= #v;",
            "c8 >>= 1;",
            "s64 <<= #k;",
            "if (s16 < c8 || u32 == u8 + 2) reach_error();",
            "if (s64 < -1 && flag) reach_error();",
        ],
        values: &[
            "(c8 & 3)",
            "(u8 >> 6)",
            "(s16 < 0)",
            "(u32 > 3)",
            "(s64 == -1)",
            "(int)(u64 & 3)",
            "flag",
            "(c8 < u8)",
            "(c8 < u32)",
            "(unsigned char)c8 % 4",
            "(s16 / 2)",
            "c8",
            "u8",
        ],
        targets: &["c8", "u8", "s16", "u32", "s64", "flag"],
        ..NOTHING
    },
    // Structs.
    Feature {
        globals: "struct pair { unsigned char tag; int n; short h[2]; unsigned bit : 3, more : 5; };\n\
                  struct pair sp = { 1, 2, { -1, 3 }, 5 }, sq;",
        plain: &[
            "sq = sp;",
            "sp.tag++;",
            "sp.h[y & 1] = sp.n;",
            "sp.bit = #v;",
            "sp.more += sp.bit;",
            "{\nstruct pair lp#i = sp;\nlp#i.n = #v;\nsq = lp#i;\n}",
            "{\nstruct pair *ps#i = #c ? &sp : &sq;\nps#i->n = #v;\nps#i->h[1] = ps#i->tag;\n}",
            "memset(&sq, #k, sizeof sq);",
            "memcpy(&sq, &sp, sizeof sp);",
            "put(&sq.n, #v);",
        ],
        values: &["sp.n", "sq.n", "sp.tag", "sq.h[1]", "sp.h[x & 1]", "sp.bit", "sq.more"],
        targets: &["sp.n", "sq.n", "sq.h[0]", "sp.h[x & 1]", "sp.bit"],
        ..NOTHING
    },
    // One memory, several views.
    Feature {
        globals: "union { int i; unsigned char b[4]; short h[2]; } un = { 513 };",
        plain: &[
            "un.i = #v;",
            "un.b[#k] = #v;",
            "un.h[y & 1] = -1;",
            "un.b[x & 3]++;",
            "un.i += 255;",
            "((unsigned char *)&y)[1] = #k;",
            "*(short *)&x = #v;",
            "un.h[1] = un.h[0];",
            "{\nunsigned char *view#i = un.b + #k;\n*view#i = #v;\n}",
        ],
        values: &[
            "un.i",
            "un.b[0]",
            "un.b[#k]",
            "un.h[0]",
            "un.h[1]",
            "((unsigned char *)&x)[0]",
            "(un.i >> 8)",
            "un.b[y & 3]",
            "((unsigned char *)&y)[1]",
            "((signed char *)&x)[3]",
        ],
        targets: &["un.i", "un.b[1]", "un.h[1]"],
        ..NOTHING
    },
    // Arrays.
    Feature {
        globals: "int ar[3] = { 0, 1 };\nunsigned char ab[4] = \"abc\";\nstatic const int fix[2] = { 3, 1 };",
        plain: &[
            "ar[x & 1] = #v;",
            "ar[#v & 1] = ar[2];",
            "ar[2]++;",
            "ab[y & 3] = #v;",
            "for (int i#i = 0; i#i < 2; i#i++) ar[i#i] += #k;",
            "ar[ar[1] & 1] = #v;",
            "{\nint la#i[2] = { #v, #v };\nx = la#i[y & 1];\n}",
            "ar[__VERIFIER_nondet_bool()] = #v;",
            "{\nint *end#i = ar + 2;\nwhile (end#i != ar) *--end#i = #k;\n}",
            "ar[x & 3] = 1;",
        ],
        values: &["ar[y & 1]", "ar[2]", "ab[1]", "ab[x & 3]", "ar[(x + 1) & 1]", "fix[y & 1]"],
        targets: &["ar[0]", "ar[y & 1]", "ab[x & 3]", "ab[2]"],
        ..NOTHING
    },
    // Pointers.
    Feature {
        globals: "int z = 2, pa[2];\nint *p = &x, *q, **pp = &p;\nint *const fixed[2] = { &z, &y };",
        plain: &[
            "p = #c ? &x : &y;",
            "q = p;",
            "*p = #v;",
            "if (q) *q = #v;",
            "*q = 1;",
            "**pp = #v;",
            "pp = #c ? &p : &q;",
            "*pp = &z;",
            "p = &pa[x & 1];",
            "if (p == q) x = 3;",
            "put(p, #v);",
            "{\nint *lp#i = p;\n*lp#i = *lp#i + 1;\n}",
            "*fixed[y & 1] = #v;",
            "q = pa + #k % 2;",
            "{\nint *t#i = p;\np = q;\nq = t#i;\n}",
            "if (q == own) *q = #v;",
            "p = own;",
            "q = 0;",
            "l = (int)(q - pa) & 1;",
            "__atomic_store_n(&q, &z, 5);",
        ],
        values: &[
            "*p",
            "(q ? *q : 3)",
            "(p == &y)",
            "**pp",
            "get(p)",
            "pa[1]",
            "z",
            "*fixed[x & 1]",
            "!q",
        ],
        targets: &["*p", "**pp", "z", "pa[0]"],
        ..NOTHING
    },
    // The heap.
    Feature {
        globals: "struct cell { int v; struct cell *next; } *top;\nint *h, *g;",
        setup: "h = malloc(sizeof *h);\n*h = #k;",
        plain: &[
            "*h = #v;",
            "*h = #v;",
            "if (top) top->v = #v;",
            "if (top && top->next) x = top->next->v;",
            "{\nstruct cell *n#i = malloc(sizeof *n#i);\nn#i->v = #v;\nn#i->next = top;\ntop = n#i;\n}",
            "{\nstruct cell *n#i = top;\nif (n#i) {\ntop = n#i->next;\nx = n#i->v;\nfree(n#i);\n}\n}",
            "{\nint *n#i = malloc(sizeof(int));\n*n#i = #v;\nh = n#i;\n}",
            "if (g) g[x & 1] = #v;",
            "{\nint *n#i = calloc(2, 4);\nn#i[y & 1] = 3;\ng = n#i;\n}",
            "if (#c) h = &x;",
            "{\nint *n#i = malloc(4);\n*n#i = #v;\nl = *n#i;\nfree(n#i);\n}",
        ],
        values: &["*h", "(top ? top->v : 1)", "(g ? g[1] : 2)", "(h == &x)", "(g ? g[y & 1] : 0)"],
        targets: &["*h"],
        finish: "if (*h == #k) reach_error();\nif (h != &x) free(h);\nif (g && g[0] == 3 && #c) reach_error();",
        ..NOTHING
    },
    // Locks.
    Feature {
        globals: "pthread_mutex_t m0, m1, m2, rec;\npthread_rwlock_t rw;\npthread_spinlock_t sl;",
        setup: "pthread_mutexattr_t kind;\npthread_mutexattr_init(&kind);\n\
                pthread_mutexattr_settype(&kind, 1);\npthread_mutex_init(&rec, &kind);\n\
                pthread_spin_init(&sl, 0);",
        blocking: &[
            "pthread_mutex_lock(&m#d);\n#s\n#s\npthread_mutex_unlock(&m#d);",
            "pthread_mutex_lock(&m#d);\n#t = (#t + 1) & 3;\npthread_mutex_unlock(&m#d);",
            "pthread_mutex_lock(&m0);\n#a\npthread_mutex_unlock(&m0);",
            "if (pthread_mutex_trylock(&m#d) == 0) {\n#s\npthread_mutex_unlock(&m#d);\n}",
            "if (pthread_mutex_trylock(&rec)) {\n#s\n} else {\n#a\npthread_mutex_unlock(&rec);\n}",
            "pthread_mutex_lock(&rec);\n#a\npthread_mutex_lock(&rec);\n#a\n\
             pthread_mutex_unlock(&rec);\n#a\npthread_mutex_unlock(&rec);",
            "pthread_rwlock_rdlock(&rw);\n#a\npthread_rwlock_unlock(&rw);",
            "pthread_rwlock_wrlock(&rw);\n#a\npthread_rwlock_unlock(&rw);",
            "pthread_spin_lock(&sl);\n#a\npthread_spin_unlock(&sl);",
        ],
        ..NOTHING
    },
    // Atomic operations.
    Feature {
        globals: "_Atomic int ca;\n_Atomic unsigned char cb = 255;\nint at, pair[2];\nunsigned char tas;",
        plain: &[
            "ca++;",
            "ca = #v;",
            "cb += #k;",
            "l = ca--;",
            "__atomic_fetch_add(&at, #k, 5);",
            "l = __sync_fetch_and_or(&at, #k);",
            "l = __atomic_exchange_n(&at, #v, 4);",
            "if (__sync_bool_compare_and_swap(&at, #k, #v)) x = #k;",
            "__atomic_store_n(&at, #v, 3);",
            "{\nint e#i = #k;\nif (__atomic_compare_exchange_n(&at, &e#i, #v, 0, 5, 0)) x = e#i;\n}",
            "{\nint e#i = ca;\n__atomic_compare_exchange_n(&ca, &e#i, e#i + 1, 0, 5, 5);\n}",
            "l = __sync_val_compare_and_swap(&at, 0, 1);",
            "cb ^= ca;",
            "__atomic_nand_fetch(&at, #k, 5);",
            "l = __atomic_test_and_set(&tas, 5);",
            "__sync_synchronize();",
            "__c11_atomic_init(&ca, #v);",
            "{\nint e#i = #k;\nif (__atomic_compare_exchange_n(&at, &e#i, #v, 1, 5, 5)) x = e#i;\nelse l = e#i;\n}",
            "{\nint e#i = ca;\nif (!__atomic_compare_exchange_n(&ca, &e#i, e#i + 1, 1, 4, 2)) l = 3;\n}",
        ],
        blocking: &[
            "while (!__sync_bool_compare_and_swap(&at, 0, 1)) ;\n#a\n__atomic_store_n(&at, 0, 3);",
            "{\nint e#i = ca;\nwhile (!__atomic_compare_exchange_n(&ca, &e#i, e#i + 1, 1, 5, 5)) ;\n}",
            "{\nint e#i = #k;\nwhile (!__atomic_compare_exchange_n(&at, &e#i, (e#i + #v) & 3, 0, 5, 5)) ;\nx = e#i;\n}",
            "{\nint e#i;\ndo e#i = at; while (!__sync_bool_compare_and_swap(&at, e#i, e#i ^ #v));\n}",
            "while (ca == #k) ;",
            "{\nint e#i = at;\nwhile (!__atomic_compare_exchange_n(&at, &e#i, #k, 1, 5, 5)) l++;\n}",
            "{\nint e#i;\ndo {\ne#i = ca;\npair[0] = e#i;\n} while (!__atomic_compare_exchange_n(&ca, &e#i, e#i ^ 1, 1, 5, 5));\n}",
        ],
        values: &["ca", "cb", "__atomic_load_n(&at, 2)", "(cb & 3)", "tas"],
        targets: &["ca", "cb"],
        ..NOTHING
    },
    // Waiting for others.
    Feature {
        globals: "pthread_mutex_t cm;\npthread_cond_t cv;\nsem_t sem;\npthread_barrier_t bar;\nint ready;",
        setup: "sem_init(&sem, 0, #k % 2);\npthread_barrier_init(&bar, 0, 2);",
        blocking: &[
            "pthread_mutex_lock(&cm);\nwhile (!ready) pthread_cond_wait(&cv, &cm);\n#a\npthread_mutex_unlock(&cm);",
            "pthread_mutex_lock(&cm);\nif (!ready) pthread_cond_wait(&cv, &cm);\n#a\npthread_mutex_unlock(&cm);",
            "pthread_mutex_lock(&cm);\nready = #v;\npthread_cond_signal(&cv);\n#a\npthread_mutex_unlock(&cm);",
            "pthread_mutex_lock(&cm);\nready++;\n#a\npthread_mutex_unlock(&cm);\npthread_cond_broadcast(&cv);",
            "sem_wait(&sem);\n#a\nsem_post(&sem);",
            "sem_post(&sem);",
            "sem_wait(&sem);",
            "if (sem_trywait(&sem) == 0) {\n#a\n}",
            "pthread_barrier_wait(&bar);",
            "if (pthread_barrier_wait(&bar)) {\n#a\n}",
        ],
        values: &["ready"],
        ..NOTHING
    },
    // Functions and their locals.
    Feature {
        globals: "static int twice(int *a, int n) {\nint t = *a;\n*a = t + n;\nif (n > 1) return t;\n*a += n;\nreturn *a;\n}\n\
                  static int pick(int n) {\nif (n > 1) return pick(n - 1);\nreturn n ? x : y;\n}\n\
                  static int (*ops[2])(int *, int) = { twice, twice };\nint *leak;",
        plain: &[
            "l = twice(&x, #k);",
            "twice(own, #k);",
            "l = pick(#v & 1);",
            "l = ops[y & 1](&y, 1);",
            "{\nint t#i = #v;\ntwice(&t#i, 1);\ny = t#i;\n}",
            "leak = &l;",
            "if (leak == own) *leak = #k;",
            "if (leak) l = *leak;",
            "l = twice(&x, 1) + twice(&y, #k);",
            "l = twice(&x, #k) - pick(1);",
            "l = (pick(1) << 1) + twice(own, 1) == #k;",
            "put(&l, pick(#k) + twice(&y, 2));",
        ],
        values: &["twice(&y, 1)", "pick(1)", "(leak ? 1 : 0)"],
        ..NOTHING
    },
    // Bit-fields, alone and as neighbours, and copies of what they are in.
    Feature {
        globals: "struct fields { unsigned a : 3, b : 8; unsigned : 0; int c : 5; char d; int e : 20, f : 30; } bf, bg = { 1, 2, 3, 4, 5, 6 };",
        plain: &[
            "bf.a = #v;",
            "bf.b++;",
            "bf.c = bf.b;",
            "bf.d = #v;",
            "bf.e += #k;",
            "bf.f = bf.e;",
            "bg = bf;",
            "bf = bg;",
            "{\nstruct fields s#i = bf;\ns#i.f = #v;\nbg = s#i;\n}",
            "{\nstruct fields *s#i = #c ? &bf : &bg;\ns#i->b = #v;\n}",
            "memcpy(&bg, &bf, sizeof bf);",
        ],
        values: &["bf.a", "bf.b", "(bf.c & 3)", "bf.d", "(bg.e & 3)", "(bg.f & 3)"],
        targets: &["bf.a", "bf.c", "bf.d", "bg.e"],
        ..NOTHING
    },
    // Functions of the library.
    Feature {
        globals: "typedef unsigned pthread_key_t;\ntypedef int pthread_once_t;\n\
                  extern int pthread_key_create(pthread_key_t *, void (*)(void *));\n\
                  extern int pthread_setspecific(pthread_key_t, const void *);\n\
                  extern void *pthread_getspecific(pthread_key_t);\n\
                  extern int pthread_once(pthread_once_t *, void (*)(void));\n\
                  extern int pthread_detach(pthread_t);\n\
                  extern int printf(const char *, ...);\nextern int snprintf(char *, unsigned long, const char *, ...);\n\
                  extern unsigned long strlen(const char *);\nextern int strcmp(const char *, const char *);\n\
                  extern char *strcpy(char *, const char *);\nextern char *strchr(const char *, int);\n\
                  extern int memcmp(const void *, const void *, unsigned long);\n\
                  extern void *memmove(void *, const void *, unsigned long);\n\
                  extern int abs(int);\nextern int atoi(const char *);\nextern int sched_yield(void);\n\
                  char text[4] = \"ab\", word[4] = \"a\";\npthread_key_t key;\npthread_once_t once;\nint begun;\n\
                  static void begin(void) { begun++; }",
        setup: "pthread_key_create(&key, 0);",
        plain: &[
            "text[#k % 3] = 'a' + #k;",
            "l = strlen(text);",
            "l = strcmp(text, word) == 0;",
            "strcpy(text, word);",
            "l = strchr(text, 'a') != 0;",
            "memcpy(text, word, #k);",
            "memmove(text, text + 1, 3);",
            "memset(word, 'b', #k % 3);",
            "l = memcmp(text, word, 2) == 0;",
            "printf(\"%d %s\", #v, text);",
            "snprintf(word, 4, \"%d\", #k);",
            "l = abs(#v);",
            "l = atoi(word);",
            "pthread_setspecific(key, own);",
            "l = pthread_getspecific(key) == own;",
        ],
        blocking: &["pthread_once(&once, begin);", "sched_yield();"],
        values: &["begun", "text[0]", "word[1]", "(pthread_getspecific(key) != 0)"],
        targets: &["text[1]", "word[0]"],
        ..NOTHING
    },
];
