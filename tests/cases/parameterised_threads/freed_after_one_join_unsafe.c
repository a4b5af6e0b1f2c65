/* Two threads have the block; one of them is joined. */
#include <pthread.h>
#include <stdlib.h>

struct job {
    int done;
    pthread_t id;
};

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    struct job *job = arg;
    pthread_mutex_lock(&m);
    job->done++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t other;
    struct job *job = malloc(sizeof *job);
    job->done = 0;
    pthread_create(&other, 0, worker, job);
    pthread_create(&job->id, 0, worker, job);
    pthread_join(job->id, 0);
    free(job);
    pthread_exit(0);
}
