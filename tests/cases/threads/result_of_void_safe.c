#include <assert.h>
#include <pthread.h>

static int done;

static void work(void *unused)
{
    done = 1;
}

/* That nobody looks at the result is not enough for C, but for machines. */
int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, 0, (void *(*)(void *))work, 0);
    pthread_join(t, &result);
    assert(done);
    return 0;
}
