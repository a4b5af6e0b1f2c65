/* The id and the result are different members of a block. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct job {
    pthread_t id;
    int result;
};

void *worker(void *arg)
{
    struct job *job = arg;
    job->result = 1;
    return 0;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct job *job = malloc(sizeof(struct job));
        pthread_create(&job->id, 0, worker, job);
    }
    return 0;
}
