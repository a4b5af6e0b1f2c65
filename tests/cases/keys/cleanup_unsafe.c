#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int trace;
static void note(void *arg) { trace = trace * 10 + *(int *)arg; }
static void unlock(void *arg) { pthread_mutex_unlock(arg); }
static int one = 1, two = 2;
static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, &m);
    pthread_cleanup_push(note, &one);
    pthread_cleanup_push(note, &two);
    if (arg)
        pthread_exit(0);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_mutex_lock(&m);
    assert(trace == 21);
    return 0;
}
