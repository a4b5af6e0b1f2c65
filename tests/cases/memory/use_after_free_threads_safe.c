#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *worker(void *arg) {
    *p = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    p = malloc(sizeof(int));
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    free(p);
    return 0;
}
