/* What a thread stores in a variable of its own it finds there. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

__thread int data;

void *worker(void *arg)
{
    data = 1;
    assert(data == 1);
    data = 2;
    return 0;
}

int main(void)
{
    pthread_t id;
    while (__VERIFIER_nondet_int())
        pthread_create(&id, 0, worker, 0);
    return 0;
}
