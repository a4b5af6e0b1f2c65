/* The relation holds whenever a flag says so. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int ready, x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (ready)
            assert(x == y);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    while (1) {
        int v = __VERIFIER_nondet_int();
        pthread_mutex_lock(&m);
        ready = 0;
        x = v;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        y = x;
        ready = 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
