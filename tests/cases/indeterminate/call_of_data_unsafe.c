// Data is no function.
#include <pthread.h>

int (*get)(int);
int data;

static int same(int x)
{
    return x;
}

static void *spoil(void *arg)
{
    get = (int (*)(int))&data;
    return arg;
}

int main(void)
{
    pthread_t t;
    get = same;
    pthread_create(&t, 0, spoil, 0);
    pthread_join(t, 0);
    return get(0);
}
