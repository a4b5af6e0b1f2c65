/* Two of them are the same after all. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int x, y, z;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        assert(x != y);
        int first = x;
        x = y;
        y = z;
        z = first;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    x = __VERIFIER_nondet_int();
    y = x + 1;
    z = y - 1;
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}
