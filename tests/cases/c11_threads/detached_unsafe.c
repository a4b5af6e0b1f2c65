#include <assert.h>
#include <threads.h>
static int worker(void *arg) { return 7; }
int main(void) {
    thrd_t t;
    int r = 0;
    thrd_create(&t, worker, 0);
    thrd_detach(t);
    assert(thrd_join(t, &r) == thrd_success && r == 7);
    return 0;
}
