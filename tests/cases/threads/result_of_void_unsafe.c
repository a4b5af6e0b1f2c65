#include <assert.h>
#include <pthread.h>

static int done;

static void work(void *unused)
{
    done = 1;
}

/* The function has no result, so the thread's may be anything. */
int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, (void *(*)(void *))work, 0);
    pthread_join(t, &result);
    assert(done && result == 0);
    return 0;
}
