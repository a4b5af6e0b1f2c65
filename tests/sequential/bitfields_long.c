/* Many bit-fields in one memory location, with initial values. */
void out(long long);
struct many { unsigned long long a : 60, b : 60, c : 60, d : 60, e : 60, f : 60; };
struct many g = {1, 2, 3, 4, 5, 6};
struct mixed { unsigned a : 3, : 2, b : 5; int c : 4; unsigned : 0; signed d : 1; _Bool e : 1; unsigned long long f : 40; };
struct mixed h = {7, 31, -3, .d = -1, .e = 1, .f = 0xffffffffffULL};
int main(void) {
    out(g.a); out(g.b); out(g.c); out(g.d); out(g.e); out(g.f);
    g.f = 77; out(g.f); out(g.e);
    out(h.a); out(h.b); out(h.c); out(h.d); out(h.e); out(h.f);
    struct mixed copy = h; copy.f += 1; out(copy.f); out(copy.e); out(h.f);
    return 0;
}
