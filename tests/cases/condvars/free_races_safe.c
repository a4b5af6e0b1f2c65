#include <pthread.h>
#include <stdlib.h>
static pthread_cond_t *c;
static void *worker(void *arg) {
    pthread_cond_signal(c);
    return 0;
}
int main(void) {
    pthread_t t;
    c = malloc(sizeof *c);
    pthread_cond_init(c, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    free(c);
    return 0;
}
