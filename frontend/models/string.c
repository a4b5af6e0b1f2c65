/* Strings, byte by byte as C defines them. A comparison gives any number of the right sign; the
 * `__obmc_sign_` twins give -1, 0 or 1 and are for callers who only look at the sign (lower/sign.rs).
 */
void *malloc(unsigned long size);
int __obmc_any_of_sign(int sign);
_Noreturn void __obmc_unsupported(const char *what);

unsigned long strlen(const char *s)
{
    unsigned long n = 0;
    while (s[n])
        n++;
    return n;
}

unsigned long strnlen(const char *s, unsigned long limit)
{
    unsigned long n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

/* Copies between strings that overlap are undefined, as with memcpy; one onto itself does no harm. Asked behind the
 * copy, when it is known how much was written and read.
 */
static void apart(const char *to, unsigned long written, const char *from, unsigned long read)
{
    unsigned long distance = (unsigned long)to - (unsigned long)from;
    if (to != from && (distance < read || -distance < written))
        __obmc_unsupported("a copy between strings that overlap");
}

char *stpcpy(char *to, const char *from)
{
    unsigned long n = 0;
    while ((to[n] = from[n]))
        n++;
    apart(to, n + 1, from, n + 1);
    return to + n;
}

char *strcpy(char *to, const char *from)
{
    stpcpy(to, from);
    return to;
}

char *strncpy(char *to, const char *from, unsigned long size)
{
    unsigned long i = 0;
    for (; i < size && from[i]; i++)
        to[i] = from[i];
    apart(to, size, from, i < size ? i + 1 : size);
    for (; i < size; i++)
        to[i] = 0;
    return to;
}

unsigned long strlcpy(char *to, const char *from, unsigned long size)
{
    unsigned long length = strlen(from), i = 0;
    if (size) {
        for (; i < size - 1 && i < length; i++)
            to[i] = from[i];
        to[i] = 0;
        apart(to, i + 1, from, i + 1);
    }
    return length;
}

unsigned long strlcat(char *to, const char *from, unsigned long size)
{
    unsigned long used = strnlen(to, size);
    return used + strlcpy(to + used, from, size - used);
}

char *strcat(char *to, const char *from)
{
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *to, const char *from, unsigned long size)
{
    char *end = to + strlen(to);
    unsigned long i = 0;
    for (; i < size && from[i]; i++)
        end[i] = from[i];
    apart(end, i + 1, from, i);
    end[i] = 0;
    return to;
}

char *__strcpy_chk(char *to, const char *from, unsigned long room)
{
    return strcpy(to, from);
}

char *__strncpy_chk(char *to, const char *from, unsigned long size, unsigned long room)
{
    return strncpy(to, from, size);
}

char *__stpcpy_chk(char *to, const char *from, unsigned long room)
{
    return stpcpy(to, from);
}

char *__strncat_chk(char *to, const char *from, unsigned long size, unsigned long room)
{
    return strncat(to, from, size);
}

char *__strcat_chk(char *to, const char *from, unsigned long room)
{
    return strcat(to, from);
}

static int order(unsigned char a, unsigned char b)
{
    return (a > b) - (a < b);
}

int __obmc_sign_strcmp(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return order(*a, *b);
}

int strcmp(const char *a, const char *b)
{
    return __obmc_any_of_sign(__obmc_sign_strcmp(a, b));
}

int __obmc_sign_strcoll(const char *a, const char *b)
{
    return __obmc_sign_strcmp(a, b);
}

int strcoll(const char *a, const char *b)
{
    return strcmp(a, b);
}

int __obmc_sign_strncmp(const char *a, const char *b, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        if (a[i] != b[i] || !a[i])
            return order(a[i], b[i]);
    return 0;
}

int strncmp(const char *a, const char *b, unsigned long size)
{
    return __obmc_any_of_sign(__obmc_sign_strncmp(a, b, size));
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

int __obmc_sign_strcasecmp(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return order(lower(*a), lower(*b));
}

int strcasecmp(const char *a, const char *b)
{
    return __obmc_any_of_sign(__obmc_sign_strcasecmp(a, b));
}

int __obmc_sign_strncasecmp(const char *a, const char *b, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        if (lower(a[i]) != lower(b[i]) || !a[i])
            return order(lower(a[i]), lower(b[i]));
    return 0;
}

int strncasecmp(const char *a, const char *b, unsigned long size)
{
    return __obmc_any_of_sign(__obmc_sign_strncasecmp(a, b, size));
}

char *strchrnul(const char *s, int c)
{
    while (*s && *s != (char)c)
        s++;
    return (char *)s;
}

char *strchr(const char *s, int c)
{
    s = strchrnul(s, c);
    return *s == (char)c ? (char *)s : 0;
}

char *index(const char *s, int c)
{
    return strchr(s, c);
}

char *strrchr(const char *s, int c)
{
    char *last = 0;
    for (;; s++) {
        if (*s == (char)c)
            last = (char *)s;
        if (!*s)
            return last;
    }
}

char *rindex(const char *s, int c)
{
    return strrchr(s, c);
}

char *strstr(const char *s, const char *part)
{
    unsigned long length = strlen(part);
    for (;; s++) {
        if (__obmc_sign_strncmp(s, part, length) == 0)
            return (char *)s;
        if (!*s)
            return 0;
    }
}

char *strcasestr(const char *s, const char *part)
{
    unsigned long length = strlen(part);
    for (;; s++) {
        if (__obmc_sign_strncasecmp(s, part, length) == 0)
            return (char *)s;
        if (!*s)
            return 0;
    }
}

/* The set is read to its end, also where the first of its characters would do. */
static unsigned long span(const char *s, const char *set, int inside)
{
    unsigned long n = 0;
    strlen(set);
    while (s[n] && (strchr(set, s[n]) != 0) == inside)
        n++;
    return n;
}

unsigned long strspn(const char *s, const char *accept)
{
    return span(s, accept, 1);
}

unsigned long strcspn(const char *s, const char *reject)
{
    return span(s, reject, 0);
}

char *strpbrk(const char *s, const char *accept)
{
    s += strcspn(s, accept);
    return *s ? (char *)s : 0;
}

char *strtok_r(char *s, const char *separators, char **rest)
{
    char *token = s ? s : *rest;
    token += strspn(token, separators);
    char *end = token + strcspn(token, separators);
    *rest = *end ? end + 1 : end;
    if (end == token)
        return 0;
    *end = 0;
    return token;
}

char *__strtok_r(char *s, const char *separators, char **rest)
{
    return strtok_r(s, separators, rest);
}

char *strsep(char **rest, const char *separators)
{
    char *field = *rest;
    if (!field)
        return 0;
    char *end = field + strcspn(field, separators);
    *rest = *end ? end + 1 : 0;
    if (*end)
        *end = 0;
    return field;
}

char *strtok(char *s, const char *separators)
{
    static char *rest;
    return strtok_r(s, separators, &rest);
}

char *strndup(const char *s, unsigned long limit)
{
    unsigned long length = strnlen(s, limit);
    char *copy = malloc(length + 1);
    if (copy) {
        strncpy(copy, s, length);
        copy[length] = 0;
    }
    return copy;
}

char *strdup(const char *s)
{
    char *copy = malloc(strlen(s) + 1);
    return copy ? strcpy(copy, s) : 0;
}

char *__strndup(const char *s, unsigned long limit)
{
    return strndup(s, limit);
}

char *__strdup(const char *s)
{
    return strdup(s);
}
