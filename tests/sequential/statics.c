void out(long long);
static int counter(void) { static int n = 10; static int *p = &n; return (*p)++; }
static int next(int reset) { static unsigned char c; if (reset) c = 254; return c++; }
extern int later;
static int use(void) { return later * 2; }
int later = 21;
int tentative;
int tentative;
static int shadow = 1;
static int f(int shadow) { { extern int later; int shadow = later; return shadow; } }
int main(void) {
    out(counter()); out(counter()); out(counter());
    out(next(0)); out(next(1)); out(next(0)); out(next(0));
    out(use()); out(tentative); out(f(3)); out(shadow);
    for (int i = 0; i < 3; i++) { static int s = 5; int a = 5; s += i; a += i; out(s * 100 + a); }
    return 0;
}
