#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *p;
static void *worker(void *arg) {

    if (p)
        *p = 1;

    return 0;
}
int main(void) {
    pthread_t t;
    p = malloc(4);
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    free(p);
    p = 0;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
