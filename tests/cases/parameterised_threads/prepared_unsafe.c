/* An element is prepared after its thread was started. */
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int data[16];

void *worker(void *arg)
{
    int *mine = arg;
    *mine += 1;
    return 0;
}

int main(void)
{
    pthread_t id;
    int n = __VERIFIER_nondet_int();
    if (n > 16)
        return 0;
    for (int i = 0; i < n; i++) {
        pthread_create(&id, 0, worker, &data[i]);
        data[i] = i;
    }
    return 0;
}
