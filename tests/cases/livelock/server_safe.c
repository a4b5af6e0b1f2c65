/* The same server is told to stop. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int work, stop;

void *serves(void *arg)
{
    for (;;) {
        while (!work && !stop)
            ;
        if (stop)
            break;
        work = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, serves, 0);
    work = 1;
    while (work)
        ;
    stop = 1;
    pthread_join(t, 0);
    return 0;
}
