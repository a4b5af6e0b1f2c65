/* Each thread gets a block of its own and frees it. */
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
    for (int i = 0; i < n; i++) {
        struct job *job = malloc(sizeof(struct job));
        job->input = i;
        pthread_create(&id, 0, worker, job);
    }
    return 0;
}
