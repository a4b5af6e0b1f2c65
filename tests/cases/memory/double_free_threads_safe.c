#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) p;
static void *worker(void *arg) {
    free(atomic_exchange(&p, 0));
    return 0;
}
int main(void) {
    pthread_t a, b;
    p = malloc(4);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
