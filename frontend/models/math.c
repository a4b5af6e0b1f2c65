/* Mathematics that is exact: the result is the one number that IEEE 754 demands. What is only
 * approximated (sin, pow, ...) is not modelled. The bits of a double: the sign 0x8000000000000000,
 * eleven for the exponent, which are all set (0x7ff0000000000000) if it is infinite or no number.
 */
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
    if (bits & 0x8000000000000000ULL)
        return number_of(0x7ff0000000000000ULL | 1ULL << 51);
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

double fmin(double x, double y)
{
    return is_nan(x) || y < x ? y : x;
}

double fmax(double x, double y)
{
    return is_nan(x) || y > x ? y : x;
}
