#include <pthread.h>
#include <stdlib.h>
/* A block is given to the thread that is started with it. */
struct job { int in, out; };
void *worker(void *arg)
{
    struct job *job = arg;
    job->out = job->in / 2;
    free(job);
    return 0;
}
int main(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        pthread_t thread;
        struct job *job = malloc(sizeof *job);
        job->in = i;
        pthread_create(&thread, 0, worker, job);
    }
    pthread_exit(0);
}
