/* Mutex attributes: one int of bit fields, read by pthread_mutex_init.
 *
 * Idea: the kind is in the two lowest bits, robustness in bit 5. The other settings are stored only to
 * be read back, since priorities and sharing between processes change nothing for threads here; a
 * priority ceiling would (mutex.c).
 * Invariant: a getter returns what the last setter stored, the first possible value after init.
 */
enum { E_INVAL = 22, PROTECT = 2, MOST_CEILING = 99 };

static int set(int *attr, int shift, int limit, int value)
{
    if (value < 0 || value > limit)
        return E_INVAL;
    *attr = (*attr & ~(limit << shift)) | value << shift;
    return 0;
}

static int get(const int *attr, int shift, int limit, int *value)
{
    *value = *attr >> shift & limit;
    return 0;
}

int pthread_mutexattr_init(int *attr)
{
    *attr = 0;
    return 0;
}

int pthread_mutexattr_destroy(int *attr)
{
    *attr = 0;
    return 0;
}

int pthread_mutexattr_settype(int *attr, int kind)
{
    return set(attr, 0, 3, kind);
}

int pthread_mutexattr_gettype(const int *attr, int *kind)
{
    return get(attr, 0, 3, kind);
}

int pthread_mutexattr_setpshared(int *attr, int shared)
{
    return set(attr, 2, 1, shared);
}

int pthread_mutexattr_getpshared(const int *attr, int *shared)
{
    return get(attr, 2, 1, shared);
}

int pthread_mutexattr_setprotocol(int *attr, int protocol)
{
    if (protocol > PROTECT)
        return E_INVAL;
    return set(attr, 3, 3, protocol);
}

int pthread_mutexattr_getprotocol(const int *attr, int *protocol)
{
    return get(attr, 3, 3, protocol);
}

int pthread_mutexattr_setrobust(int *attr, int robust)
{
    return set(attr, 5, 1, robust);
}

int pthread_mutexattr_getrobust(const int *attr, int *robust)
{
    return get(attr, 5, 1, robust);
}

int pthread_mutexattr_setprioceiling(int *attr, int ceiling)
{
    return ceiling > MOST_CEILING ? E_INVAL : set(attr, 6, 255, ceiling);
}

int pthread_mutexattr_getprioceiling(const int *attr, int *ceiling)
{
    return get(attr, 6, 255, ceiling);
}
