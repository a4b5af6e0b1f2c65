#include <assert.h>
#include <threads.h>
static thrd_t seen;
static int worker(void *arg) {
    seen = thrd_current();
    thrd_yield();
    thrd_exit(7);
    return 8;
}
int main(void) {
    thrd_t t;
    int out;
    thrd_create(&t, worker, 0);
    thrd_join(t, &out);
    assert(out == 7);
    assert(thrd_equal(seen, t) && !thrd_equal(seen, thrd_current()));
    return 0;
}
