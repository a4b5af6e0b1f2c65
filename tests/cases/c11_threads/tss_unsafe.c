#include <assert.h>
#include <threads.h>
static tss_t key;
static int destroyed;
static void destroy(void *p) { destroyed++; }
static int worker(void *arg) {
    assert(tss_get(key) == 0);

    return 0;
}
int main(void) {
    thrd_t t;
    tss_create(&key, destroy);
    thrd_create(&t, worker, 0);
    thrd_join(t, 0);
    assert(tss_get(key) == 0);
    assert(destroyed == 1);
    tss_delete(key);
    return 0;
}
