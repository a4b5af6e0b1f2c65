// A cancelled thread may stop at a cancellation point; before it, its writes are done.
#include <assert.h>
#include <pthread.h>
static int x;
static void *worker(void *arg) {
    x = 1;
    pthread_testcancel();
    x = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    void *out;
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    pthread_join(t, &out);
    if (out == PTHREAD_CANCELED)
        assert(x == 1);
    return 0;
}
