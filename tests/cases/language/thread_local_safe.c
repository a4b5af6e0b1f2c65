#include <assert.h>
#include <pthread.h>
static _Thread_local int counter = 5;
static void *worker(void *arg) {
    counter++;
    assert(counter == 6);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
