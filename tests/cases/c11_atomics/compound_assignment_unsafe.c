#include <assert.h>
#include <pthread.h>
static _Atomic unsigned char x = 1;
static void *worker(void *arg) {
    x = x << 1;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 4);
    return 0;
}
