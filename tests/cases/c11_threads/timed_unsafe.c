#include <assert.h>
#include <threads.h>
#include <time.h>
static mtx_t m;
static int worker(void *arg) {
    struct timespec t = {0, 0};
    return mtx_timedlock(&m, &t);
}
int main(void) {
    thrd_t t;
    int r;
    mtx_init(&m, mtx_timed);
    mtx_lock(&m);
    thrd_create(&t, worker, 0);
    thrd_join(t, &r);
    assert(r == thrd_success);
    return 0;
}
