/* Reading decimal fractions: strtod, strtof, atof.
 *
 * Idea: digits are read into an integer that the type holds exactly, and the power of ten is exact
 * as well, so one multiplication or division rounds once, as IEEE 754 and C demand (Clinger 1990,
 * the fast path). More digits, larger powers, hexadecimal numbers, inf and nan are not modelled.
 */
_Noreturn void __obmc_unsupported(const char *what);

struct decimal {
    unsigned long long digits;
    int power;
    int negative;
};

enum { MOST = 100000 };

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static void refuse_others(const char *s)
{
    char first = lower(s[0]);
    if (first == 'i' || first == 'n' || (first == '0' && lower(s[1]) == 'x'))
        __obmc_unsupported("strtod of anything but a decimal number");
}

/* Digits with at most one point; `start` moves behind the last one. */
static const char *scan_digits(const char *s, struct decimal *number, const char **start)
{
    int point = 0;
    for (;; s++) {
        if (*s == '.' && !point) {
            point = 1;
            if (*start == s)
                *start = s + 1;
        } else if (is_digit(*s)) {
            if (number->digits > (1ull << 53) / 10 - 1)
                __obmc_unsupported("strtod of a number with many digits");
            number->digits = number->digits * 10 + (*s - '0');
            number->power -= point;
            *start = s + 1;
        } else {
            return s;
        }
    }
}

static const char *scan_power(const char *s, struct decimal *number)
{
    const char *at = s;
    if (lower(*at) != 'e')
        return s;
    at++;
    int negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    if (!is_digit(*at))
        return s;
    int power = 0;
    for (; is_digit(*at); at++)
        if (power < MOST)
            power = power * 10 + (*at - '0');
    number->power += negative ? -power : power;
    return at;
}

static struct decimal scan(const char *s, char **end)
{
    struct decimal number = { 0, 0, 0 };
    const char *start = s;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
        s++;
    if (*s == '-' || *s == '+')
        number.negative = *s++ == '-';
    if (is_digit(*s) || (*s == '.' && is_digit(s[1]))) {
        refuse_others(s);
        const char *behind = s;
        scan_digits(s, &number, &behind);
        start = scan_power(behind, &number);
    } else {
        refuse_others(s);
        number.negative = 0;
    }
    if (end)
        *end = (char *)start;
    return number;
}

double strtod(const char *s, char **end)
{
    struct decimal number = scan(s, end);
    double value = number.digits;
    double scale = 1;
    int power = number.power < 0 ? -number.power : number.power;
    if (number.digits != 0) {
        if (power > 22)
            __obmc_unsupported("strtod of a very large or small number");
        for (int i = 0; i < power; i++)
            scale *= 10;
        value = number.power < 0 ? value / scale : value * scale;
    }
    return number.negative ? -value : value;
}

float strtof(const char *s, char **end)
{
    struct decimal number = scan(s, end);
    float value = number.digits;
    float scale = 1;
    int power = number.power < 0 ? -number.power : number.power;
    if (number.digits != 0) {
        if (power > 10 || number.digits > 1 << 24)
            __obmc_unsupported("strtof of a number with many digits");
        for (int i = 0; i < power; i++)
            scale *= 10;
        value = number.power < 0 ? value / scale : value * scale;
    }
    return number.negative ? -value : value;
}

double atof(const char *s)
{
    return strtod(s, 0);
}
