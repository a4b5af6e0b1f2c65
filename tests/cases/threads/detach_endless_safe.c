// More threads than a model counts: a proof about any number of them does not count.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *turn(void *arg)
{
    pthread_mutex_lock(&lock);
    x = !x;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, turn, 0);
        pthread_detach(t);
    }
}
