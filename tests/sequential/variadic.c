#include <stdarg.h>
void out(long long);
struct pair { int a; long long b; };
struct small { char c; };
static long long sum(int n, ...) {
    va_list l;
    long long s = 0;
    va_start(l, n);
    while (n--)
        s = s * 10 + va_arg(l, int);
    va_end(l);
    return s;
}
static void each(const char *kinds, va_list l) {
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': out(va_arg(l, int)); break;
        case 'u': out(va_arg(l, unsigned)); break;
        case 'l': out(va_arg(l, long)); break;
        case 'L': out(va_arg(l, long long)); break;
        case 'd': out((long long)(va_arg(l, double) * 4)); break;
        case 's': out(va_arg(l, const char *)[1]); break;
        case 'p': { struct pair p = va_arg(l, struct pair); out(p.a); out(p.b); break; }
        case 'c': out(va_arg(l, struct small).c); break;
        case 'f': out(va_arg(l, int (*)(int))(20)); break;
        }
    }
}
static void all(const char *kinds, ...) {
    va_list l, m;
    va_start(l, kinds);
    va_copy(m, l);
    each(kinds, l);
    va_end(l);
    each(kinds, m);
    va_end(m);
}
static int two(int n, ...) {
    va_list l;
    va_start(l, n);
    int a = va_arg(l, int);
    va_end(l);
    va_start(l, n);
    int b = va_arg(l, int);
    va_end(l);
    return a * 100 + b;
}
static struct pair made(int n, ...) {
    va_list l;
    va_start(l, n);
    struct pair p = { va_arg(l, int), n };
    va_end(l);
    return p;
}
static int twice(int x) { return 2 * x; }
static int depth(int n, ...) {
    va_list l;
    va_start(l, n);
    int x = va_arg(l, int);
    int r = n ? depth(n - 1, x + n) + x : x;
    va_end(l);
    return r;
}
int main(void) {
    struct pair p = { 7, -8 };
    struct small c = { 'x' };
    long long (*q)(int, ...) = sum;
    out(sum(0));
    out(sum(3, 1, 2, 3));
    out(q(4, 4, 3, 2, 1));
    for (int i = 0; i < 3; i++)
        out(sum(i, i + 1, i + 2));
    all("iulLdspcf", (char)-3, 4000000000u, -5L, 6LL << 40, 1.25f, "abc", p, c, twice);
    out(two(1, 42));
    out(made(9, 5).a + made(9, 5).b);
    struct pair (*m)(int, ...) = made;
    out(m(3, 4).b);
    out(depth(4, 1));
    return 0;
}
