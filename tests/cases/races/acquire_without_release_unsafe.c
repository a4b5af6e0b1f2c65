#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int flag;
static void *one(void *arg) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return 0;
}
static void *two(void *arg) {
    if (atomic_load_explicit(&flag, memory_order_acquire) == 1)
        data = 2;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
