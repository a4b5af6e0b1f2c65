/* Arithmetic and search functions of <stdlib.h>. */
struct div {
    int quot;
    int rem;
};

struct ldiv {
    long quot;
    long rem;
};

struct lldiv {
    long long quot;
    long long rem;
};

int abs(int n)
{
    return n < 0 ? -n : n;
}

long labs(long n)
{
    return n < 0 ? -n : n;
}

long long llabs(long long n)
{
    return n < 0 ? -n : n;
}

long long imaxabs(long long n)
{
    return n < 0 ? -n : n;
}

struct div div(int a, int b)
{
    struct div result = { a / b, a % b };
    return result;
}

struct ldiv ldiv(long a, long b)
{
    struct ldiv result = { a / b, a % b };
    return result;
}

struct lldiv lldiv(long long a, long long b)
{
    struct lldiv result = { a / b, a % b };
    return result;
}

struct lldiv imaxdiv(long long a, long long b)
{
    return lldiv(a, b);
}

static void swap(char *a, char *b, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++) {
        char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

void qsort(void *array, unsigned long count, unsigned long size,
           int (*compare)(const void *, const void *))
{
    char *base = array;
    for (unsigned long i = 1; i < count; i++)
        for (unsigned long j = i; j > 0; j--) {
            char *right = base + j * size;
            _Bool keeps;
            int order = compare(right - size, right);
            if (order < 0 || (order == 0 && keeps))
                break;
            swap(right - size, right, size);
        }
}

/* C leaves open which one of equal elements is found. */
static const char *or_a_neighbour(const void *key, const char *found, const char *first,
                                  const char *last, unsigned long size,
                                  int (*compare)(const void *, const void *))
{
    _Bool up;
    for (;;) {
        _Bool here;
        if (here || found == (up ? last : first))
            return found;
        const char *next = up ? found + size : found - size;
        if (compare(key, next) != 0)
            return found;
        found = next;
    }
}

void *bsearch(const void *key, const void *array, unsigned long count, unsigned long size,
              int (*compare)(const void *, const void *))
{
    const char *base = array;
    const char *last = base + (count - 1) * size;
    while (count > 0) {
        const char *middle = base + count / 2 * size;
        int order = compare(key, middle);
        if (order == 0)
            return (void *)or_a_neighbour(key, middle, array, last, size, compare);
        if (order > 0) {
            base = middle + size;
            count--;
        }
        count /= 2;
    }
    return 0;
}

int ffs(int n)
{
    return n ? __builtin_ctz(n) + 1 : 0;
}

int ffsl(long n)
{
    return n ? __builtin_ctzl(n) + 1 : 0;
}

int ffsll(long long n)
{
    return n ? __builtin_ctzll(n) + 1 : 0;
}
