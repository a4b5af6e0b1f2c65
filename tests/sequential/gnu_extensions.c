void out(long long);
#define max(a, b) ({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
#define kind(x) _Generic((x), char: 1, short: 2, int: 3, unsigned: 4, long: 5, long long: 6, float: 7, double: 8, char *: 9, default: 10)
static inline __attribute__((always_inline)) int sq(int x) { return x * x; }
int main(void) {
    int i = 3;
    out(max(i++, 2)); out(i); out(max(2.5, 1) * 10);
    __auto_type u = 3000000000u;
    out(u); out(sizeof u);
    typeof(int[3]) arr = {1, 2, 3};
    out(arr[2]); out(sizeof arr);
    char c = 1; short s = 2;
    out(kind(c)); out(kind(s)); out(kind(c + s)); out(kind(1u)); out(kind(1l)); out(kind(1ll));
    out(kind(1.0f)); out(kind("x")); out(kind(&i)); out(kind((char)1)); out(kind('a')); out(kind(1.0f + 1));
    out(sq(({ int t = i; t += 1; t; })));
    out(__builtin_expect(i == 4, 1));
    out(__alignof__(int));
    out(__builtin_types_compatible_p(int, unsigned));
    out(__builtin_types_compatible_p(long, long int));
    out(__builtin_choose_expr(1, 5, "x"));
    out(__builtin_constant_p(5));
    out(__builtin_popcount(0xf0f0)); out(__builtin_clz(1)); out(__builtin_ctz(8)); out(__builtin_ffs(0)); out(__builtin_parity(7));
    out(__builtin_bswap32(0x01020304)); out(__builtin_popcountll(-1ll)); out(__builtin_clzll(1)); out(__builtin_ctzll(1ull << 40));
    out(__builtin_bswap16(0x0102)); out(__builtin_bswap64(1) < 0 || 1);
    return 0;
}
