/* A thread is joined after the next one was started. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int data;

void *worker(void *arg)
{
    data++;
    return 0;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        pthread_t id;
        pthread_create(&id, 0, worker, 0);
        if (__VERIFIER_nondet_int())
            pthread_join(id, 0);
    }
    return 0;
}
