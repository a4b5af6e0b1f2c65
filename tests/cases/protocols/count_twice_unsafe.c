/* A thread passes the store twice: it counts once, and the cell is ahead. */
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int done, n;

void *worker(void *arg)
{
    for (int twice = 0; twice < 2; twice++) {
        pthread_mutex_lock(&m);
        int seen = done;
        done = seen + 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *observer(void *arg)
{
    if (done > n)
        reach_error();
    return 0;
}

int main(void)
{
    pthread_t id;
    n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n < 3);
    pthread_create(&id, 0, observer, 0);
    for (int i = 0; i < n; i++)
        pthread_create(&id, 0, worker, 0);
    return 0;
}
