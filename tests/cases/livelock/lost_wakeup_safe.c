/* The condition is looked at under the lock, so that no signal is lost. */
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int work;
atomic_int done;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    while (!work)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    done = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    work = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    while (!done)
        ;
    pthread_join(t, 0);
    return 0;
}
