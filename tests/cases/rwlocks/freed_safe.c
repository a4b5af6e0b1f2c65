#include <pthread.h>
#include <stdlib.h>
int main(void) {
    pthread_rwlock_t *l = malloc(sizeof *l);
    pthread_rwlock_init(l, 0);
    pthread_rwlock_destroy(l);
    free(l);
    return 0;
}
