/* One number follows another one. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    while (1) {
        int more = __VERIFIER_nondet_int();
        pthread_mutex_lock(&m);
        assert(x <= y);
        if (more > 0 && y < 1000)
            y++;
        else if (x < y)
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
    return 0;
}
