// N threads in a ring: each raises its flag and looks at the next one's. Not all can see none.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 4
#endif
atomic_int flags[N];
int seen[N];

void *raise_and_look(void *arg)
{
    long me = (long)arg;
    atomic_store(&flags[me], 1);
    seen[me] = atomic_load(&flags[(me + 1) % N]);
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, raise_and_look, (void *)i);
    int any = 0;
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], 0);
        any |= seen[i];
    }
    assert(any);
    return 0;
}
