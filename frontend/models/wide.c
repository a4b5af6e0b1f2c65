/* Wide strings, as string.c has strings: a character is an int. */
int __obmc_any_of_sign(int sign);

unsigned long wcslen(const int *s)
{
    unsigned long n = 0;
    while (s[n])
        n++;
    return n;
}

int *wcscpy(int *to, const int *from)
{
    unsigned long i = 0;
    while ((to[i] = from[i]))
        i++;
    return to;
}

int *wcscat(int *to, const int *from)
{
    wcscpy(to + wcslen(to), from);
    return to;
}

int *wcsncpy(int *to, const int *from, unsigned long size)
{
    unsigned long i = 0;
    for (; i < size && from[i]; i++)
        to[i] = from[i];
    for (; i < size; i++)
        to[i] = 0;
    return to;
}

int __obmc_sign_wcsncmp(const int *a, const int *b, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        if (a[i] != b[i] || !a[i])
            return (a[i] > b[i]) - (a[i] < b[i]);
    return 0;
}

int __obmc_sign_wcscmp(const int *a, const int *b)
{
    return __obmc_sign_wcsncmp(a, b, -1ul);
}

int wcscmp(const int *a, const int *b)
{
    return __obmc_any_of_sign(__obmc_sign_wcsncmp(a, b, -1ul));
}

int wcsncmp(const int *a, const int *b, unsigned long size)
{
    return __obmc_any_of_sign(__obmc_sign_wcsncmp(a, b, size));
}

int *wcschr(const int *s, int c)
{
    for (;; s++) {
        if (*s == c)
            return (int *)s;
        if (!*s)
            return 0;
    }
}

int *wmemset(int *to, int c, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        to[i] = c;
    return to;
}

int *wmemcpy(int *to, const int *from, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        to[i] = from[i];
    return to;
}
