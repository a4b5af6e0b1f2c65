#include <threads.h>
static mtx_t m;
static int worker(void *arg) {
    mtx_lock(&m);
    mtx_unlock(&m);
    return 0;
}
int main(void) {
    thrd_t t;
    mtx_init(&m, mtx_plain);
    thrd_create(&t, worker, 0);
    thrd_join(t, 0);
    mtx_destroy(&m);
    return 0;
}
