void out(long long);
struct in { short a; char b; };
struct out_ { struct in x[2]; struct in *p; long long n; };
static struct in make(int a, int b) { struct in r = {a, b}; return r; }
static struct out_ wrap(struct in i, struct in j, int n) { return (struct out_){{i, j}, 0, n}; }
static int sum(struct out_ o) { o.x[0].a++; return o.x[0].a + o.x[0].b + o.x[1].a + o.x[1].b + o.n; }
static struct big { char data[40]; int n; } fill(char c) { struct big b; for (b.n = 0; b.n < 40; b.n++) b.data[b.n] = c + b.n; return b; }
int main(void) {
    struct out_ o = wrap(make(1, 2), make(70000, 300), -9), q;
    out(o.x[1].a); out(o.x[1].b); out(sum(o)); out(o.x[0].a);
    q = o;
    q.p = &q.x[1];
    q.p->a = 5;
    out(o.x[1].a); out(q.x[1].a); out((*q.p).a);
    o = q;
    o.p->b = 'k';
    out(q.x[1].b); out(o.x[1].b);
    out(make(3, 4).a + make(3, 4).b);
    out(fill('a').data[5]); out(fill('a').n);
    struct big b = fill('b');
    out(b.data[39]);
    out((o.n ? make(8, 1) : make(9, 1)).a);
    struct { int a; struct { int b, c; }; } anon = {1, {2, 3}};
    out(anon.b * 10 + anon.c);
    struct in a2[2] = {{1, 2}, {3, 4}}, t;
    t = a2[0]; a2[0] = a2[1]; a2[1] = t;
    out(a2[0].a * 1000 + a2[1].b);
    return 0;
}
