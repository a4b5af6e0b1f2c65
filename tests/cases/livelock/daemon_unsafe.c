/* main ends as a thread, so the process goes on for as long as the other one spins. */
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
    pthread_exit(0);
}
