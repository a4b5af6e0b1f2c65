// What was asked for is aligned, in the heap and elsewhere; a run that finds it otherwise takes
// another way than the trace.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

void *memalign(size_t alignment, size_t size);

_Alignas(256) char global[8];
int x;

static int aligned(void *p, uintptr_t to)
{
    return ((uintptr_t)p & (to - 1)) == 0;
}

static void *writer(void *arg)
{
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    _Alignas(128) char local[8];
    void *a = aligned_alloc(1024, 1024), *b = memalign(512, 10), *c = 0;
    if (posix_memalign(&c, 4096, 10) || !a || !b)
        return 0;
    if (!aligned(a, 1024) || !aligned(b, 512) || !aligned(c, 4096))
        return 0;
    if (!aligned(global, 256) || !aligned(local, 128))
        return 0;
    pthread_create(&t, 0, writer, 0);
    assert(x == 0);
    pthread_join(t, 0);
    return 0;
}
