/* The order of the two holds after every step, so nobody needs the lock to see it. */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (y < 1000000)
            y++;
        if (x < y)
            x++;
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
        __VERIFIER_atomic_begin();
        assert(x <= y);
        __VERIFIER_atomic_end();
    }
    return 0;
}
