// write is where a thread is cancelled.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

int passed;
int cancelled;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    write(1, "x", 1);
    passed = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, worker, 0);
    pthread_cancel(t);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(!passed);
    return 0;
}
