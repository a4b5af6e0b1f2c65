/* Where threads are cancelled, a join asks in an atomic block whether the thread has ended. */
#include <assert.h>
#include <pthread.h>

static int cleaned;

static void clean(void *unused)
{
    (void)unused;
    cleaned = 1;
}

static void *work(void *unused)
{
    pthread_cleanup_push(clean, 0);
    pthread_cancel(pthread_self());
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(!cleaned);
    return 0;
}
