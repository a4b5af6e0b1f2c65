/* The bound is made smaller where all threads have ended, and more are started: the total is that of both loops. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int all, seen;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    seen++;
    assert(seen <= all);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t id;
    for (int round = 0; round < 2; round++) {
        all = 2 - round;
        pthread_create(&id, 0, worker, 0);
        pthread_join(id, 0);
    }
    return 0;
}
