#include <assert.h>
#include <threads.h>
static once_flag flag = ONCE_FLAG_INIT;
static int count;
static void init(void) { count++; }
static int worker(void *arg) {
    call_once(&flag, init);
    return count;
}
int main(void) {
    thrd_t t;
    int r;
    thrd_create(&t, worker, 0);
    call_once(&flag, init);
    thrd_join(t, &r);
    assert(r == 1);
    return 0;
}
