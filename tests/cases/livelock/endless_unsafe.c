/* A server that runs for ever, and a thread that waits in vain for it to be ready. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int count, ready;

void *serves(void *arg)
{
    for (;;)
        atomic_store(&count, !atomic_load(&count));
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, serves, 0);
    while (!ready)
        ;
    return 0;
}
