#include <pthread.h>
static _Thread_local int own = 1;
static int *known;
static void *worker(void *arg) {
    *known = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    known = &own;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return *known;
}
