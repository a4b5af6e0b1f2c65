void out(long long);
static double half(double x) { return x / 2; }
static float third(float x) { return x / 3; }
int main(void) {
    double d = 0.1;
    float f = 0.1f;
    out(d == f);
    out((long long)(d * 1e18));
    out((long long)((double)f * 1e18));
    out((int)(f * 100));
    out(half(7) * 4);
    out(third(10) * 1e6);
    out((int)-3.99); out((unsigned char)200.7); out((long long)1e15);
    out(1e308 * 10 > 1e308);
    float sum = 0;
    for (int i = 0; i < 10; i++) sum += 0.1f;
    out(sum == 1.0f);
    out((long long)(sum * 1e9));
    out(16777217 == (float)16777217);
    out((float)16777217);
    out((double)9007199254740993ll);
    out(0x1.8p3);
    int i = 7;
    i *= 1.5;
    out(i);
    i += 0.9;
    out(i);
    out(3 / 2 + 3 / 2.0);
    out(-0.0 == 0.0);
    out(1 / -0.0 < 0);
    double n = 0.0 / 0.0;
    out(n == n); out(n != n); out(n < 1); out(!(n >= 1));
    out(d ? 1 : 2); out(!d); out(d && f);
    out((unsigned)3e9); out((unsigned long long)1.8e19 > 1ull << 63);
    out((double)(unsigned long long)-1 == 18446744073709551616.0);
    out((float)0.1 < 0.1000000015); out(sizeof(f * f)); out(sizeof(f * d));
    return 0;
}
