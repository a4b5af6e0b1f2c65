// Whatever the order of the regions is, they add up: to something else.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum = 3;

static void *up(void *unused) {
    (void)unused;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        sum += 2;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *down(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    int old = sum;
    sum = old - 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t first, second, third;
    pthread_create(&first, NULL, up, NULL);
    pthread_create(&second, NULL, down, NULL);
    pthread_create(&third, NULL, up, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    pthread_join(third, NULL);
    assert(sum != 10);
    return 0;
}
