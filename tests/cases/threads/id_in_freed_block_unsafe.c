// The creator reads the id from a block that the thread may have freed.
#include <pthread.h>
#include <stdlib.h>
struct job {
    pthread_t id;
    int n;
};
static void *worker(void *arg) {
    struct job *job = arg;
    pthread_detach(job->id);
    free(job);
    return 0;
}
int main(void) {
    struct job *job = malloc(sizeof *job);
    if (!job)
        return 0;
    pthread_create(&job->id, 0, worker, job);
    pthread_detach(job->id);
    pthread_exit(0);
}
