// While a thread waits, its mutex is free; when it returns, the mutex is held again.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int stage, busy;
static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    assert(stage == 1);
    stage = 2;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    busy = 1;
    stage = stage ? stage : 1;
    busy = 0;
    while (stage != 2)
        pthread_cond_wait(&c, &m);
    busy = 1;
    busy = 0;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
