/* gcc's bit counting and byte swapping builtins.
 *
 * Idea: counting ones in parallel (every step adds neighbouring groups of bits), and everything else
 * by counting the ones of a word in which the wanted positions are ones. No loops, and no branches but the
 * one that keeps zeros of 0 out, which gcc leaves undefined.
 */
_Noreturn void __obmc_unsupported(const char *what);

static int ones(unsigned long long n)
{
    n = n - (n >> 1 & 0x5555555555555555ull);
    n = (n & 0x3333333333333333ull) + (n >> 2 & 0x3333333333333333ull);
    n = n + (n >> 4) & 0x0f0f0f0f0f0f0f0full;
    return (int)(n * 0x0101010101010101ull >> 56);
}

static unsigned long long below_lowest(unsigned long long n)
{
    return (n & -n) - 1;
}

static unsigned long long up_to_highest(unsigned long long n)
{
    n |= n >> 1;
    n |= n >> 2;
    n |= n >> 4;
    n |= n >> 8;
    n |= n >> 16;
    return n | n >> 32;
}

int __builtin_popcount(unsigned n)
{
    return ones(n);
}

int __builtin_popcountl(unsigned long n)
{
    return ones(n);
}

int __builtin_popcountll(unsigned long long n)
{
    return ones(n);
}

int __builtin_parity(unsigned n)
{
    return ones(n) & 1;
}

int __builtin_parityl(unsigned long n)
{
    return ones(n) & 1;
}

int __builtin_parityll(unsigned long long n)
{
    return ones(n) & 1;
}

int __builtin_ctz(unsigned n)
{
    if (!n)
        __obmc_unsupported("__builtin_ctz of 0");
    return ones(below_lowest(n));
}

int __builtin_ctzl(unsigned long n)
{
    if (!n)
        __obmc_unsupported("__builtin_ctz of 0");
    return ones(below_lowest(n));
}

int __builtin_ctzll(unsigned long long n)
{
    if (!n)
        __obmc_unsupported("__builtin_ctz of 0");
    return ones(below_lowest(n));
}

int __builtin_ffs(unsigned n)
{
    return n ? ones(below_lowest(n)) + 1 : 0;
}

int __builtin_ffsl(unsigned long n)
{
    return n ? ones(below_lowest(n)) + 1 : 0;
}

int __builtin_ffsll(unsigned long long n)
{
    return n ? ones(below_lowest(n)) + 1 : 0;
}

int __builtin_clz(unsigned n)
{
    if (!n)
        __obmc_unsupported("__builtin_clz of 0");
    return 32 - ones(up_to_highest(n));
}

int __builtin_clzl(unsigned long n)
{
    if (!n)
        __obmc_unsupported("__builtin_clz of 0");
    return 8 * (int)sizeof n - ones(up_to_highest(n));
}

int __builtin_clzll(unsigned long long n)
{
    if (!n)
        __obmc_unsupported("__builtin_clz of 0");
    return 64 - ones(up_to_highest(n));
}

unsigned short __builtin_bswap16(unsigned short n)
{
    return (unsigned short)(n >> 8 | n << 8);
}

unsigned __builtin_bswap32(unsigned n)
{
    return n >> 24 | (n >> 8 & 0xff00u) | (n << 8 & 0xff0000u) | n << 24;
}

unsigned long long __builtin_bswap64(unsigned long long n)
{
    return (unsigned long long)__builtin_bswap32((unsigned)n) << 32
        | __builtin_bswap32((unsigned)(n >> 32));
}
