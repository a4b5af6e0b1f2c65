/* Text into memory: the printf family where its result is looked at.
 *
 * Idea: the text is made as the standard says, character by character, for the conversions d, i, u,
 * x, X, o, c, s and %, with flags, width, precision and length. Anything else (numbers with a point,
 * pointers, %n) is not modelled. Nothing is invented, so what is found behind it is true.
 */
_Noreturn void __obmc_unsupported(const char *what);
void *malloc(unsigned long size);

struct text {
    char *to;
    /* How many characters fit, without the last zero. */
    unsigned long room;
    unsigned long count;
};

/* One conversion. */
struct spec {
    int left;
    int zero;
    char sign;
    int alternative;
    int width;
    int precision;
    int length;
};

static void put(struct text *text, char c)
{
    if (text->count < text->room)
        text->to[text->count] = c;
    text->count++;
}

static void pad(struct text *text, char c, int n)
{
    for (; n > 0; n--)
        put(text, c);
}

static void put_string(struct text *text, struct spec *spec, const char *s)
{
    int n = 0;
    while ((spec->precision < 0 || n < spec->precision) && s[n])
        n++;
    if (!spec->left)
        pad(text, ' ', spec->width - n);
    for (int i = 0; i < n; i++)
        put(text, s[i]);
    if (spec->left)
        pad(text, ' ', spec->width - n);
}

static void put_number(struct text *text, struct spec *spec, unsigned long long value, char kind,
                       int negative)
{
    char digits[24];
    int n = 0;
    if (value || spec->precision) {
        if (kind == 'x' || kind == 'X') {
            do {
                int digit = value & 15;
                digits[n++] = digit < 10 ? '0' + digit : (kind == 'x' ? 'a' : 'A') + digit - 10;
                value >>= 4;
            } while (value);
        } else if (kind == 'o') {
            do {
                digits[n++] = '0' + (int)(value & 7);
                value >>= 3;
            } while (value);
        } else {
            do {
                digits[n++] = '0' + (int)(value % 10);
                value /= 10;
            } while (value);
        }
    }
    char sign = negative ? '-' : spec->sign;
    int zeros = spec->precision > n ? spec->precision - n : 0;
    int before = spec->width - n - zeros - (sign ? 1 : 0);
    if (spec->zero && !spec->left && spec->precision < 0 && before > 0) {
        zeros = before;
        before = 0;
    }
    if (!spec->left)
        pad(text, ' ', before);
    if (sign)
        put(text, sign);
    pad(text, '0', zeros);
    while (n > 0)
        put(text, digits[--n]);
    if (spec->left)
        pad(text, ' ', before);
}

static int format_text(char *to, unsigned long room, const char *format, __builtin_va_list args)
{
    struct text text = { to, room, 0 };
    for (; *format; format++) {
        if (*format != '%') {
            put(&text, *format);
            continue;
        }
        struct spec spec = { 0, 0, 0, 0, 0, -1, 0 };
        format++;
        while (*format == '-' || *format == '0' || *format == '+' || *format == ' '
               || *format == '#') {
            if (*format == '-')
                spec.left = 1;
            else if (*format == '0')
                spec.zero = 1;
            else if (*format == '+')
                spec.sign = '+';
            else if (*format == '#')
                spec.alternative = 1;
            else if (!spec.sign)
                spec.sign = ' ';
            format++;
        }
        if (*format == '*') {
            spec.width = __builtin_va_arg(args, int);
            if (spec.width < 0) {
                spec.left = 1;
                spec.width = -spec.width;
            }
            format++;
        } else {
            for (; *format >= '0' && *format <= '9'; format++)
                spec.width = spec.width * 10 + *format - '0';
        }
        if (*format == '.') {
            format++;
            spec.precision = 0;
            if (*format == '*') {
                spec.precision = __builtin_va_arg(args, int);
                format++;
            } else {
                for (; *format >= '0' && *format <= '9'; format++)
                    spec.precision = spec.precision * 10 + *format - '0';
            }
        }
        /* 1, 2: h, hh; 3: long; 4: long long; 5: as wide as a pointer. */
        if (*format == 'h') {
            spec.length = 1;
            format++;
            if (*format == 'h') {
                spec.length = 2;
                format++;
            }
        } else if (*format == 'l') {
            spec.length = 3;
            format++;
            if (*format == 'l') {
                spec.length = 4;
                format++;
            }
        } else if (*format == 'j') {
            spec.length = 4;
            format++;
        } else if (*format == 'z' || *format == 't') {
            spec.length = 5;
            format++;
        }
        char kind = *format;
        if (kind == '%') {
            put(&text, '%');
        } else if (kind == 'c' && spec.length == 0) {
            char c = __builtin_va_arg(args, int);
            if (!spec.left)
                pad(&text, ' ', spec.width - 1);
            put(&text, c);
            if (spec.left)
                pad(&text, ' ', spec.width - 1);
        } else if (kind == 's' && spec.length == 0) {
            put_string(&text, &spec, __builtin_va_arg(args, const char *));
        } else if (kind == 'd' || kind == 'i') {
            long long value;
            if (spec.length == 4)
                value = __builtin_va_arg(args, long long);
            else if (spec.length == 3 || spec.length == 5)
                value = __builtin_va_arg(args, long);
            else
                value = __builtin_va_arg(args, int);
            if (spec.length == 1)
                value = (short)value;
            if (spec.length == 2)
                value = (signed char)value;
            unsigned long long size = value;
            put_number(&text, &spec, value < 0 ? 0 - size : size, 'd', value < 0);
        } else if ((kind == 'u' || kind == 'x' || kind == 'X' || kind == 'o') && !spec.alternative) {
            unsigned long long value;
            if (spec.length == 4)
                value = __builtin_va_arg(args, unsigned long long);
            else if (spec.length == 3 || spec.length == 5)
                value = __builtin_va_arg(args, unsigned long);
            else
                value = __builtin_va_arg(args, unsigned);
            if (spec.length == 1)
                value = (unsigned short)value;
            if (spec.length == 2)
                value = (unsigned char)value;
            spec.sign = 0;
            put_number(&text, &spec, value, kind, 0);
        } else {
            __obmc_unsupported("a conversion of the printf family other than d, i, u, x, X, o, c, s");
        }
    }
    return text.count;
}

int vsnprintf(char *to, unsigned long size, const char *format, __builtin_va_list args)
{
    int count = format_text(to, size ? size - 1 : 0, format, args);
    if (size)
        to[count < size ? count : size - 1] = 0;
    return count;
}

int vsprintf(char *to, const char *format, __builtin_va_list args)
{
    int count = format_text(to, -1, format, args);
    to[count] = 0;
    return count;
}

int snprintf(char *to, unsigned long size, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int count = vsnprintf(to, size, format, args);
    __builtin_va_end(args);
    return count;
}

int sprintf(char *to, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int count = vsprintf(to, format, args);
    __builtin_va_end(args);
    return count;
}

int __snprintf_chk(char *to, unsigned long size, int flag, unsigned long room, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int count = vsnprintf(to, size, format, args);
    __builtin_va_end(args);
    return count;
}

int __sprintf_chk(char *to, int flag, unsigned long room, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int count = vsprintf(to, format, args);
    __builtin_va_end(args);
    return count;
}

int vasprintf(char **to, const char *format, __builtin_va_list args)
{
    __builtin_va_list again;
    __builtin_va_copy(again, args);
    int count = format_text(0, 0, format, again);
    __builtin_va_end(again);
    *to = malloc(count + 1);
    return *to ? vsprintf(*to, format, args) : -1;
}

int asprintf(char **to, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int count = vasprintf(to, format, args);
    __builtin_va_end(args);
    return count;
}
