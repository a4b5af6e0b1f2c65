// Alike until they are asked for what they have seen: the first started need not be the first to count.
#include <assert.h>
#include <pthread.h>

static int counter;

static void *count(void *unused) {
    (void)unused;
    return (void *)(long)__sync_fetch_and_add(&counter, 1);
}

int main(void) {
    pthread_t first, second;
    void *seen;
    pthread_create(&first, NULL, count, NULL);
    pthread_create(&second, NULL, count, NULL);
    pthread_join(first, &seen);
    pthread_join(second, NULL);
    assert((long)seen == 0);
    return 0;
}
