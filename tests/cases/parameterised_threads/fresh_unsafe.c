/* All threads get the block that was made before the loop. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct job {
    int input, output;
};

void *worker(void *arg)
{
    struct job *job = arg;
    job->output = job->input;
    return 0;
}

int main(void)
{
    pthread_t id;
    int n = __VERIFIER_nondet_int();
    struct job *job = malloc(sizeof(struct job));
    job->input = 1;
    for (int i = 0; i < n; i++) {
        pthread_create(&id, 0, worker, job);
    }
    return 0;
}
