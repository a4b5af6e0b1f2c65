/* The printf family where the text is not used.
 *
 * Idea: nothing of the program's state changes, but the format is read up to its end, and so is each
 * `%s` argument (or up to its precision); `%n` writes. What is returned is the number of characters,
 * exactly where the format has only strings, characters and whole numbers, else any that is large
 * enough; or it is negative, with some errno. Calls with a literal format whose result is not used
 * do not come here (lower/print.rs).
 *
 * A null pointer for `%s` is undefined. The length of a number is found by comparing it, so
 * that one which may be anything is not forced to be something.
 */
void __VERIFIER_assume(int condition);
void __obmc_result(long result);
_Noreturn void exit(int status);
_Noreturn void __obmc_unsupported(const char *what);
void __obmc_may_cancel(void);
void __obmc_write_stream(const void *stream);
int __obmc_linked(const char *name);
void __obmc_no_channel(int file);
void __obmc_read_wide_string(const int *s, long limit);
void __obmc_text_is_there(const void *s);

/* One conversion, as in format.c. */
struct spec {
    int left;
    int zero;
    char sign;
    int alternative;
    int width;
    int precision;
    int length;
};

const char *__obmc_format_spec(const char *format, struct spec *spec, __builtin_va_list *args);
long long __obmc_signed_argument(int length, __builtin_va_list *args);
unsigned long long __obmc_unsigned_argument(int length, __builtin_va_list *args);
void __obmc_store_count(int length, long long count, __builtin_va_list *args);

/* What is left of a call whose result and text are not used. */
void __obmc_print(void)
{
    int result;
    __obmc_result(result);
    __obmc_may_cancel();
}

/* A pipe would hold the text (channel.c). */
void __obmc_print_to_file(int file)
{
    if (__obmc_linked("pipe") + __obmc_linked("pipe2") + __obmc_linked("eventfd"))
        __obmc_no_channel(file);
    __obmc_print();
}

void __obmc_print_to(const void *stream)
{
    __obmc_write_stream(stream);
    __obmc_print();
}

/* The characters so far: `least` are certain, and there are no others if `exact`. */
struct printed {
    long least;
    int exact;
};

static long length_of_string(const char *s, int precision)
{
    __obmc_text_is_there(s);
    long n = 0;
    while ((precision < 0 || n < precision) && s[n])
        n++;
    return n;
}

static int digits(unsigned long long value, unsigned base)
{
    int n = 1;
    for (unsigned long long power = base; value >= power; power *= base) {
        n++;
        if (power > -1ull / base)
            break;
    }
    return n;
}

static int digits_of_negative(long long value)
{
    int n = 1;
    for (long long power = -10; value <= power; power *= 10) {
        n++;
        if (power < -922337203685477580)
            break;
    }
    return n;
}

static int number(struct spec *spec, char kind, __builtin_va_list *args)
{
    int length;
    int more = 0;
    if (kind == 'd' || kind == 'i') {
        long long value = __obmc_signed_argument(spec->length, args);
        if (value < 0) {
            length = digits_of_negative(value);
            more = 1;
        } else {
            length = value == 0 && spec->precision == 0 ? 0 : digits(value, 10);
            more = spec->sign ? 1 : 0;
        }
    } else {
        unsigned long long value = __obmc_unsigned_argument(spec->length, args);
        if (value == 0 && spec->precision == 0)
            length = 0;
        else
            length = digits(value, kind == 'u' ? 10 : kind == 'o' ? 8 : 16);
        if (spec->alternative && kind == 'o' && length > 0 && spec->precision <= length && value)
            more = 1;
        if (spec->alternative && (kind == 'x' || kind == 'X') && value)
            more = 2;
        if (spec->alternative && kind == 'o' && value == 0 && spec->precision == 0)
            length = 1;
    }
    return more + (spec->precision > length ? spec->precision : length);
}

static void add(struct printed *printed, int length, int width)
{
    printed->least += width > length ? width : length;
}

static void convert(struct printed *printed, char kind, struct spec *spec, __builtin_va_list *args)
{
    if (kind == '%') {
        add(printed, 1, 0);
    } else if (kind == 'c' && spec->length == 0) {
        (void)__builtin_va_arg(*args, int);
        add(printed, 1, spec->width);
    } else if (kind == 's' && spec->length == 0) {
        const char *s = __builtin_va_arg(*args, const char *);
        add(printed, length_of_string(s, spec->precision), spec->width);
    } else if (kind == 'n') {
        long count = printed->least;
        if (!printed->exact) {
            long more;
            __VERIFIER_assume(more >= count);
            count = more;
        }
        __obmc_store_count(spec->length, count, args);
    } else if ((kind == 'd' || kind == 'i' || kind == 'u' || kind == 'x' || kind == 'X'
                || kind == 'o') && spec->length < 6) {
        add(printed, number(spec, kind, args), spec->width);
    } else if (kind == 'f' || kind == 'F' || kind == 'e' || kind == 'E' || kind == 'g'
               || kind == 'G' || kind == 'a' || kind == 'A') {
        (void)__builtin_va_arg(*args, double);
        add(printed, 1, spec->width);
        printed->exact = 0;
    } else if (kind == 'p') {
        (void)__builtin_va_arg(*args, void *);
        add(printed, 1, spec->width);
        printed->exact = 0;
    } else if (kind == 'c' || kind == 'C') {
        (void)__builtin_va_arg(*args, int);
        printed->exact = 0;
    } else if (kind == 's' || kind == 'S') {
        const int *s = __builtin_va_arg(*args, const int *);
        __obmc_text_is_there(s);
        __obmc_read_wide_string(s, spec->precision);
        printed->exact = 0;
    } else if (kind == 'm') {
        printed->exact = 0;
    } else {
        __obmc_unsupported("a conversion of the printf family that is not modelled");
    }
}

static struct printed print(const char *format, __builtin_va_list *args)
{
    struct printed printed = { 0, 1 };
    for (; *format; format++) {
        if (*format != '%') {
            printed.least++;
            continue;
        }
        struct spec spec;
        format = __obmc_format_spec(format + 1, &spec, args);
        convert(&printed, *format, &spec, args);
    }
    __obmc_may_cancel();
    return printed;
}

/* Any number; a compiled program (--replay) has a function of its own, which gives the usual one. */
int __obmc_any_count(int usual)
{
    int any;
    return any;
}

static int result_of(struct printed printed)
{
    int least = printed.least;
    int result = __obmc_any_count(least);
    if (printed.exact)
        __VERIFIER_assume(result < 0 || result == least);
    else
        __VERIFIER_assume(result < 0 || result >= least);
    __obmc_result(result);
    return result;
}

int vprintf(const char *format, __builtin_va_list args)
{
    __builtin_va_list list;
    __builtin_va_copy(list, args);
    struct printed printed = print(format, &list);
    __builtin_va_end(list);
    return result_of(printed);
}

int vfprintf(void *stream, const char *format, __builtin_va_list args)
{
    __obmc_write_stream(stream);
    return vprintf(format, args);
}

int vdprintf(int file, const char *format, __builtin_va_list args)
{
    __obmc_print_to_file(file);
    return vprintf(format, args);
}

int printf(const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    struct printed printed = print(format, &args);
    __builtin_va_end(args);
    return result_of(printed);
}

int fprintf(void *stream, const char *format, ...)
{
    __builtin_va_list args;
    __obmc_write_stream(stream);
    __builtin_va_start(args, format);
    struct printed printed = print(format, &args);
    __builtin_va_end(args);
    return result_of(printed);
}

int dprintf(int file, const char *format, ...)
{
    __builtin_va_list args;
    __obmc_print_to_file(file);
    __builtin_va_start(args, format);
    struct printed printed = print(format, &args);
    __builtin_va_end(args);
    return result_of(printed);
}

int __printf_chk(int flag, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    struct printed printed = print(format, &args);
    __builtin_va_end(args);
    return result_of(printed);
}

int __fprintf_chk(void *stream, int flag, const char *format, ...)
{
    __builtin_va_list args;
    __obmc_write_stream(stream);
    __builtin_va_start(args, format);
    struct printed printed = print(format, &args);
    __builtin_va_end(args);
    return result_of(printed);
}

int __dprintf_chk(int file, int flag, const char *format, ...)
{
    __builtin_va_list args;
    __obmc_print_to_file(file);
    __builtin_va_start(args, format);
    struct printed printed = print(format, &args);
    __builtin_va_end(args);
    return result_of(printed);
}

int __vprintf_chk(int flag, const char *format, __builtin_va_list args)
{
    return vprintf(format, args);
}

int __vfprintf_chk(void *stream, int flag, const char *format, __builtin_va_list args)
{
    return vfprintf(stream, format, args);
}

int __vdprintf_chk(int file, int flag, const char *format, __builtin_va_list args)
{
    __obmc_print_to_file(file);
    return vprintf(format, args);
}

void vsyslog(int priority, const char *format, __builtin_va_list args)
{
    __builtin_va_list list;
    __builtin_va_copy(list, args);
    print(format, &list);
    __builtin_va_end(list);
}

void syslog(int priority, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    print(format, &args);
    __builtin_va_end(args);
}

void __syslog_chk(int priority, int flag, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    print(format, &args);
    __builtin_va_end(args);
}

/* Without a format only the program's name and the error are printed. */
void vwarn(const char *format, __builtin_va_list args)
{
    if (format)
        vsyslog(0, format, args);
}

void vwarnx(const char *format, __builtin_va_list args)
{
    if (format)
        vsyslog(0, format, args);
}

void warn(const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    vwarn(format, args);
    __builtin_va_end(args);
}

void warnx(const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    vwarn(format, args);
    __builtin_va_end(args);
}

_Noreturn void verr(int status, const char *format, __builtin_va_list args)
{
    vwarn(format, args);
    exit(status);
}

_Noreturn void verrx(int status, const char *format, __builtin_va_list args)
{
    vwarn(format, args);
    exit(status);
}

_Noreturn void err(int status, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    vwarn(format, args);
    exit(status);
}

_Noreturn void errx(int status, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    vwarn(format, args);
    exit(status);
}

void error(int status, int number, const char *format, ...)
{
    __builtin_va_list args;
    __builtin_va_start(args, format);
    print(format, &args);
    __builtin_va_end(args);
    if (status)
        exit(status);
}

int wprintf(const int *format, ...)
{
    __obmc_unsupported("wprintf with a format or a result that is looked at");
}
