// Both threads swap themselves in: exactly one of them sees the initial value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int cell, first;
static void *worker(void *arg) {
    int mine = (int)(long)arg;
    if (atomic_exchange(&cell, mine) == 0)
        first++;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)1L);
    pthread_create(&b, 0, worker, (void *)2L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(first == 1);
    return 0;
}
