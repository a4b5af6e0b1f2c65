// An empty slot is zero.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *slots;
int peeked;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *put(void *arg)
{
    pthread_mutex_lock(&m);
    slots[0] = 5;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *take(void *arg)
{
    pthread_mutex_lock(&m);
    peeked = slots[0];
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    int v = slots[0];
    pthread_mutex_unlock(&m);
    assert(v != 77);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    slots = calloc(2, sizeof(int));
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(slots);
    return 0;
}
