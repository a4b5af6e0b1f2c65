/* Two readers see two writes in different orders: not where a store reaches all others at once. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int first[2], second[2];

void *writer1(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_release);
    return 0;
}

void *writer2(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

void *reader1(void *unused)
{
    first[0] = atomic_load_explicit(&x, memory_order_acquire);
    first[1] = atomic_load_explicit(&y, memory_order_acquire);
    return 0;
}

void *reader2(void *unused)
{
    second[0] = atomic_load_explicit(&y, memory_order_acquire);
    second[1] = atomic_load_explicit(&x, memory_order_acquire);
    return 0;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, writer1, 0);
    pthread_create(&t[1], 0, writer2, 0);
    pthread_create(&t[2], 0, reader1, 0);
    pthread_create(&t[3], 0, reader2, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(!(first[0] == 1 && first[1] == 0 && second[0] == 1 && second[1] == 0));
    return 0;
}
