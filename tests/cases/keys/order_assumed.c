// POSIX leaves open whose destructor runs first.
#include <assert.h>
#include <pthread.h>

pthread_key_t first, second;
int order;

static void one(void *value) { order = order * 10 + 1; }
static void two(void *value) { order = order * 10 + 2; }

static void *worker(void *arg) {
    pthread_setspecific(first, &order);
    pthread_setspecific(second, &order);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&first, one);
    pthread_key_create(&second, two);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(order == 12);
    return 0;
}
