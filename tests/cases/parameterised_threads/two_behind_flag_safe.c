#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
/* Two counters are equal whenever a flag that is taken like a lock is free. */
atomic_flag taken = ATOMIC_FLAG_INIT;
atomic_uint a, b;
void *worker(void *arg)
{
    for (;;) {
        while (atomic_flag_test_and_set(&taken))
            ;
        a++;
        b++;
        assert(a == b);
        atomic_flag_clear(&taken);
    }
}
int main(void)
{
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, worker, 0);
}
