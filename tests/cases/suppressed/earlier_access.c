// The last write may race. The one before it may not.
#include <pthread.h>

static int x;

static void *put(void *unused)
{
    x = 1;
    x = 2; // obmc: race-ok: the last word
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, put, 0);
    int got = x;
    pthread_join(other, 0);
    return got;
}
