// A relaxed flag orders nothing; released and acquired it publishes the data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int flag;
static void *writer(void *arg) {
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(data == 42);
    pthread_join(t, 0);
    return 0;
}
