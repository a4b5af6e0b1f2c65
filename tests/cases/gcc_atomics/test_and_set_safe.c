#include <assert.h>
#include <pthread.h>
static char lock;
static int x;
static void *worker(void *arg) {
    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE))
        ;
    int old = x;
    x = old + 1;
    __atomic_clear(&lock, __ATOMIC_RELEASE);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
