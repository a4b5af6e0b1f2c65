// A thread that was joined is gone: to use its id is undefined.
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
    pthread_detach(thread);
    return 0;
}
