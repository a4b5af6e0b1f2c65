// A thread reads `x` in an iteration that fails, and goes on; the other one learns that it did, without
// synchronising, and writes `x`.
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag, gone;
int x;

void *look(void *unused)
{
    while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
        if (x == 5)
            break;
    }
    atomic_store_explicit(&gone, 1, memory_order_relaxed);
    return unused;
}

void *change(void *unused)
{
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    if (atomic_load_explicit(&gone, memory_order_relaxed))
        x = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, look, 0);
    pthread_create(&b, 0, change, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
