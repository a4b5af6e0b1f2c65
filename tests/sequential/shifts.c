void out(long long);
int main(void) {
    for (int n = 0; n < 31; n += 5) {
        out(1u << n);
        out(0x80000000u >> n);
        out((int)0x80000000 >> n);
        out(-1 >> n);
        out(1ll << (n + 20));
        out(-123456789012ll >> n);
        out(0xfedcba9876543210ull >> (2 * n));
    }
    unsigned char c = 0xf0;
    signed char s = -16;
    out(c << 1);
    out(c >> 2);
    out(s >> 2);
    out((signed char)(s << 3));
    out(1 << 5ll);
    out(sizeof(1 << 5ll));
    short h = 1;
    h <<= 15;
    out(h);
    h >>= 3;
    out(h);
    return 1;
}
