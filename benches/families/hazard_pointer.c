/* N readers protect a block by a hazard pointer; a writer replaces it K times and frees what is old. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef N
#define N 1
#endif
#ifndef K
#define K 1
#endif

static _Atomic(int *) current;
static _Atomic(int *) hazard[N];

static void *reader(void *arg)
{
    _Atomic(int *) *mine = arg;
    int *p;
    do {
        p = atomic_load(&current);
        atomic_store(mine, p);
    } while (p != atomic_load(&current));
    assert(*p > 0);
    atomic_store(mine, 0);
    return 0;
}

static void retire(int *old)
{
    for (int i = 0; i < N; i++)
        while (atomic_load(&hazard[i]) == old)
            ;
    *old = 0;
    free(old);
}

static void *writer(void *arg)
{
    for (int i = 0; i < K; i++) {
        int *fresh = malloc(sizeof *fresh);
        if (!fresh)
            return arg;
        *fresh = i + 2;
        retire(atomic_exchange(&current, fresh));
    }
    return arg;
}

int main(void)
{
    pthread_t readers[N], w;
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 1;
    atomic_store(&current, p);
    pthread_create(&w, 0, writer, 0);
    for (int i = 0; i < N; i++)
        pthread_create(&readers[i], 0, reader, &hazard[i]);
    pthread_join(w, 0);
    for (int i = 0; i < N; i++)
        pthread_join(readers[i], 0);
    free(atomic_load(&current));
    return 0;
}
