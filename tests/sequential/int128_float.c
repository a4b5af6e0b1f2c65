/* Numbers of 128 bits from and to floating ones: rounding, signs, both sides of 64 bits. */
void out(long long);
#ifdef __SIZEOF_INT128__
typedef __int128 wide;
typedef unsigned __int128 uwide;

static void from(uwide u)
{
    double d = u, e = (wide)u;
    float f = u, g = (wide)u;
    out(d == 1.0); out(e < 0); out(f > 1e30f); out(g < 0);
    unsigned long long bits;
    __builtin_memcpy(&bits, &d, 8);
    out(bits);
    __builtin_memcpy(&bits, &e, 8);
    out(bits);
    unsigned few;
    __builtin_memcpy(&few, &f, 4);
    out(few);
    __builtin_memcpy(&few, &g, 4);
    out(few);
}

static void to(double d)
{
    wide w = d;
    out((unsigned long long)w); out((unsigned long long)(w >> 64));
    uwide u = d < 0 ? -d : d;
    out((unsigned long long)u); out((unsigned long long)(u >> 64));
    w = (float)(d / 1e20);
    out((unsigned long long)w); out((unsigned long long)(w >> 64));
}

int main(void)
{
    from(1);
    from((uwide)1 << 100);
    from(((uwide)1 << 100) + 1);
    from(((uwide)1 << 117) + ((uwide)1 << 64));
    from(((uwide)1 << 117) + ((uwide)1 << 64) + 1);
    from(((uwide)3 << 117) + ((uwide)1 << 64));
    from(-(uwide)7);
    from(~(uwide)0 << 70);
    from((uwide)0xffffffffffffffff << 3);
    from((uwide)1 << 127);
    to(3.9);
    to(-3.9);
    to(1e30);
    to(-1e30);
    to(18446744073709551616.0);
    to(18446744073709549568.0);
    to(1.5e38);
    return 0;
}
#else
int main(void) { return 0; }
#endif
