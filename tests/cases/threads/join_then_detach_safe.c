// One thread is joined, another one detached.
#include <assert.h>
#include <pthread.h>

void *work(void *unused)
{
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    assert(pthread_join(thread, 0) == 0);
    pthread_create(&thread, 0, work, 0);
    assert(pthread_detach(thread) == 0);
    return 0;
}
