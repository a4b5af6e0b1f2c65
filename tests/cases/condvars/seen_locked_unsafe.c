/* Another thread finds the mutex taken three times while this one waits: it has woken up in between. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int stop, waits;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&m);
    waits = 1;
    while (!stop)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    int seen = 0;
    pthread_create(&t, 0, waiter, 0);
    for (int i = 0; i < 2 * 3; i++) {
        int failed = pthread_mutex_trylock(&m);
        if (!failed) {
            int waiting = waits;
            pthread_mutex_unlock(&m);
            if (!waiting || i % 2)
                return 0;
        } else if (i % 2 == 0) {
            return 0;
        }
        seen += failed != 0;
    }
    assert(seen < 3);
    return 0;
}
