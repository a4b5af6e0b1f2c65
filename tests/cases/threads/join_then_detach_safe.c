// A thread that was joined is gone.
#include <assert.h>
#include <errno.h>
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
    assert(pthread_detach(thread) == ESRCH);
    return 0;
}
