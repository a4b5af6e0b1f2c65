#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *p;
int freed, after;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *frees(void *arg) {
    pthread_mutex_lock(&m);
    free(p);
    freed = 1;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    p = malloc(sizeof *p);
    pthread_create(&t, 0, frees, 0);
    pthread_mutex_lock(&m);
    *p = 1;
    after = freed;
    pthread_mutex_unlock(&m);
    assert(after);
    return 0;
}
