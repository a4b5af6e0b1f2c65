// Attributes are read when the mutex is made, and not later.
#include <pthread.h>
#include <stdlib.h>
int main(void) {
    pthread_mutex_t m;
    pthread_mutexattr_t *a = malloc(sizeof *a);
    pthread_mutexattr_init(a);
    pthread_mutex_init(&m, a);
    free(a);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
