/* It counts its wake-ups, to two. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int stop;

static void *waiter(void *unused)
{
    int wakeups = 0;
    pthread_mutex_lock(&m);
    while (!stop && wakeups < 2) {
        pthread_cond_wait(&c, &m);
        wakeups++;
    }
    pthread_mutex_unlock(&m);
    assert(wakeups < 3);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&m);
    stop = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
