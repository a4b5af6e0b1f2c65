// Alike, but looked at when only the first has certainly ended: it may have been the second to count.
#include <assert.h>
#include <pthread.h>

static int counter;

static void *count(void *unused) {
    (void)unused;
    __sync_fetch_and_add(&counter, 1);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, count, NULL);
    pthread_create(&second, NULL, count, NULL);
    pthread_join(first, NULL);
    assert(counter == 1);
    pthread_join(second, NULL);
    return 0;
}
