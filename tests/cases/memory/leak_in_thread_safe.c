#include <pthread.h>
#include <stdlib.h>
static void *worker(void *arg) {
    char *p = malloc(2);
    p[1] = 0;
    free(p);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
