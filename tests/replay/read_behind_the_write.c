/* Thread 2 writes x and reads it again before main does. */
#include <pthread.h>
int x, kept;
void *worker(void *unused)
{
    x = 1;
    __atomic_store_n(&kept, x, __ATOMIC_RELAXED);
    return 0;
}
int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    if (__atomic_load_n(&kept, __ATOMIC_RELAXED))
        return x;
    pthread_join(id, 0);
    return 0;
}
