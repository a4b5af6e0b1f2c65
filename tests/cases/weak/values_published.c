// What was written before a flag is set with release is all that who acquires the flag can read, for ever.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready, beat;
int config;

void *maker(void *p)
{
    config = 1;
    config = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    for (;;) {
        atomic_fetch_add_explicit(&beat, 1, memory_order_relaxed);
    }
    return p;
}

void *user(void *p)
{
    for (;;) {
        if (atomic_load_explicit(&ready, memory_order_acquire)) {
            assert(config == 42);
        }
    }
    return p;
}

int main(void)
{
    pthread_t s, t;
    config = 7;
    pthread_create(&s, 0, maker, 0);
    pthread_create(&t, 0, user, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
