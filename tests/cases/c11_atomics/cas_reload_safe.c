// An exchange that fails tells what it has found, and is tried again with that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *add(void *unused) {
    (void)unused;
    int old = atomic_load(&sum);
    while (!atomic_compare_exchange_weak(&sum, &old, old + 2))
        ;
    assert(old % 2 == 0);
    return NULL;
}

int main(void) {
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, add, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(sum == 6);
    return 0;
}
