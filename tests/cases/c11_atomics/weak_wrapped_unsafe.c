/* Who does not try again may not have added. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static _Bool swap(atomic_int *p, int old, int new) { return atomic_compare_exchange_weak(p, &old, new); }
static void *adds(void *arg)
{
    int seen;

        seen = atomic_load(&x);
    swap(&x, seen, seen + 1);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, adds, 0);
    pthread_create(&b, 0, adds, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
