// A thread that spins pauses by an intrinsic.
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int taken;
static int counter;
static void *add(void *arg) {
    while (atomic_exchange_explicit(&taken, 1, memory_order_acquire))
        _mm_pause();
    counter++;
    _mm_mfence();
    atomic_store_explicit(&taken, 0, memory_order_release);
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
