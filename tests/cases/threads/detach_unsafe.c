#include <assert.h>
#include <pthread.h>
static int x;
static void *worker(void *arg) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(pthread_detach(t) == 0);
    int seen = x;
    assert(seen == 0);
    return 0;
}
