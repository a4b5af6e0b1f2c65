/* Reading numbers: strtol and its family.
 *
 * Idea: one scanner reads sign, prefix and digits into an unsigned magnitude of 64 bits, noting
 * overflow; the callers cut it to their range, with errno ERANGE, as C says.
 */
int *__errno_location(void);
_Noreturn void __obmc_undefined(const char *what);

enum { E_INVAL = 22, E_RANGE = 34 };

struct number {
    unsigned long long magnitude;
    int negative;
    int overflow;
};

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

static int has_hex_prefix(const char *s)
{
    return s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit_of(s[2]) < 16;
}

static struct number scan(const char *s, char **end, int base)
{
    struct number number = { 0, 0, 0 };
    const char *start = s;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = E_INVAL;
        return number;
    }
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    if (*s == '-' || *s == '+')
        number.negative = *s++ == '-';
    if ((base == 0 || base == 16) && has_hex_prefix(s)) {
        s += 2;
        base = 16;
    }
    if (base == 0)
        base = *s == '0' ? 8 : 10;
    for (; digit_of(*s) < base; start = ++s) {
        unsigned long long digit = digit_of(*s);
        if (number.magnitude > (-1ull - digit) / base)
            number.overflow = 1;
        number.magnitude = number.magnitude * base + digit;
    }
    if (end)
        *end = (char *)start;
    return number;
}

static long long signed_value(struct number number, unsigned long long largest)
{
    unsigned long long limit = largest + number.negative;
    if (number.overflow || number.magnitude > limit) {
        *__errno_location() = E_RANGE;
        number.magnitude = limit;
    }
    return number.negative ? (long long)-number.magnitude : (long long)number.magnitude;
}

static unsigned long long unsigned_value(struct number number, unsigned long long largest)
{
    if (number.overflow || number.magnitude > largest) {
        *__errno_location() = E_RANGE;
        return largest;
    }
    return number.negative ? -number.magnitude : number.magnitude;
}

long strtol(const char *s, char **end, int base)
{
    return signed_value(scan(s, end, base), -1ul / 2);
}

long long strtoll(const char *s, char **end, int base)
{
    return signed_value(scan(s, end, base), -1ull / 2);
}

long long strtoimax(const char *s, char **end, int base)
{
    return signed_value(scan(s, end, base), -1ull / 2);
}

unsigned long strtoul(const char *s, char **end, int base)
{
    return unsigned_value(scan(s, end, base), -1ul);
}

unsigned long long strtoull(const char *s, char **end, int base)
{
    return unsigned_value(scan(s, end, base), -1ull);
}

unsigned long long strtoumax(const char *s, char **end, int base)
{
    return unsigned_value(scan(s, end, base), -1ull);
}

/* C leaves it undefined what becomes of a number that does not fit (7.22.1p1). */
static long long fitting(const char *s, unsigned long long largest)
{
    struct number number = scan(s, 0, 10);
    if (number.overflow || number.magnitude > largest + number.negative)
        __obmc_undefined("unfit number");
    return number.negative ? (long long)-number.magnitude : (long long)number.magnitude;
}

int atoi(const char *s)
{
    return fitting(s, -1u / 2);
}

long atol(const char *s)
{
    return fitting(s, -1ul / 2);
}

long long atoll(const char *s)
{
    return fitting(s, -1ull / 2);
}

long __isoc23_strtol(const char *s, char **end, int base)
{
    return strtol(s, end, base);
}

unsigned long __isoc23_strtoul(const char *s, char **end, int base)
{
    return strtoul(s, end, base);
}

long long __isoc23_strtoll(const char *s, char **end, int base)
{
    return strtoll(s, end, base);
}

unsigned long long __isoc23_strtoull(const char *s, char **end, int base)
{
    return strtoull(s, end, base);
}

long long __isoc23_strtoimax(const char *s, char **end, int base)
{
    return strtoimax(s, end, base);
}

unsigned long long __isoc23_strtoumax(const char *s, char **end, int base)
{
    return strtoumax(s, end, base);
}
