// A comment of its own line is about the next one.
#include <pthread.h>

static int x;

static void *put(void *unused)
{
    // obmc: race-ok: only one value is ever written
    x = 1;
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
