// The same with a release store and an acquire load: both threads get in.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn;
int inside;

void *first(void *unused)
{
    for (;;) {
        atomic_store_explicit(&wants[0], 1, memory_order_release);
        atomic_store_explicit(&turn, 1, memory_order_release);
        while (wants[1] && turn == 1)
            ;
        inside = 1;
        assert(inside == 1);
        wants[0] = 0;
    }
    return unused;
}

void *second(void *unused)
{
    for (;;) {
        atomic_store_explicit(&wants[1], 1, memory_order_release);
        atomic_store_explicit(&turn, 0, memory_order_release);
        while (wants[0] && turn == 0)
            ;
        inside = 2;
        assert(inside == 2);
        wants[1] = 0;
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
