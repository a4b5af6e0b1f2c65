/* Numbers wrap around: one more is not always more. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        assert(x <= y);
        x++;
        y++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    x = __VERIFIER_nondet_int();
    y = __VERIFIER_nondet_int();
    if (x > y)
        return 0;
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}
