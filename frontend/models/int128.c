/* What `__int128` needs beyond additions: products and quotients of two 64-bit halves each.
 *
 * Conversions from and to floating numbers round as the hardware does for 64 bits.
 *
 * Idea: schoolbook multiplication in 32-bit digits; division in one step where both operands fit
 * 64 bits, else bit by bit. The lowering (`lower/wide.rs`) does the rest.
 */
unsigned long long __obmc_multiply_high(unsigned long long a, unsigned long long b)
{
    unsigned long long al = a & 0xffffffffull, ah = a >> 32;
    unsigned long long bl = b & 0xffffffffull, bh = b >> 32;
    unsigned long long middle = ah * bl + (al * bl >> 32);
    unsigned long long other = al * bh + (middle & 0xffffffffull);
    return ah * bh + (middle >> 32) + (other >> 32);
}

/* Does the product of two signed numbers not fit 128 bits? */
int __obmc_multiply_overflows(unsigned long long al, unsigned long long ah, unsigned long long bl,
                              unsigned long long bh)
{
    int negative = (int)((ah ^ bh) >> 63);
    unsigned long long large, small, cross, high, low;
    if (ah >> 63) {
        al = -al;
        ah = ~ah + !al;
    }
    if (bh >> 63) {
        bl = -bl;
        bh = ~bh + !bl;
    }
    if (ah && bh)
        return 1;
    large = ah ? ah : bh;
    small = ah ? bl : al;
    if (__obmc_multiply_high(large, small))
        return 1;
    cross = large * small;
    high = __obmc_multiply_high(al, bl) + cross;
    low = al * bl;
    if (high < cross)
        return 1;
    return high >> 63 && !(negative && !low && high == 1ull << 63);
}

/* Unsigned quotient and remainder, low half first. */
void __obmc_divide(unsigned long long al, unsigned long long ah, unsigned long long bl,
                   unsigned long long bh, unsigned long long *result)
{
    unsigned long long ql = 0, qh = 0, rl = 0, rh = 0;
    if (!bh && (!ah || !bl)) {
        result[0] = al / bl;
        result[1] = 0;
        result[2] = al % bl;
        result[3] = 0;
        return;
    }
    for (int i = 0; i < 128; i++) {
        unsigned long long carry = rh >> 63;
        rh = rh << 1 | rl >> 63;
        rl = rl << 1 | ah >> 63;
        ah = ah << 1 | al >> 63;
        al = al << 1;
        qh = qh << 1 | ql >> 63;
        ql = ql << 1;
        if (carry || rh > bh || (rh == bh && rl >= bl)) {
            unsigned long long borrow = rl < bl;
            rl = rl - bl;
            rh = rh - bh - borrow;
            ql = ql | 1;
        }
    }
    result[0] = ql;
    result[1] = qh;
    result[2] = rl;
    result[3] = rh;
}

static const double WORD = 18446744073709551616.0;

/* The nearest number. The last of 64 bits stands for all that is below them, too, which is more than
 * enough to round as if all were there; the rest is a power of two. */
double __obmc_wide_to_double(unsigned long long low, unsigned long long high, int negative)
{
    double result = low;
    if (high) {
        int shift = __builtin_clzll(high);
        unsigned long long top = shift ? high << shift | low >> (64 - shift) : high;
        unsigned long long rest = low << shift;
        result = (double)(top | (rest != 0)) * (WORD / (1ull << shift));
    }
    return negative ? -result : result;
}

float __obmc_wide_to_float(unsigned long long low, unsigned long long high, int negative)
{
    float result = low;
    if (high) {
        int shift = __builtin_clzll(high);
        unsigned long long top = shift ? high << shift | low >> (64 - shift) : high;
        unsigned long long rest = low << shift;
        result = (float)(top | (rest != 0)) * (float)(WORD / (1ull << shift));
    }
    return negative ? -result : result;
}

void __obmc_double_to_wide(double x, unsigned long long *result)
{
    double size = x < 0 ? -x : x;
    unsigned long long high = 0;
    if (size >= WORD) {
        high = (unsigned long long)(size / WORD);
        size = size - (double)high * WORD;
    }
    result[0] = (unsigned long long)size;
    result[1] = high;
    if (x < 0) {
        result[0] = -result[0];
        result[1] = ~result[1] + !result[0];
    }
}
