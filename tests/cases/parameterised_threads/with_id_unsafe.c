/* The thread looks at its id while the creator clears it. */
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
    job->result = (int)job->id;
    return 0;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct job *job = malloc(sizeof(struct job));
        pthread_create(&job->id, 0, worker, job);
        job->id = 0;
    }
    return 0;
}
