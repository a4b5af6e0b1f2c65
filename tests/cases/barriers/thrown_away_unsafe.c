// A barrier may be destroyed as soon as a wait has returned; without that nobody waits for who leaves.
#include <pthread.h>
#include <stdlib.h>
static pthread_barrier_t *b;
static void *worker(void *arg) {
    pthread_barrier_wait(b);
    return 0;
}
int main(void) {
    pthread_t t;
    b = malloc(sizeof *b);
    pthread_barrier_init(b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    pthread_barrier_wait(b);
    
    free(b);
    pthread_join(t, 0);
    return 0;
}
