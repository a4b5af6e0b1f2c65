void out(long long);
static int f(long long x) {
    int r = 0;
    switch (x) {
    case -1: r = 1;
    case 3: r += 2; break;
    case 5 ... 7: r = 50;
    default: r += 7;
    case 100: { int y = r; r = y + 1; } break;
    case 4294967296ll: return 99;
    }
    return r;
}
static int g(unsigned char c) {
    switch (c) { case 255: return 1; case 'a': case 'b': return 2; }
    return 3;
}
static int h(int n) {
    int count = 0;
    switch (n % 4) {
    case 0: do { count += 1;
    case 3: count += 10;
    case 2: count += 100;
    case 1: count += 1000;
        } while ((n -= 4) > 0);
    }
    return count;
}
int main(void) {
    for (int i = -2; i < 10; i++) out(f(i));
    out(f(100)); out(f(4294967296ll)); out(f(4294967299ll));
    out(g(-1)); out(g('b')); out(g(0));
    for (int i = 1; i < 9; i++) out(h(i));
    switch (1) { out(1); }
    switch (2) case 2: out(2);
    for (int i = 0; i < 4; i++) { switch (i) { case 1: continue; case 3: break; } out(i); }
    return 0;
}
