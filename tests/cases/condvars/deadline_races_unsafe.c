#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static struct timespec t, other;
static void *worker(void *arg) {
    t.tv_nsec = 5;
    return 0;
}
int main(void) {
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &t);
    pthread_mutex_unlock(&m);
    pthread_join(id, 0);
    return 0;
}
