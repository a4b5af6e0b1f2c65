// Store buffering, the smallest surprise of weak memory: each thread raises its flag and looks at the other's.
//   obmc check examples/store_buffering.c               UNSAFE: both may see the other's flag down
//   obmc check examples/store_buffering.c --mm sc       SAFE: in an interleaving one of them is later
//   obmc check examples/store_buffering.c -DFENCED      SAFE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCED
#define FENCE atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE
#endif

atomic_int flag[2];
int alone[2];

static void enter(int me)
{
    atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
    FENCE;
    alone[me] = atomic_load_explicit(&flag[1 - me], memory_order_relaxed) == 0;
}

void *first(void *unused)
{
    enter(0);
    return 0;
}

void *second(void *unused)
{
    enter(1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!(alone[0] && alone[1]));
    return 0;
}
