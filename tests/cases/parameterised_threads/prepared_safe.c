/* An element is prepared before its thread starts. */
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
        data[i] = i;
        pthread_create(&id, 0, worker, &data[i]);
    }
    return 0;
}
