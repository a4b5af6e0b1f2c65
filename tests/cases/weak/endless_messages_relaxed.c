// Messages without end: a relaxed flag does not hand them over.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int full, message;

void *sender(void *p)
{
    int v = 0;
    for (;;) {
        while (atomic_load_explicit(&full, memory_order_acquire)) {
        }
        atomic_store_explicit(&message, v, memory_order_relaxed);
        v = !v;
        atomic_store_explicit(&full, 1, memory_order_relaxed);
    }
    return p;
}

void *receiver(void *p)
{
    int v = 0;
    for (;;) {
        while (!atomic_load_explicit(&full, memory_order_acquire)) {
        }
        assert(atomic_load_explicit(&message, memory_order_relaxed) == v);
        v = !v;
        atomic_store_explicit(&full, 0, memory_order_release);
    }
    return p;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, sender, 0);
    pthread_create(&t, 0, receiver, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
