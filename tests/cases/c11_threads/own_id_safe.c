// C11: the call of thrd_create is over when the thread begins, so the id is stored.
#include <assert.h>
#include <threads.h>
static thrd_t id;
static int worker(void *arg) {
    assert(id == thrd_current());
    return 0;
}
int main(void) {
    thrd_create(&id, worker, 0);
    thrd_join(id, 0);
    return 0;
}
