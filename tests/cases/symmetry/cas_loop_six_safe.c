// Six threads increment by compare-and-swap until it works.
#include <assert.h>
#include <pthread.h>

#define THREADS 6

static int counter;

static void *count(void *unused) {
    (void)unused;
    int old;
    do
        old = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
    while (!__sync_bool_compare_and_swap(&counter, old, old + 1));
    return NULL;
}

int main(void) {
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, count, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(counter == THREADS);
    return 0;
}
