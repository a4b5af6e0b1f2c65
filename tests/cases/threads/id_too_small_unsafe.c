// The place for the id is too small.
#include <pthread.h>
#include <stdlib.h>
static void *worker(void *arg) {
    return 0;
}
int main(void) {
    pthread_t *id = malloc(sizeof *id - 1);
    if (id)
        pthread_create(id, 0, worker, 0);
    free(id);
    return 0;
}
