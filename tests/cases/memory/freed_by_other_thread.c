#include <pthread.h>
#include <stdlib.h>
static void *worker(void *arg) {
    free(arg);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, malloc(8));
    pthread_join(t, 0);
    return 0;
}
