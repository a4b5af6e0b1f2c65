/* Who has joined all others needs no lock. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    x += 3;
    y += 3;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    x = __VERIFIER_nondet_int();
    y = x;
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == y);
    x = 5;
    assert(x == 5);
    return 0;
}
