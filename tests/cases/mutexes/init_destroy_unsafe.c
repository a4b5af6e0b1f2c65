#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m, other;
static int x;
static void *worker(void *arg) {
    pthread_mutex_t *mine = arg;
    pthread_mutex_lock(mine);
    int old = x;
    x = old + 1;
    pthread_mutex_unlock(mine);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_mutex_init(&m, 0);
    pthread_mutex_init(&other, 0);
    pthread_create(&a, 0, worker, &m);
    pthread_create(&b, 0, worker, &other);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_mutex_destroy(&m);
    assert(x == 2);
    return 0;
}
