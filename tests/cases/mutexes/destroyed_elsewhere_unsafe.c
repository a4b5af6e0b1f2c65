// A destroyed mutex ends some executions; the error is in one that does not use it.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *thread(void *none)
{
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    pthread_mutex_lock(&mutex);
    int seen = done;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
    assert(seen == 0);
    return 0;
}
