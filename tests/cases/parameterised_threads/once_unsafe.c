#include <pthread.h>
#include <assert.h>
/* What is set up once is set up anew by whoever finds it missing. */
pthread_once_t once = PTHREAD_ONCE_INIT;
int settings;
void set_up(void)
{
    settings = 7;
}
void *worker(void *arg)
{
    if (settings == 0)
        set_up();
    assert(settings == 7);
    return 0;
}
int main(void)
{
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, worker, 0);
}
