// A loop that waits and says so to the processor in words that we do not know.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int ready;
int x;
void *f(void *arg) {
    x = 1;
    ready = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    while (!ready)
        __asm__ volatile("wfe" : : : "memory");
    assert(x == 1);
    return 0;
}
