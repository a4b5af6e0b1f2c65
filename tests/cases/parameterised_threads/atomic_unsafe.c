/* One use is outside. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int data[4];

void *worker(void *arg)
{
    for (int i = 0; i < 4; i++) {
        __VERIFIER_atomic_begin();
        data[i]++;
        __VERIFIER_atomic_end();
        if (i == 3)
            data[i] = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t id;
    while (__VERIFIER_nondet_int())
        pthread_create(&id, 0, worker, 0);
    return 0;
}
