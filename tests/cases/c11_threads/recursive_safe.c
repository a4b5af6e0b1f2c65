#include <assert.h>
#include <threads.h>
static mtx_t m;
static int worker(void *arg) {
    return mtx_trylock(&m);
}
int main(void) {
    thrd_t t;
    int r;
    mtx_init(&m, mtx_plain | mtx_recursive);
    assert(mtx_lock(&m) == thrd_success);
    assert(mtx_lock(&m) == thrd_success);
    mtx_unlock(&m);
    thrd_create(&t, worker, 0);
    thrd_join(t, &r);
    assert(r == thrd_busy);
    mtx_unlock(&m);
    assert(mtx_trylock(&m) == thrd_success);
    return 0;
}
