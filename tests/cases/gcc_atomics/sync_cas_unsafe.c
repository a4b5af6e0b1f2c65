#include <assert.h>
#include <pthread.h>
static int owner, entered;
static void *worker(void *arg) {
    if (owner == 0 && (owner = 1))
        __sync_fetch_and_add(&entered, 1);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(__sync_val_compare_and_swap(&owner, 1, 2) == 1 && owner == 2);
    assert(entered == 1);
    return 0;
}
