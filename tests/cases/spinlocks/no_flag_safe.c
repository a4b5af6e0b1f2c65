// No flag: what is written back is neither free nor taken, so the second thread never gets in.
#include <assert.h>
#include <pthread.h>
static volatile int taken;
static int counter;
static void *add(void *arg) {
    while (__sync_lock_test_and_set(&taken, 1))
        ;
    counter++;
    taken = 2;
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, add, 0);
    pthread_create(&u, 0, add, 0);
    assert(counter < 2);
    return 0;
}
