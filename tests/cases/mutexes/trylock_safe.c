#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *worker(void *arg) {
    int r = pthread_mutex_trylock(&m);
    assert(r == 0 || r == EBUSY);
    if (r != 0)
        return 0;
    int old = x;
    x = old + 1;
    assert(x == old + 1);
    if (r == 0)
        pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
