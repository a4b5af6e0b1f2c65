/* Output. Nothing of the program's state changes and no property looks at what is printed.
 * What is printed is read, though, which may be a race or a bad access: strings up to their end and
 * blocks as a whole (the arguments of `%s` are not looked at).
 *
 * Idea: what the printf family returns is arbitrary: a length, or a negative number for an error. It
 * is an uninitialised local and not an input, and nothing is computed with it here, so an engine has
 * to choose a value only if the program looks at it. The other functions succeed.
 */
static int any_result(void)
{
    int result;
    return result;
}

int printf(const char *format, ...)
{
    return any_result();
}

int fprintf(void *stream, const char *format, ...)
{
    return any_result();
}

int dprintf(int file, const char *format, ...)
{
    return any_result();
}

int wprintf(const void *format, ...)
{
    return any_result();
}

int vprintf(const char *format, __builtin_va_list args)
{
    return any_result();
}

int vfprintf(void *stream, const char *format, __builtin_va_list args)
{
    return any_result();
}

int __printf_chk(int flag, const char *format, ...)
{
    return any_result();
}

int __fprintf_chk(void *stream, int flag, const char *format, ...)
{
    return any_result();
}

static void read_string(const char *s)
{
    while (*s)
        s++;
}

int puts(const char *s)
{
    read_string(s);
    return any_result();
}

int fputs(const char *s, void *stream)
{
    read_string(s);
    return any_result();
}

int putchar(int c)
{
    return (unsigned char)c;
}

int putc(int c, void *stream)
{
    return (unsigned char)c;
}

int fputc(int c, void *stream)
{
    return (unsigned char)c;
}

int putchar_unlocked(int c)
{
    return (unsigned char)c;
}

unsigned long fwrite(const void *block, unsigned long size, unsigned long count, void *stream)
{
    const char *bytes = block;
    for (unsigned long i = 0; i < size * count; i++) {
        char byte = bytes[i];
    }
    return size ? count : 0;
}

int fflush(void *stream)
{
    return 0;
}

void perror(const char *s)
{
    if (s)
        read_string(s);
}

void setbuf(void *stream, char *buffer)
{
}

int setvbuf(void *stream, char *buffer, int mode, unsigned long size)
{
    return 0;
}

void syslog(int priority, const char *format, ...)
{
}

void warn(const char *format, ...)
{
}

void warnx(const char *format, ...)
{
}
