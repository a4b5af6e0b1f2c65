// One of four threads wins: three others have lost, not fewer.
#include <assert.h>
#include <pthread.h>

#define THREADS 4

static int taken, lost;

static void *try(void *unused) {
    (void)unused;
    if (!__sync_bool_compare_and_swap(&taken, 0, 1))
        __sync_fetch_and_add(&lost, 1);
    return NULL;
}

int main(void) {
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, try, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(lost != THREADS - 1);
    return 0;
}
