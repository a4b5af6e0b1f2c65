/* Only what is positive arrives. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int x, y, sum;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    while (1) {
        int part = __VERIFIER_nondet_int();
        pthread_mutex_lock(&m);
        assert(x + y == sum);
        x -= part;
        if (part > 0)
            y += part;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    x = __VERIFIER_nondet_int();
    y = __VERIFIER_nondet_int();
    sum = x + y;
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}
