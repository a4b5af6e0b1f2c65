// It is a function whenever it is called.
#include <assert.h>
#include <pthread.h>

int (*_Atomic get)(int);

static int same(int x)
{
    return x;
}

static int next(int x)
{
    return x + 1;
}

static void *change(void *arg)
{
    get = next;
    return arg;
}

int main(void)
{
    pthread_t t;
    get = same;
    pthread_create(&t, 0, change, 0);
    assert(get(1) <= 2);
    pthread_join(t, 0);
    return 0;
}
