// The thread may come to a destroyed mutex, which is undefined; where it does not, nothing fails.
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
    assert(seen == 0 || seen == 1);
    return 0;
}
