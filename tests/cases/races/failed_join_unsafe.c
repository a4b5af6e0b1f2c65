// A join that fails orders nothing (POSIX leaves it open): `x` is read and written unordered.
#include <pthread.h>

int x, seen;

static void *worker(void *arg) {
    seen = x;
    pthread_detach(pthread_self());
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (pthread_join(t, 0) != 0)
        x = 1;
    return 0;
}
