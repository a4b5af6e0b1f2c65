/* `rand_r` replaces the seed, which both threads use. */
#include <pthread.h>
#include <stdlib.h>

unsigned seed;

void *worker(void *arg)
{
    rand_r(&seed);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    rand_r(&seed);
    return 0;
}
