/* An access through null ends the process; what was written before can be seen, what comes behind not. */
#include <pthread.h>

void reach_error(void) {}
int __VERIFIER_nondet_int(void);

int a, x;
int *p;

void *work(void *arg)
{
    x = 1;
    *p = 1;
    x = 2;
    return 0;
}

int main(void)
{
    pthread_t id;
    p = __VERIFIER_nondet_int() ? &a : 0;
    pthread_create(&id, 0, work, 0);
    pthread_join(id, 0);
    if (x != 2 || p == 0)
        reach_error();
    return 0;
}
