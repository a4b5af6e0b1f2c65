#include <assert.h>
#include <threads.h>
static mtx_t m;
static int x;
static int worker(void *arg) {

    x++;

    return 0;
}
int main(void) {
    thrd_t a, b;
    mtx_init(&m, mtx_plain);
    thrd_create(&a, worker, 0);
    thrd_create(&b, worker, 0);
    thrd_join(a, 0);
    thrd_join(b, 0);
    mtx_destroy(&m);
    assert(x == 2);
    return 0;
}
