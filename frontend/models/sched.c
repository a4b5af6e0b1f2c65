/* Scheduling hints. Every schedule is considered anyway, so they do nothing and succeed, but read what
 * they are given. */
enum { E_INVAL = 22, E_RANGE = 34, LONGEST = 15 };

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
    return 0;
}

int pthread_setconcurrency(int level)
{
    return level < 0 ? E_INVAL : 0;
}

int pthread_setschedparam(unsigned long thread, int policy, const int *param)
{
    *param;
    return 0;
}

int pthread_setschedprio(unsigned long thread, int priority)
{
    return 0;
}

int sched_setaffinity(int process, unsigned long size, const void *set)
{
    return 0;
}

int sched_setscheduler(int process, int policy, const int *param)
{
    *param;
    return 0;
}

int sched_get_priority_max(int policy)
{
    return policy == 1 || policy == 2 ? 99 : 0;
}

int sched_get_priority_min(int policy)
{
    return policy == 1 || policy == 2 ? 1 : 0;
}
