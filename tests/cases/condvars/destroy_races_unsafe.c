#include <pthread.h>
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *worker(void *arg) {
    pthread_cond_signal(&c);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_cond_destroy(&c);
    pthread_join(t, 0);
    return 0;
}
