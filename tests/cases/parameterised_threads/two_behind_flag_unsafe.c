#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
/* Two counters, and the flag is given back between them. */
atomic_flag taken = ATOMIC_FLAG_INIT;
atomic_uint a, b;
void *worker(void *arg)
{
    for (;;) {
        while (atomic_flag_test_and_set(&taken))
            ;
        a++;
        b++;
        atomic_flag_clear(&taken);
        assert(a == b);
    }
}
int main(void)
{
    pthread_t thread;
    for (;;)
        pthread_create(&thread, 0, worker, 0);
}
