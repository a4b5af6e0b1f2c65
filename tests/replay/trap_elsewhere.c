// The compiler compares x with -5, which does not overflow; thread 2 traps, which is another thing.
#include <limits.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int hits;

static void *trapper(void *arg)
{
    __builtin_trap();
    return arg;
}

int main(void)
{
    pthread_t t;
    int x = __VERIFIER_nondet_int();
    if (x != INT_MIN)
        return 0;
    pthread_create(&t, 0, trapper, 0);
    if (-x == 5)
        hits = 1;
    pthread_join(t, 0);
    return 0;
}
