/* Each thread is joined before the next one starts. */
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
        pthread_join(id, 0);
        data++;
    }
    return 0;
}
