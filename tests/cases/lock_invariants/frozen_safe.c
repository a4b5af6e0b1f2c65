/* What nobody changes any more is as it was when the threads were started. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    while (1)
        assert(x < y);
    return 0;
}

int main(void)
{
    x = __VERIFIER_nondet_int();
    y = __VERIFIER_nondet_int();
    if (x >= y)
        return 0;
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}
