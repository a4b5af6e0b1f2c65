/* A weak exchange fails for no reason only finitely often. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;

void *works(void *arg)
{
    int expected = 0;
    while (!atomic_compare_exchange_weak(&lock, &expected, 1))
        expected = 0;
    lock = 0;
    return 0;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, works, 0);
    pthread_create(&t, 0, works, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
