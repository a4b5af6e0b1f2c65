/* Scheduling hints. Every schedule is considered anyway, so they do nothing, but read what they are
 * given. Whether the system allows it is open. */
_Bool __VERIFIER_nondet_bool(void);
int *__errno_location(void);
void __obmc_read_block(const void *block, unsigned long size);

enum { E_PERM = 1, E_SRCH = 3, E_INVAL = 22, E_RANGE = 34, LONGEST = 15 };

static int why_not(void)
{
    return __VERIFIER_nondet_bool() ? E_INVAL : E_PERM;
}

static int whether_allowed(void)
{
    return __VERIFIER_nondet_bool() ? 0 : why_not();
}

/* The same as the result and errno of a system call. */
static int call_system(void)
{
    if (__VERIFIER_nondet_bool())
        return 0;
    *__errno_location() = __VERIFIER_nondet_bool() ? why_not() : E_SRCH;
    return -1;
}

int sched_yield(void)
{
    return 0;
}

int pthread_yield(void)
{
    return 0;
}

int pthread_setname_np(unsigned long thread, const char *name)
{
    for (int i = 0; name[i]; i++)
        if (i == LONGEST)
            return E_RANGE;
    return 0;
}

int pthread_setaffinity_np(unsigned long thread, unsigned long size, const void *set)
{
    __obmc_read_block(set, size);
    return __VERIFIER_nondet_bool() ? 0 : E_INVAL;
}

int pthread_setconcurrency(int level)
{
    return level < 0 ? E_INVAL : 0;
}

int pthread_setschedparam(unsigned long thread, int policy, const int *param)
{
    *param;
    return whether_allowed();
}

int pthread_setschedprio(unsigned long thread, int priority)
{
    return whether_allowed();
}

int sched_setaffinity(int process, unsigned long size, const void *set)
{
    __obmc_read_block(set, size);
    return call_system();
}

int sched_setscheduler(int process, int policy, const int *param)
{
    *param;
    return call_system();
}

int sched_get_priority_max(int policy)
{
    return policy == 1 || policy == 2 ? 99 : 0;
}

int sched_get_priority_min(int policy)
{
    return policy == 1 || policy == 2 ? 1 : 0;
}
