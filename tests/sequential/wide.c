void out(long long);
static unsigned long long m = 0x8000000000000001ull;
static long long s = -0x7fffffffffffffffll;
int main(void) {
    unsigned long long k = 0;
    for (int i = 0; i < 64; i += 9) {
        out(m << i); out(m >> i); out(s >> i); k = k * 31 + (m >> i); out(k);
        out((unsigned)(m >> i)); out((int)(s >> i)); out((short)(k >> i));
    }
    out(m * m); out(s * 3); out(s / 7); out(s % 7); out(m / 10); out(m % 10); out(-m); out(~m);
    out(m > s); out((long long)m < s); out(m == -s); out(!m); out(m ? 1 : 0); out((_Bool)(m << 63 >> 1));
    out(m & s); out(m | s); out(m ^ s); out(s + 2147483647); out(s - 4294967295u); out((m >> 32) * (m & 0xffffffff));
    long long a[2] = {s, 5}, *p = a;
    out(*p + p[1]); p++; out((int)m + (int)s); out((unsigned char)m * 2ll);
    return 0;
}
