/* Each thread has a seed of its own. */
#include <pthread.h>
#include <stdlib.h>

unsigned seeds[2];

void *worker(void *arg)
{
    rand_r(&seeds[1]);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    rand_r(&seeds[0]);
    return 0;
}
