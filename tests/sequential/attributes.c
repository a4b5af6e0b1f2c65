#include <stddef.h>
void out(long long);

/* Alignments of typedefs, records, members and variables. */
typedef struct { int a; } cacheline __attribute__((aligned(64)));
typedef int loose __attribute__((aligned(1)));
typedef __attribute__((aligned(32))) struct { int a; } before;
struct m { char c; loose i; };
struct n { char c; cacheline t; };
struct o { char c; before b; };
__attribute__((aligned(32))) struct r { int a; } rr;
struct u { char c; int a; } uu __attribute__((packed));
struct al0 { char c; } __attribute__((aligned));
struct pk { char c; cacheline t; } __attribute__((packed));
struct pm { char c; int i __attribute__((packed)); short s; };
struct __attribute__((packed, aligned(4))) pa { char c; short s; char d; };
struct both { char c; _Alignas(16) int i; };

/* Packing. */
#pragma pack(push, 2)
struct p { char c; int i; int j __attribute__((aligned(8))); };
struct pb { char c; int i : 5; long long l : 33; char d; };
#pragma pack(push, 4)
struct p4 { char c; double d; struct { char x; long long y; } in; };
#pragma pack(pop)
struct p2 { char c; double d; };
#pragma pack(pop)
struct p0 { char c; double d; };
#pragma pack(1)
struct q { char c; struct n n; cacheline t; };
struct qb { char c; int i : 5; int k : 20; int : 0; char d; };
#pragma pack()
struct q0 { char c; int i; };
_Pragma("pack(1)") struct q1 { char c; int i; };
_Pragma("pack()")

/* Enumerations and modes. */
enum __attribute__((packed)) e1 { A, B };
enum e2 { C = 300 } __attribute__((packed));
enum e3 { D = -1, E = 200 } __attribute__((packed));
enum e4 { F = 255 } __attribute__((__packed__));
enum e5 { G, H };
typedef int qi __attribute__((mode(QI)));
typedef unsigned udi __attribute__((__mode__(__DI__)));
int __attribute__((mode(word))) w;
unsigned int hi __attribute__((mode(HI)));
typedef float df __attribute__((mode(DF)));
struct modes { qi a; int b __attribute__((mode(HI))); int __attribute__((mode(DI))) c; enum e1 e; };

/* C23 says it in brackets. */
struct [[gnu::packed]] b1 { char c; int i; };
struct [[gnu::packed, gnu::aligned(2)]] b2 { char c; int i; };

/* Attributes wherever they may stand. */
static __attribute__((unused)) int before_type;
int __attribute__((unused)) between, another __attribute__((aligned(16)));
static int (__attribute__((unused)) *pointer)(int);
int * __attribute__((unused)) behind_star;
static inline __attribute__((always_inline)) int
f(int a __attribute__((unused)), __attribute__((unused)) int b, int (*c)(int) __attribute__((unused))) {
    int x __attribute__((unused)) = (__typeof__(int) __attribute__((unused)))3;
    switch (a) {
    case 1: b++; __attribute__((fallthrough));
    case 2: b++;
    }
    goto end;
end: __attribute__((unused))
    return b + x;
}
enum with { V1 __attribute__((deprecated)) = 4, V2 __attribute__((unused)) };

/* Unions that take their members' values. */
typedef union { int *ip; const char *cp; long l; } any __attribute__((transparent_union));
union named { int *ip; void *vp; } __attribute__((transparent_union));
static long take(any x) { return x.l; }
static int follow(union named x) { return *x.ip; }

/* Other names. */
static int original(int x) { return x + 1; }
int other(int x) __attribute__((alias("original")));
int number = 5;
extern int same_number __attribute__((alias("number")));
int __attribute__((weak)) maybe(void) { return 7; }

int main(void) {
    out(sizeof(cacheline)); out(_Alignof(cacheline)); out(sizeof(struct m)); out(sizeof(struct n));
    out(sizeof(struct o)); out(sizeof(before)); out(_Alignof(before));
    out(sizeof(struct r)); out(_Alignof(struct r)); out(sizeof(struct u));
    out(sizeof(struct al0)); out(sizeof(struct pk)); out(sizeof(struct pm)); out(sizeof(struct pa));
    out(sizeof(struct both)); out(offsetof(struct both, i));
    out(sizeof(struct p)); out(sizeof(struct pb)); out(sizeof(struct p4)); out(sizeof(struct p2));
    out(sizeof(struct p0)); out(sizeof(struct q)); out(sizeof(struct qb)); out(_Alignof(struct q));
    out(sizeof(struct q0)); out(sizeof(struct q1)); out(offsetof(struct p4, in.y));
    out(sizeof(enum e1)); out(sizeof(enum e2)); out(sizeof(enum e3)); out(sizeof(enum e4));
    out((enum e3)-1 < 0); out((enum e1)-1 > 0); out(sizeof(enum e5));
    out(sizeof(qi)); out((qi)200); out(sizeof(udi)); out((udi)-1 > 0); out(sizeof w == sizeof(long));
    out(sizeof hi); out(sizeof(df)); out(sizeof(struct modes)); out(offsetof(struct modes, e));
    out(sizeof(struct b1)); out(sizeof(struct b2));
    out(f(1, 2, 0)); out(V2);
    int x = 9;
    out(take((long)12)); out(take(&x) == (long)&x); out(follow(&x)); out(follow((void *)&x));
    union named made = {&x};
    out(follow(made));
    out(other(3)); out(other == original); same_number++; out(number); out(&same_number == &number);
    out(maybe());
    return 3;
}
