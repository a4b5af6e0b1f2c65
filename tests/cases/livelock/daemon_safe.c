/* A thread that still spins when main returns ends with the process. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int never;

void *spins(void *arg)
{
    while (!never)
        ;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, spins, 0);
    pthread_detach(t);
    return 0;
}
