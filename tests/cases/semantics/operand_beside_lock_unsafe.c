// `x` may be read before the lock is taken: nothing sequences the operands of `+`.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static int lock(void) {
    pthread_mutex_lock(&m);
    return 1;
}

static void *writer(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int n = lock() + x;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return n;
}
