/* One round more. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
atomic_int next;
int all;

void *worker(void *arg)
{
    int mine = atomic_fetch_add(&next, 1);
    assert(mine < all);
    return 0;
}

int main(void)
{
    pthread_t id;
    all = 1;
    for (int i = all; i >= 0; i--)
        pthread_create(&id, 0, worker, 0);
    return 0;
}
