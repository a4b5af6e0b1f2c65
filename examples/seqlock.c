// A sequence lock: the reader tries again if a writer was at work meanwhile.
//   obmc check examples/seqlock.c              SAFE
//   obmc check examples/seqlock.c -DBROKEN     UNSAFE: does not look at the number again
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint sequence; // odd while the writer is at work
atomic_int x, y;      // always equal for a reader

void *writer(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        atomic_fetch_add(&sequence, 1);
        atomic_store(&x, i);
        atomic_store(&y, i);
        atomic_fetch_add(&sequence, 1);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    unsigned before;
    int a, b;
    pthread_create(&t, 0, writer, 0);
    do {
        before = atomic_load(&sequence);
        a = atomic_load(&x);
        b = atomic_load(&y);
#ifdef BROKEN
    } while (before % 2 == 1);
#else
    } while (before % 2 == 1 || before != atomic_load(&sequence));
#endif
    assert(a == b);
    pthread_join(t, 0);
    return 0;
}
