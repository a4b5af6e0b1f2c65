#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int ring[2];
static atomic_uint head, tail;
static void *producer(void *arg) {
    for (unsigned i = 0; i < 3; i++) {
        while (i - atomic_load_explicit(&head, memory_order_acquire) >= 2)
            ;
        ring[i % 2] = i + 1;
        atomic_store_explicit(&tail, i + 1, memory_order_release);
    }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    for (unsigned i = 0; i < 3; i++) {
        while (atomic_load_explicit(&tail, memory_order_acquire) == i)
            ;
        assert(ring[i % 2] == (int)i + 1);
        atomic_store_explicit(&head, i + 1, memory_order_release);
    }
    pthread_join(t, 0);
    return 0;
}
