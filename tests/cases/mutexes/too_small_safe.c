#include <pthread.h>
#include <stdlib.h>
int main(void) {
    pthread_mutex_t *m = calloc(1, sizeof *m);
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
    free(m);
    return 0;
}
