/* Somebody does. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

_Atomic int level;

void *worker(void *arg)
{
    int next = (int)(long)arg;
    if (next >= 0 && next <= 10)
        level = next;
    assert(level < 10);
    return 0;
}

int main(void)
{
    pthread_t id;
    level = 50;
    level = 5;
    for (int i = 0; __VERIFIER_nondet_int(); i = __VERIFIER_nondet_int())
        pthread_create(&id, 0, worker, (void *)(long)i);
    return 0;
}
