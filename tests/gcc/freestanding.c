// The same for a 32-bit program where the compiler can make one but has no 32-bit C library (i386
// Linux): the start-up code, `out`, and the few library and compiler-support functions in use.
// Simple on purpose; speed does not matter here.
typedef unsigned long long u64;
typedef __SIZE_TYPE__ size_t;

int main();
static void sys(int number, int a, const void *b, int c) {
    __asm__ volatile("int $0x80" : : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
}
void exit(int code) {
    for (;;)
        sys(1, code, 0, 0);
}
__attribute__((used)) void start(void) { exit(main()); }
__asm__(".globl _start\n_start:\n\tandl $-16, %esp\n\tcall start");

static u64 divide(u64 a, u64 b, u64 *rest) {
    u64 q = 0, r = 0;
    for (int i = 63; i >= 0; i--) {
        int carry = (int)(r >> 63);
        r = r << 1 | (a >> i & 1);
        if (carry || r >= b) {
            r -= b;
            q |= 1ull << i;
        }
    }
    *rest = r;
    return q;
}
u64 __udivdi3(u64 a, u64 b) { u64 r; return divide(a, b, &r); }
u64 __umoddi3(u64 a, u64 b) { u64 r; divide(a, b, &r); return r; }
static u64 magnitude(long long x) { return x < 0 ? -(u64)x : (u64)x; }
long long __divdi3(long long a, long long b) {
    u64 q = __udivdi3(magnitude(a), magnitude(b));
    return (a < 0) != (b < 0) ? -q : q;
}
long long __moddi3(long long a, long long b) {
    u64 r = __umoddi3(magnitude(a), magnitude(b));
    return a < 0 ? -r : r;
}
u64 __fixunsdfdi(double x) {
    const double half = 9223372036854775808.0;
    return x < half ? (u64)(long long)x : (u64)(long long)(x - half) + (1ull << 63);
}
u64 __fixunssfdi(float x) { return __fixunsdfdi(x); }
int __popcountdi2(u64 x) { int n = 0; for (; x; x &= x - 1) n++; return n; }
int __popcountsi2(unsigned x) { return __popcountdi2(x); }
int __paritysi2(unsigned x) { return __popcountdi2(x) & 1; }
int __clzdi2(u64 x) { int n = 0; while (!(x >> 63)) { x <<= 1; n++; } return n; }
int __ctzdi2(u64 x) { int n = 0; while (!(x & 1)) { x >>= 1; n++; } return n; }
int __ffsdi2(u64 x) { return x ? __ctzdi2(x) + 1 : 0; }

void out(long long value) {
    char text[24], *p = text + sizeof text;
    u64 rest, m = magnitude(value);
    *--p = '\n';
    do {
        m = divide(m, 10, &rest);
        *--p = '0' + (int)rest;
    } while (m);
    if (value < 0)
        *--p = '-';
    sys(4, 1, p, text + sizeof text - p);
}

void *memset(void *d, int c, size_t n) { char *p = d; while (n--) *p++ = c; return d; }
void *memmove(void *d, const void *s, size_t n) {
    char *p = d;
    const char *q = s;
    if (p < q)
        while (n--) *p++ = *q++;
    else
        while (n--) p[n] = q[n];
    return d;
}
void *memcpy(void *d, const void *s, size_t n) { return memmove(d, s, n); }
int memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *p = a, *q = b;
    for (; n--; p++, q++)
        if (*p != *q) return *p - *q;
    return 0;
}
void *memchr(const void *s, int c, size_t n) {
    for (unsigned char *p = (unsigned char *)s; n--; p++)
        if (*p == (unsigned char)c) return p;
    return 0;
}
size_t strlen(const char *s) { size_t n = 0; while (s[n]) n++; return n; }
int strncmp(const char *a, const char *b, size_t n) {
    for (; n--; a++, b++)
        if (*a != *b || !*a) return (unsigned char)*a - (unsigned char)*b;
    return 0;
}
int strcmp(const char *a, const char *b) { return strncmp(a, b, -1); }
char *strcpy(char *d, const char *s) { return memcpy(d, s, strlen(s) + 1); }
char *strncpy(char *d, const char *s, size_t n) {
    for (char *p = d; n--; p++) *p = *s ? *s++ : 0;
    return d;
}
char *strcat(char *d, const char *s) { strcpy(d + strlen(d), s); return d; }
char *strchr(const char *s, int c) {
    for (;; s++) {
        if (*s == (char)c) return (char *)s;
        if (!*s) return 0;
    }
}
char *strrchr(const char *s, int c) {
    char *last = 0;
    for (;; s++) {
        if (*s == (char)c) last = (char *)s;
        if (!*s) return last;
    }
}
char *strstr(const char *s, const char *t) {
    for (; *s; s++)
        if (!strncmp(s, t, strlen(t))) return (char *)s;
    return *t ? 0 : (char *)s;
}

static char heap[1 << 16] __attribute__((aligned(16)));
static size_t used;
void *malloc(size_t n) { void *p = heap + used; used += (n + 15) & ~15u; return p; }
void *calloc(size_t n, size_t m) { return memset(malloc(n * m), 0, n * m); }
void *realloc(void *p, size_t n) {
    void *q = malloc(n);
    return p ? memmove(q, p, n) : q;
}
void free(void *p) { (void)p; }
