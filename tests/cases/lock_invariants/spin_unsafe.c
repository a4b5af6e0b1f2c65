/* The spin lock is made free while somebody holds it. */
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_spinlock_t s;

void *worker(void *arg)
{
    while (1) {
        pthread_spin_lock(&s);
        assert(x == y);
        x++;
        y++;
        pthread_spin_unlock(&s);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    s = 0;
    return 0;
}
