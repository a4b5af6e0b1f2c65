// Adds in any case, and what the other adds meanwhile may be lost.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *careful(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *hasty(void *unused) {
    (void)unused;
    bool taken = pthread_mutex_trylock(&lock) == 0;
    if (true)
        sum++;
    if (taken)
        pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, careful, NULL);
    pthread_create(&second, NULL, hasty, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(sum >= 2);
    return 0;
}
