#include <pthread.h>
#include <stdlib.h>
static void *worker(void *arg) { return 0; }
int main(void) {
    pthread_t t;
    pthread_attr_t *a = malloc(sizeof *a);
    pthread_attr_init(a);
    pthread_create(&t, a, worker, 0);
    free(a);
    pthread_join(t, 0);
    return 0;
}
