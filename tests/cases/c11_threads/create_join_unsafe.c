#include <assert.h>
#include <threads.h>
static int x;
static int worker(void *arg) {
    x = *(int *)arg;
    return x + 1;
}
int main(void) {
    thrd_t t;
    int in = 4, out = 0;
    assert(thrd_create(&t, worker, &in) == thrd_success);
    thrd_detach(t); out = 5;
    assert(x == 4 && out == 5);
    return 0;
}
