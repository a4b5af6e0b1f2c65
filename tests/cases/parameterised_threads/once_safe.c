#include <pthread.h>
#include <assert.h>
/* Any number of threads read what is set up once. */
pthread_once_t once = PTHREAD_ONCE_INIT;
int settings;
void set_up(void)
{
    settings = 7;
}
void *worker(void *arg)
{
    pthread_once(&once, set_up);
    assert(settings == 7);
    return 0;
}
int main(void)
{
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, worker, 0);
}
