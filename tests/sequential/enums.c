void out(long long);
enum a { A0, A1, A5 = 5, A6, ANEG = -3, AM2 };
enum b { B0 = 10, B1 = B0 * 2, B2 = sizeof(int) };
enum { ANON = 'x' };
static const char *name(enum a a) { return a == A5 ? "five" : "other"; }
int main(void) {
    enum a a = A6;
    enum b b = B1;
    out(A0); out(A1); out(A6); out(AM2); out(B1); out(B2); out(ANON);
    out(a + b);
    a = 1;
    out(a == A1);
    out(name(A5)[0]);
    out(-A6 < 0);
    out((enum b)11 > B0);
    out(ANEG < 0);
    int t[B1 - B0] = {[A5] = 3};
    out(sizeof t); out(t[5]);
    return 0;
}
