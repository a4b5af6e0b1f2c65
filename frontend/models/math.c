/* Mathematics that is exact: the result is the one number that IEEE 754 demands. What is only
 * approximated (sin, pow, ...) is not modelled. The bits of a double: the sign 0x8000000000000000,
 * eleven for the exponent, which are all set (0x7ff0000000000000) if it is infinite or no number.
 */
int *__errno_location(void);
int __obmc_linked(const char *name);
_Noreturn void __obmc_unsupported(const char *what);
_Bool __VERIFIER_nondet_bool(void);

enum { E_DOM = 33, E_RANGE = 34 };

union number {
    double value;
    unsigned long long bits;
};

static unsigned long long bits_of(double x)
{
    union number n;
    n.value = x;
    return n.bits;
}

static double number_of(unsigned long long bits)
{
    union number n;
    n.bits = bits;
    return n.value;
}

static int is_nan(double x)
{
    return (bits_of(x) & ~0x8000000000000000ULL) > 0x7ff0000000000000ULL;
}

double fabs(double x)
{
    return number_of(bits_of(x) & ~0x8000000000000000ULL);
}

float fabsf(float x)
{
    return fabs(x);
}

double copysign(double x, double sign)
{
    return number_of(bits_of(x) & ~0x8000000000000000ULL | bits_of(sign) & 0x8000000000000000ULL);
}

/* Bit by bit, as one does on paper: the root of the mantissa, with one more bit to round by. Never a
 * tie, since a root with one bit more than fits has a square with more bits than the number.
 */
double sqrt(double x)
{
    unsigned long long bits = bits_of(x);
    if (is_nan(x) || bits == 0x7ff0000000000000ULL || (bits & ~0x8000000000000000ULL) == 0)
        return x;
    if (bits & 0x8000000000000000ULL) {
        *__errno_location() = E_DOM;
        return number_of(0x7ff0000000000000ULL | 1ULL << 51);
    }
    int exponent = bits >> 52;
    unsigned long long left = bits & (1ULL << 52) - 1;
    if (exponent == 0) {
        for (exponent = 1; !(left >> 52); exponent--)
            left <<= 1;
    }
    left |= 1ULL << 52;
    exponent -= 1023;
    if (exponent & 1) {
        left <<= 1;
        exponent--;
    }
    left <<= 1;
    unsigned long long root = 0;
    unsigned long long tried = 0;
    for (unsigned long long bit = 1ULL << 53; bit; bit >>= 1) {
        if (tried + bit <= left) {
            left -= tried + bit;
            tried += bit << 1;
            root += bit;
        }
        left <<= 1;
    }
    root = (root >> 1) + (root & 1);
    return number_of(root + ((unsigned long long)(exponent / 2 + 1022) << 52));
}

/* A double has more than twice the bits, so rounding twice does no harm. */
float sqrtf(float x)
{
    return sqrt(x);
}

double trunc(double x)
{
    int exponent = (int)(bits_of(x) >> 52 & 2047) - 1023;
    if (exponent < 0)
        return number_of(bits_of(x) & 0x8000000000000000ULL);
    if (exponent >= 52)
        return x;
    return number_of(bits_of(x) & ~((1ULL << 52 - exponent) - 1));
}

double floor(double x)
{
    double whole = trunc(x);
    return whole > x ? whole - 1 : whole;
}

double ceil(double x)
{
    double whole = trunc(x);
    return whole < x ? copysign(whole + 1, x) : whole;
}

double round(double x)
{
    double whole = trunc(x);
    if (is_nan(x) || fabs(x - whole) < 0.5)
        return whole;
    return x < 0 ? whole - 1 : whole + 1;
}

float truncf(float x)
{
    return trunc(x);
}

float floorf(float x)
{
    return floor(x);
}

float ceilf(float x)
{
    return ceil(x);
}

float roundf(float x)
{
    return round(x);
}

/* Of zeros C may take either one. */
static int are_open_zeros(double x, double y)
{
    return x == 0 && y == 0 && bits_of(x) != bits_of(y);
}

double fmin(double x, double y)
{
    if (are_open_zeros(x, y))
        return __VERIFIER_nondet_bool() ? x : y;
    return is_nan(x) || y < x ? y : x;
}

double fmax(double x, double y)
{
    if (are_open_zeros(x, y))
        return __VERIFIER_nondet_bool() ? x : y;
    return is_nan(x) || y > x ? y : x;
}

float copysignf(float x, float sign)
{
    return copysign(x, sign);
}

float fminf(float x, float y)
{
    return fmin(x, y);
}

float fmaxf(float x, float y)
{
    return fmax(x, y);
}

static int is_infinite(double x)
{
    return bits_of(fabs(x)) == 0x7ff0000000000000ULL;
}

static void note_overflow(double x, double y, double result)
{
    if (is_infinite(result) && !is_infinite(x) && !is_infinite(y))
        *__errno_location() = E_RANGE;
}

double fdim(double x, double y)
{
    double result = x <= y ? 0 : x - y;
    note_overflow(x, y, result);
    return result;
}

float fdimf(float x, float y)
{
    float result = x <= y ? 0 : x - y;
    note_overflow(x, y, result);
    return result;
}

/* To the nearest, halves to even, as arithmetic rounds: beside 2 to the 52 there are only integers. */
double nearbyint(double x)
{
    if (__obmc_linked("fesetround"))
        __obmc_unsupported("a direction of rounding");
    if (!(fabs(x) < 4503599627370496.0))
        return x;
    double shift = copysign(4503599627370496.0, x);
    return copysign(x + shift - shift, x);
}

double rint(double x)
{
    return nearbyint(x);
}

float nearbyintf(float x)
{
    return nearbyint(x);
}

float rintf(float x)
{
    return nearbyint(x);
}

/* A number that does not fit, or none, is any. */
static long to_long(double x)
{
    double limit = sizeof(long) == 8 ? 9223372036854775808.0 : 2147483648.0;
    long any;
    return -limit <= x && x < limit ? (long)x : any;
}

static long long to_long_long(double x)
{
    long long any;
    return -9223372036854775808.0 <= x && x < 9223372036854775808.0 ? (long long)x : any;
}

long lround(double x)
{
    return to_long(round(x));
}

long lroundf(float x)
{
    return to_long(round(x));
}

long lrint(double x)
{
    return to_long(nearbyint(x));
}

long lrintf(float x)
{
    return to_long(nearbyint(x));
}

long long llround(double x)
{
    return to_long_long(round(x));
}

long long llroundf(float x)
{
    return to_long_long(round(x));
}

long long llrint(double x)
{
    return to_long_long(nearbyint(x));
}

long long llrintf(float x)
{
    return to_long_long(nearbyint(x));
}

/* What is left of `x` when the largest multiple of `y` is taken away that fits, by halves: `part` is `y` times a power of
 * two, and `left` at most twice as large, so that every difference is exact.
 */
double fmod(double x, double y)
{
    double left = fabs(x);
    double least = fabs(y);
    if (is_nan(x) || is_nan(y))
        return x + y;
    if (least == 0 || bits_of(left) == 0x7ff0000000000000ULL) {
        *__errno_location() = E_DOM;
        return number_of(0x7ff8000000000000ULL);
    }
    if (left < least)
        return x;
    double part = least;
    while (part + part <= left)
        part += part;
    for (;;) {
        if (left >= part)
            left -= part;
        if (part == least)
            break;
        part *= 0.5;
    }
    return copysign(left, x);
}

float fmodf(float x, float y)
{
    return fmod(x, y);
}

double modf(double x, double *whole)
{
    double integer = trunc(x);
    *whole = integer;
    return copysign(integer == x ? 0 : x - integer, x);
}

float modff(float x, float *whole)
{
    double integer;
    double rest = modf(x, &integer);
    *whole = integer;
    return rest;
}

/* The exponent of what is no finite number is any. */
double frexp(double x, int *exponent)
{
    int any;
    unsigned long long bits = bits_of(x);
    if ((bits & 0x7ff0000000000000ULL) == 0x7ff0000000000000ULL) {
        *exponent = any;
        return x;
    }
    if (x == 0) {
        *exponent = 0;
        return x;
    }
    int less = 0;
    if (!(bits & 0x7ff0000000000000ULL)) {
        bits = bits_of(x * 18014398509481984.0);
        less = 54;
    }
    *exponent = (int)(bits >> 52 & 2047) - 1022 - less;
    return number_of(bits & ~0x7ff0000000000000ULL | 0x3fe0000000000000ULL);
}

float frexpf(float x, int *exponent)
{
    return frexp(x, exponent);
}
