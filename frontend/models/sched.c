/* Scheduling hints. Every schedule is considered anyway, so they do nothing and succeed. */
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
    return 0;
}

int pthread_setaffinity_np(unsigned long thread, unsigned long size, const void *set)
{
    return 0;
}

int pthread_setconcurrency(int level)
{
    return 0;
}

int pthread_setschedparam(unsigned long thread, int policy, const void *param)
{
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

int sched_setscheduler(int process, int policy, const void *param)
{
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
