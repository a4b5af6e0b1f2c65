// A plain access of an object that others access as volatile races, whatever volatile means.
#include <pthread.h>

static int shared;

static void *put(void *unused)
{
    *(volatile int *)&shared = 1;
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, put, 0);
    int got = shared;
    pthread_join(other, 0);
    return got;
}
