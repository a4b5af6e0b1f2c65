#include <assert.h>
#include <threads.h>
static  int mine;
static int worker(void *arg) {
    mine = 3;
    return 0;
}
int main(void) {
    thrd_t t;
    thrd_create(&t, worker, 0);
    thrd_join(t, 0);
    assert(mine == 0);
    return 0;
}
