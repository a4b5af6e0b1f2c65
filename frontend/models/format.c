/* Text into memory: the printf family where its result is looked at.
 *
 * Idea: the text is made as the standard says, character by character, for the conversions d, i, u,
 * x, X, o, c, s, n and %, with flags, width, precision and length. Anything else (numbers with a
 * point, pointers) is not modelled. Nothing is invented, so what is found behind it is true.
 */
_Noreturn void __obmc_unsupported(const char *what);
void __obmc_text_is_there(const void *s);
void *malloc(unsigned long size);

struct text {
    char *to;
    /* How many characters fit, without the last zero. */
    unsigned long room;
    unsigned long count;
};

/* One conversion, as in print.c. */
struct spec {
    int left;
    int zero;
    char sign;
    int alternative;
    int width;
    int precision;
    /* 1, 2: h, hh; 3: long; 4: long long; 5: as wide as a pointer; 6: long double. */
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
    __obmc_text_is_there(s);
    int n = 0;
    while ((spec->precision < 0 || n < spec->precision) && s[n])
        n++;
    if (!spec->left)
        pad(text, ' ', spec->width - n);
    for (int i = 0; i < n; i++)
        put(text, s[i]);
    /* Text that is made of itself is undefined. */
    unsigned long distance = (unsigned long)text->to - (unsigned long)s;
    if (text->room && (distance < n || -distance < text->count))
        __obmc_unsupported("a text that is made of a part of itself");
    if (spec->left)
        pad(text, ' ', spec->width - n);
}

static void put_number(struct text *text, struct spec *spec, unsigned long long value, char kind,
                       int negative)
{
    char digits[24];
    int n = 0, nonzero = value != 0;
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
    if (spec->alternative && kind == 'o' && zeros == 0 && (n == 0 || digits[n - 1] != '0'))
        zeros = 1;
    int prefix = spec->alternative && nonzero && (kind == 'x' || kind == 'X') ? 2 : 0;
    int before = spec->width - n - zeros - prefix - (sign ? 1 : 0);
    if (spec->zero && !spec->left && spec->precision < 0 && before > 0) {
        zeros += before;
        before = 0;
    }
    if (!spec->left)
        pad(text, ' ', before);
    if (sign)
        put(text, sign);
    if (prefix) {
        put(text, '0');
        put(text, kind);
    }
    pad(text, '0', zeros);
    while (n > 0)
        put(text, digits[--n]);
    if (spec->left)
        pad(text, ' ', before);
}

/* Reads what stands between `%` and the letter; gives the place of the letter. */
const char *__obmc_format_spec(const char *format, struct spec *spec, __builtin_va_list *args)
{
    *spec = (struct spec){ 0, 0, 0, 0, 0, -1, 0 };
    while (*format == '-' || *format == '0' || *format == '+' || *format == ' ' || *format == '#') {
        if (*format == '-')
            spec->left = 1;
        else if (*format == '0')
            spec->zero = 1;
        else if (*format == '+')
            spec->sign = '+';
        else if (*format == '#')
            spec->alternative = 1;
        else if (!spec->sign)
            spec->sign = ' ';
        format++;
    }
    if (*format == '*') {
        spec->width = __builtin_va_arg(*args, int);
        if (spec->width < 0) {
            spec->left = 1;
            spec->width = -spec->width;
        }
        format++;
    } else {
        for (; *format >= '0' && *format <= '9'; format++)
            spec->width = spec->width * 10 + *format - '0';
    }
    if (*format == '.') {
        format++;
        spec->precision = 0;
        if (*format == '*') {
            spec->precision = __builtin_va_arg(*args, int);
            format++;
        } else {
            for (; *format >= '0' && *format <= '9'; format++)
                spec->precision = spec->precision * 10 + *format - '0';
        }
    }
    if (*format == 'h') {
        spec->length = 1;
        format++;
        if (*format == 'h') {
            spec->length = 2;
            format++;
        }
    } else if (*format == 'l') {
        spec->length = 3;
        format++;
        if (*format == 'l') {
            spec->length = 4;
            format++;
        }
    } else if (*format == 'j' || *format == 'q') {
        spec->length = 4;
        format++;
    } else if (*format == 'z' || *format == 't') {
        spec->length = 5;
        format++;
    } else if (*format == 'L') {
        spec->length = 6;
        format++;
    }
    return format;
}

long long __obmc_signed_argument(int length, __builtin_va_list *args)
{
    if (length == 4)
        return __builtin_va_arg(*args, long long);
    if (length == 3 || length == 5)
        return __builtin_va_arg(*args, long);
    int value = __builtin_va_arg(*args, int);
    return length == 1 ? (short)value : length == 2 ? (signed char)value : value;
}

unsigned long long __obmc_unsigned_argument(int length, __builtin_va_list *args)
{
    if (length == 4)
        return __builtin_va_arg(*args, unsigned long long);
    if (length == 3 || length == 5)
        return __builtin_va_arg(*args, unsigned long);
    unsigned value = __builtin_va_arg(*args, unsigned);
    return length == 1 ? (unsigned short)value : length == 2 ? (unsigned char)value : value;
}

/* `%n`: how many characters there are so far. */
void __obmc_store_count(int length, long long count, __builtin_va_list *args)
{
    if (length == 4)
        *__builtin_va_arg(*args, long long *) = count;
    else if (length == 3 || length == 5)
        *__builtin_va_arg(*args, long *) = count;
    else if (length == 2)
        *__builtin_va_arg(*args, signed char *) = count;
    else if (length == 1)
        *__builtin_va_arg(*args, short *) = count;
    else
        *__builtin_va_arg(*args, int *) = count;
}

static int format_text(char *to, unsigned long room, const char *format, __builtin_va_list *args)
{
    struct text text = { to, room, 0 };
    for (; *format; format++) {
        if (*format != '%') {
            put(&text, *format);
            continue;
        }
        struct spec spec;
        format = __obmc_format_spec(format + 1, &spec, args);
        char kind = *format;
        if (kind == '%') {
            put(&text, '%');
        } else if (kind == 'c' && spec.length == 0) {
            char c = __builtin_va_arg(*args, int);
            if (!spec.left)
                pad(&text, ' ', spec.width - 1);
            put(&text, c);
            if (spec.left)
                pad(&text, ' ', spec.width - 1);
        } else if (kind == 's' && spec.length == 0) {
            put_string(&text, &spec, __builtin_va_arg(*args, const char *));
        } else if (kind == 'n') {
            __obmc_store_count(spec.length, text.count, args);
        } else if ((kind == 'd' || kind == 'i') && spec.length < 6) {
            long long value = __obmc_signed_argument(spec.length, args);
            unsigned long long size = value;
            put_number(&text, &spec, value < 0 ? 0 - size : size, 'd', value < 0);
        } else if ((kind == 'u' || kind == 'x' || kind == 'X' || kind == 'o') && spec.length < 6) {
            unsigned long long value = __obmc_unsigned_argument(spec.length, args);
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
    __builtin_va_list list;
    __builtin_va_copy(list, args);
    int count = format_text(to, size ? size - 1 : 0, format, &list);
    __builtin_va_end(list);
    if (size)
        to[count < size ? count : size - 1] = 0;
    return count;
}

int vsprintf(char *to, const char *format, __builtin_va_list args)
{
    __builtin_va_list list;
    __builtin_va_copy(list, args);
    int count = format_text(to, -1, format, &list);
    __builtin_va_end(list);
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

int __vsnprintf_chk(char *to, unsigned long size, int flag, unsigned long room, const char *format,
                    __builtin_va_list args)
{
    return vsnprintf(to, size, format, args);
}

int __vsprintf_chk(char *to, int flag, unsigned long room, const char *format,
                   __builtin_va_list args)
{
    return vsprintf(to, format, args);
}

int vasprintf(char **to, const char *format, __builtin_va_list args)
{
    int count = vsnprintf(0, 0, format, args);
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

int __vasprintf_chk(char **to, int flag, const char *format, __builtin_va_list args)
{
    return vasprintf(to, format, args);
}

int __asprintf_chk(char **to, int flag, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    int count = vasprintf(to, format, args);
    __builtin_va_end(args);
    return count;
}
