#include <assert.h>
#include <pthread.h>
static pthread_barrier_t b;
static int a[2];
static void *worker(void *arg) {
    a[0] = 1;
    pthread_barrier_wait(&b);
    assert(a[1] == 2);
    pthread_barrier_wait(&b);
    a[0] = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    pthread_barrier_wait(&b);
    assert(a[0] == 1);
    pthread_barrier_wait(&b);
    a[1] = 2;
    pthread_join(t, 0);
    return 0;
}
