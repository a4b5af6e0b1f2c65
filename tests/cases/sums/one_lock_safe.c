// Both add under the same lock.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *mutex) {
    pthread_mutex_lock(mutex);
    int old = sum;
    sum = old + 1;
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, add, &lock);
    pthread_create(&second, NULL, add, &lock);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(sum == 2);
    return 0;
}
