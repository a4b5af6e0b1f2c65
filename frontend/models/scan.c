/* Numbers and words out of a string: sscanf and its family.
 *
 * Idea: the text is read as the standard says, for the conversions d, i, u, x, X, o, c, s, [, n and
 * %, with width, suppression and length. Anything else (numbers with a point, pointers) is not
 * modelled. Nothing is invented: what a constant text gives is known. Fewer characters than `%3c`
 * asks for are a match, as in glibc.
 */
_Noreturn void __obmc_unsupported(const char *what);

enum { END_OF_FILE = -1, MISMATCH = 0, MATCH = 1, NO_INPUT = 2 };

struct scanner {
    const char *start;
    const char *s;
    int done;
};

/* One conversion. Lengths are those of format.c. */
struct conversion {
    int suppressed;
    /* -1: none given. */
    int width;
    int length;
};

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_space(struct scanner *in)
{
    while (is_space(*in->s))
        in->s++;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

static void store(int length, unsigned long long value, __builtin_va_list *args)
{
    if (length == 4)
        *__builtin_va_arg(*args, unsigned long long *) = value;
    else if (length == 3 || length == 5)
        *__builtin_va_arg(*args, unsigned long *) = value;
    else if (length == 2)
        *__builtin_va_arg(*args, unsigned char *) = value;
    else if (length == 1)
        *__builtin_va_arg(*args, unsigned short *) = value;
    else
        *__builtin_va_arg(*args, unsigned *) = value;
}

/* As strtol and strtoul: what is too large becomes the limit, of the widest type that fits. */
static unsigned long long limited(unsigned long long magnitude, int negative, int overflow,
                                  int is_signed, int length)
{
    unsigned long long most = length == 4 ? -1ull : -1ul;
    if (is_signed) {
        unsigned long long limit = most / 2 + negative;
        if (overflow || magnitude > limit)
            magnitude = limit;
    } else if (overflow || magnitude > most) {
        return most;
    }
    return negative ? -magnitude : magnitude;
}

static int scan_number(struct scanner *in, struct conversion *how, char kind,
                       __builtin_va_list *args)
{
    unsigned base = kind == 'i' ? 0 : kind == 'x' || kind == 'X' ? 16 : kind == 'o' ? 8 : 10;
    int is_signed = kind == 'd' || kind == 'i';
    int left = how->width < 0 ? 2147483647 : how->width;
    int negative = 0, overflow = 0, digits = 0;
    unsigned long long magnitude = 0;
    skip_space(in);
    if (!*in->s)
        return NO_INPUT;
    if (left > 0 && (*in->s == '-' || *in->s == '+')) {
        negative = *in->s == '-';
        in->s++;
        left--;
    }
    if (left > 0 && *in->s == '0' && (base == 0 || base == 16)) {
        in->s++;
        left--;
        digits = 1;
        if (left > 0 && (*in->s == 'x' || *in->s == 'X')) {
            in->s++;
            left--;
            digits = 0;
            base = 16;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    for (; left > 0 && digit_of(*in->s) < base; left--) {
        unsigned long long digit = digit_of(*in->s++);
        if (magnitude > (-1ull - digit) / base)
            overflow = 1;
        magnitude = magnitude * base + digit;
        digits = 1;
    }
    if (!digits)
        return MISMATCH;
    if (!how->suppressed) {
        store(how->length, limited(magnitude, negative, overflow, is_signed, how->length), args);
        in->done++;
    }
    return MATCH;
}

static int scan_chars(struct scanner *in, struct conversion *how, __builtin_va_list *args)
{
    int count = how->width < 0 ? 1 : how->width;
    char *to = how->suppressed ? 0 : __builtin_va_arg(*args, char *);
    if (!*in->s)
        return NO_INPUT;
    for (int i = 0; i < count && *in->s; i++) {
        if (to)
            to[i] = *in->s;
        in->s++;
    }
    if (to)
        in->done++;
    return MATCH;
}

/* Is `c` in the set between `from` and `end`? */
static int is_in(char c, const char *from, const char *end)
{
    for (const char *s = from; s < end; s++) {
        if (s + 2 < end && s[1] == '-') {
            if ((unsigned char)*s <= (unsigned char)c && (unsigned char)c <= (unsigned char)s[2])
                return 1;
            s += 2;
        } else if (*s == c) {
            return 1;
        }
    }
    return 0;
}

/* Characters of a set (or not of it), or up to white space where there is none. */
static int scan_word(struct scanner *in, struct conversion *how, const char *from, const char *end,
                     int negated, __builtin_va_list *args)
{
    char *to = how->suppressed ? 0 : __builtin_va_arg(*args, char *);
    int n = 0;
    if (!from)
        skip_space(in);
    if (!*in->s)
        return NO_INPUT;
    for (; *in->s && (how->width < 0 || n < how->width); n++) {
        char c = *in->s;
        if (from ? is_in(c, from, end) == negated : is_space(c))
            break;
        if (to)
            to[n] = c;
        in->s++;
    }
    if (n == 0)
        return MISMATCH;
    if (to) {
        to[n] = 0;
        in->done++;
    }
    return MATCH;
}

static const char *read_conversion(const char *format, struct conversion *how)
{
    how->suppressed = 0;
    how->width = -1;
    how->length = 0;
    if (*format == '*') {
        how->suppressed = 1;
        format++;
    }
    for (; *format >= '0' && *format <= '9'; format++)
        how->width = (how->width < 0 ? 0 : how->width) * 10 + *format - '0';
    if (*format == 'h') {
        how->length = 1;
        format++;
        if (*format == 'h') {
            how->length = 2;
            format++;
        }
    } else if (*format == 'l') {
        how->length = 3;
        format++;
        if (*format == 'l') {
            how->length = 4;
            format++;
        }
    } else if (*format == 'j' || *format == 'q') {
        how->length = 4;
        format++;
    } else if (*format == 'z' || *format == 't') {
        how->length = 5;
        format++;
    }
    return format;
}

static int scan(const char *s, const char *format, __builtin_va_list *args)
{
    struct scanner in = { s, s, 0 };
    for (; *format; format++) {
        int found = MATCH;
        if (is_space(*format)) {
            skip_space(&in);
            continue;
        }
        if (*format != '%') {
            found = !*in.s ? NO_INPUT : *in.s == *format;
            in.s += found == MATCH;
        } else {
            struct conversion how;
            format = read_conversion(format + 1, &how);
            char kind = *format;
            if (kind == '%') {
                skip_space(&in);
                found = !*in.s ? NO_INPUT : *in.s == '%';
                in.s += found == MATCH;
            } else if (kind == 'n') {
                /* Counted, since a difference of addresses has bits of addresses. */
                unsigned long count = 0;
                while (in.start + count != in.s)
                    count++;
                if (!how.suppressed)
                    store(how.length, count, args);
            } else if (kind == 'd' || kind == 'i' || kind == 'u' || kind == 'x' || kind == 'X'
                       || kind == 'o') {
                found = scan_number(&in, &how, kind, args);
            } else if (kind == 'c' && how.length == 0) {
                found = scan_chars(&in, &how, args);
            } else if (kind == 's' && how.length == 0) {
                found = scan_word(&in, &how, 0, 0, 0, args);
            } else if (kind == '[' && how.length == 0) {
                int negated = format[1] == '^';
                const char *from = format + 1 + negated;
                format = from + 1;
                while (*format && *format != ']')
                    format++;
                if (!*format)
                    __obmc_unsupported("a set of characters without an end");
                found = scan_word(&in, &how, from, format, negated, args);
            } else {
                __obmc_unsupported("a conversion of sscanf other than d, i, u, x, o, c, s, [, n");
            }
        }
        if (found == NO_INPUT)
            return in.done ? in.done : END_OF_FILE;
        if (found == MISMATCH)
            return in.done;
    }
    return in.done;
}

int vsscanf(const char *s, const char *format, __builtin_va_list args)
{
    __builtin_va_list list;
    __builtin_va_copy(list, args);
    int done = scan(s, format, &list);
    __builtin_va_end(list);
    return done;
}

int __isoc99_vsscanf(const char *s, const char *format, __builtin_va_list args)
{
    return vsscanf(s, format, args);
}

int __isoc23_vsscanf(const char *s, const char *format, __builtin_va_list args)
{
    return vsscanf(s, format, args);
}

int sscanf(const char *s, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int done = scan(s, format, &args);
    __builtin_va_end(args);
    return done;
}

int __isoc99_sscanf(const char *s, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int done = scan(s, format, &args);
    __builtin_va_end(args);
    return done;
}

int __isoc23_sscanf(const char *s, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int done = scan(s, format, &args);
    __builtin_va_end(args);
    return done;
}
