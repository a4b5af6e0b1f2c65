#include <pthread.h>
#include <stdlib.h>
/* A heap block with a lock inside, given to any number of threads. */
struct shared {
    pthread_mutex_t lock;
    int n;
};
struct shared *given;
void *worker(void *arg)
{
    struct shared *shared = arg;
    pthread_mutex_lock(&shared->lock);
    shared->n = 1;
    pthread_mutex_unlock(&shared->lock);
    return 0;
}
int main(void)
{
    pthread_t thread;
    struct shared *shared = malloc(sizeof *shared);
    if (!shared)
        return 0;
    pthread_mutex_init(&shared->lock, 0);
    given = shared;
    for (;;) {
        pthread_create(&thread, 0, worker, shared);
    }
}
