#include <assert.h>
#include <pthread.h>
static int x;
static void *worker(void *arg) {
    x++;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, worker, 0);
    pthread_attr_destroy(&attr);
    int seen = x;
    assert(seen == 1);
    return 0;
}
