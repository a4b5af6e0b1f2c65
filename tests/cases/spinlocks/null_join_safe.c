// Nobody asks for the results of the threads; the lock is a flag all the same.
#include <assert.h>
#include <pthread.h>
static volatile int taken;
static int counter;
static void *add(void *arg) {
    while (__sync_lock_test_and_set(&taken, 1))
        ;
    counter++;
    __sync_lock_release(&taken);
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, add, 0);
    pthread_create(&u, 0, add, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(counter == 2);
    return 0;
}
