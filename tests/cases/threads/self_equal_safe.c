#include <assert.h>
#include <pthread.h>
static pthread_t seen;
static void *worker(void *arg) {
    seen = pthread_self();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(pthread_equal(seen, t));
    assert(!pthread_equal(pthread_self(), t));
    return 0;
}
