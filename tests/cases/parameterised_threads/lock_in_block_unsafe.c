#include <pthread.h>
#include <stdlib.h>
/* Each second thread is given a block of its own, and the other one is not locked. */
struct shared {
    pthread_mutex_t lock;
    int n;
};
struct shared *other;
void *worker(void *arg)
{
    struct shared *shared = arg;
    pthread_mutex_lock(&shared->lock);
    other->n = 1;
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
    other = shared;
    for (;;) {
        struct shared *own = malloc(sizeof *own);
        if (!own)
            return 0;
        pthread_mutex_init(&own->lock, 0);
        pthread_create(&thread, 0, worker, own);
        pthread_create(&thread, 0, worker, shared);
    }
}
