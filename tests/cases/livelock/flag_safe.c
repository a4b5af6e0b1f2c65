/* The flag is set before the join. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

void *waits(void *arg)
{
    while (!atomic_load(&flag))
        ;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waits, 0);
    atomic_store(&flag, 1);
    pthread_join(t, 0);
    return 0;
}
