// A call through null crashes: memory safety is violated, and nothing follows.
#include <assert.h>
#include <pthread.h>

int (*get)(int);

static int same(int x)
{
    return x;
}

static void *clear(void *arg)
{
    get = 0;
    return arg;
}

int main(void)
{
    pthread_t t;
    get = same;
    pthread_create(&t, 0, clear, 0);
    pthread_join(t, 0);
    get(0);
    assert(0);
    return 0;
}
