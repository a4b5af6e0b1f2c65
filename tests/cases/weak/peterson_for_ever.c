// Peterson's lock in endless loops: all accesses are seq_cst, so no model shows more than interleavings.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn;
int inside;

void *first(void *unused)
{
    for (;;) {
        wants[0] = 1;
        turn = 1;
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
        wants[1] = 1;
        turn = 0;
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
