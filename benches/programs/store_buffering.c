// Store buffering, again and again: with seq_cst atomics one of the two sees the other's store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 4

atomic_int x, y;
int left[ROUNDS], right[ROUNDS];

void *store_x(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        atomic_store(&x, i + 1);
        left[i] = atomic_load(&y);
    }
    return 0;
}

void *store_y(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        atomic_store(&y, i + 1);
        right[i] = atomic_load(&x);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, store_x, 0);
    pthread_create(&b, 0, store_y, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    for (int i = 0; i < ROUNDS; i++)
        assert(left[i] > i || right[i] > i);
    return 0;
}
