void out(long long);
static int n;
static int t(int x) { n = n * 10 + x; return x; }
int main(void) {
    out(t(1) && t(0) && t(2)); out(n); n = 0;
    out(t(0) || t(3) || t(4)); out(n); n = 0;
    out(!t(0) && (t(5), t(0))); out(n); n = 0;
    out(t(1) ? t(2) : t(3)); out(n);
    out(!5); out(!!5); out(!0.0); out(!(void *)0); out(~0); out(~0u); out(~0ull == -1);
    out(1 < 2 < 3); out(3 > 2 > 1); out(1 == 1 == 1); out(-1 < 0u); out(5 & 3 == 3); out((5 & 3) == 3);
    out(1 | 2 ^ 3 & 4); out(1 + 2 << 3); out(10 - 4 - 3); out(-7 & 0xf); out(~5 & 0xff); out(0x0f ^ 0xff);
    out(2 * 3 % 4); out(-2 - -3); out(- -5); out(+'a'); out(7 >> 1 << 1); out(sizeof(int) - 5 > 0);
    return 0;
}
