// The assumption of `stops` always fails, so no execution counts, however long `main` waits.
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);

atomic_int x, y, z;

static void *waits(void *arg) {
    x = 2;
    while (x != 1)
        ;
    return arg;
}

static void *stops(void *arg) {
    __VERIFIER_assume(z != 0);
    return arg;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, waits, 0);
    pthread_create(&t[1], 0, stops, 0);
    while (x != 2)
        y = 1;
    pthread_join(t[1], 0);
    return 0;
}
