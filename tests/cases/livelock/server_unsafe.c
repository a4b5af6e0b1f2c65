/* A server that waits for work which never comes, and a main that waits for the server. */
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
    
    pthread_join(t, 0);
    return 0;
}
