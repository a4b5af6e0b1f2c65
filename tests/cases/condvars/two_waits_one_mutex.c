#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static _Atomic int done;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&a);
    while (!done)
        pthread_cond_wait(&c, &a);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&a);
    if (done == 2)
        pthread_cond_wait(&c, &a);
    done = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&a);
    pthread_join(t, 0);
    assert(done);
    return 0;
}
