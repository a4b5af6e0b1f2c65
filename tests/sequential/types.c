#include <stddef.h>
#include <stdarg.h>
void out(long long);

#define KIND(e) _Generic((e), char: 1, signed char: 2, unsigned char: 3, short: 4, unsigned short: 5, \
    int: 6, unsigned: 7, long: 8, unsigned long: 9, long long: 10, unsigned long long: 11, _Bool: 12, \
    float: 13, double: 14, char *: 15, const char *: 16, int *: 17, const int *: 18, void *: 19, \
    const void *: 20, volatile int *: 21, int (*)(int): 22, int **: 23, int *const *: 24, default: 0)
#define SAME(a, b) __builtin_types_compatible_p(a, b)

enum small { S1, S2 };
enum signed_one { M = -1 };
enum large { L1 = 0x100000000ll, L2 = 3 };
enum edge { U = 0x80000000 };
struct bits { unsigned u3 : 3; int i5 : 5; unsigned u32 : 32; _Bool b : 1; long long l40 : 40;
              unsigned long long ul40 : 40; unsigned char c4 : 4; };
static int twice(int x) { return 2 * x; }
static int counter;
static int next(void) { return ++counter; }
static int sized(int a[static 3]) { return sizeof a == sizeof(int *); }
extern int tentative[];
int tentative[];
int tentative[3];
static int base[4];
static int *third = base + 2;
static ptrdiff_t difference = (char *)&base[3] - (char *)&base[1];
struct flexible { int n; short rest[]; };
static struct flexible flex = {2, {7, 8}};
struct anonymous { int a; union { int b; struct { short lo, hi; }; }; };

int main(void) {
    const int ci = 1;
    volatile int vi = 1;
    int *const pc = 0;
    const int *cp = &ci;
    char array[3];
    const char carray[3] = "ab";
    /* Lvalue conversion, decay, qualifiers behind pointers. */
    out(KIND(ci)); out(KIND(vi)); out(KIND(pc)); out(KIND(cp)); out(KIND(&ci)); out(KIND(&vi));
    out(KIND(array)); out(KIND(carray)); out(KIND("x")); out(KIND(twice)); out(KIND(&pc));
    out(KIND((char)1)); out(KIND((signed char)1)); out(KIND((unsigned char)1)); out(KIND(array[0]));
    out(KIND((const int)1)); out(KIND(&carray[1])); out(KIND(&array[1])); out(KIND((const void *)0));
    out(_Generic(ci, const int: 1, default: 2)); out(_Generic(&array, char (*)[3]: 1, default: 2));
    /* Integer constants and characters. */
    out(KIND('a')); out(sizeof('a')); out(sizeof(L'a')); out(sizeof(u'a')); out(sizeof(U'a'));
    out(L'a' - L'b' < 0); out(u'\xffff' > 0); out(U'\xffffffff' > 0); out('\xff'); out('ab'); out('\377');
    out(sizeof("ab")); out(sizeof(L"ab")); out(sizeof(u"ab")); out(sizeof(U"ab")); out(sizeof(u8"ab"));
    out(sizeof("a" u"b")); out(sizeof(L"a" "b")); out(KIND(u8"a"[0])); out(KIND(u"a"[0])); out(KIND(U"a"[0]));
    out(KIND(1)); out(KIND(1u)); out(KIND(1l)); out(KIND(1ul)); out(KIND(1ll)); out(KIND(1ull));
    out(KIND(0x7fffffff)); out(KIND(0x80000000)); out(KIND(2147483648)); out(KIND(0xffffffffffffffff));
    out(KIND(020000000000)); out(KIND(0b11)); out(KIND(1.0f)); out(KIND(1.0)); out(KIND(1 == 1));
    out(KIND(sizeof 1)); out(KIND((char *)0 - (char *)0)); out(KIND(S1)); out(KIND((enum small)0));
    out(KIND((enum signed_one)0)); out(KIND(L1)); out(KIND(L2)); out(KIND(U)); out(sizeof(enum large));
    /* Compatible types. */
    out(SAME(const int, int)); out(SAME(int *, const int *)); out(SAME(int[3], int[])); out(SAME(int[3], int[4]));
    out(SAME(char, signed char)); out(SAME(char, unsigned char)); out(SAME(int, signed)); out(SAME(long, long long));
    out(SAME(int (*)(int), int (*)(const int))); out(SAME(int (*)(), int (*)(int))); out(SAME(int (*)(int), int (*)(long)));
    out(SAME(__typeof__(ci), int)); out(SAME(enum small, unsigned)); out(SAME(unsigned long, size_t));
    out(SAME(char *const, char *)); out(SAME(const char *, char *)); out(SAME(int *restrict, int *));
    out(__builtin_choose_expr(SAME(int, int), 1, "no"));
    __auto_type copied = ci;
    copied++;
    out(copied); out(KIND(copied)); out(KIND(&copied));
    /* Bit-fields. */
    struct bits b = {7, -1, 0xffffffff, 1, -1, -1, 15};
    out(KIND(b.u3 + 0)); out(b.u3 - 8 < 0); out(KIND(+b.u32)); out(b.u32 - 1 > 0); out(KIND(b.b + 0)); out(b.i5 < 0);
    out(b.l40 < 0); out(b.ul40 > 0); out((b.ul40 + 1ll) == 0); out(KIND(b.c4 + 0)); out(b.u3++); out(b.u3); out(b.c4 += 3);
    out(b.i5 = 20); out(b.b = 4); out(sizeof(struct bits)); out(~b.u3 < 0); out(-b.u3); out((b.u3 = 9, b.u3 << 1));
    /* Narrow types in compound assignments, conversions to _Bool. */
    unsigned char uc = 250; uc += 10; out(uc); uc >>= 1; out(uc); uc = -uc; out(uc);
    signed char sc = 127; sc++; out(sc); short sh = 1; sh <<= 15; out(sh); sh *= 2; out(sh);
    _Bool bo = 0.25; out(bo); bo = (void *)&bo; out(bo); bo += 3; out(bo); bo--; out(bo); bo = 256; out(bo); out(KIND(bo + bo));
    uc = 3.99; out(uc); out((int)-0.5); unsigned ui = 1; out(-ui > 0); out((-1 >> 1) == -1); out(-1 < 1u); out(-1l < 1u);
    /* Conditionals and commas. */
    out(KIND(1 ? &ci : (int *)0)); out(KIND(1 ? (void *)0 : &ci)); out(KIND(0 ? &vi : (int *)0)); out(KIND(1 ? cp : (void *)pc));
    out(KIND(1 ? (char)1 : (char)2)); out(KIND(1 ? 1 : 2.0)); out(KIND(1 ? 1u : -1)); out((1 ? -1 : 1u) > 0);
    out(KIND((0, ci))); out(sizeof((0, array))); out(KIND((uc, sc))); out(KIND(-uc)); out(KIND(uc++)); out(KIND(uc += 1l));
    /* What sizeof evaluates. */
    int n = 3;
    out(sizeof(int[n++])); out(n); out(sizeof n++); out(n); int vla[n][2]; out(sizeof vla); out(sizeof vla[0]); out(sizeof vla / sizeof *vla);
    out(sizeof(next())); out(counter); out(sized(tentative));
    /* Initialisers. */
    int over[4] = {[1] = 5, 6, [0] = 1, [3] = next(), [3] = 9};
    out(over[0]); out(over[1]); out(over[2]); out(over[3]);
    out(sizeof tentative); out(third - base); out(difference); out(sizeof flex); out(flex.rest[1]);
    struct anonymous an = {1, {.hi = 2}}; out(an.hi); out(an.lo); out(an.b);
    char text[2] = "abc"; out(text[1]); char full[] = {"xyz"}; out(sizeof full); char esc[] = "\x41\102\n\0z"; out(sizeof esc); out(esc[1]);
    { extern int tentative[]; tentative[1] = 4; } out(tentative[1]);
    out(_Alignof(char[5])); out(_Alignof(struct bits)); out(_Alignof(long double) >= 4); out(offsetof(struct anonymous, hi));
    return 0;
}
