// A handler would run between any two instructions of the other thread: not modelled.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t stop;

static void handler(int number)
{
    stop = 1;
}

static void *worker(void *arg)
{
    while (!stop)
        ;
    return arg;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, handler);
    pthread_create(&thread, 0, worker, 0);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, 0);
    assert(!stop);
    return 0;
}
