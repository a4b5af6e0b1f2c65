/* Output. Nothing of the program's state changes and no property looks at what is printed.
 *
 * Idea: what the printf family returns is arbitrary but not negative. It is an uninitialised local
 * and not an input, since nearly nobody looks at it. The other functions succeed.
 */
static int any_length(void)
{
    int length;
    return length & 0x7fffffff;
}

int printf(const char *format, ...)
{
    return any_length();
}

int fprintf(void *stream, const char *format, ...)
{
    return any_length();
}

int dprintf(int file, const char *format, ...)
{
    return any_length();
}

int wprintf(const void *format, ...)
{
    return any_length();
}

int vprintf(const char *format, __builtin_va_list args)
{
    return any_length();
}

int vfprintf(void *stream, const char *format, __builtin_va_list args)
{
    return any_length();
}

int __printf_chk(int flag, const char *format, ...)
{
    return any_length();
}

int __fprintf_chk(void *stream, int flag, const char *format, ...)
{
    return any_length();
}

int puts(const char *s)
{
    return any_length();
}

int fputs(const char *s, void *stream)
{
    return any_length();
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
    return size ? count : 0;
}

int fflush(void *stream)
{
    return 0;
}

void perror(const char *s)
{
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
