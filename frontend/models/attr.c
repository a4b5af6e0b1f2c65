/* Thread attributes: stored and read back. Scheduling and stacks change nothing here;
 * thread.c looks at the first field of the attributes that a thread is created with, and at the last
 * word, so that all of the object must be there. All accesses are plain. */
void __obmc_read_block(const void *block, unsigned long size);

struct attr {
    int detach;
    int scope;
    int inherit;
    int policy;
    int priority;
    unsigned long stack_size;
    unsigned long guard_size;
    void *stack;
    int last[sizeof(long) / 4];
};

enum { OTHER = 0, FIFO = 1, ROUND_ROBIN = 2, MOST_URGENT = 99 };
enum { E_INVAL = 22, E_NOTSUP = 95, DEFAULT_STACK = 8388608, SMALLEST_STACK = 16384, PAGE = 4096 };

/* All of the object is read, and all is written. */
static void look_at(const struct attr *attr)
{
    attr->detach;
    attr->last[sizeof(long) / 4 - 1];
}

static void change(struct attr *attr)
{
    attr->detach = attr->detach;
    attr->last[sizeof(long) / 4 - 1] = 0;
}

int pthread_attr_init(struct attr *attr)
{
    attr->detach = 0;
    attr->scope = 0;
    attr->inherit = 0;
    attr->policy = 0;
    attr->priority = 0;
    attr->stack_size = DEFAULT_STACK;
    attr->guard_size = PAGE;
    attr->stack = 0;
    change(attr);
    return 0;
}

int pthread_attr_destroy(struct attr *attr)
{
    change(attr);
    return 0;
}

int pthread_attr_setdetachstate(struct attr *attr, int state)
{
    if (state != 0 && state != 1)
        return E_INVAL;
    attr->detach = state;
    change(attr);
    return 0;
}

int pthread_attr_getdetachstate(const struct attr *attr, int *state)
{
    look_at(attr);
    *state = attr->detach;
    return 0;
}

int pthread_attr_setscope(struct attr *attr, int scope)
{
    if (scope != 0)
        return scope == 1 ? E_NOTSUP : E_INVAL;
    attr->scope = scope;
    change(attr);
    return 0;
}

int pthread_attr_getscope(const struct attr *attr, int *scope)
{
    look_at(attr);
    *scope = attr->scope;
    return 0;
}

int pthread_attr_setinheritsched(struct attr *attr, int inherit)
{
    if (inherit != 0 && inherit != 1)
        return E_INVAL;
    attr->inherit = inherit;
    change(attr);
    return 0;
}

int pthread_attr_getinheritsched(const struct attr *attr, int *inherit)
{
    look_at(attr);
    *inherit = attr->inherit;
    return 0;
}

int pthread_attr_setschedpolicy(struct attr *attr, int policy)
{
    if (policy != OTHER && policy != FIFO && policy != ROUND_ROBIN)
        return E_INVAL;
    attr->policy = policy;
    change(attr);
    return 0;
}

int pthread_attr_getschedpolicy(const struct attr *attr, int *policy)
{
    look_at(attr);
    *policy = attr->policy;
    return 0;
}

int pthread_attr_setschedparam(struct attr *attr, const int *priority)
{
    int least = attr->policy == OTHER ? 0 : 1;
    int most = attr->policy == OTHER ? 0 : MOST_URGENT;
    if (*priority < least || *priority > most)
        return E_INVAL;
    attr->priority = *priority;
    change(attr);
    return 0;
}

int pthread_attr_getschedparam(const struct attr *attr, int *priority)
{
    look_at(attr);
    *priority = attr->priority;
    return 0;
}

int pthread_attr_setstacksize(struct attr *attr, unsigned long size)
{
    if (size < SMALLEST_STACK)
        return E_INVAL;
    attr->stack_size = size;
    change(attr);
    return 0;
}

int pthread_attr_getstacksize(const struct attr *attr, unsigned long *size)
{
    look_at(attr);
    *size = attr->stack_size;
    return 0;
}

int pthread_attr_setguardsize(struct attr *attr, unsigned long size)
{
    attr->guard_size = size;
    change(attr);
    return 0;
}

int pthread_attr_getguardsize(const struct attr *attr, unsigned long *size)
{
    look_at(attr);
    *size = attr->guard_size;
    return 0;
}

int pthread_attr_setstack(struct attr *attr, void *stack, unsigned long size)
{
    if (size < SMALLEST_STACK)
        return E_INVAL;
    attr->stack = stack;
    attr->stack_size = size;
    change(attr);
    return 0;
}

int pthread_attr_getstack(const struct attr *attr, void **stack, unsigned long *size)
{
    look_at(attr);
    *stack = attr->stack;
    *size = attr->stack_size;
    return 0;
}

int pthread_attr_setaffinity_np(struct attr *attr, unsigned long size, const void *set)
{
    __obmc_read_block(set, size);
    change(attr);
    return 0;
}
